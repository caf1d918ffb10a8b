/* Fits: estimates, standard errors and what data cannot tell, with known noise, from near and far starts. */
#include "check.h"
#include "director_problems.h"
#include "method/director/gradient.h"
#include "study/sim.h"
#include "withy/fit.h"
#include "withy/gradient.h"

/* ---- noise: the same on every machine -------------------------------------------------------------- */

static double noise(uint32_t *x) {
    double sum = -6;
    for (int i = 0; i < 12; i++) {
        *x = *x * 1664525u + 1013904223u;
        sum += (*x + 0.5) / 4294967296.0;
    }
    return sum;
}

TEST(the_noise_is_that_of_the_golden_fits) {
    uint32_t x = 12345;
    CHECK_NEAR(noise(&x), -0.555054108612, 1e-11);
    CHECK_NEAR(noise(&x), 1.494471387006, 1e-11);
}

/* ---- (a) stiffness, viscosity and density from a filmed release -------------------------------------- */

enum { A_ROWS = 80 };

typedef struct release {
    double tip_mass;
    int runs;
} release;

static void make_release(const double *p, double tip, director_problem *x) {
    const double r = 0.005, area = DIRECTOR_PI * r * r, second = 0.25 * area * r * r;
    const double G = p[0] / 3, eta = p[1], rho = p[2];
    const double stiff[6] = {G * area,      G * area,      p[0] * area,
                             p[0] * second, p[0] * second, 2 * G * second};
    const double slow[6] = {area / 3, area / 3, area, second, second, 2 * second / 3};
    const double heavy[4] = {rho * area, rho * second, rho * second, 2 * rho * second};
    director_plain(x, 0.1, 2 * r, p[0], G, rho);
    for (int i = 0; i < 6; i++) {
        x->rod.stiffness[i] = withy_field_number(stiff[i]);
        x->rod.damping[i] = withy_field_number(eta * slow[i]);
    }
    for (int i = 0; i < 4; i++) x->rod.inertia[i] = withy_field_number(heavy[i]);
    x->rod.end[1].mass = tip;
    x->problem.gravity = (withy_vec3){0, -9.81, 0};
    director_times(x, 0.4, 0.01);
    x->problem.rod = &x->rod;
}

static withy_status model_a(void *context, const double *p, int rows, double *value, double *slope,
                            withy_error *err) {
    release *of = context;
    director_problem x, at[3][4];
    withy_variation vary[3];
    withy_option option[8];
    withy_sim *sim;
    const int options = director_parse("n=8 degree=1 dt=2.5e-3", option, 8);
    make_release(p, of->tip_mass, &x);
    x.problem.rod = &x.rod;
    for (int k = 0; k < 3; k++) {
        vary[k] = withy_variation_default(), vary[k].step = 1e-3 * p[k];
        for (int i = 0; i < 4; i++) {
            double q[3] = {p[0], p[1], p[2]};
            q[k] *= 1 + 1e-3 * (double[]){-2, -1, 1, 2}[i];
            make_release(q, of->tip_mass, &at[k][i]);
            at[k][i].problem.rod = &at[k][i].rod;
            vary[k].at[i] = &at[k][i].problem;
        }
    }
    of->runs++;
    withy_status status =
        slope ? withy_gradient_create(&x.problem, NULL, option, options, vary, 3, &sim, err)
              : withy_sim_create(&x.problem, "director", option, options, &sim, err);
    if (status != WITHY_OK) return status;
    for (int i = 0; i < rows && status == WITHY_OK; i += 2) {
        status = withy_sim_advance(sim, 0.01 * (i / 2 + 1), err);
        if (status != WITHY_OK) break;
        const withy_snapshot *now = withy_sim_sample(sim, 0);
        const withy_vec3 tip = now->position[now->count - 1];
        if (value) value[i] = tip.x;
        if (value && i + 1 < rows) value[i + 1] = tip.y;
        for (int k = 0; k < 3 && slope; k++) {
            withy_slope d;
            CHECK(withy_sim_gradient(sim, k, &d, err) == WITHY_OK);
            slope[3 * i + k] = d.position[d.count - 1].x;
            if (i + 1 < rows) slope[3 * i + 3 + k] = d.position[d.count - 1].y;
        }
    }
    withy_sim_destroy(sim);
    return status;
}

