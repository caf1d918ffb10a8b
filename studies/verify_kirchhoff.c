/* verify_kirchhoff.c - the claims of [KS] (E. D. Fernando's dissertation, chapters 3 to 6) and the
 * numbers of two independent implementations of its corrected scheme.
 *
 * The source prints no numbers; it states propositions, a theorem and a Jacobian.  They are
 * evaluated here as they stand, and where they do not hold the corrected form is shown beside them.
 *  Everything else is compared with closed forms (Love, Thomson) or independent computations.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "energy_of.h"
#include "verify.h"

#define PI 3.14159265358979323846

typedef withy_vec3 vec;

static vec make(double x, double y, double z) {
    return (vec){x, y, z};
}
static vec plus(vec a, double k, vec b) {
    return (vec){a.x + k * b.x, a.y + k * b.y, a.z + k * b.z};
}
static double dot(vec a, vec b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
static vec cross(vec a, vec b) {
    return (vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static double size(vec a) {
    return sqrt(dot(a, a));
}

/* ---- chapter 3: natural frames --------------------------------------------------------------- */

/* A matrix by rows. */
typedef struct mat {
    double a[3][3];
} mat;

static mat times(mat p, mat q) {
    mat r = {0};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++) r.a[i][j] += p.a[i][k] * q.a[k][j];
    return r;
}
static mat transposed(mat p) {
    mat r;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) r.a[i][j] = p.a[j][i];
    return r;
}
static double apart(mat p, mat q) {
    double most = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) most = worst_of(most, fabs(p.a[i][j] - q.a[i][j]));
    return most;
}
static mat omega(vec v) {
    return (mat){{{0, -v.z, v.y}, {v.z, 0, -v.x}, {-v.y, v.x, 0}}};
}
static mat exp_omega_i(double s) { /* proposition 3 */
    return (mat){{{1, 0, 0}, {0, cos(s), -sin(s)}, {0, sin(s), cos(s)}}};
}
static vec column(mat p, int j) {
    return (vec){p.a[0][j], p.a[1][j], p.a[2][j]};
}
static mat of_columns(vec a, vec b, vec c) {
    return (mat){{{a.x, b.x, c.x}, {a.y, b.y, c.y}, {a.z, b.z, c.z}}};
}

static double noise(void) {
    static uint32_t seed = 5;
    seed = seed * 1664525u + 1013904223u;
    return (double)(seed >> 8) / (1 << 24) - 0.5;
}

static mat random_rotation(void) {
    vec a = make(noise(), noise(), noise()), b = make(noise(), noise(), noise());
    a = plus(make(0, 0, 0), 1 / size(a), a);
    b = plus(b, -dot(a, b), a);
    b = plus(make(0, 0, 0), 1 / size(b), b);
    return of_columns(a, b, cross(a, b));
}

static double proposition_3(void) {
    double worst = 0;
    for (double s = -3; s <= 3; s += 0.25) {
        mat sum = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, term = sum;
        const mat m = omega(make(s, 0, 0));
        for (int k = 1; k < 40; k++) {
            term = times(term, m);
            for (int i = 0; i < 9; i++) ((double *)term.a)[i] /= k;
            for (int i = 0; i < 9; i++) ((double *)sum.a)[i] += ((double *)term.a)[i];
        }
        worst = worst_of(worst, apart(sum, exp_omega_i(s)));
    }
    return worst;
}

/* r Omega_i r^-1 = Omega_{r i}, (3.5), for rotations or with one column turned over. */
static double proposition_4(int left_handed) {
    double worst = 0;
    for (int k = 0; k < 100; k++) {
        mat r = random_rotation();
        for (int i = 0; i < 3 && left_handed; i++) r.a[i][2] = -r.a[i][2];
        const mat left = times(times(r, omega(make(1, 0, 0))), transposed(r));
        worst = worst_of(worst, apart(left, omega(column(r, 0))));
    }
    return worst;
}

/* The helix (3.6) with alpha = .3, beta = 1.7. */
static const double ALPHA = .3, BETA = 1.7, LENGTH = 20;

