/* initial.c - rest strains and the rod at t = 0.
 *
 * Rest strains are the discrete strains of the rest shape, so that any rest shape is stress free to
 * rounding.  An initial shape must not be put on its nodes as it is: nodes on an exact arc are
 * stretched (Gamma3 = sin(kh)/(kh) for degree 1), which in a thin rod holds more energy than the
 * bending.  So the directors are set exactly and the nodes are placed from r' = A^-T Gamma,
 * A = [a1 a2 a3], at the Gauss points, integrated exactly.
 */
#include "method/director/law/law.h"
#include "method/director/rod/cable.h"

/* Directors of neighbouring nodes may differ by this angle at the start. */
static const double NODE_TURN = 0.7;

/* The velocity of a driven end at t = 0 is measured over this part of the first step. */
static const double FIRST_PART = 1e-2;

/* The ends of the placed nodes may miss those of the initial shape by this much of L: an error of the
 * mesh. */
static const double PLACE_TOLERANCE = 2e-2;

/* ---- shapes ------------------------------------------------------------------------------------ */

void wy_director_zero_increment(wy_director *x) {
    for (int j = 0; j < x->plan.node_count; j++) {
        wy_director_next *next = &x->next[j];
        next->d = x->node[j].d;
        next->dr = next->theta = v3(0, 0, 0);
    }
}

static void put_nodes(wy_director *x, const wy_pose *pose) {
    for (int j = 0; j < x->plan.node_count; j++) {
        wy_director_node *node = &x->node[j];
        node->r = pose[j].r;
        node->d = tri_orthonormal(tri_from(pose[j].frame));
    }
}

double wy_director_turn(const wy_director *x, int *node) {
    double least = 3.0;
    *node = 0;
    for (int j = 0; j + 1 < x->plan.node_count; j++) {
        const double trace = lane_sum(tri_dot(x->node[j].d, x->node[j + 1].d));
        if (!(trace >= least) && least == least) least = trace, *node = j; /* NaN stays */
    }
    return acos(wy_max(-1.0, wy_min(1.0, 0.5 * (least - 1.0))));
}

/* Is the mesh fine enough for a shape? */
static withy_status check_turn(const wy_director *x, const char *what, withy_error *err) {
    int node;
    if (wy_is_cable(&x->plan)) return WITHY_OK;
    const double turn = wy_director_turn(x, &node);
    if (turn <= NODE_TURN || x->plan.rod->initial.kind == WITHY_SHAPE_PLUCK) return WITHY_OK;
    return wy_bad_input(err,
                        "options.n" WY_KEY
                        " = %d: %s turns by %.2g rad from one node to the next, which elements of "
                        "degree %d cannot follow; at least n = %d is needed",
                        x->plan.n, what, turn, x->plan.p, (int)ceil(x->plan.n * turn / NODE_TURN));
}

static withy_status set_rest(wy_director *x, wy_pose *pose, withy_error *err) {
    WY_TRY(wy_model_own_poses(x->setup->model, x->plan.index, 1, x->plan.node_count, x->plan.s,
                              pose, err));
    put_nodes(x, pose);
    WY_TRY(check_turn(x, "the rest shape", err));
    wy_director_zero_increment(x);
    wy_director_strains(x, 1);
    const lane more = {0, 0, 2 * WY_PI * x->plan.rod->excess / x->plan.length, 0};
    for (int i = 0; i < x->plan.n * x->plan.p; i++) {
        lane *rest = x->plan.section[i].rest;
        rest[0] = x->strain[i].start[0], rest[1] = x->strain[i].start[1] - more;
    }
    return WITHY_OK;
}

/* r' with A^T r' = gamma, columns a1, a2, a3 of A: by the reciprocal basis. */
static vec3 slope_of(mat3 a, vec3 gamma) {
    const vec3 c23 = v3_cross(a.c2, a.c3), c31 = v3_cross(a.c3, a.c1), c12 = v3_cross(a.c1, a.c2);
    const double volume = v3_dot(a.c1, c23);
    const vec3 sum = v3_axpy(v3_axpy(v3_scale(gamma.x, c23), gamma.y, c31), gamma.z, c12);
    return v3_scale(1.0 / volume, sum);
}

