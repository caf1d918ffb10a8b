/* gradient_contact.c - nodes of rods that touch obstacles in a solved step or equilibrium, by all that they depend on.
 *
 * Of src/contact/obstacle.c: with the gaps g-, g+, the discrete gradient d of the distance, n = d/|d| and T = I - n n^T,
 *
 *   N(g-, g+),   y = z- + dx - r theta x n,   z* = T y,   z+ = z* min(1, mu N/(K_t |z*|))
 *   force = N d - K_t z+,   moment = r n x K_t z+                                                   (1)
 *
 * By q+ that is the tangent of Newton's method.  N d is the same seen from the end of the step (gradient.c), and K_t z+ is of
 * opposite sign with -z- for z-, so that the tangent of that step gives the derivatives by q-.  z is a part of the state:
 * z+ depends on q+, q-, z- and parameters.  By a parameter the figures of (1), gaps among them, are differenced at four
 * values of it, and (1) is differentiated by them: a gap has a derivative also where a force that begins at a gap of 0 has none.
 *
 * N begins without a corner where surfaces come to touch in a step, and friction has one where it begins to slide: between such
 * times the discrete motion is smooth, and its derivative is that of the contacts which act.  An equilibrium with
 * friction depends on the way to it and is refused, as is contact of bodies and of rods with each other, when it acts.
 */
#include <stdio.h>
#include <string.h>

#include "method/director/contact/contacts.h"
#include "method/director/gradient/gradient_network.h"

/* What (1) is made of; numbers only. */
typedef struct figures {
    double minus, plus, stiffness, damping, friction, stick, radius;
    vec3 d, way; /* dx */
} figures;
enum { FIGURES = sizeof(figures) / sizeof(double) };

typedef struct effect {
    vec3 force, moment, z;
} effect;

/* ---- memory ---------------------------------------------------------------------------------------------- */

static size_t slots(const wy_network *net) {
    const wy_contacts_plan *plan = &net->contacts->plan;
    return plan->has_friction ? 3 * (size_t)(plan->points * plan->obstacles) : 0;
}

void wy_net_layout_contacts(wy_network *net, wy_block *state, wy_block *scratch) {
    wy_net_slopes *s = net->slopes;
    if (!net->contacts) return;
    const size_t groups = (size_t)s->groups, records = (size_t)net->contacts->plan.records;
    s->contact = wy_block_alloc(scratch, records, sizeof *s->contact);
    s->pull_z = wy_block_alloc(scratch, net->rigid.setup->tape ? slots(net) : 0, sizeof *s->pull_z);
    if (net->rigid.setup->tape) return;
    s->stretch = wy_block_alloc(state, groups * slots(net), sizeof *s->stretch);
    s->stretch_by = wy_block_alloc(scratch, 3 * groups * records, sizeof *s->stretch_by);
}

static pack *stretch_of(const wy_network *net, int group, const wy_net_contact *t) {
    const int at = t->point * net->contacts->plan.obstacles + t->obstacle;
    return &net->slopes->stretch[(size_t)group * slots(net) + 3 * (size_t)at];
}

static pack *stretch_by(const wy_network *net, int group, int touch) {
    return &net->slopes->stretch_by[3 * (group * net->contacts->plan.records + touch)];
}

static double *pull_of(const wy_network *net, const wy_net_contact *t) {
    return &net->slopes->pull_z[3 * (t->point * net->contacts->plan.obstacles + t->obstacle)];
}

/* ---- one that touches ---------------------------------------------------------------------------------------- */

static const wy_director *rod_of(const wy_network *net, const wy_net_contact *t) {
    return &net->rod[net->contacts->plan.point[t->point].rod];
}

static int node_of(const wy_network *net, const wy_net_contact *t) {
    return net->contacts->plan.point[t->point].node;
}

static wy_obstacle_step step_of(const wy_network *net, const wy_net_contact *t) {
    return wy_contacts_obstacle_step(rod_of(net, t), t->point, t->obstacle);
}

static const wy_obstacle *shape_of(const wy_network *net, const wy_net_contact *t) {
    return &net->contacts->plan.obstacle[t->obstacle].shape;
}

