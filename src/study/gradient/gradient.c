/* gradient.c - derivatives of a simulation by parameters, through the gradients interface of its method. */
#include "study/gradient/gradient.h"

void wy_gradient_free(wy_gradient *x) {
    if (!x) return;
    for (int i = 0; i < x->neighbour_count; i++) withy_sim_destroy(x->neighbours[i]);
}

static const double PLACE = 1e-9;  /* of the length: the same place on a rod */
static const double LOST = 1e-6;   /* withy_slope.fault beyond which derivatives have lost digits */
static const double ROUGH = 1e-3;  /* of wy_slope_quality: not smooth */
enum { ALONG = 1000, LEAST = 64 }; /* samples of a function along a rod; of a signal */

withy_variation withy_variation_default(void) {
    return (withy_variation){.size = sizeof(withy_variation)};
}

static withy_status check(const withy_variation *p, int k, withy_error *err) {
    int given = p->size == sizeof *p && p->step != 0 && p->step == p->step;
    for (int i = 0; i < 4 && given; i++) given = p->at[i] != NULL;
    if (given) return WITHY_OK;
    return wy_bad_input(err,
                        "parameter %d (%s): needs size = %zu (withy_variation_default), a step "
                        "other than 0 and the problem at four values",
                        k + 1, p->name[0] ? p->name : "no name", sizeof *p);
}

/* The set-up of one value: with the mesh of the simulation, and not brought to equilibrium. */
static withy_status set_up(withy_sim *sim, const withy_problem *problem, withy_sim **out,
                           withy_error *err) {
    withy_option option[WITHY_FIELD_MAX + 64];
    int count = 0;
    for (int i = 0; i < sim->given_count && count < 64; i++)
        if (strcmp(sim->given[i].name, "n") != 0) option[count++] = sim->given[i];
    option[count++] = (withy_option){.name = "n", .number = wy_sim_mesh(sim)};
    withy_rod *rod = wy_arena_alloc(&sim->arena, (size_t)problem->rod_count, sizeof *rod);
    withy_problem *own = wy_arena_alloc(&sim->arena, 1, sizeof *own);
    if (!rod || !own) return wy_no_memory(err, "no memory for a parameter");
    *own = *problem;
    for (int i = 0; i < problem->rod_count; i++) rod[i] = problem->rod[i], rod[i].settled = 0;
    own->rod = rod;            /* shapes that its model has walked along are not walked again */
    own->request.stations = 0; /* samples are at the nodes: wy_gradient_fixed */
    return wy_sim_create(own, sim->method->name, option, count, 0, out, err);
}

/* Which rods have nodes at other shares of their length for another value of the parameter? */
static void compare_nodes(withy_sim *const at[4], char *slides) {
    for (int r = 0; r < at[0]->problem.rod_count; r++) {
        const withy_snapshot *a = &at[0]->rod[r].snap, *b = &at[3]->rod[r].snap;
        const double one = at[0]->problem.rod[r].length, two = at[3]->problem.rod[r].length;
        slides[r] = a->count != b->count;
        for (int i = 0; i < a->count && !slides[r]; i++)
            slides[r] = !(fabs(a->s[i] / one - b->s[i] / two) <= PLACE);
    }
}

withy_status wy_gradient_fixed(const withy_sim *sim, int rod, int parameter, int count,
                               const double *s, withy_error *err) {
    const wy_gradient *x = sim->gradient;
    const double length = sim->problem.rod[rod].length;
    const int last = parameter < 0 ? x->count : parameter + 1;
    for (int k = parameter < 0 ? 0 : parameter; k < last; k++)
        for (int i = 0; i < count; i++) {
            const int end = s[i] <= PLACE * length || s[i] >= (1 - PLACE) * length;
            if (end || !x->slides[k * sim->problem.rod_count + rod]) continue;
            return wy_unsupported(
                err,
                "%s moves a joint or a load along rods[%d], and the nodes with it, so that s = "
                "%.6g of it is not differentiated; observe its ends or other rods, or take "
                "differences (withy fit --differences)",
                x->name[k], rod + 1, s[i]);
        }
    return WITHY_OK;
}

