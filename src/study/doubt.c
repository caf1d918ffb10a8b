/* doubt.c - see doubt.h. */
#include "study/doubt.h"

#include <string.h>

static const double MESH_ERROR = 0.03, STEP_ERROR = 0.1;
static const double LEAST_WAY = 1e-9; /* of the length: a rod at rest has no motion to resolve */

withy_status wy_doubts_open(wy_doubts *x, withy_sim *sim, int moving, withy_error *err) {
    double s[WY_DOUBT_STATIONS];
    if (sim->problem.rod_count == 0) return WITHY_OK;
    const int count = sim->method->nodes(sim->self, 0, NULL);
    double *own = wy_arena_take(&sim->arena, (size_t)count, sizeof *own);
    if (!own) return wy_fail(err, WITHY_NO_MEMORY, "no memory for %d nodes", count);
    sim->method->nodes(sim->self, 0, own);
    for (int i = 0; i < WY_DOUBT_STATIONS; i++)
        s[i] = sim->problem.rod[0].length * (i + 1) / WY_DOUBT_STATIONS;
    *x = (wy_doubts){.open = 1, .moving = moving};
    x->steps =
        moving && withy_sim_step(sim) > 0 && wy_method_order(sim->method, sim->options).time == 2;
    WY_TRY(wy_view_make(sim, 0, count, own, &x->nodes, err));
    WY_TRY(wy_view_make(sim, 0, WY_DOUBT_STATIONS, s, &x->stations, err));
    WY_TRY(wy_crossing_open(&x->touch, sim, err));
    x->nodes.snap.want = WITHY_HAVE_POSITION;
    x->stations.snap.want = WITHY_HAVE_POSITION;
    if (wy_view_sample(sim, 0, &x->stations)) x->steps = 0;
    memcpy(x->first, x->stations.snap.position, sizeof x->first);
    return WITHY_OK;
}

/* ---- to go on ------------------------------------------------------------------------------------- */

void wy_doubts_save(const wy_doubts *x, double number[WY_DOUBT_NUMBERS]) {
    const double single[] = {x->turn, x->at,   x->mesh,      x->looks, x->steps, x->filled,
                             x->last, x->lost, x->amplitude, x->way,   x->reach};
    memcpy(number, single, sizeof single);
    memcpy(number + 11, x->first, sizeof x->first);
    memcpy(number + 11 + 3 * WY_DOUBT_STATIONS, x->ring, sizeof x->ring);
}

void wy_doubts_load(wy_doubts *x, const double number[WY_DOUBT_NUMBERS]) {
    x->turn = number[0], x->at = number[1], x->mesh = number[2];
    x->looks = (int)number[3], x->steps = (int)number[4], x->filled = (int)number[5];
    x->last = number[6], x->lost = number[7], x->amplitude = number[8];
    x->way = number[9], x->reach = number[10];
    memcpy(x->first, number + 11, sizeof x->first);
    memcpy(x->ring, number + 11 + 3 * WY_DOUBT_STATIONS, sizeof x->ring);
}

/* ---- the mesh -------------------------------------------------------------------------------------- */

static vec3 chord(const withy_snapshot *snap, int i) {
    const withy_vec3 a = snap->position[i], b = snap->position[i + 1];
    return (vec3){b.x - a.x, b.y - a.y, b.z - a.z};
}

