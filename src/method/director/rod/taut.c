/* taut.c - is the mesh of a taut rod of low bending stiffness stable?  docs/theory/director.md, section 1a.
 *
 * Directors that turn by theta_a = phi P_p(xi_a) in every element, with alternating sign, change no shear at the Gauss
 * points, where P_p vanishes; only bending resists them.  With q = sum N_a theta_a^2 they shorten Gamma3 by e q/2, and
 * more where the axis is curved, so that the tension T drives them.  An element of length h is stable where
 *
 *   EI > EI_crit = T h^2 (e/(2 p^2 (p + 1)) + c_p (kappa h)^2)                                                (3)
 *   |Q| < 4 p^2 (p + 1) sqrt(EI GJ)/h^2                                                                       (4)
 *
 * with e = Gamma3 - 1, the curvature kappa of the axis and the shear force Q.  Where both ends hold the directors of a
 * straight rod that is stiff in shear, the motion driven by e, one of all elements together, cannot begin.
 * What such a motion does appears in every result, whatever its cause: the tension from positions differs from that of
 * the strains by
 *
 *   EA ||rho| - |Gamma||                                                                                      (5)
 */
#include "method/director/law/law.h"
#include "method/director/network.h"

static const double CURVED[WY_ELEMENT_NODES] = {0, 3.0 / 32, 1.0 / 144, 1.0 / 445, 1.0 / 862};
/* A rod held at both ends is without the motion of e: with the part of kappa below so much of EI (unstable from 1e-2,
 * stable to 3e-3), and T below so much of GA (unstable at 0.7, stable to 0.07). */
static const double STRAIGHT = 2e-3, STIFF = 0.1;
static const double UNCERTAIN = 2; /* EI below so many EI_crit: a note */
static const double STRETCH_MOST = 0.2,
                    TURN_MOST = 0.8; /* in (3) of a mesh that resolves the shape */
static const double GAP_NOTED = 1e-3, GAP_MOST = 1e-2; /* (5) over the largest tension */
static const double GAP_ANY = 0.1; /* the same where (3) and (4) hold with some room */
static const double LAYER = 50, LAYER_RESOLVED = 3; /* h over sqrt(EI/T) next to a held end */
static const double NODES_MOST = 1e6;

/* An element: lengths, stiffnesses (the smallest) and what acts (the largest). */
typedef struct element {
    double h, bend, twist, shear;
    double tension, stretch, force; /* T, e where it acts, Q */
    lane turn;                      /* K, mean along the element: zigzags have none */
} element;

static element element_at(const wy_director *x, int e) {
    const int p = x->plan.p;
    element at = {.h = x->plan.size[e], .bend = INFINITY, .twist = INFINITY, .shear = INFINITY};
    for (int i = e * p; i < (e + 1) * p; i++) {
        const wy_director_section *g = &x->plan.section[i];
        const lane *strain = x->strain[i].start;
        lane stress[2];
        wy_section_stress_at(x, i, strain, stress);
        if (stress[0][2] > at.tension)
            at.tension = stress[0][2], at.stretch = wy_max(strain[0][2] - x->plan.axial[2], 0);
        at.force = wy_max(at.force, hypot(stress[0][0], stress[0][1]));
        at.bend = wy_min(at.bend, wy_min(g->c[1][0], g->c[1][1]));
        at.twist = wy_min(at.twist, g->c[1][2]);
        at.shear = wy_min(at.shear, wy_min(g->c[0][0], g->c[0][1]));
        at.turn += lane_all(g->weight / at.h) * strain[1];
    }
    return at;
}

static double curvature(lane k) {
    return hypot(k[0], k[1]);
}

/* The two parts of (3) per T. */
static double by_stretch(int p, const element *at) {
    return at->h * at->h * at->stretch / (2.0 * p * p * (p + 1));
}

static double by_curvature(int p, const element *at) {
    const double turn = curvature(at->turn) * at->h;
    return CURVED[p] * turn * turn * at->h * at->h;
}