withy_status wy_gradient_trust(const withy_sim *sim, int parameter, double fault,
                               withy_error *err) {
    if (fault <= LOST) return WITHY_OK;
    return wy_unsupported(err,
                          "%s: derivatives by %s are not accurate enough: their equations are "
                          "ill-conditioned, and are "
                          "solved to a relative error of %.1e (needed: %.0e); use differences",
                          sim->method->name,
                          parameter < 0 ? "the parameters" : sim->gradient->name[parameter], fault,
                          LOST);
}

static withy_status moved(const withy_sim *sim, const wy_jump *at, int along_s, withy_error *err) {
    return wy_unsupported(
        err,
        "%s moves the %s at which %s jumps (%.6g): the result has no exact "
        "derivative with respect to it; use differences (withy fit --differences)",
        sim->gradient->name[at->parameter], along_s ? "place" : "time", at->what, at->at);
}

/* By one parameter, or by all. */
static withy_status find_moved(const withy_sim *sim, int parameter, const wy_jump_range *range,
                               withy_error *err) {
    const wy_gradient *x = sim->gradient;
    const int first = parameter < 0 ? 0 : parameter, count = parameter < 0 ? x->count : 1;
    wy_jump at;
    WY_TRY(wy_jump_find(&sim->problem, &x->near[2 * first], count, range, &at, err));
    at.parameter += first;
    return at.moved ? moved(sim, &at, range->along_s, err) : WITHY_OK;
}

withy_status wy_gradient_jumps(withy_sim *sim, int parameter, withy_error *err) {
    wy_gradient *x = sim->gradient;
    const double now = withy_sim_time(sim);
    const int64_t steps = sim->core->stats.steps - x->steps;
    if (sim->core->equilibrium || !(now > x->searched)) return WITHY_OK;
    const wy_jump_range range = {
        0, x->searched, now,
        (int)(2 * steps > LEAST ? (2 * steps < 1 << 20 ? 2 * steps : 1 << 20) : LEAST)};
    WY_TRY(find_moved(sim, parameter, &range, err));
    if (parameter < 0 || x->count == 1) x->searched = now, x->steps = sim->core->stats.steps;
    return WITHY_OK;
}

withy_status wy_gradient_smooth(const withy_sim *sim, int parameter, withy_error *err) {
    const double rough = sim->method->slopes->quality(sim->self, parameter).rough;
    if (rough <= ROUGH) return WITHY_OK;
    return wy_unsupported(err,
                          "the problem that the scene makes is not a smooth function of %s at its "
                          "value (its differences disagree by %.2g), so it has no exact "
                          "derivative; use differences (withy fit --differences)",
                          sim->gradient->name[parameter], rough);
}

/* Methods compute relative to the origin of the model, which may depend on the parameter. */
static vec3 origin_slope(withy_sim *const at[4], double step) {
    vec3 r[4];
    for (int i = 0; i < 4; i++) r[i] = wy_model_origin(at[i]->setup.model);
    const vec3 near = v3_sub(r[2], r[1]), far = v3_sub(r[3], r[0]);
    return v3_scale(1 / (12 * step), v3_axpy(v3_scale(8, near), -1, far));
}

void wy_gradient_sample(const withy_sim *sim, int rod, int parameter, int count, const double *s,
                        vec3 *position, vec3 *turn) {
    const vec3 moved = sim->gradient->origin[parameter];
    sim->method->slopes->sample(sim->self, rod, parameter, count, s, position, turn);
    for (int i = 0; i < count; i++) position[i] = v3_add(position[i], moved);
}

static withy_status seed(withy_sim *sim, int k, const withy_variation *p, withy_error *err) {
    wy_gradient *x = sim->gradient;
    withy_sim *at[4] = {0};
    void *self[4];
    withy_status status = WITHY_OK;
    int keeps = 0;
    for (int i = 0; i < 4 && status == WITHY_OK; i++) {
        status = set_up(sim, p->at[i], &at[i], err);
        self[i] = at[i] ? at[i]->self : NULL;
    }
    if (status == WITHY_OK) x->origin[k] = origin_slope(at, p->step);
    if (status == WITHY_OK) compare_nodes(at, &x->slides[k * sim->problem.rod_count]);
    if (status == WITHY_OK)
        status = sim->method->slopes->seed(sim->self, k, self, p->step, &keeps, err);
    for (int i = 0; i < 4; i++) {
        if (keeps && status == WITHY_OK)
            x->neighbours[x->neighbour_count++] = at[i];
        else
            withy_sim_destroy(at[i]);
    }
    return status;
}

