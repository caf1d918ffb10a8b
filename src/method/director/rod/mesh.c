/* mesh.c - the plan: elements, sections, masses, loads, ends; and the memory of state and scratch. */
#include <float.h>

#include "method/director/force/fluid.h"
#include "method/director/force/force.h"
#include "method/director/law/law.h"
#include "method/director/rod/cable.h"
#include "model/contact.h"

/* A rigid strain (infinite stiffness) and inertia that is not given are those of a round rod this thin: 1e-4 of the length.
 * In motion, where a thinner rod would only cost iterations, inertia is at least that. */
static const double RIGID_RADIUS = 1e-4;
static const double RIGID_TWIST = 1e4; /* times the bending stiffness */

void *wy_director_keep_now(wy_block *state, double taped) {
    const wy_range row[] = {WY_WHOLE(wy_director_now, history, 0, WY_DIRECTOR_HISTORY),
                            WY_WHOLE(wy_director_now, guess, 0, WY_DIRECTOR_HISTORY),
                            WY_REAL(wy_director_now, square, 0, DBL_MAX),
                            WY_COUNT(wy_director_now, solves),
                            WY_WHOLE(wy_director_now, iterations, 0, INT32_MAX / 2),
                            WY_FLAG(wy_director_now, cut),
                            WY_FLAG(wy_director_now, started),
                            WY_WHOLE(wy_director_now, taped, 0, taped),
                            WY_FLAG(wy_director_now, pulling)};
    return WY_ALLOC_CHECKED(state, 1, wy_director_now, row);
}

static void *keep_step_size(wy_block *state) {
    const wy_range row[] = {WY_REAL(wy_director_step_size, from, 0, DBL_MAX),
                            WY_REAL(wy_director_step_size, to, 0, DBL_MAX),
                            WY_REAL(wy_director_step_size, h, 0, DBL_MAX),
                            WY_WHOLE(wy_director_step_size, first, 0, 0x1p40),
                            WY_WHOLE(wy_director_step_size, order, 0, 4),
                            WY_WHOLE(wy_director_step_size, cut, 0, 64),
                            WY_COUNT(wy_director_step_size, calm),
                            WY_FLAG(wy_director_step_size, reported)};
    return WY_ALLOC_CHECKED(state, 1, wy_director_step_size, row);
}

static void *keep_ranges(wy_block *state, int count) {
    const wy_range row[] = {WY_FLAG(wy_change_range, known)};
    return WY_ALLOC_CHECKED(state, (size_t)count + 1, wy_change_range, row);
}

static void *keep_map(wy_block *state) {
    const wy_range row[] = {WY_REAL(wy_change_map, limit, 0, INFINITY), /* none */
                            WY_WHOLE(wy_change_map, edges, 0, WY_CHANGE_EDGES)};
    return WY_ALLOC_CHECKED(state, 1, wy_change_map, row);
}

void wy_director_layout_state(wy_director *x, int rods, wy_block *state) {
    for (int i = 0; i < rods; i++) x[i].now = wy_director_keep_now(state, 0);
    wy_director_layout(x, rods, WY_BLOCK_STATE, state);
}

void wy_director_layout_auto(wy_director *x, wy_block *state, wy_block *scratch) {
    if (x->plan.opt.dt > 0) return;
    x->step_size = keep_step_size(state);
    x->range = keep_ranges(state, x->plan.changes.count);
    x->home = wy_block_alloc(state, (size_t)wy_director_marked(x), sizeof *x->home);
    x->map = keep_map(state);
    x->mark =
        wy_block_alloc(scratch, WY_DIRECTOR_MARKS * (size_t)wy_director_marked(x), sizeof *x->mark);
}

/* Of dt = "auto", once a step is chosen. */
const char *wy_director_state_error(const void *self, const wy_span *at) {
    const wy_director *x = self;
    const wy_director_step_size *step_size = x->step_size;
    if (x->now->guess > x->now->history) return "the guess of the next step";
    if (!step_size || !step_size->order || !at) return NULL;
    const int chosen = step_size->order % 2 == 0 && step_size->first > 0 && step_size->h > 0;
    return chosen && step_size->to > step_size->from && step_size->from <= at->origin
               ? NULL
               : "the chosen step";
}

