/* regrid.c - see run.h. */
#include "study/run/run.h"

#include "model/schema/structure.h"
#include "sink/sink.h"

/* ---- functions of a later time --------------------------------------------------------------------- */

typedef struct later {
    withy_field field;
    double t0;
} later;

static withy_status call_later(void *context, double s, double t, double *out, withy_error *err) {
    const later *x = context;
    return withy_field_at(&x->field, s, x->t0 + t, out, err);
}

static withy_status call_later_state(void *context, double s, double t,
                                     const withy_section_state *state, double *out,
                                     withy_error *err) {
    const later *x = context;
    return x->field.from_state(x->field.context, s, x->t0 + t, state, out, err);
}

static withy_status no_memory(withy_error *err) {
    return wy_fail(err, WITHY_NO_MEMORY, "no memory for another grid");
}

static withy_status delay(withy_field *field, double t0, wy_arena *arena, withy_error *err) {
    if (!field->call && !field->table && !field->from_state) return WITHY_OK;
    later *x = wy_arena_alloc(arena, 1, sizeof *x);
    if (!x) return no_memory(err);
    *x = (later){*field, t0};
    *field = (withy_field){.size = field->size, .context = x};
    if (x->field.from_state)
        field->from_state = call_later_state;
    else
        field->call = call_later;
    return WITHY_OK;
}

/* What may be a function of time in a structure. */
static withy_status delay_all(wy_structure of, void *structure, double t0, wy_arena *arena,
                              withy_error *err) {
    wy_entries entries;
    wy_entries_list(&entries);
    for (int i = 0; i < entries.count[of]; i++) {
        const wy_entry *e = &entries.entry[of][i];
        void *field = (char *)structure + e->offset;
        if (e->timed) WY_TRY(delay(field, t0, arena, err));
    }
    return WITHY_OK;
}

static withy_status delay_loads(withy_rod *rod, double t0, wy_arena *arena, withy_error *err) {
    withy_load *load = wy_arena_alloc(arena, (size_t)rod->load_count, sizeof *load);
    if (!load) return no_memory(err);
    for (int i = 0; i < rod->load_count; i++) {
        load[i] = rod->load[i];
        WY_TRY(delay_all(WY_IN_LOAD, &load[i], t0, arena, err));
    }
    rod->load = load;
    return WITHY_OK;
}

/* ---- the start --------------------------------------------------------------------------------------- */

static withy_status call_row(void *context, double s, double t, double *out, withy_error *err) {
    (void)t, (void)err;
    const wy_row *row = context;
    wy_row_at(row, s, out);
    return WITHY_OK;
}

static withy_status start_field(const withy_snapshot *snap, const char *name, wy_arena *arena,
                                withy_field *field, withy_error *err) {
    wy_row *row = wy_arena_alloc(arena, 1, sizeof *row);
    if (!row || !wy_row_take(row, snap, withy_quantity_find(WITHY_OF_ROD, name), arena))
        return no_memory(err);
    *field = (withy_field){.size = row->size, .call = call_row, .context = row};
    return WITHY_OK;
}

/* Strains of the sections, those of the rest shape included. */
typedef struct strains {
    wy_row bend, shear; /* shear.count = 0: the method has none */
    const withy_rod *rod;
} strains;

static withy_status call_strains(void *context, double s, double t, double *out, withy_error *err) {
    (void)t;
    const strains *x = context;
    const int shears = x->shear.count > 0;
    double bend[3], shear[3], rest[1][WITHY_STRAINS] = {{0}};
    wy_row_at(&x->bend, s, bend);
    if (x->rod->rest.kind != WITHY_SHAPE_NONE)
        WY_TRY(wy_shape_strains(x->rod, &x->rod->rest, 1, &s, rest, err));
    if (shears) wy_row_at(&x->shear, s, shear);
    for (int i = 0; i < 3; i++) {
        if (shears) out[i] = rest[0][i] + shear[i];
        out[3 * shears + i] = rest[0][3 + i] + bend[i];
    }
    return WITHY_OK;
}

/* What a snapshot reports at an end may come from within the rod, while the shape of the old grid has what turns the frame of
 * the end into that next to it: K_end = 2 log(q_a^-1 q_b)/h - K_next, K = bend + K_rest. */
static withy_status find_end_bend(const withy_rod *rod, const withy_snapshot *snap, int end,
                                  vec3 *bend, withy_error *err) {
    const int a = end ? snap->count - 2 : 0, own = a + end, next = a + 1 - end;
    const quat turn = q_mul(q_conj(snap->frame[a]), snap->frame[a + 1]);
    double rest[2][WITHY_STRAINS] = {{0}};
    if (rod->rest.kind != WITHY_SHAPE_NONE)
        WY_TRY(wy_shape_strains(rod, &rod->rest, 2, &snap->s[a], rest, err));
    const vec3 both = v3_scale(2 / (snap->s[a + 1] - snap->s[a]), q_log(turn));
    const vec3 at_rest = v3_add(v3_from(&rest[0][3]), v3_from(&rest[1][3]));
    bend[own] = v3_sub(v3_sub(both, at_rest), bend[next]);
    return WITHY_OK;
}

