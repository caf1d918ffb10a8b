/* jacobian.c - the matrix of the balance, analytic, for Newton in statics and in time.
 *
 * The balance of row field a at node i is
 *
 *     b_a(i) = sum_k S_ik F_a(k) + source_a(i),       F = (f, m)
 *
 * and its variation, with du' = D du,
 *
 *     dF_a(k) = sum_b P_ab(k) du_b'(k) + L_ab(k) du_b(k)
 *     db_a(i) = sum_k S_ik dF_a(k) + sum_b T2_ab du_b'' + T1_ab du_b' + T0_ab du_b
 *
 * where S is D with the end terms of cheb/planar.c.  With K = A C1 A^T, dphi = 2 E dq:
 *     plane:  df = K dp' + (R f - K R p') dtheta,  dm = EI dtheta'
 *     space:  df = K dp' + (K [p']x - [f]x) dphi,  dm = 2 A C2 (G dq' - G(q') dq) - [m]x dphi
 *     both:   d(p' x f) = p' x df - f x dp'
 * The expanded form of the plane is varied exactly; for space the direct matrix is used (it differs
 * by the error of the discretisation).  In form G in space the moment acts through y = G^T M, M = A^T m,
 *
 *     tau = E z,  z = G(q')^T M + D y,    dM = 2 C2 (G dq' - G(q') dq)
 *     dtau = -E(z) dq + E [S(M) dq' + G(q')^T dM] + E D [S(M) dq + G^T dM],    S(M) b = G(b)^T M
 *
 * so that its rows are E(q_i) times four rows of the kind above.
 */
#include "method/cheb/cheb.h"
#include "method/cheb/vary.h"

void wy_cheb_jacobian_layout(wy_cheb *x, int with_rate, wy_block *block) {
    const size_t nodes = (size_t)x->grid.n + 1, ld = (size_t)x->grid.ld;
    const size_t fields = (size_t)(wy_cheb_rows(x) * x->fields);
    x->jac.stiff = wy_cheb_take(block, fields * nodes * nodes);
    x->jac.visc = with_rate ? wy_cheb_take(block, fields * nodes * nodes) : NULL;
    for (int i = 0; i < PARTS; i++) x->jac.part[i] = wy_cheb_take(block, fields * ld);
    x->jac.turn = wy_cheb_varies_turns(x) ? wy_cheb_take(block, 2 * 16 * ld) : NULL;
}

/* ---- coefficients --------------------------------------------------------------------------------- */

static void clear(const wy_cheb *x) {
    const size_t size = (size_t)(wy_cheb_rows(x) * x->fields) * (size_t)x->grid.ld * sizeof(double);
    for (int p = 0; p < PARTS; p++) memset(x->jac.part[p], 0, size);
}

/* Variation of the stresses in the plane; c1, c2 are stiffnesses (elastic or viscous). */
static void planar_stress(const wy_cheb *x, const double *u, double *const c1[3],
                          double *const c2[3], int elastic) {
    const int ld = x->grid.ld;
    const double *p1x = x->p1, *p1y = x->p1 + ld, *fx = x->f, *fy = x->f + ld;
    for (int i = 0; i <= x->grid.n; i++) {
        const double c = cos(u[2 * ld + i]), s = sin(u[2 * ld + i]), ea = c1[0][i], ga = c1[1][i];
        const double kxx = ea * c * c + ga * s * s, kxy = (ea - ga) * c * s,
                     kyy = ea * s * s + ga * c * c;
        const double rx = -p1y[i], ry = p1x[i]; /* R p' */
        const double bx = -(kxx * rx + kxy * ry) - elastic * fy[i];
        const double by = -(kxy * rx + kyy * ry) + elastic * fx[i];
        put(x, P, 0, 0, i, kxx), put(x, P, 0, 1, i, kxy), put(x, P, 1, 0, i, kxy);
        put(x, P, 1, 1, i, kyy), put(x, P, 2, 2, i, c2[0][i]);
        put(x, L, 0, 2, i, bx), put(x, L, 1, 2, i, by);
        put(x, T1, 2, 0, i, p1x[i] * kxy - p1y[i] * kxx + elastic * fy[i]);
        put(x, T1, 2, 1, i, p1x[i] * kyy - p1y[i] * kxy - elastic * fx[i]);
        put(x, T0, 2, 2, i, p1x[i] * by - p1y[i] * bx);
    }
}

