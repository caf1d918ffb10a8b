/* gradient_field.c - the fields: which numbers of a rod a parameter can change, in one table.
 *
 * A parameter reaches the equations through these numbers alone.  Nothing is solved to find what it does to them: the rod
 * is set up at four values of it, and they are differenced with five points, whose error is 1e-13 at a step of 1e-3
 * of the parameter; so whatever a scene makes of a parameter is differentiated without a formula of its own.
 */
#include "method/director/force/fluid.h"
#include "method/director/gradient/gradient_network.h"

/* ---- five points ------------------------------------------------------------------------------------ */

double wy_slope_five(const double f[4], double step) {
    return (8 * (f[2] - f[1]) - (f[3] - f[0])) / (12 * step); /* 0 where nothing changes */
}

/* From the differences of one step, and of two, on both sides. */
static vec3 from_near(vec3 near, vec3 far, double step) {
    return v3_scale(1 / (12 * step), v3_axpy(v3_scale(8, near), -1, far));
}

vec3 wy_slope_five3(const vec3 f[4], double step) {
    return from_near(v3_sub(f[2], f[1]), v3_sub(f[3], f[0]), step);
}

/* The rotation vector from one frame to another. */
static vec3 turn_from(mat3 a, mat3 b) {
    return q_log(q_from_matrix(m3_mulm(b, m3_transpose(a))));
}

vec3 wy_slope_turn3(const mat3 f[4], double step) {
    return from_near(turn_from(f[1], f[2]), turn_from(f[0], f[3]), step);
}

void wy_slope_rough3(const vec3 f[4], double unit, double *rough) {
    static const double ROUNDING = 1e-8; /* of the values, or of their unit */
    const vec3 first = v3_sub(f[1], f[0]), middle = v3_scale(0.5, v3_sub(f[2], f[1])),
               last = v3_sub(f[3], f[2]);
    const double bend = v3_norm(v3_sub(middle, v3_scale(0.5, v3_add(first, last))));
    const double slope = wy_max(v3_norm(middle), wy_max(v3_norm(first), v3_norm(last)));
    const double size = wy_max(unit, wy_max(v3_norm(f[0]), v3_norm(f[3])));
    if (bend > ROUNDING * size) *rough = wy_max(*rough, bend / slope);
}

void wy_slope_rough(const double f[4], double unit, double *rough) {
    const vec3 v[4] = {v3(f[0], 0, 0), v3(f[1], 0, 0), v3(f[2], 0, 0), v3(f[3], 0, 0)};
    wy_slope_rough3(v, unit, rough);
}

/* ---- the table ---------------------------------------------------------------------------------------- */

/* Where a number is found. */
enum { FORCE, SECTION, SIZE, MASS, FLUID, END, NOW, STEP, NODE, END_NODE, MEMBER, PROBLEM, ROD };
/* What it is: numbers by themselves, a vector, one from the local origin, a frame (mat3 or tri), moments of inertia of a
 * rigid group. */
enum { NUMBERS, VECTOR, PLACE, FRAME, DIRECTORS, INERTIA };
enum { MOST = 6 }; /* numbers of a row */
/* The unit of what may be rounding (wy_slope_rough): none, 1, 1/L, L, the force before it times L; what is not given but
 * found, as velocities of a start are, is not looked at. */
enum { OWN, ONE, CURVATURE, LENGTH, MOMENT, FOUND };

typedef struct row {
    int kind, at, count; /* the record, where in it, and how many */
    int from;
    size_t lies;
    int shape, unit;
} row;

#define TO(record, member)                                                                         \
    WY_FIELD_##record, (int)(offsetof(wy_adjoint_##record, member) / sizeof(double))
#define AT(record, member) offsetof(record, member)

