/* contacts.h - rods that touch themselves, each other and obstacles: what the contact files of `director` share.
 *
 * The laws and the exact books are those of src/contact; here are the places (nodes of rods against obstacles, chords
 * between neighbouring nodes against each other), the history, and the linear system.
 *
 *   point     a node of a rod; all nodes of all rods are numbered through
 *   chord     the straight piece from point a to point a + 1 of the same rod, numbered as its first point
 *   wall      an obstacle, which may move without turning
 *   mark      what is left of a contact when a step is done, z above all: the history of friction
 */
#pragma once

#include "contact/contact.h"
#include "method/director/network.h"
#include "model/contact.h"

/* ---- the plan --------------------------------------------------------------------------------------- */

typedef struct wy_touch_point {
    int rod, node;
    double radius; /* r of the surface                                       [m]  */
    double share;  /* the length of rod it stands for                        [m]  */
    double mass;   /* and its mass                                           [kg] */
    double hard;   /* force per depth and length                          [N/m^2] */
} wy_touch_point;

typedef struct wy_touch_wall {
    wy_obstacle shape; /* at t = 0, in the coordinates of the model */
    double stiffness;  /* k; 0: that of the point                              [N/m^2] */
    double damping;
    double friction, forward, back; /* mu across and along the rod */
    int rubs, directed, moves;      /* is there friction, does it depend on the direction? */
} wy_touch_wall;

/* A body with a shape, in the axes of its cluster. */
typedef struct wy_touch_body {
    int cluster, body;
    wy_obstacle shape;
    double reach;     /* from the centre of the cluster                          [m] */
    int first, knobs; /* its knobs, counted after the points                         */
    double size;      /* half its smallest side                                  [m] */
    double apart;     /* points of its faces                                     [m] */
} wy_touch_body;

/* A point of a rod, or after them a knob of a body: a ball fixed in it, or one that slides on a straight piece of it.  The unit that
 * carries it is the node, numbered as the point, or after the points a cluster. */
typedef struct wy_touch_support {
    wy_support is; /* its size: the radius of a rod, half the smallest side of a body */
    int unit, of;  /* of: the body in plan.body, or -1 */
    wy_knob_kind kind;
    double mass; /* [kg] */
} wy_touch_support;

typedef struct wy_touch_plan {
    int walls, points;
    wy_touch_wall *wall;
    wy_touch_point *point;
    int *first; /* [rods + 1] the first point of each */
    int marks;  /* room for so many contacts in the state */
    double dt;  /* of the rule K_t = 2 m/dt^2 */
    const wy_contact_kind *law;
    double range;           /* from which on it pushes; 0: where surfaces meet              [m] */
    int rubs, damps, moves; /* is there friction, damping, a wall that moves? */
    double drawn; /* depth in a wall as it is drawn, of the radius, which a note tells; 0: none */

    /* rods that touch rods, else 0 */
    int pairs;                           /* 1: rods touch themselves or each other */
    int self, rods;                      /* themselves; each other */
    double stiffness, damping, friction; /* of a pair; stiffness 0: hard * r */
    double exclude; /* arc of one rod that does not touch itself; 0: pi r           [m] */
    int near;       /* room for so many pairs that are near each other                  */
    int *member;    /* [points] the copy that it is, or -1                              */
    int *block;     /* [points] in the skeleton                                         */
    int *joined;    /* [rods] equal: they hang together by joints                       */
    int plain;      /* 1: the pattern is the one without any pair                        */
    size_t values;  /* room for the matrix                                              */
    wy_grid grid;
    wy_blocks_room room;
    wy_blocks_spec pattern; /* of the skeleton, with the pairs that are always there */

    /* bodies */
    int bodies, knobs, clusters;
    int grips; /* points times bodies: grip k is of point k/bodies and body k % bodies; 0: rods do not touch them */
    wy_touch_body *body;
    wy_touch_support *support; /* [points + knobs] */
    char *never;               /* [grips] 1: they hang together there */
    char *meets;               /* [bodies][bodies] 1: the knobs of the first touch the second */
    int clashes;               /* 1: bodies touch bodies */
    int ties;    /* pairs that are near, then grips, then two bodies: what may couple units */
    double soft; /* of knobs at bodies, and at walls without a stiffness of their own [N/m^2] */
} wy_touch_plan;

