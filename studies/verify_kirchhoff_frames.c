/* verify_kirchhoff_frames.c - the propositions, lemma and theorems of [KS] on frames, twist and
 * multipliers, each as a property of what the method computes.
 *
 * A frame of the source is [t s1 s2]; here d1, d2, d3 = s1, s2, t, because the springs of these
 * studies have no rest twist.
 */
#include "verify_kirchhoff.h"

#include "method/kirchhoff/kirchhoff.h"
#include "study/sim.h"

enum { MOST = 513 };

/* ---- chapter 3: natural frames ---------------------------------------------------------------- */

/* The helix (3.6) with alpha = .3, beta = 1.7, about the x axis. */
static const double ALPHA = .3, BETA = 1.7, LENGTH = 20;

static double turning(void) {
    return sqrt(1 - ALPHA * ALPHA) / BETA;
}

/* A free spring at rest in the shape (3.6), its axis along `axis`, starting along `radial`. */
static void helix_36(spring *x, vec axis, vec radial, double hand) {
    spring_of(x, .25, 3, .8, WITHY_END_FREE, WITHY_END_FREE);
    x->rod.length = LENGTH;
    x->rod.rest = (withy_shape){.kind = WITHY_SHAPE_HELIX,
                                .from = plus(make(0, 0, 0), BETA, radial),
                                .along = axis,
                                .normal = radial,
                                .radius = BETA,
                                .pitch = hand * 2 * PI * ALPHA / turning()};
}

/* kappa along d1, d2 and the direction of d3, by components. */
static vec own(const withy_snapshot *snap, int j, vec a) {
    return m3_tmul(q_matrix(snap->frame[j]), a);
}

/* Largest distance of kappa from (3.17), its phase taken from the first node. */
static double kappa_error(verify_log *log, const char *words, int n) {
    spring x;
    double worst = NAN;
    helix_36(&x, make(1, 0, 0), make(0, 1, 0), 1);
    if (open_spring(log, &x, n, .1, words)) {
        const withy_snapshot *snap = step_to(log, &x, 0);
        const double g = turning(), size_of = BETA * g * g;
        const vec first = snap ? own(snap, 0, snap->kappa[0]) : make(0, 0, 0);
        const double phase = atan2(first.y, first.x);
        for (int j = 0; snap && j <= n; j++) {
            const double at = phase + ALPHA * g * snap->s[j];
            const vec k = make(size_of * cos(at), size_of * sin(at), 0);
            const double d = size(plus(own(snap, j, snap->kappa[j]), -1, k));
            worst = j ? worst_of(worst, d) : d;
        }
    }
    withy_sim_destroy(x.sim);
    return worst;
}

/* Largest distance of the frames at rest from (3.12), in radians. */
static double frame_error(verify_log *log, int n) {
    spring x;
    double worst = NAN;
    helix_36(&x, make(1, 0, 0), make(0, 1, 0), 1);
    if (open_spring(log, &x, n, .1, "kappa=pointwise")) {
        const withy_snapshot *snap = step_to(log, &x, 0);
        const double g = turning();
        for (int j = 0; snap && j <= n; j++) {
            const double a = g * snap->s[j],
                         b = -ALPHA * a;                  /* exp(a Omega_i) r(0) exp(b Omega_i) */
            const vec normal = make(0, -cos(a), -sin(a)); /* of the curve, turned with it */
            const vec t = make(ALPHA, -g * BETA * sin(a), g * BETA * cos(a));
            const vec other = cross(t, normal);
            const vec s1 = plus(plus(make(0, 0, 0), -cos(b), normal), -sin(b), other);
            const mat3 f = q_matrix(snap->frame[j]);
            const double d = size(plus(f.c1, -1, s1)) + size(plus(f.c3, -1, t));
            worst = j ? worst_of(worst, d) : d;
        }
    }
    withy_sim_destroy(x.sim);
    return worst;
}

