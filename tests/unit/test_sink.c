/* test_sink.c - choosing a sink, CSV and ParaView files. */
#include "check.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sink/superblock.h"
#include "sink_fixture.h"
#include "withy/list.h"

static withy_error err;

static const withy_probe probes[] = {{"tip", "position", 0, 1.0, 0, WITHY_OF_ROD, 0},
                                     {"a,\"b\"", "frame", 0, 0.5, 0, WITHY_OF_ROD, 0}};

/* The whole of a small file. */
static const char *text_of(const char *path) {
    static char text[1 << 16];
    FILE *file = fopen(path, "rb");
    if (!file) fail_msg("%s is not there", path);
    const size_t size = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[size] = '\0';
    return text;
}

/* ---- choosing --------------------------------------------------------------------------------- */

TEST(the_ending_chooses_the_sink) {
    const wy_sink *sink;
    CHECK_OK(wy_sink_for("a/b.csv", &sink, &err));
    CHECK_TEXT(sink->name, "csv");
    CHECK_OK(wy_sink_for("B.PVD", &sink, &err));
    CHECK_TEXT(sink->name, "vtk");
}

TEST(an_unknown_ending_lists_the_known_ones) {
    const wy_sink *sink;
    CHECK(wy_sink_for("result.xyz", &sink, &err) == WITHY_BAD_INPUT);
    CHECK_TEXT(err.text, "result.xyz: the ending of a result file chooses its format: use .h5, "
                         ".csv, .pvd or .wav");
    CHECK(wy_sink_for(".csv", &sink, &err) == WITHY_BAD_INPUT); /* a name is needed too */
}

TEST(the_list_of_sinks_ends) {
    withy_sink_info info;
    int count = 0;
    while (withy_sink_at(count, &info)) {
        CHECK(info.name && info.ending[0] == '.' && info.summary);
        count++;
    }
    CHECK(count >= 3);
    CHECK(!withy_sink_at(-1, &info));
}

/* ---- the ledger ------------------------------------------------------------------------------- */

TEST(the_ledger_puts_back_what_it_gets) {
    int count;
    const withy_quantity *entry = withy_quantity_list(WITHY_OF_LEDGER, &count);
    withy_snapshot a = {0}, b = {0};
    for (int e = 0; e < count; e++) {
        const double in[3] = {e + 1, e + 2, e + 3};
        double out[3];
        wy_quantity_put(&entry[e], &a, in);
        wy_quantity_get(&entry[e], &a, out);
        CHECK(memcmp(in, out, sizeof *in * (size_t)entry[e].size) == 0);
        wy_quantity_put(&entry[e], &b, in);
    }
    CHECK(memcmp(&a, &b, sizeof a) == 0);
    CHECK(a.iterations == count && a.energy.kinetic == 1 && a.reaction_moment[1].z > 0);
}

/* ---- the superblock ---------------------------------------------------------------------------- */

/* The first 48 bytes of a file of HDF5 1.10.8: its checksum must come out. */
TEST(the_checksum_is_that_of_hdf5) {
    static const unsigned char head[WY_SUPERBLOCK_SIZE] = {
        0x89, 0x48, 0x44, 0x46, 0x0d, 0x0a, 0x1a, 0x0a, 0x03, 0x08, 0x08, 0x00,
        0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0xff, 0xff, 0xff, 0xff,
        0xff, 0xff, 0xff, 0xff, 0x18, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
        0x30, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x09, 0xbc, 0x6c, 0xfd};
    unsigned char ours[WY_SUPERBLOCK_SIZE];
    memcpy(ours, head, sizeof ours);
    CHECK(wy_superblock_is(ours));
    uint64_t length = 0;
    for (int i = 7; i >= 0; i--) length = length << 8 | head[28 + i];
    wy_superblock_set(ours, length);
    CHECK(memcmp(ours, head, sizeof ours) == 0);
    ours[8] = 2;
    CHECK(!wy_superblock_is(ours));
}

/* ---- CSV -------------------------------------------------------------------------------------- */

