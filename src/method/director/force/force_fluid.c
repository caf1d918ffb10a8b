/* force_fluid.c - drag, viscous resistance, buoyancy and pressure of the medium on the nodes of a rod.
 *
 * With w = U - dr/h, its parts w_t = (w . t) t along the axis and w_n across it, in a step all means over it, and B the
 * wetted part:
 *
 *   D = (kn |w_n| + zn) w_n + (kt |w_t| + zt) w_t      drag and viscous resistance; in air with its density and wind      (1)
 *   l = - zr (t . theta/h) t
 *   f = - B m' g + B m' A                              m': mass of the fluid displaced, A: its acceleration               (2)
 *
 * What is lost is h D . w + zr (t . theta)^2/h >= 0, and D . dr = h D . U - h D . w: the rest is work of the medium.  t is the
 * mean of the axes at both ends of the step, made a unit vector.  At rest, dr/h = 0 and all is multiplied by the load factor.
 * Without a surface buoyancy has a potential; at a surface it is work of the medium.
 */
#include "method/director/force/fluid.h"
#include "method/director/force/force.h"
#include "method/director/rod/rows.h"

/* ---- resistance (1) --------------------------------------------------------------------------------- */

/* k a b^T, added. */
static void add_outer(mat3 *m, double k, vec3 a, vec3 b) {
    m->c1 = v3_axpy(m->c1, k * b.x, a), m->c2 = v3_axpy(m->c2, k * b.y, a);
    m->c3 = v3_axpy(m->c3, k * b.z, a);
}

static void add_resistance(double part, const wy_fluid_node *node, const double slow[2], vec3 w,
                           vec3 t, wy_resistance *to) {
    const double along = v3_dot(w, t), kn = part * node->normal, kt = part * node->tangential;
    const vec3 across = v3_axpy(w, -along, t);
    const double speed = v3_norm(across), cn = kn * speed + slow[0];
    const double ct = kt * fabs(along) + slow[1], steep = ct + kt * fabs(along);
    const double per = speed > 0 ? kn / speed : 0;
    to->force = v3_axpy(v3_axpy(to->force, cn, across), ct * along, t);
    for (int i = 0; i < 3; i++) {
        const vec3 e = v3_axis(i);
        vec3 *column = i == 0 ? &to->by_w.c1 : i == 1 ? &to->by_w.c2 : &to->by_w.c3;
        *column = v3_axpy(*column, cn, e);
        column = i == 0 ? &to->by_t.c1 : i == 1 ? &to->by_t.c2 : &to->by_t.c3;
        *column = v3_axpy(*column, along * (ct - cn), e);
    }
    add_outer(&to->by_w, steep - cn, t, t), add_outer(&to->by_w, per, across, across);
    add_outer(&to->by_t, steep - cn, t, across);
    add_outer(&to->by_t, -per * along, across, across);
}

static wy_fluid_state state_of(const wy_director *x, int j) {
    wy_fluid_state s = {.share = 1, .slip = v3(0, 0, 0)};
    if (x->step->dynamic) s.slip = v3_scale(1.0 / x->step->h, x->next[j].dr);
    s.t = wy_fluid_axis(x, j, &s.size);
    s.wet = wy_fluid_wet(x, j, &s.by_height);
    s.dry = x->fluid->air * (1 - s.wet);
    return s;
}

int wy_fluid_states(const wy_director *x, int j, wy_fluid_state s[2]) {
    const wy_director_plan *plan = &x->plan;
    const int p = plan->p;
    int count = 0;
    s[0] = state_of(x, j);
    if (!wy_is_cable(plan)) return 1;
    for (int e = wy_max(j - 1, 0) / p; e <= j / p && e < plan->n; e++, count++) {
        s[count] = s[0];
        s[count].share = plan->rule->lump[j - e * p] * plan->size[e] / plan->mass[j].share;
        s[count].t = wy_cable_axis(x, e, j - e * p, &s[count].size);
    }
    return count;
}

void wy_fluid_resist(const wy_director *x, int j, const wy_fluid_state *s, wy_resistance *wet,
                     wy_resistance *dry) {
    static const double none[2] = {0, 0};
    const wy_fluid_node *node = &x->fluid->node[j];
    const wy_flow *flow = &x->flow[j];
    *wet = *dry = (wy_resistance){.force = v3(0, 0, 0)};
    add_resistance(s->wet, node, node->slow, v3_sub(flow->u, s->slip), s->t, wet);
    if (s->dry > 0) add_resistance(s->dry, node, none, v3_sub(flow->wind, s->slip), s->t, dry);
}

/* Of both. */
static wy_resistance all_of(const wy_director *x, int j, const wy_fluid_state *s) {
    wy_resistance wet, dry;
    wy_fluid_resist(x, j, s, &wet, &dry);
    wet.force = v3_add(wet.force, dry.force);
    wet.by_w = m3_axpy(wet.by_w, 1, dry.by_w), wet.by_t = m3_axpy(wet.by_t, 1, dry.by_t);
    return wet;
}

