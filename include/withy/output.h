/* withy/output.h - from a simulation to a file, for programs that drive their own loop.
 *
 *     withy_output *file;
 *     withy_output_open(sim, "swing.h5", NULL, &file, &err);
 *     for (int k = 0; k <= 100; k++) {
 *         withy_sim_advance(sim, 0.01 * k, &err);
 *         withy_output_write(file, &err);
 *     }
 *     withy_output_close(file, WITHY_OK, &err);
 *
 * The ending chooses the kind: .h5 .csv .pvd .wav, as in withy_study.output; `withy plot`, `view`,
 * `render` and `export` open what is written.
 */
#pragma once

#include "withy/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct withy_output withy_output;

/* Description stored in the file; it, or any member, may be NULL. */
typedef struct withy_output_info {
    const char *name; /* of the problem                                     */
    const char *text; /* where it comes from: a scene, a program            */
    const char *axis; /* what the time of a snapshot is; NULL: "t [s]"       */
} withy_output_info;

/* Open a file for a simulation, which must outlive it.  Each write also records the probes of the
 * problem that are due at that time. */
WITHY_API withy_status withy_output_open(withy_sim *sim, const char *path,
                                         const withy_output_info *info, withy_output **output,
                                         withy_error *err);

/* One snapshot of every rod, as the simulation is now, and the probes. */
WITHY_API withy_status withy_output_write(withy_output *output, withy_error *err);

/* Finish the file: how = WITHY_OK "complete", WITHY_INTERRUPTED "interrupted", else "failed" with the
 * message in err.  Frees the output also when it fails.  NULL is fine. */
WITHY_API withy_status withy_output_close(withy_output *output, withy_status how, withy_error *err);

#ifdef __cplusplus
}
#endif
