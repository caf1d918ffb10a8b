/* observe.c - quantities of one rod of a group: strains, velocities, energies, momenta, reactions.
 *
 * p and w are half a step back; here they are advanced to the present with the present forces,
 * p = p- + dt a/2.  The energy that leapfrog conserves exactly when the motion is linear is
 *
 *   E = 1/2 <p-, M p+> + 1/2 <w-, J w+> + V,      p+ = p- + dt a
 */
#include "method/fdtd/state.h"

void wy_fdtd_view_layout(wy_fdtd_view *view, int n, wy_block *scratch) {
    const size_t nodes = (size_t)n + 1;
    vec3 **vector[] = {&view->r, &view->p, &view->w, &view->v, &view->u, &view->n, &view->m};
    quat **frame[] = {&view->q, &view->qn};
    WY_TAKE_EACH(wy_block_alloc, scratch, vector, nodes);
    WY_TAKE_EACH(wy_block_alloc, scratch, frame, nodes);
}

/* A row of an operator applied to frames. */
static quat row_frames(wy_sbp_row row, double sign, const quat *q) {
    quat sum = {0, 0, 0, 0};
    for (int c = 0; c < row.count; c++) {
        const quat a = q[row.first + c];
        const double k = sign * row.weight[c];
        sum.w += k * a.w, sum.x += k * a.x, sum.y += k * a.y, sum.z += k * a.z;
    }
    return sum;
}

/* 2 Im(a* b)/|a|^2 */
static vec3 strain_of(quat a, quat b) {
    const quat z = q_mul(q_conj(a), b);
    const double k = 2.0 / (a.w * a.w + a.x * a.x + a.y * a.y + a.z * a.z);
    return v3(k * z.x, k * z.y, k * z.z);
}

/* The member of a shared point that a node is, with springs to the halves next to it, or NULL. */
static const wy_fdtd_member *welded_at(const wy_fdtd_group *g, int x) {
    const wy_fdtd_member *member = wy_fdtd_member_at(g, x);
    return member && member->sides > 0 ? member : NULL;
}

/* Mean over its sides; a moment that enters there makes a jump. */
static vec3 welded_bend(const wy_fdtd_group *g, const wy_fdtd_member *member, double weight) {
    vec3 sum = v3(0, 0, 0);
    for (int k = member->side; k < member->side + member->sides; k++)
        sum = v3_axpy(sum, g->joints->side[k].share / (weight * member->sides),
                      g->joints->side_now[k].z);
    return sum;
}

/* u at a node; at an end from the held frame, or from the applied couple. */
static vec3 bend_at(const wy_fdtd_group *g, int lane, int i, const wy_fdtd_view *view) {
    const int end = wy_fdtd_end_at(g, i), x = i * g->lanes + lane;
    const double weight = g->length[lane] / g->n * wy_sbp_node_weight(g->op, i);
    const wy_fdtd_member *member = welded_at(g, x);
    if (member) return welded_bend(g, member, weight);
    if (end >= 0 && !g->end[end].holds_direction) {
        vec3 u = wy_fdtd_at3(g->grid.rest_node, x);
        if (!g->end[end].loaded) return u;
        const wy_fdtd_hold *hold = &g->now.hold[end];
        return v3(u.x + hold->moment[0][lane] / g->grid.stiff_node[0][x],
                  u.y + hold->moment[1][lane] / g->grid.stiff_node[1][x],
                  u.z + hold->moment[2][lane] / g->grid.stiff_node[2][x]);
    }
    const quat a = end >= 0 ? view->qn[i] : row_frames(wy_sbp_row_of(&g->op->row_i, i), 1, view->q);
    const quat b = row_frames(wy_sbp_row_of(&g->op->row_qt, i), -1, view->q);
    vec3 u = v3_scale(1.0 / weight, strain_of(a, b));
    if (end >= 0 && g->end[end].turns_free) u.z = g->grid.rest_node[2][x];
    return u;
}

