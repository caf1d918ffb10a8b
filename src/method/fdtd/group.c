/* group.c - memory, coefficients and initial state of a group of rods. */
#include "method/fdtd/state.h"

/* ---- memory ---------------------------------------------------------------------------------- */

/* A field of `width` components. */
typedef struct field {
    double **x;
    int width;
} field;

enum { MOST_FIELDS = 24 };

/* A last, incomplete pack may reach seven numbers beyond the last node. */
static size_t size_of(const wy_fdtd_group *g) {
    return (size_t)(g->n + 1) * (size_t)g->lanes + 2 * WY_FDTD_GHOST;
}

static void take(const wy_fdtd_group *g, wy_block *block, const field *list, int count) {
    for (int i = 0; i < count; i++)
        for (int d = 0; d < list[i].width; d++) {
            double *x = wy_block_alloc(block, size_of(g), sizeof *x);
            list[i].x[d] = x ? x + WY_FDTD_GHOST : NULL;
        }
}

/* Copy a list of which the last `viscous` are needed only where there is damping. */
#define LIST(viscous_ones, ...)                                                                    \
    const field all[] = {__VA_ARGS__};                                                             \
    memcpy(list, all, sizeof all);                                                                 \
    return (int)(sizeof all / sizeof *all) - (g->viscous ? 0 : viscous_ones)

static int plan_fields(wy_fdtd_group *g, field *list) {
    wy_fdtd_grid *a = &g->grid;
    wy_fdtd_rate *b = &g->rate;
    LIST(4, {a->kn, 3}, {a->n0, 3}, {a->km, 3}, {a->m0, 3}, {&b->pe, 1}, {&b->pf, 1}, {b->wf, 3},
         {b->wg, 3}, {b->we, 3}, {a->inertia, 3}, {b->inertia, 3}, {&a->mass, 1},
         {&a->drag_line, 1}, {&a->drag_turn, 1}, {&a->drag_square, 1}, {a->stiff_half, 3},
         {a->stiff_node, 3}, {a->rest_half, 3}, {a->rest_node, 3}, {&a->rest_stretch, 1},
         {a->cn, 3}, {a->cm, 3}, {b->cn, 3}, {b->cm, 3});
}

static int now_fields(wy_fdtd_group *g, field *list) {
    wy_fdtd_now *a = &g->now;
    LIST(2, {a->r, 3}, {a->p, 3}, {a->q, 4}, {a->w, 3}, {a->load, 3}, {a->couple, 3}, {a->eo, 3},
         {a->zo, 3});
}

static int work_fields(wy_fdtd_group *g, field *list) {
    wy_fdtd_work *a = &g->work;
    LIST(2, {a->nn, 3}, {a->tau, 3}, {a->f, 3}, {a->turn, 3}, {a->gb, 4}, {a->ga, 4}, {a->en, 3},
         {a->zn, 3});
}

void wy_fdtd_group_layout(wy_fdtd_group *g, wy_block *state, wy_block *scratch) {
    field list[MOST_FIELDS];
    take(g, state, list, now_fields(g, list));
    g->now.hold = wy_block_alloc(state, 2, sizeof *g->now.hold);
    g->now.state_load = wy_block_alloc(state, (size_t)g->spot_count, sizeof *g->now.state_load);
    wy_fdtd_contact_layout(g, state);
    take(g, scratch, list, work_fields(g, list));
}

/* What a sweep reads beyond the rod and has not written itself: zero. */
static void clear_beyond(wy_fdtd_group *g) {
    field list[MOST_FIELDS];
    const int count = work_fields(g, list);
    const size_t rod = (size_t)g->n * (size_t)g->lanes, beyond = WY_FDTD_GHOST + (size_t)g->lanes;
    for (int i = 0; i < count; i++)
        for (int d = 0; d < list[i].width; d++) {
            memset(list[i].x[d] - WY_FDTD_GHOST, 0, WY_FDTD_GHOST * sizeof(double));
            memset(list[i].x[d] + rod, 0, beyond * sizeof(double));
        }
}

/* Beyond the rod: unit frames, so that nothing there is ever divided by zero. */
static void unit_beyond(wy_fdtd_group *g) {
    for (size_t k = 0; k < size_of(g); k++) g->now.q[0][(ptrdiff_t)k - WY_FDTD_GHOST] = 1.0;
}

