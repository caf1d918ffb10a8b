/* contact.c - rods that touch obstacles: the compliant law, as a load at the nodes.
 *
 * A node with the radius r and the length w of rod that it stands for pushes with N = k w max(-g, 0) out of the
 * obstacle, g = distance - r (docs/theory/contact.md), at the positions of the present time, as all forces of a leapfrog
 * step: momentum is exact, energy is kept within a bound that the step sets.  A node that touches has its frequency
 * raised, so that the limit of the step falls:
 *   (2/dt)^2 = (2/dt_rod)^2 + k/(rho A)
 * Friction, damping, laws that are not linear, and rods that touch rods are refused.
 */
#include "model/contact.h"
#include "method/fdtd/state.h"

struct wy_fdtd_contact {
    int obstacles;
    const wy_obstacle_model *obstacle;
    double *radius,
        *stiffness; /* [(n + 1) lanes] of a node [m]; K of a wall without its own [N/m] */
    double *share;  /* length of rod [m] */
};

int wy_fdtd_has_contacts(const withy_problem *problem) {
    return problem->obstacle_count > 0;
}

withy_status wy_fdtd_accept_contact(const withy_problem *problem, withy_error *err) {
    const withy_contact *contact = &problem->contact;
    const char *const use = "use director";
    if (!wy_fdtd_has_contacts(problem)) return WITHY_OK;
    if (wy_contact_has_friction(problem))
        return wy_unsupported(
            err, "fdtd: contact" WY_KEY " has no friction here; give friction = 0, or %s", use);
    const wy_contact_kind *law = wy_contact_law_of(problem);
    if (!law->linear)
        return wy_unsupported(err,
                              "fdtd: contact.law" WY_KEY
                              " = \"%s\" is not that of a spring: no stable step is known "
                              "beforehand; use \"compliant\", or %s",
                              law->name, use);
    if (wy_is_static(problem))
        return wy_unsupported(err, "fdtd: equilibria and modes with obstacles are not computed; %s",
                              use);
    int damped = contact->given && contact->damping > 0;
    for (int i = 0; i < problem->obstacle_count; i++)
        damped |= problem->obstacle[i].own_damping && problem->obstacle[i].damping > 0;
    if (damped)
        return wy_unsupported(
            err, "fdtd: contact" WY_KEY " has no damping here; give contact.damping = 0, or %s",
            use);
    return WITHY_OK;
}

withy_status wy_fdtd_contact_limit(const wy_fdtd *x, double *dt, withy_error *err) {
    const withy_problem *problem = x->problem;
    double most = 0;
    for (int i = 0; i < problem->rod_count && wy_fdtd_has_contacts(problem); i++) {
        const withy_rod *rod = &problem->rod[i];
        for (int j = 0; j <= x->opt.n; j++) {
            const double s = rod->length * j / x->opt.n;
            double hard, rho[WITHY_INERTIAS], own = 0;
            WY_TRY(wy_rod_hardness(problem, rod, s, &hard, err));
            WY_TRY(wy_inertia_at(rod, s, rho, err));
            for (int w = 0; w < problem->obstacle_count; w++) {
                const double k = problem->obstacle[w].stiffness;
                own = wy_max(own, k > 0 ? k : hard);
            }
            const int corner = problem->obstacle_count > 1 ? 2 : 1; /* two at once */
            most = wy_max(most, corner * own / rho[WITHY_MASS]);
        }
    }
    *dt = 1 / sqrt(1 / (*dt * *dt) + 0.25 * most);
    return WITHY_OK;
}

/* ---- making ------------------------------------------------------------------------------------------------ */

withy_status wy_fdtd_contact_make(wy_fdtd_group *g, const wy_setup *setup, withy_error *err) {
    const withy_problem *problem = g->problem;
    if (!wy_fdtd_has_contacts(problem)) return WITHY_OK;
    const size_t points = (size_t)((g->n + 1) * g->lanes);
    wy_allocator from = {.arena = setup->arena};
    struct wy_fdtd_contact *contact = wy_allocator_alloc(&from, 1, sizeof *contact);
    double *room = wy_allocator_alloc(&from, 3 * points, sizeof *room);
    if (from.failed) return wy_no_memory(err, "fdtd: no memory for the contacts");
    *contact = (struct wy_fdtd_contact){.obstacles = problem->obstacle_count,
                                        .obstacle = wy_model_obstacle(setup->model),
                                        .radius = room,
                                        .stiffness = room + points,
                                        .share = room + 2 * points};
    for (int i = 0; i < (int)points; i++) {
        const int lane = i % g->lanes, node = i / g->lanes;
        const withy_rod *rod = &problem->rod[g->rod[lane]];
        const double s = wy_min(rod->length, rod->length * node / g->n);
        double hard;
        WY_TRY(wy_rod_radius(rod, s, &contact->radius[i], err));
        WY_TRY(wy_rod_hardness(problem, rod, s, &hard, err));
        contact->share[i] = rod->length / g->n * wy_sbp_node_weight(g->op, node);
        contact->stiffness[i] = hard * contact->share[i];
    }
    g->contact = contact;
    return WITHY_OK;
}

