/* contacts.h - rods that touch themselves, each other and obstacles: what the contact files of `director` share.
 *
 * The laws and the exact energy balance are those of src/contact; here are the places (nodes of rods against obstacles, chords
 * between neighbouring nodes against each other), the history, and the linear system.
 *
 *   point     a node of a rod; all nodes of all rods are numbered through
 *   chord     the straight piece from point a to point a + 1 of the same rod, numbered as its first point
 *   obstacle      an obstacle, which may move without turning
 *   mark      what is left of a contact when a step is done, z above all: the history of friction
 */
#pragma once

#include "contact/contact.h"
#include "method/director/network.h"
#include "model/contact.h"

/* ---- the plan --------------------------------------------------------------------------------------- */

typedef struct wy_contacts_point {
    int rod, node;
    double radius; /* r of the surface                                       [m]  */
    double share;  /* the length of rod it stands for                        [m]  */
    double mass;   /* and its mass                                           [kg] */
    double hard;   /* force per depth and length                          [N/m^2] */
} wy_contacts_point;

typedef struct wy_contacts_obstacle {
    wy_obstacle shape; /* at t = 0, in the coordinates of the model */
    double stiffness;  /* k; 0: that of the point                              [N/m^2] */
    double damping;
    double friction, forward, back;    /* mu across and along the rod */
    int has_friction, directed, moves; /* is there friction, does it depend on the direction? */
} wy_contacts_obstacle;

/* A body with a shape, in the axes of its rigid group. */
typedef struct wy_contacts_body {
    int rigid_group, body;
    wy_obstacle shape;
    double reach;           /* from the centre of the rigid group                          [m] */
    int first, body_points; /* its body points, counted after the points                         */
    double size;            /* half its smallest side                                  [m] */
    double apart;           /* points of its faces                                     [m] */
} wy_contacts_body;

/* A point of a rod, or after them a body point of a body: a ball fixed in it, or one that slides on a straight piece of it.  The unit that
 * carries it is the node, numbered as the point, or after the points a rigid group. */
typedef struct wy_contacts_support {
    wy_support is; /* its size: the radius of a rod, half the smallest side of a body */
    int unit, of;  /* of: the body in plan.body, or -1 */
    wy_body_point_kind kind;
    double mass; /* [kg] */
} wy_contacts_support;

typedef struct wy_contacts_plan {
    int obstacles, points;
    wy_contacts_obstacle *obstacle;
    wy_contacts_point *point;
    int *first;  /* [rods + 1] the first point of each */
    int records; /* room for so many contacts in the state */
    double dt;   /* of the rule K_t = 2 m/dt^2 */
    const wy_contact_kind *law;
    double range; /* from which on it pushes; 0: where surfaces meet              [m] */
    int has_friction, damps, moves; /* is there friction, damping, an obstacle that moves? */
    double
        drawn; /* depth in an obstacle as it is drawn, of the radius, which a note tells; 0: none */

    /* rods that touch rods, else 0 */
    int pairs;                           /* 1: rods touch themselves or each other */
    int self, rods;                      /* themselves; each other */
    double stiffness, damping, friction; /* of a pair; stiffness 0: hard * r */
    double exclude; /* arc of one rod that does not touch itself; 0: pi r           [m] */
    int near;       /* room for so many pairs that are near each other                  */
    int *member;    /* [points] the copy that it is, or -1                              */
    int *block;     /* [points] in the reduced system                                         */
    int *joined;    /* [rods] equal: they hang together by joints                       */
    int plain;      /* 1: the pattern is the one without any pair                        */
    size_t values;  /* room for the matrix                                              */
    wy_grid grid;
    wy_blocks_room room;
    wy_blocks_spec pattern; /* of the reduced system, with the pairs that are always there */

    /* bodies */
    int bodies, body_points, rigid_groups;
    int body_pairs; /* points times bodies: pair k is of point k/bodies and body k % bodies; 0: rods do not touch them */
    wy_contacts_body *body;
    wy_contacts_support *support; /* [points + body points] */
    char *never;                  /* [pairs of point and body] 1: they hang together there */
    char *meets;      /* [bodies][bodies] 1: the body points of the first touch the second */
    int bodies_touch; /* 1: bodies touch bodies */
    int ties; /* pairs that are near, then pairs of point and body, then two bodies: what may couple units */
    double
        soft; /* of body points at bodies, and at obstacles without a stiffness of their own [N/m^2] */
} wy_contacts_plan;

