/* test_irrelevant.c - a part that touches nothing changes no answer of director.
 *
 *     test_irrelevant [NAME | loud]        loud: the difference of every scene, also where nothing is asserted
 *
 * (slow under sanitizers)
 */
#include <stdlib.h>

#include "base/vec.h"
#include "cases.h"
#include "check.h"
#include "random_scene.h"

static int loud;
static withy_error err;

/* ---- a scene and something that has nothing to do with it ------------------------------------------------------- */

enum { MORE = 1, OPTIONS = 24, STEPS = 12, MODES = 3, SCENES = 60 };

/* A copy of a problem with room for one more of everything. */
typedef struct scene {
    withy_problem problem;
    withy_rod *rod;
    withy_body *body;
    withy_joint *joint;
    withy_obstacle *obstacle;
    withy_load *load; /* of the first rod */
    double size;      /* the longest rod, or 1                       [m] */
    double far;       /* so far from everything that nothing comes there [m] */
} scene;

static void *copy(const void *from, int count, size_t size) {
    char *to = calloc((size_t)count + MORE, size);
    CHECK(to != NULL);
    if (count) memcpy(to, from, (size_t)count * size);
    return to;
}

static double reach_of(withy_vec3 r) {
    return fmax(fabs(r.x), fmax(fabs(r.y), fabs(r.z)));
}

static scene open_copy(const withy_problem *from) {
    scene x = {.problem = *from};
    withy_problem *p = &x.problem;
    p->rod = x.rod = copy(from->rod, from->rod_count, sizeof *x.rod);
    p->body = x.body = copy(from->body, from->body_count, sizeof *x.body);
    p->joint = x.joint = copy(from->joint, from->joint_count, sizeof *x.joint);
    p->obstacle = x.obstacle = copy(from->obstacle, from->obstacle_count, sizeof *x.obstacle);
    if (p->rod_count) x.load = copy(from->rod[0].load, from->rod[0].load_count, sizeof *x.load);
    if (p->rod_count) x.rod[0].load = x.load;
    p->model = NULL;
    if (!(p->contact.stiffness > 0)) p->contact.stiffness = 1e6;
    double reach = 0;
    for (int i = 0; i < p->rod_count; i++) {
        x.size = fmax(x.size, x.rod[i].length);
        if (!x.rod[i].radius.size) x.rod[i].radius = withy_field_number(1e-3 * x.rod[i].length);
        reach = fmax(reach, reach_of(x.rod[i].initial.from));
    }
    for (int i = 0; i < p->body_count; i++) reach = fmax(reach, reach_of(x.body[i].position));
    if (!(x.size > 0)) x.size = 1;
    x.far = 100 * (x.size + reach);
    return x;
}

static void close_copy(scene *x) {
    free(x->rod), free(x->body), free(x->joint), free(x->obstacle), free(x->load);
}

/* ---- what is added ------------------------------------------------------------------------------------------- */

static void add_nothing(scene *x) {
    (void)x;
}

/* A ball, without friction and damping of its own. */
static void add_obstacle(scene *x) {
    withy_obstacle *wall = &x->obstacle[x->problem.obstacle_count++];
    wall->kind = WITHY_OBSTACLE_SPHERE, wall->radius = x->size;
    wall->point = withy_field_vector(0, x->far, 0);
    wall->own_friction = wall->own_damping = 1, wall->stiffness = 1e6;
}

/* Without a surface, and held. */
static void add_body(scene *x) {
    withy_body *body = &x->body[x->problem.body_count];
    body->mass = 1, body->inertia = (withy_vec3){1, 1, 1};
    body->position = (withy_vec3){0, x->far, 0}, body->frame.w = 1;
    withy_joint *weld = &x->joint[x->problem.joint_count++];
    weld->kind = WITHY_JOINT_WELD;
    weld->place[0] = (withy_place){.part = WITHY_PART_GROUND, .at = body->position};
    weld->place[1] = (withy_place){.part = WITHY_PART_BODY, .index = x->problem.body_count++};
}

