/* test_result.c - reading results: what is refused and how, and export to other formats. */
#include "check.h"

#ifndef WITHY_HAVE_LIB_HDF5 /* nothing that could be read can be written */
int main(void) {
    return 0;
}
#else

#include <hdf5.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "sink/hdf5/store.h"
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
    char expected[256];
    const char *path = fix_path("text.h5");
    put_text(path, "t,x\n0,1\n");
    CHECK(withy_result_open(path, &result, &err) == WITHY_BAD_INPUT);
    snprintf(expected, sizeof expected, "%s: not a result file of withy: it is not an HDF5 file",
             path);
    CHECK_TEXT(err.text, expected);
}

/* An empty HDF5 file of the version that withy writes. */
static hid_t create_hdf5(const char *path) {
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
    const hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, access);
    H5Pclose(access);
    return file;
}

static void put_attribute(hid_t file, const char *name, const char *text, bool variable) {
    const hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
    H5Tset_size(type, variable ? H5T_VARIABLE : strlen(text) + 1);
    const hid_t made = H5Acreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    H5Awrite(made, type, variable ? (const void *)&text : text);
    H5Aclose(made);
    H5Sclose(space);
    H5Tclose(type);
}

/* An HDF5 file with the attribute format (or without). */
static void make_hdf5(const char *path, const char *format) {
    const hid_t file = create_hdf5(path);
    if (format) put_attribute(file, "format", format, false);
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
    make_hdf5(path, "withy 3");
    CHECK(withy_result_open(path, &result, &err) == WITHY_BAD_INPUT);
    CHECK(strstr(err.text, "has the format \"withy 3\"") && strstr(err.text, "newer"));
}

TEST(a_file_of_an_older_withy_is_refused_in_one_sentence) {
    char expected[400];
    withy_result *result;
    const char *path = fix_path("older.h5");
    const hid_t file = create_hdf5(path);
    put_attribute(file, "format", "withy 1", true);
    H5Fclose(file);
    CHECK(withy_result_open(path, &result, &err) == WITHY_BAD_INPUT);
    snprintf(expected, sizeof expected,
             "%s: was written by withy 0.2.0 or older, whose texts cannot be read safely: run its "
             "scene again, or export it with that version",
             path);
    CHECK_TEXT(err.text, expected);
}

/* The library's older structures have no checksums. */
TEST(an_hdf5_file_of_an_older_kind_is_refused) {
    withy_result *result;
    const char *path = fix_path("kind.h5");
    H5Fclose(H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
    CHECK(withy_result_open(path, &result, &err) == WITHY_BAD_INPUT);
    CHECK(strstr(err.text, "not a result file of withy: withy writes HDF5 files of another kind"));
}

TEST(what_is_not_a_regular_file_is_refused_without_waiting) {
    withy_result *result;
    const char *path = fix_path("pipe.h5");
    CHECK(mkfifo(path, 0600) == 0);
    CHECK(withy_result_open(path, &result, &err) == WITHY_BAD_INPUT);
    CHECK(strstr(err.text, "it is not a regular file"));
    CHECK(withy_result_open("/dev/zero", &result, &err) == WITHY_BAD_INPUT);
    CHECK(withy_result_open("/", &result, &err) == WITHY_IO);
    CHECK(strstr(err.text, "Is a directory"));
}

TEST(a_file_without_data_is_refused) {
    withy_result *result;
    const char *path = fix_path("hollow.h5");
    make_hdf5(path, "withy 2");
    CHECK(withy_result_open(path, &result, &err) == WITHY_IO);
    CHECK(strstr(err.text, ": time cannot be read: "));
    CHECK(withy_memory_blocks() == 0);
}

/* ---- damage ------------------------------------------------------------------------------------ */

/* Put these bytes into a file and read all of it: 0 when every number is as it was written or there was
 * a message. */
static int read_bytes(const char *path, const char *bytes, size_t length, int *refused) {
    withy_result *result;
    withy_snapshot expected;
    fix_run run;
    int wrong = 0;
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(bytes, 1, length, file) != length || fclose(file) != 0) return 1;
    err.text[0] = '\0';
    if (withy_result_open(path, &result, &err) != WITHY_OK)
        return ++*refused, !strstr(err.text, path);
    fix_make(&run, 1, 4, FIX_ALL);
    expected = run.snap[0];
    for (int64_t k = 0; k < withy_result_count(result); k++) {
        const withy_snapshot *got = withy_result_at(result, 0, k, &err);
        if (!got && ++*refused) {
            wrong += !strstr(err.text, path);
            break;
        }
        fix_fill(&expected, 0, k);
        wrong += memcmp(got->position, expected.position, 4 * sizeof *expected.position) != 0;
        wrong += memcmp(got->moment, expected.moment, 4 * sizeof *expected.moment) != 0;
        wrong += got->energy.bend != expected.energy.bend || got->t != expected.t ||
                 got->step != expected.step;
    }
    wrong += withy_result_count(result) != 5;
    wrong += strcmp(withy_result_text(result, "scene"), "return {}\n") != 0;
    withy_result_close(result);
    wy_arena_free(&run.arena);
    return wrong;
}

