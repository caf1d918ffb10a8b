/* make.c - the state at t = 0: sections, rest and initial strains, ends, consistent end nodes.
 *
 * Map of conventions, the only place besides sample() where it is used:
 *   xi = (u, v) = (bend1, bend2, twist; shear1, shear2, 1 + stretch),  xi* likewise from the rest
 *   K  = diag(EI1, EI2, GJ; GA1, GA2, EA),  M = diag(rho I1, rho I2, rho J; rho A, rho A, rho A)
 *   eta = (R^T spin, R^T velocity)
 * [SE] has the rod along its third axis, as we do, so that only the order of the blocks differs.
 */
#include "method/se3/se3.h"

#include <string.h>

static void twist_order(const double strain[WITHY_STRAINS], double xi[6]) {
    for (int i = 0; i < 3; i++) xi[i] = strain[WITHY_BEND1 + i], xi[3 + i] = strain[i];
}

static withy_status sample_sections(wy_se3 *x, withy_error *err) {
    for (int p = 0; p < x->points; p++) {
        wy_se3_point *at = &x->point[p];
        double k[WITHY_STRAINS], d[WITHY_STRAINS], rho[WITHY_INERTIAS];
        WY_TRY(wy_stiffness_at(x->rod, at->s, k, err));
        WY_TRY(wy_damping_at(x->rod, at->s, d, err));
        WY_TRY(wy_inertia_at(x->rod, at->s, rho, err));
        twist_order(k, at->k);
        twist_order(d, at->d);
        for (int i = 0; i < 3; i++) {
            at->m[i] = rho[WITHY_ROTARY1 + i];
            at->m[3 + i] = rho[WITHY_MASS];
        }
        for (int i = 0; i < 6; i++) at->scale[i] = x->h / at->k[i];
        x->speed = wy_min(x->speed, sqrt(wy_min(at->k[3], at->k[4]) / at->m[3]));
    }
    return WITHY_OK;
}

/* Strains of a shape at all points, in the order and with the 1 of xi. */
static withy_status shape_strains(wy_se3 *x, wy_arena *arena, const withy_shape *shape,
                                  double (*xi)[6], withy_error *err) {
    const size_t count = (size_t)x->points;
    double(*strain)[WITHY_STRAINS] = wy_arena_take(arena, count, sizeof *strain);
    double *s = wy_arena_take(arena, count, sizeof *s);
    if (!strain || !s) return wy_fail(err, WITHY_NO_MEMORY, "se3: no memory for the shape");
    for (int p = 0; p < x->points; p++) s[p] = x->point[p].s;
    WY_TRY(wy_shape_strains(x->rod, shape, x->points, s, strain, err));
    for (int p = 0; p < x->points; p++) {
        twist_order(strain[p], xi[p]);
        xi[p][5] += 1.0;
    }
    return WITHY_OK;
}

static withy_status sample_shapes(wy_se3 *x, wy_arena *arena, withy_error *err) {
    double(*xi)[6] = wy_arena_take(arena, (size_t)x->points, sizeof *xi);
    if (!xi) return wy_fail(err, WITHY_NO_MEMORY, "se3: no memory for the shape");
    WY_TRY(shape_strains(x, arena, &x->rod->rest, xi, err));
    for (int p = 0; p < x->points; p++) memcpy(x->point[p].rest, xi[p], sizeof xi[p]);
    WY_TRY(shape_strains(x, arena, wy_initial_shape(x->rod), xi, err));
    for (int j = 0; j <= x->n; j++) memcpy(x->xi0[j], xi[2 * j], sizeof xi[0]);
    return WITHY_OK;
}

/* The strains of a bent rod turn with its twist, and the middle of a cell is their mean: over an angle a
 * that mean is short by a^2/24, over a radian by 4 %. */