static void add_load(scene *x) {
    if (!x->problem.rod_count) return;
    withy_load *load = &x->load[x->rod[0].load_count++];
    load->kind = WITHY_LOAD_POINT;
    load->from = load->to = x->rod[0].length;
    load->force = load->moment = withy_field_vector(0, 0, 0);
}

/* Short, so that its frequencies are higher than those that are compared, and without a load. */
static void add_rod(scene *x) {
    withy_rod *rod = &x->rod[x->problem.rod_count++];
    *rod = withy_rod_default();
    rod->length = 0.1 * x->size;
    rod->section.kind = WITHY_SECTION_CIRCLE;
    rod->section.a = withy_field_number(0.01 * x->size);
    rod->material.young = 1e9, rod->material.shear = 4e8, rod->material.density = 1000;
    rod->initial.kind = rod->rest.kind = WITHY_SHAPE_STRAIGHT;
    rod->initial.from = rod->rest.from = (withy_vec3){0.3 * x->far, x->far, 0.7 * x->far};
    rod->initial.along = rod->rest.along = (withy_vec3){0, 0, 1};
    rod->end[0].kind = rod->end[1].kind = WITHY_END_CLAMPED;
}

static const struct kind {
    const char *name;
    void (*add)(scene *);
} kinds[] = {{"nothing", add_nothing},
             {"an obstacle far away", add_obstacle},
             {"a body that is held far away", add_body},
             {"a load of zero", add_load},
             {"a rod far away", add_rod}};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* ---- answers ---------------------------------------------------------------------------------------------------- */

typedef enum question { MOTION, REST, FREQUENCY, QUESTIONS } question;
static const char *const asked[QUESTIONS] = {"motion", "equilibrium", "frequencies"};

typedef struct answer {
    withy_status status;
    char text[sizeof err.text];
    int count;
    double *number;
    int modes;
    double frequency[MODES];
    int negative;
    int64_t iterations, halvings;
} answer;

/* Places of the rods and bodies that the plain problem has, over its size. */
static void keep_places(const scene *x, withy_sim *sim, const withy_problem *plain, answer *out) {
    int room = 0;
    for (int i = 0; i < plain->rod_count; i++) {
        const withy_snapshot *snap = withy_sim_sample(sim, i);
        CHECK(snap != NULL);
        out->number = realloc(out->number, ((size_t)(room += 3 * snap->count)) * sizeof(double));
        memcpy(&out->number[out->count], snap->position, (size_t)snap->count * sizeof(withy_vec3));
        out->count = room;
    }
    const withy_parts *parts = plain->body_count ? withy_sim_parts(sim) : NULL;
    for (int i = 0; parts && i < plain->body_count; i++) {
        out->number = realloc(out->number, ((size_t)(room += 3)) * sizeof(double));
        memcpy(&out->number[out->count], &parts->body[i].position, sizeof(withy_vec3));
        out->count = room;
    }
    for (int i = 0; i < out->count; i++) out->number[i] /= x->size;
}

static withy_status solve(const scene *x, withy_sim *sim, question what, answer *out) {
    withy_equilibrium point;
    withy_mode *mode = NULL;
    if (what == MOTION) return withy_sim_advance(sim, STEPS * withy_sim_step(sim), &err);
    const withy_path *path = &x->problem.path;
    const double factor =
        path->given ? path->from + (path->to - path->from) / fmax(path->steps, 1) : 1;
    withy_status status = withy_sim_equilibrium(sim, factor, &point, &err);
    if (status == WITHY_OK) out->negative = point.negative;
    if (status != WITHY_OK || what == REST) return status;
    status = withy_sim_modes(sim, WITHY_UP_TO + MODES, &mode, &err);
    if (status != WITHY_OK) return status;
    out->modes = mode->total < MODES ? mode->total : MODES;
    for (int i = 0; i < out->modes; i++) out->frequency[i] = mode[i].frequency;
    withy_modes_free(mode, mode->total);
    return status;
}

