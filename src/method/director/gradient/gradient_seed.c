/* gradient_seed.c - a parameter, from the network set up at four values of it (gradient_field.c), and what is reported of the
 * derivatives by it. */
#include "method/director/contact/contacts.h"
#include "method/director/gradient/gradient_network.h"

typedef struct seed {
    wy_network *net, *at[4];
    double step;
} seed;

/* ---- are they alike? -------------------------------------------------------------------------------------------- */

static int same_joint(const wy_network *a, const wy_network *b, int i) {
    const wy_network_joint *x = &a->plan.joint[i], *y = &b->plan.joint[i];
    int same = x->first == y->first && x->count == y->count &&
               x->rigid_group[0] == y->rigid_group[0] && x->rigid_group[1] == y->rigid_group[1];
    for (int k = x->first; k < x->first + x->count && same; k++) {
        const wy_network_constraint *u = &a->plan.constraint[k], *v = &b->plan.constraint[k];
        same = u->kind == v->kind && u->silent == v->silent && u->multiplier == v->multiplier;
    }
    return same;
}

static withy_status same_network(const wy_network *x, const wy_network *y, withy_error *err) {
    const wy_network_plan *a = &x->plan, *b = &y->plan;
    int same = a->rods == b->rods && a->rigid_groups == b->rigid_groups &&
               a->members == b->members && a->bodies == b->bodies && a->joints == b->joints &&
               a->constraints == b->constraints && a->multipliers == b->multipliers &&
               a->pushes == b->pushes;
    for (int i = 0; i < a->members && same; i++)
        same = a->member[i].rod == b->member[i].rod && a->member[i].node == b->member[i].node &&
               a->member[i].rigid_group == b->member[i].rigid_group;
    for (int c = 0; c < a->rigid_groups && same; c++)
        same = a->rigid_group[c].held == b->rigid_group[c].held;
    for (int i = 0; i < a->joints && same; i++) same = same_joint(x, y, i);
    if (same) return WITHY_OK;
    return wy_fail(err, WITHY_UNSUPPORTED,
                   "director: with another value of the parameter the network has other "
                   "parts, joints or elements, so that there is no derivative by it");
}

static withy_status same_mesh(const wy_director *x, const wy_director *y, withy_error *err) {
    const wy_director_plan *a = &x->plan, *b = &y->plan;
    if (a->n != b->n || a->p != b->p || a->load.count != b->load.count)
        return wy_fail(err, WITHY_UNSUPPORTED,
                       "director: with another value of the parameter the rod has other elements "
                       "or loads, so that there is no derivative by it");
    for (int k = 0; k < a->load.count; k++)
        for (int c = 0; c <= a->p; c++)
            if (a->load.point[k].cell != b->load.point[k].cell ||
                !(fabs(a->value[k][c] - b->value[k][c]) < 1e-9))
                return wy_fail(err, WITHY_UNSUPPORTED,
                               "director: the place of a load within its element depends on the "
                               "parameter, which is not differentiated; use more elements "
                               "(options.n), so that one ends there");
    return WITHY_OK;
}

/* Does an end that slides hold the same displacements? */
static int same_track(const wy_director_end *a, const wy_director_end *b) {
    const vec3 held[2] = {b->track.c1, b->track.c2};
    for (int i = 0; a->slides && i < a->places; i++) {
        const vec3 free = v3_sub(held[i], wy_held_part(a->places, &a->track, held[i]));
        if (!(v3_norm(free) < 1e-9)) return 0;
    }
    return 1;
}

/* What is in no table. */
static withy_status same_rest(const wy_director *x, const wy_director *y, withy_error *err) {
    const withy_floor *a = &x->plan.problem->floor, *b = &y->plan.problem->floor;
    if (a->given &&
        (a->stiffness != b->stiffness || a->damping != b->damping ||
         !v3_is_zero(v3_sub(a->point, b->point)) || !v3_is_zero(v3_sub(a->normal, b->normal))))
        return wy_fail(err, WITHY_UNSUPPORTED,
                       "director: the floor depends on the parameter, which is not differentiated");
    for (int e = 0; e < 2; e++) {
        if (!same_track(&x->plan.end[e], &y->plan.end[e]))
            return wy_fail(err, WITHY_UNSUPPORTED,
                           "director: the direction along which ends.%s slides depends on the "
                           "parameter, which is not differentiated; give it as ends.%s.along, "
                           "without the parameter",
                           e ? "finish" : "start", e ? "finish" : "start");
        const mat3 home = x->now->end[e].spring_d, other = y->now->end[e].spring_d;
        const vec3 turned = q_log(q_from_matrix(m3_mulm(other, m3_transpose(home))));
        if (x->plan.end[e].spring_turn > 0 && !(v3_norm(turned) < 1e-9))
            return wy_fail(
                err, WITHY_UNSUPPORTED,
                "director: the direction to which ends.%s.spring_turn returns depends on "
                "the parameter, which is not differentiated",
                e ? "finish" : "start");
    }
    return WITHY_OK;
}

