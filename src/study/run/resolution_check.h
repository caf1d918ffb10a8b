/* resolution_check.h - cheap signs that the mesh or the step of a study cannot carry its answer: one note each.
 *
 * Mesh.  From one node to the next the rod turns by an angle a; a method whose error in a bent rod is
 * (a / wy_method.turn)^order says so beyond 3 %.  Of a rod that is bent more here than there it is the mean
 * over all that it turns, and of a motion the mean over the time: a short sharp bend, as a soft rod has at a clamp
 * while it swings through, moves the rest of it by little.
 * Step.  Positions one step apart show what the step loses of an oscillation, with its mean and its limit
 * (step_error.c), at five stations.  Beyond a tenth of the distance travelled there is a note.
 * Spin.  Where sections turn about the axis, which positions do not show, by more in a step than the method follows
 * (wy_method.spin), there is a note.
 * Cuts.  A step that Newton cannot make is cut; whether it can is decided by rounding.
 * Touch.  Rods that pass through themselves or each other: crossing.c.
 *
 * `--error` measures what these only suspect.
 */
#pragma once

#include "base/base.h"
#include "contact/contact.h"
#include "study/sim.h"

/* ---- step_error.c: what the step of a single run gets wrong, from numbers one step apart.
 *
 * A method of order p has the phase of x = A cos omega t wrong by c (omega h)^(p+1) in every step: A c (omega h)^(p+1) is
 * lost, and adds up, to 2 A at most (c = 1/12 for the midpoint rule).  Of p + 2 numbers one step apart the central
 * differences are
 *
 *   |D_k| = A s^(k/2) |sin| or |cos|,   s = 4 sin^2(omega h / 2),
 *
 * so that the sum of c |D_(p+1)| is 2/pi of what is lost, the mean of |sin|, and the amplitude is
 *
 *   A = |D_p|^(p+1) / |D_(p+1)|^p,   of mean squares, 1/2 of the largest,   A = 2^(1/2) <D_p^2>^((p+1)/2) / <D_(p+1)^2>^(p/2):
 *
 * of waves of several lengths that of the shortest ones, which are first wrong by all of it.  A likely error is limited
 * by the second, an error bar by the largest of the first.
 * What has s = |D_(p+1)| / |D_(p-1)| > 1/2 is not resolved: in a step less than c |D_(p+1)| / (1 - s/2) is lost by the
 * midpoint rule (2 tan(x/2) - x, x = omega h) and by that of kirchhoff and elastica, and the amplitude is
 * |D_(p-1)| / s^((p-1)/2), or where a slow motion adds to |D_(p-1)| less, down to |D_(p+1)| / 2^(p+1).  A likely error has
 * the least amplitude once, an error bar the sum, up to twice the larger one.
 * Euler's method, p = 1, is looked at with the differences of p = 2 and loses c |D_2|.
 *
 * It finds what oscillates between two outputs, where runs with a longer and a shorter step may meet by chance
 * (refine.c, compare.h), and costs no other run (resolution_check.h).
 */

enum { WY_STEP_ERROR_ORDER = 4, WY_STEP_ERROR_RING = WY_STEP_ERROR_ORDER + 2 };
/* Of `items` vectors of `width` numbers in all. */
#define WY_STEP_ERROR_ROOM(items, width) (WY_STEP_ERROR_RING * (width) + 7 * (items))

typedef struct wy_step_error {
    int order;        /* p; 0: the step is not judged                       */
    double part;      /* c                                                  */
    int rows;         /* that differences are taken of                      */
    int items, width; /* vectors, and numbers of them all                   */
    const int *first; /* [items + 1] the first number of each               */
    double steps;     /* that have been judged                              */
    int filled;       /* rows of the ring                                   */
    double last;      /* time of the newest [s]                             */
    double *ring;     /* [WY_STEP_ERROR_RING][width]                              */
    double *sum[2];   /* [items] what is lost: resolved, not resolved       */
    double *mean[2];  /* [items] sums of |D_p|^2 and |D_(p+1)|^2 */
    double *size[3];  /* [items] amplitudes: resolved, not resolved, and the least of these */
} wy_step_error;

/* Of a motion with this simulation; a step that adapts is not judged.  room: WY_STEP_ERROR_ROOM numbers, 0. */
void wy_step_error_open(wy_step_error *x, const withy_sim *sim, int items, const int *first,
                        double *room);
/* How many steps to make at once, after `done` of `steps` in an interval, `most` at most; stands > 0: one, and then
 * look: it is of a row that stands for so many. */
double wy_step_error_skip(const wy_step_error *x, double done, double steps, double most,
                          double *stands);
