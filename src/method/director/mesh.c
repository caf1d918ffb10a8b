/* mesh.c - elements, sections, rest strains, and the rod at t = 0.
 *
 * Rest strains are the discrete strains of the rest shape, so that any rest shape is stress free to
 * rounding.  An initial shape must not be put on its nodes as it is: nodes on an exact arc are
 * stretched (Gamma3 = sin(kh)/(kh) for degree 1), which in a thin rod holds more energy than the
 * bending.  So the directors are set exactly and the nodes are placed from r' = A^-T Gamma,
 * A = [a1 a2 a3], at the Gauss points, integrated exactly (methods page, section 7).
 */
#include <string.h>

#include "method/director/director.h"

/* A strain that the user calls rigid (infinite stiffness) and inertia that is not given are those
 * of a round rod this thin: 1e-4 of the length.  Thinner changes no digit of a result and only
 * costs iterations. */
static const double RIGID_RADIUS = 1e-4;
static const double RIGID_TWIST = 1e4; /* times the bending stiffness */

/* Directors of neighbouring nodes may differ by this angle at the start. */
static const double NODE_TURN = 0.7;

/* The velocity of a driven end at t = 0 is measured over this part of the first step. */
static const double FIRST_PART = 1e-2;

/* An initial shape may miss a held end by this much of L: the error of its placement. */
static const double PLACE_TOLERANCE = 2e-2;

static withy_status take(wy_director_plan *x, wy_arena *arena, withy_error *err) {
    const size_t n = (size_t)x->n, p = (size_t)x->p, nodes = n * p + 1;
    wy_taker from = {.arena = arena};
    x->start = wy_taker_take(&from, n + 1, sizeof *x->start);
    x->size = wy_taker_take(&from, n, sizeof *x->size);
    x->s = wy_taker_take(&from, nodes, sizeof *x->s);
    x->mass = wy_taker_take(&from, nodes, sizeof *x->mass);
    x->section = wy_taker_take(&from, n * p, sizeof *x->section);
    x->first = wy_taker_take(&from, nodes, sizeof *x->first);
    if (from.failed)
        return wy_fail(err, WITHY_NO_MEMORY, "director: no memory for n = %d elements", x->n);
    return WITHY_OK;
}

void wy_director_lay(wy_director *x, wy_block *state, wy_block *scratch) {
    const size_t n = (size_t)x->plan.n, p = (size_t)x->plan.p, nodes = n * p + 1;
    x->now = wy_block_take(state, 1, sizeof *x->now);
    x->node = wy_block_take(state, nodes, sizeof *x->node);
    x->strain = wy_block_take(state, n * p, sizeof *x->strain);
    x->step = wy_block_take(scratch, 1, sizeof *x->step);
    x->next = wy_block_take(scratch, nodes, sizeof *x->next);
    x->stress = wy_block_take(scratch, n * p, sizeof *x->stress);
    x->force = wy_block_take(scratch, (size_t)x->plan.load.count, sizeof *x->force);
    x->panel = wy_block_take(scratch, n * 6 * p * WY_DIRECTOR_PANEL, sizeof *x->panel);
    x->keep = wy_block_take(scratch, n * p * 6 * (p + 1) * 6, sizeof *x->keep);
}

/* ---- elements ---------------------------------------------------------------------------------- */

enum { BREAKS_MAX = 64 };

static int add_break(const wy_director_plan *x, double s, double *list, int count) {
    const double gap = 1e-6 * x->length;
    int at = 0;
    while (at < count && list[at] < s - gap) at++;
    if (at < count && fabs(list[at] - s) <= gap) return count;
    if (count == BREAKS_MAX) return count;
    memmove(&list[at + 1], &list[at], (size_t)(count - at) * sizeof *list);
    list[at] = s;
    return count + 1;
}

/* Where the solution has a kink an element should end: point loads, edges of loads, a pluck. */
static int find_breaks(const wy_director_plan *x, double list[BREAKS_MAX]) {
    int count = add_break(x, x->length, list, add_break(x, 0.0, list, 0));
    for (int i = 0; i < x->source_count; i++) {
        const withy_load *load = &x->source[i];
        count = add_break(x, load->from, list, count);
        if (load->kind == WITHY_LOAD_DISTRIBUTED) count = add_break(x, load->to, list, count);
    }
    if (x->rod->initial.kind == WITHY_SHAPE_PLUCK)
        count = add_break(x, x->rod->initial.at, list, count);
    if (count - 1 > x->n) list[1] = x->length, count = 2;
    return count;
}