/* Frame at a node, unit. */
static quat frame_at(const wy_fdtd_group *g, int lane, int i, const wy_fdtd_view *view) {
    const int end = wy_fdtd_end_at(g, i);
    const wy_fdtd_member *member = welded_at(g, i * g->lanes + lane);
    if (member) {
        const quat a = q_mul(g->joints->frame_now[member->shared_point], member->turn);
        return q_near(a, view->q[i < g->n ? i : i - 1]);
    }
    if (end >= 0 && g->end[end].holds_direction) {
        const wy_fdtd_hold *hold = &g->now.hold[end];
        quat a = {hold->q[0][lane], hold->q[1][lane], hold->q[2][lane], hold->q[3][lane]};
        if (g->end[end].turns_free) {
            const quat z = q_mul(q_conj(a), view->q[end ? g->n - 1 : 0]);
            a = q_mul(a, q_unit((quat){z.w, 0, 0, z.z}));
        }
        return a;
    }
    return q_unit(row_frames(wy_sbp_row_of(&g->op->row_i, i), 1, view->q));
}

/* lean: of the frames at nodes only those of the ends. */
static void collect(wy_fdtd_group *g, int lane, int lean, wy_fdtd_view *view) {
    view->drift = 0.0;
    for (int i = 0; i <= g->n; i++) view->r[i] = wy_fdtd_at3(g->now.r, i * g->lanes + lane);
    for (int j = 0; j < g->n; j++) {
        view->q[j] = wy_fdtd_at4(g->now.q, j * g->lanes + lane);
        view->drift = wy_max(view->drift, fabs(q_norm(view->q[j]) - 1.0));
    }
    for (int i = 0; i <= g->n; i += lean ? g->n : 1) view->qn[i] = frame_at(g, lane, i, view);
    for (int j = 0; j < g->n; j++) {
        const wy_sbp_row r = wy_sbp_row_of(&g->op->row_q, j);
        const double weight = g->length[lane] / g->n * wy_sbp_half_weight(g->op, j);
        vec3 d = v3(0, 0, 0);
        for (int c = 0; c < r.count; c++) d = v3_axpy(d, r.weight[c], view->r[r.first + c]);
        view->v[j] = v3_scale(1.0 / weight, m3_tmul(q_matrix(view->q[j]), d));
    }
    for (int i = 0; i <= g->n; i++) view->u[i] = bend_at(g, lane, i, view);
}

/* The couple of a held end at its node.  The strain there is that between node and halves, and its m acts
 * half-way between them; what the rod receives in all is -Im(a m b*), in the frame a +-(c m - m x s). */
static vec3 held_couple(const wy_fdtd_group *g, int end, const wy_fdtd_view *view) {
    const int i = end ? g->n : 0;
    const quat b = row_frames(wy_sbp_row_of(&g->op->row_qt, i), -1, view->q);
    const quat turn = q_mul(q_conj(view->qn[i]), b);
    const vec3 m = view->m[i], odd = v3_cross(m, v3(turn.x, turn.y, turn.z));
    return v3_scale(end ? -1.0 : 1.0, v3_axpy(v3_scale(-1.0, odd), turn.w, m));
}

