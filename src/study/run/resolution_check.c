/* resolution_check.c - see resolution_check.h. */
#include "study/run/resolution_check.h"

static const double MESH_ERROR = 0.03, STEP_ERROR = 0.1;
static const double LEAST_WAY = 1e-9; /* of the length: a rod at rest has no motion to resolve */

withy_status wy_resolution_check_open(wy_resolution_check *x, withy_sim *sim, int moving,
                                      withy_error *err) {
    static const int first[WY_RESOLUTION_CHECK_STATIONS + 1] = {0, 3, 6, 9, 12, 15};
    double s[WY_RESOLUTION_CHECK_STATIONS];
    if (sim->problem.rod_count == 0) return WITHY_OK;
    const int count = sim->method->nodes(sim->self, 0, NULL);
    double *own = wy_arena_alloc(&sim->arena, (size_t)count, sizeof *own);
    if (!own) return wy_no_memory(err, "no memory for %d nodes", count);
    sim->method->nodes(sim->self, 0, own);
    for (int i = 0; i < WY_RESOLUTION_CHECK_STATIONS; i++)
        s[i] = sim->problem.rod[0].length * (i + 1) / WY_RESOLUTION_CHECK_STATIONS;
    *x = (wy_resolution_check){.open = 1, .moving = moving};
    wy_step_error_open(&x->lost, sim, WY_RESOLUTION_CHECK_STATIONS, first, x->room);
    if (!moving) x->lost.order = 0;
    WY_TRY(wy_view_make(sim, 0, count, own, &x->nodes, err));
    WY_TRY(wy_view_make(sim, 0, WY_RESOLUTION_CHECK_STATIONS, s, &x->stations, err));
    WY_TRY(wy_crossing_open(&x->crossing, sim, err));
    x->nodes.snap.requested = WITHY_HAVE_POSITION;
    x->stations.snap.requested = WITHY_HAVE_POSITION;
    if (sim->method->spin > 0) x->stations.snap.requested |= WITHY_HAVE_SPIN | WITHY_HAVE_FRAME;
    if (wy_view_sample(sim, 0, &x->stations)) x->lost.order = 0;
    memcpy(x->first, x->stations.snap.position, sizeof x->first);
    return WITHY_OK;
}

/* ---- to continue ------------------------------------------------------------------------------------- */

void wy_resolution_check_save(const wy_resolution_check *x,
                              double number[WY_RESOLUTION_CHECK_NUMBERS]) {
    const double single[WY_RESOLUTION_CHECK_SINGLE] = {x->turn,      x->at,         x->mesh,
                                                       x->looks,     x->way,        x->lost.filled,
                                                       x->lost.last, x->lost.steps, x->spin};
    memcpy(number, single, sizeof single), number += WY_RESOLUTION_CHECK_SINGLE;
    memcpy(number, x->first, sizeof x->first), number += (size_t)3 * WY_RESOLUTION_CHECK_STATIONS;
    memcpy(number, x->room, sizeof x->room);
}

void wy_resolution_check_load(wy_resolution_check *x,
                              const double number[WY_RESOLUTION_CHECK_NUMBERS]) {
    x->turn = number[0], x->at = number[1], x->mesh = number[2], x->looks = (int)number[3];
    x->way = number[4], x->lost.filled = (int)number[5], x->lost.last = number[6],
    x->lost.steps = number[7];
    if (x->lost.filled > x->lost.rows) x->lost.filled = 0; /* of another order */
    x->spin = number[8];
    number += WY_RESOLUTION_CHECK_SINGLE;
    memcpy(x->first, number, sizeof x->first), number += (size_t)3 * WY_RESOLUTION_CHECK_STATIONS;
    memcpy(x->room, number, sizeof x->room);
}

/* ---- the mesh -------------------------------------------------------------------------------------- */

static vec3 chord(const withy_snapshot *snap, int i) {
    const withy_vec3 a = snap->position[i], b = snap->position[i + 1];
    return (vec3){b.x - a.x, b.y - a.y, b.z - a.z};
}

/* Of the bends of the present shape, the part that the mesh gets wrong. */
void wy_resolution_check_shape(wy_resolution_check *x, withy_sim *sim) {
    if (!x->open || !(sim->method->turn > 0) || wy_view_sample(sim, 0, &x->nodes)) return;
    const withy_snapshot *snap = &x->nodes.snap;
    const double order = wy_method_order(sim->method, sim->options).space;
    double wrong = 0, total = 0;
    for (int i = 1; i + 1 < snap->count; i++) {
        const vec3 a = chord(snap, i - 1), b = chord(snap, i);
        const double turn = atan2(v3_norm(v3_cross(a, b)), v3_dot(a, b));
        if (turn > x->turn) x->turn = turn, x->at = snap->s[i];
        wrong += wy_min(1, pow(turn / sim->method->turn, order)) * turn, total += turn;
    }
    const double error = total > 0 ? wrong / total : 0;
    x->mesh = x->moving ? x->mesh + error : wy_max(x->mesh, error);
    x->looks++;
}

