/* slow under sanitizers
 *
 * The energy of cheb: what is at rest stays at rest, and an energy that cannot be ends the run. */
#include "cheb_problems.h"
#include "random_number.h"

/* Curved at rest, no loads, no motion. */
static void curved(cheb_problem *x, double second, double shear, double radius) {
    stubby(x, second);
    for (int i = 0; i < 2; i++) x->rod.stiffness[WITHY_SHEAR1 + i] = withy_field_number(shear);
    x->rod.rest = (withy_shape){
        .kind = WITHY_SHAPE_ARC, .radius = radius, .along = {1, 0, 0}, .normal = {0, 1, 0}};
    x->rod.initial = (withy_shape){0};
    x->problem.request = (withy_request){.stop = 400, .output = 100};
}

static const struct {
    double second, shear, radius;
    int start; /* how it is held there */
    const char *space;
} rest[] = {{0.00213, 6, 1. / 3, WITHY_END_CLAMPED, "auto"},
            {0.000718, 6, 2, WITHY_END_CLAMPED, "spatial"},
            {0.00326, 1.2, 1. / 3, WITHY_END_FREE, "spatial"}};
enum { RESTS = sizeof rest / sizeof *rest };

static withy_status rests(int k, const char *more, double stop, double *energy, withy_error *err) {
    cheb_problem x;
    char options[128];
    curved(&x, rest[k].second, rest[k].shear, rest[k].radius);
    x.rod.end[0].kind = (withy_end_kind)rest[k].start;
    snprintf(options, sizeof options, "n=16 space=%s%s", rest[k].space, more);
    withy_sim *sim = cheb_make(&x, options);
    withy_status status = WITHY_OK;
    for (int i = 1; i <= 4 && status == WITHY_OK; i++)
        status = withy_sim_advance(sim, 0.25 * i * stop, err);
    *energy = withy_sim_stats(sim).energy_end;
    withy_sim_destroy(sim);
    return status;
}

TEST(a_rod_at_rest_without_loads_stays_at_rest_by_default) {
    for (int k = 0; k < RESTS; k++) {
        withy_error err = {0};
        double energy;
        CHECK_OK(rests(k, "", 400, &energy, &err));
        CHECK_BELOW(fabs(energy), 1e-12);
    }
}

TEST(energy_out_of_nothing_by_the_ends_of_the_source_is_a_failure_with_a_sentence) {
    for (int k = 0; k < RESTS; k++) {
        withy_error err = {0};
        double energy;
        CHECK(rests(k, " ends=B", 400, &energy, &err) == WITHY_NO_CONVERGENCE);
        CHECK(strstr(err.text, "which nothing in this scene can change") != NULL);
        CHECK(strstr(err.text, "options.ends = \"G\"") != NULL);
        CHECK_BELOW(fabs(energy), 1); /* long before it is a number like 96660 J */
    }
}

/* A cantilever that sags, with the ends of the source: in 0.1.0 neither ended. */
TEST(adaptive_steps_end_with_every_kind_of_ends) {
    static const char *const integrator[] = {"erk", "bdf"}, *const ends[] = {"A", "B", "G"};
    withy_vec3 tip[6] = {{0}};
    for (int k = 0; k < 6; k++) {
        cheb_problem x;
        withy_error err = {0};
        withy_sim *sim = NULL;
        char options[96];
        stubby(&x, 0.002);
        x.problem.gravity = (withy_vec3){0, -0.02, 0};
        x.problem.request = (withy_request){.stop = 2, .output = 1};
        snprintf(options, sizeof options, "n=16 integrator=%s ends=%s", integrator[k / 3],
                 ends[k % 3]);
        if (cheb_try(&x, options, &sim, &err) == WITHY_MISSING) return;
        CHECK(sim != NULL);
        tip[k] = tip_of(cheb_go(sim, 2));
        withy_sim_destroy(sim);
        CHECK_BELOW(v3_norm(v3_sub(tip[k], tip[0])), 1e-5);
    }
}