/* ---- rods of different simulations ----------------------------------------------------------- */

withy_status wy_fdtd_group_borrow(wy_fdtd_group *g, const wy_fdtd_group *like, wy_arena *arena,
                                  withy_error *err) {
    *g = (wy_fdtd_group){.op = like->op,
                         .n = like->n,
                         .lanes = WY_FDTD_LANES,
                         .used = WY_FDTD_LANES,
                         .rich = like->rich,
                         .viscous = like->viscous,
                         .drags = like->drags,
                         .end = {like->end[0], like->end[1]}};
    wy_block plan = {0}, state = {0}, scratch = {0};
    field list[MOST_FIELDS];
    take(g, &plan, list, plan_fields(g, list));
    wy_fdtd_group_layout(g, &state, &scratch);
    plan = (wy_block){.base = wy_arena_alloc(arena, plan.used, 1)};
    state = (wy_block){.base = wy_arena_alloc(arena, state.used, 1)};
    scratch = (wy_block){.base = wy_arena_alloc(arena, scratch.used, 1)};
    if (!plan.base || !state.base || !scratch.base)
        return wy_no_memory(err, "fdtd: no memory for a batch of n = %d", g->n);
    take(g, &plan, list, plan_fields(g, list));
    wy_fdtd_group_layout(g, &state, &scratch);
    unit_beyond(g);
    return WITHY_OK;
}

static void copy_lane(const field *to, int to_lanes, int to_lane, const field *from, int lanes,
                      int lane, int points) {
    for (int d = 0; d < to->width; d++)
        for (int i = 0; i < points; i++)
            to->x[d][i * to_lanes + to_lane] = from->x[d][i * lanes + lane];
}

static void copy_state(wy_fdtd_group *g, int lane, wy_fdtd_group *from, int from_lane) {
    field list[MOST_FIELDS], other[MOST_FIELDS];
    const int count = now_fields(g, list);
    (void)now_fields(from, other);
    for (int i = 0; i < count; i++)
        copy_lane(&list[i], g->lanes, lane, &other[i], from->lanes, from_lane, g->n + 1);
}

void wy_fdtd_group_take_lane(wy_fdtd_group *g, int lane, wy_fdtd_group *from, int from_lane) {
    field list[MOST_FIELDS], other[MOST_FIELDS];
    const int count = plan_fields(g, list);
    (void)plan_fields(from, other);
    for (int i = 0; i < count; i++)
        copy_lane(&list[i], g->lanes, lane, &other[i], from->lanes, from_lane, g->n + 1);
    copy_state(g, lane, from, from_lane);
    g->rate.step[lane] = from->rate.h;
    for (int d = 0; d < 3; d++) g->rate.fall[d][lane] = from->rate.fall[d][from_lane];
    for (int e = 0; e < 2; e++) {
        wy_fdtd_hold *to = &g->now.hold[e];
        const wy_fdtd_hold *hold = &from->now.hold[e];
        for (int d = 0; d < 3; d++) {
            to->r[d][lane] = hold->r[d][from_lane], to->force[d][lane] = hold->force[d][from_lane];
            to->moment[d][lane] = hold->moment[d][from_lane];
        }
        for (int d = 0; d < 4; d++) to->q[d][lane] = hold->q[d][from_lane];
    }
}

void wy_fdtd_group_give_lane(wy_fdtd_group *g, int lane, wy_fdtd_group *to, int to_lane) {
    copy_state(to, to_lane, g, lane);
}

/* ---- coefficients ---------------------------------------------------------------------------- */

double wy_fdtd_station(const wy_fdtd_group *g, int lane, double index) {
    return g->problem->rod[g->rod[lane]].length * index / g->n;
}

static const withy_rod *rod_of(const wy_fdtd_group *g, int lane) {
    return &g->problem->rod[g->rod[lane]];
}

/* Dilation switched off: n3 = (T/lambda) v3, a spring without rest length that has the same
 * equilibrium and the same linear transverse motion, but decouples x and y. */
static void switch_off_dilation(const wy_fdtd_group *g, int lane, double *stiffness, double *v0) {
    const double stretch = g->stretch0[lane];
    *stiffness *= (stretch - 1.0) / stretch;
    *v0 = 0.0;
}

