/* verify_fdtd_limits.c - figures 4.10, 4.11 of the FDTD dissertation, and what limits the method: dispersion, regularised inertia,
 * order, large motion, damping.
 */
#include "damped.h"
#include "verify_fdtd.h"

static char note[96];
#define NOTE(...) (snprintf(note, sizeof note, __VA_ARGS__), note)

/* ---- figures 4.10, 4.11: dispersion ---------------------------------------------------------- */

static withy_status packet(void *context, double s, double t, double *out, withy_error *err) {
    (void)context, (void)t, (void)err;
    const double a = (s - 0.3 * FD_LENGTH) / 8e-3;
    out[0] = 1e-6 * exp(-a * a), out[1] = 0, out[2] = s;
    return WITHY_OK;
}

/* The pulse after 1 ms as a sum of 400 exact modes; stiff = 0: without bending stiffness. */
static double packet_exact(double s, int stiff) {
    const double L = FD_LENGTH;
    double sum = 0;
    for (int n = 1; n <= 400; n++) {
        const double k = n * FD_PI / L, c = k * 8e-3 / 2;
        const double amplitude = 2 / L * 1e-6 * 8e-3 * sqrt(FD_PI) * exp(-c * c) * sin(k * 0.3 * L);
        const double f = fd_pinned_of(65, n, stiff ? FD_YOUNG * FD_SECOND : 0.0);
        sum += amplitude * sin(k * s) * cos(2 * FD_PI * f * 1e-3);
    }
    return sum;
}

static double packet_error(int order, int n, int stiff, int against_stiff, withy_error *err) {
    withy_rod rod = fd_string(65, WITHY_END_PINNED);
    rod.initial.kind = WITHY_SHAPE_CURVE;
    rod.initial.position = (withy_field){.size = 3, .call = packet};
    if (!stiff) rod.stiffness[WITHY_BEND1] = rod.stiffness[WITHY_BEND2] = withy_field_number(1e-16);
    const fd_run how = {.n = n, .order = order, .stop = 1e-3, .output = 1e-3};
    withy_sim *sim;
    if (fd_create(&rod, 1, &how, &sim, err) != WITHY_OK) return NAN;
    double off = NAN, size = 0;
    if (withy_sim_advance(sim, 1e-3, err) == WITHY_OK) {
        const withy_snapshot *snap = withy_sim_sample(sim, 0);
        off = 0;
        for (int i = 0; snap && i < snap->count; i++) {
            const double expected = packet_exact(snap->s[i], against_stiff);
            off += (snap->position[i].x - expected) * (snap->position[i].x - expected);
            size += expected * expected;
        }
    }
    withy_sim_destroy(sim);
    return sqrt(off / size);
}

void fdtd_dispersion(verify_log *log) {
    static const struct {
        int stiff, order;
        double at256, rate;
    } row[] = {{0, 2, .142, 1.60}, {0, 4, 4.1e-3, 3.86}, {0, 6, 6.1e-4, 5.48},
               {1, 2, .22, 1.42},  {1, 4, 7.1e-3, 3.75}, {1, 6, 8.8e-4, 5.67}};
    withy_error err = {0};
    double finest = 0;
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const char *kind = row[i].stiff ? "stiff" : "flexible";
        const double a = packet_error(row[i].order, 128, row[i].stiff, row[i].stiff, &err);
        const double b = packet_error(row[i].order, 256, row[i].stiff, row[i].stiff, &err);
        verify_near(log, LABEL("%s pulse, order %d, n = 256: error", kind, row[i].order),
                    row[i].stiff ? "shown (4.11)" : "shown (4.10)", row[i].at256, b,
                    0.15 * row[i].at256, err.text);
        verify_near(log, LABEL("%s pulse, order %d: rate", kind, row[i].order), "", row[i].rate,
                    log2(a / b), 0.2, "");
        finest = b;
    }
    const double physical = packet_error(6, 256, 1, 0, &err);
    verify_near(log, "stiff against flexible pulse: difference", "large (4.11)", 0.665, physical,
                0.02,
                "numerical dispersion is small compared with the material's, as the source states");
    verify_below(log, "numerical over material dispersion, order 6, n = 256", "insignificant",
                 finest / physical, 1.0 / 500, "");
}

