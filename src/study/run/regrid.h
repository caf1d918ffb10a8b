/* regrid.h - a run that continues from its last snapshot on another grid.
 *
 * The state of a method belongs to its grid and its step.  Where these are changed, the strains and velocities of the
 * last snapshot, interpolated, are the start of a new simulation, whose clock begins there: functions of time
 * are shifted (t' = t - t0), and what is written is shifted back (wy_sim.past).
 */
#pragma once

#include "study/sim.h"
#include "withy/result.h"

/* Refuse a problem of which a snapshot does not hold all that its motion needs. */
withy_status wy_regrid_check(const withy_problem *problem, const char *path, withy_error *err);

/* The problem from snapshot `row` of the result on; memory from the arena.  motion: velocities and spins of its stations
 * in place of those of the snapshot, or NULL. */
withy_status wy_regrid_problem(const withy_sim *sim, const withy_problem *problem, const char *path,
                               withy_result *result, int64_t row, const vec3 *motion,
                               wy_arena *arena, withy_problem *from_there, wy_past *past,
                               withy_error *err);

/* After its creation: has the simulation the energy of the snapshot? */
withy_status wy_regrid_agrees(withy_sim *sim, const wy_past *past, const char *path,
                              withy_error *err);