/* The expanded form varies at the node itself: P and L of the direct form move into T2, T1, T0. */
static void planar_expanded(const wy_cheb *x, const double *u) {
    const int ld = x->grid.ld;
    const double *second = x->stage[6];
    for (int i = 0; i <= x->grid.n; i++) {
        const double c = cos(u[2 * ld + i]), s = sin(u[2 * ld + i]);
        const double ea = x->along.c1[0][i], ga = x->along.c1[1][i], k = x->p1[2 * ld + i];
        const double px = x->p1[i], py = x->p1[ld + i];
        const double fx = x->f[i], fy = x->f[ld + i];
        const double kxx = ea * c * c + ga * s * s, kxy = (ea - ga) * c * s,
                     kyy = ea * s * s + ga * c * c;
        const double lx = coefficient(x, L, 0, 2)[i], ly = coefficient(x, L, 1, 2)[i];
        /* f' = k R f + h,  h = A (C1 [A^T e - g0']),  e = p'' - k R p' */
        const double ex = second[i] + k * py, ey = second[ld + i] - k * px;
        const double n1 = ea * (c * ex + s * ey - x->along.dg0[0][i]);
        const double n2 = ga * (c * ey - s * ex - x->along.dg0[1][i]);
        const double hx = c * n1 - s * n2, hy = s * n1 + c * n2;
        /* dh = K de + (R h - K R e) dtheta,  de = dp'' - k R dp' - R p' dk */
        put(x, T2, 0, 0, i, kxx), put(x, T2, 0, 1, i, kxy), put(x, T2, 1, 0, i, kxy);
        put(x, T2, 1, 1, i, kyy), put(x, T2, 2, 2, i, x->along.c2[0][i]);
        /* through -k R dp' = k (dp'_y, -dp'_x), and k R df with df = K dp' + l dtheta */
        put(x, T1, 0, 0, i, -k * kxy - k * kxy), put(x, T1, 0, 1, i, k * kxx - k * kyy);
        put(x, T1, 1, 0, i, -k * kyy + k * kxx), put(x, T1, 1, 1, i, k * kxy + k * kxy);
        put(x, T1, 0, 2, i, kxx * py - kxy * px - fy),
            put(x, T1, 1, 2, i, kxy * py - kyy * px + fx);
        put(x, T0, 0, 2, i, -hy + kxx * ey - kxy * ex - k * ly);
        put(x, T0, 1, 2, i, hx + kxy * ey - kyy * ex + k * lx);
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++) coefficient(x, P, a, b)[i] = coefficient(x, L, a, b)[i] = 0;
    }
}

/* m such that m a = sign [v]x a, as rows. */
static void cross_rows(vec3 v, double m[3][3]) {
    const double rows[3][3] = {{0, -v.z, v.y}, {v.z, 0, -v.x}, {-v.y, v.x, 0}};
    memcpy(m, rows, sizeof rows);
}

static void product(double a[3][3], double b[3][3], double out[3][3]) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            out[i][j] = a[i][0] * b[0][j] + a[i][1] * b[1][j] + a[i][2] * b[2][j];
}

/* A diag(c) A^T or A diag(c). */
static void stiffness_rows(mat3 a, double c0, double c1, double c2, double full[3][3],
                           double half[3][3]) {
    const double rows[3][3] = {
        {a.c1.x, a.c2.x, a.c3.x}, {a.c1.y, a.c2.y, a.c3.y}, {a.c1.z, a.c2.z, a.c3.z}};
    const double c[3] = {c0, c1, c2};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            half[i][j] = rows[i][j] * c[j];
            full[i][j] = 0;
            for (int k = 0; k < 3; k++) full[i][j] += rows[i][k] * c[k] * rows[j][k];
        }
}

/* part_ab += m (3x3) times w (3x4), rows from a0, columns of q. */
static void put_turn(const wy_cheb *x, int part, int a0, int i, double m[3][3], double w[3][4]) {
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 4; b++)
            put(x, part, a0 + a, 3 + b, i,
                m[a][0] * w[0][b] + m[a][1] * w[1][b] + m[a][2] * w[2][b]);
}