TEST(csv_is_a_tidy_table_with_units) {
    fix_run run;
    fix_make(&run, 2, 2, WITHY_HAVE_POSITION | WITHY_HAVE_MOMENTUM);
    CHECK_OK(fix_write(&run, fix_path("a.csv"), 2, "complete", &err));
    const char *text = text_of(fix_path("a.csv"));
    CHECK(strncmp(text, "t [s],rod,station,s [m],x [m],y [m],z [m]\n", 42) == 0);
    CHECK(strstr(text, "\n0,1,0,0,0.33333333333333331,1.3333333333333333,2.3333333333333335\n"));
    int lines = 0;
    for (const char *c = text; *c; c++) lines += *c == '\n';
    CHECK(lines == 1 + 2 * (2 + 3));
    CHECK(access(fix_path("a.csv.part"), F_OK) != 0);
    CHECK(access(fix_path("a.probes.csv"), F_OK) != 0); /* there are no probes */
    text = text_of(fix_path("a.ledger.csv"));
    CHECK(strncmp(text, "t [s],step,rod,momentum_x [kg m/s],momentum_y [kg m/s],", 55) == 0);
    CHECK(!strstr(text, "kinetic"));
    wy_arena_free(&run.arena);
}

TEST(csv_says_what_tells_its_snapshots_apart) {
    fix_run run;
    fix_make(&run, 1, 2, WITHY_HAVE_POSITION);
    run.meta.axis = "load factor";
    CHECK_OK(fix_write(&run, fix_path("p.csv"), 2, "complete", &err));
    CHECK(strncmp(text_of(fix_path("p.csv")), "load factor,rod,station,", 24) == 0);
    CHECK(strncmp(text_of(fix_path("p.ledger.csv")), "load factor,step,rod", 20) == 0);
    wy_arena_free(&run.arena);
}

TEST(csv_is_not_written_by_two_at_once_nor_over_a_folder) {
    fix_run run;
    const wy_sink *sink;
    void *first, *second;
    fix_make(&run, 1, 2, WITHY_HAVE_POSITION);
    CHECK_OK(wy_sink_for("q.csv", &sink, &err));
    CHECK_OK(sink->open(fix_path("q.csv"), &run.meta, run.first, &first, &err));
    CHECK(sink->open(fix_path("q.csv"), &run.meta, run.first, &second, &err) == WITHY_IO);
    CHECK(
        strstr(err.text, "q.csv: cannot be written: another program, or another -o, has it open"));
    CHECK_OK(sink->write(first, 0, &run.snap[0], &err));
    CHECK_OK(sink->close(first, "complete", &err));
    CHECK(strncmp(text_of(fix_path("q.csv")), "t [s],rod", 9) == 0);
    CHECK(mkdir(fix_path("folder.csv"), 0777) == 0);
    CHECK(sink->open(fix_path("folder.csv"), &run.meta, run.first, &first, &err) == WITHY_IO);
    CHECK(strstr(err.text, "Is a directory; choose another name"));
    wy_arena_free(&run.arena);
}

TEST(a_snapshot_that_lacks_what_the_first_had_is_refused_by_paraview_too) {
    fix_run run;
    const wy_sink *sink;
    void *state;
    fix_make(&run, 1, 2, WITHY_HAVE_POSITION | WITHY_HAVE_VELOCITY);
    CHECK_OK(wy_sink_for("lack.pvd", &sink, &err));
    CHECK_OK(sink->open(fix_path("lack.pvd"), &run.meta, run.first, &state, &err));
    run.snap[0].have = WITHY_HAVE_POSITION;
    CHECK(sink->write(state, 0, &run.snap[0], &err) == WITHY_BAD_INPUT);
    CHECK(strstr(err.text, "lacks what the first one had"));
    CHECK_OK(sink->close(state, "failed: lacking", &err));
    wy_arena_free(&run.arena);
}

TEST(csv_numbers_lose_nothing) {
    fix_run run;
    double t, s, x;
    int rod, station;
    fix_make(&run, 1, 3, FIX_ALL);
    CHECK_OK(fix_write(&run, fix_path("b.csv"), 9, "complete", &err));
    const char *line = strstr(text_of(fix_path("b.csv")), "\n3.5,1,2,");
    CHECK(line && sscanf(line + 1, "%lf,%d,%d,%lf,%lf", &t, &rod, &station, &s, &x) == 5);
    CHECK(t == 3.5 && s == 1.0 && x == fix_number(0, 0, 7, 6));
    wy_arena_free(&run.arena);
}

