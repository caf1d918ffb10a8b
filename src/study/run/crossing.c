/* crossing.c - see resolution_check.h. */
#include "study/run/resolution_check.h"

enum { MOST_RODS = 256, MOST_PIECES = 100000 };
static const double INSIDE = 0.9; /* of the thickness: nearer is a crossing, not a touch */

static void look(wy_crossing *x, const withy_sim *sim);

static withy_status take_memory(wy_crossing *x, withy_sim *sim, withy_error *err) {
    const size_t rods = (size_t)sim->problem.rod_count, count = (size_t)x->count;
    wy_allocator from = {&sim->arena, 0};
    x->rod = wy_allocator_alloc(&from, count, sizeof *x->rod);
    x->station = wy_allocator_alloc(&from, count, sizeof *x->station);
    x->half = wy_allocator_alloc(&from, count, sizeof *x->half);
    x->box = wy_allocator_alloc(&from, count, sizeof *x->box);
    x->position = wy_allocator_alloc(&from, count + rods, sizeof *x->position);
    x->s = wy_allocator_alloc(&from, count + rods, sizeof *x->s);
    x->drawn = wy_allocator_alloc(&from, rods * rods, 1);
    if (from.failed) return wy_no_memory(err, "no memory for %d pieces of rods", x->count);
    return wy_grid_make(&x->grid, x->count, &sim->arena, err);
}

/* A rod as it is drawn; its pieces begin at `piece`, its stations at `first`. */
static withy_status add_rod(wy_crossing *x, withy_sim *sim, int rod, int piece, int first,
                            withy_error *err) {
    const withy_snapshot *snap = &sim->rod[rod].snap;
    wy_pose *pose = wy_alloc((size_t)snap->count, sizeof *pose);
    if (!pose) return wy_no_memory(err, "no memory for %d poses", snap->count);
    withy_status status =
        wy_model_initial_poses(sim->setup.model, rod, snap->count, snap->s, pose, err);
    for (int j = 0; j < snap->count && status == WITHY_OK; j++) {
        x->position[first + j] = pose[j].r, x->s[first + j] = snap->s[j];
        if (j + 1 == snap->count) break;
        x->rod[piece + j] = rod, x->station[piece + j] = first + j;
        status = wy_rod_half(&sim->problem.rod[rod], 0.5 * (snap->s[j] + snap->s[j + 1]),
                             &x->half[piece + j], err);
        x->open |= x->half[piece + j] > 0;
    }
    wy_free(pose);
    return status;
}

withy_status wy_crossing_open(wy_crossing *x, withy_sim *sim, withy_error *err) {
    const int rods = sim->problem.rod_count;
    *x = (wy_crossing){0};
    if (sim->problem.contact.given) return WITHY_OK;
    for (int i = 0; i < rods; i++) x->count += sim->rod[i].snap.count - 1;
    if (rods == 0 || rods > MOST_RODS || x->count > MOST_PIECES || !sim->setup.model)
        return WITHY_OK;
    WY_TRY(take_memory(x, sim, err));
    for (int i = 0, piece = 0; i < rods; i++) {
        WY_TRY(add_rod(x, sim, i, piece, piece + i, err));
        piece += sim->rod[i].snap.count - 1;
    }
    if (x->open) look(x, sim);
    return WITHY_OK;
}

/* ---- two pieces -------------------------------------------------------------------------------------- */

/* How far the rod lies off piece i: an eighth of its length times the turn along it, as its neighbours show. */
static double sagitta(const wy_crossing *x, int i) {
    const vec3 *p = &x->position[x->station[i]], own = v3_sub(p[1], p[0]);
    double turn = 0;
    for (int side = -1; side <= 1; side += 2) {
        if (i + side < 0 || i + side >= x->count || x->rod[i + side] != x->rod[i]) continue;
        const vec3 next = v3_sub(p[side + 1], p[side]);
        turn = wy_max(turn, atan2(v3_norm(v3_cross(own, next)), v3_dot(own, next)));
    }
    return 0.125 * v3_norm(own) * turn;
}

typedef struct looking {
    wy_crossing *x;
    const withy_sim *sim;
} looking;