/* ---- the state -------------------------------------------------------------------------------------- */

/* b < 0: point a touches wall -1 - b, or, from the number of walls on, a body; else chord a touches chord b > a.  From the
 * number of points on a is a knob, which touches walls and bodies: its targets. */
typedef struct wy_touch_mark {
    int32_t a, b;
    double s, t;      /* where along the chords: 0 .. 1                                    */
    double gap, push; /* at the end of the step; mean over it, as the force                */
    vec3 z;           /* stretch of the tangential spring                              [m] */
    vec3 force;       /* on the point, or on the first chord, friction included        [N] */
} wy_touch_mark;

/* Statics: the push that Newton's method expects of a contact, numbered as a mark. */
typedef struct wy_touch_expect {
    int32_t a, b;
    double push; /* > 0 [N] */
} wy_touch_expect;

/* Where a, b is in a list of `size` bytes each that begin with a and b, in their order; -1: it is not there. */
static inline int64_t wy_touch_place(const void *list, size_t size, int64_t count, int a, int b) {
    int64_t low = 0, high = count;
    while (low < high) {
        const int64_t middle = (low + high) / 2;
        const int32_t *key = (const void *)((const char *)list + (size_t)middle * size);
        if (key[0] < a || (key[0] == a && key[1] < b))
            low = middle + 1;
        else
            high = middle;
    }
    const int32_t *key = (const void *)((const char *)list + (size_t)low * size);
    return low < count && key[0] == a && key[1] == b ? low : -1;
}

/* Statics with friction: how far a point has moved and turned (Cayley vector) since the last equilibrium. */
typedef struct wy_touch_way_gone {
    vec3 dr, theta;
} wy_touch_way_gone;

/* What a note tells, the first time that it happens: point or first point of a chord, and its target. */
typedef struct wy_touch_event {
    int64_t is; /* 1: it has happened */
    int64_t a, target;
    double t, depth; /* [s], [m] */
} wy_touch_event;

typedef struct wy_touch_now {
    int64_t count;          /* marks, sorted by a, then b                     */
    double paired;          /* energy of the contacts of rods             [J] */
    double energy;          /* of the contacts                            [J] */
    double peak;            /* the largest of it in a motion              [J] */
    double stick;           /* of the tangential springs                  [J] */
    double lost;            /* by friction and damping                    [J] */
    double work;            /* of walls that move                         [J] */
    wy_touch_event deep;    /* a rod is pressed deep into a wall              */
    wy_touch_event between; /* something is between two nodes                 */
    int64_t crossed; /* statics: 1: rods have passed through each other on the way to this shape */
    double depth;    /* the largest so far, over the radii         [-] */
    int64_t rests;   /* 1: the marks are those of an equilibrium       */
    int64_t expects; /* statics: pushes that are expected; -1: none is known yet */
    uint64_t set;    /* statics: which contacts act in the last tangent */
    double clear;    /* nothing is touched before a node has moved so far; 0: not known [m] */
} wy_touch_now;

/* ---- the scratch ------------------------------------------------------------------------------------ */

/* Two chords that may touch in the step. */
typedef struct wy_touch_near {
    int32_t a, b;
    wy_contact_place before; /* at the start of the step               */
    vec3 z;
    double kept;     /* the most energy its spring may have         [J] */
    double expected; /* statics: its push; 0: none                  [N] */
} wy_touch_near;

typedef struct wy_touch_force {
    double f[6];
} wy_touch_force;

/* Of a step. */
typedef struct wy_touch_step {
    int count;   /* pairs that are near */
    int full;    /* 1: more than there is room for */
    int active;  /* contacts that push at the iterate */
    int grew;    /* 1: one of them is not in the pattern */
    int lost[2]; /* what passes through each other: two chords, or a point and -1 - wall */
} wy_touch_step;