static double turning(void) {
    return sqrt(1 - ALPHA * ALPHA) / BETA;
}
static vec helix_t(double s) {
    const double g = turning();
    return make(ALPHA, -g * BETA * sin(g * s), g * BETA * cos(g * s));
}
static vec helix_m(double s) {
    const double g = turning();
    return make(0, -g * g * BETA * cos(g * s), -g * g * BETA * sin(g * s));
}

static mat closed_frame(double s) { /* (3.12) */
    const double g = turning();
    const vec t = helix_t(0), n = plus(make(0, 0, 0), 1 / size(helix_m(0)), helix_m(0));
    return times(times(exp_omega_i(g * s), of_columns(t, n, cross(t, n))),
                 exp_omega_i(-ALPHA * g * s));
}

static vec slope(double s, vec r) { /* (3.3) */
    return cross(cross(helix_t(s), helix_m(s)), r);
}
static vec runge_kutta(double s, double h, vec r) {
    const vec a = slope(s, r), b = slope(s + h / 2, plus(r, h / 2, a));
    const vec c = slope(s + h / 2, plus(r, h / 2, b)), d = slope(s + h, plus(r, h, c));
    return plus(plus(plus(plus(r, h / 6, a), h / 3, b), h / 3, c), h / 6, d);
}

/* Largest error of kappa along the helix: carried by Runge-Kutta in n steps, or (3.12) itself. */
static double kappa_error(int n, int closed) {
    double worst = 0;
    mat r = closed_frame(0);
    vec a = column(r, 1), b = column(r, 2);
    for (int j = 1; j <= n; j++) {
        const double s = LENGTH * j / n, h = LENGTH / n, g = turning(), k = BETA * g * g;
        a = runge_kutta(s - h, h, a), b = runge_kutta(s - h, h, b);
        if (closed) a = column(closed_frame(s), 1), b = column(closed_frame(s), 2);
        const double k1 = k * cos(ALPHA * g * s), k2 = k * sin(ALPHA * g * s); /* (3.17) */
        worst = worst_of(worst, hypot(dot(a, helix_m(s)) - k1, dot(b, helix_m(s)) - k2));
    }
    return worst;
}

static void propositions(verify_log *log) {
    verify_below(log, "proposition 3: series of exp(s Omega_i)", "exact", proposition_3(), 1e-13,
                 "");
    verify_below(log, "proposition 4: (3.5) for rotations", "exact", proposition_4(0), 1e-14,
                 "erratum: the proof covers only rotations that fix i; the statement holds for all "
                 "of SO(3)");
    verify_near(log, "proposition 4 with det = -1 is wrong by more than 1", "", 1,
                proposition_4(1) > 1, 0,
                "erratum: it needs det = +1: with a left-handed frame the sign turns over");
    verify_below(log, "proposition 5: (3.12) solves (3.10), N = 4000", "exact",
                 kappa_error(4000, 0), 1e-11, "");
    verify_below(log, "proposition 6: (3.17) from (3.12)", "exact", kappa_error(100, 1), 1e-14,
                 "its proof calls r_0(0) antisymmetric; that is not needed");
    verify_near(log, "order of Runge-Kutta transport", "", 4,
                log2(kappa_error(100, 0) / kappa_error(200, 0)), .1, "");
}

/* ---- chapter 6: blocks of the Jacobian ------------------------------------------------------- */

/* s: 3x2 as six numbers by columns; s j = (s2, -s1). */
static void times_j(const double s[6], double out[6]) {
    for (int i = 0; i < 3; i++) out[i] = s[3 + i], out[3 + i] = -s[i];
}
static double dot6(const double a[6], const double b[6]) {
    double sum = 0;
    for (int i = 0; i < 6; i++) sum += a[i] * b[i];
    return sum;
}

static const double ETA = .3;

/* (6.17) */
static double tau_of(const double before[6], const double s[6]) {
    double bj[6];
    times_j(before, bj);
    return dot6(s, bj) / (2 * ETA);
}

