/* contact_make.c - what may touch what: points, walls, and the memory of contact. */
#include <string.h>

#include "method/director/contacts.h"
#include "model/network.h"

enum { NEAR = 16 }; /* pairs per chord that may be near each other */

int wy_touches(const withy_problem *problem) {
    return problem->contact.given || problem->obstacle_count > 0;
}

static withy_status no_memory(withy_error *err) {
    return wy_fail(err, WITHY_NO_MEMORY, "director: no memory for the contacts");
}

/* ---- points ------------------------------------------------------------------------------------------- */

static withy_status set_points(wy_network *net, wy_touch_plan *plan, withy_error *err) {
    wy_arena *arena = net->hub.setup->arena;
    for (int i = 0; i < net->plan.rods; i++) plan->points += net->rod[i].plan.node_count;
    plan->point = wy_arena_take(arena, (size_t)plan->points + 1, sizeof *plan->point);
    plan->first = wy_arena_take(arena, (size_t)net->plan.rods + 1, sizeof *plan->first);
    if (!plan->point || !plan->first) return no_memory(err);
    int at = 0;
    for (int i = 0; i < net->plan.rods; i++) {
        const wy_director_plan *rod = &net->rod[i].plan;
        plan->first[i] = at;
        for (int j = 0; j < rod->node_count; j++, at++) {
            wy_touch_point *point = &plan->point[at];
            *point = (wy_touch_point){i, j, 0, rod->mass[j].share, rod->mass[j].mass, 0};
            WY_TRY(wy_rod_radius(rod->rod, rod->s[j], &point->radius, err));
            WY_TRY(wy_rod_hardness(rod->problem, rod->rod, rod->s[j], &point->hard, err));
        }
    }
    plan->first[net->plan.rods] = at;
    return WITHY_OK;
}

/* ---- walls -------------------------------------------------------------------------------------------- */

/* One coefficient in all directions. */
static withy_status isotropic(const double friction[WITHY_FRICTIONS], double *mu,
                              withy_error *err) {
    *mu = friction[WITHY_LATERAL];
    for (int i = 0; i < WITHY_FRICTIONS; i++)
        if (friction[i] != *mu)
            return wy_fail(
                err, WITHY_UNSUPPORTED,
                "director: contact.friction" WY_KEY " = { forward = %g, back = %g, lateral = %g }: "
                "friction that depends on the direction is that of a rod on an obstacle; two rods "
                "that touch have two directions, and no such law; give one number here, and three "
                "with "
                "the obstacles",
                friction[WITHY_FORWARD], friction[WITHY_BACK], friction[WITHY_LATERAL]);
    return WITHY_OK;
}

static void set_wall(const wy_network *net, wy_touch_plan *plan, int i) {
    const wy_obstacle_model *given = &wy_model_obstacle(net->hub.setup->model)[i];
    wy_touch_wall *wall = &plan->wall[i];
    *wall = (wy_touch_wall){.shape = given->shape,
                            .stiffness = given->stiffness,
                            .damping = given->damping,
                            .moves = given->moves};
    const double *mu = given->friction;
    wall->friction = mu[WITHY_LATERAL];
    wall->forward = mu[WITHY_FORWARD], wall->back = mu[WITHY_BACK];
    wall->rubs = mu[WITHY_LATERAL] > 0 || mu[WITHY_FORWARD] > 0 || mu[WITHY_BACK] > 0;
    wall->directed = wall->forward != wall->friction || wall->back != wall->friction;
    plan->rubs |= wall->rubs, plan->damps |= wall->damping > 0, plan->moves |= wall->moves;
}

static withy_status set_walls(wy_network *net, wy_touch_plan *plan, withy_error *err) {
    plan->walls = net->hub.plan.problem->obstacle_count;
    plan->wall = wy_arena_take(net->hub.setup->arena, (size_t)plan->walls + 1, sizeof *plan->wall);
    if (!plan->wall) return no_memory(err);
    for (int i = 0; i < plan->walls; i++) set_wall(net, plan, i);
    return WITHY_OK;
}

