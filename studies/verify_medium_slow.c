/* verify_medium_slow.c - threads without inertia in a viscous fluid.  Length, bending stiffness and resistance across are 1. */
#include <math.h>
#include <stdio.h>

#include "director_problems.h"
#include "verify_medium.h"

/* Straight along x, resistance along it that over `ratio`; hardly stretched or sheared. */
static void make_thread(director_problem *x, double ratio, double stiff) {
    director_plain(x, 1, 0.01, 1, 1, 1);
    x->rod.section.kind = WITHY_SECTION_NONE;
    for (int i = WITHY_BEND1; i <= WITHY_TWIST; i++) x->rod.stiffness[i] = withy_field_number(1);
    x->rod.stiffness[WITHY_STRETCH] = withy_field_number(stiff);
    x->rod.stiffness[WITHY_SHEAR1] = x->rod.stiffness[WITHY_SHEAR2] = withy_field_number(stiff);
    x->rod.viscous =
        (withy_viscous){.normal = 1, .tangential = 1 / ratio, .spin = 1e-3, .massless = 1};
    director_ends(x, WITHY_END_FREE, WITHY_END_FREE);
}

static int starts(verify_log *log, const director_problem *x, const char *options,
                  withy_sim **sim) {
    withy_error err = {0};
    if (director_start(x, options, sim, &err) == WITHY_OK) return 1;
    verify_failed(log, "a thread", &err);
    return 0;
}

static const withy_snapshot *after(verify_log *log, withy_sim *sim, double t) {
    withy_error err = {0};
    if (withy_sim_advance(sim, t, &err) == WITHY_OK) return withy_sim_sample(sim, 0);
    verify_failed(log, "a thread that moves", &err);
    return NULL;
}

/* ---- relaxation -------------------------------------------------------------------------------------- */

/* Curvature in the middle of a thread that was bent a little: the midpoint rule makes a mode that decays at the rate k
 * smaller by (1 - k h/2)/(1 + k h/2) in a step, from which k follows without an error of the step. */
static int decay(verify_log *log, int held, double h, int steps, double *rate) {
    director_problem x;
    withy_sim *sim;
    char options[64];
    make_thread(&x, 2, 1e9);
    x.rod.initial.kind = WITHY_SHAPE_ARC, x.rod.initial.radius = 1e4;
    if (held) x.rod.end[0].kind = WITHY_END_CLAMPED;
    director_times(&x, steps * h, steps * h);
    snprintf(options, sizeof options, "n=12 degree=4 dt=%.17g", h);
    if (!starts(log, &x, options, &sim)) return 0;
    const withy_snapshot *now = after(log, sim, 0.5 * steps * h);
    const double first = now ? now->bend[24].y : 0;
    now = now ? after(log, sim, steps * h) : NULL;
    const double share = now ? pow(now->bend[24].y / first, 2.0 / steps) : 0;
    *rate = 2 / h * (1 - share) / (1 + share);
    withy_sim_destroy(sim);
    return now != NULL;
}

void medium_relaxation(verify_log *log) {
    double rate;
    if (decay(log, 1, 0.001, 480, &rate))
        verify_near(log, "rate at which a bent cantilever becomes straight [EI/(zn L^4)]", "",
                    12.3623634, rate, 2e-6, "1.8751040687^4");
    if (decay(log, 0, 2.5e-5, 480, &rate))
        verify_near(log, "the same of a free thread", "", 500.5639017, rate, 1e-4,
                    "4.7300407449^4");
}

/* ---- pulled at its middle ------------------------------------------------------------------------------ */

void medium_pulled(verify_log *log) {
    static const double load[2] = {10, 100};
    static const double expected[2][2] = {{10.13872640, .98619412573}, {151.9303906, .51158007582}};
    for (int k = 0; k < 2; k++) {
        director_problem x;
        withy_sim *sim;
        char what[80];
        make_thread(&x, 2, 1e10);
        x.load[0] = (withy_load){.kind = WITHY_LOAD_POINT,
                                 .from = 0.5,
                                 .to = 0.5,
                                 .force = withy_field_vector(0, load[k], 0)};
        x.rod.load_count = 1;
        director_times(&x, 0.3, 0.3);
        if (!starts(log, &x, "n=32 degree=4 dt=0.0005", &sim)) return;
        const withy_snapshot *now = after(log, sim, 0.3);
        if (now) {
            const int last = now->count - 1;
            const double span = now->position[last].x - now->position[0].x;
            snprintf(what, sizeof what, "F L^2/EI = %g: speed [EI/(zn L^3)]", load[k]);
            verify_near(log, what, "", expected[k][0], now->velocity[last / 2].y,
                        1e-7 * expected[k][0], "");
            snprintf(what, sizeof what, "F L^2/EI = %g: from end to end [L]", load[k]);
            verify_near(log, what, "", expected[k][1], span, 1e-8, "");
        }
        withy_sim_destroy(sim);
    }
}

/* ---- driven at one end ----------------------------------------------------------------------------------- */

static const double SMALL = 1e-5;

static withy_status swings(void *context, double s, double t, double *out, withy_error *err) {
    (void)s, (void)err;
    out[0] = out[2] = 0, out[1] = SMALL * cos(*(const double *)context * t);
    return WITHY_OK;
}

/* y = SMALL (c(x) + Re(h(x) exp(i w t))): h from instants a quarter of a period apart.  Hinged, c = k x stays for ever. */
typedef struct wave {
    double re, im; /* of the tip */
    double thrust; /* mean of y_t y_x over length and time, with SMALL = w = 1 */
} wave;

enum { STATIONS = 201 };

