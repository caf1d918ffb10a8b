/* test_hostile_state.c - states and checkpoints whose numbers say anything, with right hashes, are refused with a message or
 * computed: no crash, no read outside, no hang.
 *
 * A hash can be computed by anybody, so each change is sealed again.  usage: test_hostile_state [count [seed]]: changed
 * states, and a tenth as many checkpoints; the seed is that of the day, and is printed. */
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "cases.h"
#include "check.h"
#include "sink/hdf5/store.h"
#include "study/sim.h"
#include "withy/withy.h"

static char folder[] = "/tmp/withy-hostile-XXXXXX";
#include "in_folder.h"

static long states = SANITIZED ? 300 : 1000;
static uint64_t seed;

static uint64_t draw(void) {
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return seed >> 24;
}

static size_t below(size_t limit) {
    return (size_t)(draw() % limit);
}

/* ---- changes ----------------------------------------------------------------------------------------- */

/* The numbers that are most likely not looked for. */
static int64_t odd_whole(int64_t now) {
    const uint64_t n = (uint64_t)now;
    const uint64_t pick[] = {UINT64_MAX, 0,          INT64_MAX, 1ull << 63, n + 1,
                             n - 1,      INT32_MAX,  -1u << 31, 0 - n,      draw(),
                             1ull << 32, 1ull << 52, 2,         64,         n ^ 1ull << below(63)};
    return (int64_t)pick[below(sizeof pick / sizeof *pick)];
}

static double odd_double(double now) {
    const double pick[] = {NAN,    INFINITY, -INFINITY, 0,       -now,       1e300,
                           -1e300, 1e-300,   now * 2,   now + 1, now * 1e-9, nextafter(now, 9),
                           1e18,   -1,       now * 1e9};
    return pick[below(sizeof pick / sizeof *pick)];
}

/* A field that has a row in the tables of the state. */
static void change_row(const wy_ranges *kept, char *bytes) {
    int i = (int)below((size_t)kept->pieces);
    for (int k = 0; k < kept->pieces && (!kept->piece[i].rows || !kept->piece[i].count); k++)
        i = (i + 1) % kept->pieces;
    const wy_range_piece *piece = &kept->piece[i];
    const wy_range *row = &kept->row[piece->first + (int)below((size_t)piece->rows)];
    char *at = bytes + piece->at + below(piece->count) * piece->size + row->offset;
    int64_t wide = 0;
    memcpy(&wide, at, row->size < 8 ? row->size : 8);
    wide = odd_whole(row->size == 4 ? (int32_t)wide : wide);
    if (row->kind == WY_RANGE_WHOLE && below(4) == 0) /* as it may be, and not as it is */
        wide = (int64_t)(row->low + (double)below((size_t)(1 + row->high - row->low)));
    double real;
    memcpy(&real, at, sizeof real);
    real = odd_double(real);
    if (row->kind == WY_RANGE_WHOLE)
        memcpy(at, &wide, row->size);
    else
        memcpy(at, &real, sizeof real);
}

static void change_word(char *bytes, size_t size) {
    char *at = bytes + below(size / 8) * 8;
    int64_t wide;
    double real;
    memcpy(&wide, at, 8), memcpy(&real, at, 8);
    wide = odd_whole(wide), real = odd_double(real);
    memcpy(at, below(3) ? (void *)&real : (void *)&wide, 8);
}

static void change_bytes(char *bytes, size_t size) {
    for (size_t i = 1 + below(16); i > 0; i--) bytes[below(size)] = (char)draw();
}

static void change(const wy_ranges *kept, char *bytes, size_t size) {
    for (size_t i = below(3) ? 1 : 1 + below(6); i > 0; i--) switch (below(6)) {
        case 0:
        case 1:
        case 2: change_row(kept, bytes); break;
        case 3:
        case 4: change_word(bytes, size); break;
        default: change_bytes(bytes, size);
        }
}

/* ---- states ------------------------------------------------------------------------------------------ */

enum { SETS = 6 };
typedef struct row {
    const char *method, *scene;
    const char *set[SETS];
} row;
static const row rows[] = {
#include "unit/state_rows.inc"
};
enum { ROWS = sizeof rows / sizeof *rows };

static withy_sim *sim_of(const row *r, withy_scene **scene) {
    const char *set[SETS];
    int count = 0;
    withy_error err = {0};
    withy_sim *sim = NULL;
    for (; count < SETS && r->set[count]; count++) set[count] = r->set[count];
    for (const wy_case *c = wy_cases; c->name; c++)
        if (strcmp(c->name, r->scene) == 0)
            CHECK_OK(withy_scene_read_text(c->text, c->size, c->name, set, count, scene, &err));
    CHECK_OK(withy_scene_sim(*scene, r->method, &sim, &err));
    return sim;
}

