/* plan.c - before the first step: the unstretched lengths of the rods, the step, and
 * which rods are stepped together. */
#include "method/fdtd/state.h"

typedef wy_fdtd state;

/* Share of the limit that "auto" takes. */
static const double AUTO_SHARE = 0.95;

/* Distance of the ends under tension is the speaking length; the rod itself is shorter. */
withy_status wy_fdtd_find_lengths(state *x, withy_error *err) {
    for (int i = 0; i < x->problem->rod_count; i++) {
        const withy_rod *rod = &x->problem->rod[i];
        x->reference[i] = rod->length, x->stretch[i] = 1.0;
        if (rod->tension == 0) continue;
        double k[WITHY_STRAINS];
        vec3 at[2];
        WY_TRY(wy_stiffness_at(rod, 0.5 * rod->length, k, err));
        for (int e = 0; e < 2; e++) {
            wy_end end;
            wy_pose pose;
            WY_TRY(wy_model_end(x->setup->model, i, e, &end, err));
            WY_TRY(wy_end_pose(&end, 0, &pose, err));
            at[e] = pose.r;
        }
        const double distance = v3_norm(v3_sub(at[1], at[0]));
        if (!(fabs(distance / rod->length - 1.0) <= 1e-6))
            return wy_bad_input(err,
                                "fdtd: with rod.tension = %g the ends must be rod.length = %g "
                                "apart (the speaking length); they are %g apart",
                                rod->tension, rod->length, distance);
        x->stretch[i] = 1.0 + rod->tension / k[WITHY_STRETCH];
        if (!(x->stretch[i] > 0.5))
            return wy_bad_input(err,
                                "rod.tension" WY_KEY
                                " = %g: presses the rod to %g of its length; check the sign",
                                rod->tension, x->stretch[i]);
        x->reference[i] = distance / x->stretch[i];
    }
    return WITHY_OK;
}

static int is_viscous(const withy_rod *rod) {
    if (rod->damping_time > 0) return 1;
    for (int d = 0; d < WITHY_STRAINS; d++)
        if (rod->damping[d].size && (rod->damping[d].call || rod->damping[d].value[0] > 0))
            return 1;
    return 0;
}

/* That of a rod which spins at t = 0, with a spin of any direction. */
static withy_status spin_limit(state *x, withy_error *err) {
    x->limit = x->equilibrium;
    for (int i = 0; i < x->problem->rod_count; i++) {
        const withy_rod *rod = &x->problem->rod[i];
        for (int j = 0; rod->spin.size && j < x->opt.n; j++) {
            const double s = rod->length * (j + 0.5) / x->opt.n;
            double rho[WITHY_INERTIAS];
            vec3 v, spin;
            WY_TRY(wy_inertia_at(rod, s, rho, err));
            WY_TRY(wy_velocity_at(rod, s, &v, &spin, err));
            const double rate = wy_fdtd_gyration(rho + WITHY_ROTARY1) * v3_norm(spin);
            x->limit = wy_min(x->limit, wy_fdtd_spun_limit(x->equilibrium, rate, is_viscous(rod)));
        }
    }
    return WITHY_OK;
}

withy_status wy_fdtd_find_limit(state *x, withy_error *err) {
    wy_fdtd_limit least = {INFINITY, INFINITY};
    for (int i = 0; i < x->problem->rod_count; i++) {
        wy_fdtd_limit limit;
        WY_TRY(wy_fdtd_limit_of(&x->problem->rod[i], x->reference[i], x->stretch[i], &x->op,
                                &x->opt, &limit, err));
        least.dt = wy_min(least.dt, limit.dt), least.axial = wy_min(least.axial, limit.axial);
    }
    if (x->opt.scheme == WY_FDTD_LITERAL)
        WY_TRY(wy_fdtd_literal_limit(x->problem, &x->opt, &least, err));
    WY_TRY(wy_fdtd_contact_limit(x, &least.dt, err));
    x->equilibrium = least.dt;
    WY_TRY(spin_limit(x, err));
    if (x->opt.safe && x->opt.dt > x->limit * (1 + 1e-9))
        return wy_bad_input(err,
                            "options.dt" WY_KEY " = %g: unstable, the limit is %.4g s for n = %d "
                            "at order %d%s; use a smaller dt, or \"auto\"",
                            x->opt.dt, x->limit, x->opt.n, x->op.order,
                            least.dt < 0.5 * least.axial && x->opt.inertia == WY_FDTD_PHYSICAL
                                ? " (set by shear waves in a thin rod: options.inertia = "
                                  "\"regularised\" allows more)"
                                : "");
    return WITHY_OK;
}

