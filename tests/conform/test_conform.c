/* slow under sanitizers
 *
 * Conformance: every case x every method that accepts it, shortened, does what withy/sim.h states.
 *
 * - it runs: no failure, all values finite, the expected time is reached
 *  - the `have` bits of a run never change, frames are unit quaternions
 * - held ends are in place: position, tangent, frame as the scene prescribes at that time; at t > 0 to
 *    within the constraint of the snapshot when the notes say that the finish is held by its velocity
 * - a method that claims to conserve keeps its energy to 1e-8
 *  - two methods that accept a case give the same positions of its middle and its finish, within the sum of
 *    their error bars: the distance between a run and one of half as many intervals and steps twice as
 *    long (the order is taken as one, so this is generous) plus 1e-5 L.  A method whose notes say that
 *    it leaves out stretch, shear or rotary inertia may be further off: by
 *    5e-3 L, by the largest strain that it leaves out, and by 5 % of the largest distance travelled by the point so
 *    far, because it has other frequencies.
 *
 * A case that is a path is checked by equilibria at its first points, under the methods that have them.
 * docs/conformance.md is the matrix of cases and methods. */
#include <ctype.h>
#include <stdlib.h>

#include "cases.h"
#include "check.h"
#include "model/model.h"
#include "withy/withy.h"

enum {
    CASES = 128,
    METHODS = 12,
    POINTS = 3,          /* samples of a run, t = 0 not counted            */
    STEPS = 60,          /* most steps of the scene's own method          */
    WORK = 300000,       /* most intervals x steps of one run            */
    STEPS_COMPARED = 30, /* least steps of a run that is compared   */
    LEVELS = 3,          /* refinements before two methods disagree */
    SETS = 8
};

static const double drift = 1e-8, rounding = 1e-13, coarse = 1e-5, simpler = 5e-3, lag = 0.05;

/* One case under one method. */
typedef struct pair {
    const wy_case *scene;
    char method[WITHY_NAME], name[160];
    int is_static;
    double until;             /* how long                                                  */
    int level;                /* of the run that is compared                               */
    int done;                 /* ran                                                       */
    int simple;               /* notes say that the method solves a simpler rod            */
    double length, strain;    /* strain: largest shear or stretch seen                     */
    withy_vec3 from[2];       /* middle and finish at t = 0                                */
    withy_vec3 at[POINTS][2]; /* middle and finish at every look                           */
    double error[POINTS][2];  /* their bars                                                */
} pair;

/* Cases that cannot be compared, with the reason. */
static const struct known {
    const char *scene, *method, *other, *why;
} known[] = {
    {"michell_ring", "director", "kirchhoff",
     "the ring may turn about the tangent of its clamps at no cost, so its middle lies anywhere on "
     "a circle; test_static_drive compares energy, force and torque"},
};

static const char *known_trouble(const char *scene, const char *method, const char *other) {
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const struct known *k = &known[i];
        if (strcmp(k->scene, scene) == 0 && strcmp(k->method, method) == 0 &&
            strcmp(k->other, other) == 0)
            return k->why;
    }
    return NULL;
}

static pair pairs[CASES * METHODS];
static int pair_count;
static char names[CASES][160];
static int case_count;

/* ---- reading and starting -------------------------------------------------------------------------- */

static withy_status open_scene(const pair *p, const char *const *set, int count,
                               withy_scene **scene, withy_sim **sim, withy_error *err) {
    *sim = NULL;
    withy_status status = withy_scene_read_text(p->scene->text, p->scene->size, p->scene->name, set,
                                                count, scene, err);
    if (status != WITHY_OK) return status;
    status = withy_scene_sim(*scene, p->method, sim, err);
    if (status != WITHY_OK) withy_scene_destroy(*scene);
    return status;
}

/* 0 when it is "auto" or does not exist. */
static double option_of(const withy_sim *sim, const char *expected) {
    char name[WITHY_NAME], value[WITHY_NAME];
    for (int i = 0; withy_sim_option(sim, i, name, value, WITHY_NAME); i++)
        if (strcmp(name, expected) == 0) return atof(value);
    return 0;
}

