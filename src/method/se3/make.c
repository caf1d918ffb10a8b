/* make.c - the plan: sections, rest and initial strains, ends, loads; the layout of the state.
 *
 * Map of conventions, the only place besides sample() where it is used:
 *   xi = (u, v) = (bend1, bend2, twist; shear1, shear2, 1 + stretch),  xi* likewise from the rest
 *   K  = diag(EI1, EI2, GJ; GA1, GA2, EA),  M = diag(rho I1, rho I2, rho J; rho A, rho A, rho A)
 *   eta = (R^T spin, R^T velocity)
 * [SE] has the rod along its third axis, as we do, so that only the order of the blocks differs.
 */
#include "method/se3/se3.h"

#include <float.h>

static void twist_order(const double strain[WITHY_STRAINS], double xi[6]) {
    for (int i = 0; i < 3; i++) xi[i] = strain[WITHY_BEND1 + i], xi[3 + i] = strain[i];
}

static withy_status sample_sections(wy_se3 *x, const double *s, const wy_setup *setup,
                                    withy_error *err) {
    wy_se3_plan *p = &x->plan;
    wy_section_at *section = wy_arena_alloc(setup->arena, (size_t)p->points, sizeof *section);
    if (!section) return wy_no_memory(err, "se3: no memory for the sections");
    WY_TRY(wy_model_sections(setup->model, 0, p->points, s, section, err));
    for (int k = 0; k < p->points; k++) {
        wy_se3_point *at = &p->point[k];
        at->s = s[k];
        twist_order(section[k].stiffness, at->k);
        twist_order(section[k].damping, at->d);
        for (int i = 0; i < 3; i++) {
            at->m[i] = section[k].inertia[WITHY_ROTARY1 + i];
            at->m[3 + i] = section[k].inertia[WITHY_MASS];
        }
        for (int i = 0; i < 6; i++) at->scale[i] = p->h / at->k[i];
        p->speed = wy_min(p->speed, sqrt(wy_min(at->k[3], at->k[4]) / at->m[3]));
    }
    return WITHY_OK;
}

/* Strains of both shapes, in the order and with the 1 of xi. */
static withy_status sample_shapes(wy_se3 *x, const double *s, const wy_setup *setup,
                                  withy_error *err) {
    wy_se3_plan *p = &x->plan;
    double(*strain)[WITHY_STRAINS] =
        wy_arena_alloc(setup->arena, (size_t)p->points, sizeof *strain);
    if (!strain) return wy_no_memory(err, "se3: no memory for the shape");
    WY_TRY(wy_model_rest_strains(setup->model, 0, p->points, s, strain, err));
    for (int k = 0; k < p->points; k++) twist_order(strain[k], p->rest[k]), p->rest[k][5] += 1.0;
    WY_TRY(wy_model_initial_strains(setup->model, 0, p->points, s, strain, err));
    for (int j = 0; j <= p->n; j++) twist_order(strain[2 * j], p->first[j]), p->first[j][5] += 1.0;
    return WITHY_OK;
}

/* The strains of a bent rod turn with its twist, and the middle of a cell is their mean: over an angle a
 * that mean is too small by a^2/24, over a radian by 4 %. */
static withy_status check_twist(const wy_se3 *x, withy_error *err) {
    const double most = 1;
    double twist = 0, bend = 0, at = 0;
    for (int j = 0; j <= x->plan.n; j++) {
        const double *xi = x->plan.first[j], *rest = x->plan.rest[2 * j];
        const double turn = x->plan.h * wy_max(fabs(xi[2]), fabs(rest[2]));
        if (turn > twist) twist = turn, at = x->plan.point[2 * j].s;
        bend = wy_max(bend, x->plan.length * wy_max(hypot(xi[0], xi[1]), hypot(rest[0], rest[1])));
    }
    if (twist <= most || bend <= 1e-3 || x->plan.opt.scheme == WY_SE3_NOTES) return WITHY_OK;
    return wy_unsupported(
        err,
        "se3: the rod is bent and twists by %.2f rad within the cell at s = %g, more than %g, "
        "which its strains do not resolve: use options.n >= %d (now %d), or director",
        twist, at, most, (int)ceil(twist / most * x->plan.n), x->plan.n);
}

