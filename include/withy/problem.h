/* withy/problem.h - WHAT is to be solved, independent of HOW.
 *
 * A withy_problem is a plain description: fill it, check it, hand it to any method.
 * Units are SI or any other consistent set; brackets give SI.  Arc length s runs from 0 (end[0],
 * "start") to length (end[1], "finish").  Vectors are in the laboratory frame unless the comment
 * says "material frame".  The material frame is (d1, d2, d3) with d3 along the rest tangent.
 * Pointers are borrowed and must outlive every simulation made from the problem.
 *
 * Compatibility: new members may be added anywhere in a struct, with 0 as "not given"; programs must then
 * be recompiled.  A program that was not is refused with a message: withy_problem_default() stores the
 * sizes of the structs that the program was compiled with, and withy_problem_check, called for every
 * simulation, compares them with the library's.  Structs that the library fills (reports, infos,
 * snapshots) grow only with the minor version, which is part of the name of the shared library.
 */
#pragma once

#include "withy/base.h"
#include "withy/math.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- values that may vary ------------------------------------------------------------------ */

/* Writes `size` numbers (see withy_field) for arc length s [m] and time t [s] to out. */
typedef withy_status (*withy_function)(void *context, double s, double t, double *out,
                                       withy_error *err);

/* The section that a load acts on, at the time of the call; all in the laboratory
 * frame.  In statics velocity and spin are zero. */
typedef struct withy_section_state {
    withy_vec3 position; /* r of the centreline                                        [m]      */
    withy_vec3 velocity; /* of the centreline                                          [m/s]    */
    withy_vec3 frame[3]; /* d1, d2, d3: orthogonal unit vectors                        [-]      */
    withy_vec3 spin;     /* angular velocity of the section                            [rad/s]  */
} withy_section_state;

/* Writes `size` numbers for arc length s [m], time t [s] and the state of the section there to out.
 * It is called several times per step, with states near the true one, and may not keep anything from
 * one call to the next: equal arguments give equal numbers. */
typedef withy_status (*withy_state_function)(void *context, double s, double t,
                                             const withy_section_state *state, double *out,
                                             withy_error *err);

enum { WITHY_FIELD_MAX = 6 };

/* A number or a small vector: constant, a function of s and t, or a signal in t.  Of call, table,
 * input and see at most one is given.  Tables and inputs may stand wherever a function of t may;
 * see only in the force and moment of a load that is not a tendon, and of an end. */
typedef struct withy_field {
    int size;                      /* components, 1 .. WITHY_FIELD_MAX; 0: not given            */
    double value[WITHY_FIELD_MAX]; /* the constant; of an input its first value                 */
    withy_function call;           /* NULL: no function                                         */
    void *context;                 /* first argument of call                                    */
    const double *table;           /* [rows][1 + size]: t [s], increasing, and the values then;
                                    * straight between two rows, constant before and after; NULL: none */
    int rows;                      /* of the table                                              */
    const char *input[WITHY_FIELD_MAX]; /* for each component the name of an input, which
                                         * withy_sim_input() sets, or NULL: value[i]            */
    withy_state_function
        from_state; /* NULL: no function of the state; its first argument is context  */
} withy_field;

/* A constant field of 1 or 3 components; the empty field has size 0. */
WITHY_API withy_field withy_field_number(double value);
WITHY_API withy_field withy_field_vector(double x, double y, double z);
/* A signal of `size` components by a table of `rows` rows, which is borrowed. */
WITHY_API withy_field withy_field_table(int size, int rows, const double *table);
/* A field of 1 component that follows the input of this name; its first value. */
WITHY_API withy_field withy_field_input(const char *name, double value);

/* Value at (s, t), of an input the first.  Fails if the function fails or returns something that is not
 * finite. */
WITHY_API withy_status withy_field_at(const withy_field *field, double s, double t, double *out,
                                      withy_error *err);

/* ---- shapes -------------------------------------------------------------------------------- */

typedef enum withy_shape_kind {
    WITHY_SHAPE_NONE,     /* not given: the rest shape, or a straight line                      */
    WITHY_SHAPE_STRAIGHT, /* from + s along                                                     */
    WITHY_SHAPE_ARC,      /* circle of radius `radius`, leaving `from` along `along`, bending
                           * towards `normal`                                                   */
    WITHY_SHAPE_HELIX,    /* radius, climb angle and hand; leaves `from` along `along`          */
    WITHY_SHAPE_CURVE,    /* position(s); s must be its arc length                              */
    WITHY_SHAPE_STRAIN,   /* strains(s), integrated from (from, along, normal)                  */
    WITHY_SHAPE_PLUCK,    /* straight from end to end, drawn aside at one point by a force: bent
                           * as the stretched rod bends, or with a kink where an end is free    */
    WITHY_SHAPE_CATENARY, /* as a chain of the rod's length hangs between `from` and `to`; where these
                           * are (almost) above each other, two straight legs and an arc        */
    WITHY_SHAPE_THROUGH, /* a smooth curve through `point`; the rod has its length             */
    WITHY_SHAPE_PLACED,  /* place and frame of every section by themselves: any strains        */
} withy_shape_kind;

/* A curve with a frame on it.  The frame at s = 0 has d3 = along and d1 = normal made orthogonal to
 * it; beyond it turns as little as possible (rotation-minimising), except for STRAIN, which gives
 * its rotation itself.  A zero `along` or `normal` means: from the curve, or any. */
