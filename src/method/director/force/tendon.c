/* tendon.c - tendons next to the centre line: a length whose discrete gradient is exact.
 *
 *   p = Gamma + K x r + r',     l = sum_g w_g |p_g|           r(s): route; Gamma, K: raw strains          (1)
 *   |p+| - |p-| = tbar . (p+ - p-),    tbar = (p+ + p-)/(|p+| + |p-|)                                     (2)
 *   stress of a tension T:    (n, m) += T (tbar, r x tbar)                                                (3)
 *   dn = T/(|p+| + |p-|) (1 - tbar t+^T) dp,    dm = r x dn,    dp = dGamma + dK x r                      (4)
 *
 * p is linear in the strains and S+ - S- = DS(qbar).(q+ - q-) exactly, so that (3) does the work
 * -T (l+ - l-) in a step of any length: a constant tension has the potential T l, which is conserved.  The
 * length depends on strains alone, so that both momenta are.  In statics p- = p+: t and T/|p| (1 - t t^T).
 *
 * A tendon of given length has l(q+) = l0 - displacement(t+), and T, the mean of the step, is a multiplier:
 * a column Bbar^T (tbar, r x tbar) and a row B+^T (t+, r x t+) next to the system (director/linear/border.c).
 * In Newton's method its stress is that of the iterate, unlike sigma: it is never large by stiffness.
 */
#include "method/director/force/muscle.h"

/* ---- the plan ------------------------------------------------------------------------------------ */

/* Of an element the share between the ends of the tendon: 0 or 1 where elements end there. */
static void set_shares(const wy_director_plan *x, wy_tendon *tendon) {
    for (int e = 0; e < x->n; e++) {
        const double a = x->start[e], b = a + x->size[e];
        const double covered = wy_min(b, tendon->load->to) - wy_max(a, tendon->load->from);
        const double share = wy_max(0, wy_min(1, covered / x->size[e]));
        for (int g = 0; g < x->p; g++)
            tendon->weight[e * x->p + g] = share < 1e-5 ? 0 : share > 1 - 1e-5 ? 1 : share;
    }
}

withy_status wy_director_tendons_make(wy_director_plan *x, wy_arena *arena, withy_error *err) {
    const int points = x->n * x->p;
    int count = 0;
    for (int i = 0; i < x->source_count; i++) count += wy_load_has_route(&x->source[i]);
    if (!count) return WITHY_OK;
    wy_allocator from = {.arena = arena};
    double *s = wy_allocator_alloc(&from, (size_t)points, sizeof *s);
    x->tendon = wy_allocator_alloc(&from, (size_t)count, sizeof *x->tendon);
    if (from.failed) return wy_no_memory(err, "director: no memory for the tendons");
    for (int i = 0; i < points; i++)
        s[i] = x->start[i / x->p] + x->rule->point[i % x->p] * x->size[i / x->p];
    for (int i = 0; i < x->source_count; i++) {
        const withy_load *load = &x->source[i];
        if (!wy_load_has_route(load)) continue;
        wy_tendon *tendon = &x->tendon[x->tendon_count++];
        WY_TRY(wy_tendon_trace(x->rod, load, points, s, x->length / x->n, arena, tendon, err));
        set_shares(x, tendon);
        if (load->kind != WITHY_LOAD_TENDON) WY_TRY(wy_muscle_make(x, tendon, arena, err));
        if (load->displacement.size) tendon->column = x->columns++;
        if (i >= x->rod->load_count && (load->displacement.size || load->continues))
            return wy_unsupported(err, "director: a tendon among the loads of initial = static { "
                                       "... } is let go at t = 0, so that it has a tension, and "
                                       "neither displacement nor continues; give its tension");
        if (load->continues && x->problem->rod_count == 1)
            return wy_bad_input(err,
                                "loads[%d].continues" WY_KEY
                                " = \"%.60s\": is for a tendon that comes from another "
                                "rod, and there is only one",
                                i + 1, load->continues);
    }
    return WITHY_OK;
}

/* ---- one Gauss point ----------------------------------------------------------------------------- */

/* p of (1). */
static vec3 way_of(const wy_tendon *tendon, int at, const lane s[2]) {
    const vec3 turn = v3_cross(lane_vec3(s[1]), tendon->r[at]);
    return v3_add(v3_add(lane_vec3(s[0]), turn), tendon->slope[at]);
}

/* Directions of a tendon at the iterate: tbar, t+, and |p+| + |p-|. */
typedef struct course {
    vec3 bar, plus;
    double both;
} course;

static course course_of(const wy_director *x, const wy_tendon *tendon, int at) {
    const vec3 plus = way_of(tendon, at, x->stress[at].plus);
    const vec3 minus = x->step->dynamic ? way_of(tendon, at, x->strain[at].start) : plus;
    const double a = v3_norm(plus), both = a + v3_norm(minus);
    return (course){v3_scale(1 / both, v3_add(plus, minus)), v3_scale(1 / a, plus), both};
}