/* ---- all -------------------------------------------------------------------------------------------- */

typedef struct wy_touch {
    wy_touch_plan plan;
    int idle;     /* 1: in this step nothing is near an obstacle */
    int noted[4]; /* 1: of now->deep, now->between, a single node, sliding; steps taken back take no
                   * note back */

    wy_touch_now *now;
    wy_touch_mark *mark;     /* [plan.marks] */
    vec3 *at;                /* [walls] how far they have moved since t = 0 */
    wy_touch_expect *expect; /* [plan.marks] sorted as marks */
    wy_touch_way_gone
        *gone; /* [points, then clusters], with friction: since the last equilibrium */

    vec3 *to;             /* [walls] the same at the end of the step */
    wy_touch_mark *fresh; /* [plan.marks] of the step just solved */
    wy_touch_step *step;
    wy_touch_near *near;  /* [plan.near] sorted by a, then b */
    wy_touch_near *other; /* [plan.near] to sort */
    vec3 *goes;           /* [points] the way that is expected of them */
    double *reach;        /* [points] how far from there they may end */
    wy_box *box;          /* [points] */
    int *list,
        *begin; /* [points] chords of the boxes; [points + 1] where the pairs of a chord are */
    wy_touch_force *force; /* [points, then clusters] of what couples two units */
    char *in;              /* [ties] 1: the pattern has its blocks */
} wy_touch;

/* Can rods or bodies touch each other? */
static inline int wy_network_pairs(const wy_network *net) {
    return net->touch && net->touch->plan.pairs;
}

/* ---- contact_make.c --------------------------------------------------------------------------------- */
int wy_touches(const withy_problem *problem); /* is there anything to touch? */
withy_status wy_touch_make(wy_network *net, withy_error *err);
const char *wy_touch_wrong(const wy_network *net); /* as wy_method.wrong */
void wy_touch_lay(wy_touch *touch, wy_block *state, wy_block *scratch);
/* plan->joined: bodies after the rods. */
withy_status wy_touch_joined(wy_network *net, wy_touch_plan *plan, withy_error *err);
void wy_touch_stay(wy_touch *touch);  /* nothing has moved since the last equilibrium */
void wy_touch_clear(wy_touch *touch); /* nothing has touched yet */
withy_status wy_touch_start(wy_network *net, withy_error *err);        /* at t = 0 */
withy_status wy_touch_at(wy_network *net, double t, withy_error *err); /* where walls are at t */
/* The mark of a contact of the last step, or NULL. */
const wy_touch_mark *wy_touch_find(const wy_touch *touch, int a, int b);
double wy_touch_expected(const wy_touch *touch, int a, int b); /* at rest: the push; 0: none */
/* The law of contact (a, b) of a step: at rest with the push that is expected of it. */
static inline wy_contact_law wy_touch_law(const wy_touch *touch, int dynamic, int a, int b,
                                          double stiffness, double damping) {
    wy_contact_law law = {touch->plan.law, stiffness, touch->plan.range, damping, 0, 0};
    law.mixed = !dynamic && touch->plan.law->linear;
    if (law.mixed) law.expected = wy_touch_expected(touch, a, b);
    return law;
}
/* K_t of what has the mass m and the normal stiffness k. */
static inline double wy_touch_stick(const wy_touch *touch, int dynamic, double m, double k) {
    return dynamic ? wy_min(2 * m / (touch->plan.dt * touch->plan.dt), k) : k;
}

/* ---- contact_idle.c --------------------------------------------------------------------------------- */
#define WY_TOUCH_CLEAR 1e100                      /* now->clear at most */
int wy_touch_may_idle(const wy_touch_plan *plan); /* 0: contact is looked for in every step */
void wy_touch_begin(wy_network *net);             /* a step: touch->idle */
/* Has the step just solved come near an obstacle, although that was thought impossible?  Then it is idle no longer. */
int wy_touch_woken(wy_network *net);
void wy_touch_pass(wy_network *net);             /* of a solved step: now->clear */
int wy_touch_is_clear(const wy_network *net);    /* 1: nothing of the state is near an obstacle */
int wy_touch_clear_wrong(const wy_network *net); /* 1: more than the state has */