/* ---- pairs -------------------------------------------------------------------------------------------- */

/* Rods that hang together by joints have one number; bodies and the ground are counted after the rods. */
withy_status wy_touch_joined(wy_network *net, wy_touch_plan *plan, withy_error *err) {
    if (plan->joined) return WITHY_OK;
    const withy_problem *problem = net->hub.plan.problem;
    const int rods = net->plan.rods, ground = rods + problem->body_count;
    int *of = wy_arena_take(net->hub.setup->arena, (size_t)ground + 1, sizeof *of);
    if (!of) return no_memory(err);
    for (int i = 0; i <= ground; i++) of[i] = i;
    for (int k = 0; k < problem->joint_count; k++) {
        const withy_place *place = problem->joint[k].place;
        const int one = wy_part_root(of, wy_part_number(problem, &place[0]));
        of[one] = wy_part_root(of, wy_part_number(problem, &place[1]));
    }
    for (int i = 0; i <= ground; i++) of[i] = wy_part_root(of, i);
    plan->joined = of;
    return WITHY_OK;
}

/* Bodies that rods and bodies touch. */
static int count_shapes(const withy_problem *problem) {
    wy_obstacle unused;
    int count = 0;
    for (int i = 0; i < problem->body_count && !problem->contact.no_bodies; i++)
        count += wy_body_surface(&problem->body[i], &unused);
    return count;
}

static withy_status set_pairs(wy_network *net, wy_touch_plan *plan, withy_error *err) {
    const withy_problem *problem = net->hub.plan.problem;
    const withy_contact *contact = &problem->contact;
    wy_arena *arena = net->hub.setup->arena;
    if (!contact->given) return WITHY_OK;
    plan->self = !contact->no_self, plan->rods = !contact->no_rods && net->plan.rods > 1;
    const int shapes = count_shapes(problem);
    plan->pairs = shapes > 1 || (plan->points > 0 && (plan->self || plan->rods || shapes > 0));
    if (!plan->pairs) return WITHY_OK;
    plan->stiffness = contact->pair, plan->exclude = contact->exclude;
    plan->damping = contact->damping;
    WY_TRY(isotropic(contact->friction, &plan->friction, err));
    plan->rubs |= plan->friction > 0, plan->damps |= plan->damping > 0;
    plan->near = NEAR * plan->points + 64;
    WY_TRY(wy_touch_joined(net, plan, err));
    return wy_grid_make(&plan->grid, plan->points, arena, err);
}

/* ---- all ---------------------------------------------------------------------------------------------- */

withy_status wy_touch_make(wy_network *net, withy_error *err) {
    const withy_problem *problem = net->hub.plan.problem;
    if (!wy_touches(problem)) return WITHY_OK;
    wy_touch *touch = wy_arena_take(net->hub.setup->arena, 1, sizeof *touch);
    if (!touch) return no_memory(err);
    touch->plan.law = wy_contact_law_of(problem);
    touch->plan.range = problem->contact.given ? problem->contact.gap : 0;
    WY_TRY(set_points(net, &touch->plan, err));
    WY_TRY(set_walls(net, &touch->plan, err));
    WY_TRY(set_pairs(net, &touch->plan, err));
    touch->plan.dt = net->plan.dt;
    touch->plan.marks = 4 * touch->plan.points + 64;
    net->touch = touch;
    for (int w = 0; w < touch->plan.walls; w++)
        if (wy_touch_tell_small(net, &touch->plan.wall[w].shape, "obstacles", w)) break;
    for (int i = 0; i < net->plan.rods; i++) net->rod[i].touch = touch;
    net->plan.damped |= touch->plan.rubs || touch->plan.damps;
    net->plan.driven |= touch->plan.moves;
    return WITHY_OK;
}

/* ---- what the state may hold -------------------------------------------------------------------------- */

