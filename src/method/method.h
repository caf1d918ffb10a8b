/* method.h - the interface of every numerical method.  Room: src/method.
 *
 * A method is a folder, or one file, with one table, and one line in list.inc.  It converts its source's
 * conventions in create and sample and nowhere else.  It has no access to what is recorded (outputs, probes):
 * the study controls the clock.  The last time is known only as the horizon of an error tolerance.
 */
#pragma once

#include "base/base.h"
#include "base/block.h"
#include "base/interrupt.h"
#include "base/note.h"
#include "base/opencl.h"
#include "model/model.h"
#include "model/schema/schema.h"
#include "withy/ensemble.h"
#include "withy/gradient.h"
#include "withy/list.h"
#include "withy/problem.h"
#include "withy/sim.h"
#include "withy/snapshot.h"
#include "withy/study.h"

/* The rod of the elastica: it bends and perhaps twists, and does neither shear nor stretch. */
enum { WY_RIGID_LENGTH = 1 << WITHY_SHEAR1 | 1 << WITHY_SHEAR2 | 1 << WITHY_STRETCH };

/* One row = one key under options in the scene file. */
typedef struct wy_option {
    withy_option_info info;
    size_t offset; /* into the method's own options struct: int for 'i' 'b' 'w', double for 'd',
                    * 'a' ("auto" is stored as 0) */
} wy_option;

/* Rows of a table of options: a member of the struct OPTIONS, its key and the rest of its info; a choice among
 * words. */
#define WY_OPTION(OPTIONS, member, key, ...)                                                       \
    { {key, __VA_ARGS__}, offsetof(OPTIONS, member) }
#define WY_OPTION_WORD(OPTIONS, member, key, words, value, doc)                                    \
    WY_OPTION(OPTIONS, member, key, "-", doc, 'w', value, 0, 0, words)

/* Arguments of create.  Everything outlives the simulation. */
typedef struct wy_setup {
    const withy_problem *problem;
    const wy_model *model; /* the problem, compiled: gives everything along s and in t */
    const void *options;   /* the method's own options struct, filled and checked */
    wy_arena *arena;       /* memory of what never changes after create */
    withy_notes *notes;
    double
        horizon; /* time over which an error tolerance is to hold [s]: request.stop; 0: not known */
    withy_stats *stats; /* part of the state: valid from start on, kept up to date in advance */
    wy_interrupt
        *interrupt; /* wy_interrupt_check it wherever a call may take longer than a few steps */
    double floor;   /* energies below this are rounding: of base/account.h [J] */
    int tangents;   /* parameters by which the solution is differentiated (wy_method.slopes) */
    int tape;       /* 1: backwards (wy_method.adjoint): steps are recorded instead */
} wy_setup;

/* The preferred step of a method (wy_method.preferred_step); the study fits it to what is recorded. */
typedef struct wy_preferred_step {
    double dt;    /* longest step it accepts [s]; 0: none of its own, the study takes time.output */
    int given;    /* 1: the user gave this dt, so a change of it is noted */
    int adaptive; /* 1: it chooses its own steps and stops at the given times */
} wy_preferred_step;
/* The step that was given, if it is > 0, or an automatic one. */
static inline withy_status wy_prefer_step(wy_preferred_step *out, double given, double automatic) {
    out->given = given > 0;
    out->dt = out->given ? given : automatic;
    return WITHY_OK;
}

/* Steps to make: step k ends at origin + k h, k = from + 1 .. to.  The study's clock makes it; where
 * it pauses does not change a bit, because every time is computed from origin, h and k alone. */
typedef struct wy_span {
    double origin, h; /* [s] */
    int64_t from, to;
} wy_span;

static inline double wy_span_time(const wy_span *span, int64_t step) {
    return span->origin + (double)step * span->h;
}