static int option_is_auto(const withy_sim *sim, const char *expected) {
    char name[WITHY_NAME], value[WITHY_NAME];
    for (int i = 0; withy_sim_option(sim, i, name, value, WITHY_NAME); i++)
        if (strcmp(name, expected) == 0) return strcmp(value, "auto") == 0;
    return 0;
}

static int option_n(const withy_sim *sim) {
    const int n = (int)option_of(sim, "n");
    return n > 0 ? n : 1;
}

/* ---- what must hold at every sample --------------------------------------------------------------------- */

static double distance(withy_vec3 a, withy_vec3 b) {
    return sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) + (a.z - b.z) * (a.z - b.z));
}

/* d1 or d3 of a frame. */
static withy_vec3 axis_of(withy_quat q, int axis) {
    if (axis == 1)
        return (withy_vec3){1 - 2 * (q.y * q.y + q.z * q.z), 2 * (q.x * q.y + q.w * q.z),
                            2 * (q.x * q.z - q.w * q.y)};
    return (withy_vec3){2 * (q.x * q.z + q.w * q.y), 2 * (q.y * q.z - q.w * q.x),
                        1 - 2 * (q.x * q.x + q.y * q.y)};
}

/* A held vector is where the scene puts it at time t. */
static void check_vector(const char *what, const withy_field *field, double t, withy_vec3 is,
                         double tolerance) {
    withy_error err = {0};
    double expected[WITHY_FIELD_MAX] = {0};
    if (!field->size) return;
    CHECK_OK(withy_field_at(field, 0, t, expected, &err));
    const double off = distance(is, (withy_vec3){expected[0], expected[1], expected[2]});
    if (!(off <= tolerance)) fail_msg("%s is off by %.3g at t = %g", what, off, t);
}

static void check_ends(const withy_problem *problem, const withy_snapshot *now, double t,
                       double slip) {
    const withy_rod *rod = &problem->rod[0];
    for (int i = 0; i < 2; i++) {
        const withy_end *end = &rod->end[i];
        const int at = i ? now->count - 1 : 0;
        const int place = end->kind == WITHY_END_CLAMPED || end->kind == WITHY_END_PINNED;
        const int turn = end->kind == WITHY_END_CLAMPED || end->kind == WITHY_END_GUIDED;
        /* 1e-8 L: director integrates the initial shape and keeps the distance of its end */
        if (place)
            check_vector("a held place", &end->position, t, now->position[at],
                         (1e-8 + slip) * rod->length);
        if (!turn || !(now->have & WITHY_HAVE_FRAME)) continue;
        check_vector("a held tangent", &end->tangent, t, axis_of(now->frame[at], 3), 1e-8 + slip);
        if (end->normal.size && end->tangent.size) {
            const withy_vec3 d3 = axis_of(now->frame[at], 3), d1 = axis_of(now->frame[at], 1);
            CHECK_BELOW(fabs(d1.x * d3.x + d1.y * d3.y + d1.z * d3.z), 1e-9);
            check_vector("a held normal", &end->normal, t, d1, 1e-7 + slip);
        }
    }
}

/* Bodies and joints are finite; without rods there is nothing else to look at. */
static void check_parts(const withy_problem *problem, withy_sim *sim, double t) {
    if (problem->body_count + problem->joint_count == 0) return;
    const withy_parts *parts = withy_sim_parts(sim);
    if (!parts) fail_msg("a body or joint is not finite at t = %g", t);
    for (int i = 0; i < parts->body_count; i++) {
        const withy_quat q = parts->body[i].frame;
        CHECK_NEAR(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z, 1, 1e-10);
    }
}