static figures figures_of(const wy_network *net, const wy_net_contact *t) {
    const wy_obstacle *shape = shape_of(net, t);
    const wy_obstacle_step step = step_of(net, t);
    vec3 unused;
    figures out = {.stiffness = step.law.stiffness,
                   .damping = step.law.damping,
                   .friction = step.friction,
                   .stick = step.stick,
                   .radius = step.radius,
                   .way = v3_sub(step.plus, step.minus)};
    out.minus = wy_obstacle_distance(shape, step.minus, &unused) - step.radius;
    out.plus = wy_obstacle_distance(shape, step.plus, &unused) - step.radius;
    out.d = step.per != 0
                ? wy_obstacle_direction(shape, step.minus, step.plus, out.plus - out.minus)
                : wy_obstacle_direction(shape, step.plus, step.plus, 0);
    return out;
}

/* dN */
static double push_change(const wy_obstacle_step *step, const figures *at, double push,
                          const figures *by) {
    const wy_contact_law *law = &step->law;
    double after, before = 0;
    wy_contact_law_push(law, at->minus, at->plus, step->per, &after);
    if (step->per != 0) wy_contact_law_push(law, at->plus, at->minus, -step->per, &before);
    const double closes = step->per * (at->plus - at->minus), factor = 1 - law->damping * closes;
    return after * by->plus + before * by->minus + push / at->stiffness * by->stiffness -
           push / factor * closes * by->damping;
}

/* d of (1) by its figures and by z-. */
static effect effect_of(const wy_obstacle_step *step, const figures *at,
                        const wy_obstacle_push *push, const figures *by, vec3 dz) {
    const double r = at->radius, k = at->stick, n_push = push->push;
    const vec3 n = push->normal;
    const double dn_push = push_change(step, at, n_push, by);
    effect out = {.force = v3_axpy(v3_scale(dn_push, at->d), n_push, by->d)};
    if (!(at->friction > 0)) return out;
    const vec3 dn = v3_scale(1 / v3_norm(at->d), wy_across(n, by->d)),
               swing = v3_cross(step->theta, n);
    const vec3 y = v3_axpy(v3_add(step->z, at->way), -r, swing), star = wy_across(n, y);
    const vec3 dy =
        v3_axpy(v3_axpy(v3_add(dz, by->way), -by->radius, swing), -r, v3_cross(step->theta, dn));
    const vec3 dstar = v3_axpy(v3_axpy(wy_across(n, dy), -v3_dot(n, y), dn), -v3_dot(dn, y), n);
    const double size = v3_norm(star), most = at->friction * n_push;
    vec3 f = v3_scale(-k, star), df = v3_axpy(v3_scale(-k, dstar), -by->stick, star);
    if (k * size > most) {
        const vec3 along = v3_scale(1 / size, star);
        f = v3_scale(-most, along);
        df = v3_axpy(v3_scale(-most / size, wy_across(along, dstar)),
                     -(by->friction * n_push + at->friction * dn_push), along);
    }
    out.z = v3_scale(-1 / k, v3_axpy(df, -by->stick / k, f));
    out.force = v3_add(out.force, df);
    out.moment = v3_scale(-by->radius, v3_cross(n, f));
    out.moment = v3_axpy(out.moment, -r, v3_add(v3_cross(dn, f), v3_cross(n, df)));
    return out;
}

/* ---- by the start and the end of the step -------------------------------------------------------------------------- */

/* rows of m by (dr, theta) in those by (dr, dphi): dtheta = G dphi. */
static void turn_rows(vec3 theta, int rows, double (*m)[6]) {
    const mat3 g = wy_director_spin_map(theta);
    for (int i = 0; i < rows; i++) v3_to(m3_tmul(g, v3_from(m[i] + 3)), m[i] + 3);
}

static wy_obstacle_step reversed(const wy_obstacle_step *step) {
    wy_obstacle_step out = *step;
    out.minus = step->plus, out.plus = step->minus, out.per = -step->per;
    out.theta = v3_scale(-1, step->theta), out.shift = v3_scale(-1, step->shift);
    out.z = v3_scale(-1, step->z);
    return out;
}

/* Slopes of the whole force and of that without friction. */
static void slopes_of(const wy_obstacle *shape, wy_obstacle_step step, double whole[6][6],
                      double normal[6][6]) {
    wy_obstacle_push push;
    wy_obstacle_push_on(shape, &step, &push);
    memcpy(whole, push.slope, sizeof push.slope);
    step.friction = 0;
    wy_obstacle_push_on(shape, &step, &push);
    memcpy(normal, push.slope, sizeof push.slope);
    turn_rows(step.theta, 6, whole), turn_rows(step.theta, 6, normal);
}