TEST(csv_probes_have_quoted_names_and_empty_cells) {
    fix_run run;
    fix_make(&run, 1, 3, FIX_ALL);
    run.meta.request.probe = probes;
    run.meta.request.probe_count = 2;
    CHECK_OK(fix_write(&run, fix_path("c.csv"), 1, "complete", &err));
    const char *text = text_of(fix_path("c.probes.csv"));
    CHECK(strncmp(text, "t [s],probe,what,rod,s [m],value1,value2,value3,value4\n", 55) == 0);
    CHECK(strstr(text, "\n0,tip,position,1,1,90000.333333333328,90001.333333333328,"
                       "90002.333333333328,\n"));
    CHECK(strstr(text, "\n0,\"a,\"\"b\"\"\",frame,1,0.5,"));
    wy_arena_free(&run.arena);
}

TEST(csv_says_when_the_run_was_not_complete) {
    fix_run run;
    fix_make(&run, 1, 3, FIX_ALL);
    CHECK_OK(fix_write(&run, fix_path("d.csv"), 1, "interrupted", &err));
    CHECK(strstr(text_of(fix_path("d.csv")), "\n# interrupted\n"));
    wy_arena_free(&run.arena);
}

/* Nothing of ours lies in the folder of the tests: what is written next to has ".part-" in its name. */
static int left_behind(void) {
    char command[160];
    snprintf(command, sizeof command, "find '%s' -name '*part-*' | grep -q .", fix_path(""));
    return system(command) == 0;
}

/* An earlier run had probes, or more snapshots; whoever reads all that is there would mix the two. */
TEST(what_an_earlier_run_has_left_does_not_pass_for_the_new_one) {
    fix_run run;
    fix_make(&run, 1, 3, FIX_ALL);
    run.meta.request.probe = probes, run.meta.request.probe_count = 2;
    CHECK_OK(fix_write(&run, fix_path("left.csv"), 3, "complete", &err));
    CHECK_OK(fix_write(&run, fix_path("left.pvd"), 3, "complete", &err));
    CHECK(access(fix_path("left.probes.csv"), F_OK) == 0);
    CHECK(access(fix_path("left/000002.vtp"), F_OK) == 0);
    run.meta.request.probe_count = 0;
    CHECK_OK(fix_write(&run, fix_path("left.csv"), 2, "complete", &err));
    CHECK_OK(fix_write(&run, fix_path("left.pvd"), 2, "complete", &err));
    CHECK(access(fix_path("left.ledger.csv"), F_OK) == 0);
    CHECK(access(fix_path("left.probes.csv"), F_OK) != 0);
    CHECK(access(fix_path("left/000001.vtp"), F_OK) == 0);
    CHECK(access(fix_path("left/000002.vtp"), F_OK) != 0);
    wy_arena_free(&run.arena);
}

static void put_text(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    CHECK(file && fputs(text, file) >= 0);
    fclose(file);
}

/* Written by the sink of their names: NAME.csv with a table of probes next to it. */
static void write_with_probes(fix_run *run, const char *path) {
    run->meta.request.probe = probes, run->meta.request.probe_count = 2;
    CHECK_OK(fix_write(run, path, 2, "complete", &err));
    run->meta.request.probe_count = 0;
}

/* What another has put there while the run went on is not of an earlier run. */
TEST(what_has_come_since_is_not_removed) {
    fix_run run;
    void *state;
    const wy_sink *sink;
    fix_make(&run, 1, 3, FIX_ALL);
    char old[160], new[160];
    snprintf(old, sizeof old, "%s", fix_path("since.probes.csv"));
    snprintf(new, sizeof new, "%s", fix_path("since.new"));
    write_with_probes(&run, fix_path("since.csv"));
    CHECK_OK(wy_sink_for("x.csv", &sink, &err));
    CHECK_OK(sink->open(fix_path("since.csv"), &run.meta, run.first, &state, &err));
    put_text(new, "new");
    CHECK(rename(new, old) == 0);
    CHECK_OK(sink->write(state, 0, &run.snap[0], &err));
    CHECK_OK(sink->close(state, "complete", &err));
    CHECK_TEXT(text_of(old), "new");
    wy_arena_free(&run.arena);
}

