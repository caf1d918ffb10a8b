/* save.c - the state of a simulation as plain bytes: save, restore, hash, fork. */
#include "study/sim.h"

/* What stands before the state. */
typedef struct head {
    char magic[8];
    uint64_t kind; /* of the problem, method and options */
    uint64_t size; /* of the state [bytes] */
    uint64_t hash; /* of the state */
} head;

static const char MAGIC[8] = "withy\0s1";

static uint64_t kind_with(const withy_sim *sim, const withy_problem *asked) {
    char name[WITHY_NAME], value[WITHY_NAME];
    uint64_t hash = wy_hash(sim->method->name, strlen(sim->method->name), sim->state.used);
    for (int i = 0; wy_option_text(sim->method, sim->options, i, name, value, sizeof name); i++) {
        hash = wy_hash(name, strlen(name), hash);
        hash = wy_hash(value, strlen(value), hash);
    }
    const uint64_t problem = wy_problem_digest(asked);
    return wy_hash(&problem, sizeof problem, hash);
}

/* Two simulations of one kind can take each other's state. */
static uint64_t kind_of(const withy_sim *sim) {
    return kind_with(sim, &sim->asked);
}

static void at_rest_rod(withy_rod *rod) {
    for (int i = 0; i < WITHY_STRAINS; i++)
        rod->damping[i] = rod->damping_matrix[i] = (withy_field){0};
    rod->damping_time = rod->drag_linear = rod->drag_quadratic = rod->drag_spin = 0;
}

static void at_rest_joint(withy_joint *joint) {
    joint->damping = 0;
    joint->stretch_damping = joint->turn_damping = (withy_vec3){0};
}

/* With a simulation: of its method and options too. */
static withy_status kind_undamped(const withy_sim *sim, const withy_problem *problem,
                                  uint64_t *kind, withy_error *err) {
    withy_problem equilibrium = *problem;
    wy_arena arena = {0};
    withy_rod *rod = wy_arena_alloc(&arena, (size_t)equilibrium.rod_count, sizeof *rod);
    withy_joint *joint = wy_arena_alloc(&arena, (size_t)equilibrium.joint_count, sizeof *joint);
    const int taken = rod && joint;
    for (int i = 0; taken && i < equilibrium.rod_count; i++)
        rod[i] = equilibrium.rod[i], at_rest_rod(&rod[i]);
    for (int i = 0; taken && i < equilibrium.joint_count; i++)
        joint[i] = equilibrium.joint[i], at_rest_joint(&joint[i]);
    equilibrium.rod = rod, equilibrium.joint = joint, equilibrium.floor.damping = 0;
    if (taken) *kind = sim ? kind_with(sim, &equilibrium) : wy_problem_digest(&equilibrium);
    wy_arena_free(&arena);
    return taken ? WITHY_OK : wy_no_memory(err, "no memory for a copy of the problem");
}

withy_status wy_sim_kind_undamped(const withy_sim *sim, uint64_t *kind, withy_error *err) {
    return kind_undamped(sim, &sim->asked, kind, err);
}

withy_status wy_problem_kind_undamped(const withy_problem *problem, uint64_t *kind,
                                      withy_error *err) {
    return kind_undamped(NULL, problem, kind, err);
}

size_t withy_sim_save_size(const withy_sim *sim) {
    return sim ? sizeof(head) + sim->state.used : 0;
}

uint64_t withy_sim_hash(const withy_sim *sim) {
    return sim ? wy_hash(sim->state.base, sim->state.used, 0) : 0;
}

withy_status withy_sim_save(const withy_sim *sim, void *to, size_t size, withy_error *err) {
    WY_NEED(sim, to);
    if (size < withy_sim_save_size(sim))
        return wy_bad_input(err, "withy_sim_save: %zu bytes do not hold the %zu needed", size,
                            withy_sim_save_size(sim));
    head h = {.kind = kind_of(sim), .size = sim->state.used, .hash = withy_sim_hash(sim)};
    memcpy(h.magic, MAGIC, sizeof MAGIC);
    memcpy(to, &h, sizeof h);
    memcpy((char *)to + sizeof h, sim->state.base, sim->state.used);
    return WITHY_OK;
}