/* Does anything hold the directors of an end? */
static int holds_directors_at(const wy_director *x, int which) {
    const wy_network_plan *plan = &x->within->plan;
    const int member = wy_group_node_of(x->within, x->plan.index, x->plan.end[which].node);
    if (member < 0) return x->plan.end[which].holds_frame;
    return plan->rigid_group[plan->member[member].rigid_group].held;
}

/* The element that is nearest to its limit. */
typedef struct limit {
    double ratio; /* EI_crit over EI, or |Q| over its bound; above 1: unstable */
    int shear;    /* 1: by (4) */
    element at;
    double s, bound; /* its middle; EI_crit, or the largest Q */
    double n;        /* options.n with which it is stable */
} limit;

/* Without the part of e where that motion cannot begin. */
static int without_stretch(const wy_director *x) {
    if (!holds_directors_at(x, 0) || !holds_directors_at(x, 1)) return 0;
    for (int e = 0; e < x->plan.n; e++) {
        const element at = element_at(x, e);
        if (at.tension * by_curvature(x->plan.p, &at) > STRAIGHT * at.bend) return 0;
        if (at.tension > STIFF * at.shear) return 0;
    }
    return 1;
}

/* The length with T h^2 (a + b h^2) = EI. */
static double length_for(int p, const element *at, int straight) {
    const double h2 = at->h * at->h;
    const double a = straight ? 0 : at->tension * by_stretch(p, at) / h2;
    const double b = at->tension * by_curvature(p, at) / (h2 * h2);
    return sqrt(2 * at->bend / (a + sqrt(a * a + 4 * b * at->bend)));
}

static limit limit_at(const wy_director *x, int e, int straight, int shears) {
    const int p = x->plan.p;
    const element at = element_at(x, e);
    const double part = by_curvature(p, &at) + (straight ? 0 : by_stretch(p, &at));
    const double least = at.tension * part;
    const double most = 4.0 * p * p * (p + 1) * sqrt(at.bend * at.twist) / (at.h * at.h);
    limit out = {.ratio = least / at.bend, .at = at, .bound = least};
    out.s = x->plan.start[e] + 0.5 * at.h;
    double h = length_for(p, &at, straight);
    if (shears && at.force / most > out.ratio) {
        out.ratio = at.force / most, out.bound = most, out.shear = 1;
        h = at.h / sqrt(out.ratio);
    }
    out.n = ceil(x->plan.opt.n * at.h / h);
    return out;
}

/* By (3) and, if `shears`, (4). */
static limit find_limit(const wy_director *x, int shears) {
    const int straight = without_stretch(x);
    limit most = {0};
    if (wy_is_cable(&x->plan)) return most; /* it has no directors that could turn */
    for (int e = 0; e < x->plan.n; e++) {
        const limit one = limit_at(x, e, straight, shears);
        if (one.ratio > most.ratio) most = one;
    }
    return most;
}

/* ---- messages ------------------------------------------------------------------------------------------------- */

enum { WORDS = 160 };

/* What to do. */
static const char *advice(const wy_director *x, double n, char text[WORDS]) {
    static const char cable[] = "or kind = \"cable\" if bending and twist do not matter";
    const int now = x->plan.opt.n;
    if (n > now && n <= NODES_MOST)
        snprintf(text, WORDS, "use options.n = %.0f or more (now %d), %s", n, now, cable);
    else
        snprintf(text, WORDS, "use more elements (options.n, now %d), %s", now, cable);
    return text;
}

/* Why a mesh is unstable; `when`: "at t = ... " or nothing. */
static withy_status refuse(const wy_director *x, const limit *l, const char *when,
                           withy_status status, withy_error *err) {
    char name[WY_JOINT_WORDS], todo[WORDS];
    const char *rod = wy_network_rod_words(x->within, x->plan.index, name, sizeof name);
    advice(x, l->n, todo);
    if (l->shear)
        return wy_fail(err, status,
                       "director: %s%s at s = %.4g has a shear force of %.4g N, and this mesh is "
                       "unstable above %.4g N, where EI = %.3g and GJ = %.3g N m^2: %s",
                       when, rod, l->s, l->at.force, l->bound, l->at.bend, l->at.twist, todo);
    return wy_fail(err, status,
                   "director: %s%s at s = %.4g has EI = %.3g N m^2, and under its tension of %.4g "
                   "N this mesh is unstable below %.3g N m^2: %s",
                   when, rod, l->s, l->at.bend, l->at.tension, l->bound, todo);
}