/* ---- the equations interface -------------------------------------------------------------------------
 *
 * A method provides its static equations r(x, factor) = 0 and their linearisation K = -dr/dx; src/study computes
 * equilibria, paths, stability and modes from them, written once.
 *
 * A vector has layout().rows entries: increments of the method's own unknowns (displacements, rotations,
 * multipliers), not their values.  A direction that is held (a clamped end) is a row like any other:
 * its residual and its solution are the remaining distance, and M and C are zero in its row and column.
 * The shape itself is in the state, so that save, restore and roll back are copies of the state; after
 * a roll back `load` is called before anything else.  What the calls leave in the scratch (loads,
 * factors) is kept from `open` until the study returns.
 * Order of calls: open, load, hold, then for each Newton run: load, begin, and in a loop residual,
 * factor, solve (or newton), move; then strain, begin, factor, settle, energy.  Modes: open, load,
 * begin, residual, factor, solve and mass many times, quotient, damping, shape; the study restores the
 * state afterwards.
 * Members without "May be NULL" are required.
 */
static const double WY_WEIGHT_TURN = 1 / 12.;

/* Where displacements or rotations are in a vector: entry k of node i is first + i node + k entry. */
typedef struct wy_vector_range {
    int first, nodes, node, count, entry;
} wy_vector_range;

/* Parts that nothing couples with others are measured each by its own length, so that one that does not move changes no norm. */
typedef struct wy_part_group {
    double length; /* of its longest rod: the unit of displacements [m] */
    double rate;   /* as wy_equations.rate, of its softest rod with W for M; 0: it has none */
    double frequency_square; /* the same with M */
} wy_part_group;

typedef struct wy_part_groups {
    int count;                /* 0: one of all, whose nodes weigh alike */
    const wy_part_group *one; /* [count] */
    const int *of;            /* [nodes] group */
    const double *share;      /* [nodes] of the length of the group */
    int *freedoms;            /* [count] without joints; written by wy_equations.freedoms */
} wy_part_groups;

typedef struct wy_vector_layout {
    int rows;                    /* entries of a vector */
    wy_vector_range shift, turn; /* displacements [m], rotations [rad]; others are not measured */
    double length;               /* of the rod: the unit of displacements */
    wy_part_groups groups;
} wy_vector_layout;