static void put_block(const wy_cheb *x, int part, int a0, int i, double m[3][3]) {
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) put(x, part, a0 + a, b, i, m[a][b]);
}

static void spatial_stress(const wy_cheb *x, const double *u, double *const c1[3],
                           double *const c2[3], int elastic) {
    const int ld = x->grid.ld;
    for (int i = 0; i <= x->grid.n; i++) {
        const quat q = quat_at(u, ld, i);
        const quat q1 = quat_at(x->p1, ld, i);
        const vec3 p1 = vec_at(x->p1, ld, i);
        const vec3 f = v3_scale(elastic, vec_at(x->f, ld, i));
        const vec3 m = v3_scale(elastic, vec_at(x->f + 3 * ld, ld, i));
        const mat3 a = wy_cheb_rotate(q, x->excess);
        double k[3][3], half[3][3], k2[3][3], half2[3][3], px[3][3], fx[3][3], mx[3][3], b[3][3],
            t[3][3], e2[3][4], g2[3][4], g1[3][4];
        stiffness_rows(a, c1[0][i], c1[1][i], c1[2][i], k, half);
        stiffness_rows(a, c2[0][i], c2[1][i], c2[2][i], k2, half2);
        cross_rows(p1, px), cross_rows(f, fx), cross_rows(m, mx);
        e_rows(q, 2.0, e2), g_rows(q, 2.0, g2), g_rows(q1, -2.0, g1);
        product(k, px, b);
        for (int r = 0; r < 3; r++)
            for (int c = 0; c < 3; c++) b[r][c] -= fx[r][c], mx[r][c] = -mx[r][c];
        put_block(x, P, 0, i, k);
        put_turn(x, L, 0, i, b, e2);
        put_turn(x, P, 3, i, half2, g2);
        if (elastic) put_turn(x, L, 3, i, half2, g1);
        put_turn(x, L, 3, i, mx, e2);
        product(px, k, t); /* p' x df - f x dp' */
        for (int r = 0; r < 3; r++)
            for (int c = 0; c < 3; c++) t[r][c] -= fx[r][c];
        put_block(x, T1, 3, i, t);
        product(px, b, t);
        put_turn(x, T0, 3, i, t, e2);
    }
}

/* ---- ends, loads, floor ------------------------------------------------------------------------------ */

/* m -= k d(phi)/d(turn), phi the rotation vector of the turning spring: I - hat/2 + g hat^2. */
static void take_spring_turn(double k, vec3 phi, double m[3][3]) {
    const double angle = v3_norm(phi), half = 0.5 * angle, square = angle * angle;
    const double g = angle < 1e-3 ? 1.0 / 12.0 : (1.0 - half * cos(half) / sin(half)) / square;
    const double p[3] = {phi.x, phi.y, phi.z};
    double hat[3][3];
    cross_rows(phi, hat);
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            m[a][b] -= k * ((a == b) - 0.5 * hat[a][b] + g * (p[a] * p[b] - (a == b) * square));
}

/* d(force, moment) with displacement and turn of a node: -k dr - kt dphi + follower parts. */
static void put_pull(const wy_cheb *x, const double *u, int part, int i, double scale,
                     double spring, double spring_turn, vec3 phi, vec3 follow_force,
                     vec3 follow_moment, int place, int turn) {
    const int ld = x->grid.ld;
    if (x->planar) {
        const double fx = v3_dot(follow_force, x->plane.e1), fy = v3_dot(follow_force, x->plane.e2);
        if (place) {
            put(x, part, 0, 0, i, -scale * spring), put(x, part, 1, 1, i, -scale * spring);
            put(x, part, 0, 2, i, -scale * fy), put(x, part, 1, 2, i, scale * fx);
        }
        if (turn) put(x, part, 2, 2, i, -scale * spring_turn);
        return;
    }
    double e2[3][4], m[3][3];
    e_rows(quat_at(u, ld, i), 2.0, e2);
    for (int a = 0; a < 3 && place; a++) put(x, part, a, a, i, -scale * spring);
    cross_rows(v3_scale(-scale, follow_force), m);
    if (place) put_turn(x, part, 0, i, m, e2);
    cross_rows(v3_scale(-scale, follow_moment), m);
    take_spring_turn(scale * spring_turn, phi, m);
    if (turn) put_turn(x, part, 3, i, m, e2);
}