/* Measurements may have such a name: next to a first result, an old result, or the table of another
 * program; their first line tells them from a table of ours. */
TEST(a_file_that_is_not_of_an_earlier_run_is_not_removed) {
    static const char *const foreign[] = {
        "t,tip\n0,1\n",
        "t [s],probe,what,rod,s [m]\n",
        "t [s],probe,what,rod,s [m],value1,value3\n",
        "t [s],probe,what,rod,s [m],value1,mine\n",
        "load factor,probe,what,rod,s [m],value1\n",
        "t [s],probe,what,rod,s [m],value1", /* no whole line */
        "",
    };
    fix_run run;
    fix_make(&run, 1, 3, FIX_ALL);
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++) {
        char path[160];
        snprintf(path, sizeof path, "%s", fix_path("mine.probes.csv"));
        unlink(fix_path("mine.csv"));
        put_text(path, foreign[i]);
        for (int k = 0; k < 2; k++) { /* without and with an old mine.csv */
            CHECK_OK(fix_write(&run, fix_path("mine.csv"), 2, "complete", &err));
            CHECK_TEXT(text_of(path), foreign[i]);
        }
    }
    write_with_probes(&run, fix_path("mine.csv"));
    put_text(fix_path("mine.csv"), "time,rod\n0,1\n"); /* not a result of ours */
    CHECK_OK(fix_write(&run, fix_path("mine.csv"), 2, "complete", &err));
    CHECK(access(fix_path("mine.probes.csv"), F_OK) == 0);
    wy_arena_free(&run.arena);
}

/* With these an old file is not replaced, and so it is not removed either; the run has its result. */
TEST(a_table_that_is_open_elsewhere_or_protected_is_not_removed) {
    fix_run run;
    void *state;
    const wy_sink *sink;
    struct stat about;
    fix_make(&run, 1, 3, FIX_ALL);
    const char *path = fix_path("held.csv"), *left = fix_path("held.probes.csv");
    CHECK_OK(wy_sink_for("x.csv", &sink, &err));
    write_with_probes(&run, path);
    CHECK_OK(sink->open(left, &run.meta, run.first, &state, &err)); /* -o held.probes.csv */
    CHECK_OK(fix_write(&run, path, 2, "complete", &err));
    CHECK(access(left, F_OK) == 0);
    CHECK_OK(sink->close(state, "failed: early", &err));
    const int other = open(left, O_RDONLY); /* as another program that writes it */
    CHECK(other >= 0 && flock(other, LOCK_EX | LOCK_NB) == 0);
    CHECK_OK(fix_write(&run, path, 2, "complete", &err));
    CHECK(access(left, F_OK) == 0);
    close(other);
    if (geteuid() != 0) { /* who may write all */
        CHECK(chmod(left, 0444) == 0);
        CHECK_OK(fix_write(&run, path, 2, "complete", &err));
        CHECK(stat(left, &about) == 0 && chmod(left, 0644) == 0);
    }
    CHECK_OK(fix_write(&run, path, 2, "complete", &err));
    CHECK(access(left, F_OK) != 0);
    wy_arena_free(&run.arena);
}

TEST(a_full_disk_leaves_the_old_tables_and_lists_and_nothing_beside_them) {
    static const char *const name[] = {"e.csv", "e.pvd"};
    static const rlim_t limit[] = {10, 400, 20000};
    for (size_t i = 0; i < sizeof name / sizeof *name; i++) {
        const char *path = fix_path(name[i]);
        fix_run run;
        fix_make(&run, 1, 50, FIX_ALL);
        CHECK_OK(fix_write(&run, path, 2, "complete", &err));
        char *old = strdup(text_of(path));
        for (size_t k = 0; k < sizeof limit / sizeof *limit; k++) {
            const pid_t child = fork();
            if (child == 0) {
                signal(SIGXFSZ, SIG_IGN);
                setrlimit(RLIMIT_FSIZE, &(struct rlimit){limit[k], limit[k]});
                const withy_status status = fix_write(&run, path, 1000, "complete", &err);
                _exit(status == WITHY_IO && strstr(err.text, "File too large") ? 0 : 1);
            }
            int status;
            waitpid(child, &status, 0);
            CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
            CHECK_TEXT(text_of(path), old);
            CHECK(!left_behind());
        }
        free(old);
        wy_arena_free(&run.arena);
    }
}