/* share[g][a] = integral of the g-th Lagrange polynomial on the Gauss points from 0 to node a. */
static void integrals(const wy_element *rule, double share[WY_ELEMENT_DEGREE][WY_ELEMENT_NODES]) {
    const int p = rule->degree;
    wy_element fine;
    wy_element_make(WY_ELEMENT_DEGREE, &fine);
    for (int g = 0; g < p; g++)
        for (int a = 0; a <= p; a++) {
            share[g][a] = 0;
            for (int k = 0; k < fine.degree; k++) {
                const double xi = fine.point[k] * rule->node[a];
                double l = 1.0;
                for (int m = 0; m < p; m++)
                    if (m != g) l *= (xi - rule->point[m]) / (rule->point[g] - rule->point[m]);
                share[g][a] += fine.weight[k] * rule->node[a] * l;
            }
        }
}

/* Shapes that say how the rod is sheared and stretched. */
static int gives_strains(const withy_shape *shape) {
    return shape->kind == WITHY_SHAPE_STRAIN || shape->kind == WITHY_SHAPE_PLACED;
}

/* Extra Gamma of the initial shape beyond the rest shape. */
static withy_status extra_gamma(const wy_director *x, int e, vec3 extra[WY_ELEMENT_DEGREE],
                                withy_error *err) {
    const wy_director_plan *plan = &x->plan;
    const wy_model *model = x->setup->model;
    double s[WY_ELEMENT_DEGREE], has[WY_ELEMENT_DEGREE][WITHY_STRAINS] = {{0}};
    double rest[WY_ELEMENT_DEGREE][WITHY_STRAINS] = {{0}};
    for (int g = 0; g < plan->p; g++) s[g] = plan->start[e] + plan->rule->point[g] * plan->size[e];
    if (gives_strains(wy_initial_shape(plan->rod)))
        WY_TRY(wy_model_initial_strains(model, plan->index, plan->p, s, has, err));
    if (gives_strains(&plan->rod->rest))
        WY_TRY(wy_model_rest_strains(model, plan->index, plan->p, s, rest, err));
    for (int g = 0; g < plan->p; g++)
        extra[g] = v3(has[g][0] - rest[g][0], has[g][1] - rest[g][1], has[g][2] - rest[g][2]);
    return WITHY_OK;
}

static withy_status place_nodes(wy_director *x, withy_error *err) {
    const wy_director_plan *plan = &x->plan;
    const int p = plan->p;
    double share[WY_ELEMENT_DEGREE][WY_ELEMENT_NODES];
    integrals(plan->rule, share);
    for (int e = 0; e < plan->n; e++) {
        wy_director_node *node = &x->node[e * p];
        vec3 slope[WY_ELEMENT_DEGREE], extra[WY_ELEMENT_DEGREE];
        WY_TRY(extra_gamma(x, e, extra, err));
        for (int g = 0; g < p; g++) {
            tri a = {{0}, {0}, {0}};
            for (int k = 0; k <= p; k++)
                a = tri_axpy(a, lane_all(plan->rule->value[g][k]), node[k].d);
            const lane turned = lane_all(0.5) * plan->axial * (lane_all(1.0) - tri_dot(a, a));
            const vec3 rest = lane_vec3(plan->section[e * p + g].rest[0] - turned);
            slope[g] = wy_is_cable(plan) ? wy_cable_slope(tri_matrix(a), 1 + extra[g].z)
                                         : slope_of(tri_matrix(a), v3_add(rest, extra[g]));
        }
        for (int a = 1; a <= p; a++) {
            node[a].r = node[0].r;
            for (int g = 0; g < p; g++)
                node[a].r = v3_axpy(node[a].r, plan->size[e] * share[g][a], slope[g]);
        }
    }
    return WITHY_OK;
}

