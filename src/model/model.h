/* model.h - rods without discretisation: what every method reads from a problem.  Room: src/model. */
#pragma once

#include "base/base.h"
#include "base/block.h"
#include "base/vec.h"
#include "withy/problem.h"

/* ---- the compiled problem --------------------------------------------------------------------------
 *
 * Made once, const from then on, shared by any number of simulations and threads: it has been checked
 * and every curve has been walked, so that poses and strains at a method's abscissae cost a few calls
 * of the user's functions at most.  It does not depend on what is only recorded (problem.request).
 *
 * Methods compute in coordinates whose origin is where the first rod starts (without rods: where the first
 * body is): far from the laboratory
 * origin the rounding of positions would hide the strains.  wy_model_initial_poses, wy_model_rest_poses, wy_model_end
 * and wy_end_pose give such positions, the study adds the origin to what is sampled (study/sim.c).
 */
typedef struct wy_model wy_model;

/* `like` (may be NULL) is a model of the same problem, or of one with the same shapes, whose
 * checks and walks are reused.  It must outlive the new one. */
withy_status wy_model_compile(const withy_problem *problem, const wy_model *like, wy_arena *arena,
                              const wy_model **model, withy_error *err);
/* Equal for equal problems, and almost never equal for different ones.  Functions are
 * taken as equal; what is recorded is left out. */
uint64_t wy_problem_digest(const withy_problem *problem);
/* Nothing to run: a path and no time, or neither (then stop is 0). */
static inline int wy_is_static(const withy_problem *problem) {
    const withy_request *request = &problem->request;
    return !request->given && (problem->path.given || (request->stop == 0 && request->output == 0));
}
/* Steps of a path that is not by arc length, and the load factor behind k of them. */
static inline int wy_path_steps(const withy_path *path) {
    return path->through_count ? (path->through_count - 1) * path->steps : path->steps;
}
static inline double wy_path_factor(const withy_path *path, int k) {
    if (!path->through_count) return path->from + (path->to - path->from) * k / path->steps;
    const int done = k % path->steps;
    const double *from = &path->through[k / path->steps];
    return done ? from[0] + (from[1] - from[0]) * done / path->steps : from[0];
}
/* What is recorded: stop, outputs, probes. */
withy_status wy_request_check(const withy_problem *problem, withy_error *err);

/* ---- sections --------------------------------------------------------------------------------- */

/* Stiffness of the six strains at s, from the direct values or from section and material.
 * A stiffness that is not given is infinite. */
withy_status wy_stiffness_at(const withy_rod *rod, double s, double k[WITHY_STRAINS],
                             withy_error *err);
/* Mass and rotary inertia per length at s; what is not given is 0. */
withy_status wy_inertia_at(const withy_rod *rod, double s, double rho[WITHY_INERTIAS],
                           withy_error *err);
/* Kelvin-Voigt viscosities at s: damping + damping_time * stiffness (0 where the stiffness is
 * infinite). */
withy_status wy_damping_at(const withy_rod *rod, double s, double k[WITHY_STRAINS],
                           withy_error *err);
/* Of rods with such matrices (section_matrix.c): checked; and the diagonal of the stiffness. */
withy_status wy_stiffness_matrix_at(const withy_rod *rod, double s,
                                    double c[WITHY_STRAINS][WITHY_STRAINS], withy_error *err);
withy_status wy_damping_matrix_at(const withy_rod *rod, double s,
                                  double c[WITHY_STRAINS][WITHY_STRAINS], withy_error *err);
withy_status wy_matrix_diagonal(const withy_rod *rod, double s, double k[WITHY_STRAINS],
                                withy_error *err);
static inline int wy_rod_has_matrix(const withy_rod *rod) {
    return rod->stiffness_matrix[0].size > 0 || rod->damping_matrix[0].size > 0;
}
/* Half the thickness at s: rod.radius, or from the section, half the smaller size of one that is not round; 0: neither
 * is given  [m]. */