static void data_a(release *of, uint32_t seed, double *data, double *sigma) {
    withy_error err = {0};
    const double truth[3] = {1e6, 2000, 1100};
    CHECK_OK(model_a(of, truth, A_ROWS, data, NULL, &err));
    for (int i = 0; i < A_ROWS; i++) sigma[i] = 2e-4, data[i] += 2e-4 * noise(&seed);
}

static void fit_a(release *of, const double start[3], int windows, uint32_t seed,
                  withy_fit_result *out) {
    static const int window[4] = {10, 20, 40, 80};
    double data[A_ROWS], sigma[A_ROWS];
    withy_error err = {0};
    data_a(of, seed, data, sigma);
    withy_fit_free free[3] = {{"young", start[0], 1e4, 1e9, 1},
                              {"eta", start[1], 1, 1e6, 1},
                              {"rho", start[2], 10, 1e5, 1}};
    withy_fit_setup setup = withy_fit_default();
    setup.model = model_a, setup.context = of, setup.free = free, setup.count = 3;
    setup.data = data, setup.sigma = sigma, setup.rows = A_ROWS;
    if (windows) setup.window = window, setup.windows = 4;
    CHECK_OK(withy_fit(&setup, out, &err));
}

static void check_a(const withy_fit_result *out) {
    CHECK_NEAR(out->value[0].value, 1008989.039, 0.5);
    CHECK_NEAR(out->value[1].value, 2015.3438, 2e-3);
    CHECK_NEAR(out->value[2].value, 1114.5663, 1e-3);
    CHECK_NEAR(out->sum, 74.310797, 1e-4);
}

TEST(a_filmed_release_gives_stiffness_damping_and_density_with_their_errors) {
    release of = {2e-3, 0};
    withy_fit_result out;
    fit_a(&of, (double[]){1.5e6, 3000, 1500}, 0, 12345, &out);
    print_message(
        "E %.10g eta %.10g rho %.10g sum %.10g, se %.4g %.4g %.4g, corr %.5g, condition %.4g, "
        "%d runs, %d jacobians\n",
        out.value[0].value, out.value[1].value, out.value[2].value, out.sum,
        out.value[0].error / out.value[0].value, out.value[1].error / out.value[1].value,
        out.value[2].error / out.value[2].value, out.correlation[2], out.condition, out.runs,
        out.jacobians);
    check_a(&out);
    const double scale =
        sqrt(out.sum / (A_ROWS - 3)); /* the golden errors are scaled by the misfit */
    CHECK_NEAR(scale * out.value[0].error / out.value[0].value, 0.00586, 1e-5);
    CHECK_NEAR(scale * out.value[1].error / out.value[1].value, 0.0210, 5e-5);
    CHECK_NEAR(scale * out.value[2].error / out.value[2].value, 0.0106, 5e-5);
    CHECK_NEAR(out.condition, 19.2, 0.1);
    CHECK_NEAR(out.correlation[2], 0.9944, 2e-4);
    withy_fit_free_result(&out);
}

TEST(from_far_starts_growing_windows_find_the_same) {
    static const double start[][3] = {
        {2.5e6, 400, 800}, {1e5, 100, 300}, {2e7, 2e4, 5000}, {3e6, 5000, 1100}};
    for (int i = 0; i < 4; i++) {
        release of = {2e-3, 0};
        withy_fit_result out;
        fit_a(&of, start[i], 1, 12345, &out);
        print_message("E %.10g eta %.10g rho %.10g sum %.10g: %d runs, %d jacobians\n",
                      out.value[0].value, out.value[1].value, out.value[2].value, out.sum, out.runs,
                      out.jacobians);
        check_a(&out);
        withy_fit_free_result(&out);
    }
}

TEST(without_a_known_mass_only_ratios_are_determined_and_the_fit_says_so) {
    release of = {0, 0};
    withy_fit_result out;
    fit_a(&of, (double[]){1.5e6, 3000, 1500}, 0, 12345, &out);
    CHECK(!(out.condition < 1e6));
    for (int k = 0; k < 3; k++) CHECK_NEAR(fabs(out.value[k].null), 1 / sqrt(3), 0.02);
    withy_fit_free_result(&out);
}

RUN(test(the_noise_is_that_of_the_golden_fits),
    test(a_filmed_release_gives_stiffness_damping_and_density_with_their_errors),
    test(from_far_starts_growing_windows_find_the_same),
    test(without_a_known_mass_only_ratios_are_determined_and_the_fit_says_so))