/* A: the acceleration of the fluid. */
static vec3 acceleration(const wy_director *x, int j) {
    const wy_flow *flow = &x->flow[j];
    if (x->fluid->at_rest || x->plan.problem->medium.local) return flow->rate;
    return v3_add(flow->rate, m3_mul(flow->slope, flow->u));
}

/* m' (A - g), but for B: at rest g has the factor. */
static vec3 lift_of(const wy_director *x, int j) {
    const double mass = x->fluid->node[j].displaced;
    return v3_scale(mass,
                    v3_axpy(v3_scale(-1, x->step->gravity), x->step->factor, acceleration(x, j)));
}

/* ---- the force -------------------------------------------------------------------------------------- */

int wy_force_fluid_acts(const wy_director_plan *plan) {
    return wy_fluid_acts(plan);
}

int wy_force_fluid_potential(const wy_director *x) {
    return x->fluid->at_rest;
}

/* How t changes with dphi. */
static mat3 axis_turn(const wy_director *x, int j, const wy_fluid_state *s) {
    const vec3 plus = tri_matrix(x->next[j].d).c3;
    const mat3 turn = wy_hat(plus);
    const double per = s->size > 0 ? -1.0 / s->size : 0;
    mat3 out = {v3_scale(per, turn.c1), v3_scale(per, turn.c2), v3_scale(per, turn.c3)};
    vec3 *column[3] = {&out.c1, &out.c2, &out.c3};
    for (int i = 0; i < 3; i++) *column[i] = v3_axpy(*column[i], -v3_dot(s->t, *column[i]), s->t);
    return out;
}

/* Moment about the axis. */
static void add_spin(const wy_director *x, int j, const wy_fluid_state *s, mat3 turn,
                     double a[6][6], double b[6]) {
    const double k = x->fluid->node[j].slow[2] / x->step->h;
    const vec3 theta = x->next[j].theta;
    const double along = v3_dot(s->t, theta);
    const mat3 g = wy_director_spin_map(theta);
    mat3 m = {v3_scale(along, turn.c1), v3_scale(along, turn.c2), v3_scale(along, turn.c3)};
    add_outer(&m, 1, s->t, v3_add(m3_tmul(g, s->t), m3_tmul(turn, theta)));
    wy_rows_add(b, 3, k * along, s->t);
    wy_rows_block(a, 3, 3, k, m);
}

static void add_drag(const wy_director *x, int j, const wy_fluid_state *of, double a[6][6],
                     double b[6]) {
    const wy_fluid_state s = *of;
    const double factor = x->step->factor, per = x->step->dynamic ? 1.0 / x->step->h : 0;
    const mat3 turn = axis_turn(x, j, &s);
    wy_resistance wet, dry;
    wy_fluid_resist(x, j, &s, &wet, &dry);
    wy_rows_add(b, 0, -factor, v3_add(wet.force, dry.force));
    wy_rows_block(a, 0, 0, factor * per, m3_axpy(wet.by_w, 1, dry.by_w));
    if (!x->fluid->at_rest)
        wy_rows_block(a, 0, 0, -factor, m3_mulm(wet.by_w, wy_fluid_slope(x, j)));
    wy_rows_block(a, 0, 3, -factor, m3_mulm(m3_axpy(wet.by_t, 1, dry.by_t), turn));
    if (x->fluid->node[j].slow[2] > 0 && x->step->dynamic) add_spin(x, j, &s, turn, a, b);
}

void wy_force_fluid_add(const wy_director *x, int j, double a[6][6], double b[6]) {
    const wy_fluid_state s = state_of(x, j);
    if (!wy_is_cable(&x->plan)) add_drag(x, j, &s, a, b); /* else cable_fluid.c */
    const vec3 lift = lift_of(x, j);
    wy_rows_add(b, 0, -s.wet, lift);
    if (s.by_height == 0) return;
    mat3 m = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    add_outer(&m, -s.by_height * (x->step->dynamic ? 0.5 : 1), lift, x->flow[j].rise);
    wy_rows_block(a, 0, 0, 1, m);
}

/* Is buoyancy a potential? */
static int is_under(const wy_director *x) {
    const wy_medium *medium = x->fluid->medium;
    return medium && !medium->given->has_surface;
}

double wy_force_fluid_energy(const wy_director *x, int j, vec3 r) {
    if (!is_under(x)) return 0;
    return x->fluid->node[j].displaced * v3_dot(x->step->gravity, v3_add(x->now->origin, r));
}

static double drag_lost(const wy_director *x, int j, const wy_fluid_state *s, double *work) {
    const wy_flow *flow = &x->flow[j];
    const double h = s->share * x->step->h, spin = v3_dot(s->t, x->next[j].theta);
    wy_resistance wet, dry;
    wy_fluid_resist(x, j, s, &wet, &dry);
    *work += h * (v3_dot(wet.force, flow->u) + v3_dot(dry.force, flow->wind));
    return h * (v3_dot(wet.force, v3_sub(flow->u, s->slip)) +
                v3_dot(dry.force, v3_sub(flow->wind, s->slip))) +
           x->fluid->node[j].slow[2] * spin * spin / x->step->h;
}