withy_status wy_rod_half(const withy_rod *rod, double s, double *half, withy_error *err);
typedef struct wy_section_at {
    double stiffness[WITHY_STRAINS]; /* infinite: rigid */
    double inertia[WITHY_INERTIAS];
    double damping[WITHY_STRAINS];
} wy_section_at;

/* All three at count stations: each function of s is called once per station. */
withy_status wy_sections_at(const withy_rod *rod, int count, const double *s, wy_section_at *out,
                            withy_error *err);
/* Ratio of the length in the initial state to the length at rest: 1 + T/EA.  rod->length is the length in
 * that state, between the bridges of a string, and the rod itself is shorter. */
double wy_stretch_of_tension(const withy_rod *rod, double stiffness);
/* 1 when no stiffness, inertia or damping is a function of s. */
int wy_rod_is_uniform(const withy_rod *rod);
int wy_rod_is_damped(const withy_rod *rod); /* any internal damping or drag */

/* ---- shapes and frames ------------------------------------------------------------------ */

typedef struct wy_pose {
    vec3 r;
    mat3 frame; /* d1, d2, d3 */
} wy_pose;

/* Poses of a shape at count increasing stations of a rod; positions of CURVE are exact. */
withy_status wy_shape_poses(const withy_rod *rod, const withy_shape *shape, int count,
                            const double *s, wy_pose *pose, withy_error *err);
/* Strains (shear1, shear2, stretch, bend1, bend2, twist) of a shape at count increasing stations,
 * measured from the straight unstretched rod: R^T r' - e3 and axial(R^T R').  [count][6] */
withy_status wy_shape_strains(const withy_rod *rod, const withy_shape *shape, int count,
                              const double *s, double (*strain)[WITHY_STRAINS], withy_error *err);
/* A shape of a rod, followed once; the two above follow it anew at each call. */
typedef struct wy_curve wy_curve;

withy_status wy_curve_make(const withy_rod *rod, const withy_shape *shape, wy_arena *arena,
                           const wy_curve **curve, withy_error *err);
/* Positions relative to `origin`: the difference from r(0) is what is added to them. */
withy_status wy_curve_poses(const wy_curve *curve, vec3 origin, int count, const double *s,
                            wy_pose *pose, withy_error *err);
withy_status wy_curve_strains(const wy_curve *curve, int count, const double *s,
                              double (*strain)[WITHY_STRAINS], withy_error *err);
/* The shape a rod starts from: initial, or rest, or straight. */
const withy_shape *wy_initial_shape(const withy_rod *rod);
int wy_shape_is_straight(const withy_shape *shape); /* NONE, STRAIGHT, or PLUCK with height 0 */
/* active.c: is the shape one whose strains change with time; do the strains of a rod at rest change? */
int wy_shape_in_time(const withy_shape *shape);
int wy_rod_is_active(const withy_rod *rod);
/* Strains at rest at (s, t), from those of the rest shape at t = 0; constants of heat are multiplied by the factor. */
withy_status wy_active_strain(const withy_rod *rod, double s, double t, double factor,
                              const double base[WITHY_STRAINS], double strain[WITHY_STRAINS],
                              withy_error *err);
/* That neither shape of a rod that does not shear or stretch (`method`) is given by six strains. */
withy_status wy_rod_has_three_strains(const char *method, const withy_rod *rod, withy_error *err);

/* Frames along a polyline with unit tangents: rotation-minimising by double reflection from the
 * frame given in pose[0]; positions and d3 of every pose must be set. */
void wy_frames_along(int count, wy_pose *pose);

/* ---- ends ------------------------------------------------------------------------------- */

/* An end prepared for fast evaluation: what is not given falls back to the initial pose. */
typedef struct wy_end {
    const withy_end *end;
    double s;                          /* 0 or L */
    wy_pose start;                     /* pose of the initial shape there */
    vec3 origin;                       /* of start and of prescribed positions, see wy_model */
    int drives_position, drives_frame; /* is it a function of time? */
    int turns_free;                    /* its direction is held, but it may turn about it */
    int places; /* of three displacements so many are held: the first of its axes */
    int slides; /* some, and not all */
    mat3 axes;
    int misses; /* the initial shape is not where it is held at t = 0, see wy_model_fits */
} wy_end;