typedef struct withy_shape {
    withy_shape_kind kind;
    withy_vec3 from;      /* r(0)                                                       [m]     */
    withy_vec3 along;     /* d3(0) for STRAIGHT, ARC, STRAIN, PLUCK; helix: its axis    [-]     */
    withy_vec3 normal;    /* d1(0), made orthogonal to d3(0); helix: direction from the axis to
                           * r(0); zero: chosen                                         [-]     */
    double radius;        /* a   ARC, HELIX                                             [m] > 0 */
    double pitch;         /* p   HELIX: climb along the axis per turn, sign = hand      [m]     */
    double at;            /* PLUCK: where the rod is drawn aside, 0 < at < length       [m]     */
    double height;        /* PLUCK: how far                                             [m]     */
    withy_vec3 direction; /* PLUCK: which way, orthogonal to along; CATENARY: that of gravity [-] */
    withy_field position; /* CURVE, PLACED: r(s)                                        [m]     */
    withy_field strain;   /* STRAIN: size 3: (bend1, bend2, twist) [1/m]; size 6: (shear1, shear2,
                           * stretch, bend1, bend2, twist), all measured from the straight,
                           * unstretched rod                                                    */
    withy_vec3 to;        /* CATENARY: r(length), nearer to from than length            [m]     */
    int has_bed;          /* CATENARY: it may lie on a level bed                                */
    double bed;           /* CATENARY: its height, against direction                    [m]     */
    const withy_vec3 *point; /* THROUGH: [point_count], in order, at any distances      [m]     */
    int point_count;         /* THROUGH: at least 2                                             */
    withy_field frame; /* PLACED: q(s), size 4, unit, scalar first, material to laboratory  [-] */
    int in_time; /* STRAIN, of the rest shape: 1: `strain` is a function of t too; of a table or inputs
                  * it always is: the natural strains of a rod that acts, at t = 0 those of the shape */
} withy_shape;

/* Length of a curve through points (THROUGH), for withy_rod.length [m]. */
WITHY_API withy_status withy_shape_length(const withy_shape *shape, double *length,
                                          withy_error *err);

/* ---- rods ---------------------------------------------------------------------------------- */

/* The six strains and their conjugate stiffnesses, in this order everywhere. */
enum {
    WITHY_SHEAR1,
    WITHY_SHEAR2,
    WITHY_STRETCH,
    WITHY_BEND1,
    WITHY_BEND2,
    WITHY_TWIST,
    WITHY_STRAINS
};

/* Inertia per length: mass, and the moments about d1, d2, d3. */
enum { WITHY_MASS, WITHY_ROTARY1, WITHY_ROTARY2, WITHY_ROTARY3, WITHY_INERTIAS };

typedef enum withy_section_kind {
    WITHY_SECTION_NONE,      /* stiffness and inertia are given directly                        */
    WITHY_SECTION_CIRCLE,    /* a = diameter                                                    */
    WITHY_SECTION_TUBE,      /* a = outer, b = inner diameter                                   */
    WITHY_SECTION_RECTANGLE, /* a = width along d1, b = height along d2                         */
    WITHY_SECTION_ELLIPSE,   /* a = full axis along d1, b = full axis along d2                  */
    WITHY_SECTION_CUSTOM,    /* area, second moments about d1 and d2, torsion constant          */
} withy_section_kind;

typedef struct withy_section {
    withy_section_kind kind;
    withy_field a, b;    /* dimensions, function of s allowed                      [m] > 0      */
    withy_field area;    /* A    CUSTOM                                            [m^2] > 0    */
    withy_field second;  /* I1, I2 about d1 and d2, size 2, CUSTOM                 [m^4] > 0    */
    withy_field torsion; /* J    torsion constant, CUSTOM                          [m^4] > 0    */
    double shear_factor; /* k    in k G A                                          [-] 0 < k <= 1 */
} withy_section;

typedef struct withy_material {
    double young;   /* E                                                     [Pa] > 0            */
    double shear;   /* G                                                     [Pa] > 0            */
    double density; /* rho                                                   [kg/m^3] > 0        */
} withy_material;

typedef enum withy_end_kind {
    WITHY_END_FREE,    /* force and moment given (default: zero)                                 */
    WITHY_END_PINNED,  /* position given                                                         */
    WITHY_END_CLAMPED, /* position and direction given                                           */
    WITHY_END_GUIDED,  /* direction given, position free                                         */
    WITHY_END_ROLLER,  /* position given across `along`: it may move along it, and turn          */
} withy_end_kind;

/* An end that holds the direction holds the whole frame, unless it is free to turn about d3. */
typedef enum withy_turn {
    WITHY_TURN_HELD, /* held                                                                     */
    WITHY_TURN_FREE, /* free: no moment about d3; excludes normal, frame, spin and spin_rate     */
} withy_turn;

typedef struct withy_end {
    withy_end_kind kind;
    withy_field position; /* r(t), size 3; not given: where the initial shape starts    [m]      */
    withy_field tangent;  /* d3(t), size 3, unit; not given: as the initial shape       [-]      */
    withy_field normal;   /* d1(t), size 3; not given: that of the initial shape, turned with the
                           * tangent by the smallest rotation                           [-]      */
    withy_field frame;    /* q(t), size 4, unit, scalar first; instead of tangent       [-]      */
    withy_field force;    /* on the rod at this end, function of t, size 3              [N]      */
    withy_field moment;   /* likewise                                                   [N m]    */
    int follower;         /* 1: force and moment are material components, turning with the end   */
    double mass;          /* lumped mass                                               [kg] >= 0 */
    withy_vec3 inertia;   /* its moments about d1, d2, d3 through its centre       [kg m^2] >= 0 */
    withy_vec3 offset;    /* its centre from the end of the rod, material frame         [m]      */
    double spring;        /* to the initial position                                  [N/m] >= 0 */
    double spring_turn; /* to the initial frame: times the angle 0 .. pi of the rotation from there,
                           * about its axis                                       [N m/rad] >= 0 */
    /* A held end may be driven by its rate instead: from where the initial shape puts it.      */
    withy_field velocity;     /* v(t), size 3, instead of position                      [m/s]    */
    withy_field acceleration; /* a(t), size 3, instead of position                    [m/s^2]    */
    withy_field spin;         /* angular velocity(t), laboratory, size 3, instead of a direction
                               *                                                      [rad/s]    */
    withy_field spin_rate;    /* its rate (t), size 3, likewise                     [rad/s^2]    */
    withy_turn turn;          /* CLAMPED, GUIDED: may the section turn about d3?                 */
    withy_vec3 along; /* ROLLER: the direction in which it may move, any length; zero: that of the
                               * initial shape                                          [-]      */
} withy_end;

