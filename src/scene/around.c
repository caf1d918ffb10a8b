/* around.c - reading the scene of a fit or a design; the readings of one gradient are shared by threads. */
#include "scene/around.h"

#include <stdio.h>
#include <string.h>

#include "base/crew.h"

enum { TEXT = 128 };

withy_status wy_reader_at(const wy_reader *x, const double *p, withy_scene **scene,
                          withy_error *err) {
    static const char *const form = "%s=%.17g";
    char text[WITHY_FIT_MOST][TEXT];
    const char *item[WITHY_FIT_MOST];
    for (int k = 0; k < x->count; k++) {
        snprintf(text[k], sizeof text[k], form, x->free[k].name, p[k]);
        item[k] = text[k];
    }
    return x->read(x->context, item, x->count, scene, err);
}

withy_status wy_reader_stopped(const wy_reader *x, withy_error *err) {
    if (!x->stop || !x->stop(x->context)) return WITHY_OK;
    return wy_fail(err, WITHY_INTERRUPTED, "interrupted");
}

int wy_reader_watch(void *reader, double t) {
    const wy_reader *x = reader;
    (void)t;
    return x->stop && x->stop(x->context);
}

int wy_reader_progress(void *reader, double t, double stop, int64_t step) {
    (void)stop, (void)step;
    return wy_reader_watch(reader, t);
}

typedef struct readings {
    const wy_reader *reader;
    const double *p;
    wy_around *a;
    withy_status *status; /* [1 + 4 count] */
    withy_error *err;
} readings;

static void read_one(void *context, int job) {
    readings *x = context;
    const int k = (job - 1) / 4, i = (job - 1) % 4;
    double q[WITHY_FIT_MOST];
    memcpy(q, x->p, (size_t)x->reader->count * sizeof *q);
    if (job > 0) q[k] += (double[]){-2, -1, 1, 2}[i] * x->a->vary[k].step;
    x->status[job] =
        wy_reader_at(x->reader, q, job > 0 ? &x->a->at[k][i] : &x->a->here, &x->err[job]);
}

static withy_status read_all(readings *x, int jobs, withy_error *err) {
    const int threads = x->reader->threads;
    wy_crew_run(threads > 0 ? threads : wy_crew_most(), jobs, read_one, x);
    for (int job = 0; job < jobs; job++)
        if (x->status[job] != WITHY_OK) {
            if (err) *err = x->err[job];
            return x->status[job];
        }
    return WITHY_OK;
}

withy_status wy_around_read(const wy_reader *x, const double *p, const double *step, wy_around *a,
                            withy_error *err) {
    const int jobs = 1 + 4 * x->count;
    readings all = {x, p, a, wy_take((size_t)jobs, sizeof *all.status),
                    wy_take((size_t)jobs, sizeof *all.err)};
    for (int k = 0; k < x->count; k++) {
        a->vary[k] = withy_variation_default(), a->vary[k].step = step[k];
        snprintf(a->vary[k].name, sizeof a->vary[k].name, "%s", x->free[k].name);
    }
    const withy_status status = all.status && all.err
                                    ? read_all(&all, jobs, err)
                                    : wy_fail(err, WITHY_NO_MEMORY, "no memory for derivatives");
    for (int k = 0; k < x->count && status == WITHY_OK; k++)
        for (int i = 0; i < 4; i++) a->vary[k].at[i] = withy_scene_problem(a->at[k][i]);
    wy_give(all.status);
    wy_give(all.err);
    return status;
}

void wy_around_free(wy_around *a, int count) {
    for (int k = 0; k < count; k++)
        for (int i = 0; i < 4; i++) withy_scene_destroy(a->at[k][i]);
    withy_scene_destroy(a->here);
}