static void note_mesh(const wy_resolution_check *x, withy_sim *sim) {
    const double order = wy_method_order(sim->method, sim->options).space;
    const double error = x->moving && x->looks ? x->mesh / x->looks : x->mesh;
    if (!(error > MESH_ERROR)) return;
    const int n = wy_sim_mesh(sim);
    wy_note(&sim->notes, WY_NOTE(mesh_coarse), x->turn * 180 / WY_PI, x->at, sim->method->name,
            100 * error, ceil(n * pow(error / 0.01, 1 / order)), n);
}

/* ---- the step -------------------------------------------------------------------------------------- */

/* Largest |a - b| of the stations. */
static double apart(const withy_vec3 *a, const withy_vec3 *b) {
    double most = 0;
    for (int i = 0; i < WY_RESOLUTION_CHECK_STATIONS; i++) {
        const vec3 d = {a[i].x - b[i].x, a[i].y - b[i].y, a[i].z - b[i].z};
        most = wy_max(most, v3_norm(d));
    }
    return most;
}

/* About the axis, in this step. */
static double spin_of(const withy_snapshot *snap, double h) {
    const unsigned needs = WITHY_HAVE_SPIN | WITHY_HAVE_FRAME;
    double most = 0;
    for (int i = 0; i < snap->count && (snap->have & needs) == needs; i++) {
        const mat3 frame = q_matrix(snap->frame[i]);
        most = wy_max(most, fabs(v3_dot(snap->spin[i], frame.c3)) * h);
    }
    return most;
}

void wy_resolution_check_step(wy_resolution_check *x, withy_sim *sim, double count) {
    if (!x->lost.order || wy_view_sample(sim, 0, &x->stations)) return;
    const withy_vec3 *now = x->stations.snap.position;
    double value[3 * WY_RESOLUTION_CHECK_STATIONS];
    for (int i = 0; i < WY_RESOLUTION_CHECK_STATIONS; i++) v3_to(now[i], value + 3 * (size_t)i);
    x->way = wy_max(x->way, apart(x->first, now));
    wy_step_error_add(&x->lost, sim, value, count);
    if (sim->method->spin > 0)
        x->spin = wy_max(x->spin, spin_of(&x->stations.snap, withy_sim_step(sim)));
}

/* At the station where it is most. */
static double lost(const wy_resolution_check *x) {
    double most = 0;
    for (int i = 0; i < WY_RESOLUTION_CHECK_STATIONS; i++)
        most = wy_max(most, wy_step_error_estimate(&x->lost, i));
    return most;
}

static void note_step(const wy_resolution_check *x, withy_sim *sim) {
    const double way = wy_min(x->way, sim->problem.rod[0].length), h = withy_sim_step(sim);
    if (!x->lost.order || !(way > LEAST_WAY * sim->problem.rod[0].length)) return;
    const double error = lost(x), shorter = pow(0.01 * way / error, 1.0 / x->lost.order);
    if (!(error > STEP_ERROR * way)) return;
    wy_note(&sim->notes, WY_NOTE(step_long), h, 100 * wy_min(1, error / way), h * shorter);
}

static const double FOLLOWED = 0.4; /* of the spin that is noted: well followed */

static int spins_too_far(const wy_resolution_check *x, const withy_sim *sim) {
    return x->lost.order && sim->method->spin > 0 && x->spin > sim->method->spin;
}

int wy_resolution_check_halvings(const wy_resolution_check *x, const withy_sim *sim) {
    static const double MOST = 1000; /* an infinite spin: no step follows it */
    if (!spins_too_far(x, sim)) return 0;
    return (int)fmin(MOST, ceil(log2(x->spin / (FOLLOWED * sim->method->spin))));
}

static void note_spin(const wy_resolution_check *x, withy_sim *sim) {
    const double h = withy_sim_step(sim), most = sim->method->spin;
    if (!spins_too_far(x, sim)) return;
    wy_note(&sim->notes, WY_NOTE(spin_fast), x->spin * 180 / WY_PI, h, sim->method->name,
            FOLLOWED * h * most / x->spin);
}

static void note_cuts(const wy_resolution_check *x, withy_sim *sim) {
    const int64_t cuts = sim->core->stats.halvings;
    if (!x->open || !x->lost.order || cuts == 0) return;
    wy_note(&sim->notes, WY_NOTE(steps_cut), (long long)cuts, withy_sim_step(sim));
}

void wy_resolution_check_note(const wy_resolution_check *x, withy_sim *sim) {
    if (!x->open) return;
    note_mesh(x, sim);
    note_step(x, sim);
    note_spin(x, sim);
    note_cuts(x, sim);
    wy_crossing_note(&x->crossing, sim);
}