double wy_force_fluid_lost(const wy_director *x, int j, double *work) {
    wy_fluid_state s[2];
    double lost = 0;
    for (int i = wy_fluid_states(x, j, s) - 1; i >= 0; i--) lost += drag_lost(x, j, &s[i], work);
    const vec3 lift =
        is_under(x) ? v3_scale(x->fluid->node[j].displaced, acceleration(x, j)) : lift_of(x, j);
    *work += s[0].wet * v3_dot(lift, x->next[j].dr);
    return lost;
}

void wy_force_fluid_damp(const wy_director *x, int j, const double *v, double *cv) {
    wy_fluid_state s[2];
    for (int i = wy_fluid_states(x, j, s) - 1; i >= 0; i--) {
        const wy_resistance d = all_of(x, j, &s[i]);
        const double spin = x->fluid->node[j].slow[2] * v3_dot(s[i].t, v3_from(v + 3));
        wy_rows_add(cv, 0, s[i].share * x->step->factor, m3_mul(d.by_w, v3_from(v)));
        wy_rows_add(cv, 3, spin, s[i].t);
    }
}

/* By coefficients, which have the length of the node in them, gravity and a constant current. */
void wy_force_fluid_derive(const wy_director *x, int j, wy_slope_columns *to) {
    const wy_slopes *f = x->slopes;
    const wy_fluid_state s = state_of(x, j);
    const wy_resistance d = all_of(x, j, &s);
    const double factor = x->step->factor, per = x->step->dynamic ? 1.0 / x->step->h : 0;
    const vec3 w = v3_sub(x->flow[j].u, s.slip), none = {0, 0, 0};
    const double along = v3_dot(w, s.t), turned = per * v3_dot(s.t, x->next[j].theta);
    const vec3 across = v3_axpy(w, -along, s.t);
    const vec3 column[] = {v3_scale(-factor * v3_norm(across), across),
                           v3_scale(-factor * fabs(along) * along, s.t), v3_scale(-factor, across),
                           v3_scale(-factor * along, s.t)};
    for (int i = 0; i < 4; i++) wy_slope_column(to, WY_AT(f, fluid, j, k[i]), column[i], none);
    wy_slope_column(to, WY_AT(f, fluid, j, k[4]), none, v3_scale(turned, s.t));
    wy_slope_column(to, WY_AT(f, fluid, j, k[5]), x->step->gravity, none);
    const double mass = factor * x->fluid->node[j].displaced;
    for (int i = 0; i < 3; i++) {
        wy_slope_column(to, WY_AT(f, whole, 0, gravity[i]), v3_scale(mass, v3_axis(i)), none);
        wy_slope_column(to, WY_AT(f, whole, 0, current[i]), v3_scale(-factor, m3_column(d.by_w, i)),
                        none);
    }
}

/* ---- reported ------------------------------------------------------------------------------------------ */

/* Coefficients of a place, per length. */
static wy_fluid_node node_at(const wy_director *x, int e, const double *value) {
    wy_fluid_node out = {.normal = 0};
    for (int a = 0; a <= x->plan.p; a++) {
        const wy_fluid_node *node = &x->fluid->node[e * x->plan.p + a];
        const double k = value[a] / node->length;
        out.normal += k * node->normal, out.tangential += k * node->tangential;
        out.slow[0] += k * node->slow[0], out.slow[1] += k * node->slow[1];
        out.radius += value[a] * node->radius, out.length += value[a] * node->length;
    }
    return out;
}

int wy_fluid_sample(const wy_director *x, int e, const double *value, int i, withy_snapshot *snap) {
    static const double none[2] = {0, 0};
    const wy_fluid *fluid = x->fluid;
    const wy_fluid_node node = node_at(x, e, value);
    const vec3 at = v3_add(fluid->origin, snap->position[i]), v = snap->velocity[i];
    const vec3 t = q_matrix(snap->frame[i]).c3;
    const int moves = x->now->started != 0, timed = moves || x->plan.problem->path.given;
    wy_flow flow = {.height = -INFINITY};
    wy_resistance d = {.force = v3(0, 0, 0)};
    double slope;
    if (fluid->medium && wy_medium_flow(fluid->medium, at, timed ? snap->t : 0, 0,
                                        moves ? 0 : WY_FLOW_STATIC, &flow, NULL) != WITHY_OK)
        return 0;
    const double rise = fluid->medium ? v3_dot(fluid->medium->up, t) : 0;
    const double wet =
        wy_fluid_wet_piece(node.radius, fabs(node.length), rise, flow.height, &slope);
    add_resistance(wet, &node, node.slow, v3_sub(flow.u, v), t, &d);
    add_resistance(fluid->air * (1 - wet), &node, none, v3_sub(flow.wind, v), t, &d);
    snap->fluid[i] = flow.u, snap->drag[i] = d.force, snap->wet[i] = wet;
    return 1;
}