/* M_t of a body with mass m, centre c and moments I about its centre:
 * [[I - m c^ c^, m c^], [-m c^, m]]. */
static void lump(const withy_end *given, wy_se3_end *end) {
    const vec3 c = given->offset;
    const double m = given->mass, i[3] = {given->inertia.x, given->inertia.y, given->inertia.z};
    const double a[3] = {c.x, c.y, c.z}, square = v3_dot(c, c);
    const double skew[3][3] = {{0, -c.z, c.y}, {c.z, 0, -c.x}, {-c.y, c.x, 0}};
    for (int r = 0; r < 3; r++)
        for (int k = 0; k < 3; k++) {
            end->body[r][k] = (r == k ? i[r] + m * square : 0) - m * a[r] * a[k];
            end->body[r][3 + k] = m * skew[r][k];
            end->body[3 + r][k] = -m * skew[r][k];
            end->body[3 + r][3 + k] = r == k ? m : 0;
        }
    end->mass = m;
    end->offset = c;
    end->has_body = m > 0 || !v3_is_zero(given->inertia);
}

static withy_status prepare_ends(wy_se3 *x, const wy_setup *setup, withy_error *err) {
    withy_notes *notes = setup->notes;
    for (int e = 0; e < 2; e++) {
        WY_TRY(wy_model_end(setup->model, 0, e, &x->plan.end[e].end, err));
        lump(&x->plan.rod->end[e], &x->plan.end[e]);
    }
    for (int e = 0; e < 2; e++) {
        for (int i = 0; i < 3; i++) {
            x->plan.end[e].held[i] = wy_end_holds_direction(&x->plan.rod->end[e]);
            x->plan.end[e].held[3 + i] = wy_end_holds_position(&x->plan.rod->end[e]);
        }
        if (x->plan.end[e].end.turns_free) x->plan.end[e].held[2] = false;
    }
    x->plan.holds_finish = wy_end_holds(&x->plan.rod->end[1]);
    if (x->plan.holds_finish) wy_note(notes, WY_NOTE(finish_drifts));
    if (x->plan.end[0].has_body && x->plan.end[0].held[3]) wy_note(notes, WY_NOTE(start_mass));
    return WITHY_OK;
}

static int end_is_dead_loaded(const withy_end *end) {
    return (end->force.size || end->moment.size) && !end->follower;
}

static void find_loads(wy_se3 *x) {
    const withy_rod *rod = x->plan.rod;
    const int heavy = !v3_is_zero(x->plan.problem->gravity);
    x->plan.has_force =
        heavy || rod->drag_linear > 0 || rod->drag_quadratic > 0 || rod->drag_spin > 0;
    x->plan.turns = heavy || end_is_dead_loaded(&rod->end[0]) || end_is_dead_loaded(&rod->end[1]) ||
                    wy_rod_uses_state(rod);
    for (int i = 0; i < rod->load_count + rod->pull_count; i++) {
        const withy_load *load =
            i < rod->load_count ? &rod->load[i] : &rod->pull[i - rod->load_count];
        if (load->kind == WITHY_LOAD_TENDON) continue;
        x->plan.has_force = true;
        if (!load->follower) x->plan.turns = true;
    }
}

/* ---- energy ---------------------------------------------------------------------------------- */

static bool end_is_loaded(const withy_end *end) {
    return end->force.size || end->moment.size;
}

static bool end_is_moved(const wy_end *end) {
    return end->drives_position || end->drives_frame;
}

