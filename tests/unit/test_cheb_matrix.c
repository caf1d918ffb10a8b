/* cheb: the matrix of Newton is the derivative of the balance, for every kind of ends. */
#include "cheb_problems.h"
#include "method/cheb/frame.h"

static withy_status bent(void *context, double s, double t, double *out, withy_error *err) {
    const int *space = context;
    (void)t, (void)err;
    for (int k = 0; k < 6; k++) out[k] = 0.05 * sin(1 + k + s);
    out[3] = *space ? 0.7 * cos(s) : 0, out[4] = 0.5 + 0.3 * s, out[5] = *space ? 0.4 - 0.2 * s : 0;
    if (!*space) out[1] = 0;
    return WITHY_OK;
}

/* A smooth turn of all sections and a displacement, as a change of the state; zero where held. */
static void vary(const wy_cheb *x, int which, double *du) {
    const int ld = x->grid.ld;
    for (int i = 0; i <= x->grid.n; i++) {
        const double s = x->grid.s[i], a = cos(which + 2.1 * s), b = sin(1.3 * which - s),
                     c = a * b;
        if (x->planar) {
            du[i] = a, du[ld + i] = b, du[2 * ld + i] = c;
            continue;
        }
        const quat q = {x->u[3 * ld + i], x->u[4 * ld + i], x->u[5 * ld + i], x->u[6 * ld + i]};
        const quat d = wy_cheb_et(q, v3(c, a, b));
        const double value[7] = {a, b, c, d.w, d.x, d.y, d.z};
        for (int f = 0; f < 7; f++) du[f * ld + i] = value[f];
    }
    for (int f = 0; f < x->fields; f++)
        for (int i = 0; i <= x->grid.n; i++)
            if (wy_cheb_is_held(x, f, i)) du[f * ld + i] = 0;
}

static void balance(wy_cheb *x, const double *u) {
    withy_error err = {0};
    CHECK_OK((x->planar ? wy_cheb_planar_balance : wy_cheb_spatial_balance)(x, 0, u, NULL, &err));
}

/* Largest difference of (b(u + e du) - b(u - e du)) / 2e and the matrix times du, over the largest entry. */
static double off(withy_sim *sim, int which) {
    enum { MOST = 7 * 32 };
    wy_cheb *x = sim->self;
    withy_error err = {0};
    const double e = 1e-5;
    const int ld = x->grid.ld, nodes = x->grid.n + 1, rows = wy_cheb_rows(x);
    double du[MOST] = {0}, u[MOST], up[MOST], worst = 0, large = 0;
    CHECK(x->size <= MOST);
    vary(x, which, du);
    for (int i = 0; i < x->size; i++) u[i] = x->u[i] + e * du[i];
    balance(x, u);
    memcpy(up, x->df, (size_t)x->size * sizeof *up);
    for (int i = 0; i < x->size; i++) u[i] = x->u[i] - e * du[i];
    balance(x, u);
    for (int i = 0; i < x->size; i++) up[i] = (up[i] - x->df[i]) / (2 * e);
    balance(x, x->u);
    CHECK_OK(wy_cheb_jacobian(x, 0, x->u, NULL, &err));
    for (int f = 0; f < rows; f++)
        for (int i = 0; i < nodes; i++) {
            const double *row = x->jac.stiff + (size_t)((f * nodes + i) * x->fields * nodes);
            double sum = 0;
            for (int g = 0; g < x->fields; g++)
                for (int j = 0; j < nodes; j++) sum += row[g * nodes + j] * du[g * ld + j];
            worst = fmax(worst, fabs(sum - up[f * ld + i])), large = fmax(large, fabs(sum));
        }
    return worst / large;
}

TEST(the_matrix_of_newton_is_the_derivative_of_the_balance) {
    static const char *const options[] = {"ends=A", "ends=B", "ends=G", "derivative=expanded"};
    static int spaces[] = {0, 1};
    for (int space = 0; space < 2; space++)
        for (int k = 0; k < 4; k++)
            for (int loose = 0; loose < 3; loose++) {
                if (space && k == 3) continue; /* the direct one is used, and it converges */
                cheb_problem x;
                char text[96];
                stubby(&x, 0.2);
                x.rod.initial.kind = WITHY_SHAPE_STRAIN;
                x.rod.initial.strain =
                    (withy_field){.size = 6, .call = bent, .context = &spaces[space]};
                x.rod.end[0].kind = loose == 2 ? WITHY_END_FREE : WITHY_END_CLAMPED;
                x.rod.end[1].kind = loose ? WITHY_END_FREE : WITHY_END_PINNED;
                snprintf(text, sizeof text, "n=10 integrator=radau dt=0.01 %s", options[k]);
                withy_sim *sim = cheb_make(&x, text);
                CHECK(((wy_cheb *)sim->self)->planar == !space);
                for (int which = 0; which < 3; which++) {
                    const double found = off(sim, which);
                    if (!(found <= 1e-7))
                        fail_msg("%s, space %d, loose %d: off by %g", options[k], space, loose,
                                 found);
                }
                withy_sim_destroy(sim);
            }
}

/* A stubby cantilever under its weight: at a small load the tip sinks by q L^4/8EI + q L^2/2GA. */
TEST(the_expanded_form_finds_the_equilibrium_of_a_free_end) {
    for (int k = 0; k < 2; k++) {
        const double load = k ? 0.5 : 0.5e-3;
        double y[2];
        for (int expanded = 0; expanded < 2; expanded++) {
            cheb_problem x;
            stubby(&x, 0.2);
            x.problem.gravity = (withy_vec3){0, -load, 0};
            withy_sim *sim = cheb_make(&x, expanded ? "n=16 derivative=expanded" : "n=16");
            y[expanded] = tip_of(cheb_balance(sim, 1)).y;
            withy_sim_destroy(sim);
        }
        CHECK_NEAR(y[1], y[0], 1e-8 * load);
        if (!k) CHECK_NEAR(y[1], -load * (16 / (8 * 2.4) + 4 / (2 * 4.)), 1e-5 * load);
    }
}

RUN(test(the_matrix_of_newton_is_the_derivative_of_the_balance),
    test(the_expanded_form_finds_the_equilibrium_of_a_free_end))