static void differentiate(const wy_network *net, wy_net_contact *t, const wy_obstacle_push *push) {
    const wy_obstacle_step step = step_of(net, t), back = reversed(&step);
    const figures at = figures_of(net, t), none = {0};
    double whole[6][6], normal[6][6];
    memset(t->minus, 0, sizeof t->minus);
    if (step.per == 0) return;
    slopes_of(shape_of(net, t), back, whole, normal);
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) {
            t->minus[i][j] = 2 * normal[i][j] - whole[i][j];
            if (i < 3) t->z_minus[i][j] = (whole[i][j] - normal[i][j]) / at.stick;
        }
    slopes_of(shape_of(net, t), step, whole, normal);
    for (int n = 0; n < 18; n++)
        t->z_plus[n / 6][n % 6] = (normal[n / 6][n % 6] - whole[n / 6][n % 6]) / at.stick;
    for (int j = 0; j < 3; j++) {
        const effect by = effect_of(&step, &at, push, &none, v3_axis(j));
        double column[9];
        v3_to(by.force, column), v3_to(by.moment, column + 3), v3_to(by.z, column + 6);
        for (int i = 0; i < 9; i++) t->by_z[i][j] = column[i];
    }
}

/* ---- which there are --------------------------------------------------------------------------------------------- */

static withy_status refuse(const wy_network *net, const char *what, withy_error *err) {
    char when[48] = "at rest";
    if (net->rigid.step->dynamic) snprintf(when, sizeof when, "at t = %.6g", net->rigid.step->t);
    return wy_unsupported(err,
                          "director: %s %s, which is not differentiated; a fit of this scene takes "
                          "differences (withy fit --differences)",
                          when, what);
}

/* What acts and is not differentiated: of the step just solved. */
static withy_status others(wy_network *net, withy_error *err) {
    const wy_contacts *contacts = net->contacts;
    const wy_contacts_plan *plan = &contacts->plan;
    double pair[24][25], m[WY_BODY_ROWS][WY_BODY_ROWS + 1];
    int point[4];
    for (int k = 0; plan->pairs && k < contacts->step->count; k++)
        if (wy_contacts_tangent(net, k, point, pair)) return refuse(net, "rods touch rods", err);
    for (int a = 0; plan->pairs && a < plan->points + plan->body_points; a++)
        for (int b = 0; b < plan->bodies; b++)
            if (wy_contacts_body_tangent(net, a, b, m))
                return refuse(net, "something touches a body", err);
    for (int c = 0; plan->body_points && c < net->plan.rigid_groups; c++) {
        double a[6][6] = {{0}}, b[6] = {0}, sum = 0;
        wy_contacts_rigid_group(net, c, a, b);
        for (int n = 0; n < 36; n++) sum += fabs(a[n / 6][n % 6]);
        if (sum > 0) return refuse(net, "a body touches an obstacle", err);
    }
    return WITHY_OK;
}

static withy_status add(wy_network *net, int point, int obstacle, withy_error *err) {
    wy_net_slopes *s = net->slopes;
    wy_net_contact t = {.point = point, .obstacle = obstacle};
    const wy_obstacle_step step = step_of(net, &t);
    wy_obstacle_push push;
    if (!wy_obstacle_push_on(shape_of(net, &t), &step, &push)) return WITHY_OK;
    if (step.directed) return refuse(net, "friction that depends on the direction acts", err);
    if (step.per == 0 && step.friction > 0)
        return refuse(net, "friction acts and depends on the way there", err);
    if (s->contact_count == net->contacts->plan.records)
        return WITHY_OK; /* the step will be refused */
    differentiate(net, &t, &push);
    s->contact[s->contact_count++] = t;
    rod_of(net, &t)->slopes->in_contact = 1;
    return WITHY_OK;
}

withy_status wy_net_find_contacts(wy_network *net, withy_error *err) {
    const wy_contacts *contacts = net->contacts;
    net->slopes->contact_count = 0;
    for (int i = 0; i < net->plan.rods; i++) net->rod[i].slopes->in_contact = 0;
    if (!contacts || contacts->idle) return WITHY_OK;
    for (int a = 0; a < contacts->plan.points; a++)
        for (int w = 0; w < contacts->plan.obstacles; w++)
            if (!wy_contacts_far(net, a, w)) WY_TRY(add(net, a, w, err));
    return WITHY_OK;
}

withy_status wy_net_check_contacts(wy_network *net, withy_error *err) {
    return net->contacts && !net->contacts->idle ? others(net, err) : WITHY_OK;
}