/* Commas of a line. */
static int commas(const char *line) {
    int count = 0;
    for (; *line && *line != '\n'; line++) count += *line == ',';
    return count;
}

TEST(a_disk_that_fills_leaves_the_whole_lines_of_new_tables) {
    static const rlim_t limit[] = {3000, 20000, 60000};
    for (size_t k = 0; k < sizeof limit / sizeof *limit; k++) {
        fix_run run;
        char name[16];
        snprintf(name, sizeof name, "f%zu.csv", k);
        const char *path = fix_path(name);
        fix_make(&run, 1, 5, FIX_ALL);
        const pid_t child = fork();
        if (child == 0) {
            signal(SIGXFSZ, SIG_IGN);
            setrlimit(RLIMIT_FSIZE, &(struct rlimit){limit[k], limit[k]});
            const withy_status status = fix_write(&run, path, 1000, "complete", &err);
            _exit(status == WITHY_IO && strstr(err.text, "the lines that were written before") ? 0
                                                                                               : 1);
        }
        int status, lines = 0;
        waitpid(child, &status, 0);
        CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
        char *text = strdup(text_of(path));
        const size_t size = strlen(text);
        CHECK(size > 0 && size <= limit[k] && text[size - 1] == '\n');
        for (char *line = text; *line; line = strchr(line, '\n') + 1) {
            if (*line == '#') continue;
            CHECK(commas(line) == commas(text));
            lines++;
        }
        print_message("%d bytes: %d whole lines\n", (int)limit[k], lines);
        CHECK(lines > 1 && !left_behind());
        free(text);
        wy_arena_free(&run.arena);
    }
}

TEST(what_lies_under_the_name_of_a_part_is_neither_followed_nor_taken) {
    fix_run run;
    char mine[160], text[8] = "";
    snprintf(mine, sizeof mine, "%s", fix_path("mine"));
    FILE *file = fopen(mine, "w");
    fputs("mine", file);
    fclose(file);
    fix_make(&run, 1, 2, FIX_ALL);
    static const char *const name[] = {"l.csv", "l.h5", "l.pvd"};
    for (size_t i = 0; i < sizeof name / sizeof *name; i++) {
        char part[160];
        const char *path = fix_path(name[i]);
        snprintf(part, sizeof part, "%s.part", path);
        CHECK(symlink(mine, part) == 0 && symlink(mine, path) == 0);
        const withy_status status = fix_write(&run, path, 2, "complete", &err);
        if (status != WITHY_MISSING) CHECK_OK(status);
        struct stat constraint;
        CHECK(lstat(part, &constraint) == 0 && S_ISLNK(constraint.st_mode));
        CHECK(status == WITHY_MISSING ||
              (lstat(path, &constraint) == 0 && S_ISREG(constraint.st_mode)));
        file = fopen(mine, "r");
        CHECK(fgets(text, sizeof text, file) && strcmp(text, "mine") == 0);
        fclose(file);
    }
    CHECK(mkfifo(fix_path("pipe.csv"), 0666) == 0);
    CHECK(fix_write(&run, fix_path("pipe.csv"), 1, "complete", &err) == WITHY_IO);
    CHECK(strstr(err.text, "it is a pipe or a device"));
    wy_arena_free(&run.arena);
}

TEST(a_run_that_fails_before_its_first_snapshot_leaves_the_old_result) {
    static const char *const name[] = {"k.csv", "k.h5", "k.pvd"};
    fix_run run;
    fix_make(&run, 1, 2, FIX_ALL);
    for (size_t i = 0; i < sizeof name / sizeof *name; i++) {
        const char *path = fix_path(name[i]);
        struct stat before, after;
        CHECK_OK(fix_write(&run, path, 0, "failed: at once", &err)); /* nor makes a new one */
        CHECK(access(path, F_OK) != 0);
        CHECK_OK(fix_write(&run, path, 1, "complete", &err));
        CHECK(stat(path, &before) == 0);
        CHECK_OK(fix_write(&run, path, 0, "failed: at once", &err));
        CHECK(stat(path, &after) == 0 && before.st_ino == after.st_ino);
        CHECK(!left_behind());
    }
    wy_arena_free(&run.arena);
}