typedef struct wy_equations {
    wy_vector_layout (*layout)(const void *self); /* known from create on */
    /* Before each equilibrium, path or set of modes: refuse what has none, and put the rod at rest
     * (velocities, histories).  An unsupported rod is refused by the study. */
    withy_status (*open)(void *self, withy_error *);
    /* Loads, gravity and prescribed ends at a load factor: constants are multiplied by it, functions
     * of time are taken at t.  Ends that the present shape misses are approached in part: of the
     * gap at the last `hold`, the share 1 - part stays open (part = 1: none). */
    withy_status (*load)(void *self, double factor, double t, double part, withy_error *);
    /* The loads that hold the rod until it is let go at t = 0 (rod.pull) are on, or off (as they are
     * from start on).  NULL: initial = static is not done by the study. */
    withy_status (*pull)(void *self, int on, withy_error *);
    /* Store, in the state, the gaps between the shape and the prescribed ends as the last `load`
     * has them.  May be NULL. */
    void (*hold)(void *self);
    /* A new Newton iteration starts at the present shape (independent stresses, say).  May be NULL. */
    void (*begin)(void *self);
    /* The residual at the present shape: the right side whose solution is Newton's change. */
    withy_status (*residual)(void *self, double *r, withy_error *);
    /* Factorise K - shift M at the present shape; *negative: its negative eigenvalues as far as the
     * factors show them (symmetric elimination), else -1.  WITHY_NO_CONVERGENCE: singular. */
    withy_status (*factor)(void *self, double shift, int *negative, withy_error *);
    void (*solve)(void *self, double *b); /* b := (K - shift M)^-1 b */
    /* b := (K - shift M)^-T b.  NULL: K is symmetric when the loads have a potential. */
    void (*solve_transposed)(void *self, double *b);
    /* Newton's change at once: what residual, factor and solve give; `again`: solve is called
     * afterwards.  May be NULL. */
    withy_status (*newton)(void *self, double shift, int again, double *change, int *negative,
                           withy_error *);
    void (*mass)(const void *self, const double *v, double *mv); /* M v; NULL: no modes */
    /* on = 1: in factor, mass and rate, M is 1 per length for displacements and WY_WEIGHT_TURN L^2 for
     * rotations, whatever the rod's own: the measure of stability and of pseudo time.  A rod without
     * mass has it too, and the spin of a thin one, which has almost no inertia, is not lost in
     * rounding.  on = 0: its own, as `open` leaves it.  May be NULL. */
    void (*weigh)(void *self, int on);
    /* Fails with a message where small vibrations are other than those of K, M and C.  May be NULL. */
    withy_status (*has_modes)(const void *self, withy_error *);
    /* 1: M is artificial, for shifts and stability but not for frequencies.  May be NULL. */
    int (*massless)(const void *self);
    /* From now until `open`, factor and solve in a way that keeps the digits of a thin rod, at more cost.
     * May be NULL. */
    withy_status (*exact)(void *self, int *on, withy_error *);
    void (*damping)(const void *self, const double *v, double *cv); /* C v; NULL: undamped */
    /* The shape moves by share times the change. */
    void (*move)(void *self, const double *change, double share);
    int predicts; /* 1: a change of load begins along the tangent of the path (study/equilibrium/newton.c) */
    int damped; /* 1: a Newton step is shortened until the next one, with the same factors, is smaller */
    /* Largest turn from one node to the next, over the 45 degrees beyond which the moment of a mesh falls
     * again: beyond 1 there is a note, beyond `folds` no equilibrium.  *s: where.  May be NULL. */
    double (*strain)(const void *self, double *s);
    double folds;
    /* 1: forces have kinks, as those of contacts that begin and end: Newton's changes need not fall from one to the
     * next.  May be NULL. */
    int (*kinks)(const void *self);
    /* After move: do other forces act now than in the last tangent, contacts that have begun or ended?  Then Newton's
     * method continues.  May be NULL. */
    int (*switched)(void *self);
    /* Before the first equilibrium, after load: a shape that is in balance, where the method finds it better than from the
     * present shape; found = 0: no such shape was found, and the present one stays.  May be NULL. */
    withy_status (*form)(void *self, int *found, withy_error *);
    /* Before move: the share of the change that the shape can go, at most `share`.  May be NULL. */
    double (*bound)(void *self, const double *change, double share);
    double (*energy)(const void *self); /* after settle: deformation, gravity, springs [J] */
    int (*potential)(const void *self); /* 1: the loads have one */
    /* About the lowest frequency squared of the rod as a cantilever [1/s^2], the unit of shifts; 0: it
     * has no mass. */
    double (*rate)(const void *self);
    /* Degrees of freedom of the present shape, after load: what neither held ends nor independent constraints keep;
     * refuses constraints that contradict each other.  *sure: each has a mass, so that there are as many modes.
     * NULL: as many as there are rows. */
    withy_status (*freedoms)(void *self, int *count, int *sure, withy_error *);
    /* v^T K v, for a vector with v^T M v = 1, better than the factors resolve it; *terms: the sum of the
     * sizes of its terms of loads and stress, which cancel in a motion without stiffness; *round: what rounding
     * of the strains makes of it.  May be NULL. */
    double (*quotient)(const void *self, const double *v, double *terms, double *round);
    /* After factor, with wy_equations.exact: what rounding of places makes of v^T K v, through the forces of parts that are held at
     * more than one place: EA times a rounding is more than what bends the thinnest rods.  May be NULL. */
    double (*rounding)(void *self, const double *v);
    /* After begin: the number of negative eigenvalues of K - shift M, proved: one that is surely reached or, most = 1,
     * surely not exceeded, whatever rounding does.  -1: not known.  NULL: only the signs of pivots are. */
    withy_status (*inertia)(void *self, double shift, int most, int *negative, withy_error *);
    /* Modes: the object whose modes are those of the rod, after open and load, at the same shape and with
     * the same loads: another one where the method computes it in fewer directions than it can move in.
     * It is near equilibrium, and lives as long as self.  NULL: self. */
    withy_status (*whole)(void *self, void **other, withy_error *);
    /* Displacement and rotation of a vector at the stations of a mode: mode->shift, turn, and
     * position of the present shape.  Not scaled. */
    void (*shape)(const void *self, const double *v, withy_mode *mode);
    /* 1: a direction without stiffness may be that of a contact which the mesh does not let roll; NULL: none is. */
    int (*pinched)(const void *self);
    /* 1: at s of this rod the present shape bears no tension, and nothing else is stiff there: neither its stability nor its
     * frequencies are known; 2: it bears pressure there, and buckles.  May be NULL. */
    int (*slack)(const void *self, int *rod, double *s);
    /* 1: the mesh has unstable directions, or may have some, that the rod has not; a note says why.  NULL: none has. */
    int (*coarse)(const void *self);
    /* An equilibrium has been found: strains, reactions and ledger follow the shape. */
    withy_status (*settle)(void *self, double factor, withy_error *);
    /* Motion starts from the present shape at t = 0 under the loads in full: at rest, or (moving = 1)
     * with the initial velocity of the problem. */
    withy_status (*let_go)(void *self, int moving, withy_error *);
} wy_equations;

