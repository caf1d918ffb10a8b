/* gradient_network_seed.c - the fields of a parameter, from the network set up at four values of it. */
#include <string.h>

#include "method/director/gradient_network.h"

typedef struct seed {
    wy_network *net, *at[4];
    wy_net_fields *field;
    int lane;
    double step;
} seed;

/* ---- are they alike? -------------------------------------------------------------------------------------------- */

static int same_joint(const wy_network *a, const wy_network *b, int i) {
    const wy_network_joint *x = &a->plan.joint[i], *y = &b->plan.joint[i];
    int same = x->first == y->first && x->count == y->count && x->cluster[0] == y->cluster[0] &&
               x->cluster[1] == y->cluster[1];
    for (int k = x->first; k < x->first + x->count && same; k++) {
        const wy_network_link *u = &a->plan.link[k], *v = &b->plan.link[k];
        same = u->kind == v->kind && u->silent == v->silent && u->multiplier == v->multiplier;
    }
    return same;
}

static withy_status same_network(const seed *s, withy_error *err) {
    for (int n = 0; n < 4; n++) {
        const wy_network_plan *a = &s->net->plan, *b = &s->at[n]->plan;
        int same = a->rods == b->rods && a->clusters == b->clusters && a->members == b->members &&
                   a->bodies == b->bodies && a->joints == b->joints && a->links == b->links &&
                   a->multipliers == b->multipliers && a->pushes == b->pushes;
        for (int i = 0; i < a->members && same; i++)
            same = a->member[i].rod == b->member[i].rod && a->member[i].node == b->member[i].node &&
                   a->member[i].cluster == b->member[i].cluster;
        for (int c = 0; c < a->clusters && same; c++)
            same = a->cluster[c].held == b->cluster[c].held;
        for (int i = 0; i < a->joints && same; i++) same = same_joint(s->net, s->at[n], i);
        if (!same)
            return wy_fail(err, WITHY_UNSUPPORTED,
                           "director: with another value of the parameter the network has other "
                           "parts, joints or elements, so that there is no derivative by it");
    }
    return WITHY_OK;
}

/* ---- the axes of clusters ------------------------------------------------------------------------------------------ */

static const mat3 *attitude(const wy_network *net, int c) {
    const int part = net->plan.cluster_part[net->plan.cluster_first[c]];
    return part < net->plan.bodies ? &net->plan.body[part].q
                                   : &net->plan.member[part - net->plan.bodies].q;
}

static void turn_scalar(wy_scalar *g, int side, mat3 by) {
    for (int m = 0; m < g->terms; m++) {
        wy_product *term = &g->term[m];
        term->u.o[side] = m3_tmul(by, term->u.o[side]);
        term->w.o[side] = m3_tmul(by, term->w.o[side]);
    }
}

static void turn_joints(wy_network *to, int c, mat3 by) {
    for (int i = 0; i < to->plan.joints; i++) {
        wy_network_joint *j = &to->plan.joint[i];
        for (int s = 0; s < 2; s++) {
            if (j->cluster[s] != c) continue;
            j->o[s] = m3_tmul(by, j->o[s]);
            for (int k = j->first; k < j->first + j->count; k++) {
                turn_scalar(&to->plan.link[k].g, s, by);
                if (to->plan.link[k].kind == WY_LINK_ANGLE)
                    turn_scalar((wy_scalar *)to->plan.link[k].other, s, by); /* it is its own */
            }
        }
    }
}

/* D := D by, and with it all that has its components in these axes, but the moments of inertia. */
static void turn_cluster(wy_network *to, int c, mat3 by) {
    wy_director_node *node = &to->hub.node[c];
    const mat3 back = m3_transpose(by);
    node->d = tri_from(m3_mulm(tri_matrix(node->d), by));
    node->w = vec3_lane(m3_tmul(by, lane_vec3(node->w)));
    to->plan.cluster[c].d = m3_mulm(to->plan.cluster[c].d, by);
    for (int i = 0; i < to->plan.bodies; i++) {
        wy_network_body *body = &to->plan.body[i];
        if (body->cluster == c) body->o = m3_mul(back, body->o), body->q = m3_mulm(back, body->q);
    }
    for (int i = 0; i < to->plan.members; i++) {
        wy_network_member *k = &to->plan.member[i];
        if (k->cluster == c) k->o = m3_mul(back, k->o), k->q = m3_mulm(back, k->q);
    }
    turn_joints(to, c, by);
}

static void inertia_of(const wy_network *net, int c, mat3 by, double j[6]) {
    const lane r = net->hub.plan.mass[c].rotary;
    const vec3 a = v3(by.c1.x, by.c2.x, by.c3.x), b = v3(by.c1.y, by.c2.y, by.c3.y);
    const vec3 d = v3(by.c1.z, by.c2.z, by.c3.z); /* rows of `by`: columns of its transpose */
    const vec3 row[3] = {a, b, d};
    for (int i = 0; i < 6; i++) j[i] = 0;
    for (int k = 0; k < 3; k++) { /* by^T diag(r) by */
        const vec3 v = row[k];
        j[0] += r[k] * v.x * v.x, j[1] += r[k] * v.y * v.y, j[2] += r[k] * v.z * v.z;
        j[3] += r[k] * v.y * v.z, j[4] += r[k] * v.z * v.x, j[5] += r[k] * v.x * v.y;
    }
}

