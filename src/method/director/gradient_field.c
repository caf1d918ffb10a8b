/* gradient_field.c - the residual of the nodes by what acts on them: masses, gravity, drag, lumps, springs,
 * loads, and where the ends are held.
 *
 *   dF_r   = dm (2 ((r+ - r-)/h - v-)/h - g) - m dg - df
 *   dF_phi = (R+ dJ W+ - R- dJ W-)/h - dl
 *   lump   F = M (2 (x+ - x-)/h - 2 u-)/h - M g at the arm c = R o:  dF from dM, do;  dF_phi = dc x F + c x dF
 */
#include <string.h>

#include "method/director/force.h"

/* ---- loads and ends of the step -------------------------------------------------------------------- */

double wy_slope_five(const double f[4], double step) {
    return (f[0] - 8 * f[1] + 8 * f[2] - f[3]) / (12 * step);
}

/* From the differences of one step, and of two, on both sides. */
static vec3 from_near(vec3 near, vec3 far, double step) {
    return v3_scale(1 / (12 * step), v3_axpy(v3_scale(8, near), -1, far));
}

vec3 wy_slope_five3(const vec3 f[4], double step) {
    return from_near(v3_sub(f[2], f[1]), v3_sub(f[3], f[0]), step);
}

/* The rotation vector from one frame to another. */
static vec3 turn_from(mat3 a, mat3 b) {
    return q_log(q_from_matrix(m3_mulm(b, m3_transpose(a))));
}

vec3 wy_slope_turn3(const mat3 f[4], double step) {
    return from_near(turn_from(f[1], f[2]), turn_from(f[0], f[3]), step);
}

void wy_slope_rough3(const vec3 f[4], double unit, double *rough) {
    static const double ROUNDING = 1e-8; /* of the values, or of their unit */
    const vec3 first = v3_sub(f[1], f[0]), middle = v3_scale(0.5, v3_sub(f[2], f[1])),
               last = v3_sub(f[3], f[2]);
    const double bend = v3_norm(v3_sub(middle, v3_scale(0.5, v3_add(first, last))));
    const double slope = wy_max(v3_norm(middle), wy_max(v3_norm(first), v3_norm(last)));
    const double size = wy_max(unit, wy_max(v3_norm(f[0]), v3_norm(f[3])));
    if (bend > ROUNDING * size) *rough = wy_max(*rough, bend / slope);
}

void wy_slope_rough(const double f[4], double unit, double *rough) {
    const vec3 v[4] = {v3(f[0], 0, 0), v3(f[1], 0, 0), v3(f[2], 0, 0), v3(f[3], 0, 0)};
    wy_slope_rough3(v, unit, rough);
}

int wy_slope_load_acts(const wy_director *x, int load) {
    const int on = x->now->pulling ? x->plan.source_count : x->plan.rod->load_count;
    return x->plan.load.point[load].load - x->plan.source < on;
}

/* Constants: those of the fields, times the factor. */
static void act_constant(const wy_director *x, int group) {
    const wy_slope_fields *f = &x->slopes->field[group];
    wy_slope_acting *act = &x->slopes->acting[group];
    const double factor = x->step->factor;
    for (int i = 0; i < x->plan.load.count; i++)
        for (int c = 0; c < 3; c++) {
            const double k = wy_slope_load_acts(x, i) ? factor : 0;
            act->load[i].force[c] = k * f->load[i].force[c];
            act->load[i].moment[c] = k * f->load[i].moment[c];
        }
    for (int e = 0; e < 2; e++) {
        const wy_slope_node *first = &f->first[x->plan.end[e].node];
        wy_slope_end *to = &act->end[e];
        for (int c = 0; c < 3; c++) { /* in motion an end is held where the shape begins */
            to->apply.force[c] = factor * f->end[e].apply.force[c];
            to->apply.moment[c] = factor * f->end[e].apply.moment[c];
            to->place[c] = x->step->dynamic ? first->r[c] : f->end[e].place[c];
            to->turn[c] = x->step->dynamic ? first->phi[c] : f->end[e].turn[c];
        }
    }
}