/* n and m as the last balance has them: elastic, and viscous by the strains of a step ago. */
static void stresses(const wy_fdtd_group *g, int lane, wy_fdtd_view *view) {
    for (int j = 0; j < g->n; j++) {
        const int x = j * g->lanes + lane;
        const vec3 e = v3_sub(view->v[j], wy_fdtd_at3(g->grid.rest_half, x));
        view->n[j] = wy_fdtd_times(wy_fdtd_at3(g->grid.stiff_half, x), e);
        if (!g->viscous) continue;
        const vec3 grown = v3_sub(wy_fdtd_at3(g->work.en, x), wy_fdtd_at3(g->now.eo, x));
        view->n[j] = v3_add(view->n[j], wy_fdtd_times(wy_fdtd_at3(g->rate.cn, x), grown));
    }
    for (int i = 0; i <= g->n; i++) {
        const int x = i * g->lanes + lane, end = wy_fdtd_end_at(g, i);
        const wy_fdtd_member *member = welded_at(g, x);
        const vec3 e = v3_sub(view->u[i], wy_fdtd_at3(g->grid.rest_node, x));
        view->m[i] = v3(0, 0, 0);
        for (int k = 0; member && k < member->sides; k++)
            view->m[i] =
                v3_axpy(view->m[i], 1.0 / member->sides, g->joints->side_now[member->side + k].m);
        if (member) continue;
        view->m[i] = wy_fdtd_times(wy_fdtd_at3(g->grid.stiff_node, x), e);
        if (end >= 0 && !g->end[end].holds_direction) continue;
        if (g->viscous) {
            const vec3 grown = v3_sub(wy_fdtd_at3(g->work.zn, x), wy_fdtd_at3(g->now.zo, x));
            view->m[i] = v3_add(view->m[i], wy_fdtd_times(wy_fdtd_at3(g->rate.cm, x), grown));
        }
        if (end >= 0) view->m[i] = held_couple(g, end, view);
        if (end >= 0 && g->end[end].turns_free) view->m[i].z = 0.0;
    }
}

static double half_square(vec3 stiffness, vec3 e) {
    return 0.5 * (stiffness.x * e.x * e.x + stiffness.y * e.y * e.y + stiffness.z * e.z * e.z);
}

static void add_strain_energy(const wy_fdtd_group *g, int lane, wy_fdtd_view *view) {
    const double h = g->length[lane] / g->n;
    withy_energies *sum = &view->energy;
    for (int j = 0; j < g->n; j++) {
        const int x = j * g->lanes + lane;
        const double weight = h * wy_sbp_half_weight(g->op, j);
        const vec3 k = wy_fdtd_at3(g->grid.stiff_half, x),
                   e = v3_sub(view->v[j], wy_fdtd_at3(g->grid.rest_half, x));
        sum->shear += weight * half_square(v3(k.x, k.y, 0), e);
        sum->stretch += weight * half_square(v3(0, 0, k.z), e);
    }
    for (int i = 0; i <= g->n; i++) {
        const int end = wy_fdtd_end_at(g, i), x = i * g->lanes + lane;
        const wy_fdtd_member *member = welded_at(g, x);
        const int sides = member ? member->sides : 1;
        if (!member && end >= 0 && !g->end[end].holds_direction) continue; /* a free end has none */
        const double weight = h * wy_sbp_node_weight(g->op, i) / sides;
        for (int s = 0; s < sides; s++) {
            const vec3 k = wy_fdtd_at3(g->grid.stiff_node, x);
            const vec3 u =
                member ? v3_scale(1 / weight, g->joints->side_now[member->side + s].z) : view->u[i];
            const vec3 e = v3_sub(u, wy_fdtd_at3(g->grid.rest_node, x));
            sum->bend += weight * half_square(v3(k.x, k.y, 0), e);
            sum->twist += weight * half_square(v3(0, 0, k.z), e);
        }
    }
}

/* Force of a support: it carries what acts on its node, and on the others of a point that it holds. */
static vec3 support(const wy_fdtd_group *g, int x, vec3 acts) {
    const wy_fdtd_member *member = wy_fdtd_member_at(g, x);
    if (!member) return v3_scale(-1.0, acts);
    const int holder = g->joints->point[member->point].holder;
    if (&g->joints->member[holder] != member) return v3(0, 0, 0);
    return v3_scale(-1.0, v3_add(acts, g->joints->on[holder].need));
}