/* A mode whose frequency is to be differentiated by parameter k: into *slope. */
typedef struct mode_request {
    int k, count;
    const withy_mode *mode;
    double *slope; /* of omega^2 */
} mode_request;

withy_status wy_gradient_factor(withy_sim *sim, double factor, double t, int pull,
                                withy_error *err) {
    const wy_equations *equations = sim->method->equations;
    void *self = sim->self;
    int negative;
    WY_TRY(equations->open(self, err));
    if (pull) WY_TRY(equations->pull(self, 1, err));
    WY_TRY(equations->load(self, factor, t, 1, err));
    if (equations->begin) equations->begin(self);
    return equations->factor(self, 0, &negative, err);
}

/* Factors of the present equilibrium, and the derivatives of it. */
static withy_status differentiate(withy_sim *sim, double factor, double t, int pull,
                                  const mode_request *requested, withy_error *err) {
    void *self = sim->self;
    WY_TRY(wy_gradient_factor(sim, factor, t, pull, err));
    WY_TRY(sim->method->slopes->equilibrium(self, t, err));
    for (int i = 0; requested && i < requested->count; i++)
        WY_TRY(sim->method->slopes->mode(self, requested->k, &requested->mode[i],
                                         &requested->slope[i], err));
    return WITHY_OK;
}

/* All of the state but the derivatives is put back. */
static withy_status differentiate_only(withy_sim *sim, double factor, double t, int pull,
                                       const mode_request *requested, withy_error *err) {
    size_t size;
    memcpy(sim->before, sim->state.base, sim->state.used);
    char *slope = sim->method->slopes->kept(sim->self, &size);
    const size_t from = (size_t)(slope - sim->state.base);
    const withy_status status = differentiate(sim, factor, t, pull, requested, err);
    memcpy(sim->state.base, sim->before, from);
    memcpy(slope + size, sim->before + from + size, sim->state.used - from - size);
    if (status != WITHY_OK) memcpy(slope, sim->before + from, size);
    return status;
}

int wy_gradient_settles(const withy_sim *sim) {
    return sim->problem.rod_count > 0 && sim->problem.rod[0].settled;
}

static withy_status begin(withy_sim *sim, const withy_variation *parameter, int count,
                          int backwards, withy_error *err) {
    wy_gradient *x = wy_arena_alloc(&sim->arena, 1, sizeof *x);
    size_t stations = 1;
    for (int i = 0; i < sim->problem.rod_count; i++)
        if ((size_t)sim->rod[i].snap.count > stations) stations = (size_t)sim->rod[i].snap.count;
    if (!x) return wy_no_memory(err, "no memory for derivatives");
    wy_allocator from = {.arena = &sim->arena};
    x->neighbours = wy_allocator_alloc(&from, 4 * (size_t)count + 1, sizeof *x->neighbours);
    x->origin = wy_allocator_alloc(&from, (size_t)count + 1, sizeof *x->origin);
    x->name = wy_allocator_alloc(&from, (size_t)count + 1, sizeof *x->name);
    x->position = wy_allocator_alloc(&from, stations, sizeof *x->position);
    x->turn = wy_allocator_alloc(&from, stations, sizeof *x->turn);
    x->near = wy_allocator_alloc(&from, 2 * (size_t)count + 1, sizeof(withy_problem *));
    x->slides = wy_allocator_alloc(&from, (size_t)(count * sim->problem.rod_count) + 1, 1);
    if (from.failed) return wy_no_memory(err, "no memory for derivatives");
    x->count = count, x->backwards = backwards;
    sim->gradient = x;
    for (int k = 0; k < count; k++)
        if (parameter[k].name[0])
            snprintf(x->name[k], sizeof x->name[k], "%s", parameter[k].name);
        else
            snprintf(x->name[k], sizeof x->name[k], "parameter %d", k + 1);
    for (int k = 0; k < count; k++)
        x->near[2 * k] = parameter[k].at[0], x->near[2 * k + 1] = parameter[k].at[3];
    WY_TRY(find_moved(sim, -1, &(wy_jump_range){.along_s = 1, .samples = ALONG}, err));
    for (int k = 0; k < count; k++) WY_TRY(seed(sim, k, &parameter[k], err));
    sim->method->slopes->start(sim->self);
    if (backwards || !wy_gradient_settles(sim)) return WITHY_OK;
    return differentiate_only(sim, 1, 0, 1, NULL, err);
}

