/* doubt.h - cheap signs that the mesh or the step of a study cannot carry its answer: one note each.
 *
 * Mesh.  From one node to the next the rod turns by an angle a; a method whose error in a bent rod is
 * (a / wy_method.turn)^order says so beyond 3 %.  Of a rod that is bent more here than there it is the mean
 * over all that it turns, and of a motion the mean over the time: a short sharp bend, as a soft rod has at a clamp
 * while it swings through, moves the rest of it by little.
 * Step.  Four positions one step apart give the third difference D3, which is (omega h)^3 of the amplitude;
 * the period of a method of second order is wrong by (omega h)^2 / 12, so that D3 / 12 is lost in every step
 * and adds up, to twice the amplitude D2^3 / D3^2 of what oscillates at most.  A motion that the step does not resolve at all (D3 more than half of the change in a
 * step) adds its amplitude once.  Beyond a tenth of the distance travelled there is a note.
 * Cuts.  A step that Newton cannot make is cut; whether it can is decided by rounding.
 * Touch.  Rods that pass through themselves or each other: touch.h.
 *
 * `--error` measures what these only suspect.
 */
#pragma once

#include "study/touch.h"

enum { WY_DOUBT_STATIONS = 5, WY_DOUBT_RING = 4 };

typedef struct wy_doubts {
    wy_view nodes, stations; /* of the first rod                                        */
    int open;                /* 1: the views are made                                   */
    int moving;              /* 1: a motion, 0: equilibria                              */
    double turn, at;         /* largest angle between two nodes [rad], where [m]        */
    double mesh;             /* error of the bends: sum over the looks, or the largest  */
    int looks;
    int steps;   /* 1: the step is judged                                   */
    int filled;  /* positions in the ring, one step apart                   */
    double last; /* time of the newest [s]                                  */
    withy_vec3 ring[WY_DOUBT_RING][WY_DOUBT_STATIONS], first[WY_DOUBT_STATIONS];
    double lost, amplitude, way; /* see above; distance travelled [m]                   */
    double reach;                /* amplitude of what oscillates [m]                    */
    wy_crossing touch;           /* rods that pass through each other                   */
} wy_doubts;

/* For a simulation at its start; moving: its steps are judged too. */
withy_status wy_doubts_open(wy_doubts *x, withy_sim *sim, int moving, withy_error *err);
/* Look at the present shape. */
void wy_doubts_shape(wy_doubts *x, withy_sim *sim);
/* After one step; it stands for `count` of them. */
void wy_doubts_step(wy_doubts *x, withy_sim *sim, double count);
/* All that it keeps from step to step, as numbers: to go on with in another run. */
enum { WY_DOUBT_NUMBERS = 11 + 3 * WY_DOUBT_STATIONS * (WY_DOUBT_RING + 1) };
void wy_doubts_save(const wy_doubts *x, double number[WY_DOUBT_NUMBERS]);
void wy_doubts_load(wy_doubts *x, const double number[WY_DOUBT_NUMBERS]);
/* The notes, at the end. */
void wy_doubts_note(const wy_doubts *x, withy_sim *sim);