/* Are pieces i and j one inside the other, where they should not be? */
static int is_inside(const wy_crossing *x, const withy_sim *sim, int i, int j,
                     wy_contact_place *place, double s[2]) {
    static const double none[2] = {0, 0};
    const int rod[2] = {x->rod[i], x->rod[j]};
    const vec3 *a = &x->position[x->station[i]], *b = &x->position[x->station[j]];
    const double thick = x->half[i] + x->half[j];
    *place = wy_pair_closest((vec3[]){a[0], a[1], b[0], b[1]}, none);
    const double *at[2] = {&x->s[x->station[i]], &x->s[x->station[j]]},
                 way[2] = {place->s, place->t};
    for (int k = 0; k < 2; k++) s[k] = at[k][0] + way[k] * (at[k][1] - at[k][0]);
    const double piece = wy_max(at[0][1] - at[0][0], at[1][1] - at[1][0]);
    if (rod[0] == rod[1] &&
        wy_rod_distance(&sim->problem.rod[rod[0]], s[0], s[1]) < 0.5 * WY_PI * thick + piece)
        return 0;
    if (!(place->distance + sagitta(x, i) + sagitta(x, j) < INSIDE * thick)) return 0;
    return rod[0] == rod[1] || !wy_joint_near(&sim->problem, rod, s, 3 * (thick + piece));
}

static int meet(void *context, int i, int j) {
    wy_crossing *x = ((looking *)context)->x;
    const withy_sim *sim = ((looking *)context)->sim;
    char *drawn = &x->drawn[x->rod[i] * sim->problem.rod_count + x->rod[j]];
    wy_contact_place place;
    double s[2];
    if (*drawn || !is_inside(x, sim, i, j, &place, s)) return 1;
    if (x->looks == 0) return *drawn = 1;
    x->found = 1, x->t = sim->core->t, x->distance = place.distance,
    x->thick = x->half[i] + x->half[j];
    x->at[0] = s[0], x->at[1] = s[1], x->which[0] = x->rod[i], x->which[1] = x->rod[j];
    return 0;
}

static void look(wy_crossing *x, const withy_sim *sim) {
    for (int k = 0; k < x->count; k++) {
        const vec3 a = x->position[x->station[k]], b = x->position[x->station[k] + 1];
        const double r = x->half[k];
        x->box[k] = (wy_box){v3(wy_min(a.x, b.x) - r, wy_min(a.y, b.y) - r, wy_min(a.z, b.z) - r),
                             v3(wy_max(a.x, b.x) + r, wy_max(a.y, b.y) + r, wy_max(a.z, b.z) + r)};
    }
    looking context = {x, sim};
    wy_grid_pairs(&x->grid, x->box, x->count, meet, &context);
    x->looks++;
}

void wy_crossing_check(wy_crossing *x, const withy_sim *sim) {
    if (!x->open || x->found) return;
    for (int i = 0, at = 0; i < sim->problem.rod_count; i++)
        for (int j = 0; j < sim->rod[i].snap.count; j++, at++) {
            const withy_vec3 *r = &sim->rod[i].snap.position[j];
            x->position[at] = v3(r->x, r->y, r->z);
            if (!v3_finite(x->position[at])) return;
        }
    look(x, sim);
}

/* "the rod passes through itself", "rod 1 passes through rod 3". */
static void name_parts(const wy_crossing *x, const withy_sim *sim, char text[128]) {
    if (sim->problem.rod_count == 1)
        snprintf(text, 128, "the rod passes through itself");
    else if (x->which[0] == x->which[1])
        snprintf(text, 128, "rod %d passes through itself", x->which[0] + 1);
    else
        snprintf(text, 128, "rod %d passes through rod %d", x->which[0] + 1, x->which[1] + 1);
}

void wy_crossing_note(const wy_crossing *x, withy_sim *sim) {
    if (!x->found) return;
    char who[128];
    name_parts(x, sim, who);
    wy_note(&sim->notes, WY_NOTE(rods_cross), who, sim->core->equilibrium ? "the load factor" : "t",
            x->t, x->at[0], x->distance, x->at[1], x->thick);
}