/* Frames of a straight rod along x that is twisted evenly, against exp(s Omega_i). */
static double twist_error(verify_log *log) {
    spring x;
    double worst = NAN;
    spring_of(&x, .25, 3, .8, WITHY_END_CLAMPED, WITHY_END_FREE);
    x.rod.inertia[WITHY_ROTARY1] = x.rod.inertia[WITHY_ROTARY2] = withy_field_number(1e6);
    x.rod.length = 6; /* heavy: the start may not untwist it */
    x.rod.rest =
        (withy_shape){.kind = WITHY_SHAPE_STRAIGHT, .along = {1, 0, 0}, .normal = {0, 1, 0}};
    x.rod.initial = x.rod.rest;
    x.rod.initial.kind = WITHY_SHAPE_STRAIN;
    x.rod.initial.strain = withy_field_vector(0, 0, .5);
    if (open_spring(log, &x, 24, .1, "ends=weak")) {
        const withy_snapshot *snap = step_to(log, &x, 0);
        for (int j = 0; snap && j <= 24; j++) {
            const double a = .5 * snap->s[j];
            const mat3 f = q_matrix(snap->frame[j]);
            const double d = size(plus(f.c1, -1, make(0, cos(a), sin(a)))) +
                             size(plus(f.c2, -1, make(0, -sin(a), cos(a))));
            worst = j ? worst_of(worst, d) : d;
        }
    }
    withy_sim_destroy(x.sim);
    return worst;
}

/* kappa of the spring of (3.6) about `axis` after 20 steps of .1, thrown with the velocity v. */
static int thrown(verify_log *log, vec axis, vec radial, vec v, double hand, vec *kappa) {
    spring x;
    const withy_snapshot *snap = NULL;
    helix_36(&x, axis, radial, hand);
    x.rod.end[0].kind = WITHY_END_PINNED;
    x.rod.velocity = withy_field_vector(v.x, v.y, v.z);
    if (open_spring(log, &x, 32, .1, "kappa=pointwise")) snap = step_to(log, &x, 2);
    for (int j = 0; snap && j <= 32; j++)
        kappa[j] = hand < 0 ? own(snap, j, snap->kappa[j]) : snap->kappa[j];
    if (snap && hand < 0)
        for (int j = 0; j <= 32; j++) kappa[33 + j] = snap->kappa[j];
    withy_sim_destroy(x.sim);
    return snap != NULL;
}

/* r Omega_v r^-1 = Omega_{r v}: a spring turned by r carries its curvature turned by r. */
static double turned_error(verify_log *log) {
    vec plain[33], turned[33];
    const mat3 r = q_matrix(q_exp(v3(.4, -1.1, .7)));
    const vec axis = make(1, 0, 0), radial = make(0, 1, 0), v = make(.02, .05, -.03);
    double worst = 0;
    if (!thrown(log, axis, radial, v, 1, plain) ||
        !thrown(log, m3_mul(r, axis), m3_mul(r, radial), m3_mul(r, v), 1, turned))
        return NAN;
    for (int j = 0; j <= 32; j++)
        worst = worst_of(worst, size(plus(turned[j], -1, m3_mul(r, plain[j]))));
    return worst;
}

/* The mirror image in the plane x = 0 of the axis: det = -1 reverses the sense of (3.17). */
static double mirrored_rate(verify_log *log) {
    vec kappa[66];
    if (!thrown(log, make(1, 0, 0), make(0, 1, 0), make(0, 0, 0), -1, kappa)) return NAN;
    const double turn = atan2(kappa[1].y, kappa[1].x) - atan2(kappa[0].y, kappa[0].x);
    return remainder(turn, 2 * PI) / (LENGTH / 32) / (ALPHA * turning());
}

