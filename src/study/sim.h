/* sim.h - inside a simulation, for the loop. */
#pragma once

#include "method/method.h"
#include "model/model.h"
#include "observe/observe.h"

/* ---- clock.c: the one clock: the step of a method and the times at which it stops.
 *
 * Outputs and probes need records at certain times; a method has a preferred step.
 * The clock takes the longest step that is not longer than the method's and of which a whole number
 * fills every recorded interval, and writes a note when the user had given another.
 */

/* Of a simulation, plain numbers: part of its state. */
typedef struct wy_clock {
    double origin, h; /* step k ends at origin + k h [s]; h = 0: the method has no fixed step */
    int64_t step;     /* k now */
} wy_clock;

/* The step of a run. */
double wy_clock_fit(const withy_request *request, const wy_preferred_step *preferred_step,
                    withy_notes *notes);

/* The steps to t: those of the method, or equal shorter ones if t lies between two of them and the method
 * allows it (odd), after which the count begins anew. */
typedef struct wy_clock_steps {
    wy_span span; /* no step: from = to */
    int odd;
} wy_clock_steps;
withy_status wy_clock_steps_to(const wy_clock *clock, const wy_method *method, double now, double t,
                               wy_clock_steps *way, withy_error *err);
/* Is it at t, as far as it can be elsewhere by rounding and by requests that do not quite land on a step? */
int wy_clock_is_at(const wy_clock *clock, double t);
/* These steps have been made. */
void wy_clock_arrive(wy_clock *clock, const wy_clock_steps *way, double t);

/* Number of output intervals up to request.stop. */
int64_t wy_output_count(const withy_request *request);

/* ---- registry.c: methods by name, their options, and whether they can do what a problem requires. */

int wy_method_count(void);
const wy_method *wy_method_at(int index); /* NULL past the last */

/* By name; on failure the message names the closest one. */
withy_status wy_method_find(const char *name, const wy_method **method, withy_error *err);

/* Can the method do the problem?  On refusal the message gives the reason and the methods that can. */
withy_status wy_method_accepts(const wy_method *method, const withy_problem *problem,
                               withy_error *err);

/* Fill the method's options struct: defaults, then the given ones. */
withy_status wy_options_fill(const wy_method *method, const withy_option *option, int count,
                             void *options, withy_error *err);

/* Replace the value of one, which is in range. */
void wy_option_set(const wy_method *method, const char *name, double value, void *options);

int wy_method_has_option(const wy_method *method, const char *name);

/* Orders of the method with these options. */
wy_order wy_method_order(const wy_method *method, const void *options);

/* Option `index` as used, as text; 0 past the last. */
int wy_option_text(const wy_method *method, const void *options, int index, char *name, char *value,
                   size_t size);

/* Snapshots of one rod at fixed stations. */
typedef struct wy_view {
    withy_snapshot snap;
    wy_observer observer;
} wy_view;

/* An end that moves along a path of equilibria. */
typedef struct wy_drive {
    wy_end end;
    double length; /* of its rod [m] */
} wy_drive;

/* What a simulation keeps besides the state of its method: the first piece of the state. */
typedef struct wy_core {
    double t; /* or the load factor, when still */
    wy_clock clock;
    withy_stats stats;
    int64_t equilibrium; /* 1: in equilibrium; the clock of a motion starts at 0 again */
    /* of the path of equilibria */
    int64_t iterations; /* to the last point */
    int64_t negative;   /* unstable directions of the last point, -1: not known */
    int64_t tangent;    /* 1: wy_sim.tangent is that of the last point */
    double slope;       /* its share of the factor */
    double reach,
        way; /* the measure of arcs (study/equilibrium/follow.c), and how far the shape has moved since its start */
    double arc;         /* the one that was made to the last point */
    int64_t mesh_noted; /* 1: that the mesh may be too coarse is noted */
} wy_core;

/* What was before the clock of a simulation began (study/run/run.h); 0: nothing. */
typedef struct wy_past {
    double t, work, dissipated; /* [s], [J]                                            */
    int64_t steps;
    double energy, size; /* at t; kinetic energy and that of strains together     [J] */
} wy_past;