static const row ROW[] = {
    {TO(load, force), 3, FORCE, AT(wy_director_force, force), VECTOR, OWN},
    {TO(load, moment), 3, FORCE, AT(wy_director_force, moment), VECTOR, MOMENT},
    {TO(act, force), 3, STEP, AT(wy_director_end_step, apply.force), VECTOR, OWN},
    {TO(act, moment), 3, STEP, AT(wy_director_end_step, apply.moment), VECTOR, MOMENT},
    {TO(act, place), 3, STEP, AT(wy_director_end_step, target_r), PLACE, LENGTH},
    {TO(act, turn), 3, STEP, AT(wy_director_end_step, target), FRAME, FOUND},
    {TO(hold, place), 3, END_NODE, AT(wy_director_node, r), PLACE, FOUND},
    {TO(hold, turn), 3, END_NODE, AT(wy_director_node, d), DIRECTORS, FOUND},
    {TO(section, c[0]), 3, SECTION, AT(wy_director_section, c[0]), NUMBERS, OWN},
    {TO(section, c[3]), 3, SECTION, AT(wy_director_section, c[1]), NUMBERS, OWN},
    {TO(section, cv[0]), 3, SECTION, AT(wy_director_section, cv[0]), NUMBERS, OWN},
    {TO(section, cv[3]), 3, SECTION, AT(wy_director_section, cv[1]), NUMBERS, OWN},
    {TO(section, rest[0]), 3, SECTION, AT(wy_director_section, rest[0]), NUMBERS, ONE},
    {TO(section, rest[3]), 3, SECTION, AT(wy_director_section, rest[1]), NUMBERS, CURVATURE},
    {TO(section, weight), 1, SECTION, AT(wy_director_section, weight), NUMBERS, OWN},
    {TO(size, length), 1, SIZE, 0, NUMBERS, OWN},
    {TO(mass, mass), 1, MASS, AT(wy_director_mass, mass), NUMBERS, OWN},
    {TO(mass, share), 1, MASS, AT(wy_director_mass, share), NUMBERS, OWN},
    {TO(mass, inertia), 3, MASS, AT(wy_director_mass, rotary), NUMBERS, OWN},
    {TO(mass, excess), 3, MASS, AT(wy_director_mass, excess), NUMBERS, OWN},
    {TO(mass, inertia), 6, MASS, AT(wy_director_mass, rotary), INERTIA, FOUND},
    {TO(end, mass), 1, END, AT(wy_director_end, mass), NUMBERS, OWN},
    {TO(end, spring), 1, END, AT(wy_director_end, spring), NUMBERS, OWN},
    {TO(end, spring_turn), 1, END, AT(wy_director_end, spring_turn), NUMBERS, OWN},
    {TO(end, arm), 3, END, AT(wy_director_end, arm), VECTOR, LENGTH},
    {TO(end, spring_r), 3, NOW, AT(wy_director_end_now, spring_r), PLACE, LENGTH},
    {TO(whole, gravity), 3, PROBLEM, AT(withy_problem, gravity), VECTOR, OWN},
    {TO(whole, drag[0]), 1, ROD, AT(withy_rod, drag_linear), NUMBERS, OWN},
    {TO(whole, drag[1]), 1, ROD, AT(withy_rod, drag_quadratic), NUMBERS, OWN},
    {TO(whole, drag[2]), 1, ROD, AT(withy_rod, drag_spin), NUMBERS, OWN},
    {TO(whole, current[0]), 3, PROBLEM, AT(withy_problem, medium.current.value), VECTOR, OWN},
    {TO(fluid, k[0]), 6, FLUID, AT(wy_fluid_node, normal), NUMBERS, OWN},
    {TO(member, o), 3, MEMBER, AT(wy_group_node, o), VECTOR, FOUND},
    {TO(member, q), 3, MEMBER, AT(wy_group_node, q), FRAME, FOUND},
    {TO(node, q[0]), 3, NODE, AT(wy_director_node, r), PLACE, FOUND},
    {TO(node, q[3]), 3, NODE, AT(wy_director_node, d), DIRECTORS, FOUND},
    {TO(node, v), 3, NODE, AT(wy_director_node, v), VECTOR, FOUND},
    {TO(node, w), 3, NODE, AT(wy_director_node, w), NUMBERS, FOUND},
    {TO(lump, u), 3, NOW, AT(wy_director_end_now, u), VECTOR, FOUND}};
enum { ROWS = sizeof ROW / sizeof *ROW };

/* Numbers in a record of each kind. */
#define NUMBERS_OF(record, ...) (int)(sizeof(wy_adjoint_##record) / sizeof(double)),
static const int RECORD[] = {WY_FIELD_LIST(NUMBERS_OF)};

/* ---- memory ----------------------------------------------------------------------------------------------- */

void wy_fields_count(wy_director *x) {
    const wy_director_plan *plan = &x->plan;
    const int points = plan->n * plan->p, ends = x->network ? 0 : 2;
    const int nodes = x->slopes->nodes, members = x->network ? wy_network_of(x)->plan.members : 0;
#define COUNT_OF(record, count, ...) count,
    const int count[] = {WY_FIELD_LIST(COUNT_OF)};
    for (int k = 0; k < WY_FIELD_KINDS; k++)
        x->slopes->at[k + 1] = x->slopes->at[k] + RECORD[k] * count[k];
}

