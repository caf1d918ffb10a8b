/* batch.h - inside a batch, for runs of many studies (study/run/ensemble.c). */
#pragma once

#include "study/sim.h"
#include "withy/batch.h"

/* As withy_batch_create, on a device that stays the caller's, or in vectors (NULL); a probe is recorded at most
 * `most` times in one advance. */
withy_status wy_batch_create(withy_sim *const *sim, int count, wy_device *device, int threads,
                             int64_t most, withy_batch **batch, withy_error *err);

/* Each member to its own time t[count]; NAN: it stays where it is.  Failures of members are those of
 * withy_batch_failure; what is returned concerns all. */
withy_status wy_batch_advance(withy_batch *batch, const double *t, withy_error *err);

/* Steps from one record of a probe to the next, 0: it is not recorded on the way; records that fit into one
 * advance; and steps from the start of the last advance to its first record. */
int64_t wy_batch_period(const withy_batch *batch, int member, int probe);
int64_t wy_batch_room(const withy_batch *batch, int member);
int64_t wy_batch_due(const withy_batch *batch, int member);
