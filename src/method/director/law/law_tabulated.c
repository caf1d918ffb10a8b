/* law_tabulated.c - moments and forces that are measured: a table y(e) for some strains e = S - S0, straight between its rows.
 *
 *   mean stress = (1/(e+ - e-)) integral of y = sum over the pieces crossed of their share times the mean of their ends      (1)
 *
 * whose work is V+ - V- to rounding; its slope is (y+ - mean)/(e+ - e-), within one piece half of that of the table.
 */
#include "method/director/law/law.h"

/* Of one strain: rows from below to above, V at each; the first and last piece continue. */
typedef struct table {
    int count; /* 0: linear */
    double *e, *y, *v;
} table;

static double slope_of(const table *t, int k) {
    return (t->y[k + 1] - t->y[k]) / (t->e[k + 1] - t->e[k]);
}

/* The end of a piece that is nearer to 0, where y and V are small: from there all digits remain. */
static int foot_of(const table *t, int k) {
    return t->e[k] < 0 ? k + 1 : k;
}

static double stress_in(const table *t, int k, double e) {
    const int foot = foot_of(t, k);
    return t->y[foot] + slope_of(t, k) * (e - t->e[foot]);
}

static int piece_at(const table *t, double e) {
    int low = 0, high = t->count - 1;
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        *(e < t->e[middle] ? &high : &low) = middle;
    }
    return low;
}

/* (1) from a to b, which are in the pieces i and k. */
static double mean_of(const table *t, int i, double a, int k, double b) {
    const double whole = b - a;
    double sum = 0;
    if (i == k) return stress_in(t, i, 0.5 * (a + b));
    for (const int way = k > i ? 1 : -1; i != k; i += way) {
        const double end = t->e[way > 0 ? i + 1 : i];
        sum += (end - a) / whole * stress_in(t, i, 0.5 * (a + end)), a = end;
    }
    return sum + (b - a) / whole * stress_in(t, k, 0.5 * (a + b));
}

static const table *tables_of(const wy_director *x) {
    return x->plan.of_law;
}

static void clear(wy_slope out) {
    for (int i = 0; i < 12; i++) out[i / 2][i % 2] = lane_all(0);
}

static void step_one(const wy_director *x, int at, int i, double before, double now,
                     wy_law_out *out) {
    const table *t = &tables_of(x)[i];
    const double c = x->plan.section[at].c[i / 3][i % 3];
    double stress, slope;
    if (!t->count) {
        stress = c * (x->step->dynamic ? 0.5 * (before + now) : now);
        slope = x->step->dynamic ? 0.5 * c : c;
    } else {
        const int k = piece_at(t, now), from = x->step->dynamic ? piece_at(t, before) : k;
        stress = x->step->dynamic ? mean_of(t, from, before, k, now) : stress_in(t, k, now);
        slope = !x->step->dynamic ? slope_of(t, k)
                : from == k       ? 0.5 * slope_of(t, k)
                                  : (stress_in(t, k, now) - stress) / (now - before);
    }
    out->stress[i / 3][i % 3] = stress, out->slope[i][i / 3][i % 3] = slope;
}

static void step(const wy_director *x, int at, double *after, wy_law_out *out) {
    const wy_director_section *g = &x->plan.section[at];
    (void)after;
    clear(out->slope), out->loss = 0;
    for (int k = 0; k < 2; k++) out->stress[k] = lane_all(0);
    for (int i = 0; i < 6; i++) {
        const double rest = g->rest[i / 3][i % 3];
        step_one(x, at, i, x->strain[at].start[i / 3][i % 3] - rest,
                 x->stress[at].plus[i / 3][i % 3] - rest, out);
    }
}