/* ---- contact_support.c: supports and their targets --------------------------------------------------- */

/* A contact that there may be, numbered as a mark; near: of two chords, the pair. */
typedef struct wy_touch_slot {
    int a, b, near;
} wy_touch_slot;

/* Of a radius: an axis that comes closer passes through. */
static const double WY_TOUCH_THROUGH = 0.3;

/* Targets: walls, then bodies. */
static inline int wy_touch_targets(const wy_touch_plan *plan) {
    return plan->walls + plan->bodies;
}
static inline const wy_obstacle *wy_touch_shape(const wy_touch_plan *plan, int target) {
    return target < plan->walls ? &plan->wall[target].shape
                                : &plan->body[target - plan->walls].shape;
}
static inline double wy_touch_size(const wy_touch_plan *plan, int64_t a) {
    return plan->support[a].is.size;
}
/* A unit. */
static inline const wy_director_node *wy_touch_unit(const wy_network *net, int unit) {
    const wy_touch_plan *plan = &net->touch->plan;
    if (unit >= plan->points) return &net->hub.node[unit - plan->points];
    return &net->rod[plan->point[unit].rod].node[plan->point[unit].node];
}
static inline wy_director_next *wy_touch_unit_next(const wy_network *net, int unit) {
    const wy_touch_plan *plan = &net->touch->plan;
    if (unit >= plan->points) return &net->hub.next[unit - plan->points];
    return &net->rod[plan->point[unit].rod].next[plan->point[unit].node];
}
/* May they touch at all? */
int wy_touch_knob_meets(const wy_touch_plan *plan, int a, int target);
static inline int wy_touch_meets(const wy_touch *touch, int a, int target) {
    const wy_touch_plan *plan = &touch->plan;
    if (a >= plan->points) return wy_touch_knob_meets(plan, a, target);
    return target < plan->walls ||
           (plan->grips && !plan->never[a * plan->bodies + target - plan->walls]);
}
/* Before the first contact that there may be; the next one, in the order of marks; 0: there is none. */
wy_touch_slot wy_touch_slots(const wy_touch *touch);
int wy_touch_next(const wy_touch *touch, wy_touch_slot *at);

double wy_touch_stiffness(const wy_touch *touch, int a, int target);                 /* K */
double wy_touch_target_stick(const wy_touch *touch, int a, int target, int dynamic); /* K_t */
/* Are they so far from each other, in motion, that nothing needs to be looked up?  And of something that is at r, moves by dr,
 * and reaches so far. */
int wy_touch_far(const wy_network *net, int a, int target);
int wy_touch_far_wall(const wy_touch *touch, vec3 r, vec3 dr, double reach, int wall);
/* For forces, of the units of both; and over the step. */
void wy_touch_poses(const wy_network *net, int a, int target, wy_carrier at[2]);
wy_support_step wy_touch_over(const wy_network *net, int a, int target, const wy_carrier at[2]);
/* Nothing of a knob touches at either end of a step in time. */
int wy_touch_beyond(const wy_network *net, int a, int target, const wy_carrier at[2]);
wy_obstacle_step wy_touch_wall_step(const wy_director *x, int a, int wall); /* of a point */
/* The gap after a share of the changes, and how it grows with them; and that of the state, infinite where nothing acts. */
double wy_touch_target_gap(const wy_network *net, int a, int target, double share, double *grows);
double wy_touch_gap_now(const wy_network *net, int a, int target);
/* How deep a support may go, of which so much is left. */
double wy_touch_deepest(const wy_touch_plan *plan, double left, int a, int target);
/* The place of a support in the axes of a target, before the move or after it. */
vec3 wy_touch_seen(const wy_network *net, int a, int target, int plus);
int wy_touch_pierces(const wy_network *net, int a, int target); /* in the move */

/* ---- contact_push.c: forces of supports and targets --------------------------------------------------- */