struct withy_sim {
    wy_arena arena;
    withy_problem
        problem; /* request.output is a whole part of request.stop; signals are functions */
    withy_problem
        asked;        /* as given, with signals; its floor is not relative to the model's origin */
    wy_inputs inputs; /* now: in the state */
    const wy_method *method;
    wy_setup setup;
    wy_interrupt interrupt; /* whom to ask whether to continue, while a study runs it */
    void *options, *self;
    withy_option *given; /* [given_count] as given */
    int given_count;
    withy_notes notes;
    wy_block state, scratch; /* state: core and the method's own; copy it and all is saved */
    wy_ranges kept;          /* what the numbers of the state may be */
    char *before;            /* [state.used] copy of the state while it advances */
    wy_core *core;
    double *tangent; /* [rows of the interface] of the path of equilibria: part of the state */
    struct wy_static
        *equilibrium;  /* of study/equilibrium/equations.h, known from the first equilibrium on */
    wy_view *rod;      /* [rod_count] */
    withy_parts parts; /* bodies and joints                                              */
    wy_drive *drive;   /* [drive_count], known from the first equilibrium on */
    int drive_count, drive_known;
    int at_first; /* 1: without a path the one equilibrium is that of t = 0; else t = factor */
    int seeks; /* 1: the stable equilibrium is looked for; -1: a trial between two points (study/equilibrium/critical.c) */
    wy_past past;
    struct wy_gradient
        *gradient; /* of study/gradient/gradient.c; NULL: nothing is differentiated */
};

/* A view of a rod at its own stations (count 0: as in the request). */
withy_status wy_view_make(withy_sim *sim, int rod, int count, const double *s, wy_view *view,
                          withy_error *err);

/* Sample through a view; NULL on success, or the field that is not finite. */
const char *wy_view_sample(withy_sim *sim, int rod, wy_view *view);

/* Bodies and joints: memory, and a sample of them (NULL, or the field that is not finite). */
withy_status wy_parts_make(withy_sim *sim, withy_error *err);
const char *wy_parts_sample(withy_sim *sim);

/* The time of what is written. */
static inline double wy_sim_now(const withy_sim *sim) {
    return sim->past.t + sim->core->t;
}

static inline int wy_sim_has_parts(const withy_sim *sim) {
    return sim->parts.body_count + sim->parts.joint_count + sim->parts.obstacle_count +
               sim->parts.contact_room >
           0;
}

/* options.n as in use: what a message about the mesh names. */
int wy_sim_mesh(const withy_sim *sim);

/* The unit of lengths [m]. */
static inline double wy_sim_length(const withy_sim *sim) {
    return sim->setup.model ? wy_model_length(sim->setup.model) : sim->problem.rod[0].length;
}

/* At which time functions are taken in an equilibrium under a factor. */
static inline double wy_sim_load_time(const withy_sim *sim, double factor) {
    return sim->at_first ? 0.0 : factor;
}

/* As withy_sim_create; moves: for a motion from the initial shape, which is refused at once where
 * held ends miss it. */
withy_status wy_sim_create(const withy_problem *problem, const char *method,
                           const withy_option *option, int option_count, int moves, withy_sim **sim,
                           withy_error *err);
/* The same with derivatives by `tangents` parameters, whose fields are not known yet (study/gradient/gradient.c); tape = 1:
 * backwards. */
withy_status wy_sim_create_tangents(const withy_problem *problem, const char *method,
                                    const withy_option *option, int option_count, int tangents,
                                    int tape, withy_sim **sim, withy_error *err);
void wy_gradient_free(struct wy_gradient *gradient); /* NULL is fine */
/* save.c: what problem, method and options are, but for their damping: a number. */
withy_status wy_sim_kind_undamped(const withy_sim *sim, uint64_t *kind, withy_error *err);
/* The same of the problem alone. */
withy_status wy_problem_kind_undamped(const withy_problem *problem, uint64_t *kind,
                                      withy_error *err);
/* Restore the state of a simulation that differs in its damping only. */
withy_status wy_sim_restore_damped(withy_sim *sim, const void *from, size_t size, withy_error *err);

/* Refuse a motion whose held ends would jump at its start. */
withy_status wy_sim_may_start(const withy_sim *sim, withy_error *err);

/* The two halves of withy_sim_advance: the steps to make, and after they were made (or failed) the time, or the
 * state as it was. */
withy_status wy_sim_depart(withy_sim *sim, double t, wy_clock_steps *way, withy_error *err);
withy_status wy_sim_arrive(withy_sim *sim, double t, const wy_clock_steps *way, withy_status made,
                           withy_error *err);

/* Overwrite the scratch: a test that nothing is kept there. */
void wy_sim_overwrite_scratch(withy_sim *sim);

/* The simulation of a study, which is checked first; and its name in messages. */
withy_status wy_study_sim(const withy_study *study, withy_sim **sim, withy_error *err);
const char *wy_study_name(const withy_study *study);

/* Of the last snapshots; on failure most is NAN. */
withy_status wy_sim_stress(const withy_sim *sim, withy_stress *stress, withy_error *err);
/* Every rod, body, joint and obstacle, as last sampled; returns how many were written. */
int wy_sim_report_parts(const withy_sim *sim, withy_part_report part[WITHY_REPORT_PARTS]);

/* ---- units.c */

/* One note for each rod whose numbers belong to no material, or to no rod. */
void wy_units_note(const withy_problem *problem, withy_notes *notes);