void kirchhoff_propositions(verify_log *log) {
    verify_below(log, "proposition 3: frames of an evenly twisted rod, exp(s Omega_i)", "exact",
                 twist_error(log), 1e-10, "");
    verify_below(log, "proposition 4: a spring turned by r carries kappa turned by r", "exact",
                 turned_error(log), 1e-11,
                 "erratum: the proof covers only rotations that fix i; the statement holds for all "
                 "of SO(3): this r fixes no axis of the spring");
    verify_near(log, "proposition 4 with det = -1: rate of kappa of the mirror image", "", -1,
                mirrored_rate(log), 1e-12,
                "erratum: (3.5) needs det = +1: a left-handed frame turns its sign over");
    const double coarse = frame_error(log, 100), fine = frame_error(log, 200);
    verify_near(log, "proposition 5: order of the frames at rest towards (3.12)", "exact", 2,
                log2(coarse / fine), .1, "of the spline through the nodes; N = 100, 200");
    verify_below(log, "proposition 5: distance of those frames, N = 200", "exact", fine, 2e-4, "");
    verify_below(log, "proposition 6: kappa of the method, pointwise, from (3.17)", "exact",
                 kappa_error(log, "kappa=pointwise", 100), 1e-13,
                 "its proof calls r_0(0) antisymmetric; that is not needed");
    verify_near(log, "proposition 6: order of the discrete kappa towards (3.17)", "", 2,
                log2(kappa_error(log, "", 100) / kappa_error(log, "", 200)), .1,
                "minimal rotation from node to node");
}

/* ---- lemma 8 and theorems 9, 10: twist --------------------------------------------------------- */

/* A stretched, damped spring in smooth motion at three times h apart. */
typedef struct motion {
    int n;
    double eta, h, twist_energy[3];
    vec t[3][MOST], s1[3][MOST], s2[3][MOST], spin[3][MOST], curve[3][MOST];
    double tau[3][MOST];
} motion;

static void keep(motion *m, int at, const withy_snapshot *snap) {
    m->twist_energy[at] = snap->energy.twist;
    for (int j = 0; j <= m->n; j++) {
        const mat3 f = q_matrix(snap->frame[j]);
        const vec b = snap->bend[j];
        m->s1[at][j] = f.c1, m->s2[at][j] = f.c2, m->t[at][j] = f.c3;
        m->spin[at][j] = snap->spin[j], m->tau[at][j] = b.z;
        m->curve[at][j] = plus(plus(snap->kappa[j], b.y, f.c1), -b.x, f.c2); /* x'' */
    }
}

static int move(verify_log *log, motion *m, int n, double h) {
    spring x;
    int done = 0;
    spring_of(&x, .25, 1, .8, WITHY_END_CLAMPED, WITHY_END_FREE);
    stretch(&x, .25, 1, 1.3);
    damp(&x, .2);
    x.rod.inertia[WITHY_ROTARY1] = x.rod.inertia[WITHY_ROTARY2] = withy_field_number(.05);
    x.rod.inertia[WITHY_ROTARY3] = withy_field_number(.1);
    m->n = n, m->h = h, m->eta = x.rod.length / n;
    if (open_spring(log, &x, n, h, "kappa=pointwise energy=quadratic"))
        for (int k = 0; k < 3; k++) {
            const withy_snapshot *snap = step_to(log, &x, 2 + (k - 1) * h);
            if (!snap) break;
            keep(m, k, snap);
            done = k == 2;
        }
    withy_sim_destroy(x.sim);
    return done;
}

/* d/dt and d/ds of a field at the middle time and node j, by central differences. */
static vec rate(const motion *m, vec f[3][MOST], int j) {
    return plus(make(0, 0, 0), .5 / m->h, plus(f[2][j], -1, f[0][j]));
}
static vec slope(const motion *m, vec f[3][MOST], int j) {
    return plus(make(0, 0, 0), .5 / m->eta, plus(f[1][j + 1], -1, f[1][j - 1]));
}