static withy_status act_at(wy_director *other, const wy_director *x, double t_load, double t_pose,
                           withy_error *err) {
    wy_director_end_now end[2];
    memcpy(end, other->now->end, sizeof end);
    if (!x->step->dynamic)
        for (int e = 0; e < 2; e++)
            other->now->end[e].offset_r = other->now->end[e].offset_turn = v3(0, 0, 0);
    other->step->factor = x->step->factor, other->step->dynamic = x->step->dynamic;
    other->step->t = x->step->t, other->step->h = x->step->h;
    other->now->pulling = x->now->pulling;
    WY_TRY(wy_director_loads_at(other, t_load, err));
    const withy_status status = wy_director_ends_at(other, t_load, t_pose, err);
    memcpy(other->now->end, end, sizeof end);
    return status;
}

/* Functions of time: from the problems. */
withy_status wy_slope_act_live(wy_director *x, int k, double t_load, double t_pose,
                               withy_error *err) {
    wy_slope_live *live = &x->slopes->live[k];
    wy_slope_acting *act = &x->slopes->acting[k / WY_PACK];
    const int l = k % WY_PACK;
    for (int i = 0; i < 4; i++) WY_TRY(act_at(live->at[i], x, t_load, t_pose, err));
    for (int i = 0; i < x->plan.load.count; i++) {
        vec3 f[4], m[4];
        for (int v = 0; v < 4; v++)
            f[v] = live->at[v]->force[i].force, m[v] = live->at[v]->force[i].moment;
        wy_slope_rough3(f, 0, &live->rough);
        wy_slope_rough3(m, v3_norm(f[0]) * x->plan.rod->length, &live->rough);
        wy_slope_set(act->load[i].force, l, wy_slope_five3(f, live->step));
        wy_slope_set(act->load[i].moment, l, wy_slope_five3(m, live->step));
    }
    for (int e = 0; e < 2; e++) {
        vec3 f[4], m[4], r[4];
        mat3 pose[4];
        for (int v = 0; v < 4; v++) {
            const wy_director_end_step *to = &live->at[v]->step->end[e];
            f[v] = to->apply.force, m[v] = to->apply.moment;
            r[v] = v3_add(to->target_r, live->at[v]->now->origin), pose[v] = to->target;
        }
        wy_slope_rough3(f, 0, &live->rough);
        wy_slope_rough3(m, v3_norm(f[0]) * x->plan.rod->length, &live->rough);
        wy_slope_set(act->end[e].apply.force, l, wy_slope_five3(f, live->step));
        wy_slope_set(act->end[e].apply.moment, l, wy_slope_five3(m, live->step));
        wy_slope_set(act->end[e].place, l, wy_slope_five3(r, live->step));
        wy_slope_set(act->end[e].turn, l, wy_slope_turn3(pose, live->step));
    }
    return WITHY_OK;
}

withy_status wy_slope_act(wy_director *x, double t_load, double t_pose, withy_error *err) {
    for (int g = 0; g < x->slopes->groups; g++) act_constant(x, g);
    for (int k = 0; k < x->slopes->count; k++)
        if (x->slopes->live[k].at[0]) WY_TRY(wy_slope_act_live(x, k, t_load, t_pose, err));
    return WITHY_OK;
}

/* ---- nodes ------------------------------------------------------------------------------------------ */

static void add_inertia(const wy_director *x, int j, const wy_slope_mass *d, pack *side) {
    const wy_director_node *node = &x->node[j];
    const wy_director_next *next = &x->next[j];
    const double per = 1.0 / x->step->h;
    const vec3 a = v3_scale(2 * per, v3_sub(v3_scale(per, next->dr), node->v));
    take3(side, scale3(d->mass, splat3(a)));
    const lane w_plus = lane_all(2 * per) * tri_dot(node->d, tri_all(next->theta)) - node->w;
    const tri change =
        tri_scale(lane_all(per), tri_sub(tri_scale(w_plus, next->d), tri_scale(node->w, node->d)));
    take3(side + 3, turned3(change, of3(d->rotary)));
}