withy_status wy_end_prepare(const withy_rod *rod, int which, wy_end *end, withy_error *err);
/* Prescribed pose at t (position where held, frame where directed).  Checks that a tangent is unit.
 */
withy_status wy_end_pose(const wy_end *end, double t, wy_pose *pose, withy_error *err);
/* Where the end of the rod is at t = 0: the prescribed pose, or that of the initial shape where the
 * shape misses it.  Then no motion starts (wy_model_fits), and statics cover the distance. */
withy_status wy_end_first(const wy_end *end, wy_pose *pose, withy_error *err);
/* From the initial shape to the prescribed pose at t = 0, in what is held. */
typedef struct wy_gap {
    vec3 shift, turn; /* [m], rotation vector [rad] */
} wy_gap;

withy_status wy_end_gap(const wy_end *end, wy_gap *gap, withy_error *err);
wy_gap wy_end_displacement(const wy_end *end, const wy_pose *from,
                           const wy_pose *to); /* any two of its poses */
/* Distance of the two ends of the first rod at t = 0 where both are held and the shape meets them, else 0;
 * needs the model of the problem. */
withy_status wy_held_chord(const withy_problem *problem, double *chord, withy_error *err);
/* Within rounding: then the shape is moved by it. */
int wy_gap_is_small(const wy_gap *gap, const wy_end *end, double length);
/* Applied force and moment at t, in laboratory components; frame is used for followers.  Constants
 * are multiplied by `factor`, that of the loads in statics (1 in motion), functions of time not. */
withy_status wy_end_load(const wy_end *end, double t, double factor, mat3 frame, vec3 *force,
                         vec3 *moment, withy_error *err);
/* What a kind of end holds (model/load/end.inc): so many displacements, and the direction? */
int wy_end_places(const withy_end *end);
int wy_end_holds_direction(const withy_end *end);
int wy_end_kinds(void); /* how many there are */
/* "clamped" of ("end", WITHY_END_CLAMPED): the constructor of scenes; "none": there is none (model/schema/schema.c). */
const char *wy_constructor_name(const char *family, int tag);
static inline int wy_end_holds_position(const withy_end *end) {
    return wy_end_places(end) == 3;
}
static inline int wy_end_holds(const withy_end *end) {
    return wy_end_places(end) || wy_end_holds_direction(end);
}
static inline int wy_end_clamps(const withy_end *end) {
    return wy_end_holds_position(end) && wy_end_holds_direction(end);
}
/* The part of a displacement that is held where `places` are, of these axes the first. */
static inline vec3 wy_held_part(int places, const mat3 *axes, vec3 v) {
    if (!places) return v3(0, 0, 0);
    if (places < 3) v = v3_axpy(v, -v3_dot(axes->c3, v), axes->c3);
    return places < 2 ? v3_axpy(v, -v3_dot(axes->c2, v), axes->c2) : v;
}
/* Held against turning about the tangent too. */
static inline int wy_end_holds_frame(const withy_end *end) {
    return wy_end_holds_direction(end) && end->turn == WITHY_TURN_HELD;
}

/* Is the position (turning = 0) or the direction (1) given by its rate or its acceleration? */
static inline int wy_end_drives_rate(const withy_end *end, int turning) {
    return turning ? wy_end_holds_direction(end) && (end->spin.size || end->spin_rate.size)
                   : wy_end_holds_position(end) && (end->velocity.size || end->acceleration.size);
}

/* Where an end is that is driven by its rates: part of the state of a method. */
typedef struct wy_end_driven {
    vec3 r, v;
    quat q;    /* of its frame */
    vec3 spin; /* laboratory */
} wy_end_driven;