static void fill_half(wy_fdtd_group *g, int lane, int j, const double rest[WITHY_STRAINS],
                      const wy_section_at *at, const wy_fdtd_options *opt) {
    wy_fdtd_grid *grid = &g->grid;
    const double weight = g->length[lane] / g->n * wy_sbp_half_weight(g->op, j);
    const int x = j * g->lanes + lane;
    for (int d = 0; d < 3; d++) {
        double k = at->stiffness[d], v0 = rest[d] + (d == 2);
        if (d == 2) grid->rest_stretch[x] = v0;
        if (d == 2 && opt->dilation == WY_FDTD_DILATION_OFF) switch_off_dilation(g, lane, &k, &v0);
        grid->stiff_half[d][x] = k, grid->rest_half[d][x] = v0;
        grid->kn[d][x] = k / weight, grid->n0[d][x] = -k * v0;
        if (g->viscous) grid->cn[d][x] = at->damping[d] / weight;
        grid->inertia[d][x] = at->inertia[WITHY_ROTARY1 + d] * weight;
    }
    grid->drag_turn[x] = rod_of(g, lane)->drag_spin * weight;
}

static void fill_node(wy_fdtd_group *g, int lane, int i, const double rest[WITHY_STRAINS],
                      const wy_section_at *at) {
    const withy_rod *rod = rod_of(g, lane);
    wy_fdtd_grid *grid = &g->grid;
    const double weight = g->length[lane] / g->n * wy_sbp_node_weight(g->op, i);
    const int x = i * g->lanes + lane, end = wy_fdtd_end_at(g, i);
    for (int d = 0; d < 3; d++) {
        const double k = at->stiffness[WITHY_BEND1 + d], u0 = rest[WITHY_BEND1 + d];
        grid->stiff_node[d][x] = k, grid->rest_node[d][x] = u0;
        grid->km[d][x] = k / weight, grid->m0[d][x] = -k * u0;
        if (g->viscous) grid->cm[d][x] = at->damping[WITHY_BEND1 + d] / weight;
    }
    grid->mass[x] = at->inertia[WITHY_MASS] * weight + (end >= 0 ? rod->end[end].mass : 0.0);
    grid->drag_line[x] = rod->drag_linear * weight;
    grid->drag_square[x] = rod->drag_quadratic * weight;
}

/* Arrays for the values of the model: halves first, then nodes. */
typedef struct answer {
    double *s;
    double (*strain)[WITHY_STRAINS];
    wy_section_at *section;
} answer;

static withy_status ask(const wy_fdtd_group *g, int lane, int count, double offset, answer *a,
                        withy_error *err) {
    for (int i = 0; i < count; i++) a->s[i] = wy_fdtd_station(g, lane, i + offset);
    WY_TRY(wy_model_sections(g->model, g->rod[lane], count, a->s, a->section, err));
    return wy_model_rest_strains(g->model, g->rod[lane], count, a->s, a->strain, err);
}

static withy_status fill(wy_fdtd_group *g, int lane, const wy_fdtd_options *opt, answer *a,
                         withy_error *err) {
    WY_TRY(ask(g, lane, g->n, 0.5, a, err));
    for (int j = 0; j < g->n; j++) fill_half(g, lane, j, a->strain[j], &a->section[j], opt);
    WY_TRY(ask(g, lane, g->n + 1, 0.0, a, err));
    for (int i = 0; i <= g->n; i++) fill_node(g, lane, i, a->strain[i], &a->section[i]);
    return WITHY_OK;
}

withy_status wy_fdtd_group_make(wy_fdtd_group *g, const wy_setup *setup, withy_error *err) {
    const size_t count = (size_t)g->n + 1;
    answer a = {wy_arena_alloc(setup->arena, count, sizeof *a.s),
                wy_arena_alloc(setup->arena, count, sizeof *a.strain),
                wy_arena_alloc(setup->arena, count, sizeof *a.section)};
    wy_block plan = {0};
    field list[MOST_FIELDS];
    take(g, &plan, list, plan_fields(g, list));
    plan = (wy_block){.base = wy_arena_alloc(setup->arena, plan.used, 1)};
    if (!a.s || !a.strain || !a.section || !plan.base)
        return wy_no_memory(err, "fdtd: no memory for n = %d", g->n);
    take(g, &plan, list, plan_fields(g, list));
    for (int lane = 0; lane < g->lanes; lane++) {
        WY_TRY(fill(g, lane, setup->options, &a, err));
        WY_TRY(wy_fdtd_load_points(g, lane, setup, err));
        for (int end = 0; end < 2; end++)
            WY_TRY(wy_model_end(g->model, g->rod[lane], end, &g->end[end].end[lane], err));
    }
    WY_TRY(wy_fdtd_contact_make(g, setup, err));
    return wy_fdtd_spots_make(g, setup, err);
}