/* ---- elements ---------------------------------------------------------------------------------- */

enum { BREAKS_MAX = WY_DIRECTOR_BREAKS };

static int add_break(const wy_director_plan *x, double s, double *list, int count) {
    const double gap = 1e-6 * x->length;
    int at = 0;
    while (at < count && list[at] < s - gap) at++;
    if (at < count && fabs(list[at] - s) <= gap) return count;
    if (count == BREAKS_MAX) return count;
    memmove(&list[at + 1], &list[at], (size_t)(count - at) * sizeof *list);
    list[at] = s;
    return count + 1;
}

/* Where the solution has a kink an element should end: joints, point loads, edges of loads, a pluck. */
static int find_breaks(const wy_director_plan *x, double list[BREAKS_MAX]) {
    int count = add_break(x, x->length, list, add_break(x, 0.0, list, 0));
    for (int i = 0; i < x->joint_count; i++) count = add_break(x, x->joint_s[i], list, count);
    for (int i = 0; i < x->source_count; i++) {
        const withy_load *load = &x->source[i];
        count = add_break(x, load->from, list, count);
        if (load->kind != WITHY_LOAD_POINT) count = add_break(x, load->to, list, count);
    }
    if (x->rod->initial.kind == WITHY_SHAPE_PLUCK)
        count = add_break(x, x->rod->initial.at, list, count);
    if (count - 1 > x->n) { /* then only where it must */
        count = add_break(x, x->length, list, add_break(x, 0.0, list, 0));
        for (int i = 0; i < x->joint_count; i++) count = add_break(x, x->joint_s[i], list, count);
    }
    return count;
}

/* How many of the n elements each piece gets: one, and then always the piece whose elements are longest, so
 * that the longest is as short as whole numbers allow, from whichever end the rod is listed. */
static void share_elements(int n, int pieces, const double *at, int *count) {
    const double length = at[pieces];
    int left = n;
    for (int i = 0; i < pieces; i++) { /* most of them at once */
        count[i] = (int)wy_max(1, floor((n - pieces) * (at[i + 1] - at[i]) / length));
        left -= count[i];
    }
    for (; left > 0; left--) {
        int longest = 0;
        for (int i = 1; i < pieces; i++)
            if ((at[i + 1] - at[i]) * count[longest] >
                (1 + 1e-9) * (at[longest + 1] - at[longest]) * count[i])
                longest = i;
        count[longest]++;
    }
}

static void place_elements(wy_director_plan *x) {
    double at[BREAKS_MAX];
    int count[BREAKS_MAX], e = 0;
    const int pieces = find_breaks(x, at) - 1;
    share_elements(x->n, pieces, at, count);
    for (int i = 0; i < pieces; i++)
        for (int k = 0; k < count[i]; k++, e++) {
            x->start[e] = at[i] + (at[i + 1] - at[i]) * k / count[i];
            x->size[e] = (at[i + 1] - at[i]) / count[i];
        }
    for (e = 0; e < x->n; e++)
        for (int a = 0; a <= x->p; a++)
            x->s[e * x->p + a] = x->start[e] + x->rule->node[a] * x->size[e];
    x->s[x->node_count - 1] = x->start[x->n] = x->length;
}

/* ---- sections ---------------------------------------------------------------------------------- */

static void replace_rigid(wy_director_plan *x, double k[WITHY_STRAINS]) {
    const double bend = wy_max(k[WITHY_BEND1], k[WITHY_BEND2]);
    const double radius = RIGID_RADIUS * x->length, axial = 4 * bend / (radius * radius);
    for (int i = WITHY_SHEAR1; i <= WITHY_STRETCH; i++)
        if (!isfinite(k[i]))
            k[i] = i == WITHY_STRETCH ? axial : axial / 3, x->more |= WY_DIRECTOR_RIGID;
    if (!isfinite(k[WITHY_TWIST]))
        k[WITHY_TWIST] = RIGID_TWIST * bend, x->more |= WY_DIRECTOR_RIGID;
}

