/* The cases of other rod programs (PyElastica, MuJoCo, Newton, EXUDYN): every row of
 * cases/NAME/expect.csv under withy, and every reference value of those tables computed anew, from a
 * closed form or by multiple shooting (shooting.h).  (slow under sanitizers) */
#include <gsl/gsl_math.h>
#include <gsl/gsl_roots.h>

#include "expect.h"
#include "shooting.h"

/* ---- equilibria: the tables against multiple shooting -------------------------------------------- */

static const double rigid = 1e300;

static void set3(double out[3], double x, double y, double z) {
    out[0] = x, out[1] = y, out[2] = z;
}

/* A rod along x with d1 along y, clamped at the origin, free at the finish. */
static void along_x(shoot *p) {
    memset(p, 0, sizeof *p);
    set3(p->c, rigid, rigid, rigid);
    p->end[0] = (shoot_end){.kind = WITHY_END_CLAMPED, .q = {0.5, 0.5, 0.5, 0.5}};
    p->end[1].kind = WITHY_END_FREE;
}

typedef void (*describe)(shoot *p, double factor, const char *set);

static void round_bar(shoot *p, double radius, double young, double shear, double shear_factor) {
    const double a = M_PI * radius * radius, i = 0.25 * a * radius * radius;
    set3(p->c, shear_factor * shear * a, shear_factor * shear * a, young * a);
    set3(p->d, young * i, young * i, 2 * shear * i);
}

static void timoshenko_beam(shoot *p, double factor, const char *set) {
    along_x(p);
    const char *given = strstr(set, "rod.material.shear=");
    round_bar(p, 0.25, 1e6, given ? atof(given + 19) : 1e4, 27.0 / 28);
    p->end[1].n[1] = -15 * factor;
}

static void cantilever_dead_load(shoot *p, double factor, const char *set) {
    (void)set;
    along_x(p);
    set3(p->d, 1, 1, rigid);
    p->dead[1] = factor;
}

static void cantilever_follower_load(shoot *p, double factor, const char *set) {
    (void)set;
    along_x(p);
    set3(p->d, 1, 1, rigid);
    p->follower[0] = factor;
}

static void princeton_beam(shoot *p, double factor, const char *set) {
    const double e = 71.7e9, g = e / 2.62, h = 12.3777e-3, w = 3.2024e-3;
    const double iy = h * w * w * w / 12, iz = w * h * h * h / 12;
    double force = 13.345, degrees = 45;
    const char *given = strstr(set, "ends.finish.force={0,-");
    if (given) CHECK(sscanf(given + 22, "%lf*math.cos(math.rad(%lf", &force, &degrees) == 2);
    along_x(p);
    set3(p->c, g * h * w, g * h * w, e * h * w);
    set3(p->d, e * iy, e * iz, 0.198 * g * (iy + iz));
    set3(p->end[1].n, 0, -factor * force * cos(degrees * M_PI / 180),
         factor * force * sin(degrees * M_PI / 180));
}

static void cantilever_2011(shoot *p, double factor, const char *set) {
    (void)set;
    const double e = 2.07e11, g = e / 2.6, h = 0.5, w = 0.1, k = 13.0 / 15.3;
    along_x(p);
    set3(p->c, k * g * h * w, k * g * h * w, e * h * w);
    set3(p->d, e * h * w * w * w / 12, e * w * h * h * h / 12, g * h * w * (h * h + w * w) / 12);
    p->end[1].n[1] = factor * 5e8 * h * h * h;
}

static void general_bending_2013(shoot *p, double factor, const char *set) {
    (void)set;
    const double e = 2.07e11, g = e / 2.6, h = 0.2, w = 0.4;
    const double iy = h * w * w * w / 12, iz = w * h * h * h / 12;
    along_x(p);
    set3(p->c, 0.8331 * g * h * w, 0.7961 * g * h * w, e * h * w);
    set3(p->d, e * iy, e * iz, 0.5768 * g * (iy + iz));
    set3(p->end[1].m, factor * 0.5e6, factor * 2e6, 0);
}

