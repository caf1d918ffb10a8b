/* gripper_lqr.c - a soft gripper under a linear-quadratic controller at 1 kHz.
 *
 * Three fingers, each with a tendon, hold a pose; a push bends one of them away.  The controller knows
 * the gripper through withy_sim_linearise only, and sees three tips only:
 *
 *     x+ = A x + B u + E push,   y = C x        small motions, sampled every millisecond
 *     z+ = z + h (radial offset of each tip)    integrals, so that a lasting push is rejected
 *     u  = -K (x^, z)                           minimises the sum of offsets, integrals and effort
 *     x^ by the stationary Kalman filter        from the tips
 *
 * Both gains are solutions of Riccati equations, found here by doubling.  The push is applied
 * to the gripper itself, with all its nonlinearity, with and without control.
 *
 *     cc gripper_lqr.c $(pkg-config --cflags --libs withy) -lm
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <withy/withy.h>

enum { FINGERS = 3, MODES = 12, STEPS = 3000, MOST = 2 * MODES + FINGERS };
static const double TICK = 1e-3, GRIP = 0.5, PUSH = 0.01; /* s, N, N */

/* cases/gripper with one input for each finger, its palm held, and a push on the tip of the third. */
static const char *const SCENE =
    "local L, out, arm = 0.08, 0.03, 4e-3\n"
    "local rods, joints, probes = {}, {}, {}\n"
    "for k = 1, 3 do\n"
    "  local c, s = math.cos(2 * math.pi * k / 3), math.sin(2 * math.pi * k / 3)\n"
    "  rods[k] = { name = 'finger' .. k, length = L, section = circle { diameter = 0.01 },\n"
    "    material = { young = 1e6, poisson = 0.45, density = 1100 }, damping = { time = 0.002 },\n"
    "    initial = { shape = straight { from = { out * c, out * s, 0 }, along = { 0, 0, -1 },\n"
    "                                   normal = { -c, -s, 0 } } },\n"
    "    ends = { start = free {}, finish = free { force = k == 3 and { input 'push', 0, 0 } or "
    "nil } },\n"
    "    loads = { tendon { route = { arm, 0 }, tension = input('grip' .. k) } } }\n"
    "  joints[k] = weld { parts = { 'palm', 'finger' .. k }, at = { { out * c, out * s, -0.01 }, 0 "
    "} }\n"
    "  probes['tip' .. k] = { rod = 'finger' .. k, at = L, what = 'position' }\n"
    "end\n"
    "joints[4] = weld { parts = { 'ground', 'palm' }, at = { { 0, 0, 0.01 }, { 0, 0, 0 } } }\n"
    "return { rods = rods, joints = joints, probes = probes, gravity = { 0, 0, -9.81 },\n"
    "  bodies = { { name = 'palm', mass = 0.2, inertia = { 1e-4, 1e-4, 1.5e-4 }, position = { 0, "
    "0, 0.01 } } },\n"
    "  time = { stop = 10, output = 0.1 }, method = 'director', options = { n = 8, degree = 2, dt "
    "= 0.001 } }\n";

/* ---- small matrices --------------------------------------------------------------------------------- */

typedef struct matrix {
    int rows, columns;
    double at[MOST][MOST];
} matrix;

static matrix zeros(int rows, int columns) {
    return (matrix){.rows = rows, .columns = columns};
}

static matrix unit(int n, double value) {
    matrix a = zeros(n, n);
    for (int i = 0; i < n; i++) a.at[i][i] = value;
    return a;
}

static matrix times(matrix a, matrix b) {
    matrix c = zeros(a.rows, b.columns);
    for (int i = 0; i < a.rows; i++)
        for (int k = 0; k < a.columns; k++)
            for (int j = 0; j < b.columns; j++) c.at[i][j] += a.at[i][k] * b.at[k][j];
    return c;
}

static matrix plus(matrix a, double factor, matrix b) {
    for (int i = 0; i < a.rows; i++)
        for (int j = 0; j < a.columns; j++) a.at[i][j] += factor * b.at[i][j];
    return a;
}

static matrix turned(matrix a) {
    matrix b = zeros(a.columns, a.rows);
    for (int i = 0; i < a.rows; i++)
        for (int j = 0; j < a.columns; j++) b.at[j][i] = a.at[i][j];
    return b;
}