/* Under a prescribed tension the length is that of the stretched rod: per length of it there is less
 * mass, 1/lambda, and every strain of the rod at rest is lambda times as large, so that
 * C (lambda e)^2 / lambda = (lambda C) e^2. */
static double stretch_at(const wy_director_plan *x, const double k[WITHY_STRAINS]) {
    return wy_stretch_of_tension(x->rod, k[WITHY_STRETCH]);
}

/* The law in space (damping_in_space.c) takes the bending out of the damping of the strains. */
static withy_status set_law(wy_director_plan *x, wy_director_section *section, withy_error *err) {
    const int law = x->rod->damping_law;
    if (law != WITHY_DAMPING_ELASTICA && law != WITHY_DAMPING_DISSERTATION) return WITHY_OK;
    const lane nu = section->cv[1];
    if (!(fabs(nu[0] - nu[1]) <= 1e-12 * nu[0]))
        return wy_bad_input(
            err,
            "director: rod.damping.bend" WY_KEY " = { %g, %g } [N m^2 s]: the law \"%s\" damps the "
            "curve, which has one viscosity; give one number, or law = \"strain\"",
            nu[0], nu[1], law == WITHY_DAMPING_ELASTICA ? "elastica" : "dissertation");
    section->space = nu[0], section->curved = law == WITHY_DAMPING_DISSERTATION;
    section->cv[1][0] = section->cv[1][1] = 0;
    x->has_damping_in_space |= section->space > 0;
    return WITHY_OK;
}

/* Couplings next to the diagonals, which the section has. */
static withy_status set_matrix(wy_director_plan *x, double s, wy_director_section *section,
                               withy_error *err) {
    wy_director_matrix *out = section->matrix;
    const withy_rod *rod = x->rod;
    if (rod->tension != 0 || rod->damping_law > WITHY_DAMPING_STRAIN)
        return wy_unsupported(
            err,
            "director: %s" WY_KEY
            " is not supported together with rod.stiffness.matrix or rod.damping.matrix",
            rod->tension != 0 ? "rod.tension" : "rod.damping.law");
    double c[6][6] = {{0}}, cv[6][6] = {{0}};
    if (rod->stiffness_matrix[0].size) WY_TRY(wy_stiffness_matrix_at(rod, s, c, err));
    if (rod->damping_matrix[0].size) WY_TRY(wy_damping_matrix_at(rod, s, cv, err));
    for (int i = 0; i < 36; i++) {
        out->c[i / 6][i % 6 / 3][i % 3] = c[i / 6][i % 6];
        out->cv[i / 6][i % 6 / 3][i % 3] = cv[i / 6][i % 6] + rod->damping_time * c[i / 6][i % 6];
    }
    for (int i = 0; i < 6; i++) {
        out->c[i][i / 3][i % 3] = section->c[i / 3][i % 3];
        out->cv[i][i / 3][i % 3] = section->cv[i / 3][i % 3];
    }
    return WITHY_OK;
}

/* Of a cable: rows of shear forces, which are 0, have the scale of the tension, and viscosity is that of the taut part
 * (director/law/law_cable.c). */
static void set_cable(wy_director_section *section) {
    section->c[0][WITHY_SHEAR1] = section->c[0][WITHY_SHEAR2] = section->c[0][WITHY_STRETCH];
    section->cv[0] = (lane){section->cv[0][WITHY_STRETCH], 0, 0, 0};
    section->cv[1] = lane_all(0);
}

/* The scale of stiffness that a rod has by its bending (director/step/step.c); no force of a cable depends on it. */
static void set_cable_scale(wy_director_plan *x) {
    const double scale = wy_cable_scale(x) * x->whole * x->whole;
    for (int i = 0; i < x->n * x->p; i++) x->section[i].c[1] = (lane){scale, scale, scale, 0};
}

