/* read_result.h - any bytes are a result that can be read, or are refused: no crash, no leak, no hang.
 *
 * Called by clang's libFuzzer (fuzz_result.c), and by test_fuzz_result.c in the ordinary suite.
 */
#pragma once

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "withy/base.h"
#include "withy/result.h"

/* A failure comes with its message. */
static inline void need_message(const withy_error *err) {
    if (err->code == WITHY_OK || !err->text[0]) abort();
}

static inline void read_rod(withy_result *result, int rod) {
    const int64_t count = withy_result_count(result);
    double sum = 0;
    withy_error err = {0};
    withy_result_rod info;
    if (!withy_result_rod_at(result, rod, &info)) abort();
    for (int64_t k = 0; k < count; k += 1 + count / 16) {
        const withy_snapshot *s = withy_result_at(result, rod, k, &err);
        if (!s) need_message(&err);
        if (!s) break;
        int quantities;
        const withy_quantity *quantity = withy_quantity_list(WITHY_OF_ROD, &quantities);
        for (int q = 0; q < quantities; q++) {
            const double *value = withy_quantity_at(&quantity[q], s, s->count - 1);
            for (int i = 0; value && i < quantity[q].size; i++) sum += value[i];
        }
        sum += s->t + s->s[s->count - 1] + s->energy.bend;
    }
    if (sum == 1.2345) puts("!"); /* so that it is computed */
}

static inline void read_numbers(withy_result *result) {
    const int64_t count = withy_result_count(result);
    withy_error err = {0};
    withy_result_entry entry;
    withy_result_probe probe;
    double *list = calloc((size_t)count + 1, 3 * sizeof *list);
    if (!list) abort(); /* counts are bounded by the length of the file */
    if (withy_result_times(result, list, &err) != WITHY_OK) need_message(&err);
    for (int i = 0; withy_result_ledger_at(result, 0, i, &entry); i++)
        if (withy_result_ledger_read(result, 0, entry.name, list, &err) != WITHY_OK)
            need_message(&err);
    free(list);
    for (int i = 0; withy_result_probe_at(result, i, &probe) && i < 8; i++) {
        list = calloc((size_t)probe.count + 1, (size_t)(probe.size + 1) * sizeof *list);
        if (!list) abort();
        if (withy_result_probe_read(result, i, list, list + probe.count + 1, &err) != WITHY_OK)
            need_message(&err);
        free(list);
    }
}

static inline void read_parts(withy_result *result) {
    const int64_t count = withy_result_count(result);
    double sum = 0;
    withy_error err = {0};
    withy_body body;
    withy_joint joint;
    for (int i = 0; i < 8 && withy_result_body_at(result, i, &body); i++)
        sum += (double)strlen(body.name) + body.mass;
    for (int i = 0; i < 8 && withy_result_joint_at(result, i, &joint); i++)
        sum += (double)strlen(joint.name) + (double)joint.kind;
    for (int64_t k = 0; k < count; k += 1 + count / 16) {
        const withy_parts *now = withy_result_parts_at(result, k, &err);
        if (!now) need_message(&err);
        if (!now) break;
        if (now->body_count) sum += now->body[now->body_count - 1].spin.z;
        if (now->joint_count) sum += now->joint[now->joint_count - 1].travel;
    }
    if (sum == 1.2345) puts("!"); /* so that it is computed */
}

/* Returns 1 when it could be opened. */
static inline int read_result(const char *path, const uint8_t *data, size_t size) {
    static const char *const text[] = {"title", "method", "status", "scene", "notes", "axis"};
    const size_t blocks = withy_memory_blocks();
    withy_result *result = NULL;
    withy_error err = {0};
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(data, 1, size, file) != size || fclose(file) != 0) abort();
    const withy_status status = withy_result_open(path, &result, &err);
    if ((status == WITHY_OK) != (result != NULL)) abort();
    if (status != WITHY_OK) need_message(&err);
    for (size_t i = 0; result && i < sizeof text / sizeof *text; i++)
        if (strlen(withy_result_text(result, text[i])) > size) abort();
    for (int rod = 0; rod < withy_result_rods(result) && rod < 4; rod++) read_rod(result, rod);
    if (result) read_numbers(result);
    if (withy_result_bodies(result) + withy_result_joints(result) > 0) read_parts(result);
    withy_result_close(result);
    if (withy_memory_blocks() != blocks) abort();
    return status == WITHY_OK;
}