/* Obstacles of the same kind, a law with the same range. */
static withy_status same_contacts(const wy_network *x, const wy_network *y, withy_error *err) {
    const wy_contacts_plan *a = &x->contacts->plan, *b = y->contacts ? &y->contacts->plan : NULL;
    int same = b && a->obstacles == b->obstacles && a->points == b->points && a->law == b->law &&
               a->range == b->range && a->has_friction == b->has_friction;
    for (int w = 0; w < a->obstacles && same; w++)
        same = a->obstacle[w].shape.kind == b->obstacle[w].shape.kind;
    if (same) return WITHY_OK;
    return wy_fail(err, WITHY_UNSUPPORTED,
                   "director: with another value of the parameter there are other obstacles or "
                   "another contact law or range, so that there is no derivative by it");
}

/* ---- the axes of rigid groups ------------------------------------------------------------------------------------------ */

static mat3 attitude(const wy_network *net, int c) {
    const int part = net->plan.rigid_group_part[net->plan.rigid_group_first[c]];
    return part < net->plan.bodies ? net->plan.body[part].q
                                   : net->plan.member[part - net->plan.bodies].q;
}

static void turn_scalar(wy_scalar *g, int side, mat3 by) {
    for (int m = 0; m < g->terms; m++) {
        wy_product *term = &g->term[m];
        term->u.o[side] = m3_tmul(by, term->u.o[side]);
        term->w.o[side] = m3_tmul(by, term->w.o[side]);
    }
}

static void turn_joint(wy_network *to, wy_network_joint *j, int side, mat3 by) {
    j->o[side] = m3_tmul(by, j->o[side]);
    for (int k = j->first; k < j->first + j->count; k++) {
        turn_scalar(&to->plan.constraint[k].g, side, by);
        if (to->plan.constraint[k].kind == WY_CONSTRAINT_ANGLE)
            turn_scalar((wy_scalar *)to->plan.constraint[k].other, side, by); /* it is its own */
    }
}

/* D := D by, and with it all that has its components in these axes, but the moments of inertia. */
static void turn_rigid_group(wy_network *to, int c, mat3 by) {
    wy_director_node *node = &to->rigid.node[c];
    const mat3 back = m3_transpose(by);
    node->d = tri_from(m3_mulm(tri_matrix(node->d), by));
    node->w = vec3_lane(m3_mul(back, lane_vec3(node->w)));
    to->plan.rigid_group[c].d = m3_mulm(to->plan.rigid_group[c].d, by);
    for (int i = 0; i < to->plan.bodies; i++) {
        wy_network_body *body = &to->plan.body[i];
        if (body->rigid_group == c)
            body->o = m3_mul(back, body->o), body->q = m3_mulm(back, body->q);
    }
    for (int i = 0; i < to->plan.members; i++) {
        wy_group_node *k = &to->plan.member[i];
        if (k->rigid_group == c) k->o = m3_mul(back, k->o), k->q = m3_mulm(back, k->q);
    }
    for (int i = 0; i < 2 * to->plan.joints; i++) {
        wy_network_joint *j = &to->plan.joint[i / 2];
        if (j->rigid_group[i % 2] == c) turn_joint(to, j, i % 2, by);
    }
}