/* ---- fields --------------------------------------------------------------------------------------------------------- */

static void seed_cluster(const seed *s, int c) {
    wy_net_mass *mass = &s->field->mass[c];
    wy_slope_node *first = &s->field->first[c];
    const int l = s->lane;
    double m[4], j[4][6], one[4];
    vec3 r[4], v[4], w[4];
    mat3 d[4];
    for (int i = 0; i < 4; i++) {
        wy_network *to = s->at[i];
        const mat3 by = m3_mulm(*attitude(to, c), m3_transpose(*attitude(s->net, c)));
        turn_cluster(to, c, by);
        inertia_of(to, c, by, j[i]);
        const wy_director_node *node = &to->hub.node[c];
        m[i] = to->hub.plan.mass[c].mass;
        r[i] = v3_add(to->hub.now->origin, node->r), v[i] = node->v, w[i] = lane_vec3(node->w);
        d[i] = tri_matrix(node->d);
    }
    mass->mass[l] = wy_slope_five(m, s->step);
    for (int k = 0; k < 6; k++) {
        for (int i = 0; i < 4; i++) one[i] = j[i][k];
        mass->inertia[k][l] = wy_slope_five(one, s->step);
    }
    wy_slope_set(first->r, l, wy_slope_five3(r, s->step));
    wy_slope_set(first->phi, l, wy_slope_turn3(d, s->step));
    wy_slope_set(first->v, l, wy_slope_five3(v, s->step));
    wy_slope_set(first->w, l, wy_slope_five3(w, s->step));
}

static void seed_members(const seed *s) {
    const double small = 1e-12;
    for (int k = 0; k < s->net->plan.members; k++) {
        vec3 o[4];
        mat3 q[4];
        for (int i = 0; i < 4; i++)
            o[i] = s->at[i]->plan.member[k].o, q[i] = s->at[i]->plan.member[k].q;
        const vec3 a = wy_slope_five3(o, s->step), b = wy_slope_turn3(q, s->step);
        wy_slope_set(s->field->member[k].o, s->lane, a);
        wy_slope_set(s->field->member[k].q, s->lane, b);
        const double moved = v3_norm(a) * s->step / s->net->plan.length + v3_norm(b) * s->step;
        if (moved > small) s->net->slopes->carried = 1;
    }
}

/* ---- does the parameter reach joints, loads of bodies or what is held? -------------------------------------------- */

static int differs(double a, double b) {
    return fabs(a - b) > 1e-13 * (fabs(a) + fabs(b));
}

static int differs3(vec3 a, vec3 b) {
    return v3_norm(v3_sub(a, b)) > 1e-13 * (v3_norm(a) + v3_norm(b));
}

static int arm_differs(const wy_arm *a, const wy_arm *b) {
    return differs3(a->o[0], b->o[0]) || differs3(a->o[1], b->o[1]) || differs3(a->k, b->k);
}

static int scalar_differs(const wy_scalar *a, const wy_scalar *b) {
    int any = 0;
    for (int m = 0; m < a->terms; m++)
        any |=
            arm_differs(&a->term[m].u, &b->term[m].u) || arm_differs(&a->term[m].w, &b->term[m].w);
    return any;
}

static int link_differs(const wy_network_link *a, const wy_network_link *b) {
    const double x[7] = {a->zero,    a->law.spring, a->law.rest, a->law.damping,
                         a->law.low, a->law.high,   a->law.stop};
    const double y[7] = {b->zero,    b->law.spring, b->law.rest, b->law.damping,
                         b->law.low, b->law.high,   b->law.stop};
    int any = scalar_differs(&a->g, &b->g) || a->drive || a->effort;
    if (a->kind == WY_LINK_ANGLE) any |= scalar_differs(a->other, b->other);
    for (int i = 0; i < 7; i++) any |= differs(x[i], y[i]);
    return any;
}

static int pose_differs(wy_pose a, wy_pose b) {
    return differs3(a.r, b.r) || differs3(a.frame.c1, b.frame.c1) ||
           differs3(a.frame.c2, b.frame.c2);
}

static withy_status held_differs(const wy_network *a, const wy_network *b, int *any,
                                 withy_error *err) {
    for (int c = 0; c < a->plan.clusters; c++) {
        const wy_network_cluster *held = &a->plan.cluster[c];
        wy_pose x, y;
        if (!held->held) continue;
        WY_TRY(wy_cluster_target(a, c, 0, &x, err));
        WY_TRY(wy_cluster_target(b, c, 0, &y, err));
        *any |= pose_differs(x, y) || held->ground;
        if (held->rod < 0) continue;
        const wy_end *end = &a->rod[held->rod].plan.end[held->which].end;
        *any |= end->drives_position || end->drives_frame;
    }
    return WITHY_OK;
}