static void add_stress(double tau, vec3 r, vec3 t, lane stress[2]) {
    stress[0] += vec3_lane(v3_scale(tau, t));
    stress[1] += vec3_lane(v3_scale(tau, v3_cross(r, t)));
}

/* (3) */
void wy_director_tendon_stress(const wy_director *x, int at) {
    lane *stress = x->tendon_stress[at].stress;
    stress[0] = stress[1] = lane_all(0);
    for (int k = 0; k < x->plan.tendon_count; k++) {
        const wy_tendon *tendon = &x->plan.tendon[k];
        if (tendon->rest) wy_muscle_stress(x, tendon, at, stress);
        const double tau = x->tension[k] * tendon->weight[at];
        if (tau == 0) continue;
        const course c = course_of(x, tendon, at);
        add_stress(tau, tendon->r[at], c.bar, stress);
    }
}

void wy_director_tendon_sample(const wy_director *x, int at, lane stress[2]) {
    for (int k = 0; k < x->plan.tendon_count; k++) {
        const wy_tendon *tendon = &x->plan.tendon[k];
        if (tendon->rest) wy_muscle_sample(x, tendon, at, stress);
        const double tau = x->tension[k] * tendon->weight[at];
        if (tau == 0) continue;
        add_stress(tau, tendon->r[at], v3_unit(way_of(tendon, at, x->strain[at].start)), stress);
    }
}

/* (4) on all columns of b, the rows of the strains; added. */
static void add_slope(const wy_tendon *tendon, int at, double k, const course *c, int columns,
                      const double (*b)[WY_DIRECTOR_STRIDE], double (*add)[WY_DIRECTOR_STRIDE]) {
    const vec3 r = tendon->r[at], t = c->plus, u = c->bar;
    for (int j = 0; j < columns; j++) {
        const double px = b[0][j] + b[4][j] * r.z - b[5][j] * r.y;
        const double py = b[1][j] + b[5][j] * r.x - b[3][j] * r.z;
        const double pz = b[2][j] + b[3][j] * r.y - b[4][j] * r.x;
        const double along = t.x * px + t.y * py + t.z * pz;
        const double nx = k * (px - along * u.x), ny = k * (py - along * u.y);
        const double nz = k * (pz - along * u.z);
        add[0][j] += nx, add[1][j] += ny, add[2][j] += nz;
        add[3][j] += r.y * nz - r.z * ny, add[4][j] += r.z * nx - r.x * nz;
        add[5][j] += r.x * ny - r.y * nx;
    }
}

/* add = k matrix b */
static void add_matrix(double k, const double matrix[6][6], int columns,
                       const double (*b)[WY_DIRECTOR_STRIDE], double (*add)[WY_DIRECTOR_STRIDE]) {
    for (int i = 0; i < 6; i++) /* a row has room for four more */
        for (int j = 0; j < columns; j += 4) {
            lane sum = lane_all(0);
            for (int n = 0; n < 6; n++) sum += lane_all(k * matrix[i][n]) * lane_load(&b[n][j]);
            lane_store(&add[i][j], sum);
        }
}

void wy_director_tendon_rows(const wy_director *x, int at, int columns,
                             const double (*b)[WY_DIRECTOR_STRIDE],
                             double (*add)[WY_DIRECTOR_STRIDE]) {
    const wy_director_section *g = &x->plan.section[at];
    lane *stress = x->tendon_stress[at].stress;
    double matrix[6][6] = {{0}};
    stress[0] = stress[1] = lane_all(0);
    for (int k = 0; k < x->plan.tendon_count && x->activation; k++)
        if (x->plan.tendon[k].rest) wy_muscle_slope(x, &x->plan.tendon[k], at, stress, matrix);
    if (x->activation)
        add_matrix(g->weight, (const double(*)[6])matrix, columns, b, add);
    else
        for (int i = 0; i < 6; i++)
            for (int j = 0; j < columns; j++) add[i][j] = 0;
    for (int k = 0; k < x->plan.tendon_count; k++) {
        const wy_tendon *tendon = &x->plan.tendon[k];
        const double tau = x->tension[k] * tendon->weight[at],
                     all = g->weight * x->tension[k] * tendon->weight[at];
        if (tau == 0) continue;
        const course c = course_of(x, tendon, at);
        add_slope(tendon, at, all / (x->step->dynamic ? c.both : 0.5 * c.both), &c, columns, b,
                  add);
        add_stress(tau, tendon->r[at], c.bar, stress);
    }
    for (int i = 0; i < 6; i++) add[i][columns] = -g->weight * stress[i / 3][i % 3];
}