typedef enum withy_load_kind {
    WITHY_LOAD_DISTRIBUTED, /* force, moment per length on from <= s <= to                       */
    WITHY_LOAD_POINT,       /* force, moment at s = from                                         */
    WITHY_LOAD_TENDON,      /* a tendon through the sections, anchored at s = to                 */
    WITHY_LOAD_MUSCLE,      /* fibres on from <= s <= to that shorten, active                    */
    WITHY_LOAD_CHAMBER,     /* a hollow on from <= s <= to under pressure                        */
} withy_load_kind;

typedef struct withy_load {
    withy_load_kind kind;
    int follower;             /* 0: laboratory components, 1: material components, turning with the
                               * section                                                         */
    double from, to;          /* where                                        [m] 0 .. length    */
    withy_field force;        /* function of s and t, size 3                  [N/m] or [N]       */
    withy_field moment;       /* function of s and t, size 3                  [N] or [N m]       */
    withy_field route;        /* TENDON, MUSCLE, CHAMBER: (x1, x2)(s) in the section, size 2 [m] */
    withy_field tension;      /* TENDON: function of t, size 1                        [N]        */
    withy_field displacement; /* TENDON: length pulled in, instead of tension; f(t)   [m]        */
    const char *name;         /* TENDON: for `continues`; NULL: none                             */
    const char *continues;  /* TENDON: the name of one on another rod, which continues from its `to`
                               * to this one's `from`, straight in between where there is a gap, and
                               * is anchored at this one's `to`; instead of tension              */
    withy_field area;       /* MUSCLE, CHAMBER: of its section, function of s         [m^2] >= 0 */
    withy_field pressure;   /* CHAMBER: over that around it; f(t)                     [Pa]       */
    withy_field activation; /* MUSCLE: that asked for, function of s and t          [-] 0 .. 1   */
    double stress;     /* MUSCLE: of its fibres, fully active, at their length at rest [Pa] >= 0 */
    double rise, fall; /* MUSCLE: times in which its activation follows; 0: at once [s] >= 0 */
    double length_law; /* MUSCLE: width w of exp(-((lambda - 1)/w)^2); 0: any length [-] >= 0 */
    double
        fastest; /* MUSCLE: lengths at rest per time at which it pulls no more; 0: any [1/s] >= 0 */
    double velocity_shape; /* MUSCLE: k of Hill's law; 0: 0.25                       [-] >= 0   */
    int swells;            /* MUSCLE: 1: the section keeps its volume, which moves the route    */
    int across;            /* MUSCLE: 1: its fibres run across, and have no route               */
} withy_load;

/* A half space that pushes the axis of a rod back: force per length = stiffness * depth - damping * approach speed.
 * Scenes have it by floor.axis = true; without that their floor is a plane among the obstacles, which touches the
 * surface of rods.
 */
typedef struct withy_floor {
    int given;
    withy_vec3 point;  /* on the surface                                    [m]                  */
    withy_vec3 normal; /* out of the floor, unit                            [-]                  */
    double stiffness;  /* per length of rod                                 [N/m^2] > 0          */
    double damping;    /* per length of rod                                 [N s/m^2] >= 0       */
    int surface;       /* 1: the last obstacle is the floor of a scene; for messages             */
} withy_floor;

/* A frame that turns steadily, in which the whole description is given: ends, loads and shape turn with
 * it.  Equilibria and modes are those seen in it, with centrifugal and gyroscopic forces.  On a path the
 * square of the spin is multiplied by the load factor. */
typedef struct withy_rotating {
    int given;
    withy_vec3 spin;  /* angular velocity; gravity must be along it         [rad/s]              */
    withy_vec3 about; /* a point of the axis                                [m]                  */
} withy_rotating;

/* Velocity of a fluid at a place [m] and a time [s], into velocity [m/s].  Equal arguments give equal numbers. */
typedef withy_status (*withy_flow)(void *context, withy_vec3 at, double t, withy_vec3 *velocity,
                                   withy_error *err);

typedef enum withy_wave_kind {
    WITHY_WAVE_AIRY,    /* one regular wave of small height                                      */
    WITHY_WAVE_JONSWAP, /* an irregular sea: a sum of `components` of them                       */
} withy_wave_kind;

/* Of a wave, whose surface is at height cos(k x - omega t + phase)/2, x along its direction. */
typedef struct withy_wave {
    withy_wave_kind kind;
    double height;        /* from trough to crest; JONSWAP: significant                  [m] > 0  */
    double period;        /* JONSWAP: of the peak                                        [s] > 0  */
    double phase;         /* AIRY                                                        [rad]    */
    withy_vec3 direction; /* in which it moves, across gravity, any length               [-]      */
    double gamma;         /* JONSWAP: how much the peak is raised; 0: 3.3                [-] >= 0 */
    int components;       /* JONSWAP; 0: 64                                              [-] >= 0 */
    int seed;             /* JONSWAP: of the phases                                               */
    int wheeler;          /* 1: the profile over the depth is stretched to the surface            */
} withy_wave;

/* What surrounds the scene: water, or another fluid, and above its surface air.  It moves as given, and rods with `fluid`
 * feel it. */