static withy_status set_initial(wy_director *x, wy_pose *pose, withy_error *err) {
    const withy_rod *rod = x->plan.rod;
    const withy_shape *shape = wy_initial_shape(rod);
    const int count = x->plan.node_count, last = count - 1;
    const wy_model *model = x->setup->model;
    WY_TRY(x->plan.lone
               ? wy_model_own_poses(model, x->plan.index, 0, count, x->plan.s, pose, err)
               : wy_model_initial_poses(model, x->plan.index, count, x->plan.s, pose, err));
    put_nodes(x, pose);
    WY_TRY(check_turn(x, "the initial shape", err));
    /* a pluck is meant to be stretched; the rest shape is stress free where it is */
    if (shape != &rod->rest && shape->kind != WITHY_SHAPE_PLUCK) WY_TRY(place_nodes(x, err));
    if (wy_end_places(&rod->end[1]) > wy_end_places(&rod->end[0])) {
        const vec3 shift = v3_sub(pose[last].r, x->node[last].r);
        for (int j = 0; j <= last; j++) x->node[j].r = v3_add(x->node[j].r, shift);
    }
    for (int i = 0; i < x->plan.n * x->plan.p; i++) { /* tension: stress at the initial strain */
        wy_director_section *section = &x->plan.section[i];
        section->rest[0][WITHY_STRETCH] -= rod->tension / section->c[0][WITHY_STRETCH];
    }
    return WITHY_OK;
}

static withy_status set_shapes(wy_director *x, wy_pose *pose, withy_error *err) {
    const wy_director_plan *plan = &x->plan;
    WY_TRY(set_rest(x, pose, err));
    WY_TRY(set_initial(x, pose, err));
    wy_director_tendons_first(x);
    for (int j = 0; j < plan->node_count; j++) {
        wy_director_rate *given = &x->node[j].rate[0];
        WY_TRY(wy_velocity_at(plan->rod, plan->s[j], &given->dr, &given->theta, err));
    }
    memcpy(plan->first, x->node, (size_t)plan->node_count * sizeof *plan->first);
    return wy_closed_make(x, err);
}

typedef struct room {
    wy_director *x;
    wy_pose *pose;
} room;

static void layout_room(void *self, wy_block *block) {
    room *own = self;
    wy_director_layout_state(own->x, 1, block);
    wy_director_layout(own->x, 1, WY_BLOCK_ITERATE, block);
    own->pose = wy_block_alloc(block, (size_t)own->x->plan.node_count, sizeof *own->pose);
}

withy_status wy_director_shapes(wy_director *x, withy_error *err) {
    room own = {.x = x};
    void *memory = wy_block_create(layout_room, &own);
    if (!memory) return wy_no_memory(err, "director: no memory for n = %d", x->plan.n);
    const withy_status status = set_shapes(x, own.pose, err);
    wy_free(memory);
    return status;
}

/* ---- velocities and placed ends --------------------------------------------------------------------- */

void wy_director_pose_rate(const wy_pose at[WY_POSE_RATES], double step, vec3 *v, vec3 *spin) {
    static const double weight[WY_POSE_RATES] = {-25.0 / 12, 4, -3, 4.0 / 3, -0.25};
    const mat3 back = m3_transpose(at[0].frame);
    *v = *spin = v3(0, 0, 0);
    for (int i = 1; i < WY_POSE_RATES && step > 0; i++) {
        *v = v3_axpy(*v, weight[i] / step, v3_sub(at[i].r, at[0].r));
        const vec3 turn = q_log(q_from_matrix(m3_mulm(at[i].frame, back)));
        *spin = v3_axpy(*spin, weight[i] / step, turn);
    }
}

/* Velocity of a driven end at t = 0, over a small part of the first step; a rod without mass never moves. */
static withy_status end_velocity(wy_director *x, const wy_director_end *end, withy_error *err) {
    wy_director_node *node = &x->node[end->node];
    const wy_end_driven *driven = &x->now->end[end->node > 0].driven;
    if (end->rates & 1) node->v = driven->v;
    if (end->rates & 2) node->w = tri_dot(node->d, tri_all(driven->spin));
    if (!end->end.drives_position && !end->end.drives_frame) return WITHY_OK;
    const double dt = x->plan.opt.dt > 0 ? x->plan.opt.dt : wy_director_first_dt(x);
    const double step = FIRST_PART * dt;
    if (!(step > 0)) return WITHY_OK;
    wy_pose at[WY_POSE_RATES];
    vec3 v, spin;
    for (int i = 0; i < WY_POSE_RATES; i++) WY_TRY(wy_end_pose(&end->end, i * step, &at[i], err));
    wy_director_pose_rate(at, step, &v, &spin);
    if (end->end.drives_position) node->v = v3_add(node->v, wy_director_held(end, v));
    if (end->end.drives_frame) node->w = tri_dot(node->d, tri_all(spin));
    return WITHY_OK;
}

