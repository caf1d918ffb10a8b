/* method.h - the one shape every numerical method has.  Room: src/method.
 *
 * A method is one file that ends with one table, and one line in list.inc.  It converts its
 * source's conventions in create and sample and nowhere else.
 */
#pragma once

#include "base/base.h"
#include "withy/list.h"
#include "withy/modes.h"
#include "withy/problem.h"
#include "withy/sim.h"
#include "withy/snapshot.h"
#include "withy/static.h"

/* What a method can do; compared with the problem before accept() is asked. */
enum {
    WY_CAN_RODS = 1 << 0,   /* several rods                                                     */
    WY_CAN_JOINTS = 1 << 1, /* joints between them                                              */
    WY_CAN_TWIST = 1 << 2,  /* feels torsion: frames and moments about d3 at the ends           */
    WY_CAN_REST = 1 << 3,   /* rest shapes that are not straight                                */
    WY_CAN_VARY = 1 << 4,   /* stiffness and inertia that vary along the rod                    */
    WY_CAN_ORTHO = 1 << 5,  /* bend1 != bend2                                                   */
    WY_CAN_GUIDED = 1 << 6, /* guided ends                                                      */
    WY_CAN_FOLLOW = 1 << 7, /* follower loads                                                   */
    WY_CAN_MOMENT = 1 << 8, /* applied moments                                                  */
    WY_CAN_DRAG = 1 << 9,   /* external drag                                                    */
    WY_CAN_LUMP = 1 << 10,  /* lumped mass at the ends                                          */
    WY_CAN_LUMP_TURN = 1 << 11, /* lumped inertia or offset at the ends                          */
    WY_CAN_SPRING = 1 << 12, /* springs at the ends                                              */
    WY_CAN_FLOOR = 1 << 13,
    WY_CAN_TENSION = 1 << 14, /* prescribed tension                                              */
    WY_CAN_TENDON = 1 << 15,
    WY_CAN_SPIN = 1 << 16,   /* initial angular velocity of the sections                         */
    WY_CAN_SETTLE = 1 << 17, /* starts from an equilibrium                                       */
    WY_CAN_DRIVE = 1 << 24,  /* ends driven by velocity or acceleration                          */
};

/* The rod of the elastica: it bends and perhaps twists, and does neither shear nor stretch. */
enum { WY_RIGID_LENGTH = 1 << WITHY_SHEAR1 | 1 << WITHY_SHEAR2 | 1 << WITHY_STRETCH };

/* One row = one key under options in the scene file. */
typedef struct wy_option {
    withy_option_info info;
    size_t offset; /* into the method's own options struct: int for 'i' 'b' 'w', double for 'd',
                    * 'a' ("auto" is stored as 0) */
} wy_option;

/* Notes a method leaves for the user: "treats the rod as inextensible". */
typedef struct wy_notes {
    size_t used;
    char text[2048];
} wy_notes;

void wy_note(wy_notes *notes, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* What create is given.  Everything outlives the state. */
typedef struct wy_setup {
    const withy_problem *problem;
    const void *options; /* the method's own options struct, filled and checked */
    wy_arena *arena;     /* take all memory here */
    wy_notes *notes;
    withy_stats *stats; /* the method keeps it up to date in advance */
} wy_setup;

typedef struct wy_method {
    const char *name;    /* "cheb": the key in scene files and on the command line */
    const char *summary; /* one line, shown by `withy list` */
    const char *source;  /* document key and section, see docs/sources.md */
    const char *needs;   /* NULL, or the library this build lacks */
    uint32_t can;
    unsigned
        rigid; /* strains it leaves out, whatever their stiffness: bits 1 << WITHY_SHEAR1 ... */
    const wy_option *options; /* ends with a row whose info.name is NULL */
    size_t options_size;

    /* Say no, with a reason the user can act on.  May be NULL: accepts all that `can` allows. */
    withy_status (*accept)(const withy_problem *, withy_error *);
    /* Take all memory here, from the arena; set *state at t = 0. */
    withy_status (*create)(const wy_setup *, void **state, withy_error *);
    /* Land exactly on t.  No allocation, no printing, no files. */
    withy_status (*advance)(void *state, double t, withy_error *);
    /* The method's own nodes of a rod: count, and arc lengths unless s is NULL. */
    int (*nodes)(const void *state, int rod, double *s);
    /* Fill what the method knows natively at the stations snap->s and set its `have` bits;
     * observe/ completes the rest. */
    void (*sample)(const void *state, int rod, withy_snapshot *);
    /* The step in use [s], so that the loop can record every step. */
    double (*step)(const void *state);
    /* Reach equilibrium under a load factor from the present shape (withy_sim_equilibrium).  May be
     * NULL: the method has no statics. */
    withy_status (*equilibrium)(void *state, double factor, withy_equilibrium *, withy_error *);
    /* Go on along the path of equilibria (withy_sim_follow).  May be NULL. */
    withy_status (*follow)(void *state, double arc, double span, withy_equilibrium *,
                           withy_error *);
    /* The `count` lowest modes about the present shape, into arrays of the caller; shapes at the
     * stations mode->s.  May be NULL. */
    withy_status (*modes)(void *state, int count, withy_mode *, withy_error *);
    /* Named numbers of the present equilibrium beyond the common ones (withy_sim_figure).  May be
     * NULL. */
    int (*figure)(const void *state, int index, withy_figure *);
    /* Release third-party handles.  May be NULL: the arena is freed by the caller. */
    void (*destroy)(void *state);
} wy_method;