/* Velocities at the present, kinetic energy (plain and staggered) and momenta. */
static void add_motion(const wy_fdtd_group *g, int lane, wy_fdtd_view *view) {
    double plain = 0, staggered = 0, potential = 0;
    vec3 linear = v3(0, 0, 0), angular = linear;
    for (int i = 0; i <= g->n; i++) {
        const int end = wy_fdtd_end_at(g, i), x = i * g->lanes + lane;
        const double mass = g->grid.mass[x];
        const vec3 p = wy_fdtd_at3(g->now.p, x), a = wy_fdtd_node_rate(g, i, lane);
        const vec3 outer = wy_fdtd_outer_force(g, i, lane);
        if (end >= 0) view->force[end] = v3(0, 0, 0);
        if (end >= 0 && g->end[end].holds_position) /* without mass times its acceleration */
            view->force[end] = support(g, x, v3_add(wy_fdtd_at3(g->work.f, x), outer));
        view->p[i] = v3_axpy(p, 0.5 * g->rate.h, a);
        plain += 0.5 * mass * v3_dot(view->p[i], view->p[i]);
        staggered += 0.5 * mass * v3_dot(p, v3_axpy(p, g->rate.h, a));
        potential -= v3_dot(outer, view->r[i]);
        view->energy.gravity -= mass * v3_dot(g->problem->gravity, view->r[i]);
        linear = v3_axpy(linear, mass, view->p[i]);
        angular = v3_axpy(angular, mass, v3_cross(view->r[i], view->p[i]));
    }
    for (int j = 0; j < g->n; j++) {
        const int x = j * g->lanes + lane;
        const vec3 w = wy_fdtd_at3(g->now.w, x), J = wy_fdtd_at3(g->rate.inertia, x);
        const vec3 rate = wy_fdtd_half_rate(g, x);
        view->w[j] = v3_axpy(w, 0.5 * g->rate.h, rate);
        const vec3 now = view->w[j], next = v3_axpy(w, g->rate.h, rate);
        const vec3 Jw = v3(J.x * now.x, J.y * now.y, J.z * now.z);
        plain += 0.5 * v3_dot(Jw, now);
        staggered += 0.5 * (J.x * w.x * next.x + J.y * w.y * next.y + J.z * w.z * next.z);
        angular = v3_add(angular, q_turn(view->q[j], Jw));
    }
    view->energy.kinetic = plain;
    view->conserved = staggered + potential;
    view->momentum = linear, view->angular = angular;
}

static void add_reactions(const wy_fdtd_group *g, int lane, wy_fdtd_view *view) {
    for (int end = 0; end < 2; end++) {
        const int i = end ? g->n : 0;
        view->couple[end] = v3(0, 0, 0);
        if (!g->end[end].holds_direction) continue;
        view->couple[end] = v3_scale(end ? 1.0 : -1.0, q_turn(view->qn[i], view->m[i]));
        const wy_fdtd_member *member = wy_fdtd_member_at(g, i * g->lanes + lane);
        if (member && member->shared_point >= 0 &&
            &g->joints->member[g->joints->shared_point[member->shared_point].holder] == member)
            view->couple[end] =
                v3_sub(view->couple[end],
                       g->joints->on[g->joints->shared_point[member->shared_point].holder].turn);
    }
}

static void add_energies(wy_fdtd_group *g, int lane, wy_fdtd_view *view) {
    view->energy = (withy_energies){0};
    add_strain_energy(g, lane, view);
    add_motion(g, lane, view);
    const withy_energies *e = &view->energy;
    view->conserved += e->shear + e->stretch + e->bend + e->twist;
}

void wy_fdtd_weigh(wy_fdtd_group *g, int lane, wy_fdtd_view *view) {
    collect(g, lane, 1, view);
    add_energies(g, lane, view);
}

void wy_fdtd_observe(wy_fdtd_group *g, int lane, int forces, wy_fdtd_view *view) {
    if (forces) wy_fdtd_forces(g);
    collect(g, lane, 0, view);
    add_energies(g, lane, view);
    stresses(g, lane, view);
    add_reactions(g, lane, view);
}