typedef struct withy_medium {
    int given;
    double density;      /* rho                                         [kg/m^3] >= 0 */
    int has_surface;     /* 0: it is everywhere                                       */
    double surface;      /* height of the surface at rest, against gravity  [m]       */
    double depth;        /* of the fluid below it; 0: not given             [m] >= 0  */
    withy_field current; /* U, function of t, size 3; or                    [m/s]     */
    withy_flow flow;     /* U at a place and a time, or                     [m/s]     */
    void *context;       /* first argument of flow                                    */
    const double (*profile)
        [4]; /* [profile_count] height [m], increasing, and U there [m/s], straight in between */
    int profile_count;
    const withy_wave *wave; /* [wave_count], added to the current                        */
    int wave_count;
    double ramp;      /* current and waves grow from 0 in this time      [s] >= 0  */
    int local;        /* 1: acceleration of the fluid without its convective part  */
    double viscosity; /* of rods with viscous.wavelength                 [Pa s] >= 0  */
    double air;       /* density of what is above the surface        [kg/m^3] >= 0 */
    withy_field wind; /* its velocity, function of t, size 3             [m/s]     */
} withy_medium;

/* A magnetic field, the same everywhere, in which rods with `magnet` turn. */
typedef struct withy_magnetic {
    int given;
    withy_field value; /* B, function of t, size 3 [T] */
} withy_magnetic;

/* How added mass acts. */
typedef enum withy_added_inertia {
    WITHY_INERTIA_CONSERVING,   /* as momentum of its own, with its couple                        */
    WITHY_INERTIA_ACCELERATION, /* as a force against the acceleration, as in other programs      */
} withy_added_inertia;

/* How a rod feels the medium. */
typedef struct withy_fluid {
    int given;
    withy_field
        diameter;      /* d of drag, function of s; not given: of a round section        [m] > 0 */
    withy_field area;  /* of the fluid displaced, function of s; not given: pi d^2/4   [m^2] > 0 */
    double normal;     /* Cn of drag across, on d                                    [-] >= 0  */
    double tangential; /* Ct of drag along, on pi d                                  [-] >= 0  */
    double added_normal; /* Ca of added mass across                                    [-] >= 0  */
    double added_tangential; /* along                                                   [-] >= 0  */
    int inertia;             /* withy_added_inertia                                               */
} withy_fluid;

/* Resistance at low Reynolds numbers, linear in the velocity through the fluid. */
typedef struct withy_viscous {
    double normal; /* force per length and speed, across                        [N s/m^2] >= 0 */
    double
        tangential; /* along                                                     [N s/m^2] >= 0 */
    double spin;    /* moment per length and angular speed about the axis           [N s] >= 0  */
    double wavelength; /* instead of all these: they follow from medium.viscosity      [m] >= 0  */
    double diameter;   /* of the rod, for that; 0: of a round section                  [m] >= 0  */
    int massless;      /* 1: no inertia: the resistance balances all other forces                 */
} withy_viscous;

/* What the bending part of the damping acts on. */
typedef enum withy_damping_law {
    WITHY_DAMPING_OWN,      /* the law of the method: the strains; in elastica its own         */
    WITHY_DAMPING_STRAIN,   /* rate of the bending strains: a rigid rotation loses nothing      */
    WITHY_DAMPING_ELASTICA, /* rate of x'' in laboratory axes, [EL] (50)                        */
    WITHY_DAMPING_DISSERTATION /* rate of x'' - s kappa in laboratory axes, [KS] (4.7)             */
} withy_damping_law;

typedef enum withy_law_kind {
    WITHY_LAW_LINEAR,       /* stress = stiffness times strain                                   */
    WITHY_LAW_VISCOELASTIC, /* of it, shares that relax                                          */
    WITHY_LAW_PLASTIC,      /* a material that yields, on fibres of the section                  */
    WITHY_LAW_SUPERELASTIC, /* a material that transforms, on fibres of the section              */
    WITHY_LAW_YIELDING,     /* a section that yields as a whole                                  */
    WITHY_LAW_RUBBER,       /* an incompressible neo-Hookean material                            */
    WITHY_LAW_RIBBON,       /* a wide strip, a rectangle, whose cross-section curves             */
    WITHY_LAW_TABULATED,    /* moments and forces by tables                                      */
} withy_law_kind;

/* What relaxes: `share` of the stiffness at once, within `time`. */
typedef struct withy_relaxation {
    double share; /*                                                              [-] 0 < .. < 1  */
    double time;  /* exp(-t/time)                                                 [s] > 0         */
} withy_relaxation;

/* Of what share of the stiffness, and at t = 0 and in equilibria: has it relaxed, or just begun? */
enum { WITHY_OF_ALL, WITHY_OF_SHEAR };
enum { WITHY_AT_REST_RELAXED, WITHY_AT_REST_SUDDEN };
/* How the cross-section of a ribbon curves: evenly, or as that of a plate whose edges are free. */
enum { WITHY_RIBBON_SANO, WITHY_RIBBON_AUDOLY };

/* Rows { strain, force or moment }, straight in between; the first and last piece continue.  Without rows of negative strain
 * the same holds the other way round. */
typedef struct withy_curve {
    const double (*row)[2]; /* [row_count] strains increase, the others do not fall; 0 at 0    */
    int row_count;          /* 0: none                                                          */
} withy_curve;