double wy_fdtd_requested_step(const state *x) {
    return x->opt.dt > 0 ? x->opt.dt : AUTO_SHARE * x->limit;
}

/* Effect of the regularisation: df/f = -(alpha/2) c_s^2 (k dt)^2, k = partial * pi/L. */
static withy_status note_regularisation(const state *x, double h, withy_error *err) {
    double worst = 0.0;
    for (int i = 0; i < x->problem->rod_count; i++) {
        const double middle = 0.5 * x->problem->rod[i].length, phase = WY_PI * h / x->reference[i];
        wy_section_at at;
        WY_TRY(wy_model_sections(x->setup->model, i, 1, &middle, &at, err));
        const double square =
            wy_max(at.stiffness[WITHY_SHEAR1], at.stiffness[WITHY_SHEAR2]) / at.inertia[WITHY_MASS];
        worst = wy_max(worst, 0.5 * x->opt.inertia_alpha * square * phase * phase);
    }
    wy_note(x->setup->notes, WY_NOTE(inertia_cents), worst * 1200.0 / log(2.0));
    return WITHY_OK;
}

withy_status wy_fdtd_note_step(const state *x, double h, withy_error *err) {
    wy_note(x->setup->notes, WY_NOTE(step_limit), h, h / x->limit, x->limit);
    if (x->opt.scheme == WY_FDTD_LITERAL)
        wy_note(x->setup->notes, WY_NOTE(scheme_literal));
    else if (x->opt.inertia == WY_FDTD_REGULARISED)
        return note_regularisation(x, h, err);
    return WITHY_OK;
}

/* ---- groups: rods of the same kind are stepped eight at a time ------------------------------- */

static int is_round(const withy_rod *rod) {
    double k[WITHY_STRAINS], rho[WITHY_INERTIAS];
    if (wy_stiffness_at(rod, 0, k, NULL) != WITHY_OK ||
        wy_inertia_at(rod, 0, rho, NULL) != WITHY_OK)
        return 0;
    return k[WITHY_SHEAR1] == k[WITHY_SHEAR2] && rho[WITHY_ROTARY1] == rho[WITHY_ROTARY2];
}

static int has_live_loads(const withy_rod *rod) {
    for (int i = 0; i < rod->load_count; i++)
        if (wy_load_varies(&rod->load[i]) || rod->load[i].moment.size) return 1;
    return 0;
}

static wy_fdtd_end end_of(const withy_rod *rod, int which) {
    const withy_end *given = &rod->end[which];
    const int direction = wy_end_holds_direction(given);
    const int position = wy_end_holds_position(given);
    wy_fdtd_end e = {.holds_position = position, .holds_direction = direction};
    e.turns_free = direction && !wy_end_holds_frame(given);
    e.moves = (position && given->position.call) ||
              (direction && (given->tangent.call || given->normal.call || given->frame.call));
    e.loaded = given->force.size > 0 || given->moment.size > 0;
    e.steady = !given->moment.size && !given->follower && !wy_field_varies(&given->force);
    return e;
}

