/* probe.h - the probes of a problem: each has its own view of a rod, and a time when it is due. */
#pragma once

#include "base/wall_clock.h"
#include "sink/sink.h"
#include "study/sim.h"
#include "withy/study.h"

/* ---- moments.c: least and largest value, mean and deviation of a series over its time, as it comes.
 *
 * A sample counts by half of the intervals on its two sides, so that steps of changing length do not weigh
 * the busy parts of a motion more than the quiet ones.
 */

typedef struct wy_moments {
    int64_t count;
    double first, t, x; /* time of the first sample; time and value of the last */
    double least, most, mean;
    double weight, square; /* sums of weights, and of weighted squares about the mean */
} wy_moments;

static inline void wy_moments_weigh(wy_moments *m, double x, double weight) {
    if (!(weight > 0)) return;
    const double away = x - m->mean;
    m->weight += weight;
    m->mean += away * (weight / m->weight);
    m->square += weight * away * (x - m->mean);
}

static inline void wy_moments_add(wy_moments *m, double t, double x) {
    if (m->count++ == 0) {
        *m = (wy_moments){.count = 1, .first = t, .least = x, .most = x, .mean = x};
    } else {
        const double half = 0.5 * fabs(t - m->t); /* along a path the load factor may turn */
        wy_moments_weigh(m, m->x, half);
        wy_moments_weigh(m, x, half);
    }
    m->least = fmin(m->least, x), m->most = fmax(m->most, x);
    m->t = t, m->x = x;
}

static inline double wy_moments_deviation(const wy_moments *m) {
    return m->weight > 0 && m->square > 0 ? sqrt(m->square / m->weight) : 0;
}

/* ---- files.c: the result files of a run, a path or a set of modes. */

enum { WY_FILES_MOST = 8 };

typedef struct wy_files {
    int count;
    size_t state_size;                      /* of the states that wy_files_keep gets; 0: none */
    double step;                            /* of the run, if all are equal [s]; 0: not known */
    bool at_once;                           /* they appear only when they are whole */
    const wy_sink *sink[WY_FILES_MOST + 1]; /* 1: a record in memory */
    void *state[WY_FILES_MOST + 1];
    bool broken[WY_FILES_MOST + 1]; /* cannot be written: gets no more, while the others continue */
    withy_error failure;            /* of the first of these */
} wy_files;

/* The kind of every file, by its name, and whether it can hold what is requested.  All names must be valid before anything is computed, and before the first
 * file is opened: opening one replaces an existing file. */
withy_status wy_files_choose(const withy_study *study, bool moves,
                             const wy_sink *sink[WY_FILES_MOST], withy_error *err);
/* Open every file of the study for the present snapshots of the simulation; axis: what their time
 * is. */
withy_status wy_files_open(wy_files *files, withy_sim *sim, const withy_study *study,
                           const char *axis, withy_error *err);
/* These fail when no file is left that can be written; wy_files_close reports one that could not. */
withy_status wy_files_write(wy_files *files, const withy_sim *sim, withy_error *err);
withy_status wy_files_probe(wy_files *files, int probe, double t, const double *value,
                            withy_error *err);

/* The state of the run into those files that keep states, see wy_sink.keep. */
withy_status wy_files_keep(wy_files *files, const void *bytes, bool last, withy_error *err);

/* Close every file with the word that belongs to `status` (err holds its message), whatever
 * happened; returns status, or the first failure to write or to close. */
withy_status wy_files_close(wy_files *files, withy_status status, withy_error *err);

typedef struct wy_probe {
    const withy_probe *probe;
    const withy_quantity *quantity; /* of a rod seen through the view, or of a part */
    int size;                       /* numbers                                      */
    wy_view view;
    double value[WY_QUANTITY_SIZE];      /* of a rod as a whole, or of the scene          */
    int64_t samples;                     /* recorded so far, before a resumed run too */
    wy_moments moments[WITHY_FIELD_MAX]; /* [size] of those of this run */
    double due;                          /* [s]; meaningless when every step is recorded */
    int apart;                           /* 1: recorded on the way by who makes the steps */
} wy_probe;

typedef struct wy_probes {
    int count, own;      /* own: those of the problem, which come first */
    wy_probe *one;       /* [count] */
    withy_sample sample; /* gets each sample too; NULL: nobody */
    void *context;
} wy_probes;

/* Memory from the arena of the simulation.  Unknown quantities are refused.  study: has more of them; NULL: none. */
withy_status wy_probes_make(withy_sim *sim, const withy_study *study, wy_probes *probes,
                            withy_error *err);

/* One, from memory that is all zero; the probe must stay where it is. */
withy_status wy_probe_make(withy_sim *sim, const withy_probe *probe, wy_probe *w, withy_error *err);

/* Record the probes that are due now (all: whether due or not) in the files. */
withy_status wy_probes_record(wy_probes *probes, withy_sim *sim, int all, wy_files *files,
                              withy_error *err);

/* A sample of a probe that is recorded apart, at a time up to the present one. */
withy_status wy_probes_put(wy_probes *probes, const withy_sim *sim, int probe, double t,
                           const double *value, wy_files *files, withy_error *err);

/* What has been recorded, of the first probes that have samples: returns how many. */
int wy_probes_report(const wy_probes *probes, withy_probe_report report[WITHY_REPORT_PROBES]);

/* The numbers of one probe now; NULL: the method does not compute it, or (*bad) they are not finite. */
const double *wy_probe_value(wy_probe *recorder, withy_sim *sim, const char **bad);

/* How many steps of length h until the next probe is due, at most `left`. */
int64_t wy_probes_steps(const wy_probes *probes, double now, double h, int64_t left);

/* Sample every rod into its own snapshot; a value that is not finite is an error. */
withy_status wy_sim_sample_all(withy_sim *sim, withy_error *err);