/* Velocities at t = 0 from those given, which are in rate[0]. */
withy_status wy_director_velocities(wy_director *x, withy_error *err) {
    for (int j = 0; j < x->plan.node_count; j++) {
        wy_director_node *node = &x->node[j];
        node->rate[0] = x->plan.first[j].rate[0];
        node->v = node->rate[0].dr;
        node->w = tri_dot(node->d, tri_all(node->rate[0].theta));
    }
    for (int i = 0; i < 2; i++) {
        const wy_director_end *end = &x->plan.end[i];
        wy_director_node *node = &x->node[end->node];
        const wy_director_rate given = node->rate[0];
        WY_TRY(wy_end_driven_start(&end->end, given.dr, given.theta, &x->now->end[i].driven, err));
        node->v = v3_sub(node->v, wy_director_held(end, node->v));
        if (end->holds_frame) node->w = lane_all(0);
        WY_TRY(end_velocity(x, end, err));
        const mat3 frame = tri_matrix(node->d);
        const vec3 spin = m3_mul(frame, lane_vec3(node->w));
        x->now->end[i].u = v3_add(node->v, v3_cross(spin, m3_mul(frame, end->arm)));
    }
    return WITHY_OK;
}

/* Where the placed shape misses a held end, the end is held where it is: the offset is an error of the
 * discretisation and stays for all times (statics drop it and move to the exact pose). */
withy_status wy_director_offsets(wy_director *x, withy_error *err) {
    for (int i = 0; i < 2; i++) {
        const wy_director_end *end = &x->plan.end[i];
        wy_director_end_now *now = &x->now->end[i];
        const wy_director_node *node = &x->node[end->node];
        wy_pose pose;
        WY_TRY(wy_end_pose(&end->end, 0.0, &pose, err));
        const char *name = i ? "ends.finish" : "ends.start";
        const vec3 miss =
            wy_director_held(end, v3_sub(v3_add(wy_director_origin_shift(x), node->r), pose.r));
        const double gap = v3_norm(miss);
        if (!(gap <= PLACE_TOLERANCE * x->plan.length))
            return wy_bad_input(err,
                                "director: on n = %d elements the initial shape misses %s by %.3g "
                                "m, more than %g of the length; use more elements (options.n)",
                                x->plan.n, name, gap, PLACE_TOLERANCE);
        const mat3 frame = tri_matrix(node->d);
        const vec3 d3 = end->turns_free ? frame.c3 : pose.frame.c3;
        const double angle = end->turns_free ? v3_norm(v3_cross(d3, pose.frame.c3))
                                             : v3_norm(cayley_between(pose.frame, frame));
        if (end->holds_frame && !(angle <= PLACE_TOLERANCE))
            return wy_bad_input(
                err,
                "director: on n = %d elements the initial shape misses the direction of %s "
                "by %.3g rad, more than %g; use more elements (options.n)",
                x->plan.n, name, angle, PLACE_TOLERANCE);
        now->offset_r = miss;
        if (end->holds_frame && !end->turns_free)
            now->offset_turn = cayley_between(pose.frame, frame);
    }
    return WITHY_OK;
}

/* ---- t = 0 ----------------------------------------------------------------------------------------- */

/* Does the energy balance hold without unaccounted work? */
int wy_director_conserves(const wy_director_plan *x) {
    const wy_end *a = &x->end[0].end, *b = &x->end[1].end;
    return !x->damped && !wy_rod_is_active(x->rod) && !(x->uses_state & WY_USES_STREAM) &&
           !wy_has_time_loads(x->rod) && !(x->rod->magnet.size && x->problem->magnetic.given) &&
           !a->drives_position && !a->drives_frame && !b->drives_position && !b->drives_frame &&
           !x->end[0].rates && !x->end[1].rates;
}

void wy_director_place_first(wy_director *x) {
    const wy_director_plan *plan = &x->plan;
    memcpy(x->node, plan->first, (size_t)plan->node_count * sizeof *plan->first);
    x->now->origin = plan->home;
    wy_section_first(x);
    for (int i = 0; i < 2; i++) {
        const wy_director_node *node = &x->node[plan->end[i].node];
        x->now->end[i].spring_r = node->r;
        x->now->end[i].spring_d = tri_matrix(node->d);
    }
}
