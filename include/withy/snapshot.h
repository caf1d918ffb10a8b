/* withy/snapshot.h - the state of one rod at one time, the same for every method.
 *
 * Arrays have `count` entries, one per station.  The bits of `have` mark the fields that are filled;
 * a field whose bit is not set is not written to any file.  n and m are what the part of larger s exerts on
 * the part of smaller s.
 */
#pragma once

#include "withy/problem.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    WITHY_HAVE_POSITION = 1 << 0,
    WITHY_HAVE_FRAME = 1 << 1,
    WITHY_HAVE_VELOCITY = 1 << 2,
    WITHY_HAVE_SPIN = 1 << 3,
    WITHY_HAVE_SHEAR = 1 << 4,
    WITHY_HAVE_BEND = 1 << 5,
    WITHY_HAVE_FORCE = 1 << 6,
    WITHY_HAVE_MOMENT = 1 << 7,
    WITHY_HAVE_ENERGY = 1 << 8,      /* the energies by kind                                     */
    WITHY_HAVE_CONSERVED = 1 << 9,   /* energy balance since t = 0: energy - work + losses       */
    WITHY_HAVE_MOMENTUM = 1 << 10,   /* linear and angular momentum                              */
    WITHY_HAVE_CONSTRAINT = 1 << 11, /* constraint violation                                     */
    WITHY_HAVE_REACTION = 1 << 12,   /* forces at the ends                                       */
    WITHY_HAVE_REACTION_MOMENT = 1 << 13,
    WITHY_HAVE_WORK = 1 << 14,       /* work and dissipation since t = 0                         */
    WITHY_HAVE_KAPPA = 1 << 15,      /* natural curvature carried by the sections                */
    WITHY_HAVE_MULTIPLIER = 1 << 16, /* of |x'| = 1 and of a section across x'                   */
    WITHY_HAVE_MULTIPLIER_FRAME = 1 << 17, /* of unit directors at right angles                  */
    WITHY_HAVE_MODE = 1 << 18,       /* a mode: damping, growth, kind, imaginary parts           */
    WITHY_HAVE_MODE_ERROR = 1 << 19, /* errors of its numbers                                    */
    WITHY_HAVE_STABILITY = 1 << 20,  /* an equilibrium: its unstable and neutral directions      */
    WITHY_HAVE_CONTACT = 1 << 21,    /* what touches the rod                                     */
    WITHY_HAVE_PLASTIC = 1 << 22,    /* how far the material has yielded                         */
    WITHY_HAVE_FLUID = 1 << 23,      /* the medium around the rod                                */
    WITHY_HAVE_ACTIVE = 1 << 24,     /* what a rod that acts puts in                             */
    WITHY_HAVE_FOUND = 1 << 25, /* the first of the quantities that follow from others; the next
                                 * have the bits above                                           */
    WITHY_HAVE_LINK = 1 << 30,  /* link, link_twist, writhe                                      */
};
enum { WITHY_FOUND = 6 }; /* so many at most */

typedef struct withy_energies {
    double kinetic; /* [J] */
    double shear;   /* [J] */
    double stretch; /* [J] */
    double bend;    /* [J] */
    double twist;   /* [J] */
    double gravity; /* -integral of rho A g . (r - r0), r0: where the first rod starts at t = 0
                     *                                                                      [J] */
} withy_energies;

/* Of a mode, whose frequency is the time of its snapshot, displacements are the velocities and rotations the
 * spins; and of an equilibrium. */
typedef struct withy_vibration {
    double damping;         /* ratio: 1 overdamped, negative unstable                       [-] */
    double growth;          /* re(lambda): > 0 unstable                                   [1/s] */
    double frequency_error; /* infinite: not known                                         [Hz] */
    double damping_error;   /*                                                              [-] */
    double growth_error;    /*                                                            [1/s] */
    int kind;               /* withy_mode_kind                                                  */
    int unstable;           /* directions; -1: not known                                        */
    int neutral;            /* directions in which nothing resists                              */
} withy_vibration;

