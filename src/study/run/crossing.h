/* crossing.h - rods of a scene without contact that pass through themselves or each other: one note.
 *
 * The axis between two stations is a straight piece, which lies off the rod by its sagitta h a/8 at most, where the rod turns
 * by a along it.  Two pieces whose distance and sagittas together are below 0.9 of the sum of the half thicknesses (the
 * smaller half of a section that is not round) are one inside the other.  Pieces of one rod that are nearer along it than a
 * half circle of its radius cannot touch.  Rods that overlap as they are drawn, and rods near a joint, are meant to.  A spring
 * below its solid length is found so, by its coils.
 */
#pragma once

#include "contact/contact.h"
#include "study/sim.h"

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