static void *keep_now(const wy_touch_plan *plan, wy_block *state) {
    const int all = plan->points + plan->knobs,
              behind = plan->walls + (plan->grips ? plan->bodies : 0);
    const int between = behind > 0 && plan->points > 0;
    const wy_range row[] = {WY_WHOLE(wy_touch_now, count, 0, plan->marks),
                            WY_WHOLE(wy_touch_now, deep.is, 0, plan->walls > 0 && all > 0),
                            WY_WHOLE(wy_touch_now, deep.a, 0, wy_max(0, all - 1)),
                            WY_WHOLE(wy_touch_now, deep.target, 0, wy_max(0, plan->walls - 1)),
                            WY_WHOLE(wy_touch_now, between.is, 0, between),
                            WY_WHOLE(wy_touch_now, between.a, 0, wy_max(0, plan->points - 1)),
                            WY_WHOLE(wy_touch_now, between.target, 0, wy_max(0, behind - 1)),
                            WY_FLAG(wy_touch_now, crossed),
                            WY_FLAG(wy_touch_now, rests),
                            WY_WHOLE(wy_touch_now, expects, -1, plan->marks),
                            WY_RANGE(wy_touch_now, set, WY_RANGE_ANY, 0, 0),
                            WY_REAL(wy_touch_now, clear, 0, WY_TOUCH_CLEAR)};
    return WY_KEEP(state, 1, wy_touch_now, row);
}

/* Two numbers that begin a structure. */
static void *keep_pairs(const wy_touch_plan *plan, wy_block *state, size_t size) {
    const int all = plan->points + plan->knobs, most = wy_max(plan->points, all);
    const wy_range row[] = {WY_WHOLE(wy_touch_mark, a, 0, most),
                            WY_WHOLE(wy_touch_mark, b, -(plan->walls + plan->bodies) - 1, most)};
    return wy_block_keep(state, (size_t)plan->marks, size, row, 2);
}

static int is_chord(const wy_touch_plan *plan, int a) {
    return a >= 0 && a + 1 < plan->points && plan->point[a + 1].rod == plan->point[a].rod;
}

static int can_touch(const wy_touch_plan *plan, int a, int b) {
    if (b >= 0) return a < b && is_chord(plan, a) && is_chord(plan, b);
    const int bodies = (a < plan->points ? plan->grips > 0 : plan->clashes) ? plan->bodies : 0;
    return a < plan->points + plan->knobs && -1 - b < plan->walls + bodies;
}

/* A list of `size` bytes each that begin with a and b: contacts there can be, in their order. */
static int is_list(const wy_touch_plan *plan, const void *list, size_t size, int64_t count) {
    const int32_t *last = NULL;
    for (int64_t i = 0; i < count; i++) {
        const int32_t *key = (const void *)((const char *)list + (size_t)i * size);
        if (!can_touch(plan, key[0], key[1])) return 0;
        if (last && (key[0] < last[0] || (key[0] == last[0] && key[1] <= last[1]))) return 0;
        last = key;
    }
    return 1;
}

const char *wy_touch_wrong(const wy_network *net) {
    const wy_touch *x = net->touch;
    const int fine = is_list(&x->plan, x->mark, sizeof *x->mark, x->now->count) &&
                     is_list(&x->plan, x->expect, sizeof *x->expect, x->now->expects);
    if (fine && wy_touch_clear_wrong(net)) return "the distance of what may touch";
    return fine ? NULL : "a contact";
}