/* n elements over the pieces between breaks, as equal in length as whole numbers allow. */
static void place_elements(wy_director_plan *x) {
    double at[BREAKS_MAX];
    const int pieces = find_breaks(x, at) - 1;
    int e = 0;
    for (int i = 0; i < pieces; i++) {
        const double rest = x->length - at[i];
        int count = (int)floor((x->n - e) * (at[i + 1] - at[i]) / rest + 0.5);
        if (count < 1) count = 1;
        if (count > x->n - e - (pieces - 1 - i)) count = x->n - e - (pieces - 1 - i);
        for (int k = 0; k < count; k++, e++) {
            x->start[e] = at[i] + (at[i + 1] - at[i]) * k / count;
            x->size[e] = (at[i + 1] - at[i]) / count;
        }
    }
    for (e = 0; e < x->n; e++)
        for (int a = 0; a <= x->p; a++)
            x->s[e * x->p + a] = x->start[e] + x->rule.node[a] * x->size[e];
    x->s[x->node_count - 1] = x->start[x->n] = x->length;
}

/* ---- sections ---------------------------------------------------------------------------------- */

static void replace_rigid(wy_director_plan *x, double k[WITHY_STRAINS]) {
    const double bend = wy_max(k[WITHY_BEND1], k[WITHY_BEND2]);
    const double radius = RIGID_RADIUS * x->length, axial = 4 * bend / (radius * radius);
    for (int i = WITHY_SHEAR1; i <= WITHY_STRETCH; i++)
        if (!isfinite(k[i])) k[i] = i == WITHY_STRETCH ? axial : axial / 3, x->rigid = 1;
    if (!isfinite(k[WITHY_TWIST])) k[WITHY_TWIST] = RIGID_TWIST * bend, x->rigid = 1;
}

/* Under a prescribed tension the length is that of the stretched rod: per length of it there is less
 * mass, 1/lambda, and every strain of the rod at rest is lambda times as large, so that
 * C (lambda e)^2 / lambda = (lambda C) e^2. */
static double stretch_at(const wy_director_plan *x, const double k[WITHY_STRAINS]) {
    return wy_stretch_of_tension(x->rod, k[WITHY_STRETCH]);
}

static withy_status set_sections(wy_director_plan *x, const wy_model *model, withy_error *err) {
    for (int e = 0; e < x->n; e++) {
        double s[WY_DIRECTOR_DEGREE_MAX];
        wy_section_at at[WY_DIRECTOR_DEGREE_MAX];
        for (int g = 0; g < x->p; g++) s[g] = x->start[e] + x->rule.point[g] * x->size[e];
        WY_TRY(wy_model_sections(model, 0, x->p, s, at, err));
        for (int g = 0; g < x->p; g++) {
            wy_director_section *section = &x->section[e * x->p + g];
            double *k = at[g].stiffness;
            replace_rigid(x, k);
            section->weight = x->rule.weight[g] * x->size[e];
            const double lambda = stretch_at(x, k), *c = at[g].damping;
            for (int i = 0; i < 3; i++) {
                section->c[0][i] = lambda * k[i], section->c[1][i] = lambda * k[3 + i];
                section->cv[0][i] = lambda * c[i], section->cv[1][i] = lambda * c[3 + i];
            }
        }
    }
    return WITHY_OK;
}

static void add_mass(wy_director_plan *x, double share, wy_section_at *at, wy_director_mass *mass) {
    double rho[WITHY_INERTIAS];
    replace_rigid(x, at->stiffness);
    for (int i = 0; i < WITHY_INERTIAS; i++) rho[i] = at->inertia[i] / stretch_at(x, at->stiffness);
    const double radius = RIGID_RADIUS * x->length;
    const double thin = 0.25 * rho[WITHY_MASS] * radius * radius;
    mass->share += share;
    mass->mass += share * rho[WITHY_MASS];
    for (int i = 0; i < 3; i++)
        mass->rotary[i] += share * wy_max(rho[WITHY_ROTARY1 + i], i == 2 ? 2 * thin : thin);
}