void wy_fdtd_contact_layout(wy_fdtd_group *g, wy_block *state) {
    const size_t obstacles = g->contact ? (size_t)g->contact->obstacles : 0;
    g->now.shift = wy_block_alloc(state, obstacles, sizeof *g->now.shift);
    g->now.depth = wy_block_alloc(state, g->contact ? 1 : 0, sizeof *g->now.depth);
}

/* ---- the push ------------------------------------------------------------------------------------------------ */

static double stiffness_of(const struct wy_fdtd_contact *contact, int i, int obstacle) {
    const double own = contact->obstacle[obstacle].stiffness;
    return own > 0 ? own * contact->share[i] : contact->stiffness[i];
}

/* Of one node and one wall: the gap, and the direction out of the wall. */
static double gap_of(const wy_fdtd_group *g, int i, int obstacle, vec3 *out) {
    const vec3 at = v3_sub(wy_fdtd_at3(g->now.r, i), g->now.shift[obstacle]);
    return wy_obstacle_distance(&g->contact->obstacle[obstacle].shape, at, out) -
           g->contact->radius[i];
}

static withy_status too_deep(const wy_fdtd_group *g, int i, int obstacle, double t,
                             withy_error *err) {
    const int rod = g->rod[i % g->lanes];
    const withy_obstacle *own = &g->problem->obstacle[obstacle];
    return wy_no_convergence(err,
                             "fdtd: at t = %g rods[%d] is pressed into obstacles[%d] (%.40s) by "
                             "more than its radius at s = %.4g, and would pass through it; use a "
                             "larger %s, more intervals (options.n), or director",
                             t, rod + 1, obstacle + 1, own->name ? own->name : "obstacle",
                             g->problem->rod[rod].length * (i / g->lanes) / g->n,
                             own->stiffness > 0 ? "stiffness of it" : "contact.stiffness");
}

/* Nodes are all that touches: what comes between two of them is pushed by neither. */
static withy_status between(const wy_fdtd_group *g, int i, int obstacle, double t,
                            withy_error *err) {
    const struct wy_fdtd_contact *contact = g->contact;
    const vec3 shift = g->now.shift[obstacle], a = v3_sub(wy_fdtd_at3(g->now.r, i), shift),
               b = v3_sub(wy_fdtd_at3(g->now.r, i + g->lanes), shift);
    const double d = wy_obstacle_between(&contact->obstacle[obstacle].shape, a, b);
    const int rod = g->rod[i % g->lanes];
    if (!(d < -0.5 * contact->radius[i])) return WITHY_OK;
    return wy_no_convergence(
        err,
        "fdtd: at t = %g obstacles[%d] reaches %.3g m into rods[%d] between two of its nodes, "
        "after s = %.4g, and only nodes touch: use more intervals (options.n, now %d), or director",
        t, obstacle + 1, contact->radius[i] - d, rod + 1,
        g->problem->rod[rod].length * (i / g->lanes) / g->n, g->n);
}

/* Obstacles that a node touches at once add up to the stiffness sum K n n^T, whose largest value is at most its norm; the
 * limit of the step has two of the stiffest. */
static withy_status together(const wy_fdtd_group *g, int i, double t, withy_error *err) {
    const struct wy_fdtd_contact *contact = g->contact;
    double sum[3][3] = {{0}}, most = 0, square = 0;
    int count = 0;
    for (int obstacle = 0; obstacle < contact->obstacles; obstacle++) {
        vec3 n;
        const double k = stiffness_of(contact, i, obstacle);
        most = wy_max(most, k);
        if (!(gap_of(g, i, obstacle, &n) < 0)) continue;
        count++;
        for (int a = 0; a < 9; a++) sum[a / 3][a % 3] += k * v3_get(n, a / 3) * v3_get(n, a % 3);
    }
    for (int a = 0; a < 9; a++) square += sum[a / 3][a % 3] * sum[a / 3][a % 3];
    if (count < 3 || sqrt(square) <= (2 + 1e-6) * most) return WITHY_OK;
    const int rod = g->rod[i % g->lanes];
    return wy_no_convergence(
        err,
        "fdtd: at t = %g rods[%d] touches %d obstacles at once at s = %.4g, which are stiffer "
        "together than the step is stable with: draw fewer in one place, or use director",
        t, rod + 1, count, g->problem->rod[rod].length * (i / g->lanes) / g->n);
}