/* The stiffness of a rod is that at once. */
typedef struct withy_law {
    withy_law_kind kind;
    const withy_relaxation *term; /* VISCOELASTIC: [term_count], shares below 1 in all           */
    int term_count;
    int of;       /* VISCOELASTIC: WITHY_OF_ALL; WITHY_OF_SHEAR: of shear and twist only          */
    int at_rest;  /* VISCOELASTIC: WITHY_AT_REST_RELAXED or _SUDDEN                               */
    int fibres;   /* PLASTIC, SUPERELASTIC: of a section, 8 .. 4096; 0: 128, rectangles 512       */
    int layers;   /* likewise of a rectangle: instead, layers that only bend about d1             */
    double yield; /* PLASTIC: yield stress                                       [Pa] > 0   */
    double hardening; /* PLASTIC: kinematic; YIELDING: share of the stiffness  [Pa], [-] >= 0   */
    double isotropic; /* PLASTIC: isotropic hardening                               [Pa] >= 0   */
    double forward;   /* SUPERELASTIC: stress at which the transformation begins     [Pa] > 0   */
    double reverse;   /* SUPERELASTIC: and at which it has gone back, < forward      [Pa] > 0   */
    double slope;     /* SUPERELASTIC: of both stresses with its strain             [Pa] >= 0   */
    double strain;    /* SUPERELASTIC: the largest of it                              [-] > 0   */
    int model;        /* RIBBON: WITHY_RIBBON_SANO or _AUDOLY                                     */
    withy_curve
        curve[WITHY_STRAINS]; /* TABULATED: in the order of strains; those without are linear   */
    withy_field limit[WITHY_STRAINS]; /* YIELDING: yield forces [N], moments [N m]; > 0; not given:
                                       * none; function of s allowed                             */
} withy_law;

/* Strains at rest of an active rod that follow the temperature: stretch + expansion T, bend1 + expansion T2,
 * bend2 - expansion T1. */
typedef struct withy_heat {
    double expansion; /* coefficient of thermal expansion                              [1/K] */
    withy_field temperature; /* T, over that of the rest shape, function of s and t    [K]   */
    withy_field gradient;    /* T1, T2 along d1 and d2, function of s and t, size 2    [K/m] */
} withy_heat;

typedef enum withy_rod_kind {
    WITHY_ROD,   /* resists shear, stretch, bending and twist                                     */
    WITHY_CABLE, /* resists stretch only: it has no frames, and bends and twists without force    */
} withy_rod_kind;

typedef struct withy_rod {
    const char *name;      /* for messages and result files                       */
    double length;         /* L    rest length                          [m] > 0   */
    withy_section section; /* with material: gives stiffness and inertia          */
    withy_material material;
    withy_field stiffness[WITHY_STRAINS]; /* GA1, GA2, EA [N]; EI1, EI2, GJ [N m^2]; > 0; infinite =
                                           * rigid; overrides section; function of s allowed     */
    withy_field inertia[WITHY_INERTIAS];  /* rho A [kg/m]; rho I1, rho I2, rho J [kg m]; > 0, >= 0;
                                           * overrides section; function of s allowed            */
    withy_field damping[WITHY_STRAINS];   /* Kelvin-Voigt: stress per strain rate [stiffness * s]
                                           * >= 0                                                */
    /* Rows of symmetric matrices [stiffness], [stiffness * s] in the order of strains, size 6 each, function of s
     * allowed; a stiffness with couplings, > 0, instead of `stiffness`; and a damping, >= 0, added to `damping`. */
    withy_field stiffness_matrix[WITHY_STRAINS];
    withy_field damping_matrix[WITHY_STRAINS];
    withy_law law;          /* what the section makes of its strains               */
    double damping_time;    /* adds damping_time * stiffness                [s] >= 0 */
    double drag_linear;     /* force per length and speed            [N s/m^2] >= 0 */
    double drag_quadratic;  /* force per length and speed squared  [N s^2/m^3] >= 0 */
    double drag_spin;       /* moment per length and angular speed     [N s] >= 0  */
    withy_fluid fluid;      /* how it feels the medium                             */
    withy_viscous viscous;  /* likewise, slowly                                    */
    double tension;         /* prescribed axial force in the initial state, in which the rod has
                             * its length; at rest it is shorter by 1 + T/EA       [N]    */
    withy_shape rest;       /* stress free; only its strains matter                */
    withy_heat heat;        /* what temperature adds to them                       */
    withy_shape initial;    /* at t = 0; not given: the rest shape                 */
    withy_field velocity;   /* v(s) at t = 0, size 3                       [m/s]   */
    withy_field spin;       /* angular velocity (s) at t = 0, laboratory  [rad/s]  */
    int settled;            /* 1: at t = 0 in equilibrium, found from the initial shape under the
                             * loads of t = 0 and those of pull, removed then      */
    const withy_load *pull; /* [pull_count]                                        */
    int pull_count;
    withy_end end[2];       /* start, finish                                       */
    const withy_load *load; /* [load_count]                                        */
    int load_count;
    int damping_law;    /* withy_damping_law: what the bending of damping damps                 */
    withy_field radius; /* r of its surface in contact, function of s allowed; not given: half the
                         * diameter of a round section                        [m] > 0            */
    int kind;           /* withy_rod_kind                                                        */
    int compression;    /* CABLE: 1: it bears pressure as well as tension, 0: it goes slack      */
    int closed;         /* 1: its end is its start, joined as the initial shape has them; that shape
                         * closes                                                                */
    withy_field magnet; /* magnetic moment per length, section frame, function of s, size 3 [A m] */
    double excess;      /* CLOSED: turns by which it is twisted more than its shapes say     [-] */
} withy_rod;

/* ---- bodies and joints: rods that meet -------------------------------------------------------- */

/* A force and a moment on a body. */
typedef struct withy_body_load {
    withy_vec3 at;      /* where the force acts, frame of the body, from its centre of mass  [m] */
    withy_field force;  /* function of t, size 3                                             [N] */
    withy_field moment; /* likewise                                                        [N m] */
    int follower;       /* 0: laboratory components, 1: of the frame of the body                 */
} withy_body_load;

