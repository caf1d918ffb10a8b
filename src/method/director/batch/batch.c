/* batch.c - members of an ensemble by the method director: which scenes, their common plan, and a state as a column of numbers. */
#include "method/director/batch/batch.h"
#include "method/director/contact/contacts.h"
#include "method/director/force/force.h"
#include "method/director/law/law.h"

typedef struct members {
    wy_arena arena;
    wy_network *net; /* of the simulation that members are states of */
    wy_chain chain;
    const wy_chain_engine *engine;
    void *self;
    vec3 origin;
    double *row;    /* [steps at a time][given] */
    double *column; /* [fields] */
    int *list;      /* [2][columns] */
} members;

enum { ROWS = 64 }; /* steps at a time, where what is given changes from step to step */

/* ---- which scenes ------------------------------------------------------------------------------------------- */

static int ends_are_plain(const wy_director *x) {
    for (int i = 0; i < 2; i++) {
        const wy_director_end *end = &x->plan.end[i];
        if (end->slides || (end->places && end->places != 3) || end->turns_free || end->rates ||
            end->mass > 0 || end->spring > 0 || end->spring_turn > 0)
            return 0;
        if (end->loaded && end->end.end->follower) return 0;
    }
    return 1;
}

static int loads_are_dead(const wy_director *x) {
    for (int i = 0; i < x->plan.load.count; i++)
        if (x->plan.load.point[i].load->follower) return 0;
    return 1;
}

static int is_uncoupled(const wy_director *x) {
    for (int e = 0; e < x->plan.n; e++)
        if (x->plan.section[e].matrix) return 0;
    return 1;
}

static withy_status accept(const wy_network *net, withy_error *err) {
    const wy_director *x = &net->rod[0];
    enum { DRAG = 1, FLOOR = 2 };
    const struct {
        int given;
        const char *what;
    } limit[] = {
        {net->plan.rods != 1 || net->plan.bodies || net->plan.joints || net->plan.members,
         "several rods, bodies or joints"},
        {wy_is_cable(&x->plan) || x->plan.rod->closed, "a cable or a closed rod"},
        {x->plan.p != 1, "options.degree other than 1"},
        {!(x->plan.opt.dt > 0), "options.dt = \"auto\""},
        {x->plan.opt.order == 4, "options.order = 4"},
        {net->contacts != NULL, "contact and obstacles (floor is)"},
        {net->plan.tendons > 0 || x->tendon_stress, "tendons, muscles and chambers"},
        {x->active != NULL, "rest strains that change (an action does that)"},
        {x->law != NULL || !is_uncoupled(x), "rod.law, and stiffness as a matrix"},
        {x->plan.has_damping_in_space, "damping in space"},
        {(x->plan.forces & ~(unsigned)(DRAG | FLOOR)) || x->fluid, "a medium (drag is)"},
        {x->plan.uses_state, "a load that depends on the state"},
        {!loads_are_dead(x), "a following load"},
        {!ends_are_plain(x),
         "an end that is guided, driven by rates, loaded by a following force, with a mass "
         "or a spring"},
        {net->slopes != NULL, "derivatives"},
        {x->now->pulling != 0, "a rod that is not let go"}};
    for (size_t i = 0; i < sizeof limit / sizeof *limit; i++)
        if (limit[i].given)
            return wy_unsupported(err,
                                  "director: %s" WY_KEY
                                  " is not stepped in vectors or on a device; use engine = "
                                  "\"auto\", which takes such members one by one",
                                  limit[i].what);
    return WITHY_OK;
}

/* ---- the plan -------------------------------------------------------------------------------------------------- */

static double *write3(double *to, vec3 a) {
    v3_to(a, to);
    return to + 3;
}