/* Method A: the stress at the end is the load, so p' x f varies with the load only. */
static void turn_of_replaced(const wy_cheb *x, int i) {
    const int ld = x->grid.ld, places = x->planar ? 2 : 3;
    const double *p = x->p1 + i, *f = x->f + i;
    for (int a = places; a < wy_cheb_rows(x); a++)
        for (int b = 0; b < x->fields; b++)
            coefficient(x, T1, a, b)[i] = coefficient(x, T0, a, b)[i] = 0.0;
    for (int b = 0; b < x->fields; b++) {
        const double l0 = coefficient(x, L, 0, b)[i], l1 = coefficient(x, L, 1, b)[i];
        const double l2 = x->planar ? 0.0 : coefficient(x, L, 2, b)[i];
        if (x->planar) {
            put(x, T0, 2, b, i, p[0] * l1 - p[ld] * l0);
            continue;
        }
        put(x, T0, 3, b, i, p[ld] * l2 - p[2 * ld] * l1);
        put(x, T0, 4, b, i, p[2 * ld] * l0 - p[0] * l2);
        put(x, T0, 5, b, i, p[0] * l1 - p[ld] * l0);
    }
    if (x->planar) {
        put(x, T1, 2, 0, i, f[ld]), put(x, T1, 2, 1, i, -f[0]);
        return;
    }
    double m[3][3];
    cross_rows(v3(-f[0], -f[ld], -f[2 * ld]), m);
    put_block(x, T1, 3, i, m);
}

/* The load on an end that depends on the state: rate 0 with the state, 1 with its rate. */
static void put_state_load(const wy_cheb *x, const wy_cheb_end *end, int rate,
                           double slope[2][6][7]) {
    const int method_a = x->opt.ends == WY_CHEB_ENDS_A && !x->opt.expanded;
    const double scale = method_a ? end->out : 1.0 / end->w0;
    for (int a = 0; a < wy_cheb_rows(x); a++) {
        const int kind = wy_cheb_kind(x, end, a);
        for (int b = 0; b < x->fields && kind == WY_CHEB_LOOSE; b++)
            put(x, method_a ? L : T0, a, b, end->node, scale * slope[rate][a][b]);
    }
}

/* The weight F of a body on an arm c: (dphi x c) x F. */
static void put_weight(const wy_cheb *x, const double *u, const wy_cheb_end *end) {
    const int ld = x->grid.ld, i = end->node;
    const double k = end->mass * x->state->factor / end->w0;
    const vec3 f = v3_scale(k, x->problem->gravity);
    const vec3 c = m3_mul(wy_cheb_axes(wy_cheb_pose(x, u, i).frame), end->offset);
    if (x->planar) {
        put(x, T0, 2, 2, i, -v3_dot(c, f)); /* both are in the plane */
        return;
    }
    double e2[3][4], fx[3][3], cx[3][3], m[3][3];
    e_rows(quat_at(u, ld, i), 2.0, e2);
    cross_rows(f, fx), cross_rows(c, cx);
    product(fx, cx, m);
    put_turn(x, T0, 3, i, m, e2);
}