static withy_status check_twist(const wy_se3 *x, withy_error *err) {
    const double most = 1;
    double twist = 0, bend = 0, at = 0;
    for (int j = 0; j <= x->n; j++) {
        const double *xi = x->xi0[j], *rest = x->point[2 * j].rest;
        const double turn = x->h * wy_max(fabs(xi[2]), fabs(rest[2]));
        if (turn > twist) twist = turn, at = x->point[2 * j].s;
        bend = wy_max(bend, x->length * wy_max(hypot(xi[0], xi[1]), hypot(rest[0], rest[1])));
    }
    if (twist <= most || bend <= 1e-3 || x->opt.scheme == WY_SE3_NOTES) return WITHY_OK;
    return wy_fail(
        err, WITHY_UNSUPPORTED,
        "se3: the rod is bent and twists by %.2f rad within the cell at s = %g, more than "
        "%g, which its strains do not resolve: use options.n >= %d (now %d), or director",
        twist, at, most, (int)ceil(twist / most * x->n), x->n);
}

/* M_t of a body with mass m, centre c and moments I about its centre:
 * [[I - m c^ c^, m c^], [-m c^, m]]. */
static void lump(const withy_end *given, wy_se3_end *end) {
    const vec3 c = given->offset;
    const double m = given->mass, i[3] = {given->inertia.x, given->inertia.y, given->inertia.z};
    const double a[3] = {c.x, c.y, c.z}, square = v3_dot(c, c);
    const double skew[3][3] = {{0, -c.z, c.y}, {c.z, 0, -c.x}, {-c.y, c.x, 0}};
    for (int r = 0; r < 3; r++)
        for (int k = 0; k < 3; k++) {
            end->body[r][k] = (r == k ? i[r] + m * square : 0) - m * a[r] * a[k];
            end->body[r][3 + k] = m * skew[r][k];
            end->body[3 + r][k] = -m * skew[r][k];
            end->body[3 + r][3 + k] = r == k ? m : 0;
        }
    end->mass = m;
    end->offset = c;
    end->has_body = m > 0 || !v3_is_zero(given->inertia);
}

static withy_status prepare_ends(wy_se3 *x, wy_notes *notes, withy_error *err) {
    for (int e = 0; e < 2; e++) {
        WY_TRY(wy_end_prepare(x->rod, e, &x->end[e].end, err));
        lump(&x->rod->end[e], &x->end[e]);
    }
    for (int e = 0; e < 2; e++) {
        for (int i = 0; i < 3; i++) {
            x->end[e].held[i] = wy_end_holds_direction(&x->rod->end[e]);
            x->end[e].held[3 + i] = wy_end_holds_position(&x->rod->end[e]);
        }
        if (x->end[e].end.turns_free) x->end[e].held[2] = false;
    }
    x->holds_finish = x->rod->end[1].kind != WITHY_END_FREE;
    if (x->holds_finish)
        wy_note(notes,
                "se3: the finish is held by its velocity: the energy is exact, its place is kept "
                "to second order in dt (see the constraint); director holds it exactly");
    if (x->end[0].has_body && x->end[0].held[3])
        wy_note(notes, "se3: the mass at the held start moves with its support and is left out");
    return WITHY_OK;
}

static int end_is_dead_loaded(const withy_end *end) {
    return (end->force.size || end->moment.size) && !end->follower;
}

static void find_loads(wy_se3 *x) {
    const withy_rod *rod = x->rod;
    const int heavy = !v3_is_zero(x->problem->gravity);
    x->has_force = heavy || rod->drag_linear > 0 || rod->drag_quadratic > 0 || rod->drag_spin > 0;
    x->turns = heavy || end_is_dead_loaded(&rod->end[0]) || end_is_dead_loaded(&rod->end[1]);
    for (int i = 0; i < rod->load_count; i++) {
        if (rod->load[i].kind == WITHY_LOAD_TENDON) continue;
        x->has_force = true;
        if (!rod->load[i].follower) x->turns = true;
    }
}

/* ---- velocities -------------------------------------------------------------------------------
 */

static withy_status start_velocities(wy_se3 *x, withy_error *err) {
    for (int j = 0; j <= x->n; j++) {
        const double s = x->point[2 * j].s;
        const mat3 frame = x->g[2 * j].turn;
        vec3 v, spin;
        WY_TRY(wy_velocity_at(x->rod, s, &v, &spin, err));
        v3_to(m3_tmul(frame, spin), x->eta0[j]);
        v3_to(m3_tmul(frame, v), x->eta0[j] + 3);
    }
    for (int e = 0; e < 2; e++) {
        double motion[6];
        WY_TRY(wy_se3_end_motion(x, e, 0, motion, err));
        for (int i = 0; i < 6; i++)
            if (x->end[e].held[i]) x->eta0[e ? x->n : 0][i] = motion[i];
    }
    return WITHY_OK;
}

