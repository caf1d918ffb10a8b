/* contact_solve.c - Newton's equations where rods touch rods: the skeleton of a network with all nodes in it.
 *
 * A contact couples nodes of two rods wherever it is, so that segments cannot be condensed: block rows are clusters with
 * their multipliers (director/skeleton.c) and every node that is no copy.  Elements and pairs are added as they are:
 * rows and columns of a copy go to its cluster as in director/segment.c; rows that an end holds become those of the
 * increment that is left.  The order is found again, by minimum degree, whenever pairs push that the pattern lacks.
 */
#include <string.h>

#include "method/director/contacts.h"

enum { NODES = WY_ELEMENT_NODES, WIDE = WY_DIRECTOR_STRIDE };

/* ---- pattern ------------------------------------------------------------------------------------------------ */

/* Clusters are numbered after the points. */
static int cluster_of(const wy_network *net, int point) {
    if (point >= net->touch->plan.points) return point - net->touch->plan.points;
    const int member = net->touch->plan.member[point];
    return member < 0 ? -1 : net->plan.member[member].cluster;
}

static void couple(wy_touch_plan *plan, int *count, int a, int b) {
    if (a < 0 || b < 0) return; /* it stands */
    plan->pattern.couple[*count][0] = a, plan->pattern.couple[(*count)++][1] = b;
}

static int block_of(const wy_network *net, int point) {
    const wy_touch_plan *plan = &net->touch->plan;
    return point < plan->points ? plan->block[point]
                                : net->plan.cluster[point - plan->points].block;
}

/* Points to block rows, and the blocks of the elements. */
static void number_points(wy_network *net, int blocks, int pairs) {
    wy_touch_plan *plan = &net->touch->plan;
    for (int a = 0; a < plan->points; a++) {
        const wy_touch_point *p = &plan->point[a];
        const int at_joint = p->node % net->rod[p->rod].plan.p == 0;
        plan->member[a] = at_joint ? wy_network_member_of(net, p->rod, p->node) : -1;
        const int c = cluster_of(net, a);
        plan->block[a] = c < 0 ? blocks : net->plan.cluster[c].block;
        if (c < 0) plan->pattern.size[blocks++] = 6;
    }
    for (int i = 0; i < net->plan.rods; i++)
        for (int e = 0; e < net->rod[i].plan.n; e++) {
            const int p = net->rod[i].plan.p, first = plan->first[i] + e * p;
            for (int a = 0; a <= p; a++)
                for (int b = a + 1; b <= p; b++)
                    couple(plan, &pairs, plan->block[first + a], plan->block[first + b]);
        }
    plan->pattern.blocks = blocks, plan->pattern.fixed = pairs;
}

withy_status wy_touch_pattern(wy_network *net, const wy_blocks_spec *spec, withy_error *err) {
    wy_touch_plan *plan = &net->touch->plan;
    wy_taker from = {.arena = net->hub.setup->arena};
    const size_t points = (size_t)plan->points, blocks = (size_t)spec->count + points;
    const size_t most = (size_t)spec->pairs + points * NODES + 4 * (size_t)plan->near +
                        (size_t)plan->grips +
                        (plan->clashes ? (size_t)(plan->bodies * plan->bodies) : 0);
    const size_t all = blocks * blocks / 2 + 64, some = 40 * blocks + 1024;
    const size_t fill = all < some ? all : some;
    plan->member = wy_taker_take(&from, points, sizeof *plan->member);
    plan->block = wy_taker_take(&from, points, sizeof *plan->block);
    plan->pattern.size = wy_taker_take(&from, blocks, sizeof *plan->pattern.size);
    plan->pattern.after = wy_taker_take(&from, blocks, sizeof *plan->pattern.after);
    plan->pattern.couple = wy_taker_take(&from, most, sizeof *plan->pattern.couple);
    plan->values = 36 * (blocks + 2 * fill);
    plan->room.size = 256 * fill + 512 * blocks + 64 * most;
    plan->room.base = wy_taker_take(&from, plan->room.size, 1);
    if (from.failed) return wy_fail(err, WITHY_NO_MEMORY, "director: no memory for the contacts");
    for (int i = 0; i < spec->count; i++) {
        plan->pattern.size[i] = spec->size[i];
        plan->values += (size_t)(spec->size[i] * spec->size[i]) * 8; /* with multipliers */
        for (int k = 0; k < 2; k++) plan->pattern.after[i][k] = spec->after[i][k];
    }
    for (size_t i = (size_t)spec->count; i < blocks; i++)
        plan->pattern.after[i][0] = plan->pattern.after[i][1] = -1;
    for (int i = 0; i < spec->pairs; i++)
        for (int k = 0; k < 2; k++) plan->pattern.couple[i][k] = spec->pair[i][k];
    number_points(net, spec->count, spec->pairs);
    return WITHY_OK;
}