static void fill_plan(const wy_director *x, double *to) {
    const wy_director_plan *plan = &x->plan;
    for (int e = 0; e < plan->n; e++, to += PLAN_ELEMENT) {
        const wy_director_section *g = &plan->section[e];
        to[PLAN_L] = plan->size[e];
        for (int i = 0; i < 6; i++) {
            to[PLAN_C + i] = g->c[i / 3][i % 3], to[PLAN_CV + i] = g->cv[i / 3][i % 3];
            to[PLAN_REST + i] = g->rest[i / 3][i % 3];
        }
    }
    for (int j = 0; j <= plan->n; j++, to += PLAN_NODE) {
        to[PLAN_MASS] = plan->mass[j].mass, to[PLAN_SHARE] = plan->mass[j].share;
        for (int i = 0; i < 3; i++) to[PLAN_J + i] = plan->mass[j].rotary[i];
    }
    const withy_floor *floor = &plan->problem->floor;
    const vec3 normal = floor->given ? v3_unit(floor->normal) : v3(0, 0, 1);
    write3(&to[ALL_GRAVITY], plan->problem->gravity), write3(&to[ALL_NORMAL], normal);
    to[ALL_DRAG] = plan->rod->drag_linear, to[ALL_DRAG + 1] = plan->rod->drag_quadratic;
    to[ALL_DRAG + 2] = plan->rod->drag_spin;
    to[ALL_FLOOR] = floor->stiffness, to[ALL_FLOOR + 1] = floor->damping;
    to[ALL_HEIGHT] = v3_dot(normal, v3_sub(x->now->origin, floor->point));
    to[ALL_LENGTH] = plan->length, to[ALL_AXIAL] = plan->axial[2], to[ALL_XI] = plan->opt.xi;
}

static int end_varies(const wy_end *end) {
    const withy_end *given = end->end;
    return wy_field_varies(&given->force) || wy_field_varies(&given->moment) ||
           end->drives_position || end->drives_frame;
}

static int scene_varies(const wy_director *x) {
    for (int i = 0; i < x->plan.load.count; i++) {
        const withy_load *load = x->plan.load.point[i].load;
        if (wy_field_varies(&load->force) || wy_field_varies(&load->moment)) return 1;
    }
    return end_varies(&x->plan.end[0].end) || end_varies(&x->plan.end[1].end);
}

/* What is given in the step from t to t + h, and where ends are then. */
static withy_status fill_row(wy_network *net, double t, double h, double *to, withy_error *err) {
    wy_director *x = &net->rod[0];
    net->rigid.step->t = t, net->rigid.step->h = h;
    wy_network_share_step(net);
    WY_TRY(wy_network_loads_at(net, t, t + 0.5 * h, t + h, err));
    for (int i = 0; i < 2; i++) {
        const wy_director_end_step *end = &x->step->end[i];
        double *row = to + i * ROW_END;
        write3(row + ROW_R, end->target_r);
        write3(write3(write3(row + ROW_D, end->target.c1), end->target.c2), end->target.c3);
        write3(write3(row + ROW_FORCE, end->apply.force), end->apply.moment);
    }
    if (x->plan.load.count == 0) return WITHY_OK;
    to += ROW_SIZE;
    memset(to, 0, 6 * (size_t)x->plan.node_count * sizeof *to);
    for (int i = 0; i < x->plan.load.count; i++)
        for (int b = 0; b < 2; b++) {
            double *node = to + 6 * (x->plan.load.point[i].cell + b);
            const double k = x->plan.value[i][b];
            write3(node, v3_axpy(v3_from(node), k, x->force[i].force));
            write3(node + 3, v3_axpy(v3_from(node + 3), k, x->force[i].moment));
        }
    return WITHY_OK;
}

/* ---- actions ------------------------------------------------------------------------------------------------------ */

static withy_status take_action(members *m, int k, const withy_action *given, withy_error *err) {
    static const int most[] = {6, 12, 12};
    const wy_director_plan *plan = &m->net->rod[0].plan;
    int *to = &m->chain.action[k * ACTION_SIZE];
    if (given->on == WITHY_ACTS_INPUT)
        return wy_unsupported(
            err,
            "director: action %d: named inputs are not stepped in vectors or on a device; "
            "use engine = \"auto\", or another kind of action",
            k + 1);
    if (given->part < 0 || given->part >= most[given->on])
        return wy_bad_input(err, "action %d: part = %d: must be 0 .. %d", k + 1, given->part,
                            most[given->on] - 1);
    const int which = given->part >= 6, turns = given->part % 6 >= 3;
    if (given->on == WITHY_ACTS_POSE && !(m->chain.held[which] & (turns ? 2 : 1)))
        return wy_bad_input(err,
                            "action %d: the %s of the rod is not held there: nothing can be moved",
                            k + 1, which ? "finish" : "start");
    to[ACTION_KIND] = (int)given->on, to[ACTION_PART] = given->part,
    to[ACTION_RAMP] = !!given->ramp;
    const int all = given->from == 0 && given->to == 0;
    const double from = all ? 0 : given->from, end = all ? plan->length : given->to;
    if (given->on == WITHY_ACTS_REST &&
        !(from >= 0 && end > from && end <= plan->length * (1 + 1e-12)))
        return wy_bad_input(err, "action %d: from = %g, to = %g: must be increasing and in 0 .. %g",
                            k + 1, from, end, plan->length);
    for (int e = 0; e < plan->n; e++) { /* the share of the element that it covers */
        const double a = plan->start[e], b = a + plan->size[e];
        m->chain.shape[k * plan->n + e] =
            wy_max(0, wy_min(b, end) - wy_max(a, from)) / plan->size[e];
    }
    return WITHY_OK;
}

