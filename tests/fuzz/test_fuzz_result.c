/* test_fuzz_result.c - results whose structures say anything, with right checksums, are read or refused: no crash, no
 * leak, no hang.  A small, fixed share of what the fuzzer does (fuzz_result.c). */
#define WITHY_FUZZING /* a hostile writer computes the right checksums: count all as right */
#include "../../src/sink/hdf5/store.c" /* in place of that of the library */

#include "check.h"

#ifndef WITHY_HAVE_LIB_HDF5
int main(void) {
    return 0;
}
#else

#include "fuzz/read_result.h"
#include "sink_fixture.h"

enum { MOST = 1 << 20, FILES = 1500 };
static uint8_t good[MOST], bad[MOST];

static uint64_t random_number(void) {
    static uint64_t state = 1;
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return state >> 33;
}

/* A result with two rods, probes and enough rows for several chunks. */
static size_t write_good(void) {
    static const withy_probe probe[] = {{.name = "tip", .what = "position", .at = 1},
                                        {.name = "a", .what = "frame", .rod = 1, .at = 0.5}};
    withy_error err;
    fix_run run;
    const char *path = fix_path("good.h5");
    fix_make(&run, 2, 2, FIX_ALL);
    run.meta.request = (withy_request){.stop = 1, .output = 1, .probe = probe, .probe_count = 2};
    CHECK_OK(fix_write(&run, path, 24, "complete", &err));
    wy_arena_free(&run.arena);
    FILE *file = fopen(path, "rb");
    const size_t size = fread(good, 1, MOST, file);
    fclose(file);
    return size;
}

/* Another byte, another address or size, or a part of the file in another place. */
static void change(size_t size) {
    static const uint64_t number[] = {0, 1, 2, 255, 65535, UINT64_MAX, INT64_MAX, 1u << 31};
    const size_t at = random_number() % (size - 64), from = random_number() % (size - 64);
    const size_t aligned = at / 8 * 8;
    uint64_t value = number[random_number() % 8];
    switch (random_number() % 5) {
    case 0: bad[at] ^= (uint8_t)(1u << random_number() % 8); break;
    case 1: bad[at] = (uint8_t)random_number(); break;
    case 2: memcpy(bad + at, &value, sizeof value); break;
    case 3: value = from, memcpy(bad + aligned, &value, sizeof value); break;
    default: memmove(bad + at, bad + from, 48); break;
    }
}

TEST(structures_that_say_anything_are_read_or_refused) {
    const size_t size = write_good();
    const char *path = fix_path("bad.h5");
    int opened = 0;
    CHECK(size > 1000 && size < MOST);
    CHECK(read_result(path, good, size) == 1);
    for (int i = 0; i < FILES; i++) {
        memcpy(bad, good, size);
        for (uint64_t k = 0; k <= random_number() % 24; k++) change(size);
        opened += read_result(path, bad, size);
    }
    print_message("%d files with structures that say anything: %d opened, the others refused\n",
                  FILES, opened);
    CHECK(opened > 0 && opened < FILES);
    fix_clean();
}

RUN(test(structures_that_say_anything_are_read_or_refused))
#endif