withy_status wy_touch_order(wy_network *net, withy_error *err) {
    wy_touch *touch = net->touch;
    wy_touch_plan *plan = &touch->plan;
    int pairs = plan->pattern.fixed;
    for (int k = 0; touch->step && k < touch->step->count; k++) {
        const wy_touch_near *near = &touch->near[k];
        for (int i = 0; i < 4 && near->in; i++)
            couple(plan, &pairs, plan->block[near->a + i / 2], plan->block[near->b + i % 2]);
    }
    for (int k = 0; touch->step && k < plan->grips; k++) {
        if (!touch->grip[k]) continue;
        const int c = plan->body[k % plan->bodies].cluster;
        couple(plan, &pairs, plan->block[k / plan->bodies], net->plan.cluster[c].block);
    }
    for (int i = 0; touch->step && plan->clashes && i < plan->bodies * plan->bodies; i++) {
        if (!touch->meeting[i]) continue;
        couple(plan, &pairs, net->plan.cluster[plan->body[i / plan->bodies].cluster].block,
               net->plan.cluster[plan->body[i % plan->bodies].cluster].block);
    }
    plan->plain = pairs == plan->pattern.fixed;
    const wy_blocks_spec spec = {plan->pattern.blocks, plan->pattern.size, pairs,
                                 (const int(*)[2])plan->pattern.couple,
                                 (const int(*)[2])plan->pattern.after};
    if (wy_blocks_again(&spec, &plan->room, &net->plan.skeleton) &&
        net->plan.skeleton.values <= plan->values) {
        wy_skeleton_places(net);
        return WITHY_OK;
    }
    return wy_fail(
        err, WITHY_UNSUPPORTED,
        "director: at t = %g the contacts tie so many pieces of rods together that their "
        "equations do not fit into the memory that was taken for them; use fewer "
        "elements (options.n)",
        net->hub.step->t);
}

/* ---- one contribution ------------------------------------------------------------------------------------------ */

/* Rows m[6 count][stride] of `count` points, with the right side in column 6 count. */
typedef struct part {
    int count, stride;
    const int *point;
    double *m;
} part;

static double *entry(const part *x, int i, int j) {
    return &x->m[i * x->stride + j];
}

/* r_k = r + R o: columns dr_k = dr + dphi x p+, rows phi += pm x r, and beta hat(F_r) hat(p+). */
static void to_cluster(const wy_network *net, const part *x, int k) {
    const wy_network_member *own = &net->plan.member[net->touch->plan.member[x->point[k]]];
    const int at = 6 * k, side = 6 * x->count;
    if (v3_is_zero(own->o)) return;
    const vec3 p = m3_mul(tri_matrix(net->hub.next[own->cluster].d), own->o);
    const vec3 pm = m3_mul(tri_matrix(wy_director_acting(&net->hub, own->cluster)), own->o);
    const vec3 force = v3(-*entry(x, at, side), -*entry(x, at + 1, side), -*entry(x, at + 2, side));
    for (int i = 0; i < 6 * x->count; i++) {
        const vec3 l = v3_cross(p, v3_from(entry(x, i, at)));
        for (int c = 0; c < 3; c++) *entry(x, i, at + 3 + c) += v3_get(l, c);
    }
    for (int j = 0; j <= side; j++) {
        const vec3 f = v3(*entry(x, at, j), *entry(x, at + 1, j), *entry(x, at + 2, j));
        const vec3 l = v3_cross(pm, f);
        for (int c = 0; c < 3; c++) *entry(x, at + 3 + c, j) += v3_get(l, c);
    }
    const double beta = net->hub.step->beta, dot = v3_dot(force, p);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++)
            *entry(x, at + 3 + i, at + 3 + j) += beta * v3_get(p, i) * v3_get(force, j);
        *entry(x, at + 3 + i, at + 3 + i) -= beta * dot;
    }
}