/* Two steps, or an output. */
static double soon(const withy_sim *sim) {
    const double h = sim->core->clock.h, output = sim->problem.request.output;
    const double t = sim->core->equilibrium ? 0 : sim->core->t;
    return t + (h > 0 && 2 * h < output ? 2 * h : output);
}

/* A state may ask for more steps than one waits for: it is given up after two seconds, as by the user, and of very many
 * states after a fifth of one. */
static int patience;
static int ask(void *context, double t) {
    (void)context, (void)t;
    return --patience < 0;
}

static void use(withy_sim *sim) {
    withy_error err = {0};
    patience = states > 1000 ? 4 : 40;
    if (withy_sim_advance(sim, soon(sim), &err) != WITHY_OK) CHECK(err.text[0]);
    for (int i = 0; i < sim->problem.rod_count; i++) withy_sim_sample(sim, i);
    withy_sim_parts(sim);
    withy_sim_stats(sim);
}

/* As withy_sim_save has it: 32 bytes before the state, the last 8 of them its hash. */
enum { HEAD = 32 };
static void seal(char *saved, size_t size) {
    const uint64_t hash = wy_hash(saved + HEAD, size - HEAD, 0);
    memcpy(saved + HEAD - sizeof hash, &hash, sizeof hash);
}

/* A whole number that is not in a table would be taken for a double, and then is one of those below all others. */
static void check_tables(const withy_sim *sim, const row *r) {
    const wy_ranges *kept = &sim->kept;
    for (int i = 0; i < kept->pieces; i++) {
        const wy_range_piece *piece = &kept->piece[i];
        CHECK(piece->size % 8 == 0);
        for (size_t at = 0; at < piece->count * piece->size; at += 8) {
            int known = 0;
            for (int k = 0; k < piece->rows; k++) {
                const wy_range *field = &kept->row[piece->first + k];
                known |= at % piece->size + 8 > field->offset &&
                         at % piece->size < field->offset + field->size;
            }
            double x;
            memcpy(&x, sim->state.base + piece->at + at, sizeof x);
            if (!known && x != 0 && fabs(x) < 1e-310)
                fail_msg("%s %s: byte %zu of piece %d (of %zu bytes) is no double: is it a whole "
                         "number without a row?",
                         r->method, r->scene, at % piece->size, i, piece->size);
        }
    }
}

static void attack(const row *r, long count, long *refused) {
    withy_error err = {0};
    withy_scene *scene = NULL;
    withy_sim *sim = sim_of(r, &scene);
    const size_t size = withy_sim_save_size(sim);
    char *good = malloc(size), *bad = malloc(size);
    CHECK(good && bad);
    CHECK_OK(withy_sim_advance(sim, soon(sim), &err));
    CHECK_OK(withy_sim_advance(sim, soon(sim), &err));
    check_tables(sim, r);
    CHECK_OK(withy_sim_save(sim, good, size, &err));
    withy_sim_interrupt(sim, ask, NULL);
    for (long i = 0; i < count; i++) {
        memcpy(bad, good, size);
        change(&sim->kept, bad + HEAD, size - HEAD);
        seal(bad, size);
        err = (withy_error){0};
        const uint64_t before = withy_sim_hash(sim);
        if (withy_sim_restore(sim, bad, size, &err) == WITHY_OK) {
            use(sim);
            CHECK_OK(withy_sim_restore(sim, good, size, &err));
        } else {
            CHECK(err.code == WITHY_BAD_INPUT && err.text[0]);
            CHECK(withy_sim_hash(sim) == before);
            ++*refused;
        }
    }
    free(good), free(bad);
    withy_sim_destroy(sim), withy_scene_destroy(scene);
}

TEST(a_hostile_state_is_refused_or_computed) {
    /* few rows in the suite: a row takes a second under sanitizers, most of it for its simulation */
    const int few = states <= 1000 ? 10 : ROWS;
    long refused = 0;
    for (int i = 0; i < few; i++) {
        const row *r = &rows[few < ROWS ? below(ROWS) : (size_t)i];
        const clock_t start = clock();
        attack(r, states / few, &refused);
        if (getenv("HOSTILE_TELL"))
            print_message("%s %s: %.2f s\n", r->method, r->scene,
                          (double)(clock() - start) / CLOCKS_PER_SEC);
    }
    print_message("%ld states of %d scenes: %ld refused\n", states / few * few, few, refused);
    CHECK(refused > 0);
}

