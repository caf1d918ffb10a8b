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
    static withy_parameter parameter[] = {{.name = "wire", .value = 1e-3},
                                          {.name = "young", .value = 2e11}};
    withy_error err;
    fix_run run;
    const char *path = fix_path("good.h5");
    fix_make(&run, 2, 2, FIX_ALL | WITHY_HAVE_CONTACT);
    run.meta.request = (withy_request){.stop = 1, .output = 1, .probe = probe, .probe_count = 2};
    run.meta.parameter = parameter, run.meta.parameter_count = 2;
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
}

/* ---- what is missing, and what is no number -------------------------------------------------------------- */

/* Every place where a name of this length stands: what has it is no longer found.  Links have their length before. */
static int hide(size_t size, const char *name) {
    const size_t length = strlen(name);
    int found = 0;
    for (size_t i = 1; i + length <= size; i++)
        if (bad[i - 1] == length && memcmp(bad + i, name, length) == 0)
            bad[i + length - 1] ^= 2, found++;
    return found;
}

static void put_bad(const char *path, size_t size) {
    FILE *file = fopen(path, "wb");
    CHECK(file && fwrite(bad, 1, size, file) == size && fclose(file) == 0);
}

/* What a snapshot says it has is there. */
static void check_promise(const char *path, const char *hidden) {
    withy_result *result = NULL;
    withy_error err = {0};
    if (withy_result_open(path, &result, &err) != WITHY_OK) {
        CHECK(err.text[0]);
        return;
    }
    int count;
    const withy_quantity *q = withy_quantity_list(WITHY_OF_ROD, &count);
    for (int rod = 0; rod < withy_result_rods(result); rod++) {
        const withy_snapshot *snap = withy_result_at(result, rod, 0, &err);
        for (int i = 0; snap && i < count; i++)
            if ((snap->have & q[i].have) && !withy_quantity_at(&q[i], snap, 0))
                fail_msg("without %s a snapshot says that it has %s", hidden, q[i].name);
    }
    if (withy_result_export(result, fix_path("bad.csv"), &err) != WITHY_OK) CHECK(err.text[0]);
    withy_result_close(result);
}

TEST(what_a_file_lacks_is_not_promised) {
    const size_t size = write_good();
    const char *path = fix_path("bad.h5");
    int fields, entries, found = 0;
    const withy_quantity *quantity = withy_quantity_list(WITHY_OF_ROD, &fields);
    const withy_quantity *entry = withy_quantity_list(WITHY_OF_LEDGER, &entries);
    for (int i = 0; i < fields + entries; i++)
        for (int more = 0; more < 3; more++) { /* alone, and with others */
            const char *name = i < fields ? quantity[i].name : entry[i - fields].name;
            memcpy(bad, good, size);
            hide(size, "check");
            found += hide(size, name);
            for (int k = 0; k < more; k++)
                hide(size, quantity[random_number() % (uint64_t)fields].name);
            put_bad(path, size);
            check_promise(path, name);
        }
    CHECK(found > fields + entries);
}

TEST(a_number_that_is_not_finite_is_refused) {
    static const double odd[] = {NAN, INFINITY, -INFINITY};
    const size_t size = write_good();
    const char *path = fix_path("bad.h5");
    int fields, tried = 0;
    withy_quantity_list(WITHY_OF_ROD, &fields);
    for (int q = 0; q < fields; q++) {
        const double from = fix_number(q, 0, 0, 1);
        const int before = tried;
        memcpy(bad, good, size);
        hide(size, "check");
        for (size_t i = 0; i + 8 <= size; i++)
            if (memcmp(bad + i, &from, 8) == 0) memcpy(bad + i, &odd[q % 3], 8), tried++;
        if (tried == before) continue; /* it is not in the file */
        put_bad(path, size);
        withy_result *result = NULL;
        withy_error err = {0};
        CHECK_OK(withy_result_open(path, &result, &err));
        CHECK(!withy_result_at(result, 0, 0, &err) && strstr(err.text, "finite"));
        CHECK(withy_result_export(result, fix_path("bad.csv"), &err) != WITHY_OK && err.text[0]);
        withy_result_close(result);
    }
    CHECK(tried > 8);
    fix_clean(); /* the last test */
}

RUN(test(structures_that_say_anything_are_read_or_refused), test(what_a_file_lacks_is_not_promised),
    test(a_number_that_is_not_finite_is_refused))
#endif