/* ---- a held finish ----------------------------------------------------------------------------
 *
 * The box rebuilds a shape from its strains to second order only, so that the finish of the discrete
 * rod is a little beside that of the shape.  A held finish must be at its place: the strains get the
 * smallest change (by elastic energy) that brings it there,
 *
 *   dxi_j = K^-1 Ad_j^T w,   Ad_j from node j to the finish,   sum h Ad_j K^-1 Ad_j^T w = gap     (17)
 *
 * which is a wrench w on the finish alone, so that an end that is free to turn stays without moment.
 * When the rod starts at rest its rest strains move along, and it stays at rest.
 */

/* Ad_j, in columns: a twist of node j as the finish feels it. */
static void carry_to_finish(const wy_se3 *x, int j, double ad[6][6]) {
    const wy_motion back = se3_between(x->g[2 * x->n], x->g[2 * j]);
    for (int c = 0; c < 3; c++) {
        const vec3 e = v3(c == 0, c == 1, c == 2), turned = m3_mul(back.turn, e);
        double a[3], b[3];
        v3_to(turned, a);
        v3_to(v3_cross(back.shift, turned), b);
        for (int i = 0; i < 3; i++)
            ad[i][c] = ad[3 + i][3 + c] = a[i], ad[3 + i][c] = b[i], ad[i][3 + c] = 0;
    }
}

static double node_width(const wy_se3 *x, int j) {
    return j == 0 || j == x->n ? 0.5 * x->h : x->h;
}

/* One correction (17) of the strains; false when there is none. */
static bool pull_finish(wy_se3 *x, const double gap[6], bool rest) {
    const bool *held = x->end[1].held;
    double m[6][6] = {{0}}, w[6][WY_RICCATI_WIDE] = {{0}}, ad[6][6];
    for (int j = 0; j <= x->n; j++) {
        carry_to_finish(x, j, ad);
        for (int r = 0; r < 6; r++)
            for (int c = 0; c < 6; c++)
                for (int k = 0; k < 6; k++)
                    m[r][c] += node_width(x, j) * ad[r][k] * ad[c][k] / x->point[2 * j].k[k];
    }
    for (int r = 0; r < 6; r++) {
        for (int c = 0; c < 6; c++)
            if (!held[r] || !held[c]) m[r][c] = r == c;
        w[r][0] = held[r] ? gap[r] : 0;
    }
    if (!wy_solve6(m, 1, w)) return false;
    for (int j = 0; j <= x->n; j++) {
        carry_to_finish(x, j, ad);
        for (int k = 0; k < 6; k++) {
            double change = 0;
            for (int r = 0; r < 6; r++) change += ad[r][k] * w[r][0] / x->point[2 * j].k[k];
            x->xi0[j][k] += change;
            if (rest) x->point[2 * j].rest[k] += change;
        }
    }
    x->g_is_current = false;
    return true;
}

/* The pose of the finish when the start is where it is and the strains are those of the shape. */
static withy_status shape_finish(const wy_se3 *x, wy_motion *out, withy_error *err) {
    const double s[2] = {0, x->length};
    wy_pose pose[2];
    WY_TRY(wy_shape_poses(x->rod, wy_initial_shape(x->rod), 2, s, pose, err));
    const wy_motion first = {pose[0].frame, pose[0].r}, last = {pose[1].frame, pose[1].r};
    *out = se3_mul(x->g[0], se3_between(first, last));
    return WITHY_OK;
}

/* Move the rest strains between the nodes as those beside them. */
static void follow_rest(wy_se3 *x, double (*before)[6]) {
    for (int j = 0; j < x->n; j++)
        for (int i = 0; i < 6; i++)
            x->point[2 * j + 1].rest[i] +=
                0.5 * (x->xi0[j][i] - before[j][i] + x->xi0[j + 1][i] - before[j + 1][i]);
}