/* a^-1 b by elimination with row exchanges. */
static matrix solved(matrix a, matrix b) {
    const int n = a.rows;
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(a.at[i][k]) > fabs(a.at[best][k])) best = i;
        double swap[MOST];
        memcpy(swap, a.at[k], sizeof swap), memcpy(a.at[k], a.at[best], sizeof swap);
        memcpy(a.at[best], swap, sizeof swap);
        memcpy(swap, b.at[k], sizeof swap), memcpy(b.at[k], b.at[best], sizeof swap);
        memcpy(b.at[best], swap, sizeof swap);
        for (int i = 0; i < n; i++) {
            const double share = i == k ? 0 : a.at[i][k] / a.at[k][k];
            for (int j = k; j < n && share != 0; j++) a.at[i][j] -= share * a.at[k][j];
            for (int j = 0; j < b.columns && share != 0; j++) b.at[i][j] -= share * b.at[k][j];
        }
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < b.columns; j++) b.at[i][j] /= a.at[i][i];
    return b;
}

/* exp(a h), and the integral of exp(a t) from 0 to h times b: Taylor's series and doublings. */
static void sample(matrix a, matrix b, double h, matrix *ad, matrix *bd) {
    enum { DOUBLINGS = 16, TERMS = 8 };
    const double d = h / (1 << DOUBLINGS);
    matrix term = unit(a.rows, 1), sum = unit(a.rows, d);
    *ad = unit(a.rows, 1);
    for (int k = 1; k <= TERMS; k++) {
        term = plus(zeros(a.rows, a.rows), d / k, times(term, a));
        *ad = plus(*ad, 1, term);
        sum = plus(sum, d / (k + 1), term);
    }
    for (int k = 0; k < DOUBLINGS; k++) {
        sum = plus(sum, 1, times(*ad, sum));
        *ad = times(*ad, *ad);
    }
    *bd = times(sum, b);
}

/* X = A^T X (1 + G X)^-1 A + H by the structured doubling algorithm (Chu, Fan, Lin and Wang, 2004). */
static matrix riccati(matrix a, matrix g, matrix h) {
    for (int k = 0; k < 40; k++) {
        const matrix w = plus(unit(a.rows, 1), 1, times(g, h));
        const matrix wa = solved(w, a), wg = solved(w, g), more = times(times(turned(a), h), wa);
        double size = 0, change = 0;
        g = plus(g, 1, times(times(a, wg), turned(a)));
        h = plus(h, 1, more);
        a = times(a, wa);
        for (int i = 0; i < h.rows; i++) size += fabs(h.at[i][i]), change += fabs(more.at[i][i]);
        if (change <= 1e-14 * size) break;
    }
    return h;
}

/* The feedback u = -K x that minimises the sum of x^T Q x + r u^T u. */
static matrix regulator(matrix a, matrix b, matrix q, double r) {
    const matrix x = riccati(a, plus(zeros(a.rows, a.rows), 1 / r, times(b, turned(b))), q);
    const matrix bx = times(turned(b), x);
    return solved(plus(times(bx, b), 1, unit(b.columns, r)), times(bx, a));
}

/* ---- the controller ------------------------------------------------------------------------------------ */

typedef struct controller {
    matrix a, b, c, k, l; /* plant; feedback of states and integrals; gain of the filter */
    matrix radial;        /* [FINGERS][outputs] offset of each tip from the axis of the palm */
    matrix x, z, u;       /* estimate, integrals, last input */
    double y0[3 * FINGERS];
} controller;

static matrix matrix_of(const double *v, int rows, int columns) {
    matrix a = zeros(rows, columns);
    for (int i = 0; i < rows * columns; i++) a.at[i / columns][i % columns] = v[i];
    return a;
}

static matrix columns_of(matrix a, int first, int count) {
    matrix b = zeros(a.rows, count);
    for (int i = 0; i < a.rows; i++)
        for (int j = 0; j < count; j++) b.at[i][j] = a.at[i][first + j];
    return b;
}

/* The column of a matrix that belongs to an input. */
static matrix column_of(const withy_linear *lin, matrix b, const char *name) {
    for (int i = 0; i < lin->inputs; i++)
        if (strcmp(lin->input_name[i], name) == 0) return columns_of(b, i, 1);
    fprintf(stderr, "there is no input %s\n", name);
    exit(1);
}