static void catenary(shoot *p, double factor, const char *set) {
    (void)set;
    along_x(p);
    round_bar(p, 0.01, 1e4, 1e4 / 3, 1);
    p->dead[2] = -factor * 0.2 * 9.80665;
    p->end[1] = p->end[0];
    p->end[1].r[0] = 1;
}

/* The knots as a snapshot, so that its quantities have the same names. */
static double value_of(shoot *p, const char *quantity) {
    static withy_vec3 r[SHOOT_KNOTS], n[SHOOT_KNOTS], m[SHOOT_KNOTS];
    for (int k = 0; k < p->knots; k++) {
        memcpy(&r[k], p->y[k], sizeof r[k]);
        memcpy(&n[k], p->y[k] + 7, sizeof n[k]);
        memcpy(&m[k], p->y[k] + 10, sizeof m[k]);
    }
    const int last = p->knots - 1;
    const withy_snapshot now = {.count = p->knots,
                                .s = p->s,
                                .position = r,
                                .force = n,
                                .moment = m,
                                .have = WITHY_HAVE_POSITION | WITHY_HAVE_FORCE | WITHY_HAVE_MOMENT,
                                .reaction = {{-n[0].x, -n[0].y, -n[0].z}, n[last]},
                                .reaction_moment = {{-m[0].x, -m[0].y, -m[0].z}, m[last]}};
    return want_value(&now, NULL, quantity);
}

/* Every static row of a case by multiple shooting: within a tenth of its tolerance. */
static void shoot_table(const char *name, describe fill, int knots) {
    static expected e;
    static shoot p;
    want_read(name, &e);
    int wrong = 0;
    want_run x = {0};
    for (int i = 0; i < e.count; i++) {
        const want_row *row = &e.row[i];
        withy_error err = {0};
        if (strcmp(row->kind, "static") != 0 || !strstr(row->method, "director")) continue;
        const int fresh = i == 0 || strcmp(row[-1].set, row->set) != 0;
        if (fresh) {
            want_close(&x);
            CHECK_OK(want_open(name, "director", row->set, &x, &err));
        }
        if (fresh || row[-1].at != row->at) {
            CHECK_OK(withy_sim_equilibrium(x.sim, row->at, &x.at, &err));
            const withy_snapshot *now = withy_sim_sample(x.sim, 0);
            fill(&p, row->at, row->set);
            shoot_start(&p, now, (now->count - 1) / knots, now->count - 1);
            shoot_solve(&p);
        }
        const double value = value_of(&p, row->quantity);
        const int holds = fabs(value - row->value) <= 0.1 * row->tolerance;
        if (!holds || getenv("PEERS_PRINT"))
            printf("%s %s;%s;%g;%s;%.13g;%g\n", holds ? "ok  " : "FAIL", name, row->set, row->at,
                   row->quantity, value, row->value);
        wrong += !holds;
    }
    want_close(&x);
    if (wrong) fail_msg("%s: multiple shooting gives other values in %d rows", name, wrong);
}