/* Bring a held finish to where the shape has it. */
static withy_status meet_shape(wy_se3 *x, withy_error *err) {
    enum { MOST = 8 };
    const bool rest = x->rod->initial.kind == WITHY_SHAPE_NONE;
    wy_motion want;
    if (!x->holds_finish) return WITHY_OK;
    WY_TRY(shape_finish(x, &want, err));
    memcpy(x->xi1, x->xi0, (size_t)(x->n + 1) * sizeof *x->xi0);
    for (int k = 0; k < MOST; k++) {
        vec3 w, v;
        wy_se3_rebuild(x);
        se3_log(se3_between(x->g[2 * x->n], want), &w, &v);
        if (v3_norm(w) + v3_norm(v) / x->length <= 1e-15) break;
        const double gap[6] = {w.x, w.y, w.z, v.x, v.y, v.z};
        if (!pull_finish(x, gap, rest)) break;
    }
    if (rest) follow_rest(x, x->xi1);
    return WITHY_OK;
}

/* ---- consistent ends --------------------------------------------------------------------------
 */

/* The stress an end must have at t = 0.  Without inertia there it equals the applied wrench; a
 * component that moves a body may have any value, because the body can accelerate. */
static void wanted_stress(const withy_end *given, const double wrench[6], double lam[6]) {
    const double inertia[3] = {given->inertia.x, given->inertia.y, given->inertia.z};
    const vec3 c = given->offset;
    if (!(given->mass > 0))
        for (int i = 3; i < 6; i++) lam[i] = wrench[i];
    /* moments about the centre of the body: m - c x n */
    double own[3], applied[3];
    v3_to(v3_cross(c, v3_from(lam + 3)), own);
    v3_to(v3_cross(c, v3_from(wrench + 3)), applied);
    for (int i = 0; i < 3; i++)
        if (!(inertia[i] > 0)) lam[i] = wrench[i] - applied[i] + own[i];
}

/* Set the strain of a free end so that its stress is what its load asks for: otherwise the midpoint
 * rule would carry the difference for ever with alternating sign. */
static bool fit_end(wy_se3 *x, int e) {
    const int node = e ? x->n : 0;
    const double sign = e ? 1.0 : -1.0, still[6] = {0};
    double lam[6], want[6], kt[6][6], wrench[6], *xi = x->xi0[node];
    wy_se3_end_wrench(x, &x->end[e], node, x->eta0[node], still, 0);
    for (int i = 0; i < 6; i++) wrench[i] = sign * x->end[e].applied[i];
    wy_se3_stress(x, 2 * node, xi, still, want, kt);
    wanted_stress(&x->rod->end[e], wrench, want);
    for (int k = 0; k < 20; k++) {
        double b[6][WY_RICCATI_WIDE] = {{0}};
        wy_se3_stress(x, 2 * node, xi, still, lam, kt);
        for (int i = 0; i < 6; i++) b[i][0] = x->end[e].held[i] ? 0 : want[i] - lam[i];
        if (!wy_solve6(kt, 1, b)) return false;
        for (int i = 0; i < 6; i++) xi[i] += b[i][0];
    }
    return true;
}

static withy_status fit_ends(wy_se3 *x, withy_error *err) {
    WY_TRY(wy_se3_loads(x, 0, 0, err));
    const bool tip = x->opt.tip == WY_SE3_TIP_MIDPOINT && x->opt.scheme != WY_SE3_NOTES;
    const bool all = x->end[0].held[0] && x->end[0].held[2] && x->end[0].held[3];
    if ((tip && !fit_end(x, 1)) || (!all && !fit_end(x, 0)))
        return wy_fail(err, WITHY_NO_CONVERGENCE,
                       "se3: no strain of the end gives the force that acts on it at t = 0");
    x->g_is_current = false;
    WY_TRY(meet_shape(x, err));
    wy_se3_rebuild(x);
    wy_pose pose;
    WY_TRY(wy_end_pose(&x->end[1].end, 0, &pose, err));
    x->missed = se3_between((wy_motion){pose.frame, pose.r}, x->g[2 * x->n]);
    return WITHY_OK;
}

/* ---- memory -----------------------------------------------------------------------------------
 */