static void note_limit(const wy_director *x, const limit *l) {
    withy_notes *notes = x->setup->notes;
    if (!(UNCERTAIN * l->ratio > 1) || wy_note_has(notes, WY_NOTE_mesh_taut)) return;
    char name[WY_JOINT_WORDS], todo[WORDS];
    wy_note(notes, WY_NOTE(mesh_taut),
            wy_network_rod_words(x->within, x->plan.index, name, sizeof name), l->s,
            l->shear ? "shear force" : "tension", l->shear ? l->at.force : l->at.tension,
            l->at.bend, l->ratio, advice(x, ceil(l->n * sqrt(UNCERTAIN)), todo));
}

/* ---- tension from positions and from strains ---------------------------------------------------------------- */

/* Largest tension of the rod; 0: none. */
static double largest_tension(const wy_director *x) {
    if (wy_is_cable(&x->plan)) return 0;
    double most = 0;
    for (int i = 0; i < x->plan.n * x->plan.p; i++) {
        lane stress[2];
        wy_section_stress_at(x, i, x->strain[i].start, stress);
        most = wy_max(most, stress[0][2]);
    }
    return most;
}

/* Can (3) fail in an element of a mesh that resolves the shape?  Elsewhere (5) is the error of a bent element. */
static int may_fail(const wy_director *x, int e, double tension) {
    const int p = x->plan.p;
    const lane bend = x->plan.section[e * p].c[1];
    const element worst = {.h = x->plan.size[e],
                           .stretch = STRETCH_MOST,
                           .turn = {TURN_MOST / x->plan.size[e], 0, 0, 0}};
    return wy_min(bend[0], bend[1]) < tension * (by_stretch(p, &worst) + by_curvature(p, &worst));
}

static lane mean_turn(const wy_director *x, int e) {
    lane k = {0};
    for (int i = e * x->plan.p; i < (e + 1) * x->plan.p; i++)
        k += lane_all(x->plan.section[i].weight / x->plan.size[e]) * x->strain[i].start[1];
    return k;
}

/* Of degree 1 zigzags are turns from element to element: without these, where they are twice the mean or more. */
static lane smooth_turn(const wy_director *x, int e) {
    const int last = x->plan.n - 1;
    const lane k = mean_turn(x, e);
    if (x->plan.p > 1) return k;
    const lane before = mean_turn(x, e ? e - 1 : wy_min(1, last));
    const lane after = mean_turn(x, e < last ? e + 1 : wy_max(0, last - 1));
    const lane mean = lane_all(0.5) * k + lane_all(0.25) * (before + after);
    const int zigzag = curvature(k - mean) > 2 * curvature(mean);
    return zigzag || curvature(k) < curvature(mean) ? mean : k;
}

/* By how much averaged directors are shorter than 1 in an element of smooth curvature, at most: of degree 1 by
 * (kappa h)^2/8 and less than 1.5 times that, of others by (kappa h)^4/1700 and less. */
static double shortened(const wy_director *x, int e) {
    const double turn = curvature(smooth_turn(x, e)) * x->plan.size[e], square = turn * turn;
    return x->plan.p == 1 ? 1.5 * square / 8 : square * square / 400;
}

/* (5) over EA in an element, less what its curvature and rounding make of it. */
static double gap_of(const wy_director *x, int e, double far) {
    static const double ROUNDING = 1e-15;
    const int p = x->plan.p;
    const double h = x->plan.size[e], d = shortened(x, e);
    double most = 0;
    for (int g = 0; g < p; g++) {
        const lane gamma = x->strain[e * p + g].start[0];
        vec3 rho = v3(0, 0, 0);
        for (int a = 0; a <= p; a++)
            rho = v3_axpy(rho, x->plan.rule->slope[g][a] / h, x->node[e * p + a].r);
        const double length = v3_norm(rho), stretch = wy_max(gamma[2] - x->plan.axial[2], 0);
        const double curved = d * (0.5 * d + stretch) + ROUNDING * far / h;
        const double own = sqrt(lane_sum(gamma * gamma)), gap = fabs(length - own) - curved;
        most = wy_max(most, gap);
    }
    return most;
}