/* At t = 0, from the pose of the initial shape; v, spin: of an end whose acceleration is given. */
withy_status wy_end_driven_start(const wy_end *end, vec3 v, vec3 spin, wy_end_driven *x,
                                 withy_error *err);
/* From t to t + h, by a rule of order 6; a constant spin is exact. */
withy_status wy_end_drive(const wy_end *end, double t, double h, wy_end_driven *x,
                          withy_error *err);

/* ---- loads ------------------------------------------------------------------------------ */

/* Is it a function of s, t or the state? */
static inline int wy_field_varies(const withy_field *field) {
    return field->call || field->from_state;
}

/* A force or moment at (s, t), zero when not given; a constant is multiplied by the factor. */
withy_status wy_load_value(const withy_field *field, double s, double t, double factor, vec3 *out,
                           withy_error *err);
/* Force and moment of a load at (s, t) in laboratory components; frame is used for followers. */
withy_status wy_load_at(const withy_load *load, double s, double t, double factor, mat3 frame,
                        vec3 *force, vec3 *moment, withy_error *err);
/* Distributed, but not over the whole rod: its values at nodes alone are not enough, since it may lie
 * between two of them. */
int wy_load_is_partial(const withy_rod *rod, const withy_load *load);
/* Distributed force and moment per length at (s, t) in laboratory components, gravity excluded;
 * frame is used for followers, constants are multiplied by the factor. */
withy_status wy_load_density(const withy_rod *rod, double s, double t, double factor, mat3 frame,
                             vec3 *force, vec3 *moment, withy_error *err);
/* Have the loads a potential?  Followers have none; loads that depend on the state may have one, but it is
 * not known; nor have moments that keep their direction, unless the rod stays in a plane or the section they act on is held.  pulls: with those that hold it before
 * t = 0.  Tendons always have one. */
int wy_has_potential(const withy_rod *rod, int pulls, int planar);
int wy_has_time_loads(const withy_rod *rod); /* does any load or end force depend on t or follow? */
/* Tendons, muscles, chambers: they act on sections along a route. */
static inline int wy_load_has_route(const withy_load *load) {
    return load->kind >= WITHY_LOAD_TENDON;
}
/* Does this one depend on t (or s) by a function, or follow the section? */
static inline int wy_load_varies(const withy_load *load) {
    return load->follower || wy_field_varies(&load->force) || wy_field_varies(&load->moment);
}

/* One quadrature of loads for every method: each load becomes points, and at a point there act a
 * force and a moment.  A distributed load has the points of a rule on the part of each cell that it
 * covers, so that none of it is lost between two nodes; a point load is one point of weight 1.  A
 * method that collocates gives its nodes instead, and then loads on the whole rod act there. */
typedef struct wy_load_rule {
    int cells;
    const double *edge; /* [cells + 1] increasing from 0 to the length [m] */
    int points;         /* on the part of a cell that a load covers */
    const double *point,
        *weight; /* [points] of a rule on [0, 1], see numeric/interpolate/interpolate.h */
    int nodes;   /* 0: every distributed load goes by cells */
    const double *node, *share; /* [nodes] where [m], and with which weight */
    double
        reach; /* > 0: half the interval between nodes; also a load on a part of the rod acts at the
                   * nodes, by how much of the hat of each it covers [m] */
} wy_load_rule;

typedef struct wy_load_point {
    const withy_load *load;
    double s,
        weight; /* where; length [m] that it represents (or the share of a node), 1 for a point load */
    int cell; /* in which it lies; a border belongs to the cell that begins there */
    int node; /* at which it acts; -1: it lies in its cell */
} wy_load_point;

typedef struct wy_load_points {
    int count;
    wy_load_point *point; /* [count] those of the cells in order, then those of the nodes */
    int *first;           /* [cells + 1] where the points of each cell begin */
} wy_load_points;

/* Loads of any list on a rod of this length. */
withy_status wy_load_points_make(const withy_load *load, int load_count, double length,
                                 const wy_load_rule *rule, wy_arena *arena, wy_load_points *out,
                                 withy_error *err);