TEST(a_text_of_a_table_is_never_a_formula) {
    static const struct {
        const char *name, *cell;
    } row[] = {{"=1+1", "\"'=1+1\""},   {"+a", "\"'+a\""},
               {"-tip", "\"'-tip\""},   {"@SUM(A1)", "\"'@SUM(A1)\""},
               {"\t=1", "\"\t'=1\""},   {"\r=1", "\"\r'=1\""},
               {"a,=1", "\"a,'=1\""},   {"a;=1", "\"a;'=1\""},
               {"a\n=1", "\"a\n'=1\""}, {"\"=1", "\"\"\"'=1\""},
               {"a\x1b[2J", "a [2J"},   {"left-end", "left-end"},
               {"a=b", "a=b"},          {"\"", "\"\"\"\""}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        fix_run run;
        char expected[160];
        withy_probe probe = {.at = 1, .what = "position"};
        snprintf(probe.name, sizeof probe.name, "%s", row[i].name);
        fix_make(&run, 1, 3, FIX_ALL);
        run.meta.axis = row[i].name;
        run.meta.request.probe = &probe;
        run.meta.request.probe_count = 1;
        CHECK_OK(fix_write(&run, fix_path("formula.csv"), 1, "failed: x\n=1,=2", &err));
        snprintf(expected, sizeof expected, "\n0,%s,position,1,1,", row[i].cell);
        CHECK(strstr(text_of(fix_path("formula.probes.csv")), expected));
        snprintf(expected, sizeof expected, "%s,rod,station,s [m],", row[i].cell);
        CHECK(strncmp(text_of(fix_path("formula.csv")), expected, strlen(expected)) == 0);
        CHECK(strstr(text_of(fix_path("formula.csv")), "\n# failed: x '=1,'=2\n"));
        wy_arena_free(&run.arena);
    }
}

TEST(names_and_reasons_in_a_list_for_paraview_are_xml) {
    fix_run run;
    fix_make(&run, 1, 2, FIX_ALL);
    CHECK_OK(fix_write(&run, fix_path("a&\"<'>b.pvd"), 1, "failed: --> <x>\n\x1b\xff", &err));
    const char *text = text_of(fix_path("a&\"<'>b.pvd"));
    CHECK(strstr(text, "file=\"a&#38;&#34;&#60;&#39;&#62;b/000000.vtp\"/>"));
    CHECK(strstr(text, "</VTKFile>\n<!-- failed: ~~> <x>  \xef\xbf\xbd -->\n"));
    static const char *const bad[] = {"a\nb.pvd", "a\xff.pvd", "\x1b[31m.pvd"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        CHECK(fix_write(&run, fix_path(bad[i]), 1, "complete", &err) == WITHY_BAD_INPUT);
        CHECK(strstr(err.text, "must be UTF-8 without control characters"));
        CHECK(access(fix_path(bad[i]), F_OK) != 0);
    }
    wy_arena_free(&run.arena);
}

TEST(text_sinks_refuse_an_unwritable_path) {
    static const char *const path[] = {"/nonexistent/x.csv", "/nonexistent/x.pvd"};
    fix_run run;
    fix_make(&run, 1, 3, FIX_ALL);
    for (int i = 0; i < 2; i++) {
        CHECK(fix_write(&run, path[i], 1, "complete", &err) == WITHY_IO);
        CHECK(strstr(err.text, "/nonexistent/x") && strstr(err.text, "No such file"));
    }
    wy_arena_free(&run.arena);
    CHECK(withy_memory_blocks() == 0);
}

/* ---- ParaView --------------------------------------------------------------------------------- */

