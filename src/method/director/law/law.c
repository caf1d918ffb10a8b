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
        if (i == 0 || LAW[i]->acts(plan)) plan->law = LAW[i];
    plan->damped |= plan->law->loses;
}

int wy_section_history(const wy_director_plan *plan) {
    return plan->law->history ? plan->law->history(plan) : 0;
}

void wy_section_first(wy_director *x) {
    const int count = wy_section_history(&x->plan), points = x->plan.n * x->plan.p;
    if (count) memset(x->history, 0, (size_t)(count * points) * sizeof *x->history);
    for (int i = 0; i < points && x->plan.law->first; i++)
        x->plan.law->first(x, i, &x->history[i * count]);
}

void wy_section_step(const wy_director *x, int at) {
    wy_law_out *out = &x->law[at];
    wy_director_stress *gauss = &x->stress[at];
    x->plan.law->step(x, at, &x->after[at * wy_section_history(&x->plan)], out);
    for (int k = 0; k < 2; k++) {
        const lane v = viscous(x->step, &x->plan.section[at], k);
        out->stress[k] += v * (gauss->plus[k] - x->strain[at].start[k]);
        for (int i = 0; i < 3; i++) out->slope[3 * k + i][3 * k + i] += v[i];
        gauss->stress[k] = out->stress[k];
    }
}

void wy_section_rows(const wy_director *x, int at, int columns, double (*e)[WY_DIRECTOR_STRIDE]) {
    const wy_director_section *g = &x->plan.section[at];
    const lane linear[2] = {tangent_of(x->step, g, 0), tangent_of(x->step, g, 1)};
    for (int c = 0; c < columns; c++) {
        double b[6];
        for (int i = 0; i < 6; i++) b[i] = e[i][c] / linear[i / 3][i % 3], e[i][c] = 0;
        for (int i = 0; i < 36; i++) e[i / 6][c] += x->law[at].slope[i / 6][i % 6] * b[i % 6];
    }
}

void wy_section_times(const double slope[6][6], const lane ds[2], lane out[2]) {
    for (int i = 0; i < 36; i++)
        out[i / 18][i / 6 % 3] += slope[i / 6][i % 6] * ds[i % 6 / 3][i % 3];
}

double wy_section_commit(wy_director *x) {
    const int count = wy_section_history(&x->plan), points = x->plan.n * x->plan.p;
    double lost = 0;
    for (int i = 0; i < points && x->law; i++) {
        wy_section_step(x, i);
        lost += x->plan.section[i].weight * x->law[i].loss;
    }
    if (x->law && count)
        memcpy(x->history, x->after, (size_t)(count * points) * sizeof *x->history);
    return lost;
}