/* Largest gap of (4.15) and of (4.16), over the largest of their terms. */
static int lemma_8(verify_log *log, int n, double h, double gap[2]) {
    static motion m;
    double worst[2] = {0}, scale[2] = {0};
    if (!move(log, &m, n, h)) return 0;
    static vec total[3][MOST],
        along[3][MOST]; /* T = tau x' + x' x x'', and omega x in one number */
    for (int k = 0; k < 3; k++)
        for (int j = 0; j <= n; j++) {
            total[k][j] = plus(cross(m.t[k][j], m.curve[k][j]), m.tau[k][j], m.t[k][j]);
            along[k][j] = make(dot(m.spin[k][j], m.t[k][j]), m.tau[k][j], 0);
        }
    for (int j = n / 8; j <= n - n / 8; j++) {
        const vec sum = plus(slope(&m, m.spin, j), 1, cross(m.spin[1][j], total[1][j]));
        const vec t_dot = rate(&m, total, j);
        const double turned = dot(cross(m.curve[1][j], cross(m.spin[1][j], m.t[1][j])), m.t[1][j]);
        const double tau_dot = rate(&m, along, j).y;
        worst[0] = worst_of(worst[0], size(plus(t_dot, -1, sum)));
        worst[1] = worst_of(worst[1], fabs(tau_dot - slope(&m, along, j).x - turned));
        scale[0] = worst_of(scale[0], size(t_dot));
        scale[1] = worst_of(scale[1], fabs(turned));
    }
    for (int i = 0; i < 2; i++) gap[i] = worst[i] / scale[i];
    return 1;
}

void kirchhoff_lemma_8(verify_log *log) {
    double coarse[2], fine[2];
    if (!lemma_8(log, 64, .02, coarse) || !lemma_8(log, 128, .01, fine)) return;
    verify_below(log, "(4.15) T_t = Omega' + Omega x T: gap over T_t, N = 128", "exact", fine[0],
                 2e-3, "");
    verify_near(log, "its order in N and h together", "exact", 2, log2(coarse[0] / fine[0]), .3,
                "");
    verify_below(log, "(4.16) tau_t = omega' + (x'' x x_t').x': gap over its last term", "exact",
                 fine[1], 2e-3, "the twist, spin and curvature that the method reports");
    verify_near(log, "its order in N and h together", "exact", 2, log2(coarse[1] / fine[1]), .3,
                "");
}

static vec middle(vec f[3][MOST], int j) {
    return plus(plus(make(0, 0, 0), .5, f[0][j]), .5, f[2][j]);
}

/* trace(f j d^T) = f2.d1 - f1.d2 for f = (f1, f2), d = s_{n+1} - s_{n-1}. */
static double trace_with(const motion *m, int j, vec f1, vec f2) {
    return dot(f2, plus(m->s1[2][j], -1, m->s1[0][j])) -
           dot(f1, plus(m->s2[2][j], -1, m->s2[0][j]));
}

/* tau_j of (5.31) in the interval before node j, at time k. */
static double tau_of(const motion *m, int k, int j) {
    return (dot(m->s2[k][j - 1], m->s1[k][j]) - dot(m->s1[k][j - 1], m->s2[k][j])) / (2 * m->eta);
}

/* (5.58): the change of sum tau_j^2, from the energy of the method, over sum trace(f_j j delta s^T)
 * with f of (5.34), (5.35), (5.36) at the mean of the two levels. */
static double theorem_10(motion *m) {
    const double change = 2 / (.8 * m->eta) * (m->twist_energy[2] - m->twist_energy[0]);
    double sum = 0;
    for (int j = 0; j <= m->n; j++) {
        vec f[2] = {{0, 0, 0}, {0, 0, 0}};
        for (int k = 0; k < 2; k++) {
            vec(*s)[MOST] = k ? m->s2 : m->s1;
            if (j < m->n)
                f[k] = plus(f[k], -.5 * (tau_of(m, 0, j + 1) + tau_of(m, 2, j + 1)) / m->eta,
                            middle(s, j + 1));
            if (j > 0)
                f[k] =
                    plus(f[k], .5 * (tau_of(m, 0, j) + tau_of(m, 2, j)) / m->eta, middle(s, j - 1));
        }
        sum += trace_with(m, j, f[0], f[1]);
    }
    return sum / change;
}