/* Blocks 0 and k change places, rows and columns. */
static void exchange(const part *x, int k) {
    for (int i = 0; i < 6 && k; i++)
        for (int j = 0; j <= 6 * x->count; j++) {
            const double keep = *entry(x, i, j);
            *entry(x, i, j) = *entry(x, 6 * k + i, j), *entry(x, 6 * k + i, j) = keep;
        }
    for (int i = 0; i < 6 * x->count && k; i++)
        for (int j = 0; j < 6; j++) {
            const double keep = *entry(x, i, j);
            *entry(x, i, j) = *entry(x, i, 6 * k + j), *entry(x, i, 6 * k + j) = keep;
        }
}

static int end_of(const wy_director *x, int node) {
    return node == 0 ? 0 : node == x->plan.node_count - 1 ? 1 : -1;
}

static void add_part(wy_network *net, const part *x) {
    const wy_touch_plan *plan = &net->touch->plan;
    const wy_blocks *skeleton = &net->plan.skeleton;
    for (int k = 0; k < x->count; k++) {
        if (x->point[k] >= plan->points) continue;
        const wy_touch_point *p = &plan->point[x->point[k]];
        wy_director *rod = &net->rod[p->rod];
        const int which = end_of(rod, p->node);
        if (plan->member[x->point[k]] >= 0) {
            to_cluster(net, x, k);
        } else if (which >= 0) {
            exchange(x, k);
            wy_director_hold(rod, which, x->m, x->stride, 6 * x->count, 6 * x->count + 1);
            exchange(x, k);
        }
    }
    for (int k = 0; k < x->count; k++) {
        const int c = cluster_of(net, x->point[k]), block = block_of(net, x->point[k]);
        if (c >= 0 && net->plan.cluster[c].held) continue; /* its rows are those of the identity */
        const int row = wy_blocks_row(skeleton, block);
        for (int i = 0; i < 6; i++) net->side[row + i] += *entry(x, 6 * k + i, 6 * x->count);
        for (int l = 0; l < x->count; l++) {
            const int other = block_of(net, x->point[l]);
            if (other < 0) continue;
            const int wide = skeleton->size[skeleton->place[other]];
            double *to = &net->value[wy_blocks_at(skeleton, block, other)];
            for (int i = 0; i < 6; i++)
                for (int j = 0; j < 6; j++) to[i * wide + j] += *entry(x, 6 * k + i, 6 * l + j);
        }
    }
}

/* ---- all --------------------------------------------------------------------------------------------------------- */

void wy_touch_element(wy_network *net, int rod, int e) {
    wy_director *x = &net->rod[rod];
    const int p = x->plan.p, first = net->touch->plan.first[rod] + e * p, side = 6 * (p + 1);
    double m[6 * NODES][WIDE];
    int point[NODES];
    wy_director_element(x, e, m);
    for (int a = 0; a <= p; a++) {
        double block[6][6], b[6];
        point[a] = first + a;
        if (a == p && e + 1 < x->plan.n) break; /* of the next element */
        wy_director_node_terms(x, e * p + a, block, b);
        for (int i = 0; i < 6; i++) {
            for (int j = 0; j < 6; j++) m[6 * a + i][6 * a + j] += block[i][j];
            m[6 * a + i][side] -= b[i];
        }
    }
    const part all = {p + 1, WIDE, point, &m[0][0]};
    add_part(net, &all);
}