/* Numbers that are each possible, and not together. */
static const char *contradiction(const withy_sim *sim, double h) {
    const wy_core *core = sim->core;
    const wy_clock *clock = &core->clock;
    const wy_span at = {clock->origin, clock->h, clock->step, clock->step};
    if (clock->h != h) return "the length of a step";
    if (!core->equilibrium && (!(core->t >= 0) || !wy_clock_is_at(clock, core->t)))
        return "the time";
    return sim->method->wrong ? sim->method->wrong(sim->self, core->equilibrium ? NULL : &at)
                              : NULL;
}

/* At rest is only what has an equilibrium: not every scene of a method that computes some. */
static bool can_rest(withy_sim *sim, const char *bytes) {
    withy_error none = {0};
    const bool can = sim->method->equations->open(sim->self, &none) == WITHY_OK;
    memcpy(sim->state.base, bytes, sim->state.used); /* it was put at rest */
    return can;
}

/* Bytes whose hash is right: from a file, and a hash can be made by anybody. */
static withy_status take_over(withy_sim *sim, const char *bytes, withy_error *err) {
    WY_TRY(wy_ranges_check(&sim->kept, bytes, "withy_sim_restore", err));
    const double h = sim->core->clock.h;
    const int was_at_rest = sim->core->equilibrium != 0;
    memcpy(sim->before, sim->state.base, sim->state.used);
    memcpy(sim->state.base, bytes, sim->state.used);
    const char *what = contradiction(sim, h);
    if (!what && sim->core->equilibrium && !was_at_rest && !can_rest(sim, bytes)) what = "the rest";
    if (!what) return WITHY_OK;
    memcpy(sim->state.base, sim->before, sim->state.used);
    return wy_bad_input(err,
                        "withy_sim_restore: the state was not written by withy: %s in it does not "
                        "fit the rest; use the file as it was written",
                        what);
}

static withy_status restore(withy_sim *sim, const void *from, size_t size, int any,
                            withy_error *err) {
    head h = {.size = 0};
    if (size >= sizeof h) memcpy(&h, from, sizeof h);
    if (size < sizeof h || memcmp(h.magic, MAGIC, sizeof MAGIC) != 0)
        return wy_bad_input(
            err, "withy_sim_restore: these bytes are not a state saved by withy_sim_save");
    if ((!any && h.kind != kind_of(sim)) || h.size != sim->state.used)
        return wy_bad_input(err,
                            "withy_sim_restore: the state belongs to another problem, method or "
                            "options; make the simulation exactly as the one that was saved");
    const char *bytes = (const char *)from + sizeof h;
    if (size < sizeof h + h.size || wy_hash(bytes, h.size, 0) != h.hash)
        return wy_bad_input(err, "withy_sim_restore: the state is damaged or cut short");
    return take_over(sim, bytes, err);
}

withy_status withy_sim_restore(withy_sim *sim, const void *from, size_t size, withy_error *err) {
    WY_NEED(sim, from);
    return restore(sim, from, size, 0, err);
}

withy_status wy_sim_restore_damped(withy_sim *sim, const void *from, size_t size,
                                   withy_error *err) {
    return restore(sim, from, size, 1, err);
}

withy_status withy_sim_fork(const withy_sim *sim, withy_sim **copy, withy_error *err) {
    WY_NEED(copy);
    *copy = NULL;
    WY_NEED(sim);
    withy_problem problem = sim->problem;
    problem.rod = sim->asked.rod; /* its inputs are to be bound to the copy */
    problem.joint = sim->asked.joint, problem.body = sim->asked.body;
    problem.floor = sim->asked.floor;
    WY_TRY(withy_sim_create(&problem, sim->method->name, sim->given, sim->given_count, copy, err));
    memcpy((*copy)->state.base, sim->state.base, sim->state.used);
    return WITHY_OK;
}