typedef enum withy_body_shape {
    WITHY_BODY_ELLIPSOID, /* the ellipsoid with its mass and inertia; size is not read           */
    WITHY_BODY_SPHERE,    /* size[0]: diameter                                                   */
    WITHY_BODY_BOX,       /* size: along the axes of the frame                                   */
    WITHY_BODY_CYLINDER,  /* size[0]: diameter, size[1]: length, about the third axis            */
    WITHY_BODY_CAPSULE,   /* size[0]: diameter, size[1]: length with the caps, likewise          */
} withy_body_shape;

/* A rigid body. */
/* How a body feels the medium: the same in all directions, at its centre of mass. */
typedef struct withy_body_fluid {
    int given;
    double volume; /* of the fluid displaced                                     [m^3] > 0  */
    double area;   /* for drag                                                   [m^2] >= 0 */
    double drag;   /* its coefficient                                              [-] >= 0 */
    double added;  /* of added mass, on density times volume                       [-] >= 0 */
} withy_body_fluid;

typedef struct withy_body {
    const char *name;            /* for messages and result files; NULL: body, body2, ...        */
    double mass;                 /*                                                    [kg] > 0  */
    withy_vec3 inertia;          /* about the axes of its frame, through the centre of mass; none
                                  * more than the sum of the others                [kg m^2] > 0  */
    withy_vec3 position;         /* of the centre of mass at t = 0                     [m]       */
    withy_quat frame;            /* its axes at t = 0, unit; all 0: those of the laboratory  [-] */
    withy_vec3 velocity;         /* of the centre of mass at t = 0                     [m/s]     */
    withy_vec3 spin;             /* angular velocity at t = 0, laboratory              [rad/s]   */
    const withy_body_load *load; /* [load_count]                                                 */
    int load_count;
    withy_body_shape shape; /* in pictures, and where rods touch it                              */
    double size[3];         /*                                                        [m] >= 0   */
    withy_body_fluid fluid; /* how it feels the medium                                           */
} withy_body;

typedef enum withy_part_kind {
    WITHY_PART_ROD,
    WITHY_PART_BODY,
    WITHY_PART_GROUND, /* the laboratory, or a point that is moved in it                         */
} withy_part_kind;

/* One side of a joint: a place on a part. */
typedef struct withy_place {
    withy_part_kind part;
    int index;        /* of the rod or body, 0 .. count - 1                                      */
    double s;         /* ROD: where                                            [m] 0 .. length   */
    withy_vec3 at;    /* BODY: in its frame, from its centre of mass; GROUND: in space      [m]  */
    withy_field path; /* GROUND: instead of at, function of t, size 3; the ground never turns [m] */
} withy_place;

/* What each kind leaves free.  "One point": the two places coincide, which they must at t = 0 already. */
typedef enum withy_joint_kind {
    WITHY_JOINT_BALL,        /* one point; any turn                                              */
    WITHY_JOINT_WELD,        /* nothing: offset and relative rotation stay those of t = 0        */
    WITHY_JOINT_HINGE,       /* one point; a turn about axis                                     */
    WITHY_JOINT_UNIVERSAL,   /* one point; axis, fixed in the first part, and axis2, fixed in the
                              * second, stay orthogonal                                          */
    WITHY_JOINT_SLIDER,      /* the second place moves on the line along axis through the first  */
    WITHY_JOINT_CYLINDRICAL, /* likewise, and a turn about axis                                  */
    WITHY_JOINT_PLANAR,      /* the second place moves in the plane across axis through the first,
                              * and a turn about axis                                            */
    WITHY_JOINT_SPRING,      /* six springs, without stress as placed at t = 0                   */
    WITHY_JOINT_LINK,        /* the distance of the places is kept, or (spring > 0) sprung       */
} withy_joint_kind;

/* Two parts that meet.  Axes are laboratory vectors at t = 0, of any length, and then turn with the
 * parts (that of the ground does not).  Force, torque, angle and travel are those of the second part
 * relative to the first; angle and travel are 0 at t = 0. */
typedef struct withy_joint {
    const char *name;       /* for messages and result files; NULL: joint, joint2, ...           */
    withy_joint_kind kind;  /*                                                                   */
    withy_place place[2];   /* on the first and the second part                                  */
    withy_vec3 axis;        /* HINGE, UNIVERSAL, SLIDER, CYLINDRICAL, PLANAR              [-]    */
    withy_vec3 axis2;       /* UNIVERSAL: orthogonal to axis                              [-]    */
    double spring;          /* of the angle of a HINGE [N m/rad], of the travel of a SLIDER or of
                             * the length of a LINK [N/m]                                 >= 0   */
    double rest;            /* HINGE, SLIDER: angle [rad] or travel [m] without stress           */
    double damping;         /* goes with spring                     [N m s/rad], [N s/m]  >= 0   */
    int limited;            /* HINGE, SLIDER: 1: has limits                                      */
    double limit[2];        /* lowest <= 0 and highest >= 0                    [rad], [m]        */
    double limit_stiffness; /* of the one-sided springs beyond them    [N m/rad], [N/m]   > 0    */
    withy_field drive;      /* HINGE, SLIDER: the angle or travel, f(t), size 1     [rad], [m]   */
    withy_field effort;     /* HINGE, SLIDER: torque or force about or along axis on the second
                             * part, its opposite on the first; f(t), size 1        [N m], [N]   */
    double length;          /* LINK: its length, of a spring without stress; 0: as placed  [m]   */
    withy_vec3 stretch;     /* SPRING: along the axes of the first part: directors of a rod, frame
                             * of a body, laboratory axes                         [N/m] >= 0     */
    withy_vec3 turn;        /* SPRING: about them, times the sine of the angle [N m/rad] >= 0    */
    withy_vec3 stretch_damping; /* SPRING                                      [N s/m]   >= 0    */
    withy_vec3 turn_damping;    /* SPRING                                  [N m s/rad]   >= 0    */
} withy_joint;

/* ---- contact: rods that touch ---------------------------------------------------------------- */