static withy_status set_sections(wy_director_plan *x, const wy_setup *setup, withy_error *err) {
    const wy_model *model = setup->model;
    wy_director_matrix *all = NULL;
    if (wy_rod_has_matrix(x->rod)) {
        all = wy_arena_alloc(setup->arena, (size_t)(x->n * x->p), sizeof *all);
        if (!all) return wy_no_memory(err, "director: no memory for n = %d elements", x->n);
    }
    for (int e = 0; e < x->n; e++) {
        double s[WY_ELEMENT_DEGREE];
        wy_section_at at[WY_ELEMENT_DEGREE];
        for (int g = 0; g < x->p; g++) s[g] = x->start[e] + x->rule->point[g] * x->size[e];
        WY_TRY(wy_model_sections(model, x->index, x->p, s, at, err));
        for (int g = 0; g < x->p; g++) {
            wy_director_section *section = &x->section[e * x->p + g];
            double *k = at[g].stiffness;
            if (!wy_is_cable(x)) replace_rigid(x, k);
            section->weight = x->rule->weight[g] * x->size[e];
            const double lambda = stretch_at(x, k), *c = at[g].damping;
            for (int i = 0; i < 3; i++) {
                section->c[0][i] = lambda * k[i], section->c[1][i] = lambda * k[3 + i];
                section->cv[0][i] = lambda * c[i], section->cv[1][i] = lambda * c[3 + i];
            }
            WY_TRY(set_law(x, section, err));
            if (wy_is_cable(x)) set_cable(section);
            if (!all) continue;
            section->matrix = &all[e * x->p + g];
            WY_TRY(set_matrix(x, s[g], section, err));
        }
    }
    return WITHY_OK;
}

static void add_mass(wy_director_plan *x, double share, wy_section_at *at, wy_director_mass *mass) {
    double rho[WITHY_INERTIAS];
    if (!wy_is_cable(x)) replace_rigid(x, at->stiffness);
    for (int i = 0; i < WITHY_INERTIAS; i++) rho[i] = at->inertia[i] / stretch_at(x, at->stiffness);
    const double radius = RIGID_RADIUS * x->length;
    const double thin = 0.25 * rho[WITHY_MASS] * radius * radius;
    mass->share += share;
    mass->mass += share * rho[WITHY_MASS];
    if (rho[WITHY_ROTARY3] > 0 && rho[WITHY_ROTARY3] < 2 * thin) x->more |= WY_DIRECTOR_INERTIA;
    for (int i = 0; i < 3; i++) {
        const double own = rho[WITHY_ROTARY1 + i], least = i == 2 ? 2 * thin : thin;
        mass->rotary[i] += share * wy_max(own, least);
        mass->excess[i] += own > 0 ? share * wy_max(least - own, 0) : 0.0;
    }
}

static withy_status set_masses(wy_director_plan *x, const wy_model *model, withy_error *err) {
    for (int e = 0; e < x->n; e++) {
        wy_section_at at[WY_ELEMENT_NODES];
        WY_TRY(wy_model_sections(model, x->index, x->p + 1, &x->s[e * x->p], at, err));
        for (int a = 0; a <= x->p; a++)
            add_mass(x, x->rule->lump[a] * x->size[e], &at[a], &x->mass[e * x->p + a]);
    }
    return WITHY_OK;
}

/* ---- ends and loads -------------------------------------------------------------------------------- */

static withy_status set_end(wy_director_plan *x, const wy_model *model, int which,
                            withy_error *err) {
    wy_director_end *end = &x->end[which];
    const withy_end *given = &x->rod->end[which];
    WY_TRY(wy_model_end(model, x->index, which, &end->end, err));
    if (x->lone) wy_model_own_end(model, x->index, which, &end->end);
    end->node = which ? x->node_count - 1 : 0;
    end->element = which ? x->n - 1 : 0;
    end->local = which ? x->p : 0;
    end->places = end->end.places, end->slides = end->end.slides, end->track = end->end.axes;
    end->holds_frame = wy_end_holds_direction(given);
    end->turns_free = end->end.turns_free;
    end->rates = wy_end_drives_rate(given, 0) | wy_end_drives_rate(given, 1) << 1;
    end->loaded = given->force.size || given->moment.size;
    end->mass = given->mass;
    end->arm = given->offset;
    const double own[3] = {given->inertia.x, given->inertia.y, given->inertia.z};
    for (int i = 0; i < 3; i++) x->mass[end->node].rotary[i] += own[i];
    end->spring = given->spring, end->spring_turn = given->spring_turn;
    return WITHY_OK;
}