static withy_status tossed(void *context, double s, double t, double *out, withy_error *err) {
    const double *a = context;
    (void)t, (void)err;
    for (int k = 0; k < 3; k++) out[k] = a[k] * cos(a[3] * s) + a[(k + 1) % 3] * s;
    return WITHY_OK;
}

/* Euler's rule always gains energy; with a short step so little that it is within the bound. */
TEST(a_step_whose_energy_grows_is_a_failure_and_a_shorter_one_is_not) {
    for (int k = 0; k < 2; k++) {
        cheb_problem x;
        withy_error err = {0};
        stubby(&x, 0.2);
        x.rod.end[1].kind = WITHY_END_CLAMPED;
        double a[4] = {0, 0.1, 0, 2};
        x.rod.velocity = (withy_field){.size = 3, .call = tossed, .context = a};
        x.problem.request = (withy_request){.stop = 2, .output = 2};
        withy_sim *sim =
            cheb_make(&x, k ? "n=8 integrator=euler dt=0.0001" : "n=8 integrator=euler dt=0.0016");
        const withy_status status = withy_sim_advance(sim, 2, &err);
        CHECK(status == (k ? WITHY_OK : WITHY_NO_CONVERGENCE));
        if (!k) CHECK(strstr(err.text, "rk4") != NULL);
        withy_sim_destroy(sim);
    }
}

/* ---- random rods ---------------------------------------------------------------------------------- */

static unsigned seed;
static double any(double low, double high) {
    random_next(&seed);
    return low + (high - low) * (seed >> 8) / 16777216.0;
}

TEST(random_rods_without_loads_and_damping_keep_their_energy_or_say_why_not) {
    int kept = 0, said = 0;
    enum { RODS = 40 };
    seed = 7;
    for (int k = 0; k < RODS; k++) {
        static const char *const integrator[] = {"rk4", "rk3", "midpoint", "rk4"};
        cheb_problem x;
        withy_error err = {0};
        char options[128];
        double a[4] = {any(-0.1, 0.1), any(-0.3, 0.3), any(-0.3, 0.3), any(0, 3)};
        curved(&x, pow(10, any(-4, -0.7)), any(1, 8), any(0.3, 4));
        x.rod.velocity = (withy_field){.size = 3, .call = tossed, .context = a};
        x.rod.end[0].kind = (withy_end_kind)(k % 4),
        x.rod.end[1].kind = (withy_end_kind)(k / 4 % 4);
        x.problem.gravity = (withy_vec3){0, k % 3 ? 0 : any(-0.3, 0.3), 0};
        x.problem.request = (withy_request){.stop = 4, .output = 1};
        const int implicit = k % 4 == 2;
        snprintf(options, sizeof options, "n=%d integrator=%s%s", 8 + k % 5 * 2, integrator[k % 4],
                 implicit ? " dt=0.05" : "");
        withy_sim *sim = cheb_make(&x, options);
        withy_status status = WITHY_OK;
        for (int i = 1; i <= 4 && status == WITHY_OK; i++) status = withy_sim_advance(sim, i, &err);
        if (status == WITHY_OK) {
            const withy_stats stats = withy_sim_stats(sim);
            CHECK_BELOW(stats.energy_drift, 0.1);
            kept++;
        } else {
            CHECK(status == WITHY_NO_CONVERGENCE && err.text[0]);
            said++;
        }
        withy_sim_destroy(sim);
    }
    printf("%d of %d kept their energy, %d said why not\n", kept, RODS, said);
    CHECK(kept >= RODS * 8 / 10);
}

RUN(test(a_rod_at_rest_without_loads_stays_at_rest_by_default),
    test(energy_out_of_nothing_by_the_ends_of_the_source_is_a_failure_with_a_sentence),
    test(adaptive_steps_end_with_every_kind_of_ends),
    test(a_step_whose_energy_grows_is_a_failure_and_a_shorter_one_is_not),
    test(random_rods_without_loads_and_damping_keep_their_energy_or_say_why_not))
