/* sim.h - inside a simulation, for the loop. */
#pragma once

#include "model/model.h"
#include "observe/observe.h"
#include "study/clock.h"
#include "study/registry.h"

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
    double arc;      /* the one that was made to the last point */
    int64_t doubted; /* 1: that the mesh may be too coarse is noted */
} wy_core;

/* What was before the clock of a simulation began (study/run/regrid.h); 0: nothing. */
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