/* Stress, slope and 2 V of the state with the strain s. */
static void look(const wy_director *x, int at, int i, double s, double out[3]) {
    const wy_director_section *g = &x->plan.section[at];
    const table *t = &tables_of(x)[i];
    const double e = s - g->rest[i / 3][i % 3], c = g->c[i / 3][i % 3];
    if (!t->count) {
        out[0] = c * e, out[1] = c, out[2] = c * e * e;
        return;
    }
    const int k = piece_at(t, e);
    out[0] = stress_in(t, k, e), out[1] = slope_of(t, k);
    const int foot = foot_of(t, k);
    out[2] = 2 * t->v[foot] + (t->y[foot] + out[0]) * (e - t->e[foot]);
}

static void stress(const wy_director *x, int at, const lane s[2], lane out[2]) {
    double one[3];
    for (int k = 0; k < 2; k++) out[k] = lane_all(0);
    for (int i = 0; i < 6; i++) look(x, at, i, s[i / 3][i % 3], one), out[i / 3][i % 3] = one[0];
}

static void slope(const wy_director *x, int at, const lane s[2], wy_slope out) {
    double one[3];
    clear(out);
    for (int i = 0; i < 6; i++) look(x, at, i, s[i / 3][i % 3], one), out[i][i / 3][i % 3] = one[1];
}

static void energy(const wy_director *x, int at, lane out[2]) {
    double one[3];
    for (int k = 0; k < 2; k++) out[k] = lane_all(0);
    for (int i = 0; i < 6; i++)
        look(x, at, i, x->strain[at].start[i / 3][i % 3], one), out[i / 3][i % 3] = one[2];
}

/* ---- the tables -------------------------------------------------------------------------------------- */

/* Rows of both signs as they are, with one at 0; those of one sign, also the other way round. */
static void fill(const withy_curve *curve, table *t) {
    const int odd = !(curve->row[0][0] < 0);
    int n = 0;
    for (int i = curve->row_count; odd && i-- > 0;)
        if (curve->row[i][0] > 0) t->e[n] = -curve->row[i][0], t->y[n++] = -curve->row[i][1];
    if (odd) t->e[n] = t->y[n] = 0, n++;
    for (int i = 0; i < curve->row_count; i++) {
        const double *row = curve->row[i];
        if (odd && !(row[0] > 0)) continue;
        if (n && t->e[n - 1] < 0 && row[0] > 0) t->e[n] = t->y[n] = 0, n++;
        t->e[n] = row[0], t->y[n++] = row[1];
    }
    t->count = n;
    int zero = 0;
    while (t->e[zero] < 0) zero++;
    t->v[zero] = 0;
    for (int i = zero; i + 1 < n; i++)
        t->v[i + 1] = t->v[i] + 0.5 * (t->y[i] + t->y[i + 1]) * (t->e[i + 1] - t->e[i]);
    for (int i = zero; i > 0; i--)
        t->v[i - 1] = t->v[i] - 0.5 * (t->y[i] + t->y[i - 1]) * (t->e[i] - t->e[i - 1]);
}

static withy_status make(wy_director_plan *plan, const wy_setup *setup, withy_error *err) {
    table *list = wy_arena_alloc(setup->arena, WITHY_STRAINS, sizeof *list);
    for (int i = 0; list && i < WITHY_STRAINS; i++) {
        const withy_curve *curve = &plan->rod->law.curve[i];
        const size_t room = 2 * (size_t)curve->row_count + 1;
        if (!curve->row_count) continue;
        list[i].e = wy_arena_alloc(setup->arena, 3 * room, sizeof(double));
        if (!list[i].e) return wy_no_memory(err, "director: no memory for the sections");
        list[i].y = list[i].e + room, list[i].v = list[i].y + room;
        fill(curve, &list[i]);
    }
    plan->of_law = list;
    return list ? WITHY_OK : wy_no_memory(err, "director: no memory for the sections");
}

const wy_section_law wy_law_tabulated = {.name = "tabulated",
                                         .general = 1,
                                         .coupled = 1,
                                         .diagonal = 1,
                                         .kind = WITHY_LAW_TABULATED,
                                         .make = make,
                                         .step = step,
                                         .stress = stress,
                                         .slope = slope,
                                         .energy = energy};
