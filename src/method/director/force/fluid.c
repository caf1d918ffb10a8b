/* fluid.c - the medium at the nodes of a rod: coefficients, flow, wetted part.
 *
 * The wetted part B of a round piece of radius R and length l, whose axis is at the height z over the surface and rises
 * with t_z: c = R sqrt(1 - t_z^2), s = l |t_z|/2,
 *
 *   B = c (I((z - s)/c) - I((z + s)/c))/(2 s),   s -> 0: (acos y - y q)/pi, y = z/c                               (1)
 *   I(y) = (q - y acos y - q^3/3)/pi, q = sqrt(1 - y^2);   0 for y > 1, -y for y < -1
 */
#include "method/director/force/fluid.h"

#include "method/director/force/force.h"

static int is_viscous(const wy_director_plan *plan) {
    const withy_viscous v = wy_rod_viscous(plan->problem, plan->rod);
    return v.normal > 0 || v.tangential > 0 || v.spin > 0;
}

int wy_fluid_acts(const wy_director_plan *plan) {
    if (is_viscous(plan)) return 1;
    return plan->rod->fluid.given && plan->problem->medium.density > 0;
}

int wy_fluid_has_drag(const wy_director_plan *plan) {
    const withy_fluid *fluid = &plan->rod->fluid;
    if (is_viscous(plan)) return 1;
    return wy_fluid_acts(plan) && (fluid->normal > 0 || fluid->tangential > 0);
}

/* ---- the plan ------------------------------------------------------------------------------------- */

static withy_status make_node(const wy_director_plan *plan, double density, int j,
                              wy_fluid_node *out, withy_error *err) {
    const withy_rod *rod = plan->rod;
    const withy_fluid *fluid = &rod->fluid;
    const withy_viscous v = wy_rod_viscous(plan->problem, rod);
    const double w = plan->mass[j].share;
    *out = (wy_fluid_node){.slow = {w * v.normal, w * v.tangential, w * v.spin}, .length = w};
    if (!fluid->given || !(density > 0)) return WITHY_OK;
    wy_fluid_at at;
    WY_TRY(wy_rod_fluid_at(rod, plan->s[j], &at, err));
    out->normal = 0.5 * w * density * at.diameter * fluid->normal;
    out->tangential = 0.5 * w * density * WY_PI * at.diameter * fluid->tangential;
    out->displaced = w * density * at.area, out->radius = 0.5 * at.diameter;
    const double across = out->displaced * fluid->added_normal;
    out->added = (lane){across, across, out->displaced * fluid->added_tangential, 0};
    return WITHY_OK;
}

withy_status wy_fluid_make(wy_director *rod, const wy_setup *setup, withy_error *err) {
    wy_director_plan *plan = &rod->plan;
    const withy_medium *medium = &plan->problem->medium;
    if (medium->given && !wy_fluid_acts(plan) && medium->density > 0)
        wy_note(setup->notes, WY_NOTE(fluid_missing), plan->index + 1);
    if (!wy_fluid_acts(plan)) return WITHY_OK;
    wy_fluid *x = wy_arena_alloc(setup->arena, 1, sizeof *x);
    wy_fluid_node *node = wy_arena_alloc(setup->arena, (size_t)plan->node_count, sizeof *node);
    if (!x || !node) return wy_no_memory(err, "director: no memory for the medium");
    *x = (wy_fluid){.medium = wy_model_medium(setup->model),
                    .origin = wy_model_origin(setup->model),
                    .node = node};
    const double density = x->medium ? medium->density : 0;
    const withy_fluid *fluid = &plan->rod->fluid;
    x->at_rest = !x->medium || x->medium->at_rest;
    x->air = density > 0 ? medium->air / density : 0;
    x->accelerated = fluid->inertia == WITHY_INERTIA_ACCELERATION;
    x->stirs = wy_force_added_mass_acts(plan);
    for (int j = 0; j < plan->node_count; j++) WY_TRY(make_node(plan, density, j, &node[j], err));
    rod->fluid = x, plan->uses_state |= WY_USES_FLOW;
    if (x->stirs && !x->accelerated) plan->uses_state |= WY_USES_ADDED_MASS;
    if (!x->at_rest || (x->stirs && x->accelerated)) plan->uses_state |= WY_USES_STREAM;
    return WITHY_OK;
}

/* ---- the flow ------------------------------------------------------------------------------------- */

static withy_status flow_at(const wy_director *x, int j, unsigned asks, wy_flow *out,
                            withy_error *err) {
    const wy_fluid *fluid = x->fluid;
    if (!fluid->medium || (fluid->at_rest && !fluid->medium->given->has_surface)) {
        *out = (wy_flow){.height = -INFINITY};
        return WITHY_OK;
    }
    const int moves = x->step->dynamic;
    const vec3 r = moves ? wy_director_mid_r(x, j) : wy_director_plus_r(x, j);
    const vec3 at = v3_add(v3_add(fluid->origin, x->now->origin), r);
    if (!moves) asks |= WY_FLOW_STATIC;
    return wy_medium_flow(fluid->medium, at, x->step->when, moves ? fabs(x->step->h) : 0, asks, out,
                          err);
}