/* Do copies move in their rigid groups? */
static void find_carried(const seed *s, int k) {
    const wy_slope_member *d = s->net->rigid.slopes->field[k / WY_PACK].member;
    for (int n = 0; n < s->net->plan.members; n++) {
        const vec3 o = wy_slope_lane(d[n].o, k % WY_PACK), q = wy_slope_lane(d[n].q, k % WY_PACK);
        const double moved = (v3_norm(o) / s->net->plan.length + v3_norm(q)) * s->step;
        if (moved > 1e-12) s->net->slopes->carried = 1;
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

static int constraint_differs(const wy_network_constraint *a, const wy_network_constraint *b) {
    const wy_law *x = &a->law, *y = &b->law;
    return a->drive || a->effort || a->rod >= 0 || scalar_differs(&a->g, &b->g) ||
           (a->kind == WY_CONSTRAINT_ANGLE && scalar_differs(a->other, b->other)) ||
           differs(a->zero, b->zero) || differs(x->spring, y->spring) ||
           differs(x->rest, y->rest) || differs(x->damping, y->damping) ||
           differs(x->low, y->low) || differs(x->high, y->high) || differs(x->stop, y->stop);
}

static withy_status held_differs(const wy_network *a, const wy_network *b, int *any,
                                 withy_error *err) {
    for (int c = 0; c < a->plan.rigid_groups; c++) {
        const wy_network_rigid_group *held = &a->plan.rigid_group[c];
        wy_pose x, y;
        if (!held->held) continue;
        WY_TRY(wy_rigid_group_target(a, c, 0, &x, err));
        WY_TRY(wy_rigid_group_target(b, c, 0, &y, err));
        *any |= held->ground || differs3(x.r, y.r) || differs3(x.frame.c1, y.frame.c1) ||
                differs3(x.frame.c2, y.frame.c2);
        if (held->rod < 0) continue;
        const wy_end *end = &a->rod[held->rod].plan.end[held->which].end;
        *any |= end->drives_position || end->drives_frame;
    }
    return WITHY_OK;
}

/* Functions are not compared: they may be anything. */
static withy_status rigid_differs(const wy_network *a, const wy_network *b, int *any,
                                  withy_error *err) {
    const wy_network_plan *x = &a->plan, *y = &b->plan;
    *any = x->pushes > 0 || x->tendons > 0;
    for (int i = 0; i < x->constraints; i++)
        *any |= constraint_differs(&x->constraint[i], &y->constraint[i]);
    for (int i = 0; i < x->joints; i++) {
        const wy_network_joint *j = &x->joint[i];
        *any |= j->ground || (j->pin && (j->pin->drives_position || j->pin->drives_frame));
        for (int s = 0; s < 2; s++) *any |= differs3(j->o[s], y->joint[i].o[s]);
    }
    return held_differs(a, b, any, err);
}

/* ---- fields ---------------------------------------------------------------------------------------------------------- */

/* Loads and ends at t = 0, with those that act before it. */
static withy_status act_first(wy_director *x, withy_error *err) {
    x->now->pulling = 1;
    *x->step = (wy_director_step){.h = 1.0, .beta = 1.0, .factor = 1.0};
    WY_TRY(wy_director_loads_at(x, 0, err));
    return wy_director_ends_at(x, 0, 0, err);
}

/* The set-ups of a part stay for the steps to come. */
static void keep(wy_slope_live *live, wy_director *const at[4], double step, int *keeps) {
    live->step = step;
    for (int i = 0; i < 4; i++) live->at[i] = at[i];
    *keeps = 1;
}

static withy_status seed_rod(const seed *s, int rod, int k, int *keeps, withy_error *err) {
    wy_director *x = &s->net->rod[rod], *at[4];
    int lives = wy_has_time_loads(x->plan.rod);
    for (int i = 0; i < 4; i++) {
        at[i] = &s->at[i]->rod[rod];
        WY_TRY(same_mesh(x, at[i], err));
        WY_TRY(same_rest(at[0], at[i], err));
        WY_TRY(act_first(at[i], err));
    }
    wy_fields_seed(x, k, at, s->step);
    for (int i = 0; i < 4; i++) { /* as a motion that starts: step.c */
        at[i]->now->pulling = 0;
        WY_TRY(wy_director_offsets(at[i], err));
    }
    for (int e = 0; e < 2; e++)
        lives |= x->plan.end[e].end.drives_position || x->plan.end[e].end.drives_frame;
    if (lives) keep(&x->slopes->live[k], at, s->step, keeps);
    return WITHY_OK;
}

static withy_status seed_rigid(const seed *s, int k, int *keeps, withy_error *err) {
    wy_network *net = s->net;
    wy_director *at[4];
    int any;
    for (int i = 0; i < 4; i++) {
        at[i] = &s->at[i]->rigid;
        for (int c = 0; c < net->plan.rigid_groups; c++)
            turn_rigid_group(s->at[i], c,
                             m3_mulm(attitude(s->at[i], c), m3_transpose(attitude(net, c))));
    }
    wy_fields_seed(&net->rigid, k, at, s->step);
    find_carried(s, k);
    if (net->contacts) WY_TRY(same_contacts(net, s->at[3], err));
    if (net->contacts) keep(&net->slopes->near[k], at, s->step, keeps);
    WY_TRY(rigid_differs(net, s->at[3], &any, err));
    if (!any) return WITHY_OK;
    keep(&net->rigid.slopes->live[k], at, s->step, keeps);
    for (int i = 0; i < 4 * net->plan.constraints; i++) /* wy_law_stops_near instead */
        s->at[i % 4]->plan.constraint[i / 4].law.limited = 0;
    return WITHY_OK;
}

static withy_status seed_parameter(void *self, int k, void *const at[4], double step, int *keeps,
                                   withy_error *err) {
    seed s = {.net = wy_network_of(self), .step = step};
    *keeps = 0;
    for (int i = 0; i < 4; i++) {
        s.at[i] = wy_network_of(at[i]);
        WY_TRY(same_network(s.net, s.at[i], err));
    }
    for (int r = 0; r < s.net->plan.rods; r++) WY_TRY(seed_rod(&s, r, k, keeps, err));
    return seed_rigid(&s, k, keeps, err);
}

/* ---- the interface ---------------------------------------------------------------------------------------------------- */

static void sample(const void *self, int rod, int k, int count, const double *s, vec3 *position,
                   vec3 *turn) {
    const wy_director *x = &((const wy_network *)self)->rod[rod];
    const wy_slope_node *node = wy_slope_nodes(x, k / WY_PACK);
    for (int i = 0; i < count; i++) {
        double value[WY_ELEMENT_NODES];
        const int first = wy_director_place(x, s[i], value) * x->plan.p;
        position[i] = turn[i] = v3(0, 0, 0);
        for (int a = 0; a <= x->plan.p; a++) {
            const pack *q = node[first + a].q;
            position[i] = v3_axpy(position[i], value[a], wy_slope_lane(q, k % WY_PACK));
            turn[i] = v3_axpy(turn[i], value[a], wy_slope_lane(q + 3, k % WY_PACK));
        }
    }
}

static wy_slope_quality quality(const void *self, int k) {
    wy_slope_quality worst = {.rough = 0};
    for (int i = 0; i <= ((const wy_network *)self)->plan.rods; i++) {
        const wy_slopes *s = wy_net_part((wy_network *)self, i)->slopes;
        worst.rough = wy_max(worst.rough, s->live[k].rough);
        if (!i || !s->kept) continue; /* rigid groups; backwards */
        const wy_slope_kept *kept = &s->kept[k / WY_PACK];
        worst.grown = wy_max(worst.grown, sqrt(kept->grown[k % WY_PACK]));
        worst.fault = wy_max(worst.fault, kept->fault);
    }
    return worst;
}

static void start(void *self) {
    wy_network *net = self;
    for (int i = 0; i <= net->plan.rods; i++) {
        const wy_director *x = wy_net_part(net, i);
        for (int g = 0; g < x->slopes->groups && x->slopes->start; g++) {
            memcpy(wy_slope_start(x, g), x->slopes->field[g].node, wy_slope_start_size(x));
            x->slopes->kept[g] = (wy_slope_kept){.fault = 0};
        }
    }
}

static withy_status equilibrium(void *self, double t, withy_error *err) {
    return wy_net_at_rest(self, t, wy_net_solve_slopes, err);
}

static withy_status mode_slope(void *self, int k, const withy_mode *mode, double *slope,
                               withy_error *err) {
    return wy_net_slope_mode(self, k, mode, slope, err);
}

static void *kept(void *self, size_t *size) {
    const wy_net_slopes *s = ((const wy_network *)self)->slopes;
    *size = s->kept ? (size_t)(s->end - s->kept) : 0;
    return s->kept;
}

const wy_gradients wy_network_gradients = {.seed = seed_parameter,
                                           .start = start,
                                           .equilibrium = equilibrium,
                                           .sample = sample,
                                           .quality = quality,
                                           .mode = mode_slope,
                                           .kept = kept};