/* Weight times force and moment at t, in the components they are given in: material for a follower,
 * else laboratory.  Constants are multiplied by the factor, functions of time not. */
withy_status wy_load_point_value(const wy_load_point *point, double t, double factor, vec3 *force,
                                 vec3 *moment, withy_error *err);
/* The same in laboratory components; frame is used for followers. */
withy_status wy_load_point_at(const wy_load_point *point, double t, double factor, mat3 frame,
                              vec3 *force, vec3 *moment, withy_error *err);

/* ---- loads that depend on the state (state_load.c) ------------------------------------------------------------
 *
 * Force or moment is a function of position, velocity, frame and spin of the section.  A method
 * makes that state from its own unknowns, where and when it lets loads act; implicit methods also take
 * the slopes, by differences.
 */

static inline int wy_load_uses_state(const withy_load *load) {
    return load->force.from_state || load->moment.from_state;
}
static inline int wy_end_uses_state(const withy_end *end) {
    return end->force.from_state || end->moment.from_state;
}
int wy_rod_uses_state(const withy_rod *rod); /* any load, pull or end of it */

/* Where a load acts, and with which weight (wy_load_point). */
typedef struct wy_state_point {
    const withy_field *force, *moment;
    int follower; /* they are material components */
    double s, weight;
    vec3 origin; /* of the coordinates of the method: it is added to the position */
} wy_state_point;

static inline wy_state_point wy_state_point_at(const wy_load_point *at, vec3 origin) {
    const withy_load *load = at->load;
    return (wy_state_point){&load->force, &load->moment, load->follower, at->s, at->weight, origin};
}
static inline wy_state_point wy_state_point_end(const wy_end *end) {
    const withy_end *at = end->end;
    return (wy_state_point){&at->force, &at->moment, at->follower, end->s, 1.0, end->origin};
}
withy_section_state wy_section_state_of(vec3 position, mat3 frame, vec3 velocity, vec3 spin);
/* Weight times (force, moment), laboratory components.  Constants are multiplied by the factor. */
withy_status wy_state_load_value(const wy_state_point *state_point, double t, double factor,
                                 const withy_section_state *state, double out[6], withy_error *err);

/* Increments of the differences: about 1e-7 of what changes the load.  All > 0. */
typedef struct wy_state_load_steps {
    double shift, turn, speed, spin; /* [m], [rad], [m/s], [rad/s] */
} wy_state_load_steps;

enum {
    WY_STATE_LOAD_SHIFT = 0,
    WY_STATE_LOAD_TURN = 3,
    WY_STATE_LOAD_SPEED = 6,
    WY_STATE_LOAD_SPIN = 9,
    WY_STATE_LOAD = 12
};

/* For a rod of this length whose slow motions take `time` [s], which moves as fast as (speed, spin). */
wy_state_load_steps wy_state_load_steps_of(double length, double time, double speed, double spin);
/* d(force, moment) with the position, a turn of the frame, the velocity and the spin: by one-sided
 * differences from the load `at` this state, or (NULL) by central ones, twice as dear.  Columns before
 * `from` are not written. */
withy_status wy_state_load_slopes(const wy_state_point *state_point, double t, double factor,
                                  const withy_section_state *state,
                                  const wy_state_load_steps *steps, const double *at, int from,
                                  double slope[6][WY_STATE_LOAD], withy_error *err);

/* ---- signals ------------------------------------------------------------------------------------
 *
 * Methods use constants and functions only.  A simulation of a problem with tables or inputs works on a
 * copy of its rods in which these are functions: of a table, or of values that the simulation keeps.
 */

typedef struct wy_inputs {
    int count;
    const char **name;
    double *start; /* [count] first values */
    double *now;   /* [count] where functions read; the simulation puts it into its state */
} wy_inputs;

/* The rods, joints and bodies of *problem become copies from the arena if any field of them is a table or an input. */
withy_status wy_signals_bind(withy_problem *problem, wy_arena *arena, wy_inputs *inputs,
                             withy_error *err);
