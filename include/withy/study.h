/* withy/study.h - what is done with a problem: a run, an equilibrium or a path of them, modes.
 *
 *     withy_study study = withy_study_default();
 *     study.problem = &problem, study.method = "director";
 *     study.output = (const char *[]){"swing.h5"}, study.output_count = 1;
 *     withy_report report;
 *     withy_study_run(&study, &report, &err);
 *
 * The same studies of a scene file are in withy/scene.h.
 */
#pragma once

#include "withy/problem.h"
#include "withy/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- the request --------------------------------------------------------------------------------- */

/* Called between steps; return non-zero to stop cleanly (files closed, WITHY_INTERRUPTED).  step < 0: from
 * within a function of a scene that takes long, t being its argument. */
typedef int (*withy_progress)(void *context, double t, double stop, int64_t step);

/* A withy_progress for other languages and threads: stops when the int at `context` is not 0. */
WITHY_API int withy_progress_flag(void *context, double t, double stop, int64_t step);

/* A sample of a probe (counted from 0): as many numbers as its quantity has. */
typedef void (*withy_sample)(void *context, int probe, double t, const double *value);

/* A problem, how it is solved, and where the answer goes.  Everything is borrowed for the call. */
typedef struct withy_study {
    const withy_problem *problem;
    const char *method; /* NULL or "": the first in the list that accepts the problem             */
    const withy_option *option; /* [option_count]                                                */
    int option_count;
    const char *name; /* of the problem in messages and result files; NULL: its title             */
    const char *text; /* where it comes from, kept in result files; NULL: nothing                 */
    const char *const *output; /* [output_count] result files; the ending chooses the kind: .h5 .csv
                                * .pvd .wav                                                       */
    int output_count;          /* 0 .. 8                                                          */
    withy_progress progress;   /* may be NULL                                                     */
    void *context;             /* its first argument                                              */
    int error; /* 1: every number of the report gets an error bar, from runs at other resolutions */
    int branch; /* 1: a path of equilibria leaves an unstable point for the stable branch next to it */
    const withy_parameter *parameter; /* [parameter_count] recorded in the result files           */
    int parameter_count;              /* 0 .. 256                                                 */
    struct withy_record *record; /* NULL, or filled with the result, see withy/record.h           */
    double checkpoint; /* of withy_study_run: the state goes into the .h5 file about every so many
                         * seconds of wall time, at the start and at the end; 0: never     [s]    */
    const char
        *resume; /* an .h5 file with states, by a run of the same problem: continue from its last
                         * state and add to this file, which must be the only output; the end of
                         * time may be later, the damping another; with other options of the method a
                         * single rod continues from its last snapshot, at whose stations the rows before
                         * are then interpolated                                                  */
    const char *set; /* what `text` was read with, kept so that it can be read again: overrides,
                         * each ended by '\x1e'; may be NULL                                      */
    int64_t source;  /* how many bytes of `text` were read                                     */
    withy_sample sample; /* gets every sample of the probes of a run; may be NULL                 */
    void *sample_context; /* its first argument                                                   */
    const withy_probe
        *probe; /* [probe_count] more probes for `sample`, numbered behind those of the
                               * problem; they are in no file and no report                       */
    int probe_count;
} withy_study;

/* Nothing but zeros: for C++ and other languages. */
WITHY_API withy_study withy_study_default(void);

/* ---- errors ----------------------------------------------------------------------------------------
 *
 * With study.error the problem is solved again on a coarser and on a finer mesh, and with a longer and
 * a shorter step; an error bar is the sum of what mesh and step contribute.  A bar of 0 means that none was asked
 * for; an infinite one that it is not known, as where no finer run was possible.  The bar of a vector is a length: the
 * distance of the true one.  Bars hold for the numbers at the resolution of the study itself.
 */
typedef struct withy_error_summary {
    int runs;     /* made besides the study itself; 0: no errors were asked for, or, with notes, no
                   * such run succeeded                                                         */
    int trusted;  /* 1: positions approach each other as mesh and step are refined              */
    double shape; /* largest error of a position, all rods and all times or points          [m] */
    double size;  /* the largest extent of what is drawn: all rods at all times or points   [m] */
    double mesh;  /* the part of `shape` that the mesh contributes                          [m] */
    double step;  /* the part that the step contributes                                     [m] */
    int n[2];     /* options.n of the coarsest and of the finest run                            */
    double dt[2]; /* step of the longest and of the shortest; 0: it adapts, or no motion    [s] */
    withy_notes notes; /* what could not be done                                                  */
} withy_error_summary;

