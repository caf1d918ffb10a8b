/* start.c - the state at t = 0: strains, poses, velocities, consistent end nodes. */
#include "method/se3/se3.h"

#include "base/account.h"

withy_status wy_se3_velocities(wy_se3 *x, withy_error *err) {
    for (int j = 0; j <= x->plan.n; j++) {
        const double s = x->plan.point[2 * j].s;
        const mat3 frame = x->state.g[2 * j].turn;
        vec3 v, spin;
        WY_TRY(wy_velocity_at(x->plan.rod, s, &v, &spin, err));
        v3_to(m3_tmul(frame, spin), x->state.eta0[j]);
        v3_to(m3_tmul(frame, v), x->state.eta0[j] + 3);
    }
    for (int e = 0; e < 2; e++) {
        double motion[6];
        WY_TRY(wy_se3_end_motion(x, e, 0, motion, err));
        for (int i = 0; i < 6; i++)
            if (x->plan.end[e].held[i]) x->state.eta0[e ? x->plan.n : 0][i] = motion[i];
    }
    return WITHY_OK;
}

/* ---- a held finish ----------------------------------------------------------------------------
 *
 * The box rebuilds a shape from its strains to second order only, so that the finish of the discrete
 * rod differs slightly from that of the shape.  A held finish must be at its prescribed pose: the strains get the
 * smallest change (by elastic energy) that brings it there,
 *
 *   dxi_j = K^-1 Ad_j^T w,   Ad_j from node j to the finish,   sum h Ad_j K^-1 Ad_j^T w = gap     (17)
 *
 * which is a wrench w on the finish alone, so that an end that is free to turn stays without moment.
 * When the rod starts at rest its rest strains change likewise, and it stays at rest.
 */

/* Ad_j, in columns: the effect of a twist of node j at the finish. */
static void carry_to_finish(const wy_se3 *x, int j, double ad[6][6]) {
    const wy_motion back = se3_between(x->state.g[2 * x->plan.n], x->state.g[2 * j]);
    for (int c = 0; c < 3; c++) {
        const vec3 e = v3(c == 0, c == 1, c == 2), turned = m3_mul(back.turn, e);
        double a[3], b[3];
        v3_to(turned, a);
        v3_to(v3_cross(back.shift, turned), b);
        for (int i = 0; i < 3; i++)
            ad[i][c] = ad[3 + i][3 + c] = a[i], ad[3 + i][c] = b[i], ad[i][3 + c] = 0;
    }
}

/* One correction (17) of the strains; false when there is none. */
static bool pull_finish(wy_se3 *x, const double gap[6], bool rest) {
    const bool *held = x->plan.end[1].held;
    double m[6][6] = {{0}}, w[6][WY_RICCATI_WIDE] = {{0}}, ad[6][6];
    for (int j = 0; j <= x->plan.n; j++) {
        carry_to_finish(x, j, ad);
        for (int r = 0; r < 6; r++)
            for (int c = 0; c < 6; c++)
                for (int k = 0; k < 6; k++)
                    m[r][c] += wy_se3_width(x, j) * ad[r][k] * ad[c][k] / x->plan.point[2 * j].k[k];
    }
    for (int r = 0; r < 6; r++) {
        for (int c = 0; c < 6; c++)
            if (!held[r] || !held[c]) m[r][c] = r == c;
        w[r][0] = held[r] ? gap[r] : 0;
    }
    if (!wy_solve6(m, 1, w)) return false;
    for (int j = 0; j <= x->plan.n; j++) {
        carry_to_finish(x, j, ad);
        for (int k = 0; k < 6; k++) {
            double change = 0;
            for (int r = 0; r < 6; r++) change += ad[r][k] * w[r][0] / x->plan.point[2 * j].k[k];
            x->state.xi0[j][k] += change;
            if (rest) x->plan.point[2 * j].rest[k] += change;
        }
    }
    x->step->stale = true;
    return true;
}

/* The pose of the finish when the start is where it is and the strains are those of the shape. */
static wy_motion shape_finish(const wy_se3 *x) {
    const wy_pose *first = &x->plan.end[0].end.start, *last = &x->plan.end[1].end.start;
    const wy_motion way =
        se3_between((wy_motion){first->frame, first->r}, (wy_motion){last->frame, last->r});
    return se3_mul(x->state.g[0], way);
}

/* Move the rest strains between the nodes as those next to them. */
static void follow_rest(wy_se3 *x, double (*before)[6]) {
    for (int j = 0; j < x->plan.n; j++)
        for (int i = 0; i < 6; i++)
            x->plan.point[2 * j + 1].rest[i] += 0.5 * (x->state.xi0[j][i] - before[j][i] +
                                                       x->state.xi0[j + 1][i] - before[j + 1][i]);
}

