/* mpi.h - the processes of one MPI job.
 *
 * OpenMPI is loaded when mpirun has started us, and not before: programs that do not use it need not have it.
 * The only file that calls MPI; its few functions are looked up by their names.
 */
#pragma once

#include "base/base.h"

typedef struct wy_mpi {
    int rank, count; /* 0 and 1 without mpirun */
} wy_mpi;

/* Once at most in a program; MISSING: mpirun has started us, and there is no OpenMPI that can be loaded. */
withy_status wy_mpi_start(wy_mpi *ranks, withy_error *err);
void wy_mpi_end(wy_mpi *ranks);

/* Bytes to another rank; of the next message, whoever sent it: it waits without using the processor. */
void wy_mpi_send(int to, const void *bytes, int size);
int wy_mpi_receive(void *bytes, int most, int *from, void (*idle)(void *context),
                   void *context); /* the size; idle (NULL: nothing) is called while it waits */
/* A thread that serves rank 0 may ask whether there is a message; for others there is none, as one thread alone
 * may use MPI. */
void wy_mpi_serve(int serves);
int wy_mpi_waiting(void);
