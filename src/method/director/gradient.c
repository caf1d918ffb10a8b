/* gradient.c - the exact derivative of a step and of an equilibrium: forward, eight parameters to a lane.
 *
 * A step solves F(q+; q-, v-, W-, p) = 0.  Its derivative is
 *
 *   A dq+ = -(dF/dq- dq- + dF/dv- dv- + dF/dW- dW- + dF/dp),   A = dF/dq+                          (1)
 *   dv+ = 2 (dr+ - dr-)/h - dv-,   dW+ = (2/h) R-^T G (dphi+ - dphi-) - dW-                        (2)
 *
 * A is solved by the elimination that Newton's last iteration has kept, which belongs to the iterate before,
 * and corrected with the true A, mostly once: that also removes what rounding of the elimination loses in a
 * thin rod.  All terms of F but inertia depend on q+ and q- alike: seen from its end, with q+ and q- exchanged and
 * -h for h, the step has the same stresses and forces, so that dF/dq- is what the kernels assemble as dF/dq+ of
 * that step.  Inertia and lumps, which contain v- and u-, are differentiated here.
 */
#include "method/director/gradient.h"

#include <string.h>

enum { REFINEMENTS = 4 };
static const double REFINED = 3e-7; /* a correction: the next would be its square, or rounding */

/* ---- memory ------------------------------------------------------------------------------------------ */

static withy_status can(const wy_director *x, withy_error *err) {
    const wy_director_plan *plan = &x->plan;
    static const char *const text = "director: %s is not differentiated; a fit of this scene takes "
                                    "differences (withy fit --differences)";
    if (plan->sees) return wy_fail(err, WITHY_UNSUPPORTED, text, "a load that sees the state");
    if (plan->tendon_count) return wy_fail(err, WITHY_UNSUPPORTED, text, "a rod with tendons");
    if (plan->spaced)
        return wy_fail(err, WITHY_UNSUPPORTED, text, "damping of the curve (rod.damping.law)");
    if (plan->problem->rotating.given)
        return wy_fail(err, WITHY_UNSUPPORTED, text, "a rotating frame");
    if (plan->end[0].rates || plan->end[1].rates)
        return wy_fail(err, WITHY_UNSUPPORTED, text, "an end driven by its velocity or spin");
    return WITHY_OK;
}

withy_status wy_director_slopes_make(wy_director *x, withy_error *err) {
    WY_TRY(can(x, err));
    const wy_director_plan *plan = &x->plan;
    const size_t points = (size_t)plan->n * (size_t)plan->p, nodes = points + 1;
    wy_taker from = {.arena = x->setup->arena};
    wy_slopes *s = wy_taker_take(&from, 1, sizeof *s);
    if (!s) return wy_fail(err, WITHY_NO_MEMORY, "director: no memory for derivatives");
    s->count = x->setup->tangents, s->groups = (s->count + WY_PACK - 1) / WY_PACK;
    s->field = wy_taker_take(&from, (size_t)s->groups, sizeof *s->field);
    s->live = wy_taker_take(&from, (size_t)s->count, sizeof *s->live);
    for (int g = 0; g < s->groups && s->field; g++) {
        wy_slope_fields *f = &s->field[g];
        f->section = wy_taker_take(&from, points, sizeof *f->section);
        f->size = wy_taker_take(&from, (size_t)plan->n, sizeof *f->size);
        f->mass = wy_taker_take(&from, nodes, sizeof *f->mass);
        f->load = wy_taker_take(&from, (size_t)plan->load.count + 1, sizeof *f->load);
        f->first = wy_taker_take(&from, nodes, sizeof *f->first);
    }
    if (from.failed)
        return wy_fail(err, WITHY_NO_MEMORY, "director: no memory for derivatives by %d parameters",
                       s->count);
    x->slopes = s;
    return WITHY_OK;
}

size_t wy_director_slope_size(const wy_director *x) {
    if (!x->slopes) return 0;
    const size_t groups = (size_t)x->slopes->groups;
    return groups * ((size_t)x->plan.node_count * sizeof(wy_slope_node) + sizeof(wy_slope_kept));
}

char *wy_director_slope(const wy_director *x) {
    return x->slopes ? (char *)x->slopes->node : NULL;
}

void wy_director_lay_slope(const wy_director *x, wy_block *block, char **slope) {
    *slope = x->slopes ? wy_block_take(block, 1, wy_director_slope_size(x)) : NULL;
}

