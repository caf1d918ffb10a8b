/* variants.c - see fit.h; the problems around a set are made by threads. */
#include "study/fit/fit.h"

#include "base/thread_pool.h"

enum { TEXT = 128 };

withy_status wy_variants_make(wy_variants *x, const double *p, wy_variant **out, withy_error *err) {
    static const char *const form = "%s=%.17g";
    char text[WITHY_FIT_MOST][TEXT];
    const char *item[WITHY_FIT_MOST];
    for (int k = 0; k < x->count; k++) {
        snprintf(text[k], sizeof text[k], form, x->free[k].name, p[k]);
        item[k] = text[k];
    }
    x->made++;
    return wy_variant_make(x->source, item, x->count, out, err);
}

withy_status wy_variants_stopped(const wy_variants *x, withy_error *err) {
    if (!x->stop || !x->stop(x->context)) return WITHY_OK;
    return wy_fail(err, WITHY_INTERRUPTED, "interrupted");
}

int wy_variants_interrupt(void *variants, double t) {
    const wy_variants *x = variants;
    (void)t;
    return x->stop && x->stop(x->context);
}

int wy_variants_progress(void *variants, double t, double stop, int64_t step) {
    (void)stop, (void)step;
    return wy_variants_interrupt(variants, t);
}

/* ---- sets that are known -------------------------------------------------------------------------------- */

withy_status wy_variants_room(wy_variants *x, int most, int slopes, wy_arena *arena,
                              withy_error *err) {
    wy_allocator from = {.arena = arena};
    for (int i = 0; i < WY_KNOWN_SETS; i++)
        x->known[i].value = wy_allocator_alloc(&from, (size_t)most, sizeof *x->known[i].value);
    if (slopes)
        x->slope = wy_allocator_alloc(&from, (size_t)most * (size_t)x->count, sizeof *x->slope);
    return from.failed ? wy_no_memory(err, "no memory for a search") : WITHY_OK;
}

void wy_variants_close(wy_variants *x) {
    for (int i = 0; i < WY_KNOWN_SETS; i++) wy_variant_free(x->known[i].variant);
}

wy_known *wy_variants_at(wy_variants *x, const double *p) {
    const size_t size = (size_t)x->count * sizeof *p;
    int spare = 0;
    for (int i = 0; i < WY_KNOWN_SETS; i++) {
        if (x->known[i].used && memcmp(x->known[i].p, p, size) == 0) return &x->known[i];
        if (i != x->based && i != x->best) spare = i;
    }
    wy_known *k = &x->known[spare];
    wy_variant_free(k->variant);
    memcpy(k->p, p, size);
    k->variant = NULL, k->used = 1, k->values = k->slopes = 0, k->negative = -1;
    return k;
}

withy_status wy_variants_of(wy_variants *x, wy_known *k, const wy_variant **out, withy_error *err) {
    if (!k->variant) WY_TRY(wy_variants_make(x, k->p, &k->variant, err));
    *out = k->variant;
    return WITHY_OK;
}

void wy_variants_clear(wy_variants *x) {
    x->known[x->based].slopes = 0;
}

void wy_variants_base(wy_variants *x, const wy_known *k) {
    wy_variants_clear(x);
    x->based = (int)(k - x->known);
}

/* ---- around a set ---------------------------------------------------------------------------------------- */

typedef struct jobs {
    wy_variants *from;
    const double *p;
    wy_neighbours *a;
} jobs;

static void make_one(void *context, int job) {
    const jobs *x = context;
    const int k = job / 4, i = job % 4;
    wy_neighbours *a = x->a;
    double q[WITHY_FIT_MOST];
    memcpy(q, x->p, (size_t)x->from->count * sizeof *q);
    q[k] += (double[]){-2, -1, 1, 2}[i] * a->vary[k].step;
    a->status[k][i] = wy_variants_make(x->from, q, &a->at[k][i], &a->err[k][i]);
    if (a->status[k][i] == WITHY_OK) a->vary[k].at[i] = a->at[k][i]->study.problem;
}

withy_status wy_neighbours_make(wy_variants *x, const double *p, const double *step,
                                wy_neighbours *a, withy_error *err) {
    jobs all = {x, p, a};
    for (int k = 0; k < x->count; k++) {
        a->vary[k] = withy_variation_default(), a->vary[k].step = step[k];
        snprintf(a->vary[k].name, sizeof a->vary[k].name, "%s", x->free[k].name);
    }
    wy_threads_run(x->threads > 0 ? x->threads : wy_threads_available(), 4 * x->count, make_one,
                   &all);
    for (int job = 0; job < 4 * x->count; job++)
        if (a->status[job / 4][job % 4] != WITHY_OK) {
            if (err) *err = a->err[job / 4][job % 4];
            return a->status[job / 4][job % 4];
        }
    return WITHY_OK;
}

void wy_neighbours_free(wy_neighbours *a, int count) {
    for (int k = 0; k < count; k++)
        for (int i = 0; i < 4; i++) wy_variant_free(a->at[k][i]);
}