/* What walls and pairs do to node j of a rod: residual b, and the tangent a of the walls. */
void wy_touch_node(const wy_director *x, int j, double a[6][6], double b[6]);
/* Of a cluster: what walls do to its knobs, and rods and bodies to its bodies. */
void wy_touch_cluster(const wy_network *net, int c, double a[6][6], double b[6]);
/* Minus what touches one body of the problem, as rows of its cluster, added: its welds carry it. */
void wy_touch_body_force(const wy_network *net, int body, double b[6]);
/* The tangent of a support and body b on their units, with a right side of zeros; 0: they do not push. */
int wy_touch_body_tangent(const wy_network *net, int a, int b, double m[12][13]);
/* The units of a tie, two on either side of two chords, else one: how many on a side; and of one with a body, the first of
 * its supports, the one after the last, and the body. */
int wy_touch_tie(const wy_network *net, int k, int unit[4]);
int wy_touch_tie_supports(const wy_touch_plan *plan, int k, int *to, int *body);
void wy_touch_push_bodies(wy_network *net); /* as wy_touch_push */

/* ---- contact_step.c: all contacts over a step --------------------------------------------------------- */

/* A contact over the step just solved. */
typedef struct wy_touch_entry {
    wy_contact_law law;
    double s, t;          /* as of a mark                                                      */
    double minus, plus;   /* gaps                                                          [m] */
    double size;          /* what depth is measured by                                     [m] */
    double stick;         /* K_t                                                         [N/m] */
    vec3 before;          /* z at the start                                                [m] */
    int acts;             /* 0: it does not push, and the rest is not looked at                */
    double push, lost;    /* N; what friction loses                                  [N], [J] */
    vec3 z, force, shift; /* at the end; on the support; motion of the wall                  */
} wy_touch_entry;

/* The gap of any contact after a share of the changes, and how it grows with them. */
double wy_touch_gap(const wy_network *net, const wy_touch_slot *at, double share, double *grows);
/* Refuses what is drawn too deep in something; notes the deepest of what is drawn in anything. */
withy_status wy_touch_drawn(wy_network *net, withy_error *err);
/* Of surfaces that never meet: the share of the changes after which no gap has fallen below a small part. */
double wy_touch_cut(const wy_network *net, double share);
/* Does a support pass through a target in the step just solved? */
int wy_touch_pierced(const wy_network *net, int lost[2]);
void wy_touch_energies(wy_network *net);
/* The marks of the step just solved; what it lost, and the work of walls. */
withy_status wy_touch_commit(wy_network *net, withy_error *err);
/* Refuses a function of the scene that says no number where the points are after the step. */
withy_status wy_touch_known(const wy_network *net, withy_error *err);

/* ---- contact_pair.c --------------------------------------------------------------------------------- */

/* How points move in the step: not at all, as in the step before, or as in the iterate. */
typedef enum wy_touch_way { WY_TOUCH_STAYS, WY_TOUCH_EXPECTED, WY_TOUCH_ITERATE } wy_touch_way;

/* Pairs that may touch in a step in which no point strays. */
withy_status wy_touch_search(wy_network *net, wy_touch_way way, withy_error *err);
int wy_touch_strayed(const wy_network *net); /* does one, in the iterate? */
/* Forces of all pairs at the iterate; step->active, step->grew. */
void wy_touch_push(wy_network *net);
/* The tangent of pair k at the iterate on its four points, m[24][25] with a right side of zeros; 0: it does not push. */
int wy_touch_tangent(const wy_network *net, int k, int point[4], double m[24][25]);
/* Do rods pass through each other in the step just solved? */
int wy_touch_crossed(const wy_network *net, int lost[2]);
/* The four points of two chords. */
void wy_touch_corners(const wy_network *net, int a, int b, int plus, vec3 x[WY_PAIR_POINTS]);
double wy_touch_pair_gap(const wy_network *net, const wy_touch_near *near, double share,
                         double *grows);