static withy_status take_memory(wy_se3 *x, wy_arena *arena, withy_error *err) {
    const size_t nodes = (size_t)x->n + 1, points = (size_t)x->points;
    struct {
        void *to;
        size_t count, size;
    } want[] = {
        {&x->point, points, sizeof *x->point}, {&x->force, points, sizeof *x->force},
        {&x->g, points, sizeof *x->g},         {&x->xi0, nodes, sizeof *x->xi0},
        {&x->eta0, nodes, sizeof *x->eta0},    {&x->xi1, nodes, sizeof *x->xi1},
        {&x->eta1, nodes, sizeof *x->eta1},    {&x->xi_t, nodes, sizeof *x->xi_t},
        {&x->eta_t, nodes, sizeof *x->eta_t},  {&x->xi, nodes, sizeof *x->xi},
        {&x->eta, nodes, sizeof *x->eta},      {&x->hx, points, sizeof *x->hx},
        {&x->he, points, sizeof *x->he},       {&x->lam, nodes, sizeof *x->lam},
        {&x->kt, nodes, sizeof *x->kt},        {&x->f, nodes, sizeof *x->f},
        {&x->fj, nodes, sizeof *x->fj},        {&x->node, nodes, sizeof *x->node},
    };
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        void *taken = wy_arena_take(arena, want[i].count, want[i].size);
        if (!taken) return wy_fail(err, WITHY_NO_MEMORY, "se3: no memory for n = %d", x->n);
        memcpy(want[i].to, &taken, sizeof taken);
    }
    return WITHY_OK;
}

static bool end_is_loaded(const withy_end *end) {
    return end->force.size || end->moment.size;
}

static bool end_is_moved(const wy_end *end) {
    return end->drives_position || end->drives_frame;
}

/* Nothing but gravity acts, and the scheme is the one that keeps the energy. */
static void judge_energy(wy_se3 *x) {
    const withy_rod *rod = x->rod;
    const bool acts = wy_rod_is_damped(rod) || rod->load_count || end_is_loaded(&rod->end[0]) ||
                      end_is_loaded(&rod->end[1]) || end_is_moved(&x->end[0].end) ||
                      end_is_moved(&x->end[1].end) || x->opt.tip == WY_SE3_TIP_NEW;
    const bool exact = x->opt.scheme == WY_SE3_BOX && x->opt.time == WY_SE3_MIDPOINT && x->uniform;
    x->quiet = !acts && !x->has_force;
    x->stats->conserves = exact && !acts;
}

/* Steps of equal length that fill the interval between two snapshots. */
static double fitted_step(const withy_request *request, double dt) {
    return request->output / ceil(request->output / dt - 1e-9);
}

withy_status wy_se3_make(const wy_setup *setup, wy_se3 *x, withy_error *err) {
    x->problem = setup->problem;
    x->rod = &setup->problem->rod[0];
    x->opt = *(const wy_se3_options *)setup->options;
    x->stats = setup->stats;
    x->n = x->opt.n;
    x->points = 2 * x->n + 1;
    x->length = x->rod->length;
    x->h = x->length / x->n;
    x->speed = INFINITY;
    x->factor = 1.0;
    x->step = fitted_step(&setup->problem->request, x->opt.dt);
    x->uniform = wy_rod_is_uniform(x->rod);
    WY_TRY(take_memory(x, setup->arena, err));
    for (int p = 0; p < x->points; p++) x->point[p].s = x->length * p / (x->points - 1);
    WY_TRY(sample_sections(x, err));
    WY_TRY(sample_shapes(x, setup->arena, err));
    WY_TRY(check_twist(x, err));
    WY_TRY(prepare_ends(x, setup->notes, err));
    find_loads(x);
    WY_TRY(wy_se3_tendons(x, setup->arena, err));
    wy_pose pose;
    WY_TRY(wy_end_pose(&x->end[0].end, 0, &pose, err));
    x->g[0] = (wy_motion){pose.frame, pose.r};
    wy_se3_rebuild(x);
    WY_TRY(start_velocities(x, err));
    WY_TRY(fit_ends(x, err));
    const size_t bytes = (size_t)(x->n + 1) * sizeof *x->xi0;
    memcpy(x->xi1, x->xi0, bytes);
    memcpy(x->eta1, x->eta0, bytes);
    judge_energy(x);
    wy_se3_open_books(x);
    if (x->opt.scheme == WY_SE3_NOTES)
        x->stats->energy_start = x->stats->energy_end = wy_se3_notes_energy(x);
    return WITHY_OK;
}