/* The velocity of a start from an equilibrium depends on its shape: of clusters, of frames that spin. */
static withy_status check_start(const withy_problem *problem, withy_error *err) {
    int settles = 0, moves = 0;
    for (int i = 0; i < problem->rod_count; i++) {
        settles |= problem->rod[i].settled != 0;
        moves |= problem->rod[i].velocity.size > 0 || problem->rod[i].spin.size > 0;
    }
    for (int i = 0; i < problem->body_count; i++)
        moves |= !v3_is_zero(problem->body[i].velocity) || !v3_is_zero(problem->body[i].spin);
    if (!settles || !moves) return WITHY_OK;
    return wy_unsupported(
        err, "director: a motion that starts from an equilibrium with a velocity is not "
             "differentiated; a fit of this scene takes differences (withy fit --differences)");
}

static withy_status create(const withy_problem *problem, const char *method,
                           const withy_option *option, int option_count,
                           const withy_variation *parameter, int count, int backwards,
                           withy_sim **sim, withy_error *err) {
    for (int k = 0; k < count; k++) WY_TRY(check(&parameter[k], k, err));
    const wy_method *found;
    const char *name = method && method[0] ? method : "director";
    WY_TRY(wy_method_find(name, &found, err));
    if (!found->slopes || (backwards && !found->adjoint))
        return wy_unsupported(err, "%s: has no exact derivatives; use director, or differences",
                              name);
    WY_TRY(check_start(problem, err));
    WY_TRY(wy_sim_create_tangents(problem, name, option, option_count, count, backwards, sim, err));
    const withy_status status = begin(*sim, parameter, count, backwards, err);
    if (status == WITHY_OK) return WITHY_OK;
    withy_sim_destroy(*sim);
    *sim = NULL;
    return status;
}

withy_status withy_gradient_create(const withy_problem *problem, const char *method,
                                   const withy_option *option, int option_count,
                                   const withy_variation *parameter, int count, withy_sim **sim,
                                   withy_error *err) {
    WY_NEED(sim);
    *sim = NULL;
    WY_NEED(problem, parameter);
    if (count < 1)
        return wy_bad_input(err, "withy_gradient_create: %d parameters; 1 or more", count);
    return create(problem, method, option, option_count, parameter, count, 0, sim, err);
}

withy_status withy_adjoint_create(const withy_problem *problem, const char *method,
                                  const withy_option *option, int option_count,
                                  const withy_variation *parameter, int count, withy_sim **sim,
                                  withy_error *err) {
    WY_NEED(sim);
    *sim = NULL;
    WY_NEED(problem);
    if (count < 0 || (count > 0 && !parameter))
        return wy_bad_input(
            err, "withy_adjoint_create: %d parameters; 0 or more, and each of them given", count);
    return create(problem, method, option, option_count, parameter, count, 1, sim, err);
}