/* f_j(tau, s) j, (5.34), of three neighbours. */
static void twist_force(double s[3][6], double out[6]) {
    double f[6];
    const double right = tau_of(s[1], s[2]), left = tau_of(s[0], s[1]);
    for (int i = 0; i < 6; i++) f[i] = -(right * s[2][i] - left * s[0][i]) / ETA;
    times_j(f, out);
}

typedef double (*block_of)(double s[3][6], int row, int column);

/* (6.20) */
static double block_own(double s[3][6], int row, int col) {
    double p[6], m[6];
    times_j(s[2], p), times_j(s[0], m);
    return (p[row] * p[col] + m[row] * m[col]) / (2 * ETA * ETA);
}

/* trace(s_j j s_k^T) (j^T x i_3) */
static double block_trace(double s[3][6], int other, int row, int col) {
    double sj[6];
    times_j(s[1], sj);
    const double trace = dot6(sj, s[other]);
    if (row < 3 && col == row + 3) return trace; /* j^T = (0 1; -1 0) */
    if (row >= 3 && col == row - 3) return -trace;
    return 0;
}

/* (6.23), (6.24) as printed: vec(s_j j) (x) vec(s_k j), and with the factors exchanged. */
static double block_neighbour(double s[3][6], int other, int swapped, int row, int col) {
    double own[6], its[6];
    times_j(s[1], own), times_j(s[other], its);
    const double outer = swapped ? its[row] * own[col] : own[row] * its[col];
    return -(block_trace(s, other, row, col) + outer) / (2 * ETA * ETA);
}
static double printed_right(double s[3][6], int row, int col) {
    return block_neighbour(s, 2, 0, row, col);
}
static double corrected_right(double s[3][6], int row, int col) {
    return block_neighbour(s, 2, 1, row, col);
}
static double printed_left(double s[3][6], int row, int col) {
    return block_neighbour(s, 0, 0, row, col);
}
static double corrected_left(double s[3][6], int row, int col) {
    return block_neighbour(s, 0, 1, row, col);
}

/* Largest difference of a block from central differences with respect to s of neighbour `by`. */
static double block_error(double s[3][6], int by, block_of block) {
    double worst = 0;
    const double d = 1e-6;
    for (int c = 0; c < 6; c++) {
        double up[6], down[6];
        s[by][c] += d;
        twist_force(s, up);
        s[by][c] -= 2 * d;
        twist_force(s, down);
        s[by][c] += d;
        for (int r = 0; r < 6; r++)
            worst = worst_of(worst, fabs((up[r] - down[r]) / (2 * d) - block(s, r, c)));
    }
    return worst;
}

static void jacobian(verify_log *log) {
    double s[3][6];
    for (int k = 0; k < 3; k++) {
        const mat r = random_rotation();
        for (int i = 0; i < 3; i++) s[k][i] = r.a[i][1], s[k][3 + i] = r.a[i][2];
    }
    verify_below(log, "(6.20) d f_j / d s_j", "exact", block_error(s, 1, block_own), 1e-7, "");
    verify_near(log, "(6.23) as printed is wrong by more than 1", "exact", 1,
                block_error(s, 2, printed_right) > 1, 0,
                "erratum: the factors of its outer product are exchanged");
    verify_below(log, "(6.23) corrected: vec(s_{j+1} j) vec(s_j j)^T", "",
                 block_error(s, 2, corrected_right), 1e-7, "");
    verify_near(log, "(6.24) as printed is wrong by more than 1", "exact", 1,
                block_error(s, 0, printed_left) > 1, 0,
                "erratum: likewise; (6.25), (6.26) are its end cases");
    verify_below(log, "(6.24) corrected: vec(s_{j-1} j) vec(s_j j)^T", "",
                 block_error(s, 0, corrected_left), 1e-7, "");
}

/* ---- springs --------------------------------------------------------------------------------- */

typedef struct spring {
    withy_rod rod;
    withy_problem problem;
    withy_sim *sim;
} spring;

