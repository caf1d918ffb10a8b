/* fuzz_result.c - entry point for clang's libFuzzer; see CMakeLists.txt for how to run it.  With the
 * argument seeds=FOLDER it writes a few small results there first, to begin with. */
#include <sys/stat.h>

#include "pendulum_fixture.h"
#include "read_result.h"
#include "sink_fixture.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void write_seed(const char *folder, int number) {
    static const withy_probe probe[] = {{.name = "tip", .what = "position", .at = 1},
                                        {.name = "a", .what = "frame", .at = 0.5}};
    static const unsigned have[] = {1, FIX_ALL, WITHY_HAVE_POSITION | WITHY_HAVE_ENERGY, FIX_ALL};
    char path[512];
    fix_run run;
    fix_make(&run, 1 + number / 2, 2, have[number]);
    run.meta.request =
        (withy_request){.stop = 1, .output = 1, .probe = probe, .probe_count = number % 3};
    snprintf(path, sizeof path, "%s/seed%d.h5", folder, number);
    if (fix_write(&run, path, number == 2 ? 200 : number, "complete", NULL) != WITHY_OK) abort();
    wy_arena_free(&run.arena);
}

static void write_parts(const char *folder) {
    char path[512];
    withy_report report;
    withy_error err;
    snprintf(path, sizeof path, "%s/seed_parts.h5", folder);
    if (pendulum_run(path, &report, &err) != WITHY_OK) abort();
}

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    for (int i = 1; i < *argc; i++) {
        if (strncmp((*argv)[i], "seeds=", 6) != 0) continue;
        const char *folder = (*argv)[i] + 6;
        mkdir(folder, 0777);
        for (int k = 0; k < 4; k++) write_seed(folder, k);
        write_parts(folder);
        exit(0);
    }
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static char path[64];
    if (!path[0]) snprintf(path, sizeof path, "/tmp/withy-fuzz-%ld.h5", (long)getpid());
    read_result(path, data, size);
    unlink(path);
    return 0;
}