/* ---- factors of the step --------------------------------------------------------------------- */

/* Drag is taken at mid-step, p+ (1 + c) = p- (1 - c) + ..., which is stable for any c = h drag /
 * (2 mass). */
static void node_factors(wy_fdtd_group *g, int x) {
    const double h = g->rate.h, c = 0.5 * h * g->grid.drag_line[x] / g->grid.mass[x];
    g->rate.pe[x] = (1 - c) / (1 + c), g->rate.pf[x] = h / g->grid.mass[x] / (1 + c);
    for (int d = 0; g->viscous && d < 3; d++) g->rate.cm[d][x] = g->grid.cm[d][x] / h;
}

/* The regularisation adds alpha regular^2 GA to rho I. */
static void half_factors(wy_fdtd_group *g, int x, double weight) {
    const double h = g->rate.h, add = g->alpha * g->rate.regular * g->rate.regular * weight;
    double J[3];
    for (int d = 0; d < 3; d++)
        J[d] = g->grid.inertia[d][x] + (d < 2 ? add * g->grid.stiff_half[1 - d][x] : 0.0);
    for (int d = 0; d < 3; d++) {
        const double c = 0.5 * h * g->grid.drag_turn[x] / J[d];
        g->rate.inertia[d][x] = J[d];
        g->rate.we[d][x] = (1 - c) / (1 + c), g->rate.wf[d][x] = h / J[d] / (1 + c);
        g->rate.wg[d][x] = h * (J[(d + 1) % 3] - J[(d + 2) % 3]) / J[d];
        if (g->viscous) g->rate.cn[d][x] = g->grid.cn[d][x] / h;
    }
}

void wy_fdtd_group_ready(wy_fdtd_group *g, double h, double regular) {
    clear_beyond(g);
    if (g->rate.h == h && g->rate.regular == regular) return;
    g->rate.h = h, g->rate.regular = regular;
    const vec3 fall = v3_scale(h, g->problem->gravity);
    for (int lane = 0; lane < WY_FDTD_LANES; lane++) {
        g->rate.step[lane] = h;
        g->rate.fall[0][lane] = fall.x, g->rate.fall[1][lane] = fall.y;
        g->rate.fall[2][lane] = fall.z;
    }
    for (int x = 0; x < (g->n + 1) * g->lanes; x++) node_factors(g, x);
    for (int x = 0; x < g->n * g->lanes; x++)
        half_factors(g, x,
                     g->length[x % g->lanes] / g->n * wy_sbp_half_weight(g->op, x / g->lanes));
}

/* ---- initial state --------------------------------------------------------------------------- */

withy_status wy_fdtd_initial_poses(const wy_model *model, const withy_rod *rod, int index, int n,
                                   double first, int count, wy_arena *arena, wy_pose **pose,
                                   withy_error *err) {
    wy_allocator from = {.arena = arena};
    double *s = wy_allocator_alloc(&from, (size_t)count, sizeof *s);
    *pose = wy_allocator_alloc(&from, (size_t)count, sizeof **pose);
    if (from.failed) return wy_no_memory(err, "fdtd: no memory for n = %d", n);
    for (int i = 0; i < count; i++) s[i] = rod->length * (first + i) / n;
    return wy_model_initial_poses(model, index, count, s, *pose, err);
}

static withy_status place_lane(wy_fdtd_group *g, int lane, wy_arena *arena, withy_error *err) {
    const withy_rod *rod = rod_of(g, lane);
    const int index = g->rod[lane];
    wy_pose *pose;
    WY_TRY(wy_fdtd_initial_poses(g->model, rod, index, g->n, 0, g->n + 1, arena, &pose, err));
    for (int i = 0; i <= g->n; i++) wy_fdtd_put3(g->now.r, i * g->lanes + lane, pose[i].r);
    WY_TRY(wy_fdtd_initial_poses(g->model, rod, index, g->n, 0.5, g->n, arena, &pose, err));
    for (int j = 0; j < g->n; j++) {
        const int x = j * g->lanes + lane;
        const quat q = q_from_matrix(pose[j].frame); /* neighbours have the same sign */
        wy_fdtd_put4(g->now.q, x, j > 0 ? q_near(q, wy_fdtd_at4(g->now.q, x - g->lanes)) : q);
    }
    return WITHY_OK;
}