static answer ask(const withy_problem *plain, const withy_option *option, int count, question what,
                  const struct kind *kind) {
    answer out = {0};
    withy_sim *sim = NULL;
    scene x = open_copy(plain);
    kind->add(&x);
    out.status = withy_sim_create(&x.problem, "director", option, count, &sim, &err);
    if (out.status == WITHY_OK) out.status = solve(&x, sim, what, &out);
    if (out.status == WITHY_OK) {
        const withy_stats stats = withy_sim_stats(sim);
        out.iterations = stats.iterations, out.halvings = stats.halvings;
        keep_places(&x, sim, plain, &out);
    }
    snprintf(out.text, sizeof out.text, "%s", out.status == WITHY_OK ? "" : err.text);
    withy_sim_destroy(sim);
    close_copy(&x);
    return out;
}

/* How far two answers differ: infinite where only one of them is there, or, if they are to be alike, found otherwise. */
static double apart(const answer *a, const answer *b, int alike) {
    double most = 0;
    if (a->status != b->status || a->count != b->count || a->negative != b->negative ||
        a->modes != b->modes)
        return INFINITY;
    if (alike && (a->iterations != b->iterations || a->halvings != b->halvings)) return INFINITY;
    for (int i = 0; i < a->count; i++) most = fmax(most, fabs(a->number[i] - b->number[i]));
    for (int i = 0; i < a->modes; i++)
        most = fmax(most, fabs(a->frequency[i] - b->frequency[i]) /
                              fmax(fabs(a->frequency[a->modes - 1]), 1e-300));
    return most;
}

/* ---- what is asserted ------------------------------------------------------------------------------------------- */

/* The largest difference, over the size of the scene or the largest frequency: 0 to the last bit, and with as many
 * iterations and halvings; infinite: not asserted yet.
 *   A body or a rod more changes the order of elimination, and with it rounding; a rod has iterations of its own besides,
 *   and Newton's method ends where a change is below 1e-9 (STEP_DONE).
 *   Equilibria and frequencies with a body or a rod: to rounding but for a few; the ring of michell_ring may lie anywhere in
 *   its plane, and a rod far away has a share in the measures that decide when an iteration ends. */
static const double ROUNDING = 1e-12, STEP_DONE = 1e-9;
static double bound_of(question what, int kind) {
    if (kinds[kind].add == add_load || kinds[kind].add == add_obstacle) return 0;
    if (what != MOTION) return INFINITY;
    return kinds[kind].add == add_body ? ROUNDING : STEP_DONE;
}

/* A rod far away from one that is inside of something, or of what a function may say to be the outside, is in the wall. */
static int fits(const withy_problem *plain, int kind) {
    int inside = 0;
    for (int i = 0; i < plain->obstacle_count; i++)
        inside |= plain->obstacle[i].inside || plain->obstacle[i].kind == WITHY_OBSTACLE_DISTANCE;
    return !inside || kinds[kind].add != add_rod;
}

/* ---- all scenes ------------------------------------------------------------------------------------------------- */

typedef struct tally {
    int scenes, same;
    double most;
    char worst[64];
} tally;

static void compare(const char *name, const withy_problem *plain, const withy_option *option,
                    int count, question what, tally sum[KINDS]) {
    const answer own = ask(plain, option, count, what, &kinds[0]);
    for (int k = 1; k < KINDS && own.status == WITHY_OK; k++) {
        if (!fits(plain, k) || (!loud && isinf(bound_of(what, k)))) continue;
        const answer other = ask(plain, option, count, what, &kinds[k]);
        const double off = apart(&own, &other, bound_of(what, k) == 0);
        if (loud || off > bound_of(what, k))
            printf("%-11s %-24s %-30s %.3g %s\n", asked[what], name, kinds[k].name, off,
                   other.text);
        sum[k].scenes++, sum[k].same += off == 0;
        if (off > sum[k].most) {
            sum[k].most = off;
            snprintf(sum[k].worst, sizeof sum[k].worst, "%s", name);
        }
        free(other.number);
    }
    free(own.number);
}

/* At least `least` scenes have been compared, and none differs. */
static void tell(question what, const tally sum[KINDS], int least) {
    for (int k = 1; k < KINDS; k++) {
        if (!sum[k].scenes) continue;
        printf("%-11s %-30s %3d scenes, %3d to the bit, most %.3g %s\n", asked[what], kinds[k].name,
               sum[k].scenes, sum[k].same, sum[k].most, sum[k].worst);
        CHECK(sum[k].scenes >= least);
    }
    for (int k = 1; k < KINDS; k++) CHECK_BELOW(sum[k].most, bound_of(what, k));
}