/* ---- create ------------------------------------------------------------------------------------------------------- */

static void destroy(void *self) {
    members *m = self;
    if (!m) return;
    if (m->self) m->engine->destroy(m->self);
    wy_arena arena = m->arena;
    wy_arena_free(&arena);
    wy_free(m);
}

static withy_status make(members *m, const wy_lockstep_spec *spec, withy_error *err) {
    wy_chain *c = &m->chain;
    const wy_director *x = &m->net->rod[0];
    const int n = x->plan.n, loads = x->plan.load.count > 0;
    *c = (wy_chain){.n = n, .loads = loads, .actions = spec->actions, .h = spec->h};
    for (int i = 0; i < 2; i++)
        c->held[i] = (x->plan.end[i].places == 3) | x->plan.end[i].holds_frame << 1;
    c->drag = wy_force_drag_acts(&x->plan), c->floor = x->plan.problem->floor.given;
    c->newton_most = x->plan.opt.newton_max, c->halvings = x->plan.opt.halvings;
    c->fields = (n + 1) * NODE_SIZE + n * ELEMENT_SIZE + ROD_SIZE + spec->actions;
    c->planned = n * PLAN_ELEMENT + (n + 1) * PLAN_NODE + PLAN_ALL;
    c->given = ROW_SIZE + (loads ? 6 * (n + 1) : 0), c->varies = scene_varies(x);
    wy_allocator from = {.arena = &m->arena};
    c->action = wy_allocator_alloc(&from, (size_t)spec->actions, ACTION_SIZE * sizeof *c->action);
    c->shape = wy_allocator_alloc(&from, (size_t)spec->actions * (size_t)n, sizeof *c->shape);
    c->plan = wy_allocator_alloc(&from, (size_t)c->planned, sizeof *c->plan);
    m->row = wy_allocator_alloc(&from, (size_t)c->given * ROWS, sizeof *m->row);
    m->column = wy_allocator_alloc(&from, (size_t)c->fields, sizeof *m->column);
    if (from.failed) return wy_no_memory(err, "director: no memory for an ensemble");
    for (int k = 0; k < spec->actions; k++) WY_TRY(take_action(m, k, &spec->action[k], err));
    m->origin = x->now->origin;
    wy_network_open_steps(m->net);
    fill_plan(x, c->plan);
    WY_TRY(fill_row(m->net, 0, c->h, m->row, err));
    m->engine = spec->device ? &wy_chain_device : &wy_chain_vector;
    return m->engine->create(c, spec->device, spec->count, spec->shelves, spec->threads, &m->self,
                             err);
}

static withy_status create(void *self, const wy_lockstep_spec *spec, void **out, withy_error *err) {
    wy_network *net = self;
    *out = NULL;
    WY_TRY(accept(net, err));
    members *m = wy_alloc(1, sizeof *m);
    if (!m) return wy_no_memory(err, "director: no memory for an ensemble");
    m->net = net;
    WY_HAND_OVER(make(m, spec, err), m, destroy, out);
}

/* ---- a state as a column ------------------------------------------------------------------------------------------- */

static vec3 component(tri d, int i) {
    return v3(d.x[i], d.y[i], d.z[i]);
}

