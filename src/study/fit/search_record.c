/* search_record.c - see fit.h. */
#include "study/fit/fit.h"

#include <stdarg.h>

enum { ROOM = 1 << 17 }; /* 256 parameters take 2^16, 32 constraints 2^14 */

withy_status wy_search_record_open(wy_search_record *b, const wy_variants *variants,
                                   withy_fit_best report, const char *record, wy_arena *arena,
                                   withy_error *err) {
    *b = (wy_search_record){
        .variants = variants, .report = report, .missed = INFINITY, .value = INFINITY};
    if (!report && !record) return WITHY_OK;
    b->text = wy_arena_alloc(arena, ROOM, 1);
    return b->text ? WITHY_OK : wy_fail(err, WITHY_NO_MEMORY, "no memory for a search");
}

static size_t add(char *text, size_t used, const char *format, va_list rest) {
    const int size = vsnprintf(text + used, ROOM - used, format, rest);
    return size > 0 && (size_t)size < ROOM - used ? used + (size_t)size : used;
}

void wy_search_record_line(wy_search_record *b, const char *format, ...) {
    va_list rest;
    if (!b->text) return;
    va_start(rest, format);
    b->used = add(b->text, b->used, format, rest);
    va_end(rest);
}

void wy_search_record_describe(wy_search_record *b, const wy_variant *v, const char *data,
                               size_t size) {
    const char *text = v->study.text;
    if (!b->text) return;
    wy_search_record_line(b, "withy %s\nmethod %s\n", withy_version(), v->study.method);
    for (int k = 0; k < b->variants->count; k++) {
        const withy_fit_free *f = &b->variants->free[k];
        wy_search_record_line(b, "free %s=%.15g..%.15g%s@%.15g\n", f->name, f->low, f->high,
                              f->log ? ":log" : ":linear", f->value);
    }
    wy_search_record_line(b, "scene, overrides and tables %016llx\n",
                          (unsigned long long)wy_hash(text, strlen(text), 0));
    wy_search_record_line(b, "meshes and what else is read %016llx\n",
                          (unsigned long long)wy_problem_digest(v->study.problem));
    wy_search_record_line(b, "data %016llx\n",
                          (unsigned long long)(data ? wy_hash(data, size, 0) : 0));
}

/* ---- going on --------------------------------------------------------------------------------------- */

static withy_status another(const char *was, const char *now, withy_error *err) {
    wy_first_difference(&was, &now);
    return wy_fail(err, WITHY_BAD_INPUT,
                   "--resume: the file is of another search: it has \"%.*s\", now it is \"%.*s\"; "
                   "continue with the same scene, data and options, or start anew without --resume",
                   (int)wy_min(120, (double)strcspn(was, "\n")), was,
                   (int)wy_min(120, (double)strcspn(now, "\n")), now);
}

static withy_status damaged(const char *at, withy_error *err) {
    return wy_fail(err, WITHY_BAD_INPUT,
                   "--resume: the file is damaged at \"%.*s\"; start anew without --resume",
                   (int)wy_min(80, (double)strcspn(at, "\n")), at);
}

/* "NAME VALUE\n", and move behind it; NAN: it is something else. */
static double number_of(const char **at, const char *name) {
    const size_t size = strlen(name);
    char *end;
    if (strncmp(*at, name, size) != 0 || (*at)[size] != ' ') return NAN;
    const double value = strtod(*at + size + 1, &end);
    if (end == *at + size + 1 || *end != '\n') return NAN;
    *at = end + 1;
    return value;
}

static withy_status read_point(const wy_search_record *b, const char *at, int stages, double *p,
                               int *stage, withy_error *err) {
    const char *line = at;
    const double done = number_of(&at, "done");
    if (!(done >= 0 && done < stages) || done != floor(done)) return damaged(line, err);
    for (int k = 0; k < b->variants->count; k++) {
        const withy_fit_free *f = &b->variants->free[k];
        line = at, p[k] = number_of(&at, f->name);
        if (!(p[k] >= f->low && p[k] <= f->high) || !isfinite(p[k])) return damaged(line, err);
    }
    if (strcmp(at, "end\n") != 0) return damaged(at, err);
    *stage = (int)done;
    return WITHY_OK;
}

static void report(wy_search_record *b, const double *p) {
    const size_t head = b->used;
    if (!b->report) return;
    wy_search_record_line(b, "done %d\n", b->stage);
    for (int k = 0; k < b->variants->count; k++)
        wy_search_record_line(b, "%s %.17g\n", b->variants->free[k].name, p[k]);
    wy_search_record_line(b, "end\n");
    b->report(b->variants->context, b->text);
    b->used = head, b->text[head] = '\0';
}

withy_status wy_search_record_start(wy_search_record *b, const char *record, int stages, double *p,
                                    int *stage, withy_error *err) {
    *stage = 0;
    for (int k = 0; k < b->variants->count; k++) p[k] = b->variants->free[k].value;
    if (!b->text) return WITHY_OK;
    if (record && strncmp(record, b->text, b->used) != 0) return another(record, b->text, err);
    if (record) WY_TRY(read_point(b, record + b->used, stages, p, stage, err));
    b->stage = *stage;
    report(b, p);
    return WITHY_OK;
}

int wy_search_record_try(wy_search_record *b, int stage, double missed, double value,
                         const double *p) {
    const int later = stage > b->stage, same = stage == b->stage;
    const int better = missed < b->missed || (missed == b->missed && value < b->value);
    if (!later && !(same && better)) return 0;
    b->stage = stage, b->missed = missed, b->value = value;
    if (b->text) report(b, p);
    return 1;
}