static withy_status take_bend(const withy_rod *rod, const withy_snapshot *snap, wy_arena *arena,
                              wy_row *row, withy_error *err) {
    withy_snapshot own = *snap;
    if (!snap->bend || snap->count < 3) return no_memory(err);
    own.bend = wy_arena_alloc(arena, (size_t)snap->count, sizeof *own.bend);
    if (!own.bend) return no_memory(err);
    memcpy(own.bend, snap->bend, (size_t)snap->count * sizeof *own.bend);
    for (int end = 0; end < 2 && (snap->have & WITHY_HAVE_FRAME); end++)
        WY_TRY(find_end_bend(rod, snap, end, own.bend, err));
    if (wy_row_take(row, &own, withy_quantity_find(WITHY_OF_ROD, "bend"), arena)) return WITHY_OK;
    return no_memory(err);
}

/* By its strains from the start on: places and frames that fit each other only as well as the old grid would make a
 * stiff rod shear and stretch. */
static withy_status start_strained(const withy_rod *rod, const withy_snapshot *snap,
                                   wy_arena *arena, withy_shape *shape, withy_error *err) {
    strains *x = wy_arena_alloc(arena, 1, sizeof *x);
    if (!x) return no_memory(err);
    WY_TRY(take_bend(rod, snap, arena, &x->bend, err));
    if ((snap->have & WITHY_HAVE_SHEAR) &&
        !wy_row_take(&x->shear, snap, withy_quantity_find(WITHY_OF_ROD, "shear"), arena))
        return no_memory(err);
    x->rod = rod;
    const mat3 frame = q_matrix(snap->frame[0]);
    *shape = (withy_shape){.kind = WITHY_SHAPE_STRAIN, .from = snap->position[0]};
    shape->along = frame.c3, shape->normal = frame.c1;
    shape->strain =
        (withy_field){.size = x->shear.count ? 6 : 3, .call = call_strains, .context = x};
    return WITHY_OK;
}

/* Frames that fit the places: between its nodes a grid has them only as well as it is fine, and a rod that hardly shears
 * would be sheared by the difference.  So each is turned until its shear is that of the snapshot. */
typedef struct fitted {
    wy_row position, frame, shear; /* shear.count = 0: none */
} fitted;

static vec3 row_vector(const wy_row *row, double s) {
    double v[3];
    wy_row_at(row, s, v);
    return v3_from(v);
}

static withy_status call_fitted(void *context, double s, double t, double *out, withy_error *err) {
    (void)t, (void)err;
    const fitted *x = context;
    double q[4], slope[3];
    wy_row_at(&x->frame, s, q);
    wy_row_slope(&x->position, s, slope);
    const quat frame = {q[0], q[1], q[2], q[3]};
    const vec3 along = v3_unit(v3_from(slope));
    const vec3 shear = x->shear.count ? row_vector(&x->shear, s) : v3(0, 0, 0);
    const vec3 now = q_turn(frame, v3_unit(v3_add(v3(0, 0, 1), shear)));
    const vec3 axis = v3_cross(now, along);
    const quat turn = q_unit((quat){1 + v3_dot(now, along), axis.x, axis.y, axis.z});
    const quat own = q_mul(turn, frame);
    out[0] = own.w, out[1] = own.x, out[2] = own.y, out[3] = own.z;
    return WITHY_OK;
}

static withy_status start_placed(const withy_snapshot *snap, wy_arena *arena, withy_shape *shape,
                                 withy_error *err) {
    fitted *x = wy_arena_alloc(arena, 1, sizeof *x);
    *shape = (withy_shape){.kind = WITHY_SHAPE_PLACED};
    WY_TRY(start_field(snap, "position", arena, &shape->position, err));
    if (!x || !wy_row_take(&x->frame, snap, withy_quantity_find(WITHY_OF_ROD, "frame"), arena))
        return no_memory(err);
    if ((snap->have & WITHY_HAVE_SHEAR) &&
        !wy_row_take(&x->shear, snap, withy_quantity_find(WITHY_OF_ROD, "shear"), arena))
        return no_memory(err);
    x->position = *(const wy_row *)shape->position.context;
    shape->frame = (withy_field){.size = 4, .call = call_fitted, .context = x};
    return WITHY_OK;
}