/* (5.38) with tau_1 = tau: f = -tau s' - (tau s)' by central differences, the integrals by the
 * trapezoidal rule; over the same change. */
static double theorem_9(motion *m) {
    const double change = 2 / (.8 * m->eta) * (m->twist_energy[2] - m->twist_energy[0]);
    double sum = 0;
    for (int j = 0; j <= m->n; j++) {
        const int a = j > 0 ? j - 1 : 0, b = j < m->n ? j + 1 : m->n;
        vec f[2];
        for (int k = 0; k < 2; k++) {
            vec(*s)[MOST] = k ? m->s2 : m->s1;
            const vec step = plus(s[1][b], -1, s[1][a]);
            const double last = b == m->n ? 0 : m->tau[1][b]; /* (5.71) at the free end */
            const vec twisted = plus(plus(make(0, 0, 0), last, s[1][b]), -m->tau[1][a], s[1][a]);
            f[k] = plus(plus(make(0, 0, 0), j == m->n ? 0 : -m->tau[1][j], step), -1, twisted);
            f[k] = plus(make(0, 0, 0), 1 / ((b - a) * m->eta), f[k]);
        }
        sum += (j == 0 || j == m->n ? .5 : 1) * trace_with(m, j, f[0], f[1]);
    }
    return sum / change;
}

void kirchhoff_theorems_9_10(verify_log *log) {
    static motion m;
    if (!move(log, &m, 128, .01)) return;
    verify_near(log, "theorem 9: work of f(tau, s) j over the change of tau^2", "exact", 1,
                theorem_9(&m), 1e-4, "f = -tau s' - (tau s)' from the frames of the run");
    verify_near(log, "theorem 10: the same with (5.34) at the nodes", "exact", 1, theorem_10(&m),
                1e-9, "(5.44) is the same expression; the sums run over intervals 1 .. N");
}

/* ---- chapter 6: the Jacobian ------------------------------------------------------------------- */

enum { NODES = 6, ROWS = 9 * NODES };

/* The unknowns of a column: positions in eta, rotations, multipliers of the spline. */
static void perturb(wy_kirchhoff *p, int column, double by) {
    const int j = column / 9, part = column % 9 / 3;
    double d[3] = {0};
    d[column % 3] = by;
    if (part == 0) p->next->x[j] = v3_axpy(p->next->x[j], p->eta, v3_from(d));
    if (part == 1) p->next->frame[j] = m3_mulm(q_matrix(q_exp(v3_from(d))), p->next->frame[j]);
    if (part == 2) p->lambda[j] = v3_axpy(p->lambda[j], p->stiff, v3_from(d));
}

/* One block of the Newton matrix at node 2: rows 3 row, columns 3 column of node 2 + off. */
typedef struct block {
    const char *name;
    int row, column, off;
    const char *note;
} block;

static const block blocks[] = {
    {"(6.2): forces by positions", 0, 0, 0, ""},
    {"(6.4): forces by frames", 0, 1, 1, ""},
    {"(6.20), (6.29), (6.43): moments by their own frame", 1, 1, 0, ""},
    {"(6.23), (6.35), (6.47): moments by the frame of the next node", 1, 1, 1,
     "erratum: the factors of the outer product of (6.23), (6.25) are exchanged in print"},
    {"(6.24), (6.36), (6.48): moments by the frame of the node before", 1, 1, -1,
     "erratum: likewise in (6.24), (6.26)"},
    {"(6.15): moments by positions", 1, 0, 1, ""},
    {"(6.75)-(6.99): the spline by frames", 2, 1, 1,
     "in place of f_3 to f_5, which hold identically: R lives on SO(3)"},
};