/* Cut off, with a byte changed, or with a sector of 512 bytes lost. */
TEST(a_damaged_file_is_read_as_it_was_or_refused_in_a_sentence) {
    static char bytes[1 << 20], bad[1 << 20];
    fix_run run;
    unsigned random = 12345;
    int wrong = 0, refused = 0;
    const char *good = fix_path("good.h5"), *path = fix_path("bad.h5");
    fix_make(&run, 1, 4, FIX_ALL);
    CHECK_OK(fix_write(&run, good, 5, "complete", &err));
    wy_arena_free(&run.arena);
    FILE *file = fopen(good, "rb");
    const size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    CHECK(read_bytes(path, bytes, size, &refused) == 0 && refused == 0);
    for (int trial = 0; trial < 600; trial++) {
        random = random * 1103515245u + 12345u;
        const size_t at = (random >> 4) % size, sector = at / 512 * 512;
        memcpy(bad, bytes, size);
        if (trial % 3 == 1) bad[at] = (char)~bad[at];
        if (trial % 3 == 2) memset(bad + sector, 0, size - sector < 512 ? size - sector : 512);
        wrong += read_bytes(path, bad, trial % 3 ? size : at, &refused) != 0;
    }
    print_message("600 damaged files: %d refused, the others as written\n", refused);
    CHECK(wrong == 0 && refused > 300);
    CHECK(withy_memory_blocks() == 0);
}

/* HDF5 itself writes many rows, one per chunk: all levels of its array of chunks. */
TEST(rows_are_found_in_any_number_of_chunks) {
    enum { ROWS = 134000 };
    const hsize_t shape = ROWS, most = H5S_UNLIMITED, one = 1;
    const char *path = fix_path("chunks.h5");
    const hid_t file = create_hdf5(path), space = H5Screate_simple(1, &shape, &most);
    const hid_t plan = H5Pcreate(H5P_DATASET_CREATE);
    double *value = test_malloc(sizeof *value * ROWS), *found = test_malloc(sizeof *value * ROWS);
    for (int i = 0; i < ROWS; i++) value[i] = 1.0 / (i + 1);
    H5Pset_chunk(plan, 1, &one);
    const hid_t data = H5Dcreate2(file, "x", H5T_IEEE_F64LE, space, H5P_DEFAULT, plan, H5P_DEFAULT);
    CHECK(H5Dwrite(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, value) >= 0);
    H5Dclose(data), H5Pclose(plan), H5Sclose(space), H5Fclose(file);

    wy_store store;
    wy_object root;
    wy_rows rows;
    wy_arena arena = {0};
    CHECK_OK(wy_store_open(&store, path, &err));
    CHECK(wy_object_open(&root, &store, store.root) && wy_object_links(&root));
    CHECK(wy_rows_open(&rows, &root, "x", 1, WY_ROWS_ALL, &arena) && rows.count == ROWS);
    CHECK(wy_rows_get(&store, &rows, 0, ROWS, found));
    CHECK(memcmp(value, found, sizeof *value * ROWS) == 0);
    wy_object_close(&root), wy_store_close(&store), wy_arena_free(&arena);
    test_free(value), test_free(found);
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
    fix_run run;
    fix_make(&run, 1, 3, FIX_ALL);
    CHECK(fix_write(&run, "/nonexistent/x.h5", 2, "complete", &err) == WITHY_IO);
    CHECK_OK(fix_write(&run, fix_path("quiet.h5"), 2, "complete", &err));
    wy_arena_free(&run.arena);
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
    static const withy_probe probe = {"tip", "position", 1, 1.0, 0, WITHY_OF_ROD, 0};
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
    test(a_file_of_an_older_withy_is_refused_in_one_sentence),
    test(an_hdf5_file_of_an_older_kind_is_refused),
    test(what_is_not_a_regular_file_is_refused_without_waiting),
    test(a_file_without_data_is_refused),
    test(a_damaged_file_is_read_as_it_was_or_refused_in_a_sentence),
    test(rows_are_found_in_any_number_of_chunks), test(a_snapshot_out_of_range_is_refused),
    test(hdf5_prints_nothing_and_its_printer_is_put_back),
    test(export_writes_what_the_run_itself_would_have_written), test(files_are_cleaned_up))
#endif