static withy_shape helix(double radius, double angle) {
    return (withy_shape){.kind = WITHY_SHAPE_HELIX,
                         .from = {radius, 0, 0},
                         .along = {0, 0, 1},
                         .normal = {1, 0, 0},
                         .radius = radius,
                         .pitch = 2 * PI * radius * tan(angle)};
}

static double wire_length(double angle, double turns) {
    return 2 * PI * turns / cos(angle);
}

static void spring_of(spring *x, double angle, double turns, double twist, withy_end_kind a,
                      withy_end_kind b) {
    *x = (spring){.problem = withy_problem_default()};
    x->rod = (withy_rod){.name = "spring", .length = wire_length(angle, turns)};
    x->rod.stiffness[WITHY_BEND1] = x->rod.stiffness[WITHY_BEND2] = withy_field_number(1);
    x->rod.stiffness[WITHY_TWIST] = withy_field_number(twist);
    x->rod.inertia[WITHY_MASS] = withy_field_number(1);
    x->rod.rest = helix(1, angle);
    x->rod.end[0].kind = a, x->rod.end[1].kind = b;
    x->problem.title = "spring";
    x->problem.rod = &x->rod;
}

static void stretch(spring *x, double angle, double turns, double by) {
    const double pulled = asin(by * sin(angle));
    x->rod.initial = helix(x->rod.length * cos(pulled) / (2 * PI * turns), pulled);
}

static void damp(spring *x, double nu) {
    x->rod.damping[WITHY_BEND1] = x->rod.damping[WITHY_BEND2] = withy_field_number(nu);
    x->rod.damping[WITHY_TWIST] = withy_field_number(nu);
}

/* words: "energy=quadratic kappa=pointwise"; 0 when that failed (a failing row is logged). */
static int open_spring(verify_log *log, spring *x, int n, double h, const char *words) {
    withy_option option[8] = {{.name = "n", .number = n}, {.name = "dt", .number = h}};
    int count = 2;
    char copy[256];
    snprintf(copy, sizeof copy, "%s", words);
    for (char *at = copy; *at && count < 8;) {
        char *blank = strchr(at, ' ');
        if (blank) *blank = '\0';
        char *equal = strchr(at, '=');
        *equal = '\0';
        snprintf(option[count].name, WITHY_NAME, "%.63s", at);
        snprintf(option[count++].word, WITHY_NAME, "%.63s", equal + 1);
        at = blank ? blank + 1 : equal + strlen(equal + 1) + 1;
    }
    withy_error err = {0};
    x->problem.request.output = h, x->problem.request.stop = 1e4 * h;
    if (withy_sim_create(&x->problem, "kirchhoff", option, count, &x->sim, &err) == WITHY_OK)
        return 1;
    verify_failed(log, "create", &err);
    return 0;
}

static const withy_snapshot *step_to(verify_log *log, spring *x, double t) {
    withy_error err = {0};
    if (withy_sim_advance(x->sim, t, &err) == WITHY_OK) return withy_sim_sample(x->sim, 0);
    verify_failed(log, "advance", &err);
    return NULL;
}

static const withy_snapshot *relax(verify_log *log, spring *x, double factor) {
    withy_error err = {0};
    withy_equilibrium at;
    if (withy_sim_equilibrium(x->sim, factor, &at, &err) == WITHY_OK)
        return withy_sim_sample(x->sim, 0);
    verify_failed(log, "equilibrium", &err);
    return NULL;
}

/* Largest rise of H in a step, and of H + losses - work, both relative to the first H. */
static void watch_energy(verify_log *log, spring *x, double h, int steps, double *rise, double *gap,
                         double *left) {
    const withy_snapshot *snap = step_to(log, x, h);
    *rise = -INFINITY, *gap = 0, *left = NAN;
    if (!snap) return;
    const double start = energy_of(snap), first = snap->conserved;
    double before = start;
    for (int k = 2; k <= steps; k++) {
        if (!(snap = step_to(log, x, k * h))) return;
        *rise = worst_of(*rise, (energy_of(snap) - before) / start);
        *gap = worst_of(*gap, fabs(snap->conserved - first) / start);
        before = energy_of(snap);
    }
    *left = before / start;
}