withy_status wy_fdtd_group_speed(wy_fdtd_group *g, int moving, withy_error *err) {
    for (int x = 0; x < (g->n + 1) * g->lanes; x++) {
        const int lane = x % g->lanes, i = x / g->lanes;
        const withy_rod *rod = rod_of(g, lane);
        vec3 v = v3(0, 0, 0), spin = v, other;
        if (moving) WY_TRY(wy_velocity_at(rod, wy_fdtd_station(g, lane, i), &v, &other, err));
        if (moving && i < g->n)
            WY_TRY(wy_velocity_at(rod, wy_fdtd_station(g, lane, i + 0.5), &other, &spin, err));
        wy_fdtd_put3(g->now.p, x, v);
        wy_fdtd_put3(g->now.w, x, m3_tmul(q_matrix(wy_fdtd_at4(g->now.q, x)), spin));
    }
    return WITHY_OK;
}

withy_status wy_fdtd_group_place(wy_fdtd_group *g, withy_error *err) {
    wy_arena arena = {0};
    withy_status status = WITHY_OK;
    unit_beyond(g);
    for (int lane = 0; lane < g->lanes && status == WITHY_OK; lane++)
        status = place_lane(g, lane, &arena, err);
    wy_arena_free(&arena);
    return status == WITHY_OK ? wy_fdtd_group_speed(g, 1, err) : status;
}

/* A held end starts where it is held, with the velocity that is prescribed. */
static withy_status settle_end(wy_fdtd_group *g, int which, withy_error *err) {
    const wy_fdtd_end *e = &g->end[which];
    for (int lane = 0; lane < g->lanes && e->holds_position; lane++) {
        const int x = (which ? g->n * g->lanes : 0) + lane;
        wy_pose now, later;
        WY_TRY(wy_end_pose(&e->end[lane], 0.0, &now, err));
        WY_TRY(wy_end_pose(&e->end[lane], g->rate.h, &later, err));
        wy_fdtd_put3(g->now.p, x, v3_scale(1.0 / g->rate.h, v3_sub(later.r, now.r)));
        if (!e->end[lane].misses) wy_fdtd_put3(g->now.r, x, now.r); /* else by statics */
    }
    return WITHY_OK;
}

void wy_fdtd_drift(wy_fdtd_group *g, double time) {
    wy_fdtd_now *a = &g->now;
    for (int x = 0; x < (g->n + 1) * g->lanes; x++)
        wy_fdtd_put3(a->r, x, v3_axpy(wy_fdtd_at3(a->r, x), time, wy_fdtd_at3(a->p, x)));
    for (int x = 0; x < g->n * g->lanes; x++) {
        const vec3 k = v3_scale(0.25 * time, wy_fdtd_at3(a->w, x));
        const double square = v3_dot(k, k), inverse = 1.0 / (1.0 + square);
        const quat turn = {(1 - square) * inverse, 2 * k.x * inverse, 2 * k.y * inverse,
                           2 * k.z * inverse};
        wy_fdtd_put4(a->q, x, q_mul(wy_fdtd_at4(a->q, x), turn));
    }
}

void wy_fdtd_group_keep_strains(wy_fdtd_group *g) {
    const size_t bytes = size_of(g) * sizeof(double);
    for (int d = 0; d < 3; d++) {
        memcpy(g->now.eo[d] - WY_FDTD_GHOST, g->work.en[d] - WY_FDTD_GHOST, bytes);
        memcpy(g->now.zo[d] - WY_FDTD_GHOST, g->work.zn[d] - WY_FDTD_GHOST, bytes);
    }
}

void wy_fdtd_group_remember(wy_fdtd_group *g) {
    if (!g->viscous) return;
    wy_fdtd_drift(g, -g->rate.h);
    wy_fdtd_forces(g);
    wy_fdtd_drift(g, g->rate.h);
    wy_fdtd_group_keep_strains(g);
}