/* ---- the state -------------------------------------------------------------------------------------- */

/* b < 0: point a touches obstacle -1 - b, or, from the number of obstacles on, a body; else chord a touches chord b > a.  From the
 * number of points on a is a body point, which touches obstacles and bodies: its targets. */
typedef struct wy_contacts_record {
    int32_t a, b;
    double s, t;      /* where along the chords: 0 .. 1                                    */
    double gap, push; /* at the end of the step; mean over it, as the force                */
    vec3 z;           /* stretch of the tangential spring                              [m] */
    vec3 force;       /* on the point, or on the first chord, friction included        [N] */
} wy_contacts_record;

/* Statics: the push that Newton's method expects of a contact, numbered as a mark. */
typedef struct wy_contacts_expect {
    int32_t a, b;
    double push; /* > 0 [N] */
} wy_contacts_expect;

/* Where a, b is in a list of `size` bytes each that begin with a and b, in their order; -1: it is not there. */
static inline int64_t wy_contacts_place(const void *list, size_t size, int64_t count, int a,
                                        int b) {
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
typedef struct wy_contacts_slip {
    vec3 dr, theta;
} wy_contacts_slip;

/* What a note tells, the first time that it happens: point or first point of a chord, and its target. */
typedef struct wy_contacts_event {
    int64_t is; /* 1: it has happened */
    int64_t a, target;
    double t, depth; /* [s], [m] */
} wy_contacts_event;

typedef struct wy_contacts_now {
    int64_t count;             /* records, sorted by a, then b                     */
    double paired;             /* energy of the contacts of rods             [J] */
    double energy;             /* of the contacts                            [J] */
    double peak;               /* the largest of it in a motion              [J] */
    double stick;              /* of the tangential springs                  [J] */
    double lost;               /* by friction and damping                    [J] */
    double work;               /* of obstacles that move                         [J] */
    wy_contacts_event deep;    /* a rod is pressed deep into an obstacle              */
    wy_contacts_event between; /* something is between two nodes                 */
    int64_t crossed; /* statics: 1: rods have passed through each other on the way to this shape */
    double depth;    /* the largest so far, over the radii         [-] */
    int64_t rests;   /* 1: the records are those of an equilibrium       */
    int64_t expects; /* statics: pushes that are expected; -1: none is known yet */
    uint64_t set;    /* statics: which contacts act in the last tangent */
    double clear;    /* nothing is touched before a node has moved so far; 0: not known [m] */
} wy_contacts_now;

/* ---- the scratch ------------------------------------------------------------------------------------ */

/* Two chords that may touch in the step. */
typedef struct wy_contacts_near {
    int32_t a, b;
    wy_contact_place before; /* at the start of the step               */
    vec3 z;
    double kept;     /* the most energy its spring may have         [J] */
    double expected; /* statics: its push; 0: none                  [N] */
} wy_contacts_near;

typedef struct wy_contacts_force {
    double f[6];
} wy_contacts_force;

/* Of a step. */
typedef struct wy_contacts_step {
    int count;   /* pairs that are near */
    int full;    /* 1: more than there is room for */
    int active;  /* contacts that push at the iterate */
    int grew;    /* 1: one of them is not in the pattern */
    int lost[2]; /* what passes through each other: two chords, or a point and -1 - obstacle */
} wy_contacts_step;

/* ---- all -------------------------------------------------------------------------------------------- */

typedef struct wy_contacts {
    wy_contacts_plan plan;
    int idle;     /* 1: in this step nothing is near an obstacle */
    int noted[4]; /* 1: of now->deep, now->between, a single node, sliding; steps taken back take no
                   * note back */

    wy_contacts_now *now;
    wy_contacts_record *record; /* [plan.records] */
    vec3 *at;                   /* [obstacles] how far they have moved since t = 0 */
    wy_contacts_expect *expect; /* [plan.records] sorted as records */
    wy_contacts_slip
        *slip; /* [points, then rigid groups], with friction: since the last equilibrium */

    vec3 *to;                       /* [obstacles] the same at the end of the step */
    wy_contacts_record *new_record; /* [plan.records] of the step just solved */
    wy_contacts_step *step;
    wy_contacts_near *near;  /* [plan.near] sorted by a, then b */
    wy_contacts_near *other; /* [plan.near] to sort */
    vec3 *goes;              /* [points] the way that is expected of them */
    double *reach;           /* [points] how far from there they may end */
    wy_box *box;             /* [points] */
    int *list,
        *begin; /* [points] chords of the boxes; [points + 1] where the pairs of a chord are */
    wy_contacts_force *force; /* [points, then rigid groups] of what couples two units */
    char *in;                 /* [ties] 1: the pattern has its blocks */
} wy_contacts;

/* Can rods or bodies touch each other? */
static inline int wy_network_pairs(const wy_network *net) {
    return net->contacts && net->contacts->plan.pairs;
}

/* ---- contact_make.c --------------------------------------------------------------------------------- */
int wy_has_contacts(const withy_problem *problem); /* is there anything to touch? */
withy_status wy_contacts_make(wy_network *net, withy_error *err);
const char *wy_contacts_state_error(const wy_network *net); /* as wy_method.wrong */
void wy_contacts_layout(wy_contacts *contacts, wy_block *state, wy_block *scratch);
/* plan->joined: bodies after the rods. */
withy_status wy_contacts_joined(wy_network *net, wy_contacts_plan *plan, withy_error *err);
void wy_contacts_stay(wy_contacts *contacts);  /* nothing has moved since the last equilibrium */
void wy_contacts_clear(wy_contacts *contacts); /* nothing has touched yet */
withy_status wy_contacts_start(wy_network *net, withy_error *err); /* at t = 0 */
withy_status wy_contacts_at(wy_network *net, double t,
                            withy_error *err); /* where obstacles are at t */
/* The mark of a contact of the last step, or NULL. */
const wy_contacts_record *wy_contacts_find(const wy_contacts *contacts, int a, int b);
double wy_contacts_expected(const wy_contacts *contacts, int a,
                            int b); /* at rest: the push; 0: none */
/* The law of contact (a, b) of a step: at rest with the push that is expected of it. */
static inline wy_contact_law wy_contacts_law(const wy_contacts *contacts, int dynamic, int a, int b,
                                             double stiffness, double damping) {
    wy_contact_law law = {contacts->plan.law, stiffness, contacts->plan.range, damping, 0, 0};
    law.mixed = !dynamic && contacts->plan.law->linear;
    if (law.mixed) law.expected = wy_contacts_expected(contacts, a, b);
    return law;
}
/* K_t of what has the mass m and the normal stiffness k. */
static inline double wy_contacts_stick(const wy_contacts *contacts, int dynamic, double m,
                                       double k) {
    return dynamic ? wy_min(2 * m / (contacts->plan.dt * contacts->plan.dt), k) : k;
}

/* ---- contact_idle.c --------------------------------------------------------------------------------- */
#define WY_CONTACTS_CLEAR 1e100                         /* now->clear at most */
int wy_contacts_may_idle(const wy_contacts_plan *plan); /* 0: contact is looked for in every step */
void wy_contacts_begin(wy_network *net);                /* a step: touch->idle */
/* Has the step just solved come near an obstacle, although that was thought impossible?  Then it is idle no longer. */
int wy_contacts_woken(wy_network *net);
void wy_contacts_pass(wy_network *net);          /* of a solved step: now->clear */
int wy_contacts_is_clear(const wy_network *net); /* 1: nothing of the state is near an obstacle */
int wy_contacts_clear_error(const wy_network *net); /* 1: more than the state has */

/* ---- contact_support.c: supports and their targets --------------------------------------------------- */

/* A contact that there may be, numbered as a mark; near: of two chords, the pair. */
typedef struct wy_contacts_slot {
    int a, b, near;
} wy_contacts_slot;

/* Of a radius: an axis that comes closer passes through. */
static const double WY_CONTACTS_THROUGH = 0.3;

/* Targets: obstacles, then bodies. */
static inline int wy_contacts_targets(const wy_contacts_plan *plan) {
    return plan->obstacles + plan->bodies;
}
static inline const wy_obstacle *wy_contacts_shape(const wy_contacts_plan *plan, int target) {
    return target < plan->obstacles ? &plan->obstacle[target].shape
                                    : &plan->body[target - plan->obstacles].shape;
}
static inline double wy_contacts_size(const wy_contacts_plan *plan, int64_t a) {
    return plan->support[a].is.size;
}
/* A unit. */
static inline const wy_director_node *wy_contacts_unit(const wy_network *net, int unit) {
    const wy_contacts_plan *plan = &net->contacts->plan;
    if (unit >= plan->points) return &net->rigid.node[unit - plan->points];
    return &net->rod[plan->point[unit].rod].node[plan->point[unit].node];
}
static inline wy_director_next *wy_contacts_unit_next(const wy_network *net, int unit) {
    const wy_contacts_plan *plan = &net->contacts->plan;
    if (unit >= plan->points) return &net->rigid.next[unit - plan->points];
    return &net->rod[plan->point[unit].rod].next[plan->point[unit].node];
}
/* May they touch at all? */
int wy_contacts_body_point_meets(const wy_contacts_plan *plan, int a, int target);
static inline int wy_contacts_meets(const wy_contacts *contacts, int a, int target) {
    const wy_contacts_plan *plan = &contacts->plan;
    if (a >= plan->points) return wy_contacts_body_point_meets(plan, a, target);
    return target < plan->obstacles ||
           (plan->body_pairs && !plan->never[a * plan->bodies + target - plan->obstacles]);
}
/* Before the first contact that there may be; the next one, in the order of records; 0: there is none. */
wy_contacts_slot wy_contacts_slots(const wy_contacts *contacts);
int wy_contacts_next(const wy_contacts *contacts, wy_contacts_slot *at);

double wy_contacts_stiffness(const wy_contacts *contacts, int a, int target); /* K */
double wy_contacts_target_stick(const wy_contacts *contacts, int a, int target,
                                int dynamic); /* K_t */
/* Are they so far from each other, in motion, that nothing needs to be looked up?  And of something that is at r, moves by dr,
 * and reaches so far. */
int wy_contacts_far(const wy_network *net, int a, int target);
int wy_contacts_far_obstacle(const wy_contacts *contacts, vec3 r, vec3 dr, double reach,
                             int obstacle);
/* For forces, of the units of both; and over the step. */
void wy_contacts_poses(const wy_network *net, int a, int target, wy_carrier at[2]);
wy_support_step wy_contacts_over(const wy_network *net, int a, int target, const wy_carrier at[2]);
/* Nothing of a body point touches at either end of a step in time. */
int wy_contacts_beyond(const wy_network *net, int a, int target, const wy_carrier at[2]);
wy_obstacle_step wy_contacts_obstacle_step(const wy_director *x, int a,
                                           int obstacle); /* of a point */
/* The gap after a share of the changes, and how it grows with them; and that of the state, infinite where nothing acts. */
double wy_contacts_target_gap(const wy_network *net, int a, int target, double share,
                              double *grows);
double wy_contacts_gap_now(const wy_network *net, int a, int target);
/* How deep a support may go, of which so much is left. */
double wy_contacts_deepest(const wy_contacts_plan *plan, double left, int a, int target);
/* The place of a support in the axes of a target, before the move or after it. */
vec3 wy_contacts_local_place(const wy_network *net, int a, int target, int plus);
int wy_contacts_pierces(const wy_network *net, int a, int target); /* in the move */

/* ---- contact_push.c: forces of supports and targets --------------------------------------------------- */

/* What obstacles and pairs do to node j of a rod: residual b, and the tangent a of the obstacles. */
void wy_contacts_node(const wy_director *x, int j, double a[6][6], double b[6]);
/* Of a rigid group: what obstacles do to its body points, and rods and bodies to its bodies. */
void wy_contacts_rigid_group(const wy_network *net, int c, double a[6][6], double b[6]);
/* Minus what touches one body of the problem, as rows of its rigid group, added: its welds carry it. */
void wy_contacts_body_force(const wy_network *net, int body, double b[6]);
/* The tangent of a support and body b on their units, with a right side of zeros; 0: they do not push. */
int wy_contacts_body_tangent(const wy_network *net, int a, int b, double m[12][13]);
/* The units of a tie, two on either side of two chords, else one: how many on a side; and of one with a body, the first of
 * its supports, the one after the last, and the body. */
int wy_contacts_tie(const wy_network *net, int k, int unit[4]);
int wy_contacts_tie_supports(const wy_contacts_plan *plan, int k, int *to, int *body);
void wy_contacts_push_bodies(wy_network *net); /* as wy_contacts_push */

/* ---- contact_step.c: all contacts over a step --------------------------------------------------------- */

/* A contact over the step just solved. */
typedef struct wy_contacts_entry {
    wy_contact_law law;
    double s, t;          /* as of a mark                                                      */
    double minus, plus;   /* gaps                                                          [m] */
    double size;          /* what depth is measured by                                     [m] */
    double stick;         /* K_t                                                         [N/m] */
    vec3 before;          /* z at the start                                                [m] */
    int acts;             /* 0: it does not push, and the rest is not looked at                */
    double push, lost;    /* N; what friction loses                                  [N], [J] */
    vec3 z, force, shift; /* at the end; on the support; motion of the obstacle                  */
} wy_contacts_entry;

/* The gap of any contact after a share of the changes, and how it grows with them. */
double wy_contacts_gap(const wy_network *net, const wy_contacts_slot *at, double share,
                       double *grows);
/* Refuses what is drawn too deep in something; notes the deepest of what is drawn in anything. */
withy_status wy_contacts_drawn(wy_network *net, withy_error *err);
/* Of surfaces that never meet: the share of the changes after which no gap has fallen below a small part. */
double wy_contacts_cut(const wy_network *net, double share);
/* Does a support pass through a target in the step just solved? */
int wy_contacts_pierced(const wy_network *net, int lost[2]);
void wy_contacts_energies(wy_network *net);
/* The records of the step just solved; what it lost, and the work of obstacles. */
withy_status wy_contacts_commit(wy_network *net, withy_error *err);
/* Refuses a function of the scene that says no number where the points are after the step. */
withy_status wy_contacts_known(const wy_network *net, withy_error *err);

/* ---- contact_pair.c --------------------------------------------------------------------------------- */

/* How points move in the step: not at all, as in the step before, or as in the iterate. */
typedef enum wy_contacts_motion {
    WY_CONTACTS_STAY,
    WY_CONTACTS_EXPECTED,
    WY_CONTACTS_ITERATE
} wy_contacts_motion;

/* Pairs that may touch in a step in which no point strays. */
withy_status wy_contacts_search(wy_network *net, wy_contacts_motion way, withy_error *err);
int wy_contacts_strayed(const wy_network *net); /* does one, in the iterate? */
/* Forces of all pairs at the iterate; step->active, step->grew. */
void wy_contacts_push(wy_network *net);
/* The tangent of pair k at the iterate on its four points, m[24][25] with a right side of zeros; 0: it does not push. */
int wy_contacts_tangent(const wy_network *net, int k, int point[4], double m[24][25]);
/* Do rods pass through each other in the step just solved? */
int wy_contacts_crossed(const wy_network *net, int lost[2]);
/* The four points of two chords. */
void wy_contacts_corners(const wy_network *net, int a, int b, int plus, vec3 x[WY_PAIR_POINTS]);
double wy_contacts_pair_gap(const wy_network *net, const wy_contacts_near *near, double share,
                            double *grows);
/* The gap at the start of the step, and what depth is measured by. */
double wy_contacts_pair_before(const wy_network *net, const wy_contacts_near *near, double *radius);
double wy_contacts_pair_stiffness(const wy_network *net, const wy_contacts_near *near);
int wy_contacts_pair_entry(const wy_network *net, const wy_contacts_near *near,
                           wy_contacts_entry *entry);
/* K_t of any contact. */
double wy_contacts_record_stick(const wy_network *net, const wy_contacts_record *record,
                                int dynamic);
/* Records what the springs of the last step had and those that began this one have not. */
void wy_contacts_drop(wy_network *net);
double wy_contacts_paired(const wy_network *net); /* energy of the pairs at the iterate */

/* ---- contact_body.c: bodies ------------------------------------------------------------------------- */
withy_status wy_contacts_bodies_make(wy_network *net,
                                     withy_error *err); /* rigid groups are known */

/* ---- contact_notes.c: what is reported ---------------------------------------------------------------------- */

/* "rods[1]" or "bodies[1]", "obstacles[2]" or "bodies[2]", " at s = 0.2" or "", and what wy_contacts_size is. */
typedef struct wy_contacts_names {
    char who[32], whom[32], where[32];
    const char *size;
} wy_contacts_names;
void wy_contacts_name(const wy_network *net, int a, int target, wy_contacts_names *out);
/* "rods[1] at s = 0.2 and rods[2] at s = 0.3" */
enum { WY_CONTACTS_WORDS = 128 };
const char *wy_contacts_words(const wy_network *net, const int lost[2], char *text, size_t size);

/* Notes that something so thin fits between two nodes of a rod: `where` is obstacles or bodies. 1: it does. */
int wy_contacts_report_thin(const wy_network *net, const wy_obstacle *shape, const char *where,
                            int index);
/* Of the step just solved with so many new records: what is to be reported. */
void wy_contacts_detect(const wy_network *net, int count);
void wy_contacts_report(const wy_network *net); /* once */
/* Statics: the next place in `expect` after `last` where a rod touches an obstacle or a body with one node and not with those
 * next to it; -1: there is none. */
int wy_contacts_single(const wy_network *net, int last);
/* Notes, once, that such a node is not where the rod is nearest. */
void wy_contacts_report_isolated(const wy_network *net, double factor);

/* ---- contact_sample.c ------------------------------------------------------------------------------- */
/* Arc length of a place on the chord that begins with the point. */
double wy_contacts_arc(const wy_network *net, int point, double share);
void wy_contacts_sample(const wy_network *net, int rod, withy_snapshot *snap);
void wy_contacts_sample_parts(const wy_network *net, withy_parts *parts);

/* ---- contact_static.c: statics ------------------------------------------------------------------------- */

/* Pairs at the present shape: their forces, and the order of the equations. */
withy_status wy_contacts_static(wy_network *net, withy_error *err);
/* The shape moves by the increments of the iterate: does anything pass through on the way? */
withy_status wy_contacts_moves(wy_network *net, withy_error *err);
/* Before the shape moves by this share of the changes: what contacts are expected to push then; 0: what they push now. */
void wy_contacts_expect_pushes(wy_network *net, double share);
/* After it has moved: how far since the last equilibrium. */
void wy_contacts_go(wy_network *net);
/* Do other contacts act now than in the last tangent? */
int wy_contacts_switched(wy_network *net);
/* u^T K u of the pairs and the changes u of their points. */
double wy_contacts_quotient(const wy_network *net, double *terms);
/* A right side in the changes of the nodes, in net->side. */
void wy_contacts_side(wy_network *net);

/* ---- contact_solve.c: the reduced system with all nodes ----------------------------------------------------- */

/* Block rows of the nodes, and the blocks of the elements: after those of rigid groups and joints. */
withy_status wy_contacts_pattern(wy_network *net, const wy_blocks_spec *spec, withy_error *err);
/* The pattern with the pairs that push. */
withy_status wy_contacts_order(wy_network *net, withy_error *err);
void wy_contacts_element(wy_network *net, int rod, int e);
void wy_contacts_fill(wy_network *net); /* the tangent of the pairs, and held rows */
void wy_contacts_spread(wy_network *net);