static void theorem_19(verify_log *log) {
    spring x;
    double rise, gap, left;
    spring_of(&x, .25, 3, .8, WITHY_END_PINNED, WITHY_END_PINNED);
    stretch(&x, .25, 3, 1.3);
    if (open_spring(log, &x, 48, .05, "energy=quadratic ends=strong kappa=pointwise")) {
        watch_energy(log, &x, .05, 1000, &rise, &gap, &left);
        verify_below(log, "undamped, strong ends: drift of H, 1000 steps", "0", gap, 1e-10, "");
    }
    withy_sim_destroy(x.sim);
    damp(&x, .05);
    if (open_spring(log, &x, 48, .05,
                    "energy=quadratic ends=strong kappa=pointwise damping=dissertation")) {
        watch_energy(log, &x, .05, 1000, &rise, &gap, &left);
        verify_below(log, "damped as in the source: largest rise of H", "<= 0", rise, 1e-13, "");
        verify_below(log, "its loss nu_1 |u_t|^2 + nu_2 tau_t^2 accounts for H", "", gap, 1e-10,
                     "");
    }
    withy_sim_destroy(x.sim);
    if (open_spring(log, &x, 48, .05, "")) {
        watch_energy(log, &x, .05, 1000, &rise, &gap, &left);
        verify_below(log, "our defaults, damped: largest rise of H", "<= 0", rise, 1e-13, "");
        verify_below(log, "our defaults: losses account for H", "", gap, 1e-10, "");
    }
    withy_sim_destroy(x.sim);
}

/* Change of angular momentum of a free, damped, spinning spring over 200 steps. */
static double spin_loss(verify_log *log, const char *words) {
    spring x;
    double change = NAN;
    spring_of(&x, .25, 3, .8, WITHY_END_FREE, WITHY_END_FREE);
    stretch(&x, .25, 3, 1.3);
    damp(&x, .1);
    x.rod.velocity = withy_field_vector(0, .02, 0);
    if (open_spring(log, &x, 32, .1, words)) {
        const withy_snapshot *snap = step_to(log, &x, .1);
        const vec first = snap ? snap->angular_momentum : make(0, 0, 0);
        if (snap && (snap = step_to(log, &x, 20)))
            change = size(plus(snap->angular_momentum, -1, first));
    }
    withy_sim_destroy(x.sim);
    return change;
}

static void momentum(verify_log *log) {
    verify_below(log, "free spring, objective damping: change of L", "",
                 spin_loss(log, "damping=objective"), 1e-11, "");
    verify_near(
        log, "free spring, the source's damping: change of L", "0", 1,
        spin_loss(log, "damping=dissertation") > 1e-7, 0,
        "erratum: nu_1 damps x'' - s kappa in the laboratory frame, and with it rigid rotation");
}

/* Motion of a spring at rest in 50 steps of 0.1. */
static double rest_motion(verify_log *log, const char *words, int n) {
    spring x;
    double most = NAN;
    vec first[512];
    spring_of(&x, .25, 3, .8, WITHY_END_PINNED, WITHY_END_PINNED);
    if (open_spring(log, &x, n, .1, words)) {
        const withy_snapshot *snap = step_to(log, &x, 0);
        for (int j = 0; snap && j < snap->count; j++) first[j] = snap->position[j];
        if (snap && (snap = step_to(log, &x, 5))) {
            most = 0;
            for (int j = 0; j < snap->count; j++)
                most = worst_of(most, size(plus(snap->position[j], -1, first[j])));
        }
    }
    withy_sim_destroy(x.sim);
    return most;
}