withy_status wy_fdtd_contact_push(wy_fdtd_group *g, double t, withy_error *err) {
    const struct wy_fdtd_contact *contact = g->contact;
    for (int obstacle = 0; contact && obstacle < contact->obstacles; obstacle++) {
        g->now.shift[obstacle] = v3(0, 0, 0);
        if (contact->obstacle[obstacle].moves)
            WY_TRY(wy_model_shift(g->model, obstacle, t, &g->now.shift[obstacle], err));
        for (int i = 0; i < (g->n + 1) * g->lanes; i++) {
            vec3 out;
            const double gap = gap_of(g, i, obstacle, &out);
            if (i < g->n * g->lanes) WY_TRY(between(g, i, obstacle, t, err));
            if (gap >= 0) continue;
            if (!isfinite(gap))
                return wy_model_obstacle_fails(g->model, obstacle, wy_fdtd_at3(g->now.r, i), err);
            if (!(gap > -contact->radius[i])) return too_deep(g, i, obstacle, t, err);
            if (obstacle >= 2) WY_TRY(together(g, i, t, err));
            const vec3 force = v3_scale(-stiffness_of(contact, i, obstacle) * gap, out);
            wy_fdtd_put3(g->now.load, i, v3_add(wy_fdtd_at3(g->now.load, i), force));
            *g->now.depth = wy_max(*g->now.depth, -gap / contact->radius[i]);
        }
    }
    return WITHY_OK;
}

/* ---- results ----------------------------------------------------------------------------------------------------- */

double wy_fdtd_contact_energy(const wy_fdtd_group *g, int lane) {
    double sum = 0;
    for (int obstacle = 0; g->contact && obstacle < g->contact->obstacles; obstacle++)
        for (int node = 0; node <= g->n; node++) {
            const int i = node * g->lanes + lane;
            vec3 unused;
            const double gap = wy_min(gap_of(g, i, obstacle, &unused), 0);
            sum += 0.5 * stiffness_of(g->contact, i, obstacle) * gap * gap;
        }
    return sum;
}

/* The force per length, linear between nodes. */
void wy_fdtd_contact_sample(const wy_fdtd_group *g, int lane, withy_snapshot *snap) {
    if (!g->contact) return;
    snap->contact_energy = wy_fdtd_contact_energy(g, lane);
    snap->contact_loss = 0, snap->contact_depth = *g->now.depth;
    snap->have |= WITHY_HAVE_CONTACT;
    const double length = g->problem->rod[g->rod[lane]].length;
    for (int k = 0; k < snap->count; k++) {
        const double at = wy_min(wy_max(snap->s[k] / length * g->n, 0), g->n);
        const int first = at < g->n ? (int)at : g->n - 1;
        snap->contact[k] = v3(0, 0, 0);
        for (int e = 0; e < 2 * g->contact->obstacles; e++) {
            const int i = (first + e % 2) * g->lanes + lane, obstacle = e / 2;
            const double weight = e % 2 ? at - first : 1 - (at - first);
            vec3 out;
            const double gap = wy_min(gap_of(g, i, obstacle, &out), 0);
            const double push = -stiffness_of(g->contact, i, obstacle) * gap / g->contact->share[i];
            snap->contact[k] = v3_axpy(snap->contact[k], weight * push, out);
        }
    }
}

void wy_fdtd_contact_parts(const wy_fdtd_group *g, int lane, withy_parts *parts) {
    for (int obstacle = 0; g->contact && obstacle < g->contact->obstacles; obstacle++) {
        withy_obstacle_state *to = &parts->obstacle[obstacle];
        to->position = v3_add(g->contact->obstacle[obstacle].shape.point, g->now.shift[obstacle]);
        for (int node = 0; node <= g->n; node++) {
            const int i = node * g->lanes + lane, rod = g->rod[lane];
            vec3 out;
            const double gap = gap_of(g, i, obstacle, &out);
            if (gap >= 0) continue;
            const double push = -stiffness_of(g->contact, i, obstacle) * gap;
            const vec3 force = v3_scale(push, out);
            to->force = v3_sub(to->force, force), to->touches += 1;
            to->depth = wy_max(to->depth, -gap);
            if (parts->contact_count >= parts->contact_room) continue;
            parts->contacts[parts->contact_count++] =
                (withy_contact_state){.rod = rod,
                                      .of = WITHY_OF_OBSTACLE,
                                      .index = obstacle,
                                      .s = g->problem->rod[rod].length * node / g->n,
                                      .gap = gap,
                                      .push = push,
                                      .force = force,
                                      .position = wy_fdtd_at3(g->now.r, i)};
        }
    }
}
