/* verify_fdtd_energy.c - step, energy and ends of the FDTD dissertation: bounded below the limit, in every pair of ends.
 */
#include "verify_fdtd.h"

static char note[96];
#define NOTE(...) (snprintf(note, sizeof note, __VA_ARGS__), note)

/* ---- the step -------------------------------------------------------------------------------- */

static withy_status shake(void *context, double s, double t, double *out, withy_error *err) {
    (void)context, (void)t, (void)err; /* every wavelength the grid has */
    for (int d = 0; d < 3; d++) {
        const double a = sin((12.9898 + 7.1 * d) * s * 977.0 + d) * 43758.5453;
        out[d] = 1e-4 * (a - floor(a) - 0.5);
    }
    return WITHY_OK;
}

/* Energy after `steps` over energy at the start, at a share of the limit. */
static double growth(int order, int regularised, double eta, double share, withy_error *err) {
    withy_rod rod = fd_string(65, WITHY_END_PINNED);
    rod.velocity = (withy_field){.size = 3, .call = shake};
    rod.damping_time = eta;
    fd_run how = {.n = 24, .order = order, .stop = 1, .output = 1, .regularised = regularised};
    withy_sim *sim;
    double limit = 0; /* "auto" is 0.95 of it */
    if (fd_create(&rod, 1, &how, &sim, err) != WITHY_OK) return NAN;
    limit = withy_sim_step(sim) / 0.95;
    withy_sim_destroy(sim);
    /* auto was fitted to an interval of 1 s: within 1e-6 */
    how.dt = share * limit, how.unsafe = 1;
    how.output = how.dt * 500, how.stop = how.output * 40;
    if (fd_create(&rod, 1, &how, &sim, err) != WITHY_OK) return NAN;
    double first = 0, most = 0;
    for (int k = 0; k <= 40; k++) {
        if (withy_sim_advance(sim, k * how.output, err) != WITHY_OK) {
            most = INFINITY;
            break;
        }
        const withy_snapshot *snap = withy_sim_sample(sim, 0);
        if (!snap) {
            most = INFINITY;
            break;
        }
        const withy_energies *e = &snap->energy;
        const double shape = e->bend + e->twist + e->kinetic + e->shear;
        if (k == 1) first = shape;
        if (k > 1) most = worst_of(most, shape / first);
    }
    withy_sim_destroy(sim);
    return most;
}

void fdtd_step(verify_log *log) {
    static const struct {
        int order, regularised;
        double eta;
        const char *name;
    } row[] = {{2, 0, 0, "order 2, physical"},
               {2, 1, 0, "order 2, alpha = 0.45"},
               {6, 0, 0, "order 6, physical"},
               {2, 0, 2e-8, "order 2, physical, Kelvin-Voigt"}};
    withy_error err = {0};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const double calm = growth(row[i].order, row[i].regularised, row[i].eta, 0.99, &err);
        const double wild = growth(row[i].order, row[i].regularised, row[i].eta, 1.03, &err);
        verify_below(log, LABEL("%s, 0.99 of the limit: energy x", row[i].name), "", calm, 3.0,
                     "20000 steps; the source finds its step by trial");
        verify_below(log, LABEL("%s, 1.03 of the limit: 1/energy", row[i].name), "", 1 / wild, 1e-3,
                     "");
    }
}

/* ---- energy ---------------------------------------------------------------------------------- */

typedef struct drift {
    double deviation, slope, most; /* of the energy; largest displacement */
    double alive;                  /* time reached [s] */
} drift;

