/* test_result.c - reading results: what is refused and how, and export to other formats. */
#include "check.h"

#ifndef WITHY_HAVE_LIB_HDF5
#include "withy/result.h"

TEST(a_build_without_hdf5_says_so) {
    withy_error err;
    withy_result *result;
    CHECK(withy_result_open("x.h5", &result, &err) == WITHY_MISSING);
    CHECK(strstr(err.text, "HDF5") && !result);
}

RUN(test(a_build_without_hdf5_says_so))
#else

#include <hdf5.h>
#include <sys/wait.h>

#include "sink_fixture.h"

static withy_error err;

static void put_text(const char *path, const char *text) {
    FILE *file = fopen(path, "wb");
    CHECK(file && fputs(text, file) >= 0 && fclose(file) == 0);
}

TEST(a_file_that_is_not_there_is_refused) {
    withy_result *result;
    CHECK(withy_result_open("/nonexistent/x.h5", &result, &err) == WITHY_IO);
    CHECK_TEXT(err.text, "/nonexistent/x.h5: cannot be read: No such file or directory");
    CHECK(!result);
}

TEST(a_file_that_is_not_hdf5_is_refused) {
    withy_result *result;
    char want[256];
    const char *path = fix_path("text.h5");
    put_text(path, "t,x\n0,1\n");
    CHECK(withy_result_open(path, &result, &err) == WITHY_BAD_INPUT);
    snprintf(want, sizeof want, "%s: not a result file of withy: it is not an HDF5 file", path);
    CHECK_TEXT(err.text, want);
}

/* An HDF5 file with the attribute format (or without). */
static void make_hdf5(const char *path, const char *format) {
    const hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    if (format) {
        const hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
        H5Tset_size(type, strlen(format) + 1);
        const hid_t made = H5Acreate2(file, "format", type, space, H5P_DEFAULT, H5P_DEFAULT);
        H5Awrite(made, type, format);
        H5Aclose(made);
        H5Sclose(space);
        H5Tclose(type);
    }
    H5Fclose(file);
}

TEST(an_hdf5_file_of_others_is_refused) {
    withy_result *result;
    const char *path = fix_path("other.h5");
    make_hdf5(path, NULL);
    CHECK(withy_result_open(path, &result, &err) == WITHY_BAD_INPUT);
    CHECK(strstr(err.text, "not a result file of withy: it has no attribute format"));
}

TEST(a_newer_format_asks_for_a_newer_withy) {
    withy_result *result;
    const char *path = fix_path("newer.h5");
    make_hdf5(path, "withy 2");
    CHECK(withy_result_open(path, &result, &err) == WITHY_BAD_INPUT);
    CHECK(strstr(err.text, "has the format \"withy 2\"") && strstr(err.text, "newer"));
}

TEST(a_file_without_data_is_refused) {
    withy_result *result;
    const char *path = fix_path("hollow.h5");
    make_hdf5(path, "withy 1");
    CHECK(withy_result_open(path, &result, &err) == WITHY_IO);
    CHECK(strstr(err.text, ": time cannot be read: "));
    CHECK(withy_memory_blocks() == 0);
}

/* Open and read a file of these bytes; returns 0 when all failures were reported in a sentence. */
static int read_bytes(const char *path, const char *bytes, size_t length) {
    withy_result *result;
    int silent = 0;
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(bytes, 1, length, file) != length || fclose(file) != 0) return 1;
    err.text[0] = '\0';
    if (withy_result_open(path, &result, &err) != WITHY_OK) return !strstr(err.text, path);
    for (int64_t k = 0; k < withy_result_count(result); k++)
        if (!withy_result_at(result, 0, k, &err)) silent += !strstr(err.text, path);
    withy_result_close(result);
    return silent;
}

/* Cut off or with a byte changed. */
static int damage(char *bytes, size_t size, const char *path) {
    unsigned random = 12345;
    int silent = 0;
    for (int trial = 0; trial < 150; trial++) {
        random = random * 1103515245u + 12345u;
        const size_t at = (random >> 4) % size;
        const char saved = bytes[at];
        if (trial % 3) bytes[at] = (char)~saved;
        silent += read_bytes(path, bytes, trial % 3 ? size : at);
        bytes[at] = saved;
    }
    return silent + (withy_memory_blocks() != 0);
}