#define HOLDS(name)                                                                                \
    TEST(name##_gives_what_its_table_says) {                                                       \
        want_holds(#name);                                                                         \
    }
#define SHOOTS(name, knots)                                                                        \
    TEST(the_table_of_##name##_solves_the_boundary_value_problem) {                                \
        shoot_table(#name, name, knots);                                                           \
    }

HOLDS(axial_stretching)
HOLDS(timoshenko_beam)
HOLDS(cantilever_dead_load)
HOLDS(cantilever_follower_load)
HOLDS(princeton_beam)
HOLDS(cantilever_2011)
HOLDS(general_bending_2013)
HOLDS(catenary)
HOLDS(helical_buckling)
HOLDS(bend_to_circle)
HOLDS(uniform_twist)
HOLDS(michell_ring)
HOLDS(cantilever_frequencies)
HOLDS(tumbling_rod)
HOLDS(flexible_pendulum)
SHOOTS(timoshenko_beam, 4)
SHOOTS(cantilever_dead_load, 4)
SHOOTS(cantilever_follower_load, 4)
SHOOTS(princeton_beam, 4)
SHOOTS(cantilever_2011, 4)
SHOOTS(general_bending_2013, 4)
SHOOTS(catenary, 64)

/* A row of the table against a value computed here: a tenth of the row's tolerance. */
static void confirm(const expected *e, const char *set, double at, const char *quantity,
                    double value) {
    const want_row *row = want_find(e, set, at, quantity);
    if (getenv("PEERS_PRINT"))
        printf("ok   %s;%s;%g;%s;%.13g;%g\n", e->name, set, at, quantity, value, row->value);
    if (!(fabs(value - row->value) <= 0.1 * row->tolerance) && !getenv("PEERS_PRINT"))
        fail_msg("%s %s at %g: the table has %.15g, it is %.15g", e->name, quantity, at, row->value,
                 value);
}

/* Far from the clamps the buckle may slide and turn almost freely: the whole rod is a nearly singular
 * problem.  Its solution is its own image under a half turn about the x axis through its middle, so
 * half of it, with six conditions in the middle, is a regular one. */
TEST(the_table_of_helical_buckling_solves_the_boundary_value_problem) {
    static expected e;
    static shoot p;
    want_run x;
    withy_error err = {0};
    want_read("helical_buckling", &e);
    CHECK_OK(want_open(e.name, "director", "", &x, &err));
    CHECK_OK(withy_sim_equilibrium(x.sim, 1, &x.at, &err));
    const withy_snapshot *now = withy_sim_sample(x.sim, 0);
    memset(&p, 0, sizeof p);
    set3(p.c, 1e5, 1e5, 1e5);
    set3(p.d, 1.345, 1.345, 0.789);
    p.end[0] = (shoot_end){.kind = WITHY_END_CLAMPED, .q = {1, 0, 0, 0}};
    p.end[1] = (shoot_end){.r = {0, 0, 48.5}, .mirror = 1};
    const withy_quat *q = &now->frame[want_station(now, 0.5)];
    const double d1 = 1 - 2 * (q->y * q->y + q->z * q->z), d2 = 2 * (q->x * q->y - q->w * q->z);
    if (fabs(d2) < fabs(d1)) p.end[1].mirror = 2;
    shoot_start(&p, now, (now->count - 1) / 128, (now->count - 1) / 2);
    shoot_solve(&p);
    const double *y = p.y[p.knots - 1];
    confirm(&e, "", 1, "finish.push.z", y[9]);
    confirm(&e, "", 1, "finish.turn.z", p.y[0][12]);
    confirm(&e, "", 1, "middle.radius", hypot(y[0], y[1]));
    want_close(&x);
}

/* ---- closed forms ----------------------------------------------------------------------------------- */

TEST(the_table_of_axial_stretching_is_hookes_law) {
    static expected e;
    want_read("axial_stretching", &e);
    confirm(&e, "", 1, "finish.x", 1 + 1 / (1e4 * M_PI * 0.025 * 0.025));
}

/* Timoshenko's w = F L^3 / 3 E I + F L / k G A; at a thousandth of the load its square does not count. */
TEST(the_table_of_timoshenko_beam_starts_with_timoshenkos_formula) {
    static expected e;
    want_read("timoshenko_beam", &e);
    const double a = M_PI * 0.0625, i = a * 0.0625 / 4;
    confirm(&e, "", 1e-3, "finish.y", -0.015 * (9 / (1e6 * i) + 3 / (27.0 / 28 * 1e4 * a)));
}

/* The same formula, but for the square of the slope, 4e-4. */
TEST(the_table_of_cantilever_2011_starts_with_timoshenkos_formula) {
    static expected e;
    want_read("cantilever_2011", &e);
    const double a = 0.05, i = 0.1 * 0.125 / 12, young = 2.07e11;
    const double linear = 62500 * (8 / (3 * young * i) + 2 / (13.0 / 15.3 * young / 2.6 * a));
    CHECK_NEAR(want_find(&e, "", 1e-3, "finish.y")->value, linear, 4e-4 * 4e-4 * 2 * linear);
}

TEST(the_table_of_bend_to_circle_is_a_circle) {
    static expected e;
    want_read("bend_to_circle", &e);
    confirm(&e, "", 0.5, "finish.x", 0);
    confirm(&e, "", 0.5, "finish.y", 2 / M_PI);
    confirm(&e, "", 1, "finish.x", 0);
    confirm(&e, "", 1, "finish.y", 0);
    confirm(&e, "", 1, "middle.y", 1 / M_PI);
}

TEST(the_table_of_uniform_twist_is_saint_venants_torsion) {
    static expected e;
    want_read("uniform_twist", &e);
    confirm(&e, "", 1, "finish.turn.x", 1e7 / 2.6 * M_PI * 1e-8 / 2 * 2);
    confirm(&e, "", 1, "middle.bend.z", 2);
}

/* Impulse of a triangle 2.5 s up and 2.5 s down to 20 N on 10 kg. */
TEST(the_table_of_tumbling_rod_is_the_path_of_a_point_mass) {
    static expected e;
    want_read("tumbling_rod", &e);
    for (int i = 0; i < e.count; i++) {
        if (strcmp(e.row[i].quantity, "centre.x") != 0) continue;
        const double t = e.row[i].at, up = fmin(t, 2.5), down = fmin(fmax(t - 2.5, 0), 2.5);
        double path = 3 + 8 * up * up * up / 60; /* force 8 t */
        path += 2.5 * fmax(t - 2.5, 0);          /* speed at 2.5 s */
        path += (10 * down * down - 8 * down * down * down / 6) / 10;
        path += 2.5 * fmax(t - 5, 0); /* 2.5 m/s more at 5 s */
        confirm(&e, e.row[i].set, t, "centre.x", path);
    }
}

/* ---- frequencies of a Timoshenko cantilever ------------------------------------------------------------ */

typedef struct beam {
    double ei, kga, mass, rotary, omega;
} beam;

/* (w, theta, M, Q): w' = theta + Q/kGA, theta' = M/EI, M' = -Q - rho I omega^2 theta, Q' = -rho A omega^2 w */
static int beam_rhs(double s, const double y[], double f[], void *context) {
    (void)s;
    const beam *b = context;
    const double w2 = b->omega * b->omega;
    f[0] = y[1] + y[3] / b->kga;
    f[1] = y[2] / b->ei;
    f[2] = -y[3] - w2 * b->rotary * y[1];
    f[3] = -w2 * b->mass * y[0];
    return GSL_SUCCESS;
}

/* Determinant of (M, Q) at the free end over the two ways to leave the clamp; L = 1. */
static double beam_determinant(double omega, void *context) {
    beam *b = context;
    double end[2][4];
    b->omega = omega;
    gsl_odeiv2_system system = {beam_rhs, NULL, 4, b};
    for (int k = 0; k < 2; k++) {
        gsl_odeiv2_step *step = gsl_odeiv2_step_alloc(gsl_odeiv2_step_rk8pd, 4);
        double *y = end[k], error[4];
        memset(y, 0, sizeof end[k]);
        y[2 + k] = 1;
        for (int i = 0; i < 200; i++)
            gsl_odeiv2_step_apply(step, i / 200.0, 1 / 200.0, y, error, NULL, NULL, &system);
        gsl_odeiv2_step_free(step);
    }
    return end[0][2] * end[1][3] - end[0][3] * end[1][2];
}

static double root_between(double low, double high, double (*f)(double, void *), void *context) {
    gsl_function g = {f, context};
    gsl_root_fsolver *solver = gsl_root_fsolver_alloc(gsl_root_fsolver_brent);
    gsl_root_fsolver_set(solver, &g, low, high);
    for (int i = 0; i < 100; i++) gsl_root_fsolver_iterate(solver);
    const double root = gsl_root_fsolver_root(solver);
    gsl_root_fsolver_free(solver);
    return root;
}

TEST(the_table_of_cantilever_frequencies_are_timoshenkos) {
    static expected e;
    want_read("cantilever_frequencies", &e);
    const double a = M_PI * 4e-4, i = a * 1e-4, g = 1e5 / 3;
    beam b = {.ei = 1e5 * i, .kga = 27.0 / 28 * g * a, .mass = 2000 * a, .rotary = 2000 * i};
    const double euler[4] = {1.875104068711961, 4.694091132974175, 7.854757438237613,
                             10.995540734875467};
    const int number[4] = {1, 3, 5, 8}; /* each twice, and torsion before the fourth */
    for (int k = 0; k < 4; k++) {
        const double thin = euler[k] * euler[k] * sqrt(b.ei / b.mass);
        const double omega = root_between(0.94 * thin, thin, beam_determinant, &b);
        confirm(&e, "", number[k], "frequency", omega / (2 * M_PI));
    }
    confirm(&e, "", 7, "frequency", 0.25 * sqrt(g / 2000)); /* torsion */
}

/* ---- the flexible pendulum by explicit finite differences ------------------------------------------------ */

enum { CHAIN_MOST = 320 };

/* A planar Simo-Reissner rod on a staggered grid (places at nodes, angles between them), Stoermer-Verlet:
 * simple, of second order, and nothing in common with the methods of withy. */
typedef struct chain {
    int n;
    double h, ea, ga, ei, mass, rotary, gravity;
    double x[CHAIN_MOST + 1], z[CHAIN_MOST + 1], u[CHAIN_MOST + 1], w[CHAIN_MOST + 1];
    double turn[CHAIN_MOST], rate[CHAIN_MOST], nx[CHAIN_MOST], nz[CHAIN_MOST];
} chain;

/* Velocities by dt. */
static void chain_kick(chain *c, double dt) {
    const int n = c->n;
    for (int j = 0; j < n; j++) {
        const double dx = (c->x[j + 1] - c->x[j]) / c->h, dz = (c->z[j + 1] - c->z[j]) / c->h;
        const double co = cos(c->turn[j]), si = sin(c->turn[j]);
        const double pull = c->ea * (co * dx + si * dz - 1), cut = c->ga * (co * dz - si * dx);
        c->nx[j] = co * pull - si * cut, c->nz[j] = si * pull + co * cut;
        const double left = j ? c->ei * (c->turn[j] - c->turn[j - 1]) / c->h : 0;
        const double right = j < n - 1 ? c->ei * (c->turn[j + 1] - c->turn[j]) / c->h : 0;
        const double moment = right - left + c->h * (dx * c->nz[j] - dz * c->nx[j]);
        c->rate[j] += dt * moment / (c->rotary * c->h);
    }
    for (int i = 1; i <= n; i++) {
        const double mass = c->mass * c->h * (i == n ? 0.5 : 1);
        c->u[i] += dt * ((i < n ? c->nx[i] : 0) - c->nx[i - 1]) / mass;
        c->w[i] += dt * (((i < n ? c->nz[i] : 0) - c->nz[i - 1]) / mass - c->gravity);
    }
}

/* Places and angles by dt. */
static void chain_drift(chain *c, double dt) {
    for (int i = 1; i <= c->n; i++) c->x[i] += dt * c->u[i], c->z[i] += dt * c->w[i];
    for (int j = 0; j < c->n; j++) c->turn[j] += dt * c->rate[j];
}

/* Tip at t = 0.25, 0.5, 0.75, 1 s. */
static void chain_swing(int n, double tip[4][2]) {
    static chain c;
    const double a = M_PI * 25e-6, i = a * 25e-6 / 4, young = 5e6, density = 1100;
    c = (chain){.n = n,
                .h = 1.0 / n,
                .ea = young * a,
                .ga = young / 3 * a,
                .ei = young * i,
                .mass = density * a,
                .rotary = density * i,
                .gravity = 9.81};
    for (int k = 0; k <= n; k++) c.x[k] = k * c.h;
    const int steps = 100 * n; /* per quarter: dt = 1 / (400 n) */
    const double dt = 0.25 / steps;
    chain_kick(&c, 0.5 * dt);
    for (int quarter = 0; quarter < 4; quarter++) {
        for (int k = 0; k < steps; k++) {
            chain_drift(&c, dt);
            chain_kick(&c, dt);
        }
        tip[quarter][0] = c.x[n], tip[quarter][1] = c.z[n];
    }
}

TEST(the_table_of_flexible_pendulum_is_the_limit_of_finite_differences) {
    static expected e;
    double tip[3][4][2];
    want_read("flexible_pendulum", &e);
    for (int k = 0; k < 3; k++) chain_swing(80 << k, tip[k]);
    for (int i = 0; i < 8; i++) {
        const int quarter = i / 2, axis = i % 2;
        const double a = tip[0][quarter][axis], b = tip[1][quarter][axis],
                     c = tip[2][quarter][axis];
        const double one = b + (b - a) / 3, two = c + (c - b) / 3; /* Richardson, twice */
        confirm(&e, "", 0.25 * (quarter + 1), axis ? "finish.z" : "finish.x",
                two + (two - one) / 15);
    }
}

RUN(test(axial_stretching_gives_what_its_table_says),
    test(timoshenko_beam_gives_what_its_table_says),
    test(cantilever_dead_load_gives_what_its_table_says),
    test(cantilever_follower_load_gives_what_its_table_says),
    test(princeton_beam_gives_what_its_table_says), test(cantilever_2011_gives_what_its_table_says),
    test(general_bending_2013_gives_what_its_table_says), test(catenary_gives_what_its_table_says),
    test(helical_buckling_gives_what_its_table_says),
    test(bend_to_circle_gives_what_its_table_says), test(uniform_twist_gives_what_its_table_says),
    test(michell_ring_gives_what_its_table_says),
    test(cantilever_frequencies_gives_what_its_table_says),
    test(tumbling_rod_gives_what_its_table_says), test(flexible_pendulum_gives_what_its_table_says),
    test(the_table_of_timoshenko_beam_solves_the_boundary_value_problem),
    test(the_table_of_cantilever_dead_load_solves_the_boundary_value_problem),
    test(the_table_of_cantilever_follower_load_solves_the_boundary_value_problem),
    test(the_table_of_princeton_beam_solves_the_boundary_value_problem),
    test(the_table_of_cantilever_2011_solves_the_boundary_value_problem),
    test(the_table_of_general_bending_2013_solves_the_boundary_value_problem),
    test(the_table_of_catenary_solves_the_boundary_value_problem),
    test(the_table_of_helical_buckling_solves_the_boundary_value_problem),
    test(the_table_of_axial_stretching_is_hookes_law),
    test(the_table_of_timoshenko_beam_starts_with_timoshenkos_formula),
    test(the_table_of_cantilever_2011_starts_with_timoshenkos_formula),
    test(the_table_of_bend_to_circle_is_a_circle),
    test(the_table_of_uniform_twist_is_saint_venants_torsion),
    test(the_table_of_tumbling_rod_is_the_path_of_a_point_mass),
    test(the_table_of_cantilever_frequencies_are_timoshenkos),
    test(the_table_of_flexible_pendulum_is_the_limit_of_finite_differences))