/* ---- the gradients interface --------------------------------------------------------------------------
 *
 * Exact derivatives of the discrete solution by setup->tangents parameters, part of the state: advance
 * carries them along.  What a parameter changes is given by the same problem, set up at four values of it.
 */

/* How far a derivative can be trusted. */
typedef struct wy_slope_quality {
    double grown; /* largest |d position| so far [m per unit of the parameter] */
    double fault; /* largest relative correction of a solution by its refinement [-] */
    double rough; /* of what was made of the parameter: by how much its differences disagree [-] */
} wy_slope_quality;

typedef struct wy_gradients {
    /* Parameter k, from the selves of the same method at -2, -1, 1, 2 steps of it; *keeps = 1: they are
     * called again in each step, and must stay. */
    withy_status (*seed)(void *self, int k, void *const at[4], double step, int *keeps,
                         withy_error *);
    void (*start)(void *self); /* the derivatives at t = 0 */
    /* Of the present equilibrium, after wy_equations.factor without a shift; functions of time at t. */
    withy_status (*equilibrium)(void *self, double t, withy_error *);
    /* Of position [m] and of the frame (spatial rotation [rad]) at stations of a rod, per unit of parameter k. */
    void (*sample)(const void *self, int rod, int k, int count, const double *s, vec3 *position,
                   vec3 *turn);
    wy_slope_quality (*quality)(const void *self, int k);
    /* d(omega^2) of an undamped mode, given at the nodes, per unit of parameter k; after `still`. */
    withy_status (*mode)(void *self, int k, const withy_mode *, double *slope, withy_error *);
    void *(*kept)(void *self, size_t *size); /* its part of the state */
} wy_gradients;

/* The same backwards: of one number J that depends on positions of rods, by all parameters at once.  Steps
 * are recorded by advance where setup->tape is set; fields are seeded as above. */
typedef struct wy_adjoint_weight {
    int64_t step; /* after so many recorded steps */
    int rod;
    double s;    /* [m] */
    vec3 weight; /* dJ/dr(s) */
} wy_adjoint_weight;