/* All properties on which the kernels depend. */
static wy_fdtd_group group_of(const state *x, int rod_index) {
    const withy_rod *rod = &x->problem->rod[rod_index];
    wy_fdtd_group g = {
        .problem = x->problem, .model = x->setup->model, .op = &x->op, .n = x->opt.n};
    g.viscous = is_viscous(rod);
    g.drags = rod->drag_quadratic > 0;
    g.live_loads = has_live_loads(rod) || wy_fdtd_has_contacts(x->problem);
    g.rich = x->problem->joint_count > 0 || wy_fdtd_has_contacts(x->problem) || g.viscous ||
             g.drags || rod->load_count > 0 || rod->drag_linear > 0 || rod->drag_spin > 0 ||
             !wy_rod_is_uniform(rod) || !wy_shape_is_straight(&rod->rest) || !is_round(rod);
    for (int e = 0; e < 2; e++) g.end[e] = end_of(rod, e);
    if (x->opt.inertia == WY_FDTD_REGULARISED) g.alpha = x->opt.inertia_alpha;
    return g;
}

static int same_end(const wy_fdtd_end *a, const wy_fdtd_end *b) {
    return a->holds_position == b->holds_position && a->holds_direction == b->holds_direction &&
           a->turns_free == b->turns_free && a->moves == b->moves && a->loaded == b->loaded &&
           a->steady == b->steady;
}

int wy_fdtd_same_kind(const wy_fdtd_group *a, const wy_fdtd_group *b) {
    return a->rich == b->rich && a->viscous == b->viscous && a->drags == b->drags &&
           a->live_loads == b->live_loads && same_end(&a->end[0], &b->end[0]) &&
           same_end(&a->end[1], &b->end[1]);
}

static void add_to_group(state *x, wy_fdtd_group *g, int rod) {
    g->rod[g->used] = rod;
    g->length[g->used] = x->reference[rod], g->stretch0[g->used] = x->stretch[rod];
    g->used++;
}

/* Rods in order, eight of a kind together; a group of fewer than three is stepped one by one. */
void wy_fdtd_form_groups(state *x) {
    const int rods = x->problem->rod_count;
    for (int first = 0; first < rods;) {
        wy_fdtd_group kind = group_of(x, first), next;
        int count = 1;
        while (count < WY_FDTD_LANES && first + count < rods &&
               (next = group_of(x, first + count), wy_fdtd_same_kind(&kind, &next)))
            count++;
        const int together = count >= 3;
        for (int i = 0; i < count; i++) {
            if (i == 0 || !together) x->group[x->group_count++] = kind;
            wy_fdtd_group *g = &x->group[x->group_count - 1];
            g->lanes = together ? WY_FDTD_LANES : 1;
            x->group_of[first + i] = x->group_count - 1, x->lane_of[first + i] = g->used;
            add_to_group(x, g, first + i);
        }
        wy_fdtd_group *g = &x->group[x->group_count - 1];
        for (int lane = g->used; lane < g->lanes; lane++) { /* idle lanes repeat the last rod */
            g->rod[lane] = g->rod[g->used - 1];
            g->length[lane] = g->length[g->used - 1], g->stretch0[lane] = g->stretch0[g->used - 1];
        }
        first += count;
    }
}

int wy_fdtd_conserves(const state *x) {
    for (int i = 0; i < x->problem->rod_count; i++) {
        const withy_rod *rod = &x->problem->rod[i];
        const wy_fdtd_group *g = &x->group[x->group_of[i]];
        if (wy_rod_is_damped(rod) || g->live_loads) return 0;
        for (int e = 0; e < 2; e++)
            if (g->end[e].moves || (g->end[e].loaded && !g->end[e].steady)) return 0;
    }
    return 1;
}

const char *wy_fdtd_special(const state *x) {
    return x->literal                         ? "the literal scheme"
           : wy_fdtd_has_contacts(x->problem) ? "rods that touch obstacles"
           : x->problem->joint_count > 0      ? "joined rods"
                                              : NULL;
}