static void lay_back(const wy_director *x, wy_director *back, wy_block *scratch) {
    const size_t points = (size_t)x->plan.n * (size_t)x->plan.p;
    back->node = wy_block_take(scratch, points + 1, sizeof *back->node);
    back->next = wy_block_take(scratch, points + 1, sizeof *back->next);
    back->strain = wy_block_take(scratch, points, sizeof *back->strain);
    back->stress = wy_block_take(scratch, points, sizeof *back->stress);
    back->step = wy_block_take(scratch, 1, sizeof *back->step);
}

void wy_director_lay_slopes(wy_director *x, wy_block *state, wy_block *scratch) {
    wy_slopes *s = x->slopes;
    if (!s) return;
    const size_t groups = (size_t)s->groups, nodes = (size_t)x->plan.node_count;
    const size_t rows = 6 * (size_t)(x->plan.p + 1) * (size_t)x->plan.n;
    char *kept = wy_block_take(state, 1, wy_director_slope_size(x)); /* in one piece */
    s->node = (wy_slope_node *)(void *)kept;
    s->kept = kept ? (wy_slope_kept *)(void *)(kept + groups * nodes * sizeof *s->node) : NULL;
    s->plus = wy_block_take(scratch, rows, sizeof *s->plus);
    s->node_plus = wy_block_take(scratch, nodes, sizeof *s->node_plus);
    s->side = wy_block_take(scratch, groups * 6 * nodes, sizeof *s->side);
    s->change = wy_block_take(scratch, 6 * nodes, sizeof *s->change);
    s->rest = wy_block_take(scratch, 6 * nodes, sizeof *s->rest);
    s->acting = wy_block_take(scratch, groups, sizeof *s->acting);
    for (size_t g = 0; g < groups; g++) {
        wy_slope_force *load =
            wy_block_take(scratch, (size_t)x->plan.load.count, sizeof *s->acting->load);
        if (s->acting) s->acting[g].load = load;
    }
    lay_back(x, &s->back, scratch);
}

/* ---- the step seen from its end ---------------------------------------------------------------------- */

/* After assemble_plus, which leaves S+ of the converged iterate in stress[].plus. */
static void turn_back(wy_director *x) {
    wy_slopes *s = x->slopes;
    const wy_director old = s->back;
    wy_director *back = &s->back;
    *back = *x;
    back->node = old.node, back->next = old.next, back->strain = old.strain;
    back->stress = old.stress, back->step = old.step, back->slopes = NULL;
    *back->step = *x->step;
    back->step->h = -x->step->h, back->step->per = -x->step->per, back->step->xi = -x->step->xi;
    for (int j = 0; j < x->plan.node_count; j++) {
        wy_director_next *next = &back->next[j];
        back->node[j].d = x->next[j].d, back->node[j].r = wy_director_plus_r(x, j);
        next->d = x->node[j].d;
        next->dr = v3_scale(-1, x->next[j].dr), next->theta = v3_scale(-1, x->next[j].theta);
    }
    for (int i = 0; i < x->plan.n * x->plan.p; i++)
        for (int k = 0; k < 2; k++) back->strain[i].start[k] = x->stress[i].plus[k];
}

/* ---- inertia by the start of the step ---------------------------------------------------------------- */

static void add_matrix(double a[6][6], int row, int column, double k, mat3 m) {
    const vec3 c[3] = {m.c1, m.c2, m.c3};
    for (int i = 0; i < 3; i++) {
        a[row][column + i] += k * c[i].x, a[row + 1][column + i] += k * c[i].y;
        a[row + 2][column + i] += k * c[i].z;
    }
}
static mat3 hat(vec3 u) {
    return (mat3){{0, u.z, -u.y}, {-u.z, 0, u.x}, {u.y, -u.x, 0}};
}

/* What a node has at the start of the step: place[] by (dr-, dphi-), rate[] by (dv-, dW-). */
typedef struct before {
    double place[6][6], rate[6][6], lump[6][3];
} before;

/* Inertia of a node at both ends of the step: dF_phi = plus dphi+ + minus dphi- + spin dW-; dF_r likewise with
 * 2 m/h^2, -2 m/h^2 and -2 m/h. */
typedef struct inertia {
    mat3 plus, minus, spin;
    double shift, speed; /* 2 m/h^2, 2 m/h */
} inertia;