/* Pulse in x and y, then free: energy from the end of the pulse on, over the energy of the motion. */
static drift energy_run(fd_pulse pulse, int order, int n, double dt, double stop, int literal,
                        double gravity, withy_error *err) {
    withy_load load;
    withy_rod rod = fd_string(65, WITHY_END_PINNED);
    fd_set_pulse(&rod, &load, &pulse);
    const double resting = 0.5 * 65 * (fd_stretch(65) - 1) * FD_LENGTH / fd_stretch(65);
    const int count = 2000;
    const fd_run how = {.n = n,
                        .order = order,
                        .dt = dt,
                        .stop = stop,
                        .output = stop / count,
                        .literal = literal,
                        .gravity = {0, -gravity, 0}};
    withy_sim *sim;
    drift out = {NAN, NAN, NAN, 0};
    if (fd_create(&rod, 1, &how, &sim, err) != WITHY_OK) return out;
    out.deviation = out.most = 0;
    double start = 0, st = 0, se = 0, stt = 0, ste = 0;
    int used = 0;
    for (int k = 1; k <= count; k++) {
        const double t = stop * k / count;
        if (withy_sim_advance(sim, t, err) != WITHY_OK) break;
        const withy_snapshot *snap = withy_sim_sample(sim, 0);
        if (!snap) break;
        for (int i = 0; i < snap->count; i++)
            out.most = worst_of(out.most, fabs(snap->position[i].x));
        const double excess = snap->conserved - resting;
        if (t < 5e-4 || start == 0) { /* the pulse is over after 0.4 ms */
            start = excess, out.alive = t;
            continue;
        }
        const double off = excess / start - 1;
        if (literal && !(fabs(off) < 10)) break;
        out.alive = t;
        out.deviation = worst_of(out.deviation, fabs(off));
        st += t, se += off, stt += t * t, ste += t * off, used++;
    }
    out.slope = (used * ste - st * se) / (used * stt - st * st);
    if (!literal && out.alive < stop) out.deviation = NAN; /* not reached */
    withy_sim_destroy(sim);
    return out;
}

/* The pulses of this study: a smooth one, and a sharper one under which the literal scheme diverges.
 */
static const fd_pulse small_pulse = {.x = 100, .y = 100}, large_pulse = {.x = 520, .y = 520};
static const fd_pulse long_pulse = {.x = 415, .y = 415}; /* 5.9 mm within one second */
static const fd_pulse sharp_pulse = {.x = 1000, .y = 1000, .width = 0.01, .time = 3e-4};

void fdtd_energy(verify_log *log) {
    withy_error err = {0};
    const drift a = energy_run(small_pulse, 6, 32, 5e-8, 0.03, 0, 0, &err);
    verify_below(log, "1 mm, 0.03 s, order 6: largest deviation", "\"unstable\"", a.deviation, 1e-6,
                 "erratum: the source expects a conservative scheme to be unstable: false");
    const drift b = energy_run(large_pulse, 6, 32, 5e-8, 0.05, 0, 0, &err);
    verify_near(log, "large pulse: displacement [mm]", "", 5.9, 1e3 * b.most, 0.3, "");
    verify_below(log, "5.9 mm, 0.05 s, order 6: largest deviation", "\"unstable\"", b.deviation,
                 1e-6, "");
    const drift c = energy_run(sharp_pulse, 6, 32, 2.6e-8, 0.012, 1, 9.80665, &err);
    const drift d = energy_run(sharp_pulse, 6, 32, 1.3e-8, 0.012, 1, 9.80665, &err);
    const drift e = energy_run(sharp_pulse, 6, 32, 5e-8, 0.02, 0, 0, &err);
    verify_near(log, "literal scheme, sharp pulse: diverges at [ms]", "stable for 1 s", 6.91,
                1e3 * c.alive, 0.1,
                "regression: the product rule n_s = D v_s + u x n conserves no energy, so it "
                "diverges; the moment is that of our own run");
    verify_near(log, "the same with half the step: diverges at [ms]", "", 1e3 * c.alive,
                1e3 * d.alive, 0.05, "regression: our own run; the step is not the cause");
    verify_below(log, "staggered, sharp pulse, 0.02 s: largest deviation", "", e.deviation, 1e-6,
                 "");
}