static controller design(const withy_linear *lin) {
    controller me = {.c = matrix_of(lin->c, lin->outputs, lin->states)};
    const int n = lin->states, all = n + FINGERS;
    matrix ad, bd;
    sample(matrix_of(lin->a, n, n), matrix_of(lin->b, n, lin->inputs), TICK, &ad, &bd);
    const matrix push = column_of(lin, bd, "push");
    me.a = ad, me.b = zeros(n, FINGERS);
    for (int k = 0; k < FINGERS; k++) {
        const char name[] = {'g', 'r', 'i', 'p', (char)('1' + k), 0};
        const matrix one = column_of(lin, bd, name);
        for (int i = 0; i < n; i++) me.b.at[i][k] = one.at[i][0];
    }
    me.radial = zeros(FINGERS, lin->outputs);
    for (int k = 0; k < FINGERS; k++) {
        const double angle = 2 * acos(-1) * (k + 1) / FINGERS;
        me.radial.at[k][3 * k] = cos(angle), me.radial.at[k][3 * k + 1] = sin(angle);
    }
    /* states and integrals */
    const matrix from_state = times(me.radial, me.c), cost = times(turned(from_state), from_state);
    matrix a = zeros(all, all), b = zeros(all, FINGERS), q = zeros(all, all);
    for (int i = 0; i < all; i++)
        for (int j = 0; j < all; j++) {
            a.at[i][j] = i < n && j < n    ? ad.at[i][j]
                         : i >= n && j < n ? TICK * from_state.at[i - n][j]
                                           : i == j;
            q.at[i][j] = i < n && j < n ? cost.at[i][j] : i == j ? 400 : 0;
        }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < FINGERS; j++) b.at[i][j] = me.b.at[i][j];
    me.k = regulator(a, b, q, 1e-4);
    /* the dual problem: pushes of 0.1 N are the noise of the plant, 0.1 mm that of the tips */
    matrix noise = unit(n, 1e-14);
    noise = plus(noise, 0.1 * 0.1, times(push, turned(push)));
    for (int k = 0; k < FINGERS; k++) {
        const matrix one = columns_of(me.b, k, 1);
        noise = plus(noise, 0.1 * 0.1, times(one, turned(one)));
    }
    me.l = turned(regulator(turned(ad), turned(me.c), noise, 1e-4 * 1e-4));
    me.x = zeros(n, 1), me.z = zeros(FINGERS, 1), me.u = zeros(FINGERS, 1);
    memcpy(me.y0, lin->y0, sizeof me.y0);
    return me;
}

/* From the tips at one tick, the changes of the tensions until the next. */
static void control(controller *me, const withy_vec3 tip[FINGERS]) {
    matrix y = zeros(3 * FINGERS, 1), both = zeros(me->a.rows + FINGERS, 1);
    for (int i = 0; i < FINGERS; i++) {
        const double r[3] = {tip[i].x, tip[i].y, tip[i].z};
        for (int c = 0; c < 3; c++) y.at[3 * i + c][0] = r[c] - me->y0[3 * i + c];
    }
    me->z = plus(me->z, TICK, times(me->radial, y));
    for (int i = 0; i < both.rows; i++)
        both.at[i][0] = i < me->a.rows ? me->x.at[i][0] : me->z.at[i - me->a.rows][0];
    me->u = times(me->k, both);
    for (int i = 0; i < FINGERS; i++)
        me->u.at[i][0] = fmax(-me->u.at[i][0], -GRIP); /* they only pull */
    const matrix miss = plus(y, -1, times(me->c, me->x));
    me->x = plus(plus(times(me->a, me->x), 1, times(me->b, me->u)), 1, times(me->l, miss));
}

/* ---- the gripper ----------------------------------------------------------------------------------------- */

static void stop_on(withy_status status, const withy_error *err) {
    if (status == WITHY_OK) return;
    fprintf(stderr, "%s\n", err->text);
    exit(1);
}