static mat3 sum_of(mat3 a, double k, mat3 b) {
    return (mat3){v3_axpy(a.c1, k, b.c1), v3_axpy(a.c2, k, b.c2), v3_axpy(a.c3, k, b.c3)};
}
static mat3 times_of(double k, mat3 a) {
    return (mat3){v3_scale(k, a.c1), v3_scale(k, a.c2), v3_scale(k, a.c3)};
}
/* R diag(a) */
static mat3 scaled(tri d, lane a) {
    return tri_matrix(tri_scale(a, d));
}

static inertia inertia_of(const wy_director *x, int j) {
    const wy_director_node *node = &x->node[j];
    const wy_director_next *next = &x->next[j];
    const double per = 1.0 / x->step->h, m = x->plan.mass[j].mass;
    const lane rotary = x->plan.mass[j].rotary;
    const lane w_plus = lane_all(2 * per) * tri_dot(node->d, tri_all(next->theta)) - node->w;
    const vec3 p_plus = tri_sum3(tri_scale(rotary * w_plus, next->d));
    const vec3 p_minus = tri_sum3(tri_scale(rotary * node->w, node->d));
    const mat3 out = scaled(next->d, rotary), in = scaled(node->d, rotary);
    const mat3 turn = m3_mulm(m3_transpose(tri_matrix(node->d)), wy_director_spin_map(next->theta));
    const mat3 both = times_of(2 * per * per, m3_mulm(out, turn));
    return (inertia){.plus = sum_of(both, -per, hat(p_plus)),
                     .minus = sum_of(times_of(-1, both), per, hat(p_minus)),
                     .spin = times_of(-per, sum_of(out, 1, in)),
                     .shift = 2 * m * per * per,
                     .speed = 2 * m * per};
}

/* Of an inner node on which nothing acts but inertia and loads. */
static int is_plain(const wy_director *x, int j) {
    return x->step->dynamic && j > 0 && j < x->plan.node_count - 1 && !x->plan.drags &&
           !x->plan.floors;
}

static void inertia_before(const inertia *i, before *b) {
    for (int k = 0; k < 3; k++) b->place[k][k] -= i->shift, b->rate[k][k] -= i->speed;
    add_matrix(b->place, 3, 3, 1, i->minus);
    add_matrix(b->rate, 3, 3, 1, i->spin);
}

static void lump_before(const wy_director *x, int which, before *b) {
    const wy_director_end *end = &x->plan.end[which];
    const wy_director_next *next = &x->next[end->node];
    const double per = 1.0 / x->step->h, m = end->mass, k = 2 * m * per * per;
    const lane arm = vec3_lane(end->arm);
    const vec3 c = tri_sum3(tri_scale(arm, wy_director_mid(x, end->node)));
    const mat3 c_minus = hat(tri_sum3(tri_scale(arm, x->node[end->node].d)));
    const vec3 way = v3_add(next->dr, v3_cross(next->theta, c));
    const vec3 f = v3_axpy(v3_scale(-m, x->step->gravity), 2 * m * per,
                           v3_sub(v3_scale(per, way), x->now->end[which].u));
    for (int i = 0; i < 3; i++) b->place[i][i] -= k, b->lump[i][i] -= 2 * m * per;
    add_matrix(b->place, 0, 3, k, c_minus);
    add_matrix(b->place, 3, 0, -k, hat(c));
    add_matrix(b->place, 3, 3, k, m3_mulm(hat(c), c_minus));
    add_matrix(b->place, 3, 3, 0.5, m3_mulm(hat(f), c_minus));
    const vec3 column[3] = {hat(c).c1, hat(c).c2, hat(c).c3};
    for (int i = 0; i < 3; i++) {
        b->lump[3][i] -= 2 * m * per * column[i].x, b->lump[4][i] -= 2 * m * per * column[i].y;
        b->lump[5][i] -= 2 * m * per * column[i].z;
    }
}

static void node_before(const wy_director *x, int j, const inertia *i, before *b) {
    double unused[6] = {0};
    memset(b, 0, sizeof *b);
    wy_director_node_forces(&x->slopes->back, j, b->place, unused);
    inertia_before(i, b);
    if (j == 0 && x->plan.end[0].mass > 0) lump_before(x, 0, b);
    if (j == x->plan.node_count - 1 && x->plan.end[1].mass > 0) lump_before(x, 1, b);
}

