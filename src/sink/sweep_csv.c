/* sweep_csv.c - the rows of a sweep as a table: member, what was varied, the numbers, status, message. */
#include "sink/sweep.h"
#include "sink/text.h"

static void put_head(wy_text *out, const withy_sweep_file *file) {
    withy_sweep_column c;
    wy_text_put(out, "member");
    for (int i = 0; withy_sweep_column_at(file, i, &c); i++) {
        char name[sizeof c.name + sizeof c.unit + 4];
        const bool bare = !c.unit[0] || strcmp(c.unit, "-") == 0;
        snprintf(name, sizeof name, bare ? "%s" : "%s [%s]", c.name, c.unit);
        wy_text_put(out, ",");
        wy_text_cell(out, name);
    }
    wy_text_put(out, ",status,message\n");
}

/* A member without numbers has empty cells. */
static void put_row(wy_text *out, const withy_sweep_file *file, int64_t member) {
    withy_sweep_column c;
    const char *message;
    const int status = withy_sweep_status(file, member, &message);
    wy_text_put(out, "%lld", (long long)member);
    for (int i = 0; withy_sweep_column_at(file, i, &c); i++) {
        wy_text_put(out, ",");
        if (isfinite(c.value[member])) wy_text_number(out, c.value[member]);
    }
    wy_text_put(out, ",%s,",
                status < 0           ? "not computed"
                : status == WITHY_OK ? "complete"
                                     : "failed");
    wy_text_cell(out, message);
    wy_text_put(out, "\n");
}

withy_status withy_sweep_export(const withy_sweep_file *file, const char *path, withy_error *err) {
    WY_NEED(file, path);
    wy_arena arena = {0};
    wy_text out = {0};
    withy_status status = wy_text_open(&out, &arena, path, err);
    if (status == WITHY_OK) {
        put_head(&out, file);
        for (int64_t k = 0; k < withy_sweep_count(file); k++) put_row(&out, file, k);
        status = wy_text_settle(&out, err);
        if (status == WITHY_OK) status = wy_text_place(&out, err);
        if (status != WITHY_OK) wy_text_drop(&out);
    }
    wy_arena_free(&arena);
    return status;
}