/* ---- a run --------------------------------------------------------------------------------------- */

enum { WITHY_REPORT_PROBES = 64, WITHY_REPORT_PARTS = 64 };

/* A rod, body, joint or obstacle at the end of a run or of a path. */
typedef struct withy_part_report {
    char name[WITHY_NAME];
    withy_probe_of of;
    withy_vec3 position[2]; /* ends of a rod, places of a joint; [0]: centre of mass of a body,
                             * point or centre of an obstacle                              [m]  */
    withy_vec3 reaction[2]; /* of a rod: force of its supports; [0]: of a joint, what its first part
                             * exerts on the second, of an obstacle, what presses on it    [N]  */
    withy_vec3 reaction_moment[2]; /* likewise; of an obstacle 0                         [N m]  */
} withy_part_report;

/* A probe: its last value, and all its samples over their time.  Of a resumed run those from then on. */
typedef struct withy_probe_report {
    char name[WITHY_NAME];
    const char *unit;
    int size; /* numbers each: 1 .. 4                                                            */
    int64_t samples;
    double from, to;                   /* times, or load factors, of the first and last sample   */
    double value[WITHY_FIELD_MAX];     /* last one                                               */
    double least[WITHY_FIELD_MAX];     /* smallest                                               */
    double most[WITHY_FIELD_MAX];      /* largest                                                */
    double mean[WITHY_FIELD_MAX];      /* over time, by the trapezoidal rule                     */
    double deviation[WITHY_FIELD_MAX]; /* standard deviation, likewise                           */
} withy_probe_report;

/* What `withy run --json` prints. */
typedef struct withy_report {
    withy_status status; /* WITHY_OK, WITHY_INTERRUPTED or the failure                 */
    char method[WITHY_NAME];
    double t;       /* time reached                                          [s]  */
    double elapsed; /* elapsed                                               [s]  */
    int64_t snapshots;
    withy_stats stats;
    unsigned have;                 /* which of the following are filled (WITHY_HAVE_ bits)       */
    withy_energies energy;         /* at the end                                            [J]  */
    withy_vec3 position[2];        /* ends of the first rod                                 [m]  */
    withy_vec3 reaction[2];        /* force of the supports                                 [N]  */
    withy_vec3 reaction_moment[2]; /*                                                     [N m]  */
    int probe_count;
    withy_probe_report probe[WITHY_REPORT_PROBES]; /* [probe_count] the first ones               */
    withy_notes notes;         /* from the method and the run                                */
    withy_error_summary error; /* with study.error: how the errors were found                */
    double position_error[2];  /* of position                                           [m]  */
    double reaction_error[2];  /* of reaction                                           [N]  */
    double
        reaction_moment_error[2]; /* of reaction_moment                                  [N m]  */
    double energy_error;          /* of stats.energy_end                                   [J]  */
    double probe_error[WITHY_REPORT_PROBES]; /* of the last values, by their length              */
    int part_count; /* the first rods, bodies, joints and obstacles                            */
    withy_part_report
        part[WITHY_REPORT_PARTS]; /* [part_count] in this order                      */
    double sampled; /* time of energy, position, reaction and part: of the last snapshot, which is
                     * earlier than t where a run failed or was stopped                  [s]   */
} withy_report;

/* Advance, sample, write, until the last time.  On numerical failure the files hold everything up to
 * the last good snapshot. */
WITHY_API withy_status withy_study_run(const withy_study *study, withy_report *report,
                                       withy_error *err);

/* ---- equilibria and paths --------------------------------------------------------------------------
 *
 * A load factor runs along the path: loads, gravity and end forces that are constant are multiplied
 * by it, functions of time are evaluated at t = factor.  withy_study_static and withy_study_modes
 * of a problem without a path find one equilibrium: constants in full, functions at t = 0.
 */

typedef enum withy_point_kind {
    WITHY_POINT,        /* an ordinary point of the path                                         */
    WITHY_POINT_LIMIT,  /* the load factor has turned since the last point                       */
    WITHY_POINT_BRANCH, /* the stability has changed since the last point, the factor not turned */
} withy_point_kind;

/* One equilibrium. */
typedef struct withy_equilibrium {
    double factor;  /* of the loads                                                             */
    int iterations; /* of the solver since the last point                                       */
    int negative;   /* negative eigenvalues of the tangent: 0 is stable; -1: not known          */
    withy_point_kind
        mark;      /* what has been passed since the last point                                */
    double energy; /* of deformation, gravity and springs                                  [J] */
    int neutral;   /* eigenvalues of the tangent that are zero to rounding: motions along which
                      * nothing resists, such as the spin of a round rod between two pins        */
} withy_equilibrium;