static withy_status set_masses(wy_director_plan *x, const wy_model *model, withy_error *err) {
    for (int e = 0; e < x->n; e++) {
        wy_section_at at[WY_DIRECTOR_NODE_MAX];
        WY_TRY(wy_model_sections(model, 0, x->p + 1, &x->s[e * x->p], at, err));
        for (int a = 0; a <= x->p; a++)
            add_mass(x, x->rule.lump[a] * x->size[e], &at[a], &x->mass[e * x->p + a]);
    }
    return WITHY_OK;
}

/* ---- shapes ------------------------------------------------------------------------------------ */

void wy_director_stay(wy_director *x) {
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

double wy_director_node_turn(const wy_director *x) {
    double least = 3.0;
    for (int j = 1; j < x->plan.node_count; j++)
        least = wy_min(least, lane_sum(tri_dot(x->node[j - 1].d, x->node[j].d)));
    return acos(wy_max(-1.0, wy_min(1.0, 0.5 * (least - 1.0))));
}

/* Is the mesh fine enough for a shape? */
static withy_status check_turn(const wy_director *x, const char *what, withy_error *err) {
    const double turn = wy_director_node_turn(x);
    if (turn <= NODE_TURN || x->plan.rod->initial.kind == WITHY_SHAPE_PLUCK) return WITHY_OK;
    return wy_fail(
        err, WITHY_BAD_INPUT,
        "options.n = %d: %s turns by %.2g rad from one node to the next, which elements of "
        "degree %d cannot follow; at least n = %d is needed",
        x->plan.n, what, turn, x->plan.p, (int)ceil(x->plan.n * turn / NODE_TURN));
}

static withy_status set_rest(wy_director *x, wy_pose *pose, withy_error *err) {
    WY_TRY(wy_model_rest_poses(x->setup->model, 0, x->plan.node_count, x->plan.s, pose, err));
    put_nodes(x, pose);
    WY_TRY(check_turn(x, "the rest shape", err));
    wy_director_stay(x);
    wy_director_strains(x, 1);
    for (int i = 0; i < x->plan.n * x->plan.p; i++)
        for (int k = 0; k < 2; k++) x->plan.section[i].rest[k] = x->strain[i].start[k];
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
static void integrals(const wy_director_rule *rule,
                      double share[WY_DIRECTOR_DEGREE_MAX][WY_DIRECTOR_NODE_MAX]) {
    const int p = rule->degree;
    wy_director_rule fine;
    wy_director_rule_make(WY_DIRECTOR_DEGREE_MAX, &fine);
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

/* Extra Gamma the initial shape asks for beyond the rest shape (shapes given by six strains). */
static withy_status extra_gamma(const wy_director *x, int e, vec3 extra[WY_DIRECTOR_DEGREE_MAX],
                                withy_error *err) {
    const wy_director_plan *plan = &x->plan;
    const wy_model *model = x->setup->model;
    double s[WY_DIRECTOR_DEGREE_MAX], has[WY_DIRECTOR_DEGREE_MAX][WITHY_STRAINS] = {{0}};
    double rest[WY_DIRECTOR_DEGREE_MAX][WITHY_STRAINS] = {{0}};
    for (int g = 0; g < plan->p; g++) s[g] = plan->start[e] + plan->rule.point[g] * plan->size[e];
    if (wy_initial_shape(plan->rod)->kind == WITHY_SHAPE_STRAIN)
        WY_TRY(wy_model_initial_strains(model, 0, plan->p, s, has, err));
    if (plan->rod->rest.kind == WITHY_SHAPE_STRAIN)
        WY_TRY(wy_model_rest_strains(model, 0, plan->p, s, rest, err));
    for (int g = 0; g < plan->p; g++)
        extra[g] = v3(has[g][0] - rest[g][0], has[g][1] - rest[g][1], has[g][2] - rest[g][2]);
    return WITHY_OK;
}

static withy_status place_nodes(wy_director *x, withy_error *err) {
    const wy_director_plan *plan = &x->plan;
    const int p = plan->p;
    double share[WY_DIRECTOR_DEGREE_MAX][WY_DIRECTOR_NODE_MAX];
    integrals(&plan->rule, share);
    for (int e = 0; e < plan->n; e++) {
        wy_director_node *node = &x->node[e * p];
        vec3 slope[WY_DIRECTOR_DEGREE_MAX], extra[WY_DIRECTOR_DEGREE_MAX];
        WY_TRY(extra_gamma(x, e, extra, err));
        for (int g = 0; g < p; g++) {
            tri a = {{0}, {0}, {0}};
            for (int k = 0; k <= p; k++)
                a = tri_axpy(a, lane_all(plan->rule.value[g][k]), node[k].d);
            const lane turned = lane_all(0.5) * plan->third * (lane_all(1.0) - tri_dot(a, a));
            const vec3 rest = lane_vec3(plan->section[e * p + g].rest[0] - turned);
            slope[g] = slope_of(tri_matrix(a), v3_add(rest, extra[g]));
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
    WY_TRY(wy_model_initial_poses(x->setup->model, 0, count, x->plan.s, pose, err));
    put_nodes(x, pose);
    WY_TRY(check_turn(x, "the initial shape", err));
    /* a pluck is meant to be stretched; the rest shape is stress free where it is */
    if (shape != &rod->rest && shape->kind != WITHY_SHAPE_PLUCK) WY_TRY(place_nodes(x, err));
    if (!wy_end_holds_position(&rod->end[0]) && wy_end_holds_position(&rod->end[1])) {
        const vec3 shift = v3_sub(pose[last].r, x->node[last].r);
        for (int j = 0; j <= last; j++) x->node[j].r = v3_add(x->node[j].r, shift);
    }
    for (int i = 0; i < x->plan.n * x->plan.p; i++) { /* tension: stress at the initial strain */
        wy_director_section *section = &x->plan.section[i];
        section->rest[0][WITHY_STRETCH] -= rod->tension / section->c[0][WITHY_STRETCH];
    }
    return WITHY_OK;
}

/* ---- ends and velocities -------------------------------------------------------------------------- */

static withy_status set_end(wy_director_plan *x, const wy_model *model, int which,
                            withy_error *err) {
    wy_director_end *end = &x->end[which];
    const withy_end *given = &x->rod->end[which];
    WY_TRY(wy_model_end(model, 0, which, &end->end, err));
    end->node = which ? x->node_count - 1 : 0;
    end->element = which ? x->n - 1 : 0;
    end->local = which ? x->p : 0;
    end->holds_position = wy_end_holds_position(given);
    end->holds_frame = wy_end_holds_direction(given);
    end->turns_free = end->end.turns_free;
    end->loaded = given->force.size || given->moment.size;
    end->mass = given->mass;
    end->arm = given->offset;
    const double own[3] = {given->inertia.x, given->inertia.y, given->inertia.z};
    for (int i = 0; i < 3; i++) x->mass[end->node].rotary[i] += own[i];
    end->spring = given->spring, end->spring_turn = given->spring_turn;
    return WITHY_OK;
}

/* Velocity of a driven end at t = 0, by a one-sided difference of fourth order over a small part of
 * the first step; a rod without mass never moves. */
static withy_status end_velocity(wy_director *x, const wy_director_end *end, withy_error *err) {
    if (!end->end.drives_position && !end->end.drives_frame) return WITHY_OK;
    static const double weight[5] = {-25.0 / 12, 4, -3, 4.0 / 3, -0.25};
    const double dt = x->plan.opt.dt > 0 ? x->plan.opt.dt : wy_director_first_dt(x);
    const double step = FIRST_PART * dt;
    if (!(step > 0)) return WITHY_OK;
    wy_pose start, pose;
    WY_TRY(wy_end_pose(&end->end, 0, &start, err));
    vec3 v = v3(0, 0, 0), spin = v3(0, 0, 0);
    for (int i = 1; i < 5; i++) {
        WY_TRY(wy_end_pose(&end->end, i * step, &pose, err));
        v = v3_axpy(v, weight[i] / step, v3_sub(pose.r, start.r));
        const vec3 turn = q_log(q_from_matrix(m3_mulm(pose.frame, m3_transpose(start.frame))));
        spin = v3_axpy(spin, weight[i] / step, turn);
    }
    wy_director_node *node = &x->node[end->node];
    if (end->end.drives_position) node->v = v;
    if (end->end.drives_frame) node->w = tri_dot(node->d, tri_all(spin));
    return WITHY_OK;
}

/* Velocities at t = 0 from those given, which are in rate[0]. */
static withy_status set_velocities(wy_director *x, withy_error *err) {
    for (int j = 0; j < x->plan.node_count; j++) {
        wy_director_node *node = &x->node[j];
        node->rate[0] = x->plan.first[j].rate[0];
        node->v = node->rate[0].dr;
        node->w = tri_dot(node->d, tri_all(node->rate[0].theta));
    }
    for (int i = 0; i < 2; i++) {
        const wy_director_end *end = &x->plan.end[i];
        wy_director_node *node = &x->node[end->node];
        if (end->holds_position) node->v = v3(0, 0, 0);
        if (end->holds_frame) node->w = lane_all(0);
        WY_TRY(end_velocity(x, end, err));
        const mat3 frame = tri_matrix(node->d);
        const vec3 spin = m3_mul(frame, lane_vec3(node->w));
        x->now->end[i].u = v3_add(node->v, v3_cross(spin, m3_mul(frame, end->arm)));
    }
    return WITHY_OK;
}

/* Where the placed shape misses a held end it is held where it is: the offset is an error of the
 * discretisation and stays for all times (statics drop it and go to the exact place). */
withy_status wy_director_offsets(wy_director *x, withy_error *err) {
    for (int i = 0; i < 2; i++) {
        const wy_director_end *end = &x->plan.end[i];
        wy_director_end_now *now = &x->now->end[i];
        const wy_director_node *node = &x->node[end->node];
        wy_pose pose;
        WY_TRY(wy_end_pose(&end->end, 0.0, &pose, err));
        const char *name = i ? "ends.finish" : "ends.start";
        const vec3 miss = v3_sub(v3_add(x->now->origin, node->r), pose.r);
        const double gap = v3_norm(miss);
        if (end->holds_position && !(gap <= PLACE_TOLERANCE * x->plan.length))
            return wy_fail(err, WITHY_BAD_INPUT,
                           "director: the initial shape puts %s %.3g m away from its position at "
                           "t = 0; move the shape or the end, or start from statics",
                           name, gap);
        const mat3 frame = tri_matrix(node->d);
        const vec3 d3 = end->turns_free ? frame.c3 : pose.frame.c3;
        const double angle = end->turns_free ? v3_norm(v3_cross(d3, pose.frame.c3))
                                             : v3_norm(cayley_between(pose.frame, frame));
        if (end->holds_frame && !(angle <= PLACE_TOLERANCE))
            return wy_fail(err, WITHY_BAD_INPUT,
                           "director: the initial shape leaves %s %.3g rad off its direction at "
                           "t = 0; turn the shape or the end, or start from statics",
                           name, angle);
        if (end->holds_position) now->offset_r = miss;
        if (end->holds_frame && !end->turns_free)
            now->offset_turn = cayley_between(pose.frame, frame);
    }
    return WITHY_OK;
}

/* The loads of the rod, then those that only pull before t = 0. */
static withy_status list_loads(wy_director_plan *x, wy_arena *arena, withy_error *err) {
    const int own = x->rod->load_count, pull = x->rod->settled ? x->rod->pull_count : 0;
    withy_load *all = wy_arena_take(arena, (size_t)(own + pull + 1), sizeof *all);
    if (!all) return wy_fail(err, WITHY_NO_MEMORY, "director: no memory for the loads");
    for (int i = 0; i < own; i++) all[i] = x->rod->load[i];
    for (int i = 0; i < pull; i++) all[own + i] = x->rod->pull[i];
    x->source = all, x->source_count = own + pull;
    return WITHY_OK;
}

/* Elements, sections, masses, loads, ends. */
static withy_status make_plan(wy_director_plan *x, const wy_setup *setup, withy_error *err) {
    const wy_director_options *opt = setup->options;
    x->problem = setup->problem, x->rod = &setup->problem->rod[0];
    x->opt = *opt;
    x->length = x->rod->length;
    x->n = opt->n, x->p = opt->degree, x->node_count = x->n * x->p + 1;
    x->floors = x->problem->floor.given;
    x->drags = x->rod->drag_linear > 0 || x->rod->drag_quadratic > 0 || x->rod->drag_spin > 0;
    x->damped =
        wy_rod_is_damped(x->rod) || opt->xi > 0 || (x->floors && x->problem->floor.damping > 0);
    wy_director_rule_make(x->p, &x->rule);
    x->third = (lane){0, 0, opt->plain ? 0.0 : 1.0, 0};
    WY_TRY(take(x, setup->arena, err));
    WY_TRY(list_loads(x, setup->arena, err));
    place_elements(x);
    WY_TRY(wy_director_loads_make(x, setup->arena, err));
    WY_TRY(set_sections(x, setup->model, err));
    WY_TRY(set_masses(x, setup->model, err));
    for (int i = 0; i < 2; i++) WY_TRY(set_end(x, setup->model, i, err));
    return WITHY_OK;
}

/* Rest strains and the shape at t = 0 come from the kernels: with a state of their own. */
static withy_status make_shapes(wy_director *x, wy_arena *arena, withy_error *err) {
    wy_director_plan *plan = &x->plan;
    wy_block state = {0}, scratch = {0};
    wy_director_lay(x, &state, &scratch);
    state = (wy_block){.base = wy_arena_take(arena, state.used, 1)};
    scratch = (wy_block){.base = wy_arena_take(arena, scratch.used, 1)};
    wy_pose *pose = wy_arena_take(arena, (size_t)plan->node_count, sizeof *pose);
    if (!state.base || !scratch.base || !pose)
        return wy_fail(err, WITHY_NO_MEMORY, "director: no memory for n = %d", plan->n);
    wy_director_lay(x, &state, &scratch);
    WY_TRY(set_rest(x, pose, err));
    WY_TRY(set_initial(x, pose, err));
    for (int j = 0; j < plan->node_count; j++) {
        wy_director_rate *given = &x->node[j].rate[0];
        WY_TRY(wy_velocity_at(plan->rod, plan->s[j], &given->dr, &given->theta, err));
    }
    memcpy(plan->first, x->node, (size_t)plan->node_count * sizeof *plan->first);
    return WITHY_OK;
}

withy_status wy_director_make(const wy_setup *setup, wy_director **out, withy_error *err) {
    wy_director *x = wy_arena_take(setup->arena, 1, sizeof *x);
    if (!x) return wy_fail(err, WITHY_NO_MEMORY, "director: no memory for the mesh");
    *out = x;
    x->setup = setup;
    WY_TRY(make_plan(&x->plan, setup, err));
    wy_arena room = {0};
    const withy_status status = make_shapes(x, &room, err);
    wy_arena_free(&room);
    if (status == WITHY_OK && x->plan.rigid)
        wy_note(setup->notes,
                "director: rigid strains (infinite stiffness) are given that of a round rod of "
                "radius %g L",
                RIGID_RADIUS);
    return status;
}

/* ---- t = 0 ----------------------------------------------------------------------------------------- */

/* Does the energy balance hold without work of unknown origin? */
static int conserves(const wy_director_plan *x) {
    const wy_end *a = &x->end[0].end, *b = &x->end[1].end;
    return !x->damped && !wy_has_time_loads(x->rod) && !a->drives_position && !a->drives_frame &&
           !b->drives_position && !b->drives_frame;
}

withy_status wy_director_let_go(wy_director *x, int moving, withy_error *err) {
    const wy_director_plan *plan = &x->plan;
    if (moving) WY_TRY(set_velocities(x, err));
    wy_director_stay(x);
    wy_director_strains(x, 1);
    /* reactions at t = 0 are those of the stress alone */
    *x->step = (wy_director_step){.h = 1.0, .beta = 1.0, .factor = 1.0};
    x->step->gravity = plan->problem->gravity;
    WY_TRY(wy_director_loads_at(x, 0, err));
    WY_TRY(wy_director_ends_at(x, 0, 0, err));
    wy_director_reactions(x);
    wy_director_ledger_open(x);
    x->setup->stats->conserves = conserves(plan);
    return WITHY_OK;
}

withy_status wy_director_start(wy_director *x, withy_error *err) {
    const wy_director_plan *plan = &x->plan;
    memcpy(x->node, plan->first, (size_t)plan->node_count * sizeof *plan->first);
    for (int i = 0; i < 2; i++) {
        const wy_director_node *node = &x->node[plan->end[i].node];
        x->now->end[i].spring_r = node->r;
        x->now->end[i].spring_d = tri_matrix(node->d);
    }
    return wy_director_let_go(x, 1, err);
}