static void at_rest(verify_log *log) {
    verify_below(log, "discrete kappa, strain energy: motion at rest", "0",
                 rest_motion(log, "", 96), 3e-13, "50 steps of 0.1, three turns, N = 96");
    const double coarse = rest_motion(log, "kappa=pointwise energy=quadratic", 48);
    const double fine = rest_motion(log, "kappa=pointwise energy=quadratic", 96);
    verify_near(log, "kappa of (3.4) at the nodes: order of the motion", "0", 2,
                log2(coarse / fine), .1,
                "the sampled rest shape is only second order from a discrete equilibrium");
}

/* ---- statics --------------------------------------------------------------------------------- */

/* Material frame at s of the wire bent into (radius, pulled); normals at their rest angle. */
static withy_field frame_at(double angle, double radius, double pulled, double s) {
    const double phi = s * cos(pulled) / radius, turned = sin(angle) * cos(angle) * s;
    const vec t = make(-cos(pulled) * sin(phi), cos(pulled) * cos(phi), sin(pulled));
    const vec radial = make(cos(phi), sin(phi), 0), binormal = cross(radial, t);
    const vec d1 = plus(plus(make(0, 0, 0), cos(turned), radial), sin(turned), binormal),
              d2 = cross(t, d1);
    /* quaternion by the trace, or by the largest diagonal entry */
    const double m[3][3] = {{d1.x, d2.x, t.x}, {d1.y, d2.y, t.y}, {d1.z, d2.z, t.z}};
    double q[4];
    q[0] = 1 + m[0][0] + m[1][1] + m[2][2], q[1] = m[2][1] - m[1][2];
    q[2] = m[0][2] - m[2][0], q[3] = m[1][0] - m[0][1];
    for (int i = 0; i < 3 && q[0] < .1; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        if (m[i][i] < m[j][j] || m[i][i] < m[k][k]) continue;
        q[0] = m[k][j] - m[j][k], q[1 + i] = 1 + m[i][i] - m[j][j] - m[k][k];
        q[1 + j] = m[i][j] + m[j][i], q[1 + k] = m[i][k] + m[k][i];
        break;
    }
    const double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    return (withy_field){.size = 4,
                         .value = {q[0] / length, q[1] / length, q[2] / length, q[3] / length}};
}

static double love_force(verify_log *log, double radius, double pulled, int n) {
    spring x;
    double force = NAN;
    spring_of(&x, .15, 4, 1 / 1.3, WITHY_END_CLAMPED, WITHY_END_CLAMPED);
    x.rod.initial = helix(radius, pulled);
    x.rod.end[0].frame = frame_at(.15, radius, pulled, 0);
    x.rod.end[1].frame = frame_at(.15, radius, pulled, x.rod.length);
    if (open_spring(log, &x, n, .1, "kappa=pointwise energy=quadratic")) {
        const withy_snapshot *snap = relax(log, &x, 1);
        if (snap) force = snap->reaction[1].z;
    }
    withy_sim_destroy(x.sim);
    return force;
}

static void statics(verify_log *log) {
    const double l = wire_length(.15, 4), twice = asin(2 * sin(.15)), half = asin(.5 * sin(.15));
    const struct {
        const char *name;
        double pulled, exact, discrete;
    } row[] = {{"at twice its length", twice, .1229427687, .1228222},
               {"at a pitch angle of 0.8", .8, .7211092312, .7207736},
               {"at half its length", half, -.0568104616, -.0567569}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        char text[96];
        const double radius = l * cos(row[i].pulled) / (8 * PI);
        const double coarse = love_force(log, radius, row[i].pulled, 256);
        const double fine = love_force(log, radius, row[i].pulled, 512);
        snprintf(text, sizeof text, "force %s, N = 512", row[i].name);
        verify_near(log, text, "", row[i].discrete, fine, 2e-7, "");
        snprintf(text, sizeof text, "force %s, N to infinity", row[i].name);
        verify_near(log, text, "Love", row[i].exact, fine + (fine - coarse) / 3, 2e-6, "");
    }
    spring x;
    spring_of(&x, .08, 6, 1 / 1.3, WITHY_END_CLAMPED, WITHY_END_FREE);
    x.problem.gravity = make(0, 0, 1e-6);
    if (open_spring(log, &x, 384, .1, "kappa=pointwise")) {
        const withy_snapshot *snap = relax(log, &x, 0);
        const double before = snap ? snap->position[384].z : NAN;
        snap = snap ? relax(log, &x, 1) : NULL;
        const double soft = cos(.08) * cos(.08) * 1.3 + sin(.08) * sin(.08);
        const double formula = 1e-6 * x.rod.length * x.rod.length * soft / 2;
        if (snap)
            verify_near(log, "sag under own weight / formula, 64 nodes a turn", "", 1.0064,
                        (snap->position[384].z - before) / formula, 2e-4, "");
    }
    withy_sim_destroy(x.sim);
}