/* A sentence or a result, never a crash.  In a child that ends at once, because HDF5 1.10 leaks what it
 * could not open and prints messages about it when a program ends. */
TEST(damaged_files_do_no_harm) {
    static char bytes[1 << 20];
    fix_run run;
    const char *good = fix_path("good.h5"), *bad = fix_path("bad.h5");
    fix_make(&run, 1, 4, FIX_ALL);
    CHECK_OK(fix_write(&run, good, 5, "complete", &err));
    wy_arena_free(&run.arena);
    FILE *file = fopen(good, "rb");
    const size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    CHECK(read_bytes(bad, bytes, size) == 0 && err.text[0] == '\0');
    const pid_t child = fork();
    if (child == 0) _exit(damage(bytes, size, bad));
    int status;
    waitpid(child, &status, 0);
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 0);
}

TEST(a_snapshot_out_of_range_is_refused) {
    fix_run run;
    withy_result *result;
    const char *path = fix_path("range.h5");
    fix_make(&run, 1, 3, FIX_ALL);
    CHECK_OK(fix_write(&run, path, 2, "complete", &err));
    CHECK_OK(withy_result_open(path, &result, &err));
    CHECK(!withy_result_at(result, 0, 2, &err));
    CHECK(strstr(err.text, "snapshot 2 of rod 1 was requested; it holds 2 snapshots of 1 rods"));
    CHECK(!withy_result_at(result, 1, 0, &err) && !withy_result_at(result, 0, -1, &err));
    withy_result_close(result);
    wy_arena_free(&run.arena);
}

TEST(hdf5_prints_nothing_and_its_printer_is_put_back) {
    withy_result *result;
    H5E_auto2_t before, after;
    void *data;
    H5Eget_auto2(H5E_DEFAULT, &before, &data);
    CHECK(withy_result_open(fix_path("hollow.h5"), &result, &err) != WITHY_OK);
    H5Eget_auto2(H5E_DEFAULT, &after, &data);
    CHECK(before == after);
}

/* ---- export ----------------------------------------------------------------------------------- */

static int same_files(const char *a, const char *b) {
    char command[400];
    snprintf(command, sizeof command, "cmp -s '%s' '%s'", a, b);
    return system(command) == 0;
}

TEST(export_writes_what_the_run_itself_would_have_written) {
    static const withy_probe probe = {"tip", "position", 1, 1.0, 0};
    fix_run run;
    withy_result *result;
    fix_make(&run, 2, 3, FIX_ALL & ~WITHY_HAVE_SPIN);
    run.meta.request.probe = &probe;
    run.meta.request.probe_count = 1;
    CHECK_OK(fix_write(&run, fix_path("run.h5"), 30, "complete", &err));
    CHECK_OK(fix_write(&run, fix_path("direct.csv"), 30, "complete", &err));
    CHECK_OK(fix_write(&run, fix_path("direct.pvd"), 30, "complete", &err));
    CHECK_OK(withy_result_open(fix_path("run.h5"), &result, &err));
    CHECK_OK(withy_result_export(result, fix_path("export.csv"), &err));
    CHECK_OK(withy_result_export(result, fix_path("export.pvd"), &err));
    CHECK(withy_result_export(result, fix_path("export.xyz"), &err) == WITHY_BAD_INPUT);
    withy_result_close(result);
    CHECK(same_files(fix_path("direct.csv"), fix_path("export.csv")));
    CHECK(same_files(fix_path("direct.ledger.csv"), fix_path("export.ledger.csv")));
    CHECK(same_files(fix_path("direct.probes.csv"), fix_path("export.probes.csv")));
    CHECK(same_files(fix_path("direct/000029.vtp"), fix_path("export/000029.vtp")));
    wy_arena_free(&run.arena);
    CHECK(withy_memory_blocks() == 0);
}

TEST(files_are_cleaned_up) {
    fix_clean();
}

RUN(test(a_file_that_is_not_there_is_refused), test(a_file_that_is_not_hdf5_is_refused),
    test(an_hdf5_file_of_others_is_refused), test(a_newer_format_asks_for_a_newer_withy),
    test(a_file_without_data_is_refused), test(damaged_files_do_no_harm),
    test(a_snapshot_out_of_range_is_refused), test(hdf5_prints_nothing_and_its_printer_is_put_back),
    test(export_writes_what_the_run_itself_would_have_written), test(files_are_cleaned_up))
#endif