/* Bring a held finish to its pose in the shape. */
static void meet_shape(wy_se3 *x) {
    enum { MOST = 8 };
    const bool rest = x->plan.rod->initial.kind == WITHY_SHAPE_NONE;
    if (!x->plan.holds_finish) return;
    const wy_motion requested = shape_finish(x);
    memcpy(x->state.xi1, x->state.xi0, (size_t)(x->plan.n + 1) * sizeof *x->state.xi0);
    for (int k = 0; k < MOST; k++) {
        vec3 w, v;
        wy_se3_rebuild(x);
        se3_log(se3_between(x->state.g[2 * x->plan.n], requested), &w, &v);
        if (v3_norm(w) + v3_norm(v) / x->plan.length <= 1e-15) break;
        const double gap[6] = {w.x, w.y, w.z, v.x, v.y, v.z};
        if (!pull_finish(x, gap, rest)) break;
    }
    if (rest) follow_rest(x, x->state.xi1);
}

/* ---- consistent ends ------------------------------------------------------------------------- */

/* The stress an end must have at t = 0.  Without inertia there it equals the applied wrench; a
 * component that moves a body may have any value, because the body can accelerate. */
static void requested_stress(const withy_end *given, const double wrench[6], double lam[6]) {
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

/* Set the strain of a free end so that its stress equals its load: otherwise the midpoint
 * rule would carry the difference for ever with alternating sign. */
static bool fit_end(wy_se3 *x, int e) {
    const int node = e ? x->plan.n : 0;
    const double sign = e ? 1.0 : -1.0, equilibrium[6] = {0};
    double lam[6], requested[6], kt[6][6], wrench[6], *xi = x->state.xi0[node];
    wy_se3_end_wrench(x, e, x->state.eta0[node], equilibrium, 0);
    for (int i = 0; i < 6; i++) wrench[i] = sign * x->now->applied[e][i];
    wy_se3_stress(x, 2 * node, xi, equilibrium, 0, requested, kt);
    requested_stress(&x->plan.rod->end[e], wrench, requested);
    for (int k = 0; k < 20; k++) {
        double b[6][WY_RICCATI_WIDE] = {{0}};
        wy_se3_stress(x, 2 * node, xi, equilibrium, 0, lam, kt);
        for (int i = 0; i < 6; i++) b[i][0] = x->plan.end[e].held[i] ? 0 : requested[i] - lam[i];
        if (!wy_solve6(kt, 1, b)) return false;
        for (int i = 0; i < 6; i++) xi[i] += b[i][0];
    }
    return true;
}

withy_status wy_se3_fit_ends(wy_se3 *x, withy_error *err) {
    WY_TRY(wy_se3_loads(x, 0, 0, err));
    const bool tip = x->plan.opt.tip == WY_SE3_TIP_MIDPOINT && x->plan.opt.scheme != WY_SE3_NOTES;
    const bool all = x->plan.end[0].held[0] && x->plan.end[0].held[2] && x->plan.end[0].held[3];
    const bool fits = (!tip || fit_end(x, 1)) && (all || fit_end(x, 0));
    WY_TRY(wy_se3_state_load_status(x, err));
    if (!fits)
        return wy_no_convergence(
            err, "se3: no strain of the end gives the force that acts on it at t = 0");
    x->step->stale = true;
    return WITHY_OK;
}

/* A held finish is at its prescribed pose, or as near as the discrete rod allows. */
static withy_status place_finish(wy_se3 *x, withy_error *err) {
    wy_pose pose;
    meet_shape(x);
    wy_se3_rebuild(x);
    WY_TRY(wy_end_first(&x->plan.end[1].end, &pose, err));
    x->now->missed = se3_between((wy_motion){pose.frame, pose.r}, x->state.g[2 * x->plan.n]);
    return WITHY_OK;
}

/* ---- the state ------------------------------------------------------------------------------- */

/* Strains of the shapes; rest strains are set again, because a held finish moves them. */
static withy_status start_strains(wy_se3 *x, withy_error *err) {
    const wy_se3_plan *p = &x->plan;
    wy_pose pose;
    for (int k = 0; k < p->points; k++)
        memcpy(p->point[k].rest, p->rest[k], sizeof p->point[k].rest);
    memcpy(x->state.xi0, p->first, ((size_t)p->n + 1) * sizeof *p->first);
    WY_TRY(wy_end_first(&p->end[0].end, &pose, err));
    x->state.g[0] = (wy_motion){pose.frame, pose.r};
    x->step->stale = true;
    wy_se3_rebuild(x);
    return WITHY_OK;
}

withy_status wy_se3_start(wy_se3 *x, withy_error *err) {
    const size_t bytes = ((size_t)x->plan.n + 1) * sizeof *x->state.xi0;
    withy_stats *stats = x->setup->stats;
    wy_se3_begin(x);
    x->now->factor = 1.0;
    WY_TRY(start_strains(x, err));
    WY_TRY(wy_se3_velocities(x, err));
    WY_TRY(wy_se3_fit_ends(x, err));
    WY_TRY(place_finish(x, err));
    memcpy(x->state.xi1, x->state.xi0, bytes);
    memcpy(x->state.eta1, x->state.eta0, bytes);
    stats->conserves = x->plan.conserves;
    wy_se3_start_ledger(x);
    if (x->plan.opt.scheme == WY_SE3_NOTES)
        wy_account_open(stats, wy_se3_energy(x, NULL), x->setup->floor, 1);
    return WITHY_OK;
}