/* ---- frequencies ----------------------------------------------------------------------------- */

/* The mode with the largest mean axial motion. */
static double surge(verify_log *log, double angle, double turns, int n) {
    enum { COUNT = 10 };
    spring x;
    double found = NAN, best = 0;
    spring_of(&x, angle, turns, 1 / 1.3, WITHY_END_CLAMPED, WITHY_END_CLAMPED);
    if (open_spring(log, &x, n, .1, "kappa=pointwise energy=quadratic") && relax(log, &x, 1)) {
        withy_mode *mode;
        withy_error err = {0};
        if (withy_sim_modes(x.sim, COUNT, &mode, &err) != WITHY_OK) {
            verify_failed(log, "modes", &err);
        } else {
            for (int k = 0; k < COUNT; k++) {
                double axial = 0, all = 0;
                for (int j = 0; j < mode[k].count; j++)
                    axial += mode[k].shift[j].z, all += dot(mode[k].shift[j], mode[k].shift[j]);
                if (axial * axial / all > best)
                    best = axial * axial / all, found = 2 * PI * mode[k].frequency;
            }
            withy_modes_free(mode, COUNT);
        }
    }
    withy_sim_destroy(x.sim);
    return found;
}

static void frequencies(verify_log *log) {
    const double coarse = surge(log, .15, 4, 256), fine = surge(log, .15, 4, 512);
    verify_near(log, "surge, four turns, N = 512: error", "", -4.36e-4, fine / .1038803 - 1, 5e-6,
                "against an independent spectral Ritz method: 0.1038803");
    verify_near(log, "surge, four turns, N to infinity", "", .1038803, fine + (fine - coarse) / 3,
                2e-6, "");
    const double rough = surge(log, .04, 14, 448), smooth = surge(log, .04, 14, 896);
    verify_near(log, "surge, fourteen turns / long-wave formula", "", .997,
                (smooth + (smooth - rough) / 3) / (PI / wire_length(.04, 14) * sqrt(1 / 1.3)), 2e-3,
                "(pi/L)(1/r) sqrt(GJ/rho)");
}

const verify_study verify_kirchhoff[] = {
    {"propositions", "propositions 3 to 6: natural frames and transported curvature", propositions,
     0, "natural_frame natural_curvature transported_curvature", .basis = "closed forms"},
    {"jacobian", "theorems 22 and 23: blocks of the Jacobian against differences", jacobian, 0,
     .basis = "central differences"},
    {"theorem 19", "monotone Hamiltonian: none gained, none lost unaccounted", theorem_19, 0,
     "telephone_cord conical_spring",
     .basis = "exact balance of energy, a property of the scheme: zero to rounding"},
    {"momentum", "angular momentum and the two forms of damping", momentum, 0,
     .basis = "exact conservation: zero to rounding"},
    {"at rest", "a spring at rest stays at rest", at_rest, 0,
     .basis = "a discrete equilibrium stays; order of the sampling"},
    {"springs", "force and sag of helical springs: Love and Thomson", statics, 0,
     "hanging_spring_wire",
     .basis = "Love and Thomson; values at a finite N: two independent implementations"},
    {"surge", "frequencies of helical springs", frequencies, 0, "spring_surge",
     .basis = "an independent spectral Ritz method; long-wave formula"},
    {0}};