typedef struct wy_adjoints {
    int64_t (*taped)(const void *self); /* steps recorded */
    /* From the last step to t = 0; pulls in the order of steps.  The state is lost. */
    withy_status (*reverse)(void *self, const wy_adjoint_weight *, int count, withy_error *);
    /* Through the present equilibrium, after wy_equations.factor without a shift; pull NULL: of dJ by the start that
     * reverse has left. */
    withy_status (*equilibrium)(void *self, double t, const wy_adjoint_weight *, int count,
                                withy_error *);
    void (*rewind)(void *self); /* the state of t = 0 */
    /* dJ by parameter k; moved: reverse was called; settled: and after it still. */
    double (*sum)(const void *self, int k, int moved, int settled);
    void (*counts)(const void *self, int *points, int *nodes, double *fault);
    void (*fields)(const void *self, withy_field_slope *, withy_node_slope *);
} wy_adjoints;

/* ---- many simulations at once -------------------------------------------------------------------
 *
 * A batch makes the steps of many simulations of one method that differ in numbers only: on a device, or
 * in the lanes of vectors.  Between two calls the state is in the simulations themselves, so that sample,
 * save and restore are as ever.
 */
typedef struct wy_batch_place { /* where the position is recorded */
    int rod;
    double s; /* [m] */
} wy_batch_place;

/* One of the simulations. */
typedef struct wy_batch_member {
    void *self;
    int place_count;
    const wy_batch_place *place;
    int64_t period; /* steps from one record to the next, where there are places */
} wy_batch_member;

/* Its steps in one call, and what came of them. */
typedef struct wy_batch_task {
    wy_span span;
    int64_t due;    /* steps to the first record, 1 .. period */
    double *record; /* [records][place_count][3] relative to the origin of the model [m] */
    withy_status status;
    withy_error error; /* where status is not WITHY_OK; the state is then not defined */
} wy_batch_task;

typedef struct wy_batch {
    /* Refuse what a batch cannot do; device NULL: vectors.  The simulation is not named. */
    withy_status (*accept)(const void *self, const wy_device *device, withy_error *);
    /* Do the two differ in numbers only? */
    int (*alike)(const void *self, const void *other);
    /* Of simulations that are accepted and alike. */
    withy_status (*create)(wy_device *device, const wy_batch_member *member, int count, int threads,
                           void **batch, withy_error *);
    /* All tasks, one of each member; fails where the device does.  No allocation. */
    withy_status (*advance)(void *batch, wy_batch_task *task, withy_error *);
    double (*seconds)(const void *batch); /* that the device has computed so far; 0: no device */
    void (*destroy)(void *batch);         /* NULL is fine */
} wy_batch;

/* ---- many states of one simulation --------------------------------------------------------------
 *
 * Members of an ensemble are states of one simulation that step together, each with its own actions.  They are columns of
 * numbers; the simulation has the plan, and a column is put into it to be sampled or saved.
 */
typedef struct wy_lockstep_spec {
    wy_device *device;           /* NULL: vectors */
    int count, shelves, threads; /* members; columns that are kept and not stepped */
    const withy_action *action;
    int actions;
    double h; /* of all steps [s] */
} wy_lockstep_spec;

typedef struct wy_lockstep {
    /* Refuses what it cannot do; self stays with the caller, and outlives the members. */
    withy_status (*create)(void *self, const wy_lockstep_spec *, void **members, withy_error *);
    void (*destroy)(void *members); /* NULL is fine */
    /* The state of a simulation of the same kind becomes a column; and back, over the state at the start. */
    withy_status (*put)(void *members, int column, const void *self, withy_error *);
    withy_status (*take)(void *members, int column, void *self, double t, withy_error *);
    /* Columns to[i] become what from[i] was: no column is in both. */
    withy_status (*copy)(void *members, const int *to, const int *from, int count, withy_error *);
    /* All members; action[actions][count]: the values at the end. */
    withy_status (*advance)(void *members, const wy_span *, const double *action, withy_error *);
    /* Numbers of an observation: fields, and what is taken off; returns how many.  And the field that is not 0 where a
     * member stands still. */
    int (*fields)(const void *members, const withy_observed *, int field[9], double zero[9]);
    int (*failed)(const void *members);
    withy_status (*gather)(void *members, const int *field, const double *zero, int count,
                           double *out, withy_error *);
    withy_status (*failure)(void *members, int column, withy_error *);
    int (*varies)(const void *members); /* 1: something is a function of time */
    double (*seconds)(const void *members);
} wy_lockstep;