/* R^T (v - U) at a node of the state. */
static lane through(const wy_director *x, int j, vec3 flow) {
    const wy_director_node *node = &x->node[j];
    return tri_dot(node->d, tri_all(v3_sub(node->v, flow)));
}

withy_status wy_fluid_flow(wy_director *x, int slopes, withy_error *err) {
    const wy_fluid *fluid = x->fluid;
    const int uniform = !fluid->medium || fluid->medium->uniform;
    unsigned asks = slopes ? WY_FLOW_SLOPES : 0;
    if (!fluid->at_rest) asks |= WY_FLOW_SLOPES | WY_FLOW_RATE; /* of its acceleration */
    for (int j = 0; j < x->plan.node_count; j++) {
        if (j && uniform)
            x->flow[j] = x->flow[0];
        else
            WY_TRY(flow_at(x, j, asks, &x->flow[j], err));
        if (x->u && !x->step->dynamic) x->u[j] = through(x, j, x->flow[j].u);
    }
    return WITHY_OK;
}

/* What u changes by counts as work of the medium, which begins to move. */
withy_status wy_fluid_begin(wy_director *x, withy_error *err) {
    const wy_fluid *fluid = x->fluid;
    if (!fluid || !x->u || !fluid->medium || !fluid->medium->waves) return WITHY_OK;
    for (int j = 0; j < x->plan.node_count; j++) {
        const vec3 at = v3_add(v3_add(fluid->origin, x->now->origin), x->node[j].r);
        const lane before = x->u[j], half = lane_all(0.5) * fluid->node[j].added;
        wy_flow flow;
        WY_TRY(wy_medium_flow(fluid->medium, at, x->step->t, 0, 0, &flow, err));
        x->u[j] = through(x, j, flow.u);
        x->now->work += lane_sum(half * (x->u[j] * x->u[j] - before * before));
    }
    return WITHY_OK;
}

/* Of a cable the line through the neighbouring nodes, in a step where they were: for its wetted part alone. */
static vec3 chord_at(const wy_director *x, int j) {
    const int first = wy_max(j - 1, 0), last = wy_min(j + 1, x->plan.node_count - 1);
    if (x->step->dynamic) return v3_unit(v3_sub(x->node[last].r, x->node[first].r));
    return v3_unit(v3_sub(wy_director_plus_r(x, last), wy_director_plus_r(x, first)));
}

vec3 wy_fluid_axis(const wy_director *x, int j, double *size) {
    *size = 1;
    if (wy_is_cable(&x->plan)) return chord_at(x, j);
    const vec3 plus = tri_matrix(x->next[j].d).c3;
    const vec3 both = x->step->dynamic ? v3_add(plus, tri_matrix(x->node[j].d).c3) : plus;
    *size = v3_norm(both);
    return *size > 0 ? v3_scale(1.0 / *size, both) : plus; /* it turned by half a circle */
}

/* ---- the wetted part ------------------------------------------------------------------------------ */

/* I of (1). */
static double area_integral(double y) {
    if (y >= 1) return 0;
    if (y <= -1) return -y;
    const double q = sqrt((1 - y) * (1 + y));
    return (q - y * acos(y) - q * q * q / 3) / WY_PI;
}

/* -I' */
static double area_part(double y) {
    if (y >= 1) return 0;
    if (y <= -1) return 1;
    return (acos(y) - y * sqrt((1 - y) * (1 + y))) / WY_PI;
}

double wy_fluid_wet_piece(double radius, double length, double rise, double z, double *slope) {
    const double far = radius + 0.5 * length;
    *slope = 0;
    if (!(z > -far)) return 1;
    if (z >= far) return 0;
    const double c = wy_max(radius * sqrt(wy_max(0, 1 - rise * rise)), 1e-6 * far);
    const double s = 0.5 * length * fabs(rise);
    if (s < 1e-4 * c) {
        const double y = z / c;
        *slope = fabs(y) < 1 ? -2 / WY_PI * sqrt((1 - y) * (1 + y)) / c : 0;
        return area_part(y);
    }
    const double low = (z - s) / c, high = (z + s) / c, per = 0.5 / s;
    *slope = per * (area_part(high) - area_part(low));
    return c * per * (area_integral(low) - area_integral(high));
}

double wy_fluid_wet(const wy_director *x, int j, double *slope) {
    const wy_fluid_node *node = &x->fluid->node[j];
    const double z = x->flow[j].height;
    double size;
    *slope = 0;
    if (!(z > -node->radius - 0.5 * node->length)) return 1; /* often: without its axis */
    const double rise = v3_dot(x->fluid->medium->up, wy_fluid_axis(x, j, &size));
    return wy_fluid_wet_piece(node->radius, node->length, rise, z, slope);
}