/* The options of a scene of this method, its step a number. */
static int options_of(const withy_scene *read, withy_option option[OPTIONS]) {
    int count, at = 0, dt = -1;
    const withy_option *given = withy_scene_options(read, &count);
    const withy_request *time = &withy_scene_problem(read)->request;
    const int own = strcmp(withy_scene_method(read), "director") == 0;
    for (int i = 0; own && i < count && at + 1 < OPTIONS; i++) {
        if (strcmp(given[i].name, "dt") == 0) dt = at;
        option[at++] = given[i];
    }
    if (dt < 0) dt = at++, option[dt] = (withy_option){.name = "dt", .word = "auto"};
    if (option[dt].word[0]) {
        option[dt].word[0] = 0;
        option[dt].number = time->stop > 0 ? 1e-3 * time->stop : 1e-3;
    }
    return at;
}

/* Those that take seconds: lifted_rod is asked for a point of its path without the ones before. */
static int is_long(const char *name, question what) {
    return (what != MOTION &&
            (strcmp(name, "gridshell") == 0 || strcmp(name, "lifted_rod") == 0)) ||
           (what == FREQUENCY && strcmp(name, "helical_buckling") == 0);
}

static void all_cases(question what, int least) {
    tally sum[KINDS] = {{0}};
    for (const wy_case *c = wy_cases; c->name; c++) {
        withy_scene *read;
        withy_option option[OPTIONS];
        if (is_long(c->name, what)) continue;
        const withy_status status =
            withy_scene_read_text(c->text, c->size, c->name, NULL, 0, &read, &err);
        if (status == WITHY_MISSING) skip(); /* this build reads no scenes */
        CHECK_OK(status);
        const withy_problem *problem = withy_scene_problem(read);
        const int still = problem->path.given || !(problem->request.stop > 0);
        if (still == (what != MOTION))
            compare(c->name, problem, option, options_of(read, option), what, sum);
        withy_scene_destroy(read);
    }
    tell(what, sum, least);
}

static void all_random(question what, int least) {
    static random_scene y;
    tally sum[KINDS] = {{0}};
    const random_view plain = random_plain();
    for (uint64_t seed = 1; seed <= SCENES; seed++) {
        char name[32];
        const random_recipe r = random_make(seed, what != MOTION);
        random_write(&r, &plain, &y);
        snprintf(name, sizeof name, "random %d", (int)seed);
        compare(name, &y.problem, y.option, random_options(&r, &plain, "director", 1, &y), what,
                sum);
    }
    tell(what, sum, least);
}

TEST(a_case_moves_as_without_what_it_never_touches) {
    all_cases(MOTION, 50);
}
TEST(a_random_rod_moves_as_without_what_it_never_touches) {
    all_random(MOTION, SCENES / 2);
}
TEST(a_case_comes_to_rest_as_without_a_far_obstacle_or_a_load_of_zero) {
    all_cases(REST, 20);
}
TEST(a_random_rod_comes_to_rest_as_without_a_far_obstacle_or_a_load_of_zero) {
    all_random(REST, SCENES / 2);
}
TEST(frequencies_of_a_case_are_those_without_a_far_obstacle_or_a_load_of_zero) {
    all_cases(FREQUENCY, 20);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        test(a_case_moves_as_without_what_it_never_touches),
        test(a_random_rod_moves_as_without_what_it_never_touches),
        test(a_case_comes_to_rest_as_without_a_far_obstacle_or_a_load_of_zero),
        test(a_random_rod_comes_to_rest_as_without_a_far_obstacle_or_a_load_of_zero),
        test(frequencies_of_a_case_are_those_without_a_far_obstacle_or_a_load_of_zero)};
    loud = argc > 1 && strcmp(argv[1], "loud") == 0;
    if (argc > 1 && !loud) cmocka_set_test_filter(argv[1]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