static void check_snapshot(const withy_problem *problem, const withy_sim *sim,
                           const withy_snapshot *now, double t, unsigned *have) {
    const int slips = strstr(withy_sim_notes(sim)->text, "held by its velocity") != NULL;
    if (!now) fail_msg("a value is not finite at t = %g", t);
    CHECK_NEAR(now->t, t, 1e-12 * fabs(t)); /* the load factor on a path */
    CHECK(now->have & WITHY_HAVE_POSITION);
    if (*have && *have != now->have)
        fail_msg("the have bits change from %x to %x at t = %g", *have, now->have, t);
    *have = now->have;
    for (int i = 0; i < now->count && (now->have & WITHY_HAVE_FRAME); i++) {
        const withy_quat q = now->frame[i];
        CHECK_NEAR(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z, 1, 1e-10);
    }
    if (now->have & WITHY_HAVE_ENERGY) {
        const withy_energies *e = &now->energy;
        CHECK(e->kinetic >= 0 && e->shear >= 0 && e->stretch >= 0 && e->bend >= 0 && e->twist >= 0);
        CHECK(isfinite(e->gravity));
    }
    check_ends(problem, now, t, slips && t > 0 ? now->constraint : 0);
}

/* Energy of the rod bent into a circle, at least: a rod at rest may not have any, and then the change of
 * it is rounding. */
static double unit_energy(const withy_problem *problem) {
    withy_error err = {0};
    double c[WITHY_STRAINS];
    if (problem->rod_count == 0) return 1e-6 * problem->body[0].mass;
    CHECK_OK(wy_stiffness_at(&problem->rod[0], 0, c, &err));
    return 2 * 9.87 * fmin(c[WITHY_BEND1], c[WITHY_BEND2]) / problem->rod[0].length;
}

/* ---- runs ------------------------------------------------------------------------------------------- */

static withy_status go(withy_sim *sim, const pair *p, const withy_problem *problem, int point,
                       double *t, withy_error *err) {
    if (!p->is_static) {
        *t = p->until * point / POINTS;
        return withy_sim_advance(sim, *t, err);
    }
    withy_equilibrium at;
    /* a scene with neither time nor path is its equilibrium under its loads */
    *t = problem->path.given ? wy_path_factor(&problem->path, point - 1) : 1;
    return withy_sim_equilibrium(sim, *t, &at, err);
}

static void look(const withy_snapshot *now, withy_vec3 at[2], double *strain) {
    if (!now) return;
    for (int i = 0; i < now->count && (now->have & WITHY_HAVE_SHEAR); i++)
        *strain = worst_of(*strain, distance(now->shear[i], (withy_vec3){0, 0, 0}));
    /* on a path the stations are the method's own: an even number of intervals has one in the middle */
    at[0] = now->position[now->count / 2];
    at[1] = now->position[now->count - 1];
}

/* Middle and finish at every sample; with checks, everything above is checked. */
static withy_status march(const pair *p, const char *const *set, int count, int checks,
                          withy_vec3 at[POINTS][2], pair *notes, withy_error *err) {
    withy_scene *scene;
    withy_sim *sim;
    unsigned have = 0;
    withy_status status = open_scene(p, set, count, &scene, &sim, err);
    if (status != WITHY_OK) return status;
    const withy_problem *problem = withy_scene_problem(scene);
    const int rods = problem->rod_count;
    if (checks && !p->is_static && rods)
        check_snapshot(problem, sim, withy_sim_sample(sim, 0), 0, &have);
    look(withy_sim_sample(sim, 0), notes->from, &notes->strain);
    for (int k = 1; k <= POINTS && status == WITHY_OK; k++) {
        double t;
        status = go(sim, p, problem, k, &t, err);
        if (status != WITHY_OK) break;
        for (int rod = 1; rod < rods && checks; rod++) CHECK(withy_sim_sample(sim, rod));
        const withy_snapshot *now = withy_sim_sample(sim, 0);
        if (checks && rods) check_snapshot(problem, sim, now, t, &have);
        if (checks) check_parts(problem, sim, t);
        look(now, at[k - 1], &notes->strain);
    }
    if (checks && status == WITHY_OK) {
        const withy_stats stats = withy_sim_stats(sim);
        const double change = fabs(stats.energy_end - stats.energy_start);
        if (!p->is_static && stats.conserves && !(change <= rounding * unit_energy(problem)))
            CHECK_BELOW(stats.energy_drift, drift);
        const char *said = withy_sim_notes(sim)->text;
        notes->simple = strstr(said, "leaves out") != NULL;
        notes->length = rods ? problem->rod[0].length : 1;
    }
    withy_sim_destroy(sim);
    withy_scene_destroy(scene);
    return status;
}