/* The loads of the rod, then those that act before t = 0 only. */
static withy_status list_loads(wy_director_plan *x, wy_arena *arena, withy_error *err) {
    const int own = x->rod->load_count, pull = x->rod->pull_count;
    withy_load *all = wy_arena_alloc(arena, (size_t)(own + pull + 1), sizeof *all);
    if (!all) return wy_no_memory(err, "director: no memory for the loads");
    for (int i = 0; i < own; i++) all[i] = x->rod->load[i];
    for (int i = 0; i < pull; i++) all[own + i] = x->rod->pull[i];
    x->source = all, x->source_count = own + pull;
    return WITHY_OK;
}

static withy_status accept_cable(const wy_director_plan *x, withy_error *err) {
    const struct {
        int given;
        const char *what;
    } limit[] = {
        {x->rod->law.kind != WITHY_LAW_LINEAR, "the section law of rod.law"},
        {wy_rod_uses_state(x->rod), "a load that depends on the state"},
        {x->rod->initial.kind == WITHY_SHAPE_PLUCK, "a plucked initial shape"},
        {wy_contact_has_friction(x->problem), "friction (contact and obstacles)"},
        {x->rod->viscous.massless, "rod.viscous.inertia = \"none\""},
        {wy_force_added_mass_acts(x) && x->rod->fluid.inertia != WITHY_INERTIA_ACCELERATION,
         "added mass with a moment (rod.fluid.inertia = \"acceleration\" is)"}};
    for (size_t i = 0; i < sizeof limit / sizeof *limit; i++)
        if (limit[i].given)
            return wy_unsupported(err, "director: %s" WY_KEY " is not supported for a cable",
                                  limit[i].what);
    return WITHY_OK;
}

/* What pulls at a cable under gravity: its weight, that of bodies and of its ends, forces at its ends; INFINITY: not known. */
static double pull_of(const wy_director_plan *x) {
    double mass = 0, force = 0;
    for (int j = 0; j < x->node_count; j++) mass += x->mass[j].mass;
    for (int i = 0; i < x->problem->body_count; i++) mass += x->problem->body[i].mass;
    for (int i = 0; i < 2; i++) {
        const withy_end *end = &x->rod->end[i];
        if (end->force.call || end->force.table || end->force.from_state || end->force.input[0])
            return INFINITY;
        for (int c = 0; c < end->force.size; c++) force += fabs(end->force.value[c]);
    }
    return x->source_count ? INFINITY : mass * v3_norm(x->problem->gravity) + force;
}

/* Tension is EA times a stretch, which rounding of places leaves no digits below 1e-15 or so. */
static withy_status check_digits(const wy_director_plan *x, withy_error *err) {
    static const double STIFF = 1e13; /* times what pulls: three digits are left */
    const double pull = pull_of(x), ea = x->section[0].c[0][WITHY_STRETCH];
    if (!(v3_norm(x->problem->gravity) > 0) || ea <= STIFF * pull) return WITHY_OK;
    return wy_bad_input(err,
                        "director: a cable of stiffness.stretch = %.3g N under a weight of %.3g N: "
                        "rounding of its places would decide its tension; give a stiffness of at "
                        "most %.2g N, which stretches it by 1e-10, or a larger mass",
                        ea, pull, 1e10 * pull);
}

