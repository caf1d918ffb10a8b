/* thread_pool.h - one function over many indices, by several threads where the build has them.
 *
 * The only file that uses threads.  Without WITHY_HAVE_THREADS the indices are done in order.
 */
#pragma once

/* Processors of the machine; 1 without threads. */
int wy_threads_available(void);

/* work(context, i) for i = 0 .. count-1, each once, by up to `threads` threads; returns when all are
 * done.  The order is not defined, so one index must not depend on another. */
void wy_threads_run(int threads, int count, void (*work)(void *context, int index), void *context);