void wy_touch_lay(wy_touch *touch, wy_block *state, wy_block *scratch) {
    const size_t marks = (size_t)touch->plan.marks, walls = (size_t)touch->plan.walls;
    const size_t near = (size_t)touch->plan.near, clusters = (size_t)touch->plan.clusters;
    const size_t gone = (size_t)touch->plan.points + clusters;
    const size_t points = touch->plan.pairs ? (size_t)touch->plan.points : 0;
    touch->now = keep_now(&touch->plan, state);
    touch->mark = keep_pairs(&touch->plan, state, sizeof *touch->mark);
    touch->at = wy_block_take(state, walls, sizeof *touch->at);
    touch->expect = keep_pairs(&touch->plan, state, sizeof *touch->expect);
    touch->gone = wy_block_take(state, touch->plan.rubs ? gone : 0, sizeof *touch->gone);
    touch->to = wy_block_take(scratch, walls, sizeof *touch->to);
    touch->fresh = wy_block_take(scratch, marks, sizeof *touch->fresh);
    touch->step = wy_block_take(scratch, 1, sizeof *touch->step);
    touch->near = wy_block_take(scratch, near, sizeof *touch->near);
    touch->other = wy_block_take(scratch, near, sizeof *touch->other);
    touch->box = wy_block_take(scratch, points, sizeof *touch->box);
    touch->goes = wy_block_take(scratch, points, sizeof *touch->goes);
    touch->reach = wy_block_take(scratch, points, sizeof *touch->reach);
    touch->list = wy_block_take(scratch, points, sizeof *touch->list);
    touch->begin = wy_block_take(scratch, points + 1, sizeof *touch->begin);
    touch->force = wy_block_take(scratch, points + clusters, sizeof *touch->force);
    touch->in = wy_block_take(scratch, (size_t)touch->plan.ties, sizeof *touch->in);
}

withy_status wy_touch_at(wy_network *net, double t, withy_error *err) {
    wy_touch *touch = net->touch;
    for (int i = 0; i < touch->plan.walls; i++) {
        touch->to[i] = touch->at[i];
        if (touch->plan.wall[i].moves)
            WY_TRY(wy_model_shift(net->hub.setup->model, i, t, &touch->to[i], err));
    }
    return WITHY_OK;
}

/* Motion goes on with the friction of an equilibrium: its springs, of another stiffness, keep their force. */
static void go_on(wy_network *net) {
    wy_touch *touch = net->touch;
    for (int64_t k = 0; k < touch->now->count; k++) {
        wy_touch_mark *mark = &touch->mark[k];
        mark->z = v3_scale(wy_touch_mark_stick(net, mark, 0) / wy_touch_mark_stick(net, mark, 1),
                           mark->z);
    }
    touch->now->rests = 0;
}

void wy_touch_stay(wy_touch *touch) {
    const size_t all = (size_t)touch->plan.points + (size_t)touch->plan.clusters;
    if (touch->plan.rubs) memset(touch->gone, 0, all * sizeof *touch->gone);
}

void wy_touch_clear(wy_touch *touch) {
    *touch->now = (wy_touch_now){.expects = -1};
    memset(touch->mark, 0, (size_t)touch->plan.marks * sizeof *touch->mark);
    memset(touch->expect, 0, (size_t)touch->plan.marks * sizeof *touch->expect);
}

withy_status wy_touch_start(wy_network *net, withy_error *err) {
    wy_touch *touch = net->touch;
    const size_t walls = (size_t)touch->plan.walls;
    const int drawn = !touch->now->rests; /* or it goes on from an equilibrium */
    if (touch->now->rests) go_on(net);
    touch->now->clear = 0, touch->idle = 0;
    wy_touch_stay(touch);
    memset(touch->at, 0, walls * sizeof *touch->at);
    *touch->step = (wy_touch_step){.lost = {-1, -1}};
    WY_TRY(wy_touch_at(net, 0, err));
    if (touch->plan.pairs) WY_TRY(wy_touch_search(net, WY_TOUCH_STAYS, err));
    if (drawn) WY_TRY(wy_touch_drawn(net, err));
    if (!touch->plan.pairs) return WITHY_OK;
    touch->now->paired = wy_touch_paired(net);
    wy_touch_push(net);
    return WITHY_OK;
}

const wy_touch_mark *wy_touch_find(const wy_touch *touch, int a, int b) {
    const wy_touch_mark *mark = touch->mark;
    const int64_t at = wy_touch_place(mark, sizeof *mark, touch->now->count, a, b);
    return at >= 0 ? &mark[at] : NULL;
}