/* The numbers now, where this step stands for so many; 0: it only leads up to one that does. */
void wy_step_error_add(wy_step_error *x, const withy_sim *sim, const double *value, double stands);
/* What is likely lost so far. */
double wy_step_error_estimate(const wy_step_error *x, int item);
/* What is lost at most: first terms of series in omega h, so that half as much again is added. */
double wy_step_error_bound(const wy_step_error *x, int item);

/* ---- crossing.c: rods of a scene without contact that pass through themselves or each other: one note.
 *
 * The axis between two stations is a straight piece, which lies off the rod by its sagitta h a/8 at most, where the rod turns
 * by a along it.  Two pieces whose distance and sagittas together are below 0.9 of the sum of the half thicknesses (the
 * smaller half of a section that is not round) are one inside the other.  Pieces of one rod that are nearer along it than a
 * half circle of its radius cannot touch.  Rods that overlap as they are drawn, and rods near a joint, are meant to.  A spring
 * below its solid length is found so, by its coils.
 */

typedef struct wy_crossing {
    int open;           /* 1: there is anything to look at            */
    int count;          /* pieces of all rods                         */
    int *rod, *station; /* [count] of each piece, and of its first end among all stations */
    vec3 *position;     /* [stations of all rods]                     */
    double *s;          /* [stations of all rods]                     */
    double *half;       /* [count] half thickness; 0: not known   [m] */
    wy_grid grid;
    wy_box *box;
    char *drawn; /* [rods][rods] 1: they overlap at the start  */
    int looks;   /* 0: as drawn                                */
    int found;   /* 1: and what was found first:               */
    double t, at[2], distance, thick;
    int which[2];
} wy_crossing;

withy_status wy_crossing_open(wy_crossing *x, withy_sim *sim, withy_error *err);
/* Look at the present samples of all rods. */
void wy_crossing_check(wy_crossing *x, const withy_sim *sim);
void wy_crossing_note(const wy_crossing *x, withy_sim *sim);

enum { WY_RESOLUTION_CHECK_STATIONS = 5, WY_RESOLUTION_CHECK_ROOM = WY_STEP_ERROR_ROOM(5, 15) };

typedef struct wy_resolution_check {
    wy_view nodes, stations; /* of the first rod                                        */
    int open;                /* 1: the views are made                                   */
    int moving;              /* 1: a motion, 0: equilibria                              */
    double turn, at;         /* largest angle between two nodes [rad], where [m]        */
    double mesh;             /* error of the bends: sum over the looks, or the largest  */
    int looks;
    wy_step_error lost; /* of the stations, in the room below                      */
    double room[WY_RESOLUTION_CHECK_ROOM];
    withy_vec3 first[WY_RESOLUTION_CHECK_STATIONS];
    double way;           /* distance travelled [m]                                  */
    double spin;          /* most that a section turned about the axis in a step [rad] */
    wy_crossing crossing; /* rods that pass through each other                   */
} wy_resolution_check;

/* For a simulation at its start; moving: its steps are judged too. */
withy_status wy_resolution_check_open(wy_resolution_check *x, withy_sim *sim, int moving,
                                      withy_error *err);
/* Look at the present shape. */
void wy_resolution_check_shape(wy_resolution_check *x, withy_sim *sim);
/* After one step; it stands for `count` of them. */
void wy_resolution_check_step(wy_resolution_check *x, withy_sim *sim, double count);
/* All that it keeps from step to step, as numbers: to continue with in another run. */
enum {
    WY_RESOLUTION_CHECK_LOOKS = 3,  /* a whole number, */
    WY_RESOLUTION_CHECK_FILLED = 5, /* and one of 0 .. WY_STEP_ERROR_RING */
    WY_RESOLUTION_CHECK_SINGLE = 9,
    WY_RESOLUTION_CHECK_NUMBERS =
        WY_RESOLUTION_CHECK_SINGLE + 3 * WY_RESOLUTION_CHECK_STATIONS + WY_RESOLUTION_CHECK_ROOM
};
void wy_resolution_check_save(const wy_resolution_check *x,
                              double number[WY_RESOLUTION_CHECK_NUMBERS]);
void wy_resolution_check_load(wy_resolution_check *x,
                              const double number[WY_RESOLUTION_CHECK_NUMBERS]);
/* How often the step is to be halved until the method follows the spin of its sections; 0: it does. */
int wy_resolution_check_halvings(const wy_resolution_check *x, const withy_sim *sim);
/* The notes, at the end. */
void wy_resolution_check_note(const wy_resolution_check *x, withy_sim *sim);