static withy_status put(void *self, int column, const void *from, withy_error *err) {
    members *m = self;
    const wy_network *net = from;
    const wy_director *x = &net->rod[0];
    const wy_director_now *now = x->now, *all = net->rigid.now;
    double *to = m->column;
    memset(to, 0, (size_t)m->chain.fields * sizeof *to);
    for (int j = 0; j <= m->chain.n; j++, to += NODE_SIZE) {
        const wy_director_node *node = &x->node[j];
        write3(to + NODE_R, v3_add(node->r, v3_sub(now->origin, m->origin)));
        for (int i = 0; i < 3; i++) write3(to + NODE_D + 3 * i, component(node->d, i));
        write3(to + NODE_V, node->v), write3(to + NODE_W, lane_vec3(node->w));
        for (int k = 0; k < 3; k++) {
            double *rate = to + NODE_RATE + 6 * k;
            write3(write3(rate, node->rate[k].dr), node->rate[k].theta);
            if (k == 0 && !now->started)
                write3(write3(rate, node->v), m3_mul(tri_matrix(node->d), lane_vec3(node->w)));
        }
    }
    for (int e = 0; e < m->chain.n; e++, to += ELEMENT_SIZE)
        for (int i = 0; i < 6; i++) {
            to[ELEMENT_S + i] = x->strain[e].start[i / 3][i % 3];
            to[ELEMENT_RATE + i] = x->strain[e].rate[i / 3][i % 3];
        }
    /* past steps of other lengths make no guess */
    to[ROD_HISTORY] = to[ROD_GUESS] = 1;
    to[ROD_WORK] = now->work, to[ROD_LOST] = now->dissipated, to[ROD_FALLEN] = now->fallen;
    to[ROD_BALANCE] = all->balance_start;
    for (int i = 0; i < 2; i++) {
        double *end = to + ROD_REACTION + 6 * i;
        write3(write3(end, now->end[i].reaction[0]), now->end[i].reaction_moment[0]);
    }
    return m->engine->put(m->self, column, m->column, err);
}

/* Past steps as the guess and reports expect them: of equal lengths, up to t. */
static void fill_past(wy_director_now *now, double t, double h, int64_t steps) {
    const int64_t known = steps < WY_DIRECTOR_HISTORY ? steps : WY_DIRECTOR_HISTORY;
    now->started = 1;
    if (known == 0) {
        wy_director_past_start(now);
        return;
    }
    now->history = known, now->guess = 1, now->passed = (double)known;
    for (int i = 0; i < WY_DIRECTOR_PAST; i++)
        now->rate_time[i] = t - ((double)i + 0.5) * h, now->rate_step[i] = h;
}

static void fill_node(const double *from, wy_director_node *node) {
    vec3 d[3];
    for (int i = 0; i < 3; i++) d[i] = v3_from(from + NODE_D + 3 * i);
    node->d = tri_from((mat3){d[0], d[1], d[2]});
    node->r = v3_from(from + NODE_R), node->v = v3_from(from + NODE_V);
    node->w = vec3_lane(v3_from(from + NODE_W));
    for (int k = 0; k < 3; k++) {
        const double *rate = from + NODE_RATE + 6 * k;
        node->rate[k] = (wy_director_rate){v3_from(rate), v3_from(rate + 3)};
    }
    const wy_director_rate *b = &node->rate[1], *c = &node->rate[2];
    node->rate[3].dr = v3_sub(v3_scale(2, c->dr), b->dr);
    node->rate[3].theta = v3_sub(v3_scale(2, c->theta), b->theta);
}

static withy_status take(void *self, int column, void *into, double t, withy_error *err) {
    members *m = self;
    wy_network *net = into;
    wy_director *x = &net->rod[0];
    WY_TRY(m->engine->take(m->self, column, m->column, err));
    const double *from = m->column;
    for (int j = 0; j <= m->chain.n; j++, from += NODE_SIZE) fill_node(from, &x->node[j]);
    for (int e = 0; e < m->chain.n; e++, from += ELEMENT_SIZE)
        for (int i = 0; i < 6; i++) {
            x->strain[e].start[i / 3][i % 3] = from[ELEMENT_S + i];
            x->strain[e].rate[i / 3][i % 3] = from[ELEMENT_RATE + i];
        }
    wy_director_now *now = x->now;
    const int64_t steps = (int64_t)from[ROD_STEPS];
    fill_past(now, t, m->chain.h, steps), fill_past(net->rigid.now, t, m->chain.h, steps);
    now->work = from[ROD_WORK], now->dissipated = from[ROD_LOST], now->fallen = from[ROD_FALLEN];
    now->origin = net->rigid.now->origin = m->origin;
    net->rigid.now->balance_start = from[ROD_BALANCE];
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < WY_DIRECTOR_PAST; k++) { /* the mean of the last step */
            const double *end = from + ROD_REACTION + 6 * i;
            now->end[i].reaction[k] = v3_from(end),
            now->end[i].reaction_moment[k] = v3_from(end + 3);
        }
    withy_stats *stats = net->rigid.setup->stats;
    stats->steps += steps, stats->iterations += (int64_t)from[ROD_ITERATIONS];
    stats->halvings += (int64_t)from[ROD_HALVINGS];
    wy_network_open_steps(net);
    net->rigid.step->t = t;
    wy_network_share_step(net);
    wy_director_zero_increment(x);
    wy_director_energies(x);
    wy_network_ledger_close(net);
    wy_network_totals(net);
    return wy_network_taut(net, err);
}