static double now_ms(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

static void read_tips(withy_sim *sim, withy_vec3 tip[FINGERS]) {
    for (int k = 0; k < FINGERS; k++) {
        const withy_snapshot *seen = withy_sim_sample(sim, k);
        tip[k] = seen->position[seen->count - 1];
    }
}

static void set_grips(withy_sim *sim, const controller *me) {
    withy_error err;
    for (int k = 0; k < FINGERS; k++) {
        const char name[] = {'g', 'r', 'i', 'p', (char)('1' + k), 0};
        stop_on(withy_sim_input(sim, name, GRIP + (me ? me->u.at[k][0] : 0), &err), &err);
    }
}

static int by_size(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

typedef struct outcome {
    double most, last;   /* offset of the pushed tip [m] */
    double settled;      /* last time beyond a tenth of the largest offset, after the push [s] */
    double median, high; /* processor time of a tick [ms]: median, 99.9 % */
    double share, wall;  /* of the ticks below 1 ms of processor time, and as elapsed */
} outcome;

/* 0.2 s at rest, then the push. */
static outcome drive(withy_sim *sim, controller *me) {
    static double took[STEPS], offset[STEPS];
    withy_error err;
    outcome out = {0};
    withy_vec3 tip[FINGERS], first[FINGERS];
    read_tips(sim, first);
    for (int k = 0; k < STEPS; k++) {
        if (k == 200) stop_on(withy_sim_input(sim, "push", PUSH, &err), &err);
        const double start = now_ms(CLOCK_MONOTONIC), busy = now_ms(CLOCK_THREAD_CPUTIME_ID);
        read_tips(sim, tip);
        if (me) control(me, tip), set_grips(sim, me);
        stop_on(withy_sim_advance(sim, (k + 1) * TICK, &err), &err);
        took[k] = now_ms(CLOCK_THREAD_CPUTIME_ID) - busy;
        out.wall += now_ms(CLOCK_MONOTONIC) - start < 1 ? 1.0 / STEPS : 0;
        offset[k] = hypot(tip[2].x - first[2].x, tip[2].y - first[2].y);
        out.most = fmax(out.most, offset[k]);
        out.share += took[k] < 1 ? 1.0 / STEPS : 0;
    }
    for (int k = 200; k < STEPS; k++)
        if (offset[k] > 0.1 * out.most) out.settled = (k - 200) * TICK;
    qsort(took, STEPS, sizeof *took, by_size);
    out.median = took[STEPS / 2], out.high = took[STEPS - 1 - STEPS / 1000];
    out.last = offset[STEPS - 1];
    return out;
}

static void print(const char *name, const outcome *o) {
    printf("%-16s offset of the pushed tip: at most %.2f mm, at last %.3f mm, below a tenth after "
           "%.0f ms\n",
           name, 1e3 * o->most, 1e3 * o->last, 1e3 * o->settled);
}

int main(void) {
    static controller me;
    withy_error err;
    withy_scene *scene;
    withy_sim *sim, *free_sim;
    withy_equilibrium point;
    withy_linear *lin;
    stop_on(withy_scene_read_text(SCENE, strlen(SCENE), "gripper", NULL, 0, &scene, &err), &err);
    stop_on(withy_scene_sim(scene, NULL, &sim, &err), &err);
    set_grips(sim, NULL);
    stop_on(withy_sim_rest(sim, 1, &point, &err), &err);
    const double start = now_ms(CLOCK_MONOTONIC);
    stop_on(withy_sim_linearise(sim, MODES, &lin, &err), &err);
    const double linearised = now_ms(CLOCK_MONOTONIC);
    me = design(lin);
    printf("%d states from %d modes in %.1f ms, both gains in %.1f ms\n", lin->states, MODES,
           linearised - start, now_ms(CLOCK_MONOTONIC) - linearised);
    stop_on(withy_sim_fork(sim, &free_sim, &err), &err);
    const outcome alone = drive(free_sim, NULL), held = drive(sim, &me);
    print("without control", &alone);
    print("with control", &held);
    printf("a tick of 1 ms: processor time %.3f ms (median), 99.9 %% below %.3f ms\n", held.median,
           held.high);
    printf("below 1 ms: %.2f %% of %d ticks by processor time, %.2f %% as elapsed\n",
           100 * held.share, STEPS, 100 * held.wall);
    withy_linear_free(lin);
    withy_sim_destroy(sim);
    withy_sim_destroy(free_sim);
    withy_scene_destroy(scene);
    /* rejected: a hundredth of what it does alone */
    return held.last <= 0.01 * alone.last && held.most < alone.most ? 0 : 1;
}