/* Largest entry of (matrix - differences) of a block, over the largest of the block. */
static double block_error(wy_kirchhoff *p, const block *b) {
    static double plus_[ROWS];
    const double d = 1e-6;
    double worst = 0, largest = 0;
    for (int c = 9 * (2 + b->off) + 3 * b->column; c < 9 * (2 + b->off) + 3 * b->column + 3; c++) {
        perturb(p, c, d);
        wy_kirchhoff_residual(p);
        memcpy(plus_, p->work.rhs, sizeof plus_);
        perturb(p, c, -2 * d);
        wy_kirchhoff_residual(p);
        for (int r = 18 + 3 * b->row; r < 18 + 3 * b->row + 3; r++) {
            const double slope_of = -(plus_[r] - p->work.rhs[r]) / (2 * d);
            const double entry = *wy_banded_at(&p->work.matrix, r, c);
            worst = worst_of(worst, fabs(entry - slope_of));
            largest = worst_of(largest, fabs(slope_of));
        }
        perturb(p, c, d);
    }
    wy_kirchhoff_residual(p);
    return largest > 0 ? worst / largest : INFINITY;
}

void kirchhoff_jacobian(verify_log *log) {
    spring x;
    spring_of(&x, .25, 1, .8, WITHY_END_PINNED, WITHY_END_FREE);
    stretch(&x, .25, 1, 1.6);
    damp(&x, .3);
    if (open_spring(log, &x, NODES - 1, .3, "energy=quadratic damping=dissertation") &&
        step_to(log, &x, 1.5)) {
        wy_kirchhoff *p = x.sim->self; /* at the equations of its last step */
        wy_kirchhoff_residual(p);
        for (int j = 0; j < NODES; j++) wy_kirchhoff_rows(p, j);
        for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
            verify_below(log, blocks[i].name, "exact", block_error(p, &blocks[i]), 1e-7,
                         blocks[i].note);
    }
    withy_sim_destroy(x.sim);
}

/* ---- multipliers ------------------------------------------------------------------------------- */

/* A spring of pitch angle .15 and radius 1 held at the angle .8 by the frames of the exact helix:
 *
 *   n = F k,  u = (k - k0) N,  alpha x' + s beta = n + sigma u'
 *   alpha = F sin a - sigma (k - k0) k,  |beta| = GJ (tau - tau0) k,
 *   tr a = sigma (k - k0) k0 - 2 GJ (tau - tau0)^2
 */
void kirchhoff_multipliers(verify_log *log) {
    const double a = .8, a0 = .15, gj = 1 / 1.3, l = wire_length(a0, 4);
    const double r = l * cos(a) / (8 * PI), k = cos(a) * cos(a) / r, k0 = cos(a0) * cos(a0);
    const double tau = sin(a) * cos(a) / r - sin(a0) * cos(a0);
    const double force = (gj * tau * cos(a) - (k - k0) * sin(a)) / r;
    spring x;
    spring_of(&x, a0, 4, gj, WITHY_END_CLAMPED, WITHY_END_CLAMPED);
    x.rod.initial = helix(r, a);
    x.rod.end[0].frame = frame_at(a0, r, a, 0);
    x.rod.end[1].frame = frame_at(a0, r, a, l);
    if (open_spring(log, &x, 512, .1, "kappa=pointwise energy=quadratic")) {
        const withy_snapshot *snap = relax(log, &x, 1);
        if (snap) {
            const vec m = snap->multiplier[256], f = snap->multiplier_frame[256];
            verify_near(log, "alpha at the middle, N = 512", "", force * sin(a) - (k - k0) * k, m.z,
                        6e-4, "with the sign of [EL], n = alpha x' + s beta - sigma u'");
            verify_near(log, "|beta| there", "", gj * tau * k, hypot(m.x, m.y), 6e-4, "");
            verify_near(log, "a11 + a22 there", "", (k - k0) * k0 - 2 * gj * tau * tau, f.x + f.z,
                        6e-4, "");
        }
    }
    withy_sim_destroy(x.sim);
}
