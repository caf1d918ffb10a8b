/* thread_pool.c - see thread_pool.h. */
#include "base/thread_pool.h"

#ifdef WITHY_HAVE_THREADS

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

enum { MOST_THREADS = 64 };

/* Indices are handed out one by one. */
typedef struct pool {
    void (*work)(void *context, int index);
    void *context;
    int count;
    atomic_int next;
} pool;

static void *take_part(void *context) {
    pool *c = context;
    for (int i; (i = atomic_fetch_add(&c->next, 1)) < c->count;) c->work(c->context, i);
    return NULL;
}

int wy_threads_available(void) {
    const long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count < 1 ? 1 : count < MOST_THREADS ? (int)count : MOST_THREADS;
}

void wy_threads_run(int threads, int count, void (*work)(void *context, int index), void *context) {
    pool c = {.work = work, .context = context, .count = count};
    pthread_t thread[MOST_THREADS];
    const int most = threads < MOST_THREADS ? threads : MOST_THREADS;
    int started = 0;
    while (started < most - 1 && started < count - 1 &&
           pthread_create(&thread[started], NULL, take_part, &c) == 0)
        started++;
    take_part(&c);
    for (int i = 0; i < started; i++) pthread_join(thread[i], NULL);
}

#else

int wy_threads_available(void) {
    return 1;
}

void wy_threads_run(int threads, int count, void (*work)(void *context, int index), void *context) {
    (void)threads;
    for (int i = 0; i < count; i++) work(context, i);
}

#endif