/* Only gravity acts, and the scheme conserves the energy. */
static void judge_energy(wy_se3_plan *p) {
    const withy_rod *rod = p->rod;
    const bool acts = wy_rod_is_damped(rod) || rod->load_count || end_is_loaded(&rod->end[0]) ||
                      end_is_loaded(&rod->end[1]) || end_is_moved(&p->end[0].end) ||
                      end_is_moved(&p->end[1].end) || p->opt.tip == WY_SE3_TIP_NEW;
    const bool exact = p->opt.scheme == WY_SE3_BOX && p->opt.time == WY_SE3_MIDPOINT && p->uniform;
    p->quiet = !acts && !p->has_force;
    p->conserves = exact && !acts;
}

/* ---- memory ---------------------------------------------------------------------------------- */

void wy_se3_layout(wy_se3 *x, wy_block *state, wy_block *scratch) {
    const size_t nodes = (size_t)x->plan.n + 1, points = (size_t)x->plan.points;
    wy_se3_state *s = &x->state;
    wy_se3_work *w = &x->work;
    const wy_range row[] = {WY_REAL(wy_se3_now, last_dt, 0, DBL_MAX),
                            WY_WHOLE(wy_se3_now, iterations, 0, INT32_MAX / 2),
                            WY_FLAG(wy_se3_now, pulls)};
    x->now = WY_ALLOC_CHECKED(state, 1, wy_se3_now, row);
    double(**kept[])[6] = {&s->xi0, &s->eta0, &s->xi1, &s->eta1, &s->xi_t, &s->eta_t};
    WY_TAKE_EACH(wy_block_alloc, state, kept, nodes);
    s->g = wy_block_alloc(state, points, sizeof *s->g);
    s->tension = wy_block_alloc(state, (size_t)x->plan.tendon_count, sizeof *s->tension);
    x->step = wy_block_alloc(scratch, 1, sizeof *x->step);
    double(**unknown[])[6] = {&w->xi, &w->eta, &w->lam, &w->f};
    double(**slope[])[6][6] = {&w->kt, &w->fj};
    double(**history[])[6] = {&w->hx, &w->he};
    WY_TAKE_EACH(wy_block_alloc, scratch, unknown, nodes);
    WY_TAKE_EACH(wy_block_alloc, scratch, slope, nodes);
    WY_TAKE_EACH(wy_block_alloc, scratch, history, points);
    w->force = wy_block_alloc(scratch, points, sizeof *w->force);
    w->node = wy_block_alloc(scratch, nodes, sizeof *w->node);
}

withy_status wy_se3_make(const wy_setup *setup, wy_se3 *x, withy_error *err) {
    wy_se3_plan *p = &x->plan;
    x->setup = setup;
    p->problem = setup->problem;
    p->rod = &setup->problem->rod[0];
    p->opt = *(const wy_se3_options *)setup->options;
    p->n = p->opt.n;
    p->points = 2 * p->n + 1;
    p->length = p->rod->length;
    p->h = p->length / p->n;
    p->speed = INFINITY;
    p->uniform = wy_rod_is_uniform(p->rod);
    wy_allocator from = {.arena = setup->arena};
    double *s = wy_allocator_alloc(&from, (size_t)p->points, sizeof *s);
    p->point = wy_allocator_alloc(&from, (size_t)p->points, sizeof *p->point);
    p->rest = wy_allocator_alloc(&from, (size_t)p->points, sizeof *p->rest);
    p->first = wy_allocator_alloc(&from, (size_t)p->n + 1, sizeof *p->first);
    if (from.failed) return wy_no_memory(err, "se3: no memory for n = %d", p->n);
    for (int k = 0; k < p->points; k++) s[k] = p->length * k / (p->points - 1);
    WY_TRY(sample_sections(x, s, setup, err));
    WY_TRY(sample_shapes(x, s, setup, err));
    WY_TRY(check_twist(x, err));
    WY_TRY(prepare_ends(x, setup, err));
    find_loads(x);
    judge_energy(p);
    WY_TRY(wy_se3_load_points(x, s, setup, err));
    WY_TRY(wy_se3_state_points(x, setup->arena, err));
    return wy_se3_tendons(x, s, setup->arena, err);
}
