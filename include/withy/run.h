/* withy/run.h - a whole run in one call: advance, sample, write, until the last time. */
#pragma once

#include "withy/problem.h"
#include "withy/scene.h"
#include "withy/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Called between steps; return non-zero to stop cleanly (files closed, WITHY_INTERRUPTED). */
typedef int (*withy_progress)(void *context, double t, double stop, int64_t step);

typedef struct withy_run_setup {
    const char *method;        /* NULL: as the scene says                                         */
    const char *const *output; /* result files; the ending chooses the sink (.h5 .csv .pvd .wav)  */
    int output_count;
    withy_progress progress; /* may be NULL                                                      */
    void *context;           /* its first argument                                               */
} withy_run_setup;

enum { WITHY_REPORT_PROBES = 64 };

/* What `withy run --json` prints. */
typedef struct withy_report {
    withy_status status; /* WITHY_OK, WITHY_INTERRUPTED or the failure                 */
    char method[WITHY_NAME];
    double t;    /* how far                                               [s]  */
    double wall; /* elapsed                                               [s]  */
    int64_t snapshots;
    withy_stats stats;
    unsigned have;                 /* which of the following are filled (WITHY_HAVE_ bits)       */
    withy_energies energy;         /* at the end                                            [J]  */
    withy_vec3 position[2];        /* ends of the first rod                                 [m]  */
    withy_vec3 reaction[2];        /* force of the supports                                 [N]  */
    withy_vec3 reaction_moment[2]; /*                                                     [N m]  */
    int probe_count;
    struct {
        char name[WITHY_NAME];
        int size;
        double value[WITHY_FIELD_MAX]; /* last value */
    } probe[WITHY_REPORT_PROBES];
    char notes[2048]; /* from the method and the run, one per line                  */
} withy_report;

/* Run the scene.  On numerical failure the files hold everything up to the last good snapshot. */
WITHY_API withy_status withy_run(const withy_scene *scene, const withy_run_setup *setup,
                                 withy_report *report, withy_error *err);

/* A simulation of the scene under a method; NULL: as the scene says.  Under another method than the
 * scene names, the options n and dt are taken over, and those that overrides give. */
WITHY_API withy_status withy_scene_sim(const withy_scene *scene, const char *method,
                                       withy_sim **sim, withy_error *err);

/* The same for a changed copy of the scene's problem, which must outlive the simulation. */
WITHY_API withy_status withy_scene_sim_of(const withy_scene *scene, const withy_problem *problem,
                                          const char *method, withy_sim **sim, withy_error *err);

/* Can the method solve the scene?  On refusal err->text says why. */
WITHY_API withy_status withy_check(const withy_scene *scene, const char *method, withy_error *err);

#ifdef __cplusplus
}
#endif
