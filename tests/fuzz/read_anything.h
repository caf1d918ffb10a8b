/* read_anything.h - any bytes must be read or refused: no crash, no leak, no hang.
 *
 * Called by clang's libFuzzer (fuzz_scene.c), and by test_fuzz_replay.c, which feeds it the corpus
 * in the ordinary suite.  A first line "--set path=value" (to Lua a comment) is used as an override.
 */
#pragma once

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "withy/scene.h"

/* Call what may be a function, at a few places. */
static inline void evaluate(const withy_field *field, double length) {
    withy_error err;
    double out[WITHY_FIELD_MAX];
    for (int i = 0; i < 3; i++) (void)withy_field_at(field, 0.5 * i * length, 0.3 * i, out, &err);
}

static inline void evaluate_rod(const withy_rod *rod) {
    enum { COUNT = 14 };
    const withy_field *const field[COUNT] = {
        &rod->stiffness[WITHY_BEND1],
        &rod->stiffness[WITHY_BEND2],
        &rod->inertia[WITHY_MASS],
        &rod->inertia[WITHY_ROTARY3],
        &rod->damping[WITHY_TWIST],
        &rod->section.a,
        &rod->initial.position,
        &rod->initial.strain,
        &rod->rest.strain,
        &rod->velocity,
        &rod->end[0].position,
        &rod->end[0].tangent,
        &rod->end[1].frame,
        &rod->end[1].force,
    };
    for (int i = 0; i < COUNT; i++) evaluate(field[i], rod->length);
    for (int i = 0; i < rod->load_count; i++) evaluate(&rod->load[i].force, rod->length);
}

/* The override in the first line, or NULL; to be freed. */
static inline char *first_line(const uint8_t *data, size_t size) {
    const size_t prefix = strlen("--set ");
    const uint8_t *end = memchr(data, '\n', size);
    if (size < prefix || memcmp(data, "--set ", prefix) != 0) return NULL;
    const size_t length = (end ? (size_t)(end - data) : size) - prefix;
    char *text = calloc(1, length + 1);
    if (text) memcpy(text, data + prefix, length);
    return text;
}

static inline void read_anything(const uint8_t *data, size_t size) {
    static const uint8_t nothing;
    const size_t blocks = withy_memory_blocks();
    char *override = first_line(size ? data : &nothing, size);
    const char *const list[] = {override};
    withy_scene *scene = NULL;
    withy_error err = {0};
    const withy_status status =
        withy_scene_read_text((const char *)(size ? data : &nothing), size, "fuzz.lua", list,
                              override != NULL, &scene, &err);
    if ((status == WITHY_OK) != (scene != NULL)) abort();
    if (status != WITHY_OK && (!err.text[0] || strlen(err.text) >= sizeof err.text)) abort();
    if (scene) {
        const withy_problem *problem = withy_scene_problem(scene);
        for (int i = 0; i < problem->rod_count && i < 3; i++) evaluate_rod(&problem->rod[i]);
    }
    withy_scene_destroy(scene);
    free(override);
    if (withy_memory_blocks() != blocks) abort();
}