/* The records of an array, of which there are no more numbers than `most`. */
#define POINTER_OF(record, ...)                                                                    \
    f->record = (void *)&f->all[at[WY_FIELD_##record] < most ? at[WY_FIELD_##record] : most];
static void point(wy_slope_fields *f, const int *at, int most) {
    WY_FIELD_LIST(POINTER_OF)
}
static void point_back(wy_adjoint_fields *f, const int *at, int most) {
    WY_FIELD_LIST(POINTER_OF)
}

void wy_fields_take(wy_director *x, wy_allocator *from) {
    wy_slopes *s = x->slopes;
    const size_t all = (size_t)s->at[WY_FIELD_KINDS];
    s->field = wy_allocator_alloc(from, (size_t)s->groups + 1, sizeof *s->field);
    s->acting = wy_allocator_alloc(from, (size_t)s->groups + 1, sizeof *s->acting);
    for (int g = 0; g < s->groups && s->field; g++) {
        wy_slope_fields *f = &s->field[g];
        f->all = wy_allocator_alloc(from, all, sizeof *f->all);
        if (f->all) point(f, s->at, s->at[WY_FIELD_KINDS]);
    }
}

void wy_fields_take_by(wy_director *x, wy_allocator *from) {
    wy_slopes *s = x->slopes;
    wy_adjoint_fields *now = &s->now.acting;
    s->live_by = wy_allocator_alloc(from, (size_t)s->count + 1, sizeof *s->live_by);
    s->by.all = wy_allocator_alloc(from, (size_t)s->at[WY_FIELD_KINDS], sizeof *s->by.all);
    now->all = wy_allocator_alloc(from, (size_t)s->at[WY_FIELD_hold], sizeof *now->all);
    if (from->failed) return;
    point_back(&s->by, s->at, s->at[WY_FIELD_KINDS]), point_back(now, s->at, s->at[WY_FIELD_hold]);
}

void wy_fields_layout_acting(wy_slopes *s, wy_block *scratch) {
    for (int g = 0; g < s->groups; g++) {
        pack *all = wy_block_alloc(scratch, (size_t)s->at[WY_FIELD_hold], sizeof *all);
        s->acting[g].all = all;
        if (all) point(&s->acting[g], s->at, s->at[WY_FIELD_hold]);
    }
}

/* ---- from problems ---------------------------------------------------------------------------------------- */

/* The place of a number; of the numbers of a row the first. */
static const void *source_of(const wy_director *x, const row *r, int i) {
    const char *at = NULL;
    switch (r->from) {
    case FORCE: at = (const char *)&x->force[i]; break;
    case SECTION: at = (const char *)&x->plan.section[i]; break;
    case SIZE: at = (const char *)&x->plan.size[i]; break;
    case MASS: at = (const char *)&x->plan.mass[i]; break;
    case FLUID: at = (const char *)&x->fluid->node[i]; break;
    case END: at = (const char *)&x->plan.end[i]; break;
    case NOW: at = (const char *)&x->now->end[i]; break;
    case STEP: at = (const char *)&x->step->end[i]; break;
    case NODE: at = (const char *)&x->node[i]; break;
    case END_NODE: at = (const char *)&x->node[x->plan.end[i].node]; break;
    case MEMBER: at = (const char *)&((const wy_network *)x)->plan.member[i]; break;
    case PROBLEM: at = (const char *)x->plan.problem; break;
    case ROD: at = (const char *)x->plan.rod; break;
    }
    return at + r->lies;
}

static mat3 frame_at(const wy_director *x, const row *r, int i) {
    const void *at = source_of(x, r, i);
    return r->shape == FRAME ? *(const mat3 *)at : tri_matrix(*(const tri *)at);
}

/* Of a rigid group, in the axes of its node, which need not be the principal ones it was made with. */
static void inertia_of(const wy_director *rigid, int c, double j[6]) {
    const lane r = rigid->plan.mass[c].rotary;
    const mat3 by =
        m3_mulm(m3_transpose(tri_matrix(rigid->plan.first[c].d)), tri_matrix(rigid->node[c].d));
    for (int n = 0; n < 6; n++) { /* xx yy zz yz zx xy of by^T diag(r) by */
        const vec3 a = column3(by, n < 3 ? n : (n + 1) % 3),
                   b = column3(by, n < 3 ? n : (n + 2) % 3);
        j[n] = r[0] * a.x * b.x + r[1] * a.y * b.y + r[2] * a.z * b.z;
    }
}

/* The numbers of a row; of a frame the turn from that of `base`. */
static void read(const row *r, const wy_director *x, const wy_director *base, int i,
                 double out[MOST]) {
    if (r->shape == INERTIA) {
        inertia_of(x, i, out);
        return;
    }
    if (r->shape == FRAME || r->shape == DIRECTORS) {
        v3_to(turn_from(frame_at(base, r, i), frame_at(x, r, i)), out);
        return;
    }
    memcpy(out, source_of(x, r, i), (size_t)r->count * sizeof *out);
    if (r->shape == PLACE) v3_to(v3_add(v3_from(out), x->now->origin), out);
}

static double unit_of(const row *r, const wy_director *x, int i) {
    const double length = x->network ? 1 : x->plan.rod->length;
    double force[MOST];
    if (r->unit == MOMENT) read(r - 1, x, x, i, force);
    return r->unit == ONE         ? 1
           : r->unit == CURVATURE ? 1 / length
           : r->unit == LENGTH    ? length
           : r->unit == MOMENT    ? v3_norm(v3_from(force)) * length
                                  : 0;
}

/* Derivatives of the numbers of a row; rough NULL: it is not looked at. */
static void difference(const row *r, wy_director *const at[4], double step, int i, double *rough,
                       double out[MOST]) {
    double f[4][MOST] = {{0}};
    vec3 v[4];
    for (int n = 0; n < 4; n++) /* frames in pairs, from one side to the other */
        read(r, at[n], at[n < 2 ? n : 3 - n], i, f[n]), v[n] = v3_from(f[n]);
    for (int c = 0; c < r->count; c++) {
        const double one[4] = {f[0][c], f[1][c], f[2][c], f[3][c]};
        out[c] = wy_slope_five(one, step);
        if (rough && r->unit != FOUND && r->shape == NUMBERS)
            wy_slope_rough(one, unit_of(r, at[0], i), rough);
    }
    if (rough && r->unit != FOUND && r->shape != NUMBERS)
        wy_slope_rough3(v, unit_of(r, at[0], i), rough);
}

void wy_fields_seed(wy_director *x, int k, wy_director *const at[4], double step) {
    wy_slopes *s = x->slopes;
    wy_slope_fields *f = &s->field[k / WY_PACK];
    double *rough = x->network ? NULL : &s->live[k].rough; /* of rigid groups: of their rods */
    for (const row *r = ROW; r < ROW + ROWS; r++)
        for (int n = s->at[r->kind]; n < s->at[r->kind + 1]; n += RECORD[r->kind]) {
            double out[MOST];
            if (x->network ? r->from == ROD : r->shape == INERTIA) continue;
            difference(r, at, step, (n - s->at[r->kind]) / RECORD[r->kind], rough, out);
            for (int c = 0; c < r->count; c++) {
                f->all[n + r->at + c][k % WY_PACK] = out[c];
                if (r->kind == WY_FIELD_section && out[c] != 0) f->strained = 1;
            }
        }
}

/* ---- a rod with other fields ---------------------------------------------------------------------------- */

/* What belongs to the rod alone. */
static int is_own(const row *r) {
    return r->kind < WY_FIELD_node && r->from != PROBLEM && r->from != ROD &&
           (r->shape == NUMBERS || r->shape == VECTOR || r->from == NOW);
}

void wy_fields_get(const wy_director *x, double *home) {
    const int *at = x->slopes->at;
    for (const row *r = ROW; r < ROW + ROWS; r++)
        for (int n = at[r->kind]; n < at[r->kind + 1] && is_own(r); n += RECORD[r->kind])
            memcpy(&home[n + r->at], source_of(x, r, (n - at[r->kind]) / RECORD[r->kind]),
                   (size_t)r->count * sizeof *home);
}

void wy_fields_set(wy_director *x, const double *home, int k, double way) {
    const wy_slopes *s = x->slopes;
    const pack *field = s->field[k / WY_PACK].all, *acting = s->acting[k / WY_PACK].all;
    for (const row *r = ROW; r < ROW + ROWS; r++)
        for (int n = s->at[r->kind]; n < s->at[r->kind + 1] && is_own(r); n += RECORD[r->kind]) {
            const void *to = source_of(x, r, (n - s->at[r->kind]) / RECORD[r->kind]);
            double moved[MOST];
            for (int c = 0; c < r->count; c++) {
                const int i = n + r->at + c;
                const pack *d = i < s->at[WY_FIELD_hold] ? &acting[i] : &field[i];
                moved[c] = home[i] + way * (*d)[k % WY_PACK];
            }
            memcpy((void *)(uintptr_t)to, moved, (size_t)r->count * sizeof *moved);
        }
}

/* ---- loads and ends of the step ------------------------------------------------------------------------ */

/* Number i of those that act is a number of the fields, *from, times what is returned: loads may be off, and in motion an
 * end is held where the shape begins. */
static double acting_of(const wy_director *x, int i, int *from) {
    const wy_slopes *s = x->slopes;
    const int act = s->at[WY_FIELD_act], load = i / RECORD[WY_FIELD_load];
    const int n = (i - act) % RECORD[WY_FIELD_act], e = (i - act) / RECORD[WY_FIELD_act];
    *from = i;
    if (i < act) {
        const int on = x->now->pulling ? x->plan.source_count : x->plan.rod->load_count;
        return x->plan.load.point[load].load - x->plan.source < on ? x->step->factor : 0;
    }
    if (n < 6) return x->step->factor;
    if (x->step->dynamic) *from = WY_AT(s, hold, e, place) + n - 6;
    return 1;
}

static withy_status act_at(wy_director *other, const wy_director *x, double t_load, double t_pose,
                           withy_error *err) {
    wy_director_end_now end[2];
    memcpy(end, other->now->end, sizeof end);
    if (!x->step->dynamic)
        for (int e = 0; e < 2; e++)
            other->now->end[e].offset_r = other->now->end[e].offset_turn = v3(0, 0, 0);
    other->step->factor = x->step->factor, other->step->dynamic = x->step->dynamic;
    other->step->t = x->step->t, other->step->h = x->step->h;
    other->now->pulling = x->now->pulling;
    WY_TRY(wy_director_loads_at(other, t_load, err));
    const withy_status status = wy_director_ends_at(other, t_load, t_pose, err);
    memcpy(other->now->end, end, sizeof end);
    return status;
}

/* Functions of time: from the problems. */
withy_status wy_fields_act_live(wy_director *x, int k, double t_load, double t_pose,
                                withy_error *err) {
    wy_slopes *s = x->slopes;
    wy_slope_live *live = &s->live[k];
    pack *to = s->acting[k / WY_PACK].all;
    for (int i = 0; i < 4; i++) WY_TRY(act_at(live->at[i], x, t_load, t_pose, err));
    for (const row *r = ROW; r->kind <= WY_FIELD_act; r++)
        for (int n = s->at[r->kind]; n < s->at[r->kind + 1]; n += RECORD[r->kind]) {
            double out[MOST], *rough = r->shape == VECTOR ? &live->rough : NULL;
            difference(r, live->at, live->step, (n - s->at[r->kind]) / RECORD[r->kind], rough, out);
            for (int c = 0; c < r->count; c++) to[n + r->at + c][k % WY_PACK] = out[c];
        }
    return WITHY_OK;
}

withy_status wy_fields_act(wy_director *x, double t_load, double t_pose, withy_error *err) {
    const wy_slopes *s = x->slopes;
    for (int i = 0; i < s->at[WY_FIELD_hold]; i++) {
        int from;
        const double factor = acting_of(x, i, &from);
        for (int g = 0; g < s->groups; g++) s->acting[g].all[i] = factor * s->field[g].all[from];
    }
    for (int k = 0; k < s->count && !x->network; k++)
        if (s->live[k].at[0]) WY_TRY(wy_fields_act_live(x, k, t_load, t_pose, err));
    return WITHY_OK;
}

void wy_fields_act_pull(wy_director *x) {
    const wy_slopes *s = x->slopes;
    for (int i = 0; i < s->at[WY_FIELD_hold]; i++) {
        int to;
        const double factor = acting_of(x, i, &to);
        s->by.all[to] += factor * s->now.acting.all[i];
    }
}

/* ---- sums -------------------------------------------------------------------------------------------------- */

int wy_fields_vary(const wy_slopes *s, int at) {
    for (int k = 0; k < s->count; k++)
        if (s->field[k / WY_PACK].all[at][k % WY_PACK] != 0) return 1;
    return 0;
}

double wy_fields_sum(const wy_slopes *s, int k, int from, int to) {
    const pack *field = s->field[k / WY_PACK].all;
    double sum = 0;
    for (int i = from; i < to; i++) sum += s->by.all[i] * field[i][k % WY_PACK];
    return sum;
}