vec3 wy_fdtd_outer_force(const wy_fdtd_group *g, int i, int lane) {
    const int end = wy_fdtd_end_at(g, i);
    const vec3 load = wy_fdtd_at3(g->now.load, i * g->lanes + lane);
    if (end < 0) return load;
    double(*tip)[WY_FDTD_LANES] = g->now.hold[end].force;
    return v3_add(load, v3(tip[0][lane], tip[1][lane], tip[2][lane]));
}

vec3 wy_fdtd_node_rate(const wy_fdtd_group *g, int i, int lane) {
    const int end = wy_fdtd_end_at(g, i), x = i * g->lanes + lane;
    const wy_fdtd_member *member = wy_fdtd_member_at(g, x);
    if (end >= 0 && g->end[end].holds_position) return v3(0, 0, 0);
    if (member) return g->joints->point_now[member->point].rate;
    const vec3 f = v3_add(wy_fdtd_at3(g->work.f, x), wy_fdtd_outer_force(g, i, lane));
    return v3_scale(1.0 / g->grid.mass[x],
                    v3_axpy(f, -g->grid.drag_line[x], wy_fdtd_at3(g->now.p, x)));
}

vec3 wy_fdtd_half_rate(const wy_fdtd_group *g, int x) {
    const double w[3] = {g->now.w[0][x], g->now.w[1][x], g->now.w[2][x]};
    double rate[3];
    for (int d = 0; d < 3; d++) {
        const double tau = g->work.turn[d][x] + g->now.couple[d][x] - g->grid.drag_turn[x] * w[d];
        const double gyro = g->rate.wg[d][x] / g->rate.h * w[(d + 1) % 3] * w[(d + 2) % 3];
        rate[d] = tau / g->rate.inertia[d][x] + gyro;
    }
    return v3_from(rate);
}

void wy_fdtd_group_kick(wy_fdtd_group *g, double time) {
    wy_fdtd_now *a = &g->now;
    for (int x = 0; x < (g->n + 1) * g->lanes; x++) {
        const vec3 rate = wy_fdtd_node_rate(g, x / g->lanes, x % g->lanes);
        wy_fdtd_put3(a->p, x, v3_axpy(wy_fdtd_at3(a->p, x), time, rate));
    }
    for (int x = 0; x < g->n * g->lanes; x++)
        wy_fdtd_put3(a->w, x, v3_axpy(wy_fdtd_at3(a->w, x), time, wy_fdtd_half_rate(g, x)));
}

withy_status wy_fdtd_group_load(wy_fdtd_group *g, withy_error *err) {
    for (int end = 0; end < 2; end++) WY_TRY(settle_end(g, end, err));
    WY_TRY(wy_fdtd_loads(g, 0.0, 1.0, 1, err));
    WY_TRY(wy_fdtd_ends(g, 0.0, 1.0, 1, err));
    return wy_fdtd_state_loads_at(g, 0.0, 1.0, WY_FDTD_AT, err);
}

withy_status wy_fdtd_group_again(wy_fdtd_group *g, double t, int all, withy_error *err) {
    WY_TRY(wy_fdtd_loads(g, t, 1.0, all, err));
    WY_TRY(wy_fdtd_ends(g, t, 1.0, all, err));
    return wy_fdtd_state_loads_at(g, t, 1.0, WY_FDTD_BACK, err);
}

withy_status wy_fdtd_group_change_step(wy_fdtd_group *g, double t, double h, withy_error *err) {
    const double old = g->rate.h;
    wy_fdtd_group_kick(g, 0.5 * (old - h));
    if (g->viscous) /* the strains of a step ago belong to the old step: scale their difference */
        for (int d = 0; d < 3; d++)
            for (int x = 0; x < (g->n + 1) * g->lanes; x++) {
                double *const e = &g->now.eo[d][x], *const z = &g->now.zo[d][x];
                *e = g->work.en[d][x] + h / old * (*e - g->work.en[d][x]);
                *z = g->work.zn[d][x] + h / old * (*z - g->work.zn[d][x]);
            }
    wy_fdtd_group_ready(g, h, g->rate.regular);
    return wy_fdtd_ends(g, t, 1.0, 0, err); /* position of a driven end after the new step */
}
