/* probe.h - the probes of a problem: each has its own view of a rod, and a time when it is due. */
#pragma once

#include "study/run/files.h"
#include "study/run/moments.h"
#include "study/sim.h"

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