/* Bring the simulation to equilibrium under `factor`, from its present shape, in as many steps as
 * necessary: ends that are functions of time follow these functions, also through several turns.
 * On failure the shape is that of the last equilibrium found.
 * Afterwards the time of the simulation is the factor.  withy_sim_advance restarts the clock at 0: from
 * this shape, at rest, under the full loads. */
WITHY_API withy_status withy_sim_equilibrium(withy_sim *sim, double factor,
                                             withy_equilibrium *point, withy_error *err);

/* The same to a stable equilibrium: where a stiffness is lost on the way, or the load steps end at an
 * unstable one, the rod leaves along that direction and comes to rest.  point->negative says whether it has; a
 * note says how. */
WITHY_API withy_status withy_sim_rest(withy_sim *sim, double factor, withy_equilibrium *point,
                                      withy_error *err);

/* From the unstable equilibrium *point, in which the simulation is, along its least stable direction to a
 * stable one under the same loads, which *point then describes.  On failure nothing has changed. */
WITHY_API withy_status withy_sim_leave(withy_sim *sim, withy_equilibrium *point, withy_error *err);

/* Continue along the path by `arc` (its sign chooses the direction at the first call), where a change
 * of the factor by `span` counts as much as a displacement by the length of the rod: this passes
 * limit points.  The arc is shortened where the path bends; on failure nothing has changed. */
WITHY_API withy_status withy_sim_follow(withy_sim *sim, double arc, double span,
                                        withy_equilibrium *point, withy_error *err);

/* A figure of the present equilibrium that only some methods compute, e.g. the axial force and
 * stiffness of a helical spring and their classical values.  The texts stay valid as long as the
 * library is loaded. */
enum { WITHY_FIGURES = 24 };
typedef struct withy_figure {
    const char *name, *unit, *doc;
    double value;
} withy_figure;

/* Fill *figure for index 0, 1, ...; returns 0 past the last. */
WITHY_API int withy_sim_figure(const withy_sim *sim, int index, withy_figure *figure);

/* The largest stress in the rods (von Mises, beam theory at the skin), and where it is. */
typedef struct withy_stress {
    double
        most; /* NAN: not known, where a section is neither round nor a tube, or the method gives no
                  * forces and moments along the rod                                       [Pa]  */
    int rod;  /* from 0                                                                       */
    double s; /* of the station                                                          [m]  */
} withy_stress;

/* One row of the report. */
typedef struct withy_static_point {
    withy_equilibrium at;
    withy_vec3 position[2];        /* ends of the first rod                                 [m]   */
    withy_vec3 reaction[2];        /* force of the supports                                 [N]   */
    withy_vec3 reaction_moment[2]; /*                                                     [N m]   */
    int figure_count;
    withy_figure figure[WITHY_FIGURES];
    double position_error[2];           /* with study.error, as in withy_report            [m]   */
    double reaction_error[2];           /*                                                 [N]   */
    double reaction_moment_error[2];    /*                                               [N m]   */
    double energy_error;                /*                                                 [J]   */
    double figure_error[WITHY_FIGURES]; /*                                                       */
    withy_stress stress;
} withy_static_point;

/* A factor at which a stiffness vanishes, between two points of a path: bisected to 1e-6 of it. */
typedef struct withy_critical {
    double factor; /* the critical one                                                         */
    withy_point_kind
        mark;   /* WITHY_POINT_LIMIT or WITHY_POINT_BRANCH                                  */
    int after;  /* the point of the path that follows: 1 .. count - 1                       */
    int change; /* of `negative` there: directions that have become unstable                */
    struct withy_mode
        *mode;           /* the motion without stiffness: its shape, frequency 0; NULL: not known */
    double factor_error; /* with study.error; INFINITY: another resolution has it not          */
} withy_critical;

/* What `withy static` reports: every point of the path, freed by withy_static_free. */
typedef struct withy_static_report {
    withy_status status;
    char method[WITHY_NAME];
    double elapsed; /* elapsed [s] */
    int64_t iterations;
    int count;                 /* points                                                        */
    withy_static_point *point; /* [count]                                                       */
    withy_notes notes;
    withy_error_summary error; /* with study.error: how the errors were found                   */
    int critical_count;
    withy_critical *critical; /* [critical_count] where the path loses or gains stability       */
    int part_count;           /* of the last point, as in withy_report                          */
    withy_part_report
        part[WITHY_REPORT_PARTS]; /* [part_count]                                    */
    int probe_count; /* as in withy_report, over the points of the path and their load factors   */
    withy_probe_report probe[WITHY_REPORT_PROBES]; /* [probe_count]                              */
} withy_static_report;