static void take_before(const before *b, const wy_slope_node *node, const pack u[3], pack *side) {
    for (int i = 0; i < 6; i++) {
        pack sum = side[i];
        for (int k = 0; k < 3; k++) {
            sum -= b->place[i][k] * node->r[k] + b->place[i][3 + k] * node->phi[k];
            sum -= b->rate[i][k] * node->v[k] + b->rate[i][3 + k] * node->w[k];
            if (u) sum -= b->lump[i][k] * u[k];
        }
        side[i] = sum;
    }
}

/* ---- assembly ---------------------------------------------------------------------------------------- */

static pack *side_of(const wy_director *x, int group) {
    return &x->slopes->side[(size_t)group * 6 * (size_t)x->plan.node_count];
}
static wy_slope_node *nodes_of(const wy_director *x, int group) {
    return &x->slopes->node[(size_t)group * (size_t)x->plan.node_count];
}

static void assemble_plus(wy_director *x) {
    const size_t rows = 6 * (size_t)(x->plan.p + 1);
    x->step->fresh = 1; /* sigma is the stress itself */
    for (int e = 0; e < x->plan.n; e++)
        wy_director_element(x, e, &x->slopes->plus[(size_t)e * rows]);
    x->step->fresh = 0;
}

static void assemble_elements(wy_director *x) {
    wy_slopes *s = x->slopes;
    const int p = x->plan.p;
    double minus[6 * WY_ELEMENT_NODES][WY_DIRECTOR_STRIDE];
    s->back.step->fresh = 1;
    for (int e = 0; e < x->plan.n; e++) {
        if (x->step->dynamic) wy_director_element(&s->back, e, minus);
        for (int g = 0; g < s->groups; g++) {
            pack *side = side_of(x, g) + 6 * e * p;
            if (x->step->dynamic)
                wy_slope_times_nodes(p, (const double(*)[WY_DIRECTOR_STRIDE])minus,
                                     nodes_of(x, g) + e * p, side);
            wy_slope_element(x, e, &s->field[g], side);
        }
    }
}

static pack3 of(const pack a[3]) {
    return (pack3){a[0], a[1], a[2]};
}
static pack3 all(vec3 a) {
    return (pack3){splat(a.x), splat(a.y), splat(a.z)};
}
static void put(pack a[3], pack3 v) {
    a[0] = v.x, a[1] = v.y, a[2] = v.z;
}
static pack3 times(mat3 m, pack3 a) {
    return (pack3){m.c1.x * a.x + m.c2.x * a.y + m.c3.x * a.z,
                   m.c1.y * a.x + m.c2.y * a.y + m.c3.y * a.z,
                   m.c1.z * a.x + m.c2.z * a.y + m.c3.z * a.z};
}

static void take_inertia(const inertia *i, const wy_slope_node *node, pack *side) {
    const pack3 turn = add3(times(i->minus, of(node->phi)), times(i->spin, of(node->w)));
    const pack3 way =
        add3(scale3(splat(i->shift), of(node->r)), scale3(splat(i->speed), of(node->v)));
    put(side, add3(of(side), way));
    put(side + 3, sub3(of(side + 3), turn));
}

static void keep_inertia(const inertia *i, double a[6][6]) {
    memset(a, 0, 36 * sizeof **a);
    for (int k = 0; k < 3; k++) a[k][k] = i->shift;
    add_matrix(a, 3, 3, 1, i->plus);
}

static void assemble_nodes(wy_director *x) {
    wy_slopes *s = x->slopes;
    const int last = x->plan.node_count - 1, moving = x->step->dynamic;
    for (int j = 0; j <= last; j++) {
        double b[6];
        before past;
        inertia own;
        const int plain = is_plain(x, j);
        if (moving) own = inertia_of(x, j);
        if (moving && !plain) node_before(x, j, &own, &past);
        if (plain)
            keep_inertia(&own, s->node_plus[j]);
        else
            wy_director_node_terms(x, j, s->node_plus[j], b);
        for (int g = 0; g < s->groups; g++) {
            pack *side = side_of(x, g) + 6 * j;
            const wy_slope_node *node = nodes_of(x, g) + j;
            const pack *u = j == 0 ? s->kept[g].u[0] : j == last ? s->kept[g].u[1] : NULL;
            if (plain) take_inertia(&own, node, side);
            if (moving && !plain) take_before(&past, node, u, side);
            wy_slope_node_fields(x, j, g, side);
        }
    }
    for (int g = 0; g < s->groups; g++) wy_slope_loads(x, g, side_of(x, g));
}

