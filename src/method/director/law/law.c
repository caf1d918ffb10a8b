/* law.c - the table of section laws, and what the kernels ask of one that is not linear (director/law/law.h). */
#include "method/director/law/law.h"

#include "method/director/rod/strain.h"

#define WY_LAW(NAME, KEYS) &wy_law_##NAME,
static const wy_section_law *const LAW[] = {
#include "method/director/law/law.inc"
};
#undef WY_LAW

void wy_section_find(wy_director_plan *plan) {
    for (size_t i = 0; i < sizeof LAW / sizeof *LAW; i++)
        if (i == 0 || (LAW[i]->acts ? LAW[i]->acts(plan) : LAW[i]->kind == plan->rod->law.kind))
            plan->law = LAW[i];
    plan->damped |= plan->law->loses;
}

withy_status wy_section_make(wy_director_plan *plan, const wy_setup *setup, withy_error *err) {
    return plan->law->make ? plan->law->make(plan, setup, err) : WITHY_OK;
}

/* Laws know the strains at rest of the plan: where these change, a law is given the strains less the change. */
typedef struct kept {
    lane start[2], plus[2];
} kept;

static kept shift(const wy_director *x, int at) {
    kept k;
    for (int i = 0; i < 2; i++) {
        lane *start = &x->strain[at].start[i], *plus = &x->stress[at].plus[i];
        k.start[i] = *start, k.plus[i] = *plus;
        *start -= x->active[at].rest[i], *plus -= x->active_plus[at].rest[i];
    }
    return k;
}

static void shift_back(const wy_director *x, int at, const kept *k) {
    for (int i = 0; i < 2; i++)
        x->strain[at].start[i] = k->start[i], x->stress[at].plus[i] = k->plus[i];
}

withy_status wy_section_check_start(const wy_director *x, withy_error *err) {
    static const double ROUNDING = 1e-6;
    double most = 1 + ROUNDING;
    int worst = -1;
    for (int i = 0; i < x->plan.n * x->plan.p && x->plan.law->beyond; i++) {
        const kept k = x->active ? shift(x, i) : (kept){{{0}}, {{0}}};
        const double one = x->plan.law->beyond(x, i);
        if (x->active) shift_back(x, i, &k);
        if (!(one <= most)) most = one, worst = i;
    }
    if (worst < 0) return WITHY_OK;
    return wy_bad_input(
        err,
        "director: initial" WY_KEY
        ": the rod starts bent, stretched or twisted so far that its stress at s = %.4g is %.4g "
        "times what rod.law (%s) allows; start from an equilibrium (initial = static { ... }), "
        "or from a shape that is nearer to rod.rest",
        x->plan.start[worst / x->plan.p] +
            x->plan.rule->point[worst % x->plan.p] * x->plan.size[worst / x->plan.p],
        most, x->plan.law->name);
}

int wy_section_history(const wy_director_plan *plan) {
    return plan->law->history ? plan->law->history(plan) : 0;
}

void wy_section_first(wy_director *x) {
    const int points = x->plan.n * x->plan.p;
    const size_t count = (size_t)wy_section_history(&x->plan);
    if (count) memset(x->history, 0, count * (size_t)points * sizeof *x->history);
    for (int i = 0; i < points && x->plan.law->first; i++)
        x->plan.law->first(x, i, &x->history[(size_t)i * count]);
}

void wy_section_damp(const wy_director *x, int at, const lane rate[2], lane out[2]) {
    const wy_director_section *g = &x->plan.section[at];
    if (g->matrix)
        wy_section_times(g->matrix->cv, rate, out);
    else
        for (int k = 0; k < 2; k++) out[k] += g->cv[k] * rate[k];
}

/* S0+ - S0- */
static lane change_at_rest(const wy_director *x, int at, int k) {
    return x->active ? x->active_plus[at].rest[k] - x->active[at].rest[k] : lane_all(0);
}

/* Viscosity is added to every law: Kelvin-Voigt's of the strains, and that of options.xi of the strains less those at rest. */
static void add_viscous(const wy_director *x, int at, wy_law_out *out) {
    const wy_director_step *step = x->step;
    const wy_director_section *g = &x->plan.section[at];
    lane ds[2], rate[2], stress[2];
    for (int k = 0; k < 2; k++) {
        const lane at_rest = change_at_rest(x, at, k);
        ds[k] = x->stress[at].plus[k] - x->strain[at].start[k];
        rate[k] = lane_all(step->per) * ds[k];
        stress[k] = lane_all(step->xi) * g->c[k] * (ds[k] - at_rest);
        if (!x->active) continue;
        const double work = lane_sum(stress[k] * at_rest);
        out->rest -= work, out->loss -= work;
    }
    wy_section_damp(x, at, rate, stress);
    for (int k = 0; k < 2; k++) {
        const lane own = lane_all(step->xi) * g->c[k],
                   v = g->matrix ? own : own + lane_all(step->per) * g->cv[k];
        for (int i = 0; i < 3; i++) out->slope[3 * k + i][k][i] += v[i];
        out->stress[k] += stress[k], out->loss += lane_sum(stress[k] * ds[k]);
    }
    for (int i = 0; i < 12 && g->matrix; i++)
        out->slope[i / 2][i % 2] += lane_all(step->per) * g->matrix->cv[i / 2][i % 2];
}

