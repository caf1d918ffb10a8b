/* verify_fdtd_coupling.c - figures 4.1, 4.5 to 4.9 of the FDTD dissertation: transverse coupling through stretch and twist.
 */
#include "verify_fdtd.h"

/* ---- figures 4.6 to 4.9: coupling ------------------------------------------------------------ */

enum { SAMPLES = 1000 };
typedef struct trace {
    double x[2][SAMPLES], y[2][SAMPLES];
} trace;

static withy_status couple_run(double pulse_x, double gs, int no_dilation, int twist, trace *out,
                               withy_error *err) {
    fd_pulse pulse = {.x = pulse_x};
    withy_load load;
    withy_rod rod = fd_string(65, WITHY_END_PINNED);
    fd_set_pulse(&rod, &load, &pulse);
    if (!twist) rod.stiffness[WITHY_TWIST] = withy_field_number(1e-20);
    const fd_run how = {.n = 64,
                        .order = 4,
                        .stop = 0.01,
                        .output = 0.01 / SAMPLES,
                        .stations = 5,
                        .dt = 5.2e-8,
                        .no_dilation = no_dilation,
                        .gravity = {0, -9.80665 * gs, 0}};
    withy_sim *sim;
    withy_status status = fd_create(&rod, 1, &how, &sim, err);
    if (status != WITHY_OK) return status;
    for (int k = 0; k < SAMPLES && status == WITHY_OK; k++) {
        status = withy_sim_advance(sim, (k + 1) * how.output, err);
        const withy_snapshot *snap = withy_sim_sample(sim, 0);
        for (int p = 0; snap && p < 2; p++)
            out->x[p][k] = snap->position[2 - p].x, out->y[p][k] = snap->position[2 - p].y;
    }
    withy_sim_destroy(sim);
    return status;
}

static double largest(double (*a)[SAMPLES], double (*b)[SAMPLES]) {
    double most = 0;
    for (int p = 0; p < 2; p++)
        for (int k = 0; k < SAMPLES; k++) most = worst_of(most, fabs(a[p][k] - (b ? b[p][k] : 0)));
    return most;
}

typedef struct coupling {
    double dx, dy, x_most, y_most, idle;
} coupling;

/* A stimulus alone, kept from call to call: the rows share them. */
static withy_status alone(double a, double gs, int no_dilation, trace **out, withy_error *err) {
    enum { KEPT = 8 };
    static struct {
        trace run;
        double a, gs;
        int no_dilation;
    } kept[KEPT];
    static int count;
    for (int i = 0; i < count; i++)
        if (kept[i].a == a && kept[i].gs == gs && kept[i].no_dilation == no_dilation)
            return *out = &kept[i].run, WITHY_OK;
    const int place = count < KEPT ? count : KEPT - 1;
    kept[place].a = a, kept[place].gs = gs, kept[place].no_dilation = no_dilation;
    const withy_status status = couple_run(a, gs, no_dilation, 1, &kept[place].run, err);
    if (status == WITHY_OK && count < KEPT) count++;
    *out = &kept[place].run;
    return status;
}

static coupling couple(double a, double gs, int no_dilation, trace *both, withy_error *err) {
    trace *pulse_only, *fall_only;
    coupling out = {NAN, NAN, NAN, NAN};
    if (couple_run(a, gs, no_dilation, 1, both, err) != WITHY_OK ||
        alone(a, 0, no_dilation, &pulse_only, err) != WITHY_OK ||
        alone(0, gs, no_dilation, &fall_only, err) != WITHY_OK)
        return out;
    out.dx = largest(both->x, pulse_only->x), out.dy = largest(both->y, fall_only->y);
    out.x_most = largest(pulse_only->x, NULL), out.y_most = largest(fall_only->y, NULL);
    out.idle = fmax(largest(pulse_only->y, NULL), largest(fall_only->x, NULL));
    return out;
}

void fdtd_dilation(verify_log *log) {
    static const struct {
        double a, gs, dx, dy;
    } row[] = {{100, 1, 1.066e-9, 2.309e-7},
               {50, 1, 5.48e-10, 5.90e-8},
               {25, 1, 2.76e-10, 1.48e-8},
               {100, 10, 1.066e-7, 2.309e-6},
               {100, 100, 1.064e-5, 2.303e-5}};
    coupling got[5];
    static trace both;
    withy_error err = {0};
    for (int i = 0; i < 5; i++) {
        got[i] = couple(row[i].a, row[i].gs, 0, &both, &err);
        verify_near(log, LABEL("dy, pulse %g N/m, %g g [m]", row[i].a, row[i].gs), "shown (4.6)",
                    row[i].dy, got[i].dy, 0.02 * row[i].dy, err.text);
        verify_near(log, LABEL("dx, pulse %g N/m, %g g [m]", row[i].a, row[i].gs), "shown (4.7)",
                    row[i].dx, got[i].dx, 0.02 * row[i].dx, "");
    }
    verify_near(log, "x of the pulse alone [mm]", "shown (4.1)", 1.01, 1e3 * got[0].x_most, 0.02,
                "100 N/m for 0.4 ms: the amplitude of the source is not known");
    const double sag = 9.80665 * FD_DENSITY * FD_AREA * FD_LENGTH * FD_LENGTH / (4 * 65) /
                       fd_stretch(65); /* twice mu g L^2/(8 T): it swings through its rest */
    verify_near(log, "y of gravity alone [um]", "shown (4.5)", 1e6 * sag, 1e6 * got[0].y_most, 0.02,
                "mu g L^2/(4 T): let go from straight, it sinks to twice its sag");
    verify_near(log, "dy ~ A^e, e", "", 2.0, log2(got[1].dy / got[2].dy), 0.05, "");
    verify_near(log, "dx ~ g^e, e", "", 2.0, log10(got[3].dx / got[0].dx), 0.05, "");
    verify_below(log, "the axis that is not excited [m]", "", got[0].idle, 0.0, "exactly zero");
}

void fdtd_twist(verify_log *log) {
    static trace on, off, on_half, off_half;
    withy_error err = {0};
    const coupling c = couple(100, 100, 1, &on, &err);
    if (couple_run(100, 100, 1, 0, &off, &err) != WITHY_OK ||
        couple_run(50, 100, 1, 1, &on_half, &err) != WITHY_OK ||
        couple_run(50, 100, 1, 0, &off_half, &err) != WITHY_OK) {
        verify_failed(log, "twist coupling", &err);
        return;
    }
    verify_near(log, "dilation off: dy [m]", "", 1.36e-9, c.dy, 0.136e-9,
                "n3 = (T/lambda) v3: bending, shear and twist are left");
    verify_near(log, "dilation off: dx [m]", "", 2.8e-10, c.dx, 0.28e-10, "");
    verify_near(log, "twist alone: dy [m]", "shown (4.8)", 4.68e-11, largest(on.y, off.y),
                0.05 * 4.68e-11, "GJ on minus GJ off");
    verify_near(log, "twist alone: dx [m]", "shown (4.9)", 5.2e-13, largest(on.x, off.x),
                0.05 * 5.2e-13, "");
    verify_near(log, "twist alone: dy ~ A^e, e", "", 2.0,
                log2(largest(on.y, off.y) / largest(on_half.y, off_half.y)), 0.05, "");
    verify_near(log, "twist alone: dx ~ A^e, e", "", 1.0,
                log2(largest(on.x, off.x) / largest(on_half.x, off_half.x)), 0.05, "");
}