/* ---- solution ---------------------------------------------------------------------------------------- */

/* Where the end is held, side becomes what is given there less the change so far. */
static void hold_given(const wy_director *x, int which, const wy_slope_end *to, const pack *change,
                       pack *side) {
    const wy_director_end *end = &x->plan.end[which];
    const mat3 target = x->step->end[which].target;
    if (!end->slides && !end->turns_free) {
        for (int i = 0; i < 3; i++) {
            if (end->holds_position) side[i] = to->place[i] - change[i];
            if (end->holds_frame) side[3 + i] = to->turn[i] - change[3 + i];
        }
        return;
    }
    for (int l = 0; l < WY_PACK; l++) {
        vec3 r = v3_sub(wy_slope_lane(to->place, l), wy_slope_lane(change, l));
        vec3 turn = v3_sub(wy_slope_lane(to->turn, l), wy_slope_lane(change + 3, l));
        if (end->slides) {
            r = m3_tmul(end->track, r);
            r.z = v3_dot(end->track.c3, wy_slope_lane(side, l));
            r = m3_mul(end->track, r);
        }
        if (end->turns_free) {
            turn = m3_tmul(target, turn);
            turn.z = v3_dot(target.c3, wy_slope_lane(side + 3, l));
            turn = m3_mul(target, turn);
        }
        if (end->holds_position || end->slides) wy_slope_set(side, l, r);
        if (end->holds_frame) wy_slope_set(side + 3, l, turn);
    }
}

static void hold_ends(const wy_director *x, int group, const pack *change, pack *side) {
    for (int i = 0; i < 2; i++) {
        const int at = 6 * x->plan.end[i].node;
        hold_given(x, i, &x->slopes->acting[group].end[i], &change[at], &side[at]);
    }
}

/* rest = side - A change, with the true A. */
static void remaining(const wy_director *x, int group) {
    const wy_slopes *s = x->slopes;
    const int p = x->plan.p, rows = 6 * (p + 1), count = 6 * x->plan.node_count;
    memcpy(s->rest, side_of(x, group), (size_t)count * sizeof *s->rest);
    for (int e = 0; e < x->plan.n; e++)
        wy_slope_times(p, (const double(*)[WY_DIRECTOR_STRIDE]) & s->plus[(size_t)e * (size_t)rows],
                       &s->change[6 * e * p], &s->rest[6 * e * p]);
    for (int j = 0; j < x->plan.node_count; j++) {
        const int plain = is_plain(x, j);
        for (int i = 0; i < 6; i++)
            for (int k = plain ? (i < 3 ? i : 3) : 0; k < (plain && i < 3 ? i + 1 : 6); k++)
                s->rest[6 * j + i] -= s->node_plus[j][i][k] * s->change[6 * j + k];
    }
    hold_ends(x, group, s->change, s->rest);
}

/* The largest correction of a lane over its change, by their mean squares. */
static double fault_of(const wy_director *x) {
    const wy_slopes *s = x->slopes;
    const double unit = 1.0 / (x->plan.length * x->plan.length);
    pack small = splat(0), whole = splat(0);
    for (int i = 0; i < 6 * x->plan.node_count; i++) {
        const double k = i % 6 < 3 ? unit : 1;
        small += k * s->rest[i] * s->rest[i], whole += k * s->change[i] * s->change[i];
    }
    double most = 0;
    for (int l = 0; l < WY_PACK; l++)
        if (whole[l] > 0) most = wy_max(most, small[l] / whole[l]);
    return sqrt(most);
}

/* change = A^-1 side: by the kept elimination, refined until another correction would be below rounding. */
static void solve_group(wy_director *x, int group) {
    wy_slopes *s = x->slopes;
    const int count = 6 * x->plan.node_count;
    pack *side = side_of(x, group);
    double fault = 1;
    for (int i = 0; i < count; i++) s->change[i] = splat(0);
    hold_ends(x, group, s->change, side);
    memcpy(s->change, side, (size_t)count * sizeof *side);
    wy_slope_solve(x, s->change);
    for (int k = 0; k < REFINEMENTS && fault > REFINED; k++) {
        remaining(x, group);
        wy_slope_solve(x, s->rest);
        for (int i = 0; i < count; i++) s->change[i] += s->rest[i];
        fault = fault_of(x);
    }
    s->kept[group].fault = wy_max(s->kept[group].fault, fault);
}