/* Coefficients of Coulomb friction: of a surface that slides along d3 of the rod against it, and across. */
enum { WITHY_FORWARD, WITHY_BACK, WITHY_LATERAL, WITHY_FRICTIONS };

typedef enum withy_contact_law {
    WITHY_CONTACT_COMPLIANT, /* pushes back with stiffness times depth                           */
    WITHY_CONTACT_BARRIER,   /* pushes from `gap` on, without bound: surfaces never meet         */
} withy_contact_law;

/* Rods that do not pass through themselves, each other and bodies. */
typedef struct withy_contact {
    int given;             /* 0: rods pass through each other; obstacles act all the same        */
    int no_self;           /* 1: rods pass through themselves                                    */
    int no_rods;           /* 1: rods pass through other rods                                    */
    int no_bodies;         /* 1: rods pass through bodies; those without a shape always let them */
    withy_contact_law law; /*                                                                    */
    double stiffness;      /* k   force per depth and length of rod; 0: EA/(pi r^2)  [N/m^2] >= 0 */
    double pair;           /* K   of a contact of two rods; 0: stiffness times the smaller radius
                            *                                                        [N/m] >= 0  */
    double gap;            /* BARRIER: where it begins                               [m] > 0     */
    double friction[WITHY_FRICTIONS]; /* mu forward, back, lateral                   [-] >= 0    */
    double damping; /* c   the push grows by the factor 1 + c times the speed of approach
                     *                                                               [s/m] >= 0  */
    double exclude; /* arc length between two points of one rod that never touch each other; 0: pi
                     * times the radius                                              [m] >= 0    */
} withy_contact;

typedef enum withy_obstacle_kind {
    WITHY_OBSTACLE_PLANE,    /* a half space; `along`: out of it                                 */
    WITHY_OBSTACLE_SPHERE,   /* of `radius` about `point`                                        */
    WITHY_OBSTACLE_CYLINDER, /* of `radius` about the axis through `point`; of `length`, with
                              * `point` in its middle, or (0) without ends                       */
    WITHY_OBSTACLE_BOX,      /* of `size`, about `point`                                         */
    WITHY_OBSTACLE_CAPSULE,  /* a cylinder of `length` with its round caps, about `point`        */
    WITHY_OBSTACLE_MESH,     /* a closed surface of triangles                                    */
    WITHY_OBSTACLE_DISTANCE, /* a function                                                       */
} withy_obstacle_kind;

/* Signed distance of a place [m] from a surface, positive outside.  Like every function it returns equal
 * numbers for equal arguments. */
typedef withy_status (*withy_distance)(void *context, withy_vec3 at, double *distance,
                                       withy_error *err);

/* What rods touch: fixed, or moved without turning. */
typedef struct withy_obstacle {
    const char *name; /* for messages and result files; NULL: obstacle, obstacle2, ...           */
    withy_obstacle_kind kind;
    int inside;        /* SPHERE, CYLINDER, BOX, CAPSULE: 1: the rod is inside: a bowl, a tube   */
    withy_field point; /* where it is, function of t, size 3; not given: the origin   [m]        */
    withy_vec3 along;  /* PLANE: normal; CYLINDER, CAPSULE: axis; any length; zero: that of z [-] */
    withy_quat frame;  /* BOX, MESH, DISTANCE: its axes, unit; all 0: the laboratory's        [-] */
    double radius;     /* SPHERE, CYLINDER, CAPSULE                                   [m] > 0    */
    double length;     /* CYLINDER; CAPSULE: with the caps, at least 2 radius         [m] >= 0   */
    withy_vec3 size;   /* BOX: along its axes                                         [m] > 0    */
    const withy_vec3 *vertex; /* MESH: [vertex_count], in its axes, from `point`      [m]        */
    int vertex_count;
    const int (*triangle)[3]; /* MESH: [triangle_count] 0 .. vertex_count - 1, counterclockwise seen
                               * from outside                                                    */
    int triangle_count;
    withy_distance distance; /* DISTANCE: of a place in its axes, from `point`                   */
    void *context;           /* first argument of distance                                       */
    int own_friction;        /* 1: friction is its own; 0: that of the contact                   */
    double friction[WITHY_FRICTIONS]; /* mu forward, back, lateral                   [-] >= 0    */
    double stiffness; /* k   force per depth and length of rod; 0: that of the contact
                       *                                                             [N/m^2] >= 0 */
    int own_damping;  /* 1: damping is its own; 0: that of the contact                           */
    double damping;   /* c   as of the contact                                       [s/m] >= 0  */
} withy_obstacle;

/* ---- requests ------------------------------------------------------------------------------ */

enum { WITHY_NAME = 64 };

typedef enum withy_probe_of {
    WITHY_OF_ROD,
    WITHY_OF_BODY,
    WITHY_OF_JOINT,
    WITHY_OF_OBSTACLE,
    WITHY_OF_LEDGER,  /* a rod as a whole: its energies, momenta, reactions                     */
    WITHY_OF_BODIES,  /* all bodies, likewise; from here on: not of probes                      */
    WITHY_OF_JOINTS,  /* all joints                                                             */
    WITHY_OF_CONTACT, /* a place where a rod touches something                                  */
    WITHY_OF_KINDS,
} withy_probe_of;

/* A named record of one quantity at one point. */
typedef struct withy_probe {
    char name[WITHY_NAME];
    char what[WITHY_NAME]; /* a name from withy_quantity_list(of), e.g. "position"               */
    int rod;               /* 0 .. rod_count - 1; -1: WITHY_OF_LEDGER, the scene                 */
    double at;             /* s                                              [m] 0 .. length     */
    double every;          /* interval; 0: every step                        [s] >= 0            */
    withy_probe_of of;     /* what `what` belongs to: a rod, at `at`, or                         */
    int index;             /* a body, joint or obstacle, 0 .. count - 1                          */
} withy_probe;