/* ---- by a parameter ------------------------------------------------------------------------------------------------ */

/* The state of the point in another network, and where its obstacles are. */
static withy_status lend(const wy_network *net, wy_network *to, double t_start, double t_end,
                         withy_error *err) {
    const wy_net_slopes *s = net->slopes;
    WY_TRY(wy_contacts_at(to, t_start, err));
    for (int w = 0; w < to->contacts->plan.obstacles; w++)
        to->contacts->at[w] = to->contacts->to[w];
    WY_TRY(wy_contacts_at(to, t_end, err));
    for (int i = 0; i < s->contact_count; i++) {
        const wy_director *from = rod_of(net, &s->contact[i]);
        wy_director *x = &to->rod[from->plan.index];
        const int j = node_of(net, &s->contact[i]);
        x->node[j] = from->node[j], x->next[j] = from->next[j];
        x->now->origin = from->now->origin;
        x->step->dynamic = from->step->dynamic, x->step->per = from->step->per;
    }
    return WITHY_OK;
}

/* Derivatives of the figures; are they smooth? */
static figures figures_by(wy_network *const at[4], const wy_net_contact *t, double step,
                          double *rough) {
    figures f[4], out;
    double *to = (double *)(void *)&out;
    for (int i = 0; i < 4; i++) f[i] = figures_of(at[i], t);
    const double size = f[0].radius + v3_norm(f[0].way);
    const figures unit = {.minus = size,
                          .plus = size,
                          .d = {1, 1, 1},
                          .way = {size, size, size}}; /* else their own */
    for (int n = 0; n < FIGURES; n++) {
        double one[4];
        for (int i = 0; i < 4; i++) one[i] = ((const double *)(const void *)&f[i])[n];
        to[n] = wy_slope_five(one, step);
        wy_slope_rough(one, ((const double *)(const void *)&unit)[n], rough);
    }
    return out;
}

typedef void use(wy_network *net, int touch, int k, const effect *by);

static withy_status by_parameter(wy_network *net, int k, double t_end, use *take,
                                 withy_error *err) {
    const wy_net_slopes *s = net->slopes;
    const wy_slope_live *live = &s->near[k];
    const double t_start = net->rigid.step->dynamic ? net->rigid.step->t : t_end;
    wy_network *at[4];
    for (int i = 0; i < 4; i++) {
        at[i] = wy_network_of(live->at[i]);
        WY_TRY(lend(net, at[i], t_start, t_end, err));
    }
    for (int i = 0; i < s->contact_count; i++) {
        const wy_net_contact *t = &s->contact[i];
        const wy_obstacle_step step = step_of(net, t);
        const figures here = figures_of(net, t),
                      by = figures_by(at, t, live->step, &net->rigid.slopes->live[k].rough);
        wy_obstacle_push push;
        wy_obstacle_push_on(shape_of(net, t), &step, &push);
        const effect out = effect_of(&step, &here, &push, &by, v3(0, 0, 0));
        take(net, i, k, &out);
    }
    return WITHY_OK;
}

/* ---- forwards -------------------------------------------------------------------------------------------------------- */

static pack *side_of(const wy_network *net, int group, const wy_net_contact *t) {
    return wy_slope_side(rod_of(net, t), group) + 6 * node_of(net, t);
}

static void take_effect(wy_network *net, int touch, int k, const effect *by) {
    const wy_net_contact *t = &net->slopes->contact[touch];
    pack *side = side_of(net, k / WY_PACK, t), *z = stretch_by(net, k / WY_PACK, touch);
    for (int i = 0; i < 3; i++) {
        side[i][k % WY_PACK] += v3_get(by->force, i);
        side[3 + i][k % WY_PACK] += v3_get(by->moment, i);
        z[i][k % WY_PACK] += v3_get(by->z, i);
    }
}

withy_status wy_net_take_contacts(wy_network *net, double t_end, withy_error *err) {
    const wy_net_slopes *s = net->slopes;
    for (int g = 0; g < s->groups; g++)
        for (int n = 0; n < s->contact_count; n++) {
            const wy_net_contact *t = &s->contact[n];
            const pack *q = wy_slope_nodes(rod_of(net, t), g)[node_of(net, t)].q;
            const pack *z = slots(net) ? stretch_of(net, g, t) : NULL;
            pack *side = side_of(net, g, t);
            memset(stretch_by(net, g, n), 0, 3 * sizeof(pack));
            for (int i = 0; i < 6; i++) {
                for (int j = 0; j < 6; j++) side[i] += t->minus[i][j] * q[j];
                for (int j = 0; j < 3 && z; j++) side[i] += t->by_z[i][j] * z[j];
            }
        }
    for (int k = 0; k < s->count && s->contact_count; k++)
        WY_TRY(by_parameter(net, k, t_end, take_effect, err));
    return WITHY_OK;
}