/* Of the bends of the present shape, the part that the mesh gets wrong. */
void wy_doubts_shape(wy_doubts *x, withy_sim *sim) {
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

static void note_mesh(const wy_doubts *x, withy_sim *sim) {
    const double order = wy_method_order(sim->method, sim->options).space;
    const double error = x->moving && x->looks ? x->mesh / x->looks : x->mesh;
    if (!(error > MESH_ERROR)) return;
    const int n = wy_sim_mesh(sim);
    wy_note(&sim->notes,
            "the rod turns by up to %.0f degrees from one node to the next (at s = %.4g), so that "
            "%s gets "
            "its bending wrong by about %.0f %%: options.n = %.0f or more (now %d) makes that 1 %%",
            x->turn * 180 / WY_PI, x->at, sim->method->name, 100 * error,
            ceil(n * pow(error / 0.01, 1 / order)), n);
}

/* ---- the step -------------------------------------------------------------------------------------- */

/* Largest |a - b| of the stations. */
static double apart(const withy_vec3 *a, const withy_vec3 *b) {
    double most = 0;
    for (int i = 0; i < WY_DOUBT_STATIONS; i++) {
        const vec3 d = {a[i].x - b[i].x, a[i].y - b[i].y, a[i].z - b[i].z};
        most = wy_max(most, v3_norm(d));
    }
    return most;
}

static double second_difference(const wy_doubts *x) {
    double most = 0;
    for (int i = 0; i < WY_DOUBT_STATIONS; i++) {
        const withy_vec3 *b = &x->ring[1][i], *c = &x->ring[2][i], *d = &x->ring[3][i];
        const vec3 second = {d->x - 2 * c->x + b->x, d->y - 2 * c->y + b->y,
                             d->z - 2 * c->z + b->z};
        most = wy_max(most, v3_norm(second));
    }
    return most;
}

static double third_difference(const wy_doubts *x) {
    double most = 0;
    for (int i = 0; i < WY_DOUBT_STATIONS; i++) {
        const withy_vec3 *a = &x->ring[0][i], *b = &x->ring[1][i], *c = &x->ring[2][i],
                         *d = &x->ring[3][i];
        const vec3 third = {d->x - a->x - 3 * (c->x - b->x), d->y - a->y - 3 * (c->y - b->y),
                            d->z - a->z - 3 * (c->z - b->z)};
        most = wy_max(most, v3_norm(third));
    }
    return most;
}

/* The newest positions into the ring; after a pause of more than one step it begins again. */
static void remember(wy_doubts *x, const withy_sim *sim) {
    const double h = withy_sim_step(sim), t = sim->core->t;
    if (x->filled && !(fabs(t - x->last - h) <= 1e-6 * h)) x->filled = 0;
    if (x->filled == WY_DOUBT_RING) {
        memmove(x->ring[0], x->ring[1], (WY_DOUBT_RING - 1) * sizeof x->ring[0]);
        x->filled--;
    }
    memcpy(x->ring[x->filled++], x->stations.snap.position, sizeof x->ring[0]);
    x->last = t;
}

void wy_doubts_step(wy_doubts *x, withy_sim *sim, double count) {
    if (!x->steps || wy_view_sample(sim, 0, &x->stations)) return;
    remember(x, sim);
    x->way = wy_max(x->way, apart(x->first, x->ring[x->filled - 1]));
    if (x->filled < WY_DOUBT_RING) return;
    const double third = third_difference(x), change = apart(x->ring[3], x->ring[2]);
    const double second = second_difference(x);
    if (third > 0) x->reach = wy_max(x->reach, second * second * second / (third * third));
    if (third <= 0.5 * change)
        x->lost += count * third / 12;
    else
        x->amplitude = wy_max(x->amplitude, third / 8);
}

static void note_step(const wy_doubts *x, withy_sim *sim) {
    const double error = wy_min(x->lost, 2 * x->reach) + x->amplitude,
                 way = wy_min(x->way, sim->problem.rod[0].length);
    if (!x->steps || !(way > LEAST_WAY * sim->problem.rod[0].length)) return;
    if (!(error > STEP_ERROR * way)) return;
    wy_note(&sim->notes,
            "steps of %.3g s are long for this motion: by the end about %.0f %% of the distance "
            "travelled is wrong; options.dt = %.2g or less makes that 1 %%",
            withy_sim_step(sim), 100 * wy_min(1, error / way),
            withy_sim_step(sim) * sqrt(0.01 * way / error));
}

static void note_cuts(const wy_doubts *x, withy_sim *sim) {
    const int64_t cuts = sim->core->stats.halvings;
    if (!x->steps || cuts == 0) return;
    wy_note(&sim->notes,
            "Newton could not make %lld steps, which were cut: rounding decides which, so that the "
            "last digits of options.dt may change the result; shorten options.dt (now %.3g)",
            (long long)cuts, withy_sim_step(sim));
}

void wy_doubts_note(const wy_doubts *x, withy_sim *sim) {
    if (!x->open) return;
    note_mesh(x, sim);
    note_step(x, sim);
    note_cuts(x, sim);
    wy_crossing_note(&x->touch, sim);
}