/* Solve the problem's path (or the one equilibrium under factor 1 when it has none) and write one
 * snapshot per point, with the factor as time. */
WITHY_API withy_status withy_study_static(const withy_study *study, withy_static_report *report,
                                          withy_error *err);
WITHY_API void withy_static_free(withy_static_report *report);

/* ---- modes ----------------------------------------------------------------------------------------- */

/* What a mode does. */
typedef enum withy_mode_kind {
    WITHY_MODE_STABLE,  /* oscillates, and does not grow                                         */
    WITHY_MODE_DECAY,   /* returns without oscillating: overdamped                               */
    WITHY_MODE_NEUTRAL, /* neither stiffness nor growth within rounding: rigid motions,
                            * symmetries                                                            */
    WITHY_MODE_FLUTTER, /* unstable: an oscillation that grows                                   */
    WITHY_MODE_DIVERGENCE, /* unstable: grows without oscillating                                   */
} withy_mode_kind;

/* One mode, exp(lambda t) x with lambda = growth + 2 pi i frequency: displacements are
 *   exp(growth t) (shift cos(2 pi frequency t) - shift_im sin(2 pi frequency t)).
 * The shape is scaled to a largest displacement of a tenth of the rod's length (a mode of pure rotation: to
 * a largest angle of 0.1), and the largest component there is real and positive. */
typedef struct withy_mode {
    double frequency; /* of the motion, with its damping; 0 for a motion that does not oscillate; of
                       * a divergence -growth/(2 pi), so that it comes first                  [Hz] */
    double damping;   /* ratio -growth/|lambda|: 1 overdamped, negative unstable            [-]  */
    int count;        /* stations: of all rods in turn, then one for each body                   */
    double *s;        /* where the shape is given                    [count]            [m]  */
    withy_vec3 *position; /* of the rod deflected by the shape           [count]            [m]  */
    withy_vec3 *shift;    /* displacement of the shape                   [count]            [m]  */
    withy_vec3 *turn;     /* rotation of the shape, laboratory           [count]            [-]  */
    double frequency_error; /* with study.error; infinite: not known                       [Hz]  */
    double damping_error;   /*                                                              [-]  */
    withy_vec3 *shift_im; /* their imaginary parts: zero where every part    [count]        [m]  */
    withy_vec3 *turn_im;  /* of the rod passes its middle at the same time   [count]        [-]  */
    double growth;        /* re(lambda): > 0 unstable                                      [1/s] */
    withy_mode_kind kind;
    int total; /* modes in the array: all that are unstable are in it, first, however few were
                * requested                                                                     */
    double growth_error; /* with study.error                                              [1/s] */
    const char *method;  /* that found it; the same for all modes of the array                    */
    const withy_notes *notes; /* of the method; likewise                                          */
    int *rod; /* of which rod a station is; -1 - i: body i          [count]            */
} withy_mode;

/* As a number of modes, WITHY_UP_TO + 6: six, or as many as there are if that is fewer. */
enum { WITHY_UP_TO = 1 << 20 };

/* Degrees of freedom of the present shape of bodies, joints and the meshes of rods: what neither held ends nor
 * independent constraints keep, so that redundant joints take nothing away.  Each with a mass has a mode. */
WITHY_API withy_status withy_sim_freedoms(withy_sim *sim, int *count, withy_error *err);

/* At least the `count` lowest modes about the present shape of a simulation, which should be an
 * equilibrium (withy_sim_equilibrium), and all unstable ones: (*mode)[0].total of them, freed by
 * withy_modes_free.  More than there are degrees of freedom are refused, or none where nothing can move. */
WITHY_API withy_status withy_sim_modes(withy_sim *sim, int count, withy_mode **mode,
                                       withy_error *err);
WITHY_API void withy_modes_free(withy_mode *mode, int count); /* NULL is fine */

/* Equilibrium of the problem under its loads, then its modes as above, freed by
 * withy_modes_free.  Result files hold one snapshot per mode: the rod deflected by the shape, with the
 * frequency as time. */
WITHY_API withy_status withy_study_modes(const withy_study *study, int count, withy_mode **mode,
                                         withy_error *err);

#ifdef __cplusplus
}
#endif
