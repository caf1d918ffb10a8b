/* active.c - strains at rest that change: given as functions of time, by temperature.
 *
 *   e = S - S0,    stress of a step from e- to e+ (director/law/law.h),    work of S0  -sum_g w_g stress . (S0+ - S0-)     (1)
 *
 * (1) balances the ledger to rounding whatever S0 does.  Curvatures at the Gauss points are not S0: the strains of an element
 * are those of its nodes (strain.h), so that an arc would be stressed.  S0 is therefore taken from the shape that each element
 * has at rest by itself: from node to node g' = g (K, Gamma), by the exponential of
 *
 *   h/2 (A1 + A2) + sqrt(3)/12 h^2 [A1, A2]        A: (K, Gamma) at two Gauss points, by the polynomial through those of
 *                                                   the element                                            (2)
 *
 * which is exact where they are constant.  section.rest stays that of the rest shape; what is kept is the difference.
 */
#include "method/director/law/law.h"

#include "base/se3.h"
#include "method/director/rod/strain.h"

/* Twists (K, Gamma) at rest at the Gauss points of an element. */
typedef double twists[WY_ELEMENT_DEGREE][6];

static void twist_at(const wy_element *rule, twists given, double xi, double out[6]) {
    for (int i = 0; i < 6; i++) out[i] = 0;
    for (int g = 0; g < rule->degree; g++) {
        double l = 1;
        for (int m = 0; m < rule->degree; m++)
            if (m != g) l *= (xi - rule->point[m]) / (rule->point[g] - rule->point[m]);
        for (int i = 0; i < 6; i++) out[i] += l * given[g][i];
    }
}

/* (2) from node a to the next. */
static wy_motion between(const wy_element *rule, twists given, double size, int a) {
    static const double AT = 0.28867513459481288225; /* sqrt(3)/6 */
    const double from = rule->node[a], part = rule->node[a + 1] - from, h = part * size;
    double one[6], two[6], sum[6], both[6];
    twist_at(rule, given, from + (0.5 - AT) * part, one);
    twist_at(rule, given, from + (0.5 + AT) * part, two);
    se3_ad(one, two, both);
    for (int i = 0; i < 6; i++) sum[i] = 0.5 * h * (one[i] + two[i]) + 0.5 * AT * h * h * both[i];
    return se3_exp_scaled(1, sum);
}

/* Strains of an element with these twists, at its Gauss points. */
static void element_strains(const wy_director_plan *plan, int e, twists given,
                            lane raw[WY_ELEMENT_DEGREE][2]) {
    const wy_element *rule = plan->rule;
    const int p = plan->p;
    wy_motion at = {m3_identity(), {0, 0, 0}};
    tri d[WY_ELEMENT_NODES];
    lane r[WY_ELEMENT_NODES];
    for (int a = 0; a <= p; a++) {
        if (a > 0) at = se3_mul(at, between(rule, given, plan->size[e], a - 1));
        d[a] = tri_from(at.turn), r[a] = vec3_lane(at.shift);
    }
    for (int g = 0; g < p; g++) {
        double slope[WY_ELEMENT_NODES];
        for (int a = 0; a <= p; a++) slope[a] = rule->slope[g][a] / plan->size[e];
        const fields f = fields_at(p, d, r, rule->value[g], slope, plan->axial);
        const strains s = strains_of(&f, plan->axial);
        raw[g][0] = s.gamma, raw[g][1] = s.k;
    }
}

static void twist_of(const double strain[WITHY_STRAINS], double out[6]) {
    for (int i = 0; i < 3; i++) out[i] = strain[3 + i], out[3 + i] = strain[i] + (i == 2);
}

/* ---- the plan ------------------------------------------------------------------------------------ */

static withy_status accept(const wy_director_plan *plan, withy_error *err) {
    const withy_rod *rod = plan->rod;
    const char *what = wy_is_cable(plan)            ? "a cable"
                       : rod->tension != 0          ? "rod.tension"
                       : plan->has_damping_in_space ? "rod.damping.law"
                                                    : NULL;
    if (!what) return WITHY_OK;
    return wy_unsupported(err,
                          "director: %s" WY_KEY
                          " is not supported together with strains at rest that change "
                          "(rod.rest as a function of t, rod.heat)",
                          what);
}