/* By which power of n and of dt the errors of a smooth motion fall; 0: faster than any. */
typedef struct wy_order {
    int space, time;
    double lost; /* c: a step loses c (omega h)^(time + 1) of an oscillation; 0: not known */
} wy_order;

typedef struct wy_method {
    const char *name;    /* "cheb": the key in scene files and on the command line */
    const char *summary; /* one line, shown by `withy list` */
    const char *source;  /* document key and section, see docs/sources.md */
    const char *needs;   /* NULL, or the library this build lacks */
    uint64_t can;        /* WY_CAN() bits: what it can do (model/schema/capability.inc) */
    const char *keys;    /* NULL, or "rod.toy|floor.toy": keys of capability OWN that it supports */
    unsigned
        rigid; /* strains it leaves out, whatever their stiffness: bits 1 << WITHY_SHEAR1 ... */
    const wy_option *options; /* ends with a row whose info.name is NULL */
    size_t options_size;

    /* Of the method with these options.  May be NULL: 2 and 2. */
    wy_order (*order)(const void *options);
    double
        turn; /* the error in a bent rod is (a / turn)^order of it, where the tangent turns by a from one
                  * node to the next [rad]; measured on a helical spring.  0: never a matter of concern */
    double
        spin; /* a section that turns about the axis by more in a step is not followed [rad]; 0: it is */
    /* Refuse, with a reason and a remedy for the user.  Where it ends with WY_USE_ANOTHER, the registry
     * names those that accept the whole problem.  May be NULL: accepts all that `can` allows. */
    withy_status (*accept)(const withy_problem *, withy_error *);
    /* options.n where it is not given: *n has its default, and becomes what the shapes need beyond it.
     * May be NULL: the default always. */
    withy_status (*mesh)(const wy_setup *, int *n, withy_error *);
    /* Everything that never changes: mesh, coefficients, sizes; from the arena.  *self is handed to all
     * the others. */
    withy_status (*create)(const wy_setup *, void **self, withy_error *);
    /* Hand out the two blocks: state, kept between steps, and scratch, valid within one call (it may be
     * overwritten with anything between two calls).  Called twice, see base/block.h.  State holds plain
     * numbers: no pointers.  A structure with whole numbers is laid with a table of what they can be
     * (wy_block_alloc_checked).  May be NULL: nothing is kept. */
    void (*layout)(void *self, wy_block *state, wy_block *scratch);
    /* The state at t = 0, into zeroed memory.  May be NULL. */
    withy_status (*start)(void *self, withy_error *);
    /* A state from a file, each number of which is one that its table allows: what in it contradicts the rest, or NULL.
     * at: the clock, after step from = to; NULL: an equilibrium.  May be NULL. */
    const char *(*wrong)(const void *self, const wy_span *at);
    /* A motion starts from the present shape: refuse one that the mesh cannot hold.  May be NULL. */
    withy_status (*may_start)(void *self, withy_error *);
    /* The preferred step, called once, before the first advance; may refuse the user's.  May be NULL:
     * it can stop at any time. */
    withy_status (*preferred_step)(void *self, wy_preferred_step *, withy_error *);
    /* The step that was fitted to the preferred step [s], 0: adaptive.  Once, before anything is sampled: a method
     * whose forces at t = 0 are those of its first step solves that step here.  May be NULL. */
    withy_status (*set_step)(void *self, double h, withy_error *);
    /* Make the steps of the span.  No allocation, no printing, no files. */
    withy_status (*advance)(void *self, const wy_span *, withy_error *);
    int any_step;                  /* 1: h may change from one call of advance to the next */
    const wy_equations *equations; /* statics and modes; NULL: none */
    const wy_gradients *slopes;    /* derivatives by parameters; NULL: none */
    const wy_adjoints *adjoint;    /* the same backwards */
    const wy_batch *batch;         /* many at once; NULL: one by one */
    const wy_lockstep *lockstep;   /* many states of one simulation at once; NULL: one by one */
    /* The method's own nodes of a rod: count, and arc lengths unless s is NULL. */
    int (*nodes)(const void *self, int rod, double *s);
    /* Fill what the method itself computes at the stations snap->s and set its `have` bits;
     * observe/ completes the rest. */
    void (*sample)(const void *self, int rod, withy_snapshot *);
    /* Velocity and spin (laboratory) at the stations of the one rod at the present itself, where `sample` gives those
     * of the middle of the last step.  NULL: it gives those of the present. */
    void (*present)(const void *self, int count, const double *s, vec3 *velocity, vec3 *spin);
    /* Fill all of parts but t, step and the counts; positions relative to the origin of the model.  NULL:
     * it supports neither bodies nor joints. */
    void (*sample_parts)(const void *self, withy_parts *);
    /* Its own energy at the present [J]: stats.energy_end when that is requested.  NULL: advance keeps it
     * up to date. */
    double (*energy)(const void *self);
    /* Largest energy_drift of a run that is right (base/account.h): beyond it the study stops with a
     * failure.  0: none is stated.  NULL: none. */
    double (*drift)(const void *self);
    /* Named numbers of the present equilibrium beyond the common ones (withy_sim_figure).  May be
     * NULL. */
    int (*figure)(const void *self, int index, withy_figure *);
    /* Release third-party handles.  May be NULL: the arena is freed by the caller. */
    void (*destroy)(void *self);
} wy_method;