/* What a rod that acts puts in since t = 0: each is a part of `work`. */
typedef struct withy_active_work {
    double rest;     /* strains at rest that change                                         [J] */
    double muscle;   /* muscles                                                             [J] */
    double pressure; /* chambers                                                            [J] */
} withy_active_work;

/* In a network of rods, bodies and joints, work and loss of bodies and joints are with the first rod;
 * conserved, momenta and constraint are of the whole, in the snapshot of every rod. */
typedef struct withy_snapshot {
    double t;     /* time, or load factor                                                  [s] */
    int64_t step; /* steps since the start                                                     */
    int count;    /* stations                                                                  */
    unsigned
        requested; /* WITHY_HAVE_ bits the caller will read; a method may skip the others       */
    unsigned have; /* WITHY_HAVE_ bits that are filled                                          */

    double *s;            /* arc length                              [count]                [m] */
    withy_vec3 *position; /* r                                       [count]                [m] */
    withy_quat *frame;    /* q, material to laboratory               [count]                [-] */
    withy_vec3 *velocity; /* v                                       [count]              [m/s] */
    withy_vec3 *spin;     /* angular velocity, laboratory            [count]            [rad/s] */
    withy_vec3 *shear;    /* (shear1, shear2, stretch) minus rest    [count]                [-] */
    withy_vec3 *bend;     /* (bend1, bend2, twist) minus rest        [count]              [1/m] */
    withy_vec3 *force;    /* n, laboratory                           [count]                [N] */
    withy_vec3 *moment;   /* m, laboratory                           [count]              [N m] */

    withy_energies energy;
    double conserved;              /* energy - work + dissipated, as the method has it      [J] */
    double conserved_at;           /* the time it belongs to (half a step back in some)     [s] */
    double work;                   /* done on the rod by loads and driven ends since t = 0  [J] */
    double dissipated;             /* lost to damping and yielding since t = 0              [J] */
    withy_active_work active;      /* of the work                                               */
    withy_vec3 momentum;           /* linear                                           [kg m/s] */
    withy_vec3 angular_momentum;   /* about the laboratory origin                    [kg m^2/s] */
    double constraint;             /* largest violation of the method's constraints         [-] */
    withy_vec3 reaction[2];        /* force of the support on the rod, start and finish     [N] */
    withy_vec3 reaction_moment[2]; /* moment likewise                                     [N m] */
    int iterations;                /* of the solver in the last step                            */

    withy_vec3 *kappa; /* x'' of the rest shape, carried by the section, laboratory [count] [1/m] */
    /* Multipliers of the constraints at the last balance solved, up to one step back: alpha > 0 pulls. */
    withy_vec3 *multiplier; /* (beta1, beta2, alpha) of no shear1, shear2, stretch  [count]   [N] */
    withy_vec3 *multiplier_frame; /* (a11, a12, a22) of d1.d1, d1.d2, d2.d2         [count]   [N] */

    withy_vec3 *shift_im;      /* of a mode: imaginary part of the displacement     [count]   [m] */
    withy_vec3 *turn_im;       /* and of the rotation, laboratory                   [count]   [-] */
    withy_vibration vibration; /* numbers of a mode, or of an equilibrium                         */

    withy_vec3
        *contact;    /* force per length of what touches the rod, mean over the last step, friction
                          * included, laboratory                                    [count] [N/m] */
    double *plastic; /* largest equivalent plastic strain, or strain of the transformation, of the
                      * fibres of the section                                 [count]   [-] */
    withy_vec3 *fluid; /* velocity of the medium at the axis                 [count] [m/s]       */
    withy_vec3 *drag;  /* of the medium, per length, laboratory              [count] [N/m]       */
    double *wet;       /* part of the section that is in it                  [count] [-]         */
    double *found[WITHY_FOUND]; /* what follows from the above, tension and stress: arrays
                                 * [count][size], see withy_quantity_at                          */
    double
        contact_energy;  /* of contacts and of what sticks; with the first rod                [J] */
    double contact_loss; /* to friction and damping of contacts since t = 0; likewise         [J] */
    double contact_depth; /* largest overlap since t = 0 over the radius of the rod, of a body over
                          * half its smallest side; of the whole network, with every rod    [-] */
    double link; /* of a closed rod: excess link, its link less the turns of its rest shape [-] */
    double
        link_twist; /* turns of its sections more than at rest                              [-] */
    double writhe;  /* what is left of its excess link                                      [-] */
} withy_snapshot;