/* Overrides of a run.  All: the shortened time; under another method than the scene's own, whose step
 * may be too long, one that resolves it.  Runs that are compared: three stations, so that the middle is
 * one of them; inner damping by the law of the scene's own method, named, because that of [EL] is another one (it
 * acts on x'' in laboratory axes, and so damps rigid rotation too).  A level: n 2^level intervals, steps 2^-level as long; PROMISES: as the scene says. */
enum { PROMISES = -100 };

typedef struct overrides {
    const char *item[SETS];
    int count;
    char stop[64], output[64], n[64], dt[64];
} overrides;

/* The step that options.dt = "auto" gives with n intervals. */
static double automatic_step(const pair *p, const char *n) {
    withy_scene *scene;
    withy_sim *sim;
    withy_error err = {0};
    CHECK_OK(open_scene(p, &n, 1, &scene, &sim, &err));
    const double step = withy_sim_step(sim);
    withy_sim_destroy(sim);
    withy_scene_destroy(scene);
    return step;
}

/* An automatic step that does not follow the grid would leave the error in time out of the bars, and
 * two methods may choose different ones: then it is refined by hand.  0: leave it to the method. */
static double step_of(const pair *p, const withy_sim *sim, const char *n, int compared) {
    const double fixed = p->until / STEPS_COMPARED, given = option_of(sim, "dt");
    const double step = withy_sim_step(sim);
    if (given > 0) return fmin(given, fixed);
    if (step == 0)
        return fixed; /* adapts: compared with a fixed one, so that its error can be seen */
    if (!compared || !option_is_auto(sim, "dt")) return 0;
    return fabs(automatic_step(p, n) - step) <= 1e-6 * step ? fmin(step, fixed) : 0;
}

static void make_overrides(const pair *p, int level, overrides *out) {
    withy_scene *scene;
    withy_sim *sim;
    withy_error err = {0};
    *out = (overrides){0};
    CHECK_OK(open_scene(p, NULL, 0, &scene, &sim, &err));
    const withy_rod *rod = &withy_scene_problem(scene)->rod[0];
    const int rods = withy_scene_problem(scene)->rod_count;
    const int compared = level != PROMISES;
    const int n = option_n(sim), own = strcmp(withy_scene_method(scene), p->method) == 0;
    const int intervals = level < 0 ? n / 2 : n << level;
    snprintf(out->n, sizeof out->n, "options.n=%d", intervals < 3 ? 2 : intervals + intervals % 2);
    if (compared) out->item[out->count++] = out->n;
    if (!p->is_static) {
        const double dt = step_of(p, sim, out->n, compared);
        snprintf(out->stop, sizeof out->stop, "time.stop=%.17g", p->until);
        snprintf(out->output, sizeof out->output, "time.output=%.17g", p->until / POINTS);
        snprintf(out->dt, sizeof out->dt, "options.dt=%.17g", ldexp(dt, compared ? -level : 0));
        out->item[out->count++] = out->stop;
        out->item[out->count++] = out->output;
        if (dt > 0 && (compared || !own)) out->item[out->count++] = out->dt;
        if (compared) out->item[out->count++] = "time.stations=3";
        if (compared && rods && rod->damping[WITHY_BEND1].size)
            out->item[out->count++] = strcmp(withy_scene_method(scene), "elastica") == 0
                                          ? "rod.damping.law=elastica"
                                          : "rod.damping.law=strain";
    }
    withy_sim_destroy(sim);
    withy_scene_destroy(scene);
}

