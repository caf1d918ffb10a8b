/* spring_buckling.c - see spring_buckling.h.
 *
 * The ends of a coil are not symmetric about its axis, so the axial force bends the spring a little from the
 * start: few springs have a shortening at which a stiffness vanishes, most have a knee, where the force stops
 * growing.  Near the knee, with f the force over the critical one and y the shortening over the critical one,
 * a small eccentricity e gives
 *
 *   y = f + (u^3 / 2) / (1 - f)^2,   u^3 ~ e^2,   so   (dF/dy) / (dF/dy at 0) = 1 / (1 + (u / (1 - f))^3)
 *
 * Where the rate has fallen to 1/3, y = 1 for any u: this is the shortening at which the symmetric spring
 * buckles.  Where it has fallen to 2/3, y = 1 - 0.94 u: the difference says how rounded the knee is.
 */
#include "spring_buckling.h"

#include <math.h>
#include <stdlib.h>

static const double KNEE = 1 / 3., BEND = 2 / 3.; /* rate over that without load, see above */
static const double ROUNDED = 0.2;                /* beyond, the knee has no place */
static const double AGREE = 0.05;                 /* of two meshes */
static const double SHARE = 5e-4;  /* of the length: half of what a rate is measured over */
static const double NARROW = 0.02; /* of the shortening: a slender spring buckles early */
enum { STEPS = 64, BISECTIONS = 9 };

typedef enum answer { STABLE, BUCKLED, FAILED } answer;

/* The last equilibrium whose rate is above a share of that without load: each trial starts there, as the path back from
 * a buckled shape ends on another branch. */
typedef struct mark {
    double share, way;
    void *state;
} mark;

/* A spring that is shortened: its rate without load, and why no equilibrium was found. */
typedef struct loading {
    const spring_column *of;
    double rate;
    mark knee, bend;
    withy_error err;
} loading;

static withy_status force_at(loading *x, double way, double *force, withy_equilibrium *at) {
    const withy_status status = withy_sim_equilibrium(x->of->sim, -way, at, &x->err);
    if (status != WITHY_OK) return status;
    const withy_snapshot *snap = withy_sim_sample(x->of->sim, 0);
    const withy_vec3 axis = x->of->axis;
    *force = NAN;
    if (snap) {
        const withy_vec3 f = snap->reaction[1];
        *force = -(f.x * axis.x + f.y * axis.y + f.z * axis.z);
    }
    if (isfinite(*force)) return WITHY_OK;
    snprintf(x->err.text, sizeof x->err.text, "an equilibrium is not finite");
    return x->err.code = WITHY_NO_CONVERGENCE;
}

static withy_status rate_at(loading *x, double way, double *rate, withy_equilibrium *at) {
    const double whole = SHARE * x->of->length;
    const double h = way > 0 ? fmin(whole, NARROW * way) : whole;
    double before, behind;
    withy_status status = force_at(x, way - h, &before, at);
    if (status == WITHY_OK) status = force_at(x, way + h, &behind, at);
    if (status == WITHY_OK) *rate = (behind - before) / (2 * h);
    return status;
}

/* What the factorisation says is believed only when a mode confirms it. */
static answer confirm(loading *x) {
    withy_mode *mode;
    int unstable = 0;
    if (withy_sim_modes(x->of->sim, 1, &mode, &x->err) != WITHY_OK) return FAILED;
    const int total = mode[0].total;
    for (int i = 0; i < total; i++)
        unstable |= mode[i].kind == WITHY_MODE_DIVERGENCE || mode[i].kind == WITHY_MODE_FLUTTER;
    withy_modes_free(mode, total);
    return unstable ? BUCKLED : STABLE;
}

static withy_status keep(loading *x, mark *m, double way) {
    m->way = way;
    return withy_sim_save(x->of->sim, m->state, withy_sim_save_size(x->of->sim), &x->err);
}

/* Has the rate fallen below the share of a mark, or has a stiffness vanished?  If not, the mark moves there. */
static answer is_beyond(loading *x, mark *m, double way, double *rate) {
    withy_equilibrium at;
    if (rate_at(x, way, rate, &at) != WITHY_OK) return FAILED;
    if (*rate <= m->share * x->rate) return BUCKLED;
    const answer is = at.negative > 0 ? confirm(x) : STABLE;
    return is == STABLE && keep(x, m, way) != WITHY_OK ? FAILED : is;
}