/* Elements, sections, masses, loads, ends. */
static withy_status make_plan(wy_director *rod, const wy_setup *setup, withy_error *err) {
    wy_director_plan *x = &rod->plan;
    const wy_director_options *opt = setup->options;
    x->problem = setup->problem, x->rod = &setup->problem->rod[x->index];
    x->opt = *opt;
    x->length = x->rod->length, x->whole = wy_model_whole(setup->model, x->index);
    x->n = opt->n > x->joint_count + 1 ? opt->n : x->joint_count + 1;
    x->p = opt->degree, x->node_count = x->n * x->p + 1;
    if (wy_is_cable(x)) WY_TRY(accept_cable(x, err));
    wy_forces_find(x);
    x->about = v3_sub(x->problem->rotating.about, wy_model_origin(setup->model));
    if (x->lone) x->home = wy_model_start(setup->model, x->index);
    x->uses_state = wy_rod_uses_state(x->rod) ? WY_USES_STATE : 0;
    x->damped = wy_rod_is_damped(x->rod) || opt->xi > 0 ||
                (x->problem->floor.given && x->problem->floor.damping > 0) || wy_fluid_has_drag(x);
    for (int i = 0; i < x->rod->load_count; i++) /* Hill's law takes rates, and activation lags */
        x->damped |=
            x->rod->load[i].fastest > 0 || x->rod->load[i].rise > 0 || x->rod->load[i].fall > 0;
    wy_section_find(x);
    if (opt->order == 0 && (opt->dt > 0 || x->damped || x->uses_state & WY_USES_STATE))
        x->opt.order = 2;
    wy_element *rule = wy_arena_alloc(setup->arena, 1, sizeof *rule);
    if (!rule) return wy_no_memory(err, "director: no memory for the mesh");
    wy_element_make(x->p, rule);
    x->rule = rule;
    x->axial = (lane){0, 0, opt->plain ? 0.0 : 1.0, 0};
    if (!wy_director_take(rod, WY_BLOCK_PLAN, setup->arena) ||
        !wy_director_take(rod, WY_BLOCK_DENSE, setup->arena))
        return wy_no_memory(err, "director: no memory for n = %d elements", x->n);
    WY_TRY(list_loads(x, setup->arena, err));
    place_elements(x);
    WY_TRY(wy_director_loads_make(x, setup->arena, err));
    WY_TRY(wy_director_tendons_make(x, setup->arena, err));
    WY_TRY(set_sections(x, setup, err));
    WY_TRY(wy_section_make(x, setup, err));
    WY_TRY(set_masses(x, setup->model, err));
    if (wy_is_cable(x)) set_cable_scale(x);
    if (wy_is_cable(x)) WY_TRY(check_digits(x, err));
    WY_TRY(wy_fluid_make(rod, setup, err));
    WY_TRY(wy_magnet_make(rod, setup, err));
    for (int i = 0; i < 2; i++) WY_TRY(set_end(x, setup->model, i, err));
    return WITHY_OK;
}

/* dt = "auto": the time over which its tolerance holds, and what must not be stepped over in it. */
withy_status wy_director_horizon(wy_director *x, withy_error *err) {
    const wy_setup *setup = x->setup;
    if (x->plan.opt.dt > 0) return WITHY_OK;
    x->plan.horizon = setup->horizon;
    return wy_changes_make(setup->problem, setup->arena, &x->plan.changes, err);
}

withy_status wy_director_make_rod(const wy_setup *setup, wy_director *x, withy_error *err) {
    x->setup = setup;
    WY_TRY(make_plan(x, setup, err));
    WY_TRY(wy_director_horizon(x, err));
    WY_TRY(wy_director_shapes(x, err));
    if (wy_rod_is_active(x->plan.rod)) WY_TRY(wy_active_make(x, setup, err));
    if (x->plan.more & WY_DIRECTOR_RIGID)
        wy_note(setup->notes, WY_NOTE(rigid_strains), RIGID_RADIUS);
    return WITHY_OK;
}

void wy_director_note_inertia(const wy_director *x) {
    if (x->plan.more & WY_DIRECTOR_INERTIA)
        wy_note(x->setup->notes, WY_NOTE(inertia_raised), RIGID_RADIUS,
                0.125 * WY_PI * WY_PI * RIGID_RADIUS * RIGID_RADIUS);
}