static double slope_of(const withy_snapshot *now, int i) {
    const withy_quat q = now->frame[i]; /* component y of d3, over that along x */
    return (q.y * q.z - q.w * q.x) / (q.x * q.z + q.w * q.y);
}

/* Half of what y and its slope change by in half a period from the instant t on. */
static int half_change(verify_log *log, withy_sim *sim, double t, double half, double *y,
                       double *slope) {
    for (int k = 0; k < 2; k++) {
        const withy_snapshot *now = after(log, sim, t + k * half);
        if (!now) return 0;
        for (int i = 0; i < STATIONS; i++) {
            const double sign = k ? -0.5 / SMALL : 0.5 / SMALL;
            y[i] = (k ? y[i] : 0) + sign * now->position[i].y;
            slope[i] = (k ? slope[i] : 0) + sign * slope_of(now, i);
        }
    }
    return 1;
}

static int wave_of(verify_log *log, withy_sim *sim, double period, int periods, wave *out) {
    double a[STATIONS], a_x[STATIONS], b[STATIONS], b_x[STATIONS];
    const double t = periods * period;
    if (!half_change(log, sim, t, 0.5 * period, a, a_x) ||
        !half_change(log, sim, t + 1.25 * period, 0.5 * period, b, b_x))
        return 0;
    *out = (wave){.re = a[STATIONS - 1], .im = -b[STATIONS - 1]};
    for (int i = 0; i < STATIONS; i++) { /* Simpson; h = a - i b: Re(i h conj(h'))/2 */
        const double weight = i == 0 || i == STATIONS - 1 ? 1 : i % 2 ? 4 : 2;
        out->thrust += weight / (3 * (STATIONS - 1)) * 0.5 * (b[i] * a_x[i] - a[i] * b_x[i]);
    }
    return 1;
}

/* In steps of h the midpoint rule has the rates of the frequency 2/h tan(w h/2): w is chosen so that this one is Sp^4. */
static void driven(verify_log *log, int kind, double sp, int periods, const double expected[3]) {
    enum { STEPS = 40 };
    static double frequency;
    const double angle = DIRECTOR_PI / STEPS, h = 2 * tan(angle) / pow(sp, 4);
    const char *name = kind == WITHY_END_CLAMPED ? "clamped" : "hinged";
    director_problem x;
    withy_sim *sim;
    char options[64], what[80];
    frequency = 2 * angle / h;
    make_thread(&x, 2, 1e9);
    x.rod.initial.from = (withy_vec3){0, SMALL, 0};
    x.rod.end[0].kind = kind;
    x.rod.end[0].position = (withy_field){.size = 3, .call = swings, .context = &frequency};
    director_times(&x, (periods + 2) * STEPS * h, STEPS / 4 * h);
    snprintf(options, sizeof options, "n=100 degree=2 dt=%.17g", h);
    if (!starts(log, &x, options, &sim)) return;
    wave tip = {0};
    const int fine = wave_of(log, sim, STEPS * h, periods, &tip);
    const double ours[3] = {hypot(tip.re, tip.im), atan2(tip.im, tip.re), tip.thrust};
    static const char *const of[3] = {"way of the tip over that of the end", "its phase [rad]",
                                      "mean of dy/dt dy/dx"};
    for (int i = 0; i < 3 && fine; i++) {
        snprintf(what, sizeof what, "%s, L (zn w/EI)^1/4 = %g: %s", name, sp, of[i]);
        verify_near(log, what, "", expected[i], ours[i], 1e-7, "");
    }
    withy_sim_destroy(sim);
}

void medium_driven(verify_log *log) {
    static const double hinged[2][3] = {{.498931746524, 3.04645759421, -.0260794064589},
                                        {.350517846973, 1.87887435498, -.207328705135}};
    static const double clamped[3] = {.731187434307, -1.54296801941, -.383523882112};
    driven(log, WITHY_END_PINNED, 2, 6, hinged[0]);
    driven(log, WITHY_END_PINNED, 4, 70, hinged[1]);
    driven(log, WITHY_END_CLAMPED, 2, 6, clamped);
}

/* ---- a half circle let go -------------------------------------------------------------------------------- */

static double energy_of(const withy_snapshot *now) {
    const withy_energies *e = &now->energy;
    return e->bend + e->stretch + e->shear + e->twist;
}

/* The energy falls in every step, and is what is left of the start less what is lost. */
void medium_let_go(verify_log *log) {
    director_problem x;
    withy_sim *sim;
    make_thread(&x, 2, 1e6);
    x.rod.initial.kind = WITHY_SHAPE_ARC, x.rod.initial.radius = 1 / DIRECTOR_PI;
    director_times(&x, 0.6, 0.01);
    if (!starts(log, &x, "n=8 dt=0.01", &sim)) return;
    const withy_snapshot *now = withy_sim_sample(sim, 0);
    const double start = energy_of(now);
    double before = start, rise = 0;
    for (int i = 1; i <= 60 && now; i++) {
        now = after(log, sim, 0.01 * i);
        if (!now) break;
        rise = fmax(rise, (energy_of(now) - before) / start), before = energy_of(now);
    }
    verify_below(log, "energy of a half circle let go: largest rise in a step, of all of it", "",
                 rise, 1e-14, "");
    if (now)
        verify_below(log, "what is left of it in ringing after 60 steps", "",
                     energy_of(now) / start, 2.6e-7,
                     "the design's figure with four quarter steps at the start");
    verify_below(log, "balance of energy", "", withy_sim_stats(sim).energy_drift, 1e-12, "");
    withy_sim_destroy(sim);
}