/* du+ = 2 d(x+ - x-)/h - du- */
static void move_lump(wy_director *x, int group, int which) {
    const wy_director_end *end = &x->plan.end[which];
    const wy_slope_node *node = &nodes_of(x, group)[end->node];
    const pack *change = &x->slopes->change[6 * end->node];
    const mat3 plus = tri_matrix(x->next[end->node].d), minus = tri_matrix(x->node[end->node].d);
    const pack3 arm = of(x->slopes->field[group].end[which].arm);
    pack3 way = sub3(of(change), of(node->r));
    way = add3(way, cross3(of(change + 3), all(m3_mul(plus, end->arm))));
    way = sub3(way, cross3(of(node->phi), all(m3_mul(minus, end->arm))));
    way = add3(way, sub3(times(plus, arm), times(minus, arm)));
    pack *u = x->slopes->kept[group].u[which];
    put(u, sub3(scale3(splat(2.0 / x->step->h), way), of(u)));
}

/* (2) */
static void move_group(wy_director *x, int group) {
    const pack twice = splat(2.0 / x->step->h);
    wy_slope_kept *kept = &x->slopes->kept[group];
    for (int i = 0; i < 2; i++) move_lump(x, group, i);
    for (int j = 0; j < x->plan.node_count; j++) {
        wy_slope_node *node = &nodes_of(x, group)[j];
        const pack3 r = of(&x->slopes->change[6 * j]), phi = of(&x->slopes->change[6 * j + 3]);
        const mat3 turn =
            m3_mulm(m3_transpose(tri_matrix(x->node[j].d)), wy_director_spin_map(x->next[j].theta));
        put(node->v, sub3(scale3(twice, sub3(r, of(node->r))), of(node->v)));
        const pack3 spin = times(turn, sub3(phi, of(node->phi)));
        put(node->w, sub3(scale3(twice, spin), of(node->w)));
        put(node->r, r), put(node->phi, phi);
        const pack size = dot3(r, r);
        for (int l = 0; l < WY_PACK; l++) kept->grown[l] = wy_max(kept->grown[l], size[l]);
    }
}

withy_status wy_director_slopes_step(wy_director *x, withy_error *err) {
    wy_slopes *s = x->slopes;
    WY_TRY(wy_slope_act(x, x->step->when, x->step->t + x->step->h, err));
    memset(s->side, 0, (size_t)s->groups * 6 * (size_t)x->plan.node_count * sizeof *s->side);
    assemble_plus(x);
    turn_back(x);
    assemble_elements(x);
    assemble_nodes(x);
    for (int g = 0; g < s->groups; g++) {
        solve_group(x, g);
        move_group(x, g);
    }
    return WITHY_OK;
}

withy_status wy_director_slopes_still(wy_director *x, double t, withy_error *err) {
    wy_slopes *s = x->slopes;
    WY_TRY(wy_slope_act(x, t, t, err));
    memset(s->side, 0, (size_t)s->groups * 6 * (size_t)x->plan.node_count * sizeof *s->side);
    assemble_plus(x);
    assemble_elements(x);
    assemble_nodes(x);
    for (int g = 0; g < s->groups; g++) {
        s->kept[g].fault = 0;
        solve_group(x, g);
        for (int j = 0; j < x->plan.node_count; j++) {
            wy_slope_node *node = &nodes_of(x, g)[j];
            memset(node, 0, sizeof *node);
            for (int i = 0; i < 3; i++)
                node->r[i] = s->change[6 * j + i], node->phi[i] = s->change[6 * j + 3 + i];
        }
        memset(s->kept[g].u, 0, sizeof s->kept[g].u);
    }
    return WITHY_OK;
}

void wy_director_slopes_start(wy_director *x) {
    wy_slopes *s = x->slopes;
    for (int g = 0; g < s->groups; g++) {
        memcpy(nodes_of(x, g), s->field[g].first,
               (size_t)x->plan.node_count * sizeof *s->field[g].first);
        s->kept[g] = (wy_slope_kept){.fault = 0};
        memcpy(s->kept[g].u, s->field[g].first_u, sizeof s->kept[g].u);
    }
}