void fdtd_energy_long(verify_log *log) {
    withy_error err = {0};
    const drift a = energy_run(small_pulse, 6, 32, 5e-8, 1.0, 0, 0, &err);
    verify_below(log, "1 mm, 1 s (2e7 steps): |slope| of the energy [1/s]", "", fabs(a.slope), 1e-6,
                 "");
    const drift b = energy_run(long_pulse, 6, 32, 5e-8, 1.0, 0, 0, &err);
    verify_near(log, "large pulse, 1 s: displacement [mm]", "", 5.9, 1e3 * b.most, 0.5, "");
    verify_below(log, "5.9 mm, 1 s (2e7 steps): largest deviation", "", b.deviation, 1e-6, "");
    const drift c = energy_run(sharp_pulse, 6, 64, 2.6e-8, 0.012, 1, 9.80665, &err);
    verify_near(log, "literal scheme, sharp pulse, n = 64: diverges at [ms]", "", 6.1,
                1e3 * c.alive, 0.1, "regression: our own run; a finer grid diverges sooner");
}

static withy_status fling(void *context, double s, double t, double *out, withy_error *err) {
    (void)context, (void)t, (void)err;
    out[0] = 2 * sin(FD_PI * s), out[1] = 1.5 * sin(2 * FD_PI * s), out[2] = 0.5 * sin(3 * s);
    return WITHY_OK;
}

/* Largest deviation of the energy in 2 s, relative, at a share of the longest step. */
static double ends_deviation(const withy_rod *rod, int order, double share, withy_error *err) {
    fd_run how = {.n = 24, .order = order, .stop = 2, .output = 0.01};
    withy_sim *sim;
    if (fd_create(rod, 1, &how, &sim, err) != WITHY_OK) return NAN;
    how.dt = withy_sim_step(sim) * share / 0.95;
    withy_sim_destroy(sim);
    if (fd_create(rod, 1, &how, &sim, err) != WITHY_OK) return NAN;
    double off = 0;
    for (int k = 1; k <= 200 && isfinite(off); k++) {
        const int goes_on = withy_sim_advance(sim, how.output * k, err) == WITHY_OK;
        const withy_stats stats = withy_sim_stats(sim);
        const double now = fabs(stats.energy_end / stats.energy_start - 1);
        off = goes_on ? worst_of(off, now) : INFINITY;
    }
    withy_sim_destroy(sim);
    return off;
}

void fdtd_ends(verify_log *log) {
    static const char letter[4] = {'F', 'P', 'C', 'G'};
    withy_error err = {0};
    for (int order = 2; order <= 6; order += 2) {
        double worst[3] = {0};
        char which[3] = "--";
        for (int pair = 0; pair < 16; pair++) {
            withy_rod rod = fd_soft_rod((withy_end_kind)(pair / 4), (withy_end_kind)(pair % 4));
            rod.velocity = (withy_field){.size = 3, .call = fling};
            rod.spin = withy_field_vector(0.5, 1.0, 2.0);
            const double off = ends_deviation(&rod, order, 0.98, &err);
            if (!(off <= worst[0])) which[0] = letter[pair / 4], which[1] = letter[pair % 4];
            worst[0] = worst_of(worst[0], off);
            worst[1] = worst_of(worst[1], ends_deviation(&rod, order, 0.49, &err));
            worst[2] = worst_of(worst[2], ends_deviation(&rod, order, 0.245, &err));
        }
        verify_below(
            log, LABEL("16 end pairs, order %d, 2 s: energy", order), "equal ends only", worst[0],
            0.0092,
            NOTE("independent: at most 0.92 %% in another implementation; worst %s", which));
        verify_near(
            log, LABEL("16 end pairs, order %d: energy ~ dt^e, e", order), "", 2.0,
            log2(worst[1] / worst[2]), 0.3,
            "independent: leapfrog is of second order, so is its energy; 1/2 and 1/4 of that "
            "step");
    }
}