static void add_lump(const wy_director *x, int which, const wy_slope_fields *f, pack *side) {
    const wy_director_end *end = &x->plan.end[which];
    const wy_director_next *next = &x->next[end->node];
    const wy_slope_end *d = &f->end[which];
    const double per = 1.0 / x->step->h, m = end->mass;
    const tri acting = wy_director_acting(x, end->node);
    const vec3 c = tri_sum3(tri_scale(vec3_lane(end->arm), acting));
    vec3 a = v3_scale(-1, x->step->gravity);
    pack3 df = scale3(splat(-m * x->step->factor), of3(f->gravity));
    if (x->step->dynamic) {
        const vec3 way = v3_add(next->dr, v3_cross(next->theta, c));
        a = v3_axpy(a, 2 * per, v3_sub(v3_scale(per, way), x->now->end[which].u));
        df = add3(df, scale3(splat(2 * m * per * per),
                             turned3(tri_sub(next->d, x->node[end->node].d), of3(d->arm))));
    }
    df = add3(df, scale3(d->mass, splat3(a)));
    const pack3 dc = turned3(acting, of3(d->arm));
    take3(side, df);
    take3(side + 3, add3(cross3(dc, splat3(v3_scale(m, a))), cross3(splat3(c), df)));
}

vec3 wy_slope_unit_turn(const wy_director *x, int which) {
    wy_director y = *x;
    double a[6][6] = {{0}}, b[6] = {0};
    y.plan.forces = 0, y.plan.end[which].loaded = 0;
    y.plan.end[which].spring = 0, y.plan.end[which].spring_turn = 1;
    wy_director_node_forces(&y, y.plan.end[which].node, a, b);
    return v3_from(b + 3);
}

static int any(pack a) {
    for (int l = 0; l < WY_PACK; l++)
        if (a[l] != 0) return 1;
    return 0;
}

static void add_springs(const wy_director *x, int which, const wy_slope_end *d, pack *side) {
    const wy_director_end *end = &x->plan.end[which];
    const vec3 r =
        x->step->dynamic ? wy_director_mid_r(x, end->node) : wy_director_plus_r(x, end->node);
    take3(side, scale3(d->spring, splat3(v3_sub(r, x->now->end[which].spring_r))));
    take3(side, scale3(splat(-end->spring), of3(d->spring_r)));
    if (any(d->spring_turn))
        take3(side + 3, scale3(d->spring_turn, splat3(wy_slope_unit_turn(x, which))));
}

static void add_end_load(const wy_director *x, int which, const wy_slope_force *d, pack *side) {
    const wy_director_end *end = &x->plan.end[which];
    pack3 force = of3(d->force), moment = of3(d->moment);
    if (end->end.end->follower) {
        const tri acting = wy_director_acting(x, end->node);
        force = turned3(acting, force), moment = turned3(acting, moment);
    }
    take3(side, scale3(splat(-1), force));
    take3(side + 3, scale3(splat(-1), moment));
}

void wy_slope_node_fields(const wy_director *x, int j, int group, pack *side) {
    const wy_slope_fields *f = &x->slopes->field[group];
    const wy_slope_mass *d = &f->mass[j];
    take3(side, scale3(-d->mass, splat3(x->step->gravity)));
    take3(side, scale3(splat(-x->plan.mass[j].mass * x->step->factor), of3(f->gravity)));
    if (x->step->dynamic) add_inertia(x, j, d, side);
    if (x->plan.forces) wy_forces_derive(x, j, f, side);
    if (j > 0 && j < x->plan.node_count - 1) return;
    const int which = j > 0;
    const wy_director_end *end = &x->plan.end[which];
    if (end->mass > 0 || any(f->end[which].mass)) add_lump(x, which, f, side);
    add_springs(x, which, &f->end[which], side);
    if (end->loaded) add_end_load(x, which, &x->slopes->acting[group].end[which].apply, side);
}

void wy_slope_loads(const wy_director *x, int group, pack *side) {
    const wy_slope_force *load = x->slopes->acting[group].load;
    for (int i = 0; i < x->plan.load.count; i++) {
        const int first = x->plan.load.point[i].cell * x->plan.p;
        pack3 force = of3(load[i].force), moment = of3(load[i].moment);
        if (x->plan.load.point[i].load->follower) {
            tri d = {{0}, {0}, {0}};
            for (int a = 0; a <= x->plan.p; a++)
                d = tri_axpy(d, lane_all(x->plan.value[i][a]), wy_director_acting(x, first + a));
            force = turned3(d, force), moment = turned3(d, moment);
        }
        for (int a = 0; a <= x->plan.p; a++) {
            const pack k = splat(-x->plan.value[i][a]);
            take3(&side[6 * (first + a)], scale3(k, force));
            take3(&side[6 * (first + a) + 3], scale3(k, moment));
        }
    }
}