/* What an input is from the start: a number, a function of t or a table. */
typedef struct wy_feed {
    const char *name;
    withy_field from; /* size 1 */
} wy_feed;
/* Fields that follow these inputs follow `from` instead; in place.  Refused: a name that no field follows, and
 * a vector of which only some components are fed. */
withy_status wy_signals_feed(withy_problem *problem, const wy_feed *feed, int count,
                             wy_arena *arena, withy_error *err);
static inline int wy_field_has_input(const withy_field *field) {
    for (int i = 0; i < WITHY_FIELD_MAX; i++)
        if (field->input[i]) return 1;
    return 0;
}
/* Row by row, straight in between. */
void wy_table_at(const withy_field *field, double t, double *out);
/* Of a bound field: its table, or NULL; does it follow inputs? */
const withy_field *wy_signal_table(const withy_field *field);
int wy_signal_is_input(const withy_field *field);

/* Loads, driven ends, joints and obstacles as functions of t, for methods that choose their own steps. */
typedef struct wy_change {
    const withy_field *field, *table; /* table: NULL, or what the function reads */
    double s;
} wy_change;

typedef struct wy_changes {
    int count;
    wy_change *signal; /* [count] */
    int live;          /* 1: others follow inputs, and it is not known how these continue */
} wy_changes;

/* Smallest and largest value so far of one signal: part of a state. */
typedef struct wy_change_range {
    double low[WITHY_FIELD_MAX], high[WITHY_FIELD_MAX];
    int64_t known;
} wy_change_range;

/* The jumps of all functions, and how long a step may be: part of a state. */
enum { WY_CHANGE_EDGES = 64, WY_CHANGE_CELLS = 320 };
typedef struct wy_change_map {
    double begin, end;             /* the time it is for                                [s] */
    double from, to, grain;        /* what it covers, and the distance of its samples   [s] */
    double edge[WY_CHANGE_EDGES];  /* in order                                          [s] */
    double limit[WY_CHANGE_CELLS]; /* longest step in each cell of 16 grains            [s] */
    int64_t edges;
} wy_change_map;

withy_status wy_changes_make(const withy_problem *problem, wy_arena *arena, wy_changes *out,
                             withy_error *err);
/* The map for begin .. end; range: [count]. */
withy_status wy_changes_begin(const wy_changes *changes, wy_change_range *range, wy_change_map *map,
                              double begin, double end, withy_error *err);
/* Shorten from .. *to so that it ends where a signal changes after a rest of three times as long as what is left: what that
 * sets in motion has hardly begun by *to, and needs steps that are short against the rest, not against all. */
withy_status wy_changes_late(const wy_changes *changes, wy_change_range *range, double from,
                             double *to, withy_error *err);
/* How often `longest` must be halved for steps that are short enough but for a tenth of the time. */
int wy_changes_halvings(const wy_changes *changes, const wy_change_map *map, double longest);
/* Shorten from .. *to so that no jump lies inside, and that either every part of it of the length `longest`
 * is a parabola, to 5 % of the range of each signal, or all of it is.  *shape: 1 when its end is not a jump but
 * where a parabola would no longer do. */
withy_status wy_changes_limit(const wy_changes *changes, wy_change_range *range, wy_change_map *map,
                              double from, double longest, double *to, int *shape,
                              withy_error *err);

/* ---- initial velocity --------------------------------------------------------------------- */

withy_status wy_velocity_at(const withy_rod *rod, double s, vec3 *v, vec3 *spin, withy_error *err);

/* ---- values for the methods ---------------------------------------------------------------- */

/* The unit of lengths: of the longest rod, or of bodies alone about their size [m]. */
double wy_model_length(const wy_model *model);
/* Of a rod that is welded to others end to end and in line, the length of all of them [m]. */
double wy_model_whole(const wy_model *model, int rod);
/* Of the coordinates of a method, in the laboratory [m]; and where a rod begins, in these coordinates. */
vec3 wy_model_origin(const wy_model *model);
vec3 wy_model_start(const wy_model *model, int rod);
/* 1: a joint is on it. */
int wy_rod_is_joined(const withy_problem *problem, int rod);