/* Undo base64; returns the number of bytes. */
static size_t decode(const char *text, unsigned char *out, size_t room) {
    static const char letter[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    size_t count = 0;
    unsigned bits = 0;
    int have = 0;
    for (; *text && *text != '=' && *text != '\n'; text++) {
        const char *found = strchr(letter, *text);
        bits = bits << 6 | (unsigned)(found - letter);
        have += 6;
        if (have >= 8 && count < room) out[count++] = (unsigned char)(bits >> (have -= 8));
    }
    return count;
}

TEST(vtp_holds_the_positions_of_all_rods) {
    fix_run run;
    unsigned char bytes[512];
    double x[15];
    uint64_t length;
    fix_make(&run, 2, 2, FIX_ALL);
    CHECK_OK(fix_write(&run, fix_path("p.pvd"), 3, "complete", &err));
    CHECK(strstr(text_of(fix_path("p.pvd")), "<DataSet timestep=\"1\" file=\"p/000002.vtp\"/>"));
    const char *text = text_of(fix_path("p/000002.vtp"));
    CHECK(strstr(text, "NumberOfPoints=\"5\" NumberOfLines=\"2\""));
    CHECK(strstr(text, "Name=\"velocity\"") && strstr(text, "Name=\"d3\""));
    const char *data = strchr(strstr(text, "Name=\"Points\""), '\n') + 1;
    CHECK(decode(data, bytes, sizeof bytes) == 8 + sizeof x);
    memcpy(&length, bytes, sizeof length);
    memcpy(x, bytes + 8, sizeof x);
    CHECK(length == sizeof x);
    CHECK(x[0] == fix_number(0, 0, 2, 0) && x[5] == fix_number(0, 0, 2, 5));
    CHECK(x[6] == fix_number(0, 1, 2, 0) && x[14] == fix_number(0, 1, 2, 8));
    wy_arena_free(&run.arena);
}

TEST(the_list_of_times_is_complete_after_every_snapshot) {
    fix_run run;
    void *state;
    const wy_sink *sink;
    fix_make(&run, 1, 3, FIX_ALL);
    CHECK_OK(wy_sink_for("x.pvd", &sink, &err));
    CHECK_OK(sink->open(fix_path("q.pvd"), &run.meta, run.first, &state, &err));
    for (int k = 0; k < 3; k++) {
        CHECK(strstr(text_of(fix_path("q.pvd")), "  </Collection>\n</VTKFile>\n"));
        CHECK_OK(sink->write(state, 0, &run.snap[0], &err));
    }
    CHECK_OK(sink->close(state, "failed: it -- broke", &err));
    CHECK(strstr(text_of(fix_path("q.pvd")), "</VTKFile>\n<!-- failed: it ~~ broke -->\n"));
    wy_arena_free(&run.arena);
}

TEST(files_are_cleaned_up) {
    fix_clean();
}

RUN(test(the_ending_chooses_the_sink), test(an_unknown_ending_lists_the_known_ones),
    test(the_list_of_sinks_ends), test(the_ledger_puts_back_what_it_gets),
    test(the_checksum_is_that_of_hdf5), test(csv_is_a_tidy_table_with_units),
    test(csv_says_what_tells_its_snapshots_apart),
    test(csv_is_not_written_by_two_at_once_nor_over_a_folder),
    test(a_snapshot_that_lacks_what_the_first_had_is_refused_by_paraview_too),
    test(csv_numbers_lose_nothing), test(csv_probes_have_quoted_names_and_empty_cells),
    test(csv_says_when_the_run_was_not_complete),
    test(what_an_earlier_run_has_left_does_not_pass_for_the_new_one),
    test(what_has_come_since_is_not_removed),
    test(a_file_that_is_not_of_an_earlier_run_is_not_removed),
    test(a_table_that_is_open_elsewhere_or_protected_is_not_removed),
    test(a_full_disk_leaves_the_old_tables_and_lists_and_nothing_beside_them),
    test(a_disk_that_fills_leaves_the_whole_lines_of_new_tables),
    test(what_lies_under_the_name_of_a_part_is_neither_followed_nor_taken),
    test(a_run_that_fails_before_its_first_snapshot_leaves_the_old_result),
    test(a_text_of_a_table_is_never_a_formula),
    test(names_and_reasons_in_a_list_for_paraview_are_xml),
    test(text_sinks_refuse_an_unwritable_path), test(vtp_holds_the_positions_of_all_rods),
    test(the_list_of_times_is_complete_after_every_snapshot), test(files_are_cleaned_up))