/* What sets of methods claim: a loaded rod between any ends; the Cosserat rod with all six strains. */
#define WY_CAN_LOADED                                                                              \
    (WY_CAN(GRAVITY) | WY_CAN(CLAMPED) | WY_CAN(PINNED) | WY_CAN(MOVING) | WY_CAN(END_FORCE) |     \
     WY_CAN(DISTRIBUTED) | WY_CAN(POINT) | WY_CAN(DAMPING) | WY_CAN(CURVED) | WY_CAN(VELOCITY))
#define WY_CAN_COSSERAT                                                                            \
    (WY_CAN_LOADED | WY_CAN(TWIST) | WY_CAN(REST) | WY_CAN(VARY) | WY_CAN(STRAIN_LAW) |            \
     WY_CAN(ORTHO) | WY_CAN(GUIDED) | WY_CAN(FOLLOW) | WY_CAN(MOMENT) | WY_CAN(DRAG) |             \
     WY_CAN(LUMP) | WY_CAN(SPIN) | WY_CAN(SETTLE) | WY_CAN(PLACED))

/* What all tables have, under the names that the main file of a method gives to its functions. */
#define WY_METHOD_COMMON(NAME)                                                                     \
    .name = #NAME, .options = option_table, .options_size = sizeof(wy_##NAME##_options),           \
    .create = create, .layout = layout, .start = start, .preferred_step = preferred_step,          \
    .advance = advance, .nodes = nodes, .sample = wy_##NAME##_sample, .drift = most_drift
#define WY_EQUATIONS_COMMON                                                                        \
    .layout = layout, .load = load, .pull = pull, .hold = hold, .residual = residual,              \
    .factor = factor, .solve = solve, .move = move, .energy = energy, .potential = potential,      \
    .rate = rate, .settle = settle, .let_go = let_go