void wy_net_stretch(wy_network *net, int rod, int group) {
    const wy_net_slopes *s = net->slopes;
    const wy_director *x = &net->rod[rod];
    for (int n = 0; n < s->contact_count && slots(net); n++) {
        const wy_net_contact *t = &s->contact[n];
        const int j = node_of(net, t);
        const pack *minus = wy_slope_nodes(x, group)[j].q, *plus = &x->slopes->change[6 * j];
        const pack *before = stretch_of(net, group, t);
        pack *z = stretch_by(net, group, n);
        if (rod_of(net, t) != x) continue;
        for (int i = 0; i < 3; i++) {
            for (int c = 0; c < 6; c++) z[i] += t->z_plus[i][c] * plus[c];
            for (int c = 0; c < 6; c++) z[i] += t->z_minus[i][c] * minus[c];
            for (int c = 0; c < 3; c++) z[i] += t->by_z[6 + i][c] * before[c];
        }
    }
}

void wy_net_keep_stretch(wy_network *net, int group) {
    const wy_net_slopes *s = net->slopes;
    if (!net->contacts || !slots(net)) return;
    memset(&s->stretch[(size_t)group * slots(net)], 0, slots(net) * sizeof *s->stretch);
    for (int n = 0; n < s->contact_count; n++)
        memcpy(stretch_of(net, group, &s->contact[n]), stretch_by(net, group, n), 3 * sizeof(pack));
}

/* ---- backwards ------------------------------------------------------------------------------------------------------- */

void wy_net_clear_contacts(wy_network *net) {
    if (net->contacts && slots(net))
        memset(net->slopes->pull_z, 0, slots(net) * sizeof *net->slopes->pull_z);
}

void wy_net_leave_contacts(wy_network *net, int rod) {
    const wy_net_slopes *s = net->slopes;
    const wy_slopes *own = net->rod[rod].slopes;
    for (int n = 0; n < s->contact_count && slots(net); n++) {
        wy_net_contact *t = &s->contact[n];
        const int j = node_of(net, t);
        if (rod_of(net, t) != &net->rod[rod]) continue;
        memcpy(t->pull, pull_of(net, t), sizeof t->pull);
        for (int i = 0; i < 18; i++) {
            own->now.side[6 * j + i % 6] += t->z_plus[i / 6][i % 6] * t->pull[i / 6];
            own->by.node[j].q[i % 6] += t->z_minus[i / 6][i % 6] * t->pull[i / 6];
        }
    }
}

static void pull_effect(wy_network *net, int touch, int k, const effect *by) {
    const wy_net_contact *t = &net->slopes->contact[touch];
    const double *mu = &rod_of(net, t)->slopes->now.mu[6 * node_of(net, t)];
    net->slopes->near_by[k] += v3_dot(v3_from(mu), by->force) +
                               v3_dot(v3_from(mu + 3), by->moment) +
                               v3_dot(v3_from(t->pull), by->z);
}

withy_status wy_net_pull_contacts(wy_network *net, double t_end, withy_error *err) {
    const wy_net_slopes *s = net->slopes;
    wy_net_clear_contacts(net);
    for (int n = 0; n < s->contact_count; n++) {
        const wy_net_contact *t = &s->contact[n];
        const wy_slopes *own = rod_of(net, t)->slopes;
        const double *mu = &own->now.mu[6 * node_of(net, t)];
        double *q = own->by.node[node_of(net, t)].q, *z = slots(net) ? pull_of(net, t) : NULL;
        for (int i = 0; i < 36; i++) q[i % 6] += t->minus[i / 6][i % 6] * mu[i / 6];
        for (int i = 0; i < 27 && z; i++)
            z[i % 3] += t->by_z[i / 3][i % 3] * (i / 3 < 6 ? mu[i / 3] : t->pull[i / 3 - 6]);
    }
    for (int k = 0; k < s->count && s->contact_count; k++)
        WY_TRY(by_parameter(net, k, t_end, pull_effect, err));
    return WITHY_OK;
}