static withy_status put_ends(const wy_cheb *x, double t, const double *u, const double *v,
                             withy_error *err) {
    const int method_a = x->opt.ends == WY_CHEB_ENDS_A && !x->opt.expanded;
    for (int e = 0; e < 2; e++) {
        const wy_cheb_end *end = &x->end[e];
        const int i = end->node, place = end->place == WY_CHEB_LOOSE,
                  turn = end->turn == WY_CHEB_LOOSE;
        if (!place && !turn && !(end->rolls && end->mass > 0)) continue;
        vec3 force = v3(0, 0, 0), moment = force;
        const vec3 phi = wy_cheb_spring_turn(end, wy_cheb_pose(x, u, i).frame);
        const int uses_state = wy_end_uses_state(end->end.end);
        if (end->end.end->follower && !uses_state)
            WY_TRY(wy_end_load(&end->end, t, x->state->factor, wy_cheb_pose(x, u, i).frame, &force,
                               &moment, err));
        if (method_a) /* the stress at the end is the load itself */
            for (int a = 0; a < wy_cheb_rows(x); a++) {
                const int about = a >= wy_cheb_places(x);
                if (about ? !turn : !place) continue;
                for (int b = 0; b < x->fields; b++)
                    coefficient(x, P, a, b)[i] = coefficient(x, L, a, b)[i] = 0.0;
            }
        if (uses_state) {
            double slope[2][6][7];
            WY_TRY(wy_cheb_state_load_end(x, end, t, u, v, slope, err));
            put_state_load(x, end, 0, slope);
        }
        put_pull(x, u, method_a ? L : T0, i, method_a ? end->out : 1.0 / end->w0, end->spring,
                 end->spring_turn, phi, force, moment, place, turn);
        if (end->mass > 0 && (turn || end->rolls)) put_weight(x, u, end);
        if (method_a && place) turn_of_replaced(x, i);
    }
    return WITHY_OK;
}

static withy_status put_loads(const wy_cheb *x, double t, const double *u, withy_error *err) {
    const withy_floor *floor = &x->problem->floor;
    for (int i = 0; i <= x->grid.n; i++) {
        const wy_pose pose = wy_cheb_pose(x, u, i);
        if (wy_cheb_loads_vary(x)) {
            vec3 force, moment;
            WY_TRY(wy_cheb_follow(x, i, t, pose.frame, &force, &moment, err));
            put_pull(x, u, T0, i, 1.0, 0.0, 0.0, v3(0, 0, 0), force, moment, 1, 1);
        }
        if (!floor->given || !(v3_dot(v3_sub(floor->point, pose.r), floor->normal) > 0)) continue;
        double n[3];
        wy_cheb_floor_normal(x, n);
        for (int a = 0; a < wy_cheb_places(x); a++)
            for (int b = 0; b < wy_cheb_places(x); b++)
                put(x, T0, a, b, i, -floor->stiffness * n[a] * n[b]);
    }
    return WITHY_OK;
}

/* ---- assembly ------------------------------------------------------------------------------------------ */

static int any(const wy_cheb *x, const double *c) {
    for (int i = 0; i <= x->grid.n; i++)
        if (c[i] != 0.0) return 1;
    return 0;
}

double wy_cheb_corner(const wy_cheb *x, int a, int i) {
    double sum = 0;
    for (int e = 0; e < 2 && x->opt.ends != WY_CHEB_ENDS_A; e++) {
        const wy_cheb_end *end = &x->end[e];
        const int kind = wy_cheb_kind(x, end, a);
        if (i == end->node && (kind == WY_CHEB_LOOSE || (end->rolls && a >= 3)))
            sum -= end->out / end->w0;
    }
    return sum;
}