/* The gap at the start of the step, and what depth is measured by. */
double wy_touch_pair_before(const wy_network *net, const wy_touch_near *near, double *radius);
double wy_touch_pair_stiffness(const wy_network *net, const wy_touch_near *near);
int wy_touch_pair_entry(const wy_network *net, const wy_touch_near *near, wy_touch_entry *entry);
/* K_t of any contact. */
double wy_touch_mark_stick(const wy_network *net, const wy_touch_mark *mark, int dynamic);
/* Books what the springs of the last step had and those that began this one have not. */
void wy_touch_drop(wy_network *net);
double wy_touch_paired(const wy_network *net); /* energy of the pairs at the iterate */

/* ---- contact_body.c: bodies ------------------------------------------------------------------------- */
withy_status wy_touch_bodies_make(wy_network *net, withy_error *err); /* clusters are known */

/* ---- contact_told.c: what is told ---------------------------------------------------------------------- */

/* "rods[1]" or "bodies[1]", "obstacles[2]" or "bodies[2]", " at s = 0.2" or "", and what wy_touch_size is. */
typedef struct wy_touch_names {
    char who[32], whom[32], where[32];
    const char *size;
} wy_touch_names;
void wy_touch_name(const wy_network *net, int a, int target, wy_touch_names *out);
/* "rods[1] at s = 0.2 and rods[2] at s = 0.3" */
enum { WY_TOUCH_WORDS = 128 };
const char *wy_touch_words(const wy_network *net, const int lost[2], char *text, size_t size);

/* Notes that something so thin fits between two nodes of a rod: `where` is obstacles or bodies. 1: it does. */
int wy_touch_tell_small(const wy_network *net, const wy_obstacle *shape, const char *where,
                        int index);
/* Of the step just solved with so many fresh marks: what is to be told. */
void wy_touch_see(const wy_network *net, int count);
void wy_touch_tell(const wy_network *net); /* once */
/* Statics: the next place in `expect` after `last` where a rod touches a wall or a body with one node and not with those
 * beside it; -1: there is none. */
int wy_touch_single(const wy_network *net, int last);
/* Notes, once, that such a node is not where the rod is nearest. */
void wy_touch_tell_off(const wy_network *net, double factor);

/* ---- contact_sample.c ------------------------------------------------------------------------------- */
/* Arc length of a place on the chord that begins with the point. */
double wy_touch_arc(const wy_network *net, int point, double share);
void wy_touch_sample(const wy_network *net, int rod, withy_snapshot *snap);
void wy_touch_sample_parts(const wy_network *net, withy_parts *parts);

/* ---- contact_still.c: statics ------------------------------------------------------------------------- */

/* Pairs at the present shape: their forces, and the order of the equations. */
withy_status wy_touch_still(wy_network *net, withy_error *err);
/* The shape moves by the increments of the iterate: does anything pass through on the way? */
withy_status wy_touch_moves(wy_network *net, withy_error *err);
/* Before the shape moves by this share of the changes: what contacts are expected to push then; 0: what they push now. */
void wy_touch_expect_pushes(wy_network *net, double share);
/* After it has moved: how far since the last equilibrium. */
void wy_touch_go(wy_network *net);
/* Do other contacts act now than in the last tangent? */
int wy_touch_switched(wy_network *net);
/* u^T K u of the pairs and the changes u of their points. */
double wy_touch_quotient(const wy_network *net, double *terms);
/* A right side in the changes of the nodes, in net->side. */
void wy_touch_side(wy_network *net);

/* ---- contact_solve.c: the skeleton with all nodes ----------------------------------------------------- */

/* Block rows of the nodes, and the blocks of the elements: after those of clusters and joints. */
withy_status wy_touch_pattern(wy_network *net, const wy_blocks_spec *spec, withy_error *err);
/* The pattern with the pairs that push. */
withy_status wy_touch_order(wy_network *net, withy_error *err);
void wy_touch_element(wy_network *net, int rod, int e);
void wy_touch_fill(wy_network *net); /* the tangent of the pairs, and held rows */
void wy_touch_spread(wy_network *net);