static withy_status copy(void *self, const int *to, const int *from, int count, withy_error *err) {
    members *m = self;
    return m->engine->copy(m->self, to, from, count, err);
}

/* ---- steps and observations ------------------------------------------------------------------------------------------ */

static withy_status advance(void *self, const wy_span *span, const double *action,
                            withy_error *err) {
    members *m = self;
    wy_chain *c = &m->chain;
    wy_chain_steps steps = {span->to - span->from, m->row, action};
    if (!c->varies) return m->engine->advance(m->self, &steps, err);
    if (steps.count > ROWS)
        return wy_bad_input(
            err,
            "director: loads or ends are functions of time: at most %d steps in one call, "
            "not %lld",
            ROWS, (long long)steps.count);
    wy_network_open_steps(m->net);
    for (int64_t k = 0; k < steps.count; k++)
        WY_TRY(fill_row(m->net, wy_span_time(span, span->from + k), span->h, m->row + k * c->given,
                        err));
    return m->engine->advance(m->self, &steps, err);
}

static int nearest(const wy_director_plan *plan, double s) {
    int best = 0;
    for (int j = 1; j <= plan->n; j++)
        if (fabs(plan->s[j] - s) < fabs(plan->s[best] - s)) best = j;
    return best;
}

/* Fields of an observation, and what is taken off. */
static int fields_of(const void *self, const withy_observed *what, int field[9], double zero[9]) {
    static const int first[] = {NODE_R, NODE_D, NODE_V, NODE_W}, size[] = {3, 9, 3, 3};
    const members *m = self;
    const wy_director_plan *plan = &m->net->rod[0].plan;
    if (what->what == WITHY_OBSERVES_STRAIN) {
        int e = 0;
        while (e < plan->n - 1 && plan->start[e + 1] <= what->s) e++;
        for (int i = 0; i < 6; i++) {
            field[i] = (plan->n + 1) * NODE_SIZE + e * ELEMENT_SIZE + ELEMENT_S + i;
            zero[i] = m->chain.plan[e * PLAN_ELEMENT + PLAN_REST + i];
        }
        return 6;
    }
    const int at = nearest(plan, what->s) * NODE_SIZE + first[what->what];
    const vec3 base = wy_model_origin(m->net->rigid.setup->model);
    const double off[3] = {-m->origin.x - base.x, -m->origin.y - base.y, -m->origin.z - base.z};
    for (int i = 0; i < size[what->what]; i++)
        field[i] = at + i, zero[i] = what->what == WITHY_OBSERVES_POSITION ? off[i] : 0;
    return size[what->what];
}

static withy_status gather(void *self, const int *field, const double *zero, int count, double *out,
                           withy_error *err) {
    members *m = self;
    return m->engine->gather(m->self, field, zero, count, out, err);
}

static int failed_field(const void *self) {
    const members *m = self;
    return (m->chain.n + 1) * NODE_SIZE + m->chain.n * ELEMENT_SIZE + ROD_FAILED;
}

static withy_status failure(void *self, int column, withy_error *err) {
    members *m = self;
    WY_TRY(m->engine->take(m->self, column, m->column, err));
    const double *own = m->column + failed_field(self) - ROD_FAILED;
    const wy_director_options *opt = &m->net->rigid.plan.opt;
    if (own[ROD_FAILED] == FAILED_NEWTON)
        return wy_no_convergence(
            err,
            "director: no convergence after %.0f steps, with a step of %.3g s after %d halvings "
            "and %d Newton iterations each; try a smaller dt, more elements (now %d), a little "
            "damping, or actions that change less at a time",
            own[ROD_STEPS], m->chain.h, opt->halvings, opt->newton_max, opt->n);
    if (own[ROD_FAILED] == FAILED_FOLD)
        return wy_no_convergence(
            err,
            "director: after %.0f steps the rod turns by %.0f degrees between two nodes, more than "
            "the mesh can hold (90); use more elements (options.n, now %d)",
            own[ROD_STEPS], acos(wy_max(-1, wy_min(1, own[ROD_ANGLE]))) * 180 / WY_PI, opt->n);
    return WITHY_OK;
}

static int varies(const void *self) {
    return ((const members *)self)->chain.varies;
}

static double seconds(const void *self) {
    const members *m = self;
    return m->engine->seconds(m->self);
}

const wy_lockstep wy_director_lockstep = {create, destroy, put,       take,
                                          copy,   advance, fields_of, failed_field,
                                          gather, failure, varies,    seconds};
