/* contact_make.c - what may touch what: points, obstacles, and the memory of contact. */
#include "method/director/contact/contacts.h"
#include "model/network.h"

enum { NEAR = 16 }; /* pairs per chord that may be near each other */

int wy_has_contacts(const withy_problem *problem) {
    return problem->contact.given || problem->obstacle_count > 0;
}

static withy_status no_memory(withy_error *err) {
    return wy_no_memory(err, "director: no memory for the contacts");
}

static withy_status set_points(wy_network *net, wy_contacts_plan *plan, withy_error *err) {
    wy_arena *arena = net->rigid.setup->arena;
    for (int i = 0; i < net->plan.rods; i++) plan->points += net->rod[i].plan.node_count;
    plan->point = wy_arena_alloc(arena, (size_t)plan->points + 1, sizeof *plan->point);
    plan->first = wy_arena_alloc(arena, (size_t)net->plan.rods + 1, sizeof *plan->first);
    if (!plan->point || !plan->first) return no_memory(err);
    int at = 0;
    for (int i = 0; i < net->plan.rods; i++) {
        const wy_director_plan *rod = &net->rod[i].plan;
        plan->first[i] = at;
        for (int j = 0; j < rod->node_count; j++, at++) {
            wy_contacts_point *point = &plan->point[at];
            *point = (wy_contacts_point){i, j, 0, rod->mass[j].share, rod->mass[j].mass, 0};
            WY_TRY(wy_rod_radius(rod->rod, rod->s[j], &point->radius, err));
            WY_TRY(wy_rod_hardness(rod->problem, rod->rod, rod->s[j], &point->hard, err));
        }
    }
    plan->first[net->plan.rods] = at;
    return WITHY_OK;
}

/* ---- obstacles -------------------------------------------------------------------------------------------- */

/* One coefficient in all directions. */
static withy_status isotropic(const double friction[WITHY_FRICTIONS], double *mu,
                              withy_error *err) {
    *mu = friction[WITHY_LATERAL];
    for (int i = 0; i < WITHY_FRICTIONS; i++)
        if (friction[i] != *mu)
            return wy_unsupported(
                err,
                "director: contact.friction" WY_KEY " = { forward = %g, back = %g, lateral = %g }: "
                "friction that depends on the direction is that of a rod on an obstacle; two rods "
                "that touch have two directions, and no such law; give one number here, and three "
                "with "
                "the obstacles",
                friction[WITHY_FORWARD], friction[WITHY_BACK], friction[WITHY_LATERAL]);
    return WITHY_OK;
}

static void set_obstacle(const wy_network *net, wy_contacts_plan *plan, int i) {
    const wy_obstacle_model *given = &wy_model_obstacle(net->rigid.setup->model)[i];
    wy_contacts_obstacle *obstacle = &plan->obstacle[i];
    *obstacle = (wy_contacts_obstacle){.shape = given->shape,
                                       .stiffness = given->stiffness,
                                       .damping = given->damping,
                                       .moves = given->moves};
    const double *mu = given->friction;
    obstacle->friction = mu[WITHY_LATERAL];
    obstacle->forward = mu[WITHY_FORWARD], obstacle->back = mu[WITHY_BACK];
    obstacle->has_friction = mu[WITHY_LATERAL] > 0 || mu[WITHY_FORWARD] > 0 || mu[WITHY_BACK] > 0;
    obstacle->directed =
        obstacle->forward != obstacle->friction || obstacle->back != obstacle->friction;
    plan->has_friction |= obstacle->has_friction, plan->damps |= obstacle->damping > 0,
        plan->moves |= obstacle->moves;
}

static withy_status set_obstacles(wy_network *net, wy_contacts_plan *plan, withy_error *err) {
    plan->obstacles = net->rigid.plan.problem->obstacle_count;
    plan->obstacle = wy_arena_alloc(net->rigid.setup->arena, (size_t)plan->obstacles + 1,
                                    sizeof *plan->obstacle);
    if (!plan->obstacle) return no_memory(err);
    for (int i = 0; i < plan->obstacles; i++) set_obstacle(net, plan, i);
    return WITHY_OK;
}