withy_status wy_gradient_rod(withy_sim *sim, int rod, int parameter, withy_slope *slope,
                             withy_error *err) {
    WY_NEED(sim, slope);
    wy_gradient *x = sim->gradient;
    if (!x)
        return wy_bad_input(err, "withy_sim_gradient: this simulation has no parameters; make it "
                                 "with withy_gradient_create");
    if (x->backwards)
        return wy_bad_input(err, "withy_sim_gradient: this simulation is for withy_sim_adjoint; "
                                 "make another with withy_gradient_create");
    if (parameter < 0 || parameter >= x->count)
        return wy_bad_input(err, "withy_sim_gradient: parameter %d; 0 .. %d", parameter,
                            x->count - 1);
    if (rod < 0 || rod >= sim->problem.rod_count)
        return wy_bad_input(err, "withy_sim_gradient_rod: rod %d; 0 .. %d", rod,
                            sim->problem.rod_count - 1);
    WY_TRY(wy_gradient_jumps(sim, -1, err)); /* of all at once: each time is searched once */
    if (sim->core->equilibrium && x->known != withy_sim_hash(sim)) {
        const double t = wy_sim_load_time(sim, sim->core->t);
        WY_TRY(differentiate_only(sim, sim->core->t, t, 0, NULL, err));
        x->known = withy_sim_hash(sim);
    }
    const withy_snapshot *snap = &sim->rod[rod].snap;
    wy_gradient_sample(sim, rod, parameter, snap->count, snap->s, x->position, x->turn);
    const wy_slope_quality good = sim->method->slopes->quality(sim->self, parameter);
    WY_TRY(wy_gradient_smooth(sim, parameter, err));
    *slope = (withy_slope){snap->count, snap->s, x->position, x->turn, good.grown, good.fault};
    return WITHY_OK;
}

withy_status withy_sim_gradient_rod(withy_sim *sim, int rod, int parameter, withy_slope *slope,
                                    withy_error *err) {
    WY_TRY(wy_gradient_rod(sim, rod, parameter, slope, err));
    return wy_gradient_fixed(sim, rod, parameter, slope->count, slope->s, err);
}

withy_status withy_sim_gradient(withy_sim *sim, int parameter, withy_slope *slope,
                                withy_error *err) {
    return withy_sim_gradient_rod(sim, 0, parameter, slope, err);
}

/* Nodes of all rods, and bodies. */
static int places_of(const withy_sim *sim) {
    int count = sim->parts.body_count;
    for (int i = 0; i < sim->problem.rod_count; i++)
        count += sim->method->nodes(sim->self, i, NULL);
    return count;
}

/* Modes of one frequency span a plane, in which the derivative of each alone means nothing. */
static withy_status check_mode(const withy_sim *sim, const withy_mode *mode, int i,
                               withy_error *err) {
    static const double SAME = 1e-6;
    const withy_mode *m = &mode[i];
    if (m->kind != WITHY_MODE_STABLE || !(fabs(m->damping) < 1e-12))
        return wy_unsupported(err,
                              "mode %d is damped, unstable or neutral: its frequency is not "
                              "differentiated; take differences",
                              i + 1);
    if (m->count != places_of(sim))
        return wy_unsupported(err,
                              "modes are differentiated at the nodes: leave time.stations out");
    for (int k = i - 1; k <= i + 1; k += 2)
        if (k >= 0 && k < mode->total &&
            !(fabs(mode[k].frequency - m->frequency) > SAME * m->frequency))
            return wy_unsupported(err,
                                  "modes %d and %d have the same frequency, %.6g Hz, which has no "
                                  "derivative of its own; take differences",
                                  i + 1, k + 1, m->frequency);
    return WITHY_OK;
}

withy_status withy_sim_mode_gradient(withy_sim *sim, const withy_mode *mode, int parameter,
                                     double *frequency, withy_error *err) {
    WY_NEED(sim, mode, frequency);
    withy_slope unused;
    WY_TRY(wy_gradient_rod(sim, 0, parameter, &unused, err));
    if (!sim->core->equilibrium)
        return wy_bad_input(
            err, "withy_sim_mode_gradient: first the equilibrium (withy_sim_equilibrium)");
    for (int i = 0; i < mode->total; i++) WY_TRY(check_mode(sim, mode, i, err));
    const double t = wy_sim_load_time(sim, sim->core->t);
    const mode_request requested = {parameter, mode->total, mode, frequency};
    WY_TRY(differentiate_only(sim, sim->core->t, t, 0, &requested, err));
    for (int i = 0; i < mode->total; i++) /* omega^2 = (2 pi f)^2 */
        frequency[i] /= 8 * WY_PI * WY_PI * mode[i].frequency;
    return WITHY_OK;
}