void wy_section_stress_at(const wy_director *x, int at, const lane s[2], lane out[2]) {
    if (!x->active) {
        x->plan.law->stress(x, at, s, out);
        return;
    }
    const lane *rest = x->active[at].rest;
    x->plan.law->stress(x, at, (const lane[2]){s[0] - rest[0], s[1] - rest[1]}, out);
}

void wy_section_slope_at(const wy_director *x, int at, const lane s[2], wy_slope out) {
    if (!x->active) {
        x->plan.law->slope(x, at, s, out);
        return;
    }
    const lane *rest = x->active[at].rest;
    x->plan.law->slope(x, at, (const lane[2]){s[0] - rest[0], s[1] - rest[1]}, out);
}

void wy_section_energy_at(const wy_director *x, int at, lane out[2]) {
    if (!x->active) {
        x->plan.law->energy(x, at, out);
        return;
    }
    const kept k = shift(x, at);
    x->plan.law->energy(x, at, out);
    shift_back(x, at, &k);
}

/* A law keeps stress . (e+ - e-) = V+ - V- + loss with e = S - S0: what S0 takes along works -stress . (S0+ - S0-). */
static void active_step(const wy_director *x, int at, double *after, wy_law_out *out) {
    const kept k = shift(x, at);
    x->plan.law->step(x, at, after, out);
    shift_back(x, at, &k);
    out->rest = 0;
    for (int i = 0; i < 2 && x->step->dynamic; i++)
        out->rest -= lane_sum(out->stress[i] * change_at_rest(x, at, i));
}

void wy_section_step(const wy_director *x, int at) {
    wy_law_out *out = &x->law[at];
    double *after = &x->after[(size_t)at * (size_t)wy_section_history(&x->plan)];
    if (x->active)
        active_step(x, at, after, out);
    else
        x->plan.law->step(x, at, after, out);
    if (x->step->dynamic && x->plan.damped) add_viscous(x, at, out);
    for (int k = 0; k < 2; k++) x->stress[at].stress[k] = out->stress[k];
}

/* Four columns at a time: a row has room for them (WY_DIRECTOR_STRIDE). */
void wy_section_rows(const wy_director *x, int at, int columns, double (*e)[WY_DIRECTOR_STRIDE]) {
    const wy_director_section *g = &x->plan.section[at];
    const lane one = lane_all(1),
               linear[2] = {one / tangent_of(x->step, g, 0), one / tangent_of(x->step, g, 1)};
    wy_slope slope;
    double right[6];
    for (int i = 0; i < 6 && x->plan.law->diagonal && !g->matrix; i++) {
        const lane factor = lane_all(x->law[at].slope[i][i / 3][i % 3] * linear[i / 3][i % 3]);
        const double side = e[i][columns];
        for (int c = 0; c < columns; c += 4) lane_store(&e[i][c], factor * lane_load(&e[i][c]));
        e[i][columns] = side;
    }
    if (x->plan.law->diagonal && !g->matrix) return;
    for (int i = 0; i < 12; i++)
        slope[i / 2][i % 2] = x->law[at].slope[i / 2][i % 2] * linear[i % 2];
    for (int i = 0; i < 6; i++) right[i] = e[i][columns];
    for (int c = 0; c < columns; c += 4) {
        lane b[6];
        for (int k = 0; k < 6; k++) b[k] = lane_load(&e[k][c]);
        for (int i = 0; i < 6; i++) {
            lane sum = lane_spread(&slope[i][0], 0) * b[0];
            for (int k = 1; k < 6; k++) sum += lane_spread(&slope[i][k / 3], k % 3) * b[k];
            lane_store(&e[i][c], sum);
        }
    }
    for (int i = 0; i < 6; i++) e[i][columns] = right[i];
}

double wy_section_commit(wy_director *x) {
    const int points = x->plan.n * x->plan.p;
    const size_t count = (size_t)wy_section_history(&x->plan);
    double lost = 0, rest = 0;
    for (int i = 0; i < points && x->law; i++) {
        wy_section_step(x, i);
        lost += x->plan.section[i].weight * x->law[i].loss;
        if (x->active) rest += x->plan.section[i].weight * x->law[i].rest;
    }
    x->now->active.rest += rest, x->now->work += rest;
    if (x->law && count) memcpy(x->history, x->after, count * (size_t)points * sizeof *x->history);
    return lost;
}