/* Numbers that are not checked in a state, and were not: each kind on its own. */
TEST(what_smashed_the_stack_is_refused) {
    static const row director = {"director", "release", {0}};
    withy_error err = {0};
    withy_scene *scene = NULL;
    withy_sim *sim = sim_of(&director, &scene);
    const size_t size = withy_sim_save_size(sim);
    char *bad = malloc(size);
    CHECK(bad);
    CHECK_OK(withy_sim_advance(sim, soon(sim), &err));
    const char *const name[] = {"history", "guess"};
    for (int i = 0; i < sim->kept.pieces; i++)
        for (int k = 0; k < sim->kept.piece[i].rows; k++)
            for (int n = 0; n < 2; n++) {
                const wy_range *field = &sim->kept.row[sim->kept.piece[i].first + k];
                const int64_t many = 100000;
                if (strcmp(field->name, name[n]) != 0) continue;
                CHECK_OK(withy_sim_save(sim, bad, size, &err));
                memcpy(bad + HEAD + sim->kept.piece[i].at + field->offset, &many, sizeof many);
                seal(bad, size);
                CHECK(withy_sim_restore(sim, bad, size, &err) == WITHY_BAD_INPUT);
                CHECK(strstr(err.text, name[n]));
            }
    free(bad);
    withy_sim_destroy(sim), withy_scene_destroy(scene);
}

/* At rest, in scenes whose method computes no equilibria of them: what rests was never laid. */
TEST(rest_of_what_has_no_equilibrium_is_refused) {
    static const row moving[] = {
        {"fdtd",
         "violin_a_string",
         {"options.scheme=\"literal\"", "time.output=2e-6", "time.stop=4e-5"}},
        {"fdtd", "net", {"options={n=7}", "time.stop=0.04"}},
        {"fdtd", "guitar", {"time.output=5e-5", "time.stop=5e-4"}}};
    for (int m = 0; m < 3; m++) {
        withy_error err = {0};
        withy_scene *scene = NULL;
        withy_sim *sim = sim_of(&moving[m], &scene);
        const size_t size = withy_sim_save_size(sim);
        char *bad = malloc(size);
        const int64_t one = 1;
        CHECK(bad);
        CHECK_OK(withy_sim_advance(sim, soon(sim), &err));
        CHECK_OK(withy_sim_save(sim, bad, size, &err));
        memcpy(bad + HEAD + ((char *)&sim->core->equilibrium - sim->state.base), &one,
               sizeof sim->core->equilibrium);
        seal(bad, size);
        const uint64_t before = withy_sim_hash(sim);
        CHECK(withy_sim_restore(sim, bad, size, &err) == WITHY_BAD_INPUT);
        CHECK(strstr(err.text, "the rest"));
        CHECK(withy_sim_hash(sim) == before);
        free(bad);
        withy_sim_destroy(sim), withy_scene_destroy(scene);
    }
}

/* ---- checkpoints ------------------------------------------------------------------------------------- */

static const char *const runs[] = {
    "method = \"director\", options = { n = 4, dt = 2e-3 }",
    "method = \"elastica\", options = { n = 8, dt = 2e-3 }",
    "method = \"se3\", options = { n = 8, dt = 2e-3 }",
    "method = \"kirchhoff\", options = { n = 8, dt = 2e-3 }",
    "method = \"fdtd\", options = { n = 8 }",
    "method = \"cheb\", options = { n = 8, dt = 4e-5 }",
    "method = \"director\", contact = { self = true }, options = { n = 4, dt = 2e-3 }",
    "method = \"director\", obstacles = { plane { point = { 0, 0, -0.02 }, stiffness = 1e5 } }, "
    "options = { n = 4, dt = 2e-3 }",
    "method = \"director\", options = { n = 4, tol = 1e-2 }",
    "method = \"se3\", loads = { tendon { route = { 5e-3, 0 }, tension = 1 } }, options = { n = 8, "
    "dt = 2e-3 }"};
enum { RUNS = sizeof runs / sizeof *runs };

static withy_status scene_for(int i, withy_scene **scene, withy_error *err) {
    char text[2048];
    snprintf(text, sizeof text,
             "return { rod = { length = 1, section = circle { diameter = 0.02 },\n"
             "  material = { young = 1e7, poisson = 0.3, density = 1000 } },\n"
             "  initial = { shape = straight { along = { 1, 0, 0 }, normal = { 0, 1, 0 } } },\n"
             "  ends = { start = clamped {}, finish = free {} }, gravity = { 0, 0, -9.81 },\n"
             "  time = { stop = 0.04, output = 0.01 }, %s,\n"
             "  probes = { tip = { at = 1, what = \"position\" },\n"
             "             slow = { at = 0.5, what = \"velocity\", every = 0.004 } } }",
             runs[i]);
    return withy_scene_read_text(text, strlen(text), "swing.lua", NULL, 0, scene, err);
}