static withy_status solve_level(pair *p, int level, withy_vec3 at[POINTS][2], withy_error *err) {
    overrides with;
    make_overrides(p, level, &with);
    return march(p, with.item, with.count, 0, at, p, err);
}

/* The run that is compared, and its error bars: its distance from one of half as many intervals and
 * steps twice as long. */
static withy_status estimate(pair *p, withy_error *err) {
    withy_vec3 rough[POINTS][2];
    withy_error ignored = {0};
    withy_status status = WITHY_OK, coarser;
    if (p->level > 0) {
        memcpy(rough, p->at, sizeof rough);
        coarser = WITHY_OK;
    } else {
        coarser = solve_level(p, -1, rough, &ignored);
    }
    status = solve_level(p, p->level, p->at, err);
    if (status != WITHY_OK) return status;
    for (int k = 0; k < POINTS; k++)
        for (int i = 0; i < 2; i++)
            p->error[k][i] = coarser == WITHY_OK ? distance(p->at[k][i], rough[k][i]) : INFINITY;
    /* an error does not vanish because two curves cross */
    for (int k = 1; k < POINTS; k++)
        for (int i = 0; i < 2; i++) p->error[k][i] = worst_of(p->error[k][i], p->error[k - 1][i]);
    return WITHY_OK;
}

/* Error bars are for comparing. */
static int has_peer(const pair *p) {
    for (int i = 0; i < pair_count; i++)
        if (pairs[i].scene == p->scene && &pairs[i] != p) return 1;
    return 0;
}

static void a_case_under_a_method_keeps_its_promises(void **state) {
    pair *p = *state;
    withy_error err = {0};
    overrides with;
    make_overrides(p, PROMISES, &with);
    const withy_status status = march(p, with.item, with.count, 1, p->at, p, &err);
    /* the refusal is reported: of an equilibrium, or of a mesh that cannot hold the shape at t = 0 */
    if (status == WITHY_UNSUPPORTED || strstr(err.text, "this mesh is unstable")) {
        printf("refused: %s\n", err.text);
        skip();
    }
    CHECK_OK(status);
    if (!has_peer(p)) return;
    CHECK_OK(estimate(p, &err));
    p->done = 1;
}

/* ---- agreement ---------------------------------------------------------------------------------------- */

static double longest_way(const pair *p, int look, int point) {
    double way = 0;
    for (int k = 0; k <= look; k++) way = worst_of(way, distance(p->at[k][point], p->from[point]));
    return way;
}

/* The largest excess of a distance over the bars, described in `text`. */
static double excess(const pair *a, const pair *b, char *text, size_t size) {
    const int differ = a->simple != b->simple;
    double worst = -INFINITY;
    for (int k = 0; k < POINTS; k++)
        for (int point = 0; point < 2; point++) {
            const double far = distance(a->at[k][point], b->at[k][point]);
            const double left_out = simpler + fmax(a->strain, b->strain);
            const double extra =
                a->length * coarse +
                (differ ? left_out * a->length + lag * longest_way(a, k, point) : 0);
            const double bars = a->error[k][point] + b->error[k][point] + extra;
            if (getenv("CONFORM_PRINT"))
                printf("%-24s %-10s %-10s %s %d: %.2e apart, bars %.2e + %.2e + %.0e\n",
                       a->scene->name, a->method, b->method, point ? "finish" : "middle", k, far,
                       a->error[k][point], b->error[k][point], extra);
            if (!(far - bars <= worst)) {
                worst = far - bars;
                snprintf(text, size, "the %s is %.3g m apart at look %d, bars %.3g m",
                         point ? "finish" : "middle", far, k + 1, bars);
            }
        }
    return worst;
}