/* Stiffness, inertia and damping at count stations. */
withy_status wy_model_sections(const wy_model *model, int rod, int count, const double *s,
                               wy_section_at *out, withy_error *err);
/* Poses of the shape that a rod starts from, at count increasing stations. */
withy_status wy_model_initial_poses(const wy_model *model, int rod, int count, const double *s,
                                    wy_pose *pose, withy_error *err);
/* The same, or those of the rest shape, from where that shape begins: with the digits that a rod far away has not. */
withy_status wy_model_own_poses(const wy_model *model, int rod, int rest, int count,
                                const double *s, wy_pose *pose, withy_error *err);
/* Its strains, and those of the rest shape, measured from the straight unstretched rod. */
withy_status wy_model_initial_strains(const wy_model *model, int rod, int count, const double *s,
                                      double (*strain)[WITHY_STRAINS], withy_error *err);
withy_status wy_model_rest_strains(const wy_model *model, int rod, int count, const double *s,
                                   double (*strain)[WITHY_STRAINS], withy_error *err);
/* How many equal cells a rod of this length needs so that neither shape turns by more than `turn` [rad] in
 * one of them; `most`: more than that, or a kink. */
withy_status wy_model_cells(const wy_model *model, int rod, double length, double turn, int most,
                            int *cells, withy_error *err);
/* Poses of the rest shape. */
withy_status wy_model_rest_poses(const wy_model *model, int rod, int count, const double *s,
                                 wy_pose *pose, withy_error *err);
withy_status wy_model_end(const wy_model *model, int rod, int which, wy_end *end, withy_error *err);
/* Such an end from where the rod begins. */
void wy_model_own_end(const wy_model *model, int rod, int which, wy_end *end);
/* ---- bodies and joints (network.c) ------------------------------------------------------------- */

/* Pose of a body at t = 0; positions are relative to the origin of the model, as everywhere here. */
wy_pose wy_model_body(const wy_model *model, const withy_body *body);
/* Where the place of a joint is at t = 0, and the frame of its part there: directors of a rod, axes of a
 * body, laboratory axes of the ground. */
withy_status wy_model_place(const wy_model *model, const withy_problem *problem,
                            const withy_place *place, wy_pose *pose, withy_error *err);
/* Of the ground: where it is at t. */
withy_status wy_model_place_at(const wy_model *model, const withy_place *place, double t,
                               vec3 *place_at, withy_error *err);
enum { WY_JOINT_WORDS = 5 * WITHY_NAME }; /* size of the text of wy_joint_words */

/* Are s[0] on rod[0] and s[1] on rod[1] both within `reach` of a joint of the two? */
/* The shorter way from one place of a rod to another, along it [m]. */
double wy_rod_distance(const withy_rod *rod, double s0, double s1);
int wy_joint_near(const withy_problem *problem, const int rod[2], const double s[2], double reach);

/* Names as given, or "body2", "joint3"; the part of a place ("ground"); and a joint in a message: joints[2]
 * "drive" (hinge of crank and coupler). */
const char *wy_name_or(const char *name, const char *word, int index, char *text, size_t size);
const char *wy_joint_kind_name(withy_joint_kind kind);
const char *wy_place_name(const withy_problem *problem, const withy_place *place, char *text,
                          size_t size);
const char *wy_joint_words(const withy_problem *problem, int joint, char *text, size_t size);

/* Can a motion start from the initial shapes?  Where a held end and the shape differ by rounding the
 * shape has been moved; rods that start in equilibrium may differ by any amount; others are refused. */
withy_status wy_model_fits(const wy_model *model, withy_error *err);
/* Load points of a rod: of its loads, or (pull) of those that hold it before t = 0. */
withy_status wy_model_load_points(const wy_model *model, int rod, int pull,
                                  const wy_load_rule *rule, wy_arena *arena, wy_load_points *out,
                                  withy_error *err);