/* ---- regularisation, convergence, large motion ----------------------------------------------- */

void fdtd_regularised(verify_log *log) {
    fd_sines sines = {.count = 1, .amplitude = {5e-6}};
    withy_rod rod = fd_string(65, WITHY_END_PINNED);
    fd_set_sines(&rod, &sines);
    fd_run how = {.n = 64,
                  .order = 4,
                  .dt = 5.4e-7,
                  .stop = 0.2,
                  .output = 1.0 / 22050,
                  .stations = 3,
                  .regularised = 1};
    withy_error err = {0};
    withy_sim *sim;
    if (fd_create(&rod, 1, &how, &sim, &err) != WITHY_OK) {
        verify_failed(log, "regularised", &err);
        return;
    }
    const double dt = withy_sim_step(sim);
    withy_sim_destroy(sim);
    const double got = withy_cents(fdtd_pitch(&rod, &how, 1, 350, 550, &err), fd_pinned(65, 1));
    const double length = FD_LENGTH / fd_stretch(65), speed2 = FD_SHEAR / FD_DENSITY;
    const double phase = FD_PI * dt / length;
    const double theory = -0.45 / 2 * speed2 * phase * phase * 1200 / 0.69314718055994531;
    verify_near(log, "shift of f_1, alpha = 0.45 [cent]", "", theory, got, 0.002,
                NOTE("the step is %.4g s; -(alpha/2) c_s^2 (pi dt/L)^2", dt));
    verify_near(log, "the same scaled to dt = 5.4e-7 s [cent]", "", -0.1027,
                got * (5.4e-7 / dt) * (5.4e-7 / dt), 0.002, "");
}

static withy_status throw_smooth(void *context, double s, double t, double *out, withy_error *err) {
    (void)context, (void)t, (void)err;
    const double x = sin(FD_PI * s);
    out[0] = 1.5 * x, out[1] = 0.8 * sin(2 * FD_PI * s), out[2] = 0.2 * sin(2 * FD_PI * s);
    return WITHY_OK;
}

static int shape_after(int order, int n, double *out, withy_error *err) {
    withy_rod rod = fd_soft_rod(WITHY_END_PINNED, WITHY_END_PINNED);
    rod.velocity = (withy_field){.size = 3, .call = throw_smooth};
    const fd_run how = {
        .n = n, .order = order, .dt = 8e-5, .stop = 0.1, .output = 0.1, .stations = 21};
    withy_sim *sim;
    if (fd_create(&rod, 1, &how, &sim, err) != WITHY_OK) return 0;
    const int ok = withy_sim_advance(sim, 0.1, err) == WITHY_OK;
    const withy_snapshot *snap = ok ? withy_sim_sample(sim, 0) : NULL;
    for (int i = 0; snap && i < 21; i++) {
        out[3 * i] = snap->position[i].x, out[3 * i + 1] = snap->position[i].y;
        out[3 * i + 2] = snap->position[i].z;
    }
    withy_sim_destroy(sim);
    return snap != NULL;
}

static double apart(const double *a, const double *b) {
    double sum = 0;
    for (int i = 0; i < 63; i++) sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sqrt(sum / 21);
}

void fdtd_order(verify_log *log) {
    static const double least[3] = {1.9, 3.7, 4.6};
    static double fine[63], a[63], b[63];
    withy_error err = {0};
    for (int o = 0; o < 3; o++) {
        const int order = 2 * o + 2;
        if (!shape_after(order, 240, fine, &err) || !shape_after(order, 40, a, &err) ||
            !shape_after(order, 80, b, &err)) {
            verify_failed(log, "order", &err);
            return;
        }
        const double rate = log2(apart(a, fine) / apart(b, fine));
        verify_below(log, LABEL("order %d, n = 40 to 80: expected rate minus ours", order),
                     order == 6 ? "O(h^6)" : "", least[o] - rate, 0.0,
                     NOTE("rate %.2f, error %.1e at n = 80", rate, apart(b, fine)));
    }
}