withy_status wy_active_make(wy_director *x, const wy_setup *setup, withy_error *err) {
    const wy_director_plan *plan = &x->plan;
    const int p = plan->p;
    WY_TRY(accept(plan, err));
    wy_active_rest *all = wy_arena_alloc(setup->arena, (size_t)(plan->n * p), sizeof *all);
    if (!all) return wy_no_memory(err, "director: no memory for n = %d elements", plan->n);
    x->rest = all;
    for (int e = 0; e < plan->n; e++) {
        double s[WY_ELEMENT_DEGREE], rest[WY_ELEMENT_DEGREE][WITHY_STRAINS];
        lane raw[WY_ELEMENT_DEGREE][2];
        twists given;
        for (int g = 0; g < p; g++) s[g] = plan->start[e] + plan->rule->point[g] * plan->size[e];
        WY_TRY(wy_model_rest_strains(setup->model, plan->index, p, s, rest, err));
        for (int g = 0; g < p; g++) twist_of(rest[g], given[g]);
        element_strains(plan, e, given, raw);
        for (int g = 0; g < p; g++) {
            wy_active_rest *to = &all[e * p + g];
            memcpy(to->base, rest[g], sizeof to->base);
            to->raw[0] = raw[g][0], to->raw[1] = raw[g][1];
        }
    }
    return WITHY_OK;
}

/* ---- in time --------------------------------------------------------------------------------------- */

static withy_status find(wy_director *x, double t, wy_active *out, withy_error *err) {
    const wy_director_plan *plan = &x->plan;
    const int p = plan->p;
    for (int e = 0; e < plan->n; e++) {
        lane raw[WY_ELEMENT_DEGREE][2];
        twists given;
        for (int g = 0; g < p; g++) {
            const double s = plan->start[e] + plan->rule->point[g] * plan->size[e];
            double strain[WITHY_STRAINS];
            WY_TRY(wy_active_strain(plan->rod, s, t, x->step->factor, x->rest[e * p + g].base,
                                    strain, err));
            twist_of(strain, given[g]);
        }
        element_strains(plan, e, given, raw);
        for (int g = 0; g < p; g++)
            for (int k = 0; k < 2; k++)
                out[e * p + g].rest[k] = raw[g][k] - x->rest[e * p + g].raw[k];
    }
    return WITHY_OK;
}

/* The inputs that strains at rest follow, [WY_ACTIVE_INPUTS]. */
static withy_status inputs_of(const wy_director *x, double out[WY_ACTIVE_INPUTS],
                              withy_error *err) {
    const withy_rod *rod = x->plan.rod;
    const withy_field *field[] = {&rod->rest.strain, &rod->heat.temperature, &rod->heat.gradient};
    for (int i = 0; i < WY_ACTIVE_INPUTS; i++) out[i] = 0;
    for (size_t i = 0; i < sizeof field / sizeof *field; out += field[i++]->size)
        if (wy_signal_is_input(field[i])) WY_TRY(withy_field_at(field[i], 0, 0, out, err));
    return WITHY_OK;
}

withy_status wy_active_at(wy_director *x, double t, withy_error *err) {
    WY_TRY(find(x, t, x->active_plus, err));
    if (x->step->dynamic) return WITHY_OK;
    wy_active_commit(x);
    return inputs_of(x, x->active_input, err);
}

void wy_active_commit(wy_director *x) {
    memcpy(x->active, x->active_plus, (size_t)(x->plan.n * x->plan.p) * sizeof *x->active);
}

withy_status wy_active_jump(wy_director *x, double t, withy_error *err) {
    double now[WY_ACTIVE_INPUTS];
    WY_TRY(inputs_of(x, now, err));
    if (memcmp(now, x->active_input, sizeof now) == 0) return WITHY_OK;
    memcpy(x->active_input, now, sizeof now);
    WY_TRY(find(x, t, x->active_plus, err));
    const double before = wy_director_strain_energy(x, &x->now->energy);
    wy_active_commit(x);
    const double work = wy_director_strain_energy(x, &x->now->energy) - before;
    x->now->active.rest += work, x->now->work += work;
    return WITHY_OK;
}