static int is_reached(void *context, double t, double stop, int64_t count) {
    (void)stop, (void)count;
    return t >= *(const double *)context || --patience < 0;
}

static withy_status run(const withy_scene *scene, const char *path, const char *resume,
                        double until, withy_error *err) {
    static withy_report report;
    patience = 2000; /* cheb needs 500 steps; automatic steps of a wild state need any number */
    const withy_run_setup setup = {.output = &path,
                                   .output_count = 1,
                                   .checkpoint =
                                       resume ? 1e3 : 2e-3, /* each is synced, which takes long */
                                   .resume = resume,
                                   .progress = is_reached,
                                   .context = &until};
    return withy_run(scene, &setup, &report, err);
}

static char *read_all(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    char *bytes = malloc(1 << 22);
    CHECK(file && bytes);
    *size = fread(bytes, 1, 1 << 22, file);
    fclose(file);
    return bytes;
}

/* The states in a file begin with a magic, and so does the state of the simulation within.  Each is changed and sealed. */
static int change_states(char *file, size_t size) {
    int found = 0;
    for (size_t at = 0; at + sizeof(wy_state_head) < size; at += 8) {
        wy_state_head head;
        memcpy(&head, file + at, sizeof head);
        if (memcmp(head.magic, "withy\0k1", 8) != 0 || head.size > size - at - sizeof head)
            continue;
        char *bytes = file + at + sizeof head;
        size_t inner = 0;
        while (inner + HEAD < head.size && memcmp(bytes + inner, "withy\0s1", 8) != 0) inner += 8;
        const size_t own = inner + HEAD < head.size ? inner : (size_t)head.size;
        for (size_t k = 1 + below(2); k > 0; k--) /* the record itself, or the state in it */
            change_word(below(2) ? bytes : bytes + own, below(2) ? own : (size_t)head.size - own);
        if (own < head.size) seal(bytes + own, (size_t)head.size - own);
        wy_state_seal(&head, head.number, bytes, (size_t)head.size);
        memcpy(file + at, &head, sizeof head);
        found++;
    }
    return found;
}

static void put(const char *path, const char *bytes, size_t size) {
    FILE *file = fopen(path, "wb");
    CHECK(file && fwrite(bytes, 1, size, file) == size);
    fclose(file);
}

TEST(a_hostile_checkpoint_is_refused_or_run) {
    const long each = states / 10 / RUNS + 1;
    long refused = 0, failed = 0;
    CHECK(mkdtemp(folder));
    const char *const path = strdup(in_folder("run.h5"));
    for (int i = 0; i < RUNS; i++) {
        withy_error err = {0};
        withy_scene *scene;
        const withy_status status = scene_for(i, &scene, &err);
        if (status == WITHY_MISSING) skip(); /* a build without Lua */
        CHECK_OK(status);
        const withy_status begun = run(scene, path, NULL, 0.022, &err);
        if (begun == WITHY_MISSING) skip(); /* without HDF5 */
        CHECK(begun == WITHY_INTERRUPTED);
        size_t size;
        char *good = read_all(path, &size), *bad = malloc(size);
        CHECK(bad);
        for (long k = 0; k < each; k++) {
            memcpy(bad, good, size);
            CHECK(change_states(bad, size) > 0);
            put(path, bad, size);
            err = (withy_error){0};
            withy_scene *again = NULL;
            withy_status ended = withy_scene_resume(path, NULL, 0, &again, &err);
            if (ended == WITHY_OK) ended = run(again, path, path, 1, &err);
            if (ended != WITHY_OK && ended != WITHY_INTERRUPTED) CHECK(err.text[0]);
            refused += ended == WITHY_BAD_INPUT, failed += ended == WITHY_NO_CONVERGENCE;
            withy_scene_destroy(again);
        }
        free(good), free(bad);
        withy_scene_destroy(scene);
    }
    print_message("%ld checkpoints of %d runs: %ld refused, %ld fail\n", each * RUNS, RUNS, refused,
                  failed);
    unlink(path), rmdir(folder);
    free((char *)(uintptr_t)path);
    CHECK(refused > 0);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        test(what_smashed_the_stack_is_refused), test(rest_of_what_has_no_equilibrium_is_refused),
        test(a_hostile_state_is_refused_or_computed), test(a_hostile_checkpoint_is_refused_or_run)};
    seed = (uint64_t)(time(NULL) / 86400);
    if (argc > 1) states = strtol(argv[1], NULL, 10);
    if (argc > 2) seed = strtoull(argv[2], NULL, 10);
    print_message("seed %llu\n", (unsigned long long)seed);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