static void assemble(const wy_cheb *x, const double *u, double *out) {
    const wy_collocation *g = &x->grid;
    const int nodes = g->n + 1, fields = x->fields;
    const size_t ld = (size_t)g->ld, cols = (size_t)(nodes * fields);
    memset(out, 0, (size_t)(wy_cheb_rows(x) * nodes) * cols * sizeof *out);
    for (int a = 0; a < wy_cheb_rows(x); a++)
        for (int b = 0; b < fields; b++) {
            const double *c[PARTS];
            int used[PARTS];
            for (int p = 0; p < PARTS; p++) c[p] = coefficient(x, p, a, b), used[p] = any(x, c[p]);
            for (int i = 0; i < nodes; i++) {
                double *row = out + (size_t)(a * nodes + i) * cols + (size_t)(b * nodes);
                const double end = wy_cheb_corner(x, a, i);
                const int turns = x->jac.turn && a >= 3; /* by assemble_turns, but for the end */
                for (int k = 0; k < nodes && (used[P] || used[L]); k++) {
                    const double d = turns ? 0.0 : g->dr[(size_t)i * ld + (size_t)k];
                    const double s = i == k ? d + end : d;
                    if (s == 0.0) continue;
                    if (used[P]) add_row(nodes, s * c[P][k], g->dr + (size_t)k * ld, row);
                    row[k] += s * c[L][k];
                }
                if (used[T2]) add_row(nodes, c[T2][i], g->d2r + (size_t)i * ld, row);
                if (used[T1]) add_row(nodes, c[T1][i], g->dr + (size_t)i * ld, row);
                row[i] += c[T0][i];
                if (turns && b >= 3 && a == 3) wy_cheb_turns_rows(x, u, i, b - 3, out);
            }
        }
    if (!x->opt.expanded || !x->planar) return;
    /* the end terms of the expanded form are not part of T: add the stress at loose ends */
    for (int e = 0; e < 2; e++) {
        const wy_cheb_end *end = &x->end[e];
        const int i = end->node, ldi = g->ld;
        for (int a = 0; a < 3; a++) {
            if (wy_cheb_kind(x, end, a) != WY_CHEB_LOOSE) continue;
            double *row = out + (size_t)(a * nodes + i) * cols;
            const double k = -end->out / end->w0, th = u[2 * ldi + i], co = cos(th), si = sin(th);
            const double ea = x->along.c1[0][i], ga = x->along.c1[1][i];
            const double kk[2][2] = {{ea * co * co + ga * si * si, (ea - ga) * co * si},
                                     {(ea - ga) * co * si, ea * si * si + ga * co * co}};
            for (int b = 0; b < 2 && a < 2; b++)
                add_row(nodes, k * kk[a][b], g->dr + (size_t)i * ld, row + b * nodes);
            const double across[2] = {-x->p1[ldi + i], x->p1[i]}; /* R p' */
            const double turned[2] = {-x->f[ldi + i], x->f[i]};   /* R f */
            if (a < 2)
                row[2 * nodes + i] += k * (turned[a] - kk[a][0] * across[0] - kk[a][1] * across[1]);
            if (a == 2)
                add_row(nodes, k * x->along.c2[0][i], g->dr + (size_t)i * ld, row + 2 * nodes);
        }
    }
}

withy_status wy_cheb_jacobian(wy_cheb *x, double t, const double *u, const double *v,
                              withy_error *err) {
    /* x->p1, x->f and, expanded, x->stage[6] belong to (u, v): the caller has just made the balance */
    clear(x);
    (x->planar ? planar_stress : spatial_stress)(x, u, x->along.c1, x->along.c2, 1);
    if (x->opt.expanded && x->planar) planar_expanded(x, u);
    if (x->jac.turn) wy_cheb_turns(x, u, x->along.c2, 1);
    WY_TRY(put_ends(x, t, u, v, err));
    WY_TRY(put_loads(x, t, u, err));
    assemble(x, u, x->jac.stiff);
    if (!v || !x->jac.visc) return wy_cheb_state_load_vary(x, t, u, v, err);
    clear(x);
    if (x->along.viscous)
        (x->planar ? planar_stress : spatial_stress)(x, u, x->along.h1, x->along.h2, 0);
    if (x->jac.turn) wy_cheb_turns(x, u, x->along.h2, 0);
    const int places = x->planar ? 2 : 3, ld = x->grid.ld;
    for (int i = 0; i <= x->grid.n; i++) {
        double speed = 0;
        for (int a = 0; a < places; a++) speed += v[a * ld + i] * v[a * ld + i];
        for (int a = 0; a < places; a++)
            put(x, T0, a, a, i, -x->along.drag - x->along.drag_quadratic * sqrt(speed));
        if (x->planar) put(x, T0, 2, 2, i, -x->along.drag_spin);
        double e2[3][4];
        double unit[3][3] = {
            {-x->along.drag_spin, 0, 0}, {0, -x->along.drag_spin, 0}, {0, 0, -x->along.drag_spin}};
        if (x->planar) continue;
        e_rows(quat_at(u, ld, i), 2.0, e2);
        put_turn(x, T0, 3, i, unit, e2);
    }
    for (int e = 0; e < 2; e++) {
        double slope[2][6][7];
        if (!wy_end_uses_state(x->end[e].end.end)) continue;
        WY_TRY(wy_cheb_state_load_end(x, &x->end[e], t, u, v, slope, err));
        put_state_load(x, &x->end[e], 1, slope);
    }
    assemble(x, u, x->jac.visc);
    return wy_cheb_state_load_vary(x, t, u, v, err);
}