static withy_status start_rod(const withy_sim *sim, const withy_rod *given, withy_rod *rod,
                              const withy_snapshot *snap, wy_arena *arena, withy_error *err) {
    const uint64_t can = sim->method->can;
    rod->settled = 0, rod->pull_count = 0;
    WY_TRY(can & WY_CAN(PLACED) ? start_placed(snap, arena, &rod->initial, err)
                                : start_strained(given, snap, arena, &rod->initial, err));
    WY_TRY(start_field(snap, "velocity", arena, &rod->velocity, err));
    if (!(snap->have & WITHY_HAVE_SPIN) || !(can & WY_CAN(SPIN))) return WITHY_OK;
    return start_field(snap, "spin", arena, &rod->spin, err);
}

/* ---- is it the same motion? -------------------------------------------------------------------------- */

static double sum_of(const withy_energies *e, double *size) {
    const double strain = e->shear + e->stretch + e->bend + e->twist;
    *size = fabs(e->kinetic) + fabs(strain);
    return e->kinetic + strain + e->gravity;
}

withy_status wy_regrid_agrees(withy_sim *sim, const wy_past *past, const char *path,
                              withy_error *err) {
    const double part = 0.02; /* of what moves and is strained */
    const withy_snapshot *snap = withy_sim_sample(sim, 0);
    double size;
    if (!snap || !(snap->have & WITHY_HAVE_ENERGY)) return WITHY_OK;
    const double now = sum_of(&snap->energy, &size);
    size = wy_max(size, past->size);
    if (fabs(now - past->energy) <= part * size) return WITHY_OK;
    return wy_fail(
        err, WITHY_NO_CONVERGENCE,
        "%s: the snapshot at t = %.9g has %.4g J on its own grid and %.4g J on the other, "
        "which is another motion; its grid was too coarse to continue from: leave out --set "
        "options..., or run it again from the start",
        path, past->t, past->energy, now);
}

/* ---- what a snapshot does not hold --------------------------------------------------------------------- */

static const char *keeps_more(const withy_problem *problem) {
    if (problem->rod_count != 1 || problem->body_count || problem->joint_count)
        return "several rods, bodies or joints";
    if (problem->floor.given || problem->obstacle_count || problem->contact.given) return "contact";
    const withy_rod *rod = &problem->rod[0];
    const withy_medium *medium = &problem->medium;
    if (medium->flow || medium->wave_count || wy_field_varies(&medium->current) ||
        wy_field_varies(&medium->wind) || medium->current.table || medium->wind.table)
        return "a medium that changes with time";
    if (rod->tension != 0) return "a tension of the initial state";
    if (wy_rod_is_active(rod)) return "strains at rest that change";
    for (int e = 0; e < 2; e++)
        if (rod->end[e].spring > 0 || rod->end[e].spring_turn > 0)
            return "a spring to an initial place";
    for (int i = 0; i < rod->load_count; i++)
        if (rod->load[i].displacement.size) return "a tendon of prescribed length";
    return NULL;
}

withy_status wy_regrid_check(const withy_problem *problem, const char *path, withy_error *err) {
    const char *more = keeps_more(problem);
    if (!more) return WITHY_OK;
    return wy_fail(err, WITHY_BAD_INPUT,
                   "%s: a run with %s continues with its own options only, because a snapshot does "
                   "not hold all that it needs; leave out --set options...",
                   path, more);
}

withy_status wy_regrid_problem(const withy_sim *sim, const withy_problem *problem, const char *path,
                               withy_result *result, int64_t row, const vec3 *motion,
                               wy_arena *arena, withy_problem *from_there, wy_past *past,
                               withy_error *err) {
    const unsigned need = WITHY_HAVE_POSITION | WITHY_HAVE_FRAME | WITHY_HAVE_VELOCITY |
                          WITHY_HAVE_BEND | WITHY_HAVE_ENERGY;
    const withy_snapshot *snap = wy_restart.at(result, 0, row, err);
    withy_rod *rod = wy_arena_alloc(arena, 1, sizeof *rod);
    if (!snap) return WITHY_IO;
    if (!rod) return no_memory(err);
    if ((snap->have & need) != need || snap->count < WY_ROW_POINTS)
        return wy_fail(err, WITHY_UNSUPPORTED,
                       "%s: its snapshots do not hold places, frames, velocities and strains at %d "
                       "stations or more, so that it continues with its own options only",
                       path, WY_ROW_POINTS);
    *past = (wy_past){snap->t, snap->work, snap->dissipated, snap->step, 0, 0};
    past->energy = sum_of(&snap->energy, &past->size);
    *rod = problem->rod[0];
    withy_snapshot own = *snap;
    if (motion) own.velocity = (vec3 *)(uintptr_t)motion;
    if (motion) own.spin = (vec3 *)(uintptr_t)motion + own.count;
    WY_TRY(start_rod(sim, &problem->rod[0], rod, &own, arena, err));
    for (int e = 0; e < 2; e++) WY_TRY(delay_all(WY_IN_END, &rod->end[e], past->t, arena, err));
    WY_TRY(delay_loads(rod, past->t, arena, err));
    *from_there = *problem;
    from_there->rod = rod, from_there->model = NULL;
    return WITHY_OK;
}
