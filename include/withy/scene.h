/* withy/scene.h - a scene file (Lua 5.4, sandboxed) read into a problem, a method and its options.
 *
 * Functions in the scene are kept in the withy_scene and are called while the problem is solved, so
 * the scene must outlive every simulation made from it, and must not be used by two threads at once.
 */
#pragma once

#include "withy/problem.h"
#include "withy/study.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct withy_scene withy_scene;

/* Read a file.  override[]: "path=value" texts as on the command line ("time.stop=20",
 * "options.n=40", "method=elastica"); each replaces or adds one value of the table. */
WITHY_API withy_status withy_scene_read(const char *path, const char *const *override,
                                        int override_count, withy_scene **scene, withy_error *err);

/* The same from memory; messages use `name` in place of the file name. */
WITHY_API withy_status withy_scene_read_text(const char *text, size_t size, const char *name,
                                             const char *const *override, int override_count,
                                             withy_scene **scene, withy_error *err);

/* Functions of the calling program.  A scene calls host(index, ...) with numbers, or with numbers and then the
 * state of a section, which is passed on as position, velocity, spin (3 numbers each) and d1, d2, d3 (9). */
enum { WITHY_HOST_MOST = 32 }; /* numbers in a call */
typedef struct withy_host {
    /* in[count] are the arguments; writes out[WITHY_FIELD_MAX] and *got, how many it returns.  On failure the
     * message in err becomes that of the function in the scene. */
    withy_status (*call)(void *context, int index, const double *in, int count, double *out,
                         int *got, withy_error *err);
    void *context; /* its first argument */
} withy_host;

/* withy_scene_read_text for a scene that may call host; it must outlive the scene.  NULL: there is none. */
WITHY_API withy_status withy_scene_read_host(const char *text, size_t size, const char *name,
                                             const char *const *override, int override_count,
                                             const withy_host *host, withy_scene **scene,
                                             withy_error *err);

WITHY_API const withy_problem *withy_scene_problem(const withy_scene *scene);
WITHY_API const char *withy_scene_method(const withy_scene *scene); /* "" when not named */
WITHY_API const char *withy_scene_text(const withy_scene *scene);   /* the source, and the
                                                                     * overrides as comments */
WITHY_API const char *withy_scene_name(const withy_scene *scene);   /* the file */
WITHY_API const withy_option *withy_scene_options(const withy_scene *scene, int *count);

/* The parameters of the scene, `params { wire = 2e-3, ... }`, in the order of their names, as they are with
 * the overrides "params.wire=3e-3"; returns 0 past the last. */
WITHY_API int withy_scene_parameter(const withy_scene *scene, int index,
                                    withy_parameter *parameter);

WITHY_API void withy_scene_destroy(withy_scene *scene); /* NULL is fine */

/* The reference page of every key and constructor, in Markdown, from the table that validates: one
 * line per row, good until this thread's next call; NULL past the last. */
WITHY_API const char *withy_scene_reference(int row);

/* The names of the constructors, "circle", "clamped", ...: NULL past the last. */
WITHY_API const char *withy_scene_constructor(int index);

/* ---- studies of a scene ---------------------------------------------------------------------------- */

typedef struct withy_run_setup {
    const char *method; /* NULL: the method of the scene                                         */
    const char *const *output; /* result files; the ending chooses the sink (.h5 .csv .pvd .wav)  */
    int output_count;
    withy_progress progress; /* may be NULL                                                      */
    void *context;           /* its first argument                                               */
    int error;               /* 1: with error bars, see withy_study.error                        */
    int branch; /* 1: paths continue along stable branches, see withy_study.branch     */
    struct withy_record *record; /* NULL, or filled with the result, see withy/record.h          */
    double checkpoint;   /* see withy_study.checkpoint                                   [s] */
    const char *resume;  /* see withy_study.resume; method NULL is then that of the file     */
    withy_sample sample; /* see withy_study.sample                                           */
    void *sample_context;
} withy_run_setup;

/* The scene that a result with states was computed from, to be run on with setup.resume = path.  override[]: the
 * few changes that a state allows, time.stop and damping, and options.NAME, with which it continues from the last
 * snapshot. */
WITHY_API withy_status withy_scene_resume(const char *path, const char *const *override,
                                          int override_count, withy_scene **scene,
                                          withy_error *err);

/* Run the scene.  On numerical failure the files hold everything up to the last good snapshot. */
WITHY_API withy_status withy_run(const withy_scene *scene, const withy_run_setup *setup,
                                 withy_report *report, withy_error *err);

typedef enum withy_task { WITHY_TASK_RUN, WITHY_TASK_STATIC, WITHY_TASK_MODES } withy_task;

/* A run, a path of equilibria, or modes (count of them) without a report: the answer goes to the record and
 * the files of the setup. */
WITHY_API withy_status withy_scene_solve(const withy_scene *scene, withy_task task, int count,
                                         const withy_run_setup *setup, withy_error *err);

/* A simulation of the scene under a method; NULL: that of the scene.  Under another method than the
 * scene names, the options n and dt are taken over, and those that overrides give. */
WITHY_API withy_status withy_scene_sim(const withy_scene *scene, const char *method,
                                       withy_sim **sim, withy_error *err);

/* The same for a changed copy of the scene's problem, which must outlive the simulation. */
WITHY_API withy_status withy_scene_sim_of(const withy_scene *scene, const withy_problem *problem,
                                          const char *method, withy_sim **sim, withy_error *err);

enum { WITHY_SCENE_OPTIONS = 64 };

/* The study of a scene under a method (NULL: that of the scene), without result files; its options are
 * written to option[WITHY_SCENE_OPTIONS], which must stay valid as long as the study. */
WITHY_API withy_status withy_scene_study(const withy_scene *scene, const char *method,
                                         withy_option *option, withy_study *study,
                                         withy_error *err);

/* Can the method solve the scene?  On refusal err->text gives the reason. */
WITHY_API withy_status withy_check(const withy_scene *scene, const char *method, withy_error *err);
/* Would withy_run make a step?  The same as it does before the first: held ends that miss the initial shape, or a
 * rotating frame, have equilibria but no start.  WITHY_OK where the scene has no time. */
WITHY_API withy_status withy_check_run(const withy_scene *scene, const char *method,
                                       withy_error *err);

/* Solve the scene's path (or the one equilibrium under factor 1 when it has none) and write one
 * snapshot per point, with the factor as time. */
WITHY_API withy_status withy_static(const withy_scene *scene, const withy_run_setup *setup,
                                    withy_static_report *report, withy_error *err);

/* Equilibrium of the scene under its loads, then its modes.  Result files hold one snapshot per
 * mode: the rod deflected by the shape, with the frequency as time. */
WITHY_API withy_status withy_modes(const withy_scene *scene, int count,
                                   const withy_run_setup *setup, withy_mode **mode,
                                   withy_error *err);

#ifdef __cplusplus
}
#endif
