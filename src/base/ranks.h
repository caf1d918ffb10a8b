/* ranks.h - the processes of one MPI job.
 *
 * OpenMPI is loaded when mpirun has started us, and not before: programs that do not use it need not have it.
 * The only file that knows MPI; its few functions are looked up by their names.
 */
#pragma once

#include "base/base.h"

typedef struct wy_ranks {
    int rank, count; /* 0 and 1 without mpirun */
} wy_ranks;

/* Once at most in a program; MISSING: mpirun has started us, and there is no OpenMPI that can be loaded. */
withy_status wy_ranks_start(wy_ranks *ranks, withy_error *err);
void wy_ranks_end(wy_ranks *ranks);

/* Bytes to another rank; of the next message, whoever sent it: it waits without using the processor. */
void wy_ranks_send(int to, const void *bytes, int size);
int wy_ranks_receive(void *bytes, int most, int *from, void (*idle)(void *context),
                     void *context); /* the size; idle (NULL: nothing) is called while it waits */
/* A thread that serves rank 0 may ask whether there is a message; others are told that there is none, as one thread alone
 * may use MPI. */
void wy_ranks_serve(int serves);
int wy_ranks_waiting(void);