typedef struct withy_request {
    int given;                /* 1: given in the scene, which may have a path only, or neither   */
    double stop;              /* last time                                     [s] > 0           */
    double output;            /* interval between snapshots                    [s] 0 < . <= stop
                               * Both 0, with given 0: there is nothing to run, and equilibria and
                               * modes are those of t = 0                                        */
    int stations;             /* equally spaced points per snapshot; 0: the method's own nodes   */
    const withy_probe *probe; /* [probe_count]                                                   */
    int probe_count;
} withy_request;

/* A static path: the load factor runs over [from, to]; loads, gravity and end forces that are
 * constant are multiplied by it, functions of time are evaluated at t = factor.  Without a path there
 * is one equilibrium, under factor 1 with functions of time at t = 0. */
typedef struct withy_path {
    int given;
    double from, to; /* first and last factor                                                    */
    int steps;       /* number of steps, >= 1 */
    int arc_length;  /* 1: follow the path through limit points                                  */
    const double *through; /* [through_count] instead of from and to: the path goes from the first
                            * of these factors to the last, in `steps` steps between two         */
    int through_count;     /* 0, or >= 2                                                         */
} withy_path;

typedef struct withy_problem {
    uint32_t layout; /* set by withy_problem_default(); do not touch.  Stays the first member    */
    const char *title;
    const withy_rod *rod; /* [rod_count]                                                         */
    int rod_count;
    const withy_joint *joint; /* [joint_count]                                                   */
    int joint_count;
    withy_vec3 gravity; /* g                                                      [m/s^2]       */
    withy_floor floor;
    withy_request request;
    withy_path path;
    const struct wy_model
        *model; /* compiled model of a problem read from a scene, shared by its copies;
                                   * NULL elsewhere; do not touch                                */
    withy_rotating rotating;
    const withy_body *body; /* [body_count]; with bodies there may be no rod                     */
    int body_count;
    withy_contact contact;
    const withy_obstacle *obstacle; /* [obstacle_count]                                          */
    int obstacle_count;
    withy_medium medium;
    withy_magnetic magnetic;
} withy_problem;

/* The six stiffnesses of the rod at s, from stiffness or from section and material; infinite where
 * none is given. */
WITHY_API withy_status withy_rod_stiffness(const withy_rod *rod, double s,
                                           double stiffness[WITHY_STRAINS], withy_error *err);

/* The sizes of all structs of a description in one number: it differs when any of them grows. */
#define WITHY_LAYOUT_MIX(hash, type) ((hash)*1000003u + (uint32_t)sizeof(type))
#define WITHY_LAYOUT_RODS                                                                          \
    WITHY_LAYOUT_MIX(                                                                              \
        WITHY_LAYOUT_MIX(                                                                          \
            WITHY_LAYOUT_MIX(                                                                      \
                WITHY_LAYOUT_MIX(WITHY_LAYOUT_MIX(0x77697468u, withy_problem), withy_rod),         \
                withy_end),                                                                        \
            withy_load),                                                                           \
        withy_shape)
#define WITHY_LAYOUT                                                                               \
    WITHY_LAYOUT_MIX(                                                                              \
        WITHY_LAYOUT_MIX(                                                                          \
            WITHY_LAYOUT_MIX(                                                                      \
                WITHY_LAYOUT_MIX(WITHY_LAYOUT_MIX(WITHY_LAYOUT_RODS, withy_joint), withy_probe),   \
                withy_body),                                                                       \
            withy_body_load),                                                                      \
        withy_obstacle)

/* Fill a rod or a problem of `size` bytes as described below, for a program that was compiled with
 * `layout`.  Where these are not the library's own, nothing but zeros and the layout is written, and
 * withy_problem_check refuses the problem. */
WITHY_API void withy_rod_fill(withy_rod *rod, size_t size);
WITHY_API void withy_problem_fill(withy_problem *problem, size_t size, uint32_t layout);

/* A valid rod and problem: a steel wire, 1 m long and 1 mm thick, clamped at the start, under no
 * load, for one second.  The problem borrows a static rod; replace it. */
static inline withy_rod withy_rod_default(void) {
    withy_rod rod;
    withy_rod_fill(&rod, sizeof rod);
    return rod;
}
static inline withy_problem withy_problem_default(void) {
    withy_problem problem;
    withy_problem_fill(&problem, sizeof problem, WITHY_LAYOUT);
    return problem;
}

/* A number that the author of a problem has given a name, so that it can be varied: `params { ... }` of a
 * scene (withy/scene.h), withy_study.parameter of a program.  Result files record it. */
typedef struct withy_parameter {
    char name[WITHY_NAME];
    double value;          /* as solved                                                          */
    double given;          /* as the author gave it                                              */
    double min, max;       /* closed range; -INFINITY, INFINITY: open                            */
    char unit[WITHY_NAME]; /* "" when not given                                                  */
    char doc[128];         /* one line, "" when not given                                        */
} withy_parameter;

/* Check every field; on failure err->text names the field, its value and the allowed range. */
WITHY_API withy_status withy_problem_check(const withy_problem *problem, withy_error *err);

/* Where surfaces overlap as the rods are drawn: the deepest place of each pair of parts. */
typedef struct withy_overlap {
    double depth;              /*                                            [m] > 0             */
    char text[4 * WITHY_NAME]; /* a message: which parts, where, how deep                       */
} withy_overlap;

/* Overlaps of rods with obstacles, of rods with rods (contact given), the deepest first: as many as there are,
 * of which at most `most` are written. */
WITHY_API withy_status withy_problem_overlaps(const withy_problem *problem, int most,
                                              withy_overlap *list, int *count, withy_error *err);

#ifdef __cplusplus
}
#endif