/* Functions are not compared: they may be anything. */
static withy_status hub_differs(const wy_network *a, const wy_network *b, int *any,
                                withy_error *err) {
    const wy_network_plan *x = &a->plan, *y = &b->plan;
    *any = x->pushes > 0;
    for (int i = 0; i < x->links; i++) *any |= link_differs(&x->link[i], &y->link[i]);
    for (int i = 0; i < x->joints; i++) {
        const wy_network_joint *j = &x->joint[i];
        *any |= j->ground || (j->pin && (j->pin->drives_position || j->pin->drives_frame));
        for (int s = 0; s < 2; s++) *any |= differs3(j->o[s], y->joint[i].o[s]);
    }
    return held_differs(a, b, any, err);
}

static withy_status seed_rods(const seed *s, int k, int *keeps, withy_error *err) {
    for (int r = 0; r < s->net->plan.rods; r++) {
        wy_director *at[4];
        for (int i = 0; i < 4; i++) at[i] = &s->at[i]->rod[r];
        WY_TRY(wy_slope_seed(&s->net->rod[r], k, at, s->step, err));
        *keeps |= wy_slope_lives(&s->net->rod[r]);
    }
    return WITHY_OK;
}

static withy_status seed_parameter(void *self, int k, void *const at[4], double step, int *keeps,
                                   withy_error *err) {
    wy_network *net = wy_network_of(self);
    seed s = {.net = net, .lane = k % WY_PACK, .step = step};
    vec3 gravity[4];
    s.field = &net->slopes->field[k / WY_PACK];
    for (int i = 0; i < 4; i++) {
        s.at[i] = wy_network_of(at[i]);
        gravity[i] = s.at[i]->hub.plan.problem->gravity;
    }
    *keeps = 0;
    WY_TRY(same_network(&s, err));
    WY_TRY(seed_rods(&s, k, keeps, err));
    for (int c = 0; c < net->plan.clusters; c++) seed_cluster(&s, c);
    seed_members(&s);
    wy_slope_set(s.field->gravity, s.lane, wy_slope_five3(gravity, step));
    int any;
    WY_TRY(hub_differs(net, s.at[3], &any, err));
    if (!any) return WITHY_OK;
    *keeps = 1;
    net->slopes->live[k].step = step;
    for (int i = 0; i < 4; i++) {
        net->slopes->live[k].at[i] = s.at[i];
        for (int n = 0; n < net->plan.links; n++) /* wy_law_stops_near instead */
            s.at[i]->plan.link[n].law.limited = 0;
    }
    return WITHY_OK;
}

/* ---- the door ---------------------------------------------------------------------------------------------------- */

static void sample(const void *self, int rod, int k, int count, const double *s, vec3 *position,
                   vec3 *turn) {
    const wy_network *net = self;
    wy_slope_sample(&net->rod[rod], k, count, s, position, turn);
}

static wy_slope_quality quality(const void *self, int k) {
    const wy_network *net = self;
    wy_slope_quality worst = {.rough = net->slopes->live[k].rough};
    for (int i = 0; i < net->plan.rods; i++) {
        const wy_slope_quality own = wy_slope_quality_of(&net->rod[i], k);
        worst.grown = wy_max(worst.grown, own.grown), worst.fault = wy_max(worst.fault, own.fault);
        worst.rough = wy_max(worst.rough, own.rough);
    }
    return worst;
}

static void start(void *self) {
    wy_network *net = self;
    for (int i = 0; i < net->plan.rods; i++) wy_slope_begin(&net->rod[i]);
    for (int g = 0; g < net->slopes->groups && !net->slopes->tape; g++)
        memcpy(wy_net_nodes(net, g), net->slopes->field[g].first,
               (size_t)net->plan.clusters * sizeof(wy_slope_node));
}

static withy_status still(void *self, double t, withy_error *err) {
    return wy_net_at_rest(self, t, wy_net_solve_slopes, err);
}

static withy_status mode_slope(void *self, int k, const withy_mode *mode, double *slope,
                               withy_error *err) {
    wy_net_idle(self, 1); /* the equilibrium is far from all obstacles */
    const withy_status status = wy_net_slope_mode(self, k, mode, slope, err);
    wy_net_idle(self, 0);
    return status;
}

static void *kept(void *self, size_t *size) {
    const wy_net_slopes *s = ((const wy_network *)self)->slopes;
    char *from = (char *)s->node;
    *size = from ? (size_t)(s->end - from) : 0;
    return from;
}

const wy_slope_door wy_network_slope_door = {.seed = seed_parameter,
                                             .start = start,
                                             .still = still,
                                             .sample = sample,
                                             .quality = quality,
                                             .mode = mode_slope,
                                             .kept = kept};