/* Error bars are meaningful when a run is resolved: refine both before reporting a disagreement. */
static void the_methods_agree_on_a_case(void **state) {
    const wy_case *scene = *state;
    for (int i = 0; i < pair_count; i++)
        for (int j = i + 1; j < pair_count; j++) {
            pair *a = &pairs[i], *b = &pairs[j];
            char text[160];
            if (a->scene != scene || b->scene != scene || !a->done || !b->done) continue;
            if (a->until != b->until) continue; /* one of them would be too expensive */
            if (known_trouble(scene->name, a->method, b->method)) continue;
            while (!(excess(a, b, text, sizeof text) <= 0)) {
                withy_error err = {0};
                if (a->level >= LEVELS && b->level >= LEVELS)
                    fail_msg("%s, %s and %s: %s", scene->name, a->method, b->method, text);
                pair *coarser = a->level <= b->level ? a : b;
                coarser->level++;
                CHECK_OK(estimate(coarser, &err));
            }
        }
}

/* ---- the list ------------------------------------------------------------------------------------------- */

/* How long: three output intervals, or STEPS steps of the scene's own method if that is less. */
static double shortened(const wy_case *scene) {
    withy_scene *read;
    withy_sim *sim;
    withy_error err = {0};
    CHECK_OK(withy_scene_read_text(scene->text, scene->size, scene->name, NULL, 0, &read, &err));
    const withy_request *request = &withy_scene_problem(read)->request;
    double until = fmin(request->stop, POINTS * request->output);
    if (withy_scene_sim(read, NULL, &sim, &err) == WITHY_OK) {
        const double step = withy_sim_step(sim);
        if (step > 0) until = fmin(until, STEPS * step);
        withy_sim_destroy(sim);
    }
    withy_scene_destroy(read);
    return until;
}

/* Less where the method's own steps are too small to go that far. */
static double affordable(const pair *p, double until) {
    withy_scene *scene;
    withy_sim *sim;
    withy_error err = {0};
    if (open_scene(p, NULL, 0, &scene, &sim, &err) != WITHY_OK)
        return until; /* the test will say why */
    const double step = withy_sim_step(sim);
    if (step > 0 && until / step * option_n(sim) > WORK)
        until = step * fmax(POINTS, WORK / option_n(sim));
    withy_sim_destroy(sim);
    withy_scene_destroy(scene);
    return until;
}

static void add_pairs(const wy_case *scene) {
    withy_method_info info;
    withy_scene *read;
    withy_error err = {0};
    CHECK_OK(withy_scene_read_text(scene->text, scene->size, scene->name, NULL, 0, &read, &err));
    const withy_problem *problem = withy_scene_problem(read);
    const int is_static = problem->path.given || !(problem->request.stop > 0);
    const double until = is_static ? 1 : shortened(scene);
    for (int i = 0; withy_method_at(i, &info); i++) {
        if (withy_check(read, info.name, &err) != WITHY_OK) continue;
        CHECK(pair_count < CASES * METHODS);
        pair *p = &pairs[pair_count++];
        *p = (pair){.scene = scene, .is_static = is_static};
        snprintf(p->method, sizeof p->method, "%s", info.name);
        snprintf(p->name, sizeof p->name, "%s_under_%s_keeps_its_promises", scene->name, info.name);
        p->until = is_static ? until : affordable(p, until);
    }
    withy_scene_destroy(read);
}

int main(int argc, char **argv) {
    static struct CMUnitTest tests[CASES * (METHODS + 1)];
    size_t count = 0;
    if (argc > 1) cmocka_set_test_filter(argv[1]);
    for (const wy_case *scene = wy_cases; scene->name; scene++) {
        add_pairs(scene);
        snprintf(names[case_count++], sizeof names[0], "the_methods_agree_on_%s", scene->name);
    }
    for (int i = 0; i < pair_count; i++)
        tests[count++] = (struct CMUnitTest){.name = pairs[i].name,
                                             .test_func = a_case_under_a_method_keeps_its_promises,
                                             .initial_state = &pairs[i]};
    for (int i = 0; i < case_count; i++)
        tests[count++] = (struct CMUnitTest){.name = names[i],
                                             .test_func = the_methods_agree_on_a_case,
                                             .initial_state = (void *)&wy_cases[i]};
    return _cmocka_run_group_tests("conformance", tests, count, NULL, NULL);
}