/* ---- pairs -------------------------------------------------------------------------------------------- */

/* Rods that hang together by joints have one number; bodies and the ground are counted after the rods. */
withy_status wy_contacts_joined(wy_network *net, wy_contacts_plan *plan, withy_error *err) {
    if (plan->joined) return WITHY_OK;
    const withy_problem *problem = net->rigid.plan.problem;
    const int rods = net->plan.rods, ground = rods + problem->body_count;
    int *of = wy_arena_alloc(net->rigid.setup->arena, (size_t)ground + 1, sizeof *of);
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

static withy_status set_pairs(wy_network *net, wy_contacts_plan *plan, withy_error *err) {
    const withy_problem *problem = net->rigid.plan.problem;
    const withy_contact *contact = &problem->contact;
    wy_arena *arena = net->rigid.setup->arena;
    if (!contact->given) return WITHY_OK;
    plan->self = !contact->no_self, plan->rods = !contact->no_rods && net->plan.rods > 1;
    const int shapes = count_shapes(problem);
    plan->pairs = shapes > 1 || (plan->points > 0 && (plan->self || plan->rods || shapes > 0));
    if (!plan->pairs) return WITHY_OK;
    plan->stiffness = contact->pair, plan->exclude = contact->exclude;
    plan->damping = contact->damping;
    WY_TRY(isotropic(contact->friction, &plan->friction, err));
    plan->has_friction |= plan->friction > 0, plan->damps |= plan->damping > 0;
    plan->near = NEAR * plan->points + 64;
    WY_TRY(wy_contacts_joined(net, plan, err));
    return wy_grid_make(&plan->grid, plan->points, arena, err);
}

withy_status wy_contacts_make(wy_network *net, withy_error *err) {
    const withy_problem *problem = net->rigid.plan.problem;
    if (!wy_has_contacts(problem)) return WITHY_OK;
    wy_contacts *contacts = wy_arena_alloc(net->rigid.setup->arena, 1, sizeof *contacts);
    if (!contacts) return no_memory(err);
    contacts->plan.law = wy_contact_law_of(problem);
    contacts->plan.range = problem->contact.given ? problem->contact.gap : 0;
    WY_TRY(set_points(net, &contacts->plan, err));
    WY_TRY(set_obstacles(net, &contacts->plan, err));
    WY_TRY(set_pairs(net, &contacts->plan, err));
    contacts->plan.dt = net->plan.dt;
    contacts->plan.records = 4 * contacts->plan.points + 64;
    net->contacts = contacts;
    for (int w = 0; w < contacts->plan.obstacles; w++)
        if (wy_contacts_report_thin(net, &contacts->plan.obstacle[w].shape, "obstacles", w)) break;
    for (int i = 0; i < net->plan.rods; i++) net->rod[i].contacts = contacts;
    net->plan.damped |= contacts->plan.has_friction || contacts->plan.damps;
    net->plan.driven |= contacts->plan.moves;
    return WITHY_OK;
}

/* ---- what the state may hold -------------------------------------------------------------------------- */

static void *keep_now(const wy_contacts_plan *plan, wy_block *state) {
    const int all = plan->points + plan->body_points,
              behind = plan->obstacles + (plan->body_pairs ? plan->bodies : 0);
    const int between = behind > 0 && plan->points > 0;
    const wy_range row[] = {
        WY_WHOLE(wy_contacts_now, count, 0, plan->records),
        WY_WHOLE(wy_contacts_now, deep.is, 0, plan->obstacles > 0 && all > 0),
        WY_WHOLE(wy_contacts_now, deep.a, 0, wy_max(0, all - 1)),
        WY_WHOLE(wy_contacts_now, deep.target, 0, wy_max(0, plan->obstacles - 1)),
        WY_WHOLE(wy_contacts_now, between.is, 0, between),
        WY_WHOLE(wy_contacts_now, between.a, 0, wy_max(0, plan->points - 1)),
        WY_WHOLE(wy_contacts_now, between.target, 0, wy_max(0, behind - 1)),
        WY_FLAG(wy_contacts_now, crossed),
        WY_FLAG(wy_contacts_now, rests),
        WY_WHOLE(wy_contacts_now, expects, -1, plan->records),
        WY_RANGE(wy_contacts_now, set, WY_RANGE_ANY, 0, 0),
        WY_REAL(wy_contacts_now, clear, 0, WY_CONTACTS_CLEAR)};
    return WY_ALLOC_CHECKED(state, 1, wy_contacts_now, row);
}

/* Two numbers that begin a structure. */
static void *keep_pairs(const wy_contacts_plan *plan, wy_block *state, size_t size) {
    const int all = plan->points + plan->body_points, most = wy_max(plan->points, all);
    const wy_range row[] = {
        WY_WHOLE(wy_contacts_record, a, 0, most),
        WY_WHOLE(wy_contacts_record, b, -(plan->obstacles + plan->bodies) - 1, most)};
    return wy_block_alloc_checked(state, (size_t)plan->records, size, row, 2);
}

static int is_chord(const wy_contacts_plan *plan, int a) {
    return a >= 0 && a + 1 < plan->points && plan->point[a + 1].rod == plan->point[a].rod;
}

static int can_touch(const wy_contacts_plan *plan, int a, int b) {
    if (b >= 0) return a < b && is_chord(plan, a) && is_chord(plan, b);
    const int bodies =
        (a < plan->points ? plan->body_pairs > 0 : plan->bodies_touch) ? plan->bodies : 0;
    return a < plan->points + plan->body_points && -1 - b < plan->obstacles + bodies;
}

/* A list of `size` bytes each that begin with a and b: contacts there can be, in their order. */
static int is_list(const wy_contacts_plan *plan, const void *list, size_t size, int64_t count) {
    const int32_t *last = NULL;
    for (int64_t i = 0; i < count; i++) {
        const int32_t *key = (const void *)((const char *)list + (size_t)i * size);
        if (!can_touch(plan, key[0], key[1])) return 0;
        if (last && (key[0] < last[0] || (key[0] == last[0] && key[1] <= last[1]))) return 0;
        last = key;
    }
    return 1;
}

const char *wy_contacts_state_error(const wy_network *net) {
    const wy_contacts *x = net->contacts;
    const int fine = is_list(&x->plan, x->record, sizeof *x->record, x->now->count) &&
                     is_list(&x->plan, x->expect, sizeof *x->expect, x->now->expects);
    if (fine && wy_contacts_clear_error(net)) return "the distance of what may touch";
    return fine ? NULL : "a contact";
}

void wy_contacts_layout(wy_contacts *contacts, wy_block *state, wy_block *scratch) {
    const size_t records = (size_t)contacts->plan.records,
                 obstacles = (size_t)contacts->plan.obstacles;
    const size_t near = (size_t)contacts->plan.near,
                 rigid_groups = (size_t)contacts->plan.rigid_groups;
    const size_t slip = (size_t)contacts->plan.points + rigid_groups;
    const size_t points = contacts->plan.pairs ? (size_t)contacts->plan.points : 0;
    contacts->now = keep_now(&contacts->plan, state);
    contacts->record = keep_pairs(&contacts->plan, state, sizeof *contacts->record);
    contacts->at = wy_block_alloc(state, obstacles, sizeof *contacts->at);
    contacts->expect = keep_pairs(&contacts->plan, state, sizeof *contacts->expect);
    contacts->slip =
        wy_block_alloc(state, contacts->plan.has_friction ? slip : 0, sizeof *contacts->slip);
    contacts->to = wy_block_alloc(scratch, obstacles, sizeof *contacts->to);
    contacts->new_record = wy_block_alloc(scratch, records, sizeof *contacts->new_record);
    contacts->step = wy_block_alloc(scratch, 1, sizeof *contacts->step);
    contacts->near = wy_block_alloc(scratch, near, sizeof *contacts->near);
    contacts->other = wy_block_alloc(scratch, near, sizeof *contacts->other);
    contacts->box = wy_block_alloc(scratch, points, sizeof *contacts->box);
    contacts->goes = wy_block_alloc(scratch, points, sizeof *contacts->goes);
    contacts->reach = wy_block_alloc(scratch, points, sizeof *contacts->reach);
    contacts->list = wy_block_alloc(scratch, points, sizeof *contacts->list);
    contacts->begin = wy_block_alloc(scratch, points + 1, sizeof *contacts->begin);
    contacts->force = wy_block_alloc(scratch, points + rigid_groups, sizeof *contacts->force);
    contacts->in = wy_block_alloc(scratch, (size_t)contacts->plan.ties, sizeof *contacts->in);
}

withy_status wy_contacts_at(wy_network *net, double t, withy_error *err) {
    wy_contacts *contacts = net->contacts;
    for (int i = 0; i < contacts->plan.obstacles; i++) {
        contacts->to[i] = contacts->at[i];
        if (contacts->plan.obstacle[i].moves)
            WY_TRY(wy_model_shift(net->rigid.setup->model, i, t, &contacts->to[i], err));
    }
    return WITHY_OK;
}

/* Motion continues with the friction of an equilibrium: its springs, of another stiffness, keep their force. */
static void go_on(wy_network *net) {
    wy_contacts *contacts = net->contacts;
    for (int64_t k = 0; k < contacts->now->count; k++) {
        wy_contacts_record *record = &contacts->record[k];
        record->z = v3_scale(wy_contacts_record_stick(net, record, 0) /
                                 wy_contacts_record_stick(net, record, 1),
                             record->z);
    }
    contacts->now->rests = 0;
}

void wy_contacts_stay(wy_contacts *contacts) {
    const size_t all = (size_t)contacts->plan.points + (size_t)contacts->plan.rigid_groups;
    if (contacts->plan.has_friction) memset(contacts->slip, 0, all * sizeof *contacts->slip);
}

void wy_contacts_clear(wy_contacts *contacts) {
    *contacts->now = (wy_contacts_now){.expects = -1};
    memset(contacts->record, 0, (size_t)contacts->plan.records * sizeof *contacts->record);
    memset(contacts->expect, 0, (size_t)contacts->plan.records * sizeof *contacts->expect);
}

withy_status wy_contacts_start(wy_network *net, withy_error *err) {
    wy_contacts *contacts = net->contacts;
    const size_t obstacles = (size_t)contacts->plan.obstacles;
    const int drawn = !contacts->now->rests; /* or it continues from an equilibrium */
    if (contacts->now->rests) go_on(net);
    contacts->now->clear = 0, contacts->idle = 0;
    wy_contacts_stay(contacts);
    memset(contacts->at, 0, obstacles * sizeof *contacts->at);
    *contacts->step = (wy_contacts_step){.lost = {-1, -1}};
    WY_TRY(wy_contacts_at(net, 0, err));
    if (contacts->plan.pairs) WY_TRY(wy_contacts_search(net, WY_CONTACTS_STAY, err));
    if (drawn) WY_TRY(wy_contacts_drawn(net, err));
    if (!contacts->plan.pairs) return WITHY_OK;
    contacts->now->paired = wy_contacts_paired(net);
    wy_contacts_push(net);
    return WITHY_OK;
}

const wy_contacts_record *wy_contacts_find(const wy_contacts *contacts, int a, int b) {
    const wy_contacts_record *record = contacts->record;
    const int64_t at = wy_contacts_place(record, sizeof *record, contacts->now->count, a, b);
    return at >= 0 ? &record[at] : NULL;
}