static void relax(const withy_rod *given, int order, int n, double *x, double *z,
                  withy_error *err) {
    withy_rod rod = *given;
    rod.drag_linear = 5, rod.damping_time = 2e-4;
    const fd_run how = {.n = n, .order = order, .stop = 30, .output = 30};
    withy_sim *sim;
    *x = *z = NAN;
    if (fd_create(&rod, 1, &how, &sim, err) != WITHY_OK) return;
    if (withy_sim_advance(sim, how.stop, err) == WITHY_OK) {
        const withy_snapshot *snap = withy_sim_sample(sim, 0);
        if (snap) *x = snap->position[n].x, *z = snap->position[n].z;
    }
    withy_sim_destroy(sim);
}

void fdtd_elastica(verify_log *log) {
    static const struct {
        int order, n, moment;
        double x, z; /* errors of the table */
    } row[] = {{2, 40, 0, 1.3e-4, -3.2e-5},  {4, 20, 0, -6.6e-6, 7.7e-6},
               {6, 20, 0, -3.1e-7, -7.1e-7}, {2, 40, 1, 9.8e-4, 1.3e-3},
               {4, 20, 1, -3.8e-5, -4.6e-5}, {6, 40, 1, -1.7e-5, -2.7e-5}};
    withy_error err = {0};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        withy_rod rod = fd_soft_rod(WITHY_END_CLAMPED, WITHY_END_FREE);
        const double ei = 1e6 * FD_PI / 64 * pow(0.05, 4);
        double x, z, exact_x = 0.624531, exact_z = 0.724237;
        if (row[i].moment) {
            rod.end[1].moment = withy_field_vector(0, FD_PI * ei, 0);
            exact_x = 2 / FD_PI, exact_z = 0;
        } else {
            rod.end[1].force = withy_field_vector(1, 0, 0);
        }
        relax(&rod, row[i].order, row[i].n, &x, &z, &err);
        const char *what = row[i].moment ? "half circle" : "tip force 1 N";
        verify_below(log, LABEL("%s, order %d, n = %d: |x error|", what, row[i].order, row[i].n),
                     "", fabs(x - exact_x), 2 * fabs(row[i].x) + 1e-6, "");
        verify_below(log, LABEL("%s, order %d, n = %d: |z error|", what, row[i].order, row[i].n),
                     "", fabs(z - exact_z), 2 * fabs(row[i].z) + 1e-6, "");
    }
}

void fdtd_amplitude(verify_log *log) {
    withy_error err = {0};
    const double small = fdtd_first_pitch(65, 6, 32, 0.05, 5e-6, &err);
    const double one = fdtd_first_pitch(65, 6, 32, 0.05, 1e-3, &err);
    verify_near(log, "pitch rise at 1 mm [percent]", "", 0.2654, 100 * (one / small - 1), 0.005,
                "theory (3/32)(EA/T)(pi a/L)^2 = 0.2656");
}

/* A rod whose bending and shear are slow: stretch decides, dt = h sqrt(rho A/EA) of order 2; "auto" takes 0.95. */
void fdtd_axial_step(verify_log *log) {
    withy_rod rod = withy_rod_default();
    withy_problem problem = withy_problem_default();
    const withy_option option[] = {{.name = "n", .number = 10}, {.name = "order", .number = 2}};
    const double stiffness[] = {1e-4, 1e-4, 1, 1e-8, 1e-8, 1e-8};
    withy_sim *sim = NULL;
    withy_error err = {0};
    rod.section.kind = WITHY_SECTION_NONE;
    rod.length = 1;
    for (int i = 0; i < WITHY_STRAINS; i++) rod.stiffness[i] = withy_field_number(stiffness[i]);
    rod.inertia[WITHY_MASS] = withy_field_number(1);
    for (int i = 0; i < 3; i++) rod.inertia[WITHY_ROTARY1 + i] = withy_field_number(0.01);
    problem.rod = &rod, problem.rod_count = 1;
    problem.request = (withy_request){.stop = 9.5, .output = 0.95};
    if (withy_sim_create(&problem, "fdtd", option, 2, &sim, &err) != WITHY_OK)
        verify_failed(log, "step of a rod that stretches", &err);
    else
        verify_near(log, "automatic step where stretch decides [s]", "", 0.095, withy_sim_step(sim),
                    1e-6, "0.95 h sqrt(rho A/EA), h = 0.1");
    withy_sim_destroy(sim);
}

void fdtd_damping(verify_log *log) {
    damped_rows(log, "fdtd", "n=64 order=4", 1e-4, 0);
}