static double farthest(const wy_director *x) {
    double far = 0;
    for (int j = 0; j < x->plan.node_count; j++) far = wy_max(far, v3_norm(x->node[j].r));
    return far;
}

/* The largest (5) over the largest tension, and where; -1: (3) cannot fail. */
static double largest_gap(const wy_director *x, double *s) {
    if (wy_is_cable(&x->plan)) return -1;
    const double tension = largest_tension(x);
    double most = -1, far = 0;
    *s = 0;
    for (int e = 0; e < x->plan.n && tension > 0; e++) {
        if (!may_fail(x, e, tension)) continue;
        if (!(far > 0)) far = farthest(x);
        const double stiff = x->plan.section[e * x->plan.p].c[0][WITHY_STRETCH];
        const double gap = stiff * wy_max(0, gap_of(x, e, far)) / tension;
        if (gap > most) most = gap, *s = x->plan.start[e] + 0.5 * x->plan.size[e];
    }
    return most;
}

static withy_status refuse_gap(const wy_director *x, double s, double gap, const char *when,
                               const char *todo, withy_error *err) {
    char name[WY_JOINT_WORDS];
    return wy_no_convergence(
        err,
        "director: %s%s at s = %.4g has a tension by its positions that differs from that by its "
        "strains by %.2g of the largest tension, an error of the mesh: %s",
        when, wy_network_rod_words(x->within, x->plan.index, name, sizeof name), s, gap, todo);
}

void wy_director_taut(const wy_director *x, wy_taut *worst) {
    double s;
    const double gap = largest_gap(x, &s);
    if (gap < 0) return;
    const double ratio = find_limit(x, 0).ratio;
    if (ratio > worst->ratio) worst->ratio = ratio, worst->nearest = x;
    if (gap > worst->gap) worst->gap = gap, worst->gapped = x;
}

static withy_status judge_gap(const wy_director *x, withy_error *err) {
    double s;
    char when[64] = "", name[WY_JOINT_WORDS], todo[WORDS];
    const double gap = largest_gap(x, &s);
    const limit l = find_limit(x, 1);
    if (x->step->dynamic) snprintf(when, sizeof when, "at t = %.4g ", x->within->rigid.step->t);
    if (gap > GAP_MOST && l.ratio > 1) return refuse(x, &l, when, WITHY_NO_CONVERGENCE, err);
    advice(x, l.n, todo);
    const double most = UNCERTAIN * l.ratio > 1 ? GAP_MOST : GAP_ANY;
    if (gap > most) return refuse_gap(x, s, gap, when, todo, err);
    if (!wy_note_has(x->setup->notes, WY_NOTE_mesh_tension))
        wy_note(x->setup->notes, WY_NOTE(mesh_tension), when,
                wy_network_rod_words(x->within, x->plan.index, name, sizeof name), s, gap, todo);
    return WITHY_OK;
}

withy_status wy_network_taut_judge(const wy_taut *worst, withy_error *err) {
    if (UNCERTAIN * worst->ratio > 1) {
        const limit l = find_limit(worst->nearest, 0);
        note_limit(worst->nearest, &l);
    }
    return worst->gap > GAP_NOTED ? judge_gap(worst->gapped, err) : WITHY_OK;
}

/* ---- all rods ------------------------------------------------------------------------------------------------- */

/* At a held end a taut rod bends within sqrt(EI/T); INFINITY: it does not. */
static double layer_at(const wy_director *x, int end, double *h) {
    const element at = element_at(x, x->plan.end[end].element);
    *h = at.h;
    if (wy_is_cable(&x->plan)) return INFINITY;
    return at.tension > 0 && holds_directors_at(x, end) ? sqrt(at.bend / at.tension) : INFINITY;
}