double wy_director_tendon_quotient(const wy_director *x, int at, const lane one[2],
                                   const lane two[2], double *terms) {
    double sum = 0;
    for (int k = 0; k < x->plan.tendon_count; k++) {
        const wy_tendon *tendon = &x->plan.tendon[k];
        if (tendon->rest) {
            const double own =
                x->plan.section[at].weight * wy_muscle_quotient(x, tendon, at, one, two);
            sum += own, *terms += fabs(own);
            continue;
        }
        const double tau = x->plan.section[at].weight * x->tension[k] * tendon->weight[at];
        const vec3 p = way_of(tendon, at, x->strain[at].start), r = tendon->r[at];
        const double length = v3_norm(p);
        const vec3 t = v3_scale(1 / length, p);
        const vec3 p1 = v3_add(lane_vec3(one[0]), v3_cross(lane_vec3(one[1]), r));
        const vec3 p2 = v3_add(lane_vec3(two[0]), v3_cross(lane_vec3(two[1]), r));
        const double along = v3_dot(t, p1);
        const double own = tau * (v3_dot(t, p2) + (v3_dot(p1, p1) - along * along) / length);
        sum += own, *terms += fabs(own);
    }
    return sum;
}

/* ---- lengths ------------------------------------------------------------------------------------- */

double wy_director_tendon_length(const wy_director *x, int k, int plus) {
    const wy_tendon *tendon = &x->plan.tendon[k];
    double sum = 0;
    for (int i = 0; i < x->plan.n * x->plan.p; i++) {
        const lane *s = plus ? x->stress[i].plus : x->strain[i].start;
        const double share = x->plan.section[i].weight * tendon->weight[i];
        if (share > 0) sum += share * v3_norm(way_of(tendon, i, s));
    }
    return sum;
}

void wy_director_tendons_first(wy_director *x) {
    if (!x->plan.tendon_count) return;
    wy_director_zero_increment(x);
    wy_director_strains(x, 1);
    for (int k = 0; k < x->plan.tendon_count; k++)
        if (x->plan.tendon[k].rest) wy_muscle_first(&x->plan, &x->plan.tendon[k]);
    for (int k = 0; k < x->plan.tendon_count; k++)
        x->plan.tendon[k].length0 = wy_director_tendon_length(x, k, 0);
}

double wy_director_tendons_work(const wy_director *x, withy_active_work *of) {
    double sum = 0;
    for (int k = 0; k < x->plan.tendon_count; k++) {
        const wy_tendon *tendon = &x->plan.tendon[k];
        const double work = tendon->rest ? wy_muscle_work(x, tendon)
                                         : -x->tension[k] * (wy_director_tendon_length(x, k, 1) -
                                                             wy_director_tendon_length(x, k, 0));
        if (tendon->rest) of->muscle += work;
        if (tendon->load->kind == WITHY_LOAD_CHAMBER) of->pressure += work;
        sum += work;
    }
    return sum;
}

withy_status wy_director_tendons_at(wy_director *x, double t_pull, double t_length,
                                    withy_error *err) {
    for (int k = 0; k < x->plan.tendon_count; k++) {
        const wy_tendon *tendon = &x->plan.tendon[k];
        const int given = tendon->column < 0;
        const int on = x->now->pulling || tendon->load - x->plan.source < x->plan.rod->load_count;
        double value;
        if (tendon->rest) {
            x->tension[k] = 0;
            WY_TRY(wy_muscle_at(x, tendon, t_pull, on, err));
            continue;
        }
        WY_TRY(wy_tendon_value(tendon, given ? t_pull : t_length, x->step->factor, &value, err));
        if (given)
            x->tension[k] = on ? value : 0;
        else /* of several pieces the first has what is pulled in */
            x->target[k] = tendon->length0 - (tendon->by == tendon->load ? value : 0);
    }
    return WITHY_OK;
}

/* ---- unknown tensions ---------------------------------------------------------------------------- */

void wy_director_tendon_line(wy_director *x, int k, int plus, double *f) {
    const wy_tendon *tendon = &x->plan.tendon[k];
    const int p = x->plan.p;
    for (int e = 0; e < x->plan.n; e++) {
        wy_tendon_stress unit[WY_ELEMENT_DEGREE] = {{{{0}}}};
        double own[WY_ELEMENT_NODES][6];
        for (int g = 0; g < p; g++) {
            const int at = e * p + g;
            const double share = x->plan.section[at].weight * tendon->weight[at];
            if (!(share > 0)) continue;
            const course c = course_of(x, tendon, at);
            add_stress(share, tendon->r[at], plus ? c.plus : c.bar, unit[g].stress);
        }
        wy_director_element_wrench(x, e, plus, unit, own);
        for (int i = 0; i < 6 * (p + 1); i++) f[6 * e * p + i] += own[i / 6][i % 6];
    }
}

void wy_director_tendons_move(wy_director *x, const wy_border *border, double share) {
    for (int k = 0; k < x->plan.tendon_count; k++) {
        const int column = x->plan.tendon[k].column;
        if (column >= 0) x->tension[k] += share * border->change[column];
    }
}

void wy_director_tendons_keep(const wy_director *x, const wy_border *border) {
    for (int k = 0; k < x->plan.tendon_count; k++) {
        const int column = x->plan.tendon[k].column;
        if (column >= 0) border->kept[column] = x->tension[k];
    }
}

void wy_director_tendons_back(wy_director *x, const wy_border *border) {
    for (int k = 0; k < x->plan.tendon_count; k++) {
        const int column = x->plan.tendon[k].column;
        if (column >= 0) x->tension[k] = border->kept[column];
    }
}