/* ---- bodies, joints, obstacles and contacts --------------------------------------------------- */

typedef struct withy_body_state {
    withy_vec3 position; /* of the centre of mass                                           [m] */
    withy_quat frame;    /* q, frame of the body to laboratory                              [-] */
    withy_vec3 velocity; /* of the centre of mass                                         [m/s] */
    withy_vec3 spin;     /* angular velocity, laboratory                                [rad/s] */
} withy_body_state;

/* Force and torque are what the first part exerts on the second through the joint (constraints, springs,
 * dampers, limits and drives together), reduced to the second place. */
typedef struct withy_joint_state {
    withy_vec3 place[2]; /* where its two places are                                        [m] */
    withy_vec3 axis;     /* unit, as it is now, where the kind has one; else 0              [-] */
    withy_vec3 force;    /* laboratory                                                      [N] */
    withy_vec3 torque;   /* laboratory                                                    [N m] */
    double angle;        /* of a hinge or cylindrical joint, with its turns; else 0       [rad] */
    double travel; /* of a slider or cylindrical joint; link: length less that of t = 0; else 0
                          *                                                                 [m] */
} withy_joint_state;

typedef struct withy_obstacle_state {
    withy_vec3 position; /* where its point or centre is                                    [m] */
    withy_vec3 force;    /* of all rods and bodies on it, mean over the last step, laboratory [N] */
    double depth;        /* largest overlap with a rod or body, >= 0                        [m] */
    double touches;      /* number of places where rods and bodies touch it                 [-] */
} withy_obstacle_state;

/* A place where a rod touches another, itself or an obstacle; forces are means over the last step. */
typedef struct withy_contact_state {
    double t;            /* time, or load factor                                            [s] */
    int rod;             /* which                                                               */
    int of, index;       /* what it touches: WITHY_OF_ROD, WITHY_OF_BODY or WITHY_OF_OBSTACLE   */
    double s, s2;        /* where on the rod, and on the other rod                          [m] */
    double gap;          /* of the surfaces, < 0: they overlap                              [m] */
    double push;         /* normal force, >= 0                                              [N] */
    double friction;     /* size of the tangential force, >= 0                              [N] */
    withy_vec3 force;    /* on the rod, friction included, laboratory                       [N] */
    withy_vec3 position; /* of the axis of the rod there                                    [m] */
} withy_contact_state;

/* All bodies, joints, obstacles and contacts at one time. */
typedef struct withy_parts {
    double t;     /* time, or load factor                                                   [s] */
    int64_t step; /* steps since the start                                                      */
    int body_count, joint_count;
    withy_body_state *body;   /* [body_count]                                                   */
    withy_joint_state *joint; /* [joint_count]                                                  */
    double kinetic;           /* of the bodies                                              [J] */
    double gravity;           /* of the bodies: -m g . (r - r0), r0: as in withy_energies   [J] */
    double springs;           /* of the springs and limits of the joints                    [J] */
    int obstacle_count;
    withy_obstacle_state *obstacle;  /* [obstacle_count]                                         */
    int contact_count, contact_room; /* contacts, and for how many there is room                 */
    withy_contact_state *contacts;   /* [touch_count]                                            */
} withy_parts;