/* Held rows have one entry, the sum of the sizes that elements and pairs gave them. */
static void scale_held(wy_network *net, int rod, int which) {
    const wy_touch_plan *plan = &net->touch->plan;
    const wy_director_end *end = &net->rod[rod].plan.end[which];
    const int point = plan->first[rod] + end->node;
    if (plan->member[point] >= 0) return;
    const wy_blocks *x = &net->plan.skeleton;
    const int row = wy_blocks_row(x, plan->block[point]);
    double *d = &net->value[x->diagonal[x->place[plan->block[point]]]];
    for (int i = 0; i < 6; i++)
        if (wy_director_holds(end, i)) {
            net->side[row + i] /= d[7 * i], d[7 * i] = 1;
            net->rod[rod].step->end[which].size[i] = 1;
        }
}

/* Forces have been added with those of nodes and clusters; right sides of tangents are zero. */
static void add_grip(wy_network *net, int k) {
    const wy_touch_plan *plan = &net->touch->plan;
    const int point[2] = {k / plan->bodies, plan->points + plan->body[k % plan->bodies].cluster};
    wy_body_push push;
    double m[WY_BODY_ROWS][WY_BODY_ROWS + 1] = {{0}};
    if (!net->touch->grip[k] || !wy_touch_grip(net, k, 1, &push)) return;
    for (int i = 0; i < WY_BODY_ROWS; i++)
        for (int j = 0; j < WY_BODY_ROWS; j++) m[i][j] = -push.slope[i][j];
    const part all = {2, WY_BODY_ROWS + 1, point, &m[0][0]};
    add_part(net, &all);
}

static void add_clashes(wy_network *net, int i, int j) {
    const wy_touch_plan *plan = &net->touch->plan;
    const wy_touch_body *own = &plan->body[i];
    const int point[2] = {plan->points + own->cluster, plan->points + plan->body[j].cluster};
    double m[WY_BODY_ROWS][WY_BODY_ROWS + 1];
    for (int k = own->first; k < own->first + own->knobs; k++) {
        if (!wy_touch_clash_tangent(net, k, j, m)) continue;
        const part all = {2, WY_BODY_ROWS + 1, point, &m[0][0]};
        add_part(net, &all);
    }
}

void wy_touch_fill(wy_network *net) {
    for (int k = 0; k < net->touch->step->count; k++) {
        int point[4];
        double m[24][25];
        if (!net->touch->near[k].in || !wy_touch_tangent(net, k, point, m)) continue;
        const part all = {4, 25, point, &m[0][0]};
        add_part(net, &all);
    }
    for (int k = 0; k < net->touch->plan.grips; k++) add_grip(net, k);
    const int bodies = net->touch->plan.clashes ? net->touch->plan.bodies : 0;
    for (int i = 0; i < bodies * bodies; i++)
        if (net->touch->meeting[i]) add_clashes(net, i / bodies, i % bodies);
    for (int i = 0; i < 2 * net->plan.rods; i++) scale_held(net, i / 2, i % 2);
}

void wy_touch_spread(wy_network *net) {
    const wy_touch_plan *plan = &net->touch->plan;
    for (int a = 0; a < plan->points; a++) {
        const wy_touch_point *p = &plan->point[a];
        wy_director *rod = &net->rod[p->rod];
        double *change = rod->next[p->node].change;
        if (plan->member[a] >= 0) {
            wy_member_change(net, plan->member[a], change);
            continue;
        }
        const int row = wy_blocks_row(&net->plan.skeleton, plan->block[a]);
        memcpy(change, &net->side[row], 6 * sizeof *change);
        if (end_of(rod, p->node) >= 0) wy_director_hold_back(rod, end_of(rod, p->node), change);
    }
}
