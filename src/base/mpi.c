/* mpi.c - see mpi.h. */
#include "base/mpi.h"

#ifdef WITHY_HAVE_THREADS /* in withy, not in withy_core */

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* As in mpi.h of OpenMPI, whose handles are pointers and whose layout has been the same since 2017. */
typedef struct status {
    int source, tag, error, cancelled;
    size_t count;
} status;
enum { THREAD_FUNNELED = 1, ANY = -1, TAG = 7 };

static struct {
    int (*start)(int *, char ***, int, int *);
    int (*rank)(void *, int *);
    int (*size)(void *, int *);
    int (*send)(const void *, int, void *, int, int, void *);
    int (*receive)(void *, int, void *, int, int, void *, status *);
    int (*probe)(int, int, void *, int *, status *);
    int (*end)(void);
    void *world, *byte;
} mpi;

/* A function and a pointer to data have the same form wherever dlsym exists. */
static int find(void *library, const char *name, void *to) {
    void *found = dlsym(library, name);
    *(void **)to = found;
    return found != NULL;
}

/* Would the loader look in the current folder, where anybody's libmpi may lie?  It does where LD_LIBRARY_PATH has
 * an element that is empty or does not begin at the root. */
static int looks_here(void) {
    const char *path = getenv("LD_LIBRARY_PATH");
    if (!path || !*path) return 0;
    while (*path == '/') {
        path += strcspn(path, ":;");
        if (!*path) return 0;
        path++;
    }
    return 1;
}

static int load(void) {
    static const char *const name[] = {"libmpi.so.40", "libmpi.so"};
    void *library = NULL;
    for (size_t i = 0; !library && i < sizeof name / sizeof *name; i++)
        library = dlopen(name[i], RTLD_NOW | RTLD_GLOBAL);
    return library && find(library, "MPI_Init_thread", &mpi.start) &&
           find(library, "MPI_Comm_rank", &mpi.rank) && find(library, "MPI_Comm_size", &mpi.size) &&
           find(library, "MPI_Send", &mpi.send) && find(library, "MPI_Recv", &mpi.receive) &&
           find(library, "MPI_Iprobe", &mpi.probe) && find(library, "MPI_Finalize", &mpi.end) &&
           find(library, "ompi_mpi_comm_world", &mpi.world) &&
           find(library, "ompi_mpi_byte", &mpi.byte);
}

withy_status wy_mpi_start(wy_mpi *ranks, withy_error *err) {
    int level;
    *ranks = (wy_mpi){0, 1};
    if (!getenv("OMPI_COMM_WORLD_SIZE")) {
        const char *other = getenv("PMI_SIZE");
        if (!other || atoi(other) < 2) return WITHY_OK;
        return wy_fail(err, WITHY_MISSING,
                       "started by an MPI that is not OpenMPI; use the mpirun of OpenMPI");
    }
    if (mpi.end)
        return wy_fail(err, WITHY_MISSING,
                       "a program that mpirun has started makes one sweep; start it again");
    if (looks_here())
        return wy_fail(
            err, WITHY_MISSING,
            "started by mpirun, but LD_LIBRARY_PATH has an element that is empty or does "
            "not begin with /: libmpi.so could come from the current folder; take the "
            "element out (a colon at either end is one)");
    if (!load())
        return wy_fail(err, WITHY_MISSING,
                       "started by mpirun, but libmpi.so of OpenMPI cannot be loaded: install it "
                       "(Debian: libopenmpi3) on every machine, or start withy without mpirun");
    if (mpi.start(NULL, NULL, THREAD_FUNNELED, &level) != 0 ||
        mpi.rank(mpi.world, &ranks->rank) != 0 || mpi.size(mpi.world, &ranks->count) != 0)
        return wy_fail(err, WITHY_MISSING, "MPI could not be started");
    return WITHY_OK;
}

void wy_mpi_end(wy_mpi *ranks) {
    if (mpi.end) mpi.end();
    *ranks = (wy_mpi){0, 1};
}

void wy_mpi_send(int to, const void *bytes, int size) {
    mpi.send(bytes, size, mpi.byte, to, TAG, mpi.world);
}

static _Thread_local int serving;

void wy_mpi_serve(int serves) {
    serving = serves;
}

int wy_mpi_waiting(void) {
    int there = 0;
    status about = {0};
    return serving && mpi.probe && mpi.probe(ANY, TAG, mpi.world, &there, &about) == 0 && there;
}

int wy_mpi_receive(void *bytes, int most, int *from, void (*idle)(void *context), void *context) {
    const struct timespec pause = {.tv_nsec = 100000};
    int there = 0;
    status about = {0};
    while (mpi.probe(ANY, TAG, mpi.world, &there, &about) == 0 && !there) {
        if (idle) idle(context);
        nanosleep(&pause, NULL);
    }
    mpi.receive(bytes, most, mpi.byte, about.source, TAG, mpi.world, &about);
    *from = about.source;
    return (int)about.count;
}

#else

withy_status wy_mpi_start(wy_mpi *ranks, withy_error *err) {
    (void)err;
    *ranks = (wy_mpi){0, 1};
    return WITHY_OK;
}

void wy_mpi_end(wy_mpi *ranks) {
    (void)ranks;
}

void wy_mpi_send(int to, const void *bytes, int size) {
    (void)to, (void)bytes, (void)size;
}

int wy_mpi_receive(void *bytes, int most, int *from, void (*idle)(void *context), void *context) {
    (void)bytes, (void)most, (void)idle, (void)context;
    *from = 0;
    return 0;
}

void wy_mpi_serve(int serves) {
    (void)serves;
}

int wy_mpi_waiting(void) {
    return 0;
}

#endif