/* Of the end where it is the smallest part of an element. */
static void note_layers(const wy_network *net) {
    withy_notes *notes = net->rigid.setup->notes;
    double most = LAYER, h;
    int found = -1;
    char name[WY_JOINT_WORDS];
    for (int i = 0; i < 2 * net->plan.rods; i++) {
        const double layer = layer_at(&net->rod[i / 2], i % 2, &h);
        if (h > most * layer) most = h / layer, found = i;
    }
    if (found < 0 || wy_note_has(notes, WY_NOTE_layer_unresolved)) return;
    const wy_director *x = &net->rod[found / 2];
    const double layer = layer_at(x, found % 2, &h);
    wy_note(notes, WY_NOTE(layer_unresolved),
            wy_network_rod_words(net, found / 2, name, sizeof name), layer,
            found % 2 ? "finish" : "start", h, ceil(x->plan.opt.n * h / (LAYER_RESOLVED * layer)),
            x->plan.opt.n);
}

static withy_status refuse_shear(const wy_director *x, const element *at, withy_error *err) {
    char name[WY_JOINT_WORDS];
    return wy_bad_input(
        err,
        "director: %s has a tension of %.4g N, and with a shear stiffness of %.4g N it shears away "
        "above %.4g N; give it more shear stiffness, or less tension",
        wy_network_rod_words(x->within, x->plan.index, name, sizeof name), at->tension, at->shear,
        at->shear * (1 + at->stretch));
}

/* A rod that shears away, on any mesh. */
static withy_status check_shear(const wy_director *x, withy_error *err) {
    for (int e = 0; e < x->plan.n; e++) {
        const element at = element_at(x, e);
        if (at.tension > at.shear * (1 + at.stretch)) return refuse_shear(x, &at, err);
    }
    return WITHY_OK;
}

/* The shear force of a shape that is no equilibrium, as of a plucked string, is gone after a few steps. */
static withy_status check_limits(const wy_network *net, withy_error *err) {
    wy_taut worst = {0};
    for (int i = 0; i < net->plan.rods; i++) {
        const wy_director *x = &net->rod[i];
        if (!(largest_tension(x) > 0)) continue;
        WY_TRY(check_shear(x, err));
        const double ratio = find_limit(x, 0).ratio;
        if (ratio > worst.ratio) worst.ratio = ratio, worst.nearest = x;
    }
    if (!(UNCERTAIN * worst.ratio > 1)) return WITHY_OK;
    const limit l = find_limit(worst.nearest, 0);
    if (l.ratio > 1) return refuse(worst.nearest, &l, "", WITHY_BAD_INPUT, err);
    note_limit(worst.nearest, &l);
    return WITHY_OK;
}

withy_status wy_network_may_start(void *self, withy_error *err) {
    WY_TRY(check_limits(self, err));
    note_layers(self);
    return WITHY_OK;
}

withy_status wy_network_taut_fails(const wy_network *net, double most, withy_error *err) {
    for (int i = 0; i < net->plan.rods; i++) {
        const limit l = find_limit(&net->rod[i], 1);
        char when[64];
        snprintf(when, sizeof when, "at t = %.4g ", net->rigid.step->t);
        if (l.ratio > most) return refuse(&net->rod[i], &l, when, WITHY_NO_CONVERGENCE, err);
    }
    return WITHY_OK;
}

int wy_network_taut_unstable(const void *self) {
    const wy_network *net = self;
    int uncertain = 0;
    for (int i = 0; i < net->plan.rods; i++)
        uncertain |= UNCERTAIN * find_limit(&net->rod[i], 1).ratio > 1;
    return uncertain;
}

withy_status wy_network_taut(const wy_network *net, withy_error *err) {
    wy_taut worst = {0};
    for (int i = 0; i < net->plan.rods; i++) {
        const wy_director *x = &net->rod[i];
        const wy_taut before = worst;
        wy_director_taut(x, &worst);
        if (wy_director_is_mixed(x)) /* its places are rounded */
            worst.gap = before.gap, worst.gapped = before.gapped;
    }
    note_layers(net);
    return wy_network_taut_judge(&worst, err);
}