/* ---- quantities ------------------------------------------------------------------------------- */

/* A row of the one list of all that results hold: "position" of the stations of a rod, "torque" of a joint, "kinetic" of a
 * rod as a whole.  Its spelling is the same in probes, files, plots, sweeps, fits and designs. */
typedef struct withy_quantity {
    const char *name, *unit, *doc; /* unit: SI                                                  */
    const char *components; /* their names in tables, with spaces between; NULL: NAME_x, ...    */
    withy_probe_of of;      /* what it belongs to                                               */
    int size;               /* numbers: 1, 3 or 4                                               */
    int whole;              /* 1: an int in its struct                                          */
    int summed;             /* 1: a scene has the sum of its rods and bodies, 0: it is that of the
                             * first rod, in whose snapshot numbers of the whole scene are      */
    unsigned have;          /* WITHY_HAVE_ bits that must be set                                */
    unsigned needs;         /* WITHY_HAVE_ bits of what it follows from; 0: of nothing          */
    size_t offset;          /* in the struct of its kind; of the array pointer in withy_snapshot
                             * where it belongs to the stations of a rod                        */
} withy_quantity;

/* Those of one kind (withy_probe_of); NULL: there is no such kind. */
WITHY_API const withy_quantity *withy_quantity_list(int of, int *count);
WITHY_API const withy_quantity *withy_quantity_find(int of, const char *name);

/* The numbers of a quantity of WITHY_OF_ROD at one station: quantity->size doubles, or NULL if not filled. */
WITHY_API const double *withy_quantity_at(const withy_quantity *quantity,
                                          const withy_snapshot *snapshot, int station);
/* Those of body, joint, obstacle or contact `index`, or of all bodies or joints: index 0. */
WITHY_API const double *withy_quantity_of_part(const withy_quantity *quantity,
                                               const withy_parts *parts, int index);
/* ---- numbers by name -----------------------------------------------------------------------------
 *
 *   [ROD.]PLACE[.QUANTITY]   at a place of a rod: start, middle, finish or s=0.2; position where no quantity is named
 *   PART[.QUANTITY]          of a body or an obstacle: position; of a joint: force
 *   [ROD.]ENTRY              of a rod as a whole: kinetic, reaction_start; where no rod is named: of the scene
 *   force.start, force.finish, moment.start, moment.finish    short for reaction_start, ..., reaction_moment_finish
 *
 * and after each .COMPONENT: x, y, z, norm, shear1, or its number from 1.  ROD and PART are names, or rod2, joint1.
 */
typedef struct withy_names {
    const void *context;
    /* The name of rod, body, joint or obstacle `index` (WITHY_OF_ROD, ...); NULL past the last. */
    const char *(*name)(const void *context, int of, int index);
    double (*length)(const void *context, int rod); /*                                      [m] */
} withy_names;

enum { WITHY_COMPONENTS = -1, WITHY_NORM = -2 };

typedef struct withy_number {
    withy_probe at; /* what, and of which: rod -1: of the scene                                 */
    const withy_quantity *quantity;
    int component; /* from 0; WITHY_COMPONENTS: all, WITHY_NORM: their length                   */
} withy_number;

/* 0: there is no such number. */
WITHY_API int withy_number_find(const withy_names *names, const char *text, withy_number *number);
/* "x" or ".x"; "" is WITHY_COMPONENTS.  Returns 0 when the quantity has no such component. */
WITHY_API int withy_component_find(const withy_quantity *quantity, const char *text,
                                   int *component);
/* The chosen one of quantity->size numbers; of WITHY_COMPONENTS the first. */
WITHY_API double withy_component_of(const withy_quantity *quantity, int component,
                                    const double *value);
/* The name of a component: "x", "shear1"; "" of a single number.  Returns `name`. */
WITHY_API const char *withy_quantity_component(const withy_quantity *quantity, int component,
                                               char *name, size_t size);

#ifdef __cplusplus
}
#endif