/* The shortening between a mark and one beyond it where the answer changes. */
static answer bisect(loading *x, mark *m, double beyond, double *way) {
    for (int i = 0; i < BISECTIONS; i++) {
        const size_t size = withy_sim_save_size(x->of->sim);
        double rate;
        *way = 0.5 * (m->way + beyond);
        if (withy_sim_restore(x->of->sim, m->state, size, &x->err) != WITHY_OK) return FAILED;
        const answer is = is_beyond(x, m, *way, &rate);
        if (is == FAILED) return FAILED;
        if (is == BUCKLED) beyond = *way;
    }
    *way = 0.5 * (m->way + beyond);
    return BUCKLED;
}

static spring_buckling unknown(const char *why) {
    spring_buckling found = {.kind = SPRING_UNKNOWN, .way = NAN};
    snprintf(found.why, sizeof found.why, "%s", why);
    return found;
}

static spring_buckling knee_before(loading *x, double beyond) {
    spring_buckling found = {.kind = SPRING_BUCKLES};
    double bend;
    if (bisect(x, &x->knee, beyond, &found.way) == FAILED) return unknown(x->err.text);
    if (bisect(x, &x->bend, found.way, &bend) == FAILED) return unknown(x->err.text);
    if (found.way - bend <= ROUNDED * found.way) return found;
    found = unknown("");
    snprintf(found.why, sizeof found.why,
             "the rate falls slowly, to 2/3 at a shortening of %.3g m and to 1/3 at %.3g m", bend,
             found.way);
    return found;
}

/* Step by step, each from the equilibrium before, since a long step may end on another branch. */
static spring_buckling shorten(loading *x) {
    withy_equilibrium at;
    double rate;
    if (rate_at(x, 0, &x->rate, &at) != WITHY_OK || keep(x, &x->knee, 0) != WITHY_OK ||
        keep(x, &x->bend, 0) != WITHY_OK)
        return unknown(x->err.text);
    for (int i = 1; i <= STEPS; i++) {
        const double way = x->of->most * i / STEPS;
        const answer is = is_beyond(x, &x->knee, way, &rate);
        if (is == BUCKLED) return knee_before(x, way);
        const int kept =
            is == STABLE && (rate <= BEND * x->rate || keep(x, &x->bend, way) == WITHY_OK);
        if (!kept) return unknown(x->err.text);
    }
    return (spring_buckling){.kind = SPRING_STABLE, .way = NAN};
}

spring_buckling spring_buckling_find(const spring_column *column) {
    const size_t size = withy_sim_save_size(column->sim);
    loading x = {.of = column,
                 .knee = {.share = KNEE, .state = malloc(size)},
                 .bend = {.share = BEND, .state = malloc(size)}};
    const spring_buckling found =
        x.knee.state && x.bend.state ? shorten(&x) : unknown("not enough memory");
    free(x.knee.state), free(x.bend.state);
    return found;
}

int spring_buckling_agrees(const spring_buckling *coarse, const spring_buckling *fine) {
    if (coarse->kind != fine->kind || fine->kind == SPRING_UNKNOWN) return 0;
    return fine->kind == SPRING_STABLE || fabs(fine->way - coarse->way) <= AGREE * fine->way;
}

static void describe(const spring_buckling *x, char *text, size_t size) {
    if (x->kind == SPRING_BUCKLES)
        snprintf(text, size, "%.3g m", x->way);
    else
        snprintf(text, size, x->kind == SPRING_STABLE ? "none before it is solid" : "unknown");
}

spring_buckling spring_buckling_differs(const spring_buckling *coarse,
                                        const spring_buckling *fine) {
    char before[32], now[32];
    if (fine->kind == SPRING_UNKNOWN) return *fine;
    describe(coarse, before, sizeof before);
    describe(fine, now, sizeof now);
    spring_buckling found = unknown("");
    snprintf(found.why, sizeof found.why,
             "two meshes differ: %s on the coarser, %s on the finer; give a larger options.n, or "
             "another method",
             before, now);
    return found;
}
