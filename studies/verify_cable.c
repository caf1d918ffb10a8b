/* verify_cable.c - cables: equilibria, frequencies and motions against shooting, closed forms and other discretisations. */
#include <math.h>
#include <stdio.h>

#include "network_problems.h"
#include "verify.h"

static const double G = 9.81;

/* ---- problems ------------------------------------------------------------------------------------------- */

/* Between two points, hanging. */
static withy_rod *add_cable(network_problem *x, double length, double stretch, double mass,
                            withy_vec3 from, withy_vec3 to) {
    withy_rod *rod = network_rod(x, network_vec(0, 0, 0), network_vec(length, 0, 0), 1e-3, 1, 1);
    rod->kind = WITHY_CABLE;
    rod->section.kind = WITHY_SECTION_NONE;
    rod->stiffness[WITHY_STRETCH] = withy_field_number(stretch);
    rod->inertia[WITHY_MASS] = withy_field_number(mass);
    rod->initial = (withy_shape){
        .kind = WITHY_SHAPE_CATENARY, .from = from, .to = to, .direction = {0, 0, -1}};
    return rod;
}

static void hang(network_problem *x, double length, double span, double stretch, double mass) {
    network_begin(x);
    withy_rod *rod =
        add_cable(x, length, stretch, mass, network_vec(0, 0, 0), network_vec(span, 0, 0));
    rod->end[0].kind = rod->end[1].kind = WITHY_END_PINNED;
    x->problem.gravity = network_vec(0, 0, -G);
}

static const withy_snapshot *at_rest(const network_problem *x, const char *options, withy_sim **sim,
                                     withy_error *err) {
    withy_equilibrium at;
    *sim = NULL;
    if (network_start(x, options, sim, err) != WITHY_OK) return NULL;
    if (withy_sim_equilibrium(*sim, 1, &at, err) != WITHY_OK) return NULL;
    return withy_sim_sample(*sim, 0);
}

/* Position at s of the first rod. */
static withy_vec3 place(withy_sim *sim, double s) {
    const withy_snapshot *now = withy_sim_sample(sim, 0);
    int i = 0;
    while (i < now->count - 1 && now->s[i] < s - 1e-9) i++;
    return now->position[i];
}

/* ---- frequencies ------------------------------------------------------------------------------------------ */

enum { MODES = 12 };

/* Of motions in the plane (1), or across it (0), in order. */
static int find_modes(const network_problem *x, const char *options, int plane, int count,
                      double *frequency, withy_error *err) {
    withy_sim *sim;
    withy_mode *mode = NULL;
    int found = 0;
    if (at_rest(x, options, &sim, err) && withy_sim_modes(sim, MODES, &mode, err) == WITHY_OK)
        for (int i = 0; i < mode->total && found < count; i++) {
            double in = 0, out = 0;
            for (int k = 0; k < mode[i].count; k++) {
                const withy_vec3 u = mode[i].shift[k];
                in += u.x * u.x + u.z * u.z, out += u.y * u.y;
            }
            if ((in > out) == plane) frequency[found++] = mode[i].frequency;
        }
    withy_modes_free(mode, mode ? mode->total : 0);
    withy_sim_destroy(sim);
    return found == count;
}

static void check_modes(verify_log *log, const network_problem *x, const char *options,
                        const char *name, int plane, int count, const double *expected,
                        double tolerance) {
    double f[MODES];
    char what[96];
    withy_error err = {0};
    if (!find_modes(x, options, plane, count, f, &err)) {
        verify_failed(log, name, &err);
        return;
    }
    for (int i = 0; i < count; i++) {
        snprintf(what, sizeof what, "%s, mode %d %s the plane [Hz]", name, i + 1,
                 plane ? "in" : "across");
        verify_near(log, what, "", expected[i], f[i], tolerance * expected[i], "");
    }
}

static void study_wire(verify_log *log) {
    static const double in[4] = {0.2348508938, 0.3979093559, 0.5541715534, 0.7018237465};
    static const double out[3] = {0.1537604485, 0.2924173519, 0.4360100494};
    const double area = DIRECTOR_PI * 1e-6 / 4;
    network_problem x;
    hang(&x, 50, 40, 2.1e11 * area, 7800 * area);
    check_modes(log, &x, "n=20 degree=4", "wire", 1, 4, in, 2e-9);
    check_modes(log, &x, "n=20 degree=4", "wire", 0, 3, out, 2e-9);
}

static void study_span(verify_log *log) {
    static const double soft[3] = {0.3511756116, 0.3650709097, 0.5708093418};
    static const double stiff[3] = {0.4765928547, 0.5880904005, 0.7859091100};
    static const double taut[2] = {0.5198965076, 0.7409906433};
    static const double across[3][2] = {
        {0.1888342227, 0.3760316031}, {0.2413471691, 0.4818900614}, {0.2623280501, 0.5240270223}};
    static const double crossing[2] = {0.4034922775, 0.4059017335};
    static const double pull[3] = {1417.003795, 2331.20789, 2757.572828};
    const char *const options = "n=20 degree=4";
    network_problem x;
    for (int i = 0; i < 3; i++) {
        const double *in = i == 0 ? soft : i == 1 ? stiff : taut, ea = 1e5 * pow(10, i);
        char name[32];
        withy_sim *sim;
        withy_error err = {0};
        hang(&x, 100.5, 100, ea, 1);
        snprintf(name, sizeof name, "EA %g N", ea);
        const withy_snapshot *now = at_rest(&x, options, &sim, &err);
        if (now)
            verify_near(log, "horizontal force [N]", "", pull[i], now->reaction[1].x,
                        1e-8 * pull[i], name);
        else
            verify_failed(log, name, &err);
        withy_sim_destroy(sim);
        check_modes(log, &x, options, name, 1, i == 2 ? 2 : 3, in, 2e-9);
        check_modes(log, &x, options, name, 0, 2, across[i], 2e-9);
    }
    hang(&x, 100.5, 100, 2e5, 1);
    check_modes(log, &x, options, "EA 2e5 N, where two cross", 1, 2, crossing, 2e-9);
}

/* Errors fall by 2^(2 degree) when n doubles. */
static void study_order(verify_log *log) {
    static const double expected = 0.3511756116;
    for (int p = 1; p <= 4; p++) {
        double error[2];
        char options[32], what[64];
        network_problem x;
        withy_error err = {0};
        hang(&x, 100.5, 100, 1e5, 1);
        for (int k = 0; k < 2; k++) {
            double f;
            snprintf(options, sizeof options, "n=%d degree=%d", (k ? 2 : 1) * (p < 4 ? 6 : 3), p);
            if (!find_modes(&x, options, 1, 1, &f, &err)) {
                verify_failed(log, options, &err);
                return;
            }
            error[k] = fabs(f - expected);
        }
        snprintf(what, sizeof what, "degree %d: order of the first frequency", p);
        verify_below(log, what, "", 2 * p - log2(error[0] / error[1]), 0.3,
                     "2 degree less what is measured from n = 6 and 12, for degree 4 from 3 and 6");
    }
}

/* ---- at rest -------------------------------------------------------------------------------------------------- */

static void study_rope(verify_log *log) {
    network_problem x;
    withy_sim *sim;
    withy_error err = {0};
    hang(&x, 100, 90, 1e7, 2);
    const withy_snapshot *now = at_rest(&x, "n=20 degree=4", &sim, &err);
    if (now) {
        verify_near(log, "lowest point [m]", "", -19.0834937024, place(sim, 50).z, 1e-9, "");
        verify_near(log, "horizontal force [N]", "", 1098.122205, now->reaction[1].x, 1e-5, "");
    } else {
        verify_failed(log, "the rope", &err);
    }
    withy_sim_destroy(sim);
}

/* From arcs that lead anywhere. */
static void study_form(verify_log *log) {
    static const double ea[3] = {1e5, 1e9, 1e12};
    static const withy_vec3 along[3] = {{1, 0, 0}, {0, 0, 1}, {0, 1, -1}};
    for (int i = 0; i < 9; i++) {
        double z[2] = {0, 1};
        char what[64];
        for (int k = 0; k < 2; k++) {
            network_problem x;
            withy_sim *sim;
            withy_error err = {0};
            hang(&x, 100, 1, ea[i / 3], 2);
            x.rod[0].end[1].position = withy_field_vector(1, 0, 0);
            if (k)
                x.rod[0].initial =
                    (withy_shape){.kind = WITHY_SHAPE_ARC, .along = along[i % 3], .radius = 70};
            if (at_rest(&x, "n=20", &sim, &err))
                z[k] = place(sim, 50).z;
            else
                verify_failed(log, "a form", &err);
            withy_sim_destroy(sim);
        }
        snprintf(what, sizeof what, "EA %g N, arc %d: lowest point [m]", ea[i / 3], i % 3 + 1);
        verify_near(log, what, "", z[0], z[1], 1e-9,
                    "independent: from the catenary, which is near");
    }
}

static void study_whirled(verify_log *log) {
    network_problem x;
    withy_sim *sim;
    withy_error err = {0};
    hang(&x, 2, 1, 1000, 0.1);
    x.rod[0].initial =
        (withy_shape){.kind = WITHY_SHAPE_STRAIGHT, .from = {0.5, 0, 0}, .along = {1, 0, 0}};
    x.rod[0].end[1] = (withy_end){.kind = WITHY_END_FREE, .mass = 0.05};
    x.problem.rotating = (withy_rotating){.given = 1, .spin = {0, 0, 4}};
    const withy_snapshot *now = at_rest(&x, "n=12 degree=4", &sim, &err);
    if (now) {
        const withy_vec3 tip = now->position[now->count - 1];
        verify_near(log, "radius of the tip [m]", "", 2.4255148655, tip.x, 1e-9, "");
        verify_near(log, "drop of the tip [m]", "", 0.5730959771, -tip.z, 1e-9, "");
        verify_near(log, "force at the arm, outwards [N]", "", 6.606814184, -now->reaction[0].x,
                    1e-8, "");
        verify_near(log, "force at the arm, upwards [N]", "", 2.4525, now->reaction[0].z, 1e-9, "");
    } else {
        verify_failed(log, "the whirled cable", &err);
    }
    withy_sim_destroy(sim);
}

/* ---- a net: 4 x 4 meshes of 1 m, pieces of 1.05 m, held at its corners --------------------------------------- */

enum { MESHES = 4, KNOTS = MESHES + 1 };

static void tie(network_problem *x, int knot[KNOTS][KNOTS][2], int i, int j, int rod, double s) {
    int *own = knot[i][j];
    if (own[0] >= 0)
        network_join(x, WITHY_JOINT_WELD, on_rod(own[0], 1.05 * own[1]), on_rod(rod, s));
    else
        own[0] = rod, own[1] = s > 0;
}

static void make_net(network_problem *x) {
    int knot[KNOTS][KNOTS][2];
    network_begin(x);
    x->problem.gravity = network_vec(0, 0, -G);
    for (int i = 0; i < KNOTS * KNOTS; i++) knot[i / KNOTS][i % KNOTS][0] = -1;
    for (int k = 0; k < 2 * KNOTS * MESHES; k++) {
        const int across = k / (KNOTS * MESHES), row = k % KNOTS, step = k / KNOTS % MESHES;
        const int i = across ? row : step, j = across ? step : row;
        add_cable(x, 1.05, 1000, 0.2, network_vec(i, j, 0),
                  network_vec(i + !across, j + across, 0));
        tie(x, knot, i, j, k, 0), tie(x, knot, i + !across, j + across, k, 1.05);
    }
    for (int c = 0; c < 4; c++) {
        const int i = c % 2 * MESHES, j = c / 2 * MESHES, *own = knot[i][j];
        network_join(x, WITHY_JOINT_BALL, on_ground(i, j, 0), on_rod(own[0], 1.05 * own[1]));
    }
}

static void study_net(verify_log *log) {
    static const double expected[4] = {0.62825955, 0.62825955, 0.88444290, 0.97947643};
    network_problem x;
    withy_sim *sim;
    withy_mode *mode = NULL;
    withy_error err = {0};
    make_net(&x);
    if (!at_rest(&x, "n=6 degree=4", &sim, &err)) {
        verify_failed(log, "the net", &err);
        withy_sim_destroy(sim);
        return;
    }
    double lowest = 0;
    for (int i = 0; i < x.problem.rod_count; i++) {
        const withy_snapshot *now = withy_sim_sample(sim, i);
        for (int k = 0; k < now->count; k++) lowest = fmin(lowest, now->position[k].z);
    }
    verify_near(log, "the middle [m]", "", -1.7222998078, lowest, 1e-9, "");
    if (withy_sim_modes(sim, 4, &mode, &err) == WITHY_OK)
        for (int i = 0; i < 4; i++) {
            char what[32];
            snprintf(what, sizeof what, "frequency %d [Hz]", i + 1);
            verify_near(log, what, "", expected[i], mode[i].frequency, 2e-8, "");
        }
    else
        verify_failed(log, "modes of the net", &err);
    withy_modes_free(mode, mode ? mode->total : 0);
    withy_sim_destroy(sim);
}

/* ---- motions ------------------------------------------------------------------------------------------------------ */

static withy_status sway(void *context, double s, double t, double *out, withy_error *err) {
    const double wave = sin(t);
    (void)s, (void)err;
    out[0] = 90 + (context ? 0.5 * wave * wave * wave * wave : 0.2 * wave * fmin(1, t));
    out[1] = out[2] = 0;
    return WITHY_OK;
}

static int drive(int smooth, const char *options, withy_sim **sim, withy_error *err) {
    static int yes = 1;
    network_problem x;
    hang(&x, 100, 90, 1e7, 2);
    x.rod[0].settled = 1;
    x.rod[0].end[1].position =
        (withy_field){.size = 3, .call = sway, .context = smooth ? &yes : NULL};
    network_times(&x, 4, 0.25);
    return network_start(&x, options, sim, err) == WITHY_OK;
}

static void study_driven(verify_log *log) {
    static const double expected[4][2] = {{45.00387427, -19.07655414},
                                          {45.01556286, -19.05418493},
                                          {45.03451893, -19.01637202},
                                          {45.05930901, -18.96572996}};
    withy_sim *sim;
    withy_error err = {0};
    int fine = drive(0, "n=100 degree=3 order=4 dt=0.0025", &sim, &err);
    for (int i = 0; i < 4 && fine; i++) {
        char what[48];
        fine = withy_sim_advance(sim, 0.25 * (i + 1), &err) == WITHY_OK;
        if (!fine) break;
        const withy_vec3 r = place(sim, 50);
        snprintf(what, sizeof what, "middle at %g s, x [m]", 0.25 * (i + 1));
        verify_near(log, what, "", expected[i][0], r.x, 2e-7, "");
        snprintf(what, sizeof what, "middle at %g s, z [m]", 0.25 * (i + 1));
        verify_near(log, what, "", expected[i][1], r.z, 2e-7, "");
    }
    if (!fine) verify_failed(log, "the driven rope", &err);
    withy_sim_destroy(sim);
}

static withy_vec3 end_force(withy_sim *sim) {
    const withy_snapshot *now = withy_sim_sample(sim, 0);
    return now->force[now->count - 1];
}

static void study_smooth(verify_log *log) {
    static const double expected[2][6] = {
        {45.0852025825, -18.9178707455, 20.832832761, -13.654729530, 1182.5150, 994.6818},
        {45.182863018, -18.651360685, 20.888347828, -13.541210176, 1006.5141, 950.8631}};
    static const char *const name[6] = {
        "middle x [m]", "middle z [m]", "quarter x [m]", "quarter z [m]", "force at the end, x [N]",
        "z [N]"};
    withy_sim *sim;
    withy_error err = {0};
    int fine = drive(1, "n=48 degree=4 order=4 dt=0.005", &sim, &err);
    for (int i = 0; i < 2 && fine; i++) {
        fine = withy_sim_advance(sim, i + 1, &err) == WITHY_OK;
        if (!fine) break;
        const withy_vec3 m = place(sim, 50), q = place(sim, 25), f = end_force(sim);
        const double ours[6] = {m.x, m.z, q.x, q.z, f.x, f.z};
        for (int k = 0; k < 6; k++) {
            char what[64];
            snprintf(what, sizeof what, "at %d s, %s", i + 1, name[k]);
            verify_near(log, what, "", expected[i][k], ours[k], (k < 4 ? 3e-8 : 5e-3) * (i + 1),
                        "");
        }
    }
    if (!fine) verify_failed(log, "the smoothly driven rope", &err);
    withy_sim_destroy(sim);
}

/* Order in time, from three steps: the middle of the smoothly driven rope at 1 s. */
static void study_time(verify_log *log) {
    for (int order = 2; order <= 4; order += 2) {
        double z[3];
        char options[64], what[48];
        withy_error err = {0};
        for (int k = 0; k < 3; k++) {
            withy_sim *sim;
            snprintf(options, sizeof options, "n=24 degree=4 order=%d dt=%g", order,
                     0.01 / (1 << k));
            if (!drive(1, options, &sim, &err) || withy_sim_advance(sim, 1, &err) != WITHY_OK) {
                verify_failed(log, options, &err);
                withy_sim_destroy(sim);
                return;
            }
            z[k] = place(sim, 50).z;
            withy_sim_destroy(sim);
        }
        snprintf(what, sizeof what, "order = %d: measured order less that", order);
        verify_below(log, what, "", fabs(log2((z[0] - z[1]) / (z[1] - z[2])) - order), 0.3,
                     "steps of 10, 5 and 2.5 ms");
    }
}

static withy_status whirl(void *context, double s, double t, double *out, withy_error *err) {
    (void)context, (void)t, (void)err;
    out[0] = 0, out[1] = 3 * (s - 0.5), out[2] = 5 * (s - 0.5) * (s - 0.5);
    return WITHY_OK;
}

static void study_exact(verify_log *log) {
    static const struct {
        const char *name, *options;
        int pushes, steps;
        double most;
    } row[] = {{"1 ms", "n=10 dt=1e-3 order=2", 0, 2000, 2e-11},
               {"10 ms", "n=10 dt=1e-2 order=2", 0, 2000, 2e-10},
               {"50 ms", "n=10 dt=5e-2 order=2", 0, 500, 2e-10},
               {"10 ms, bears pressure", "n=10 dt=1e-2 order=2", 1, 500, 2e-10}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        network_problem x;
        withy_sim *sim;
        withy_error err = {0};
        char what[80];
        const double dt = strtod(strchr(row[i].options, '=') + 1, NULL) > 0
                              ? strtod(strstr(row[i].options, "dt=") + 3, NULL)
                              : 0;
        network_begin(&x);
        withy_rod *rod = add_cable(&x, 1, 1e4, 0.1, network_vec(0, 0, 0), network_vec(0, 0, 1));
        rod->initial = (withy_shape){.kind = WITHY_SHAPE_ARC, .along = {0, 0, 1}, .radius = 2};
        rod->velocity = (withy_field){.size = 3, .call = whirl};
        rod->compression = row[i].pushes;
        network_times(&x, row[i].steps * dt, row[i].steps * dt);
        int fine = network_start(&x, row[i].options, &sim, &err) == WITHY_OK;
        withy_vec3 l[2] = {{0}};
        for (int k = 0; k < 2 && fine; k++) {
            fine = withy_sim_advance(sim, k * row[i].steps * dt, &err) == WITHY_OK;
            if (fine) l[k] = withy_sim_sample(sim, 0)->angular_momentum;
        }
        if (fine) {
            const double size = sqrt(l[0].x * l[0].x + l[0].y * l[0].y + l[0].z * l[0].z);
            const withy_vec3 d = {l[1].x - l[0].x, l[1].y - l[0].y, l[1].z - l[0].z};
            snprintf(what, sizeof what, "steps of %s: energy", row[i].name);
            verify_below(log, what, "", withy_sim_stats(sim).energy_drift, row[i].most, "");
            snprintf(what, sizeof what, "steps of %s: angular momentum", row[i].name);
            verify_below(log, what, "", sqrt(d.x * d.x + d.y * d.y + d.z * d.z) / size, row[i].most,
                         "");
        } else {
            verify_failed(log, row[i].name, &err);
        }
        withy_sim_destroy(sim);
    }
}

/* ---- shocks -------------------------------------------------------------------------------------------------------- */

static void study_snap(verify_log *log) {
    network_problem x;
    withy_sim *sim;
    withy_error err = {0};
    hang(&x, 4, 1, 4000, 1e-6);
    x.rod[0].initial = (withy_shape){.kind = WITHY_SHAPE_STRAIN,
                                     .along = {0, 0, -1},
                                     .strain = {.size = 6, .value = {0, 0, -1 + 1e-6, 0, 0, 0}}};
    x.rod[0].end[1] = (withy_end){.kind = WITHY_END_FREE, .mass = 5};
    network_times(&x, 1.2, 1e-3);
    double most = 0;
    int fine = network_start(&x, "n=1 degree=1 dt=1e-3", &sim, &err) == WITHY_OK;
    for (int i = 1; i <= 1200 && fine; i++) {
        fine = withy_sim_advance(sim, 1e-3 * i, &err) == WITHY_OK;
        if (fine) most = fmax(most, withy_sim_sample(sim, 0)->force[0].z * -1);
    }
    if (fine)
        verify_near(log, "5 kg fall 4 m before a massless tether pulls: largest tension [N]", "",
                    677.3858198, most, 677 * 4e-5, "sampled every ms: less by up to 3e-5 of it");
    else
        verify_failed(log, "the massless tether", &err);
    withy_sim_destroy(sim);
}

static withy_status kick(void *context, double s, double t, double *out, withy_error *err) {
    const double own = 0.5 * 0.05 * 0.1; /* the piece of cable that goes with the mass */
    (void)context, (void)t, (void)err;
    out[0] = s > 10 - 1e-9 ? 2 * 5 / (5 + own) : 0, out[1] = out[2] = 0;
    return WITHY_OK;
}

/* d'Alembert: the mass moves by u = (v/k)(1 - exp(-k t)), k = Z/M, until the first wave is back. */
static void study_tether(verify_log *log) {
    network_problem x;
    withy_sim *sim;
    withy_error err = {0};
    hang(&x, 10, 1, 1e5, 0.1);
    x.problem.gravity = network_vec(0, 0, 0);
    x.rod[0].initial = (withy_shape){.kind = WITHY_SHAPE_STRAIGHT, .along = {1, 0, 0}};
    x.rod[0].end[1] = (withy_end){.kind = WITHY_END_FREE, .mass = 5};
    x.rod[0].velocity = (withy_field){.size = 3, .call = kick};
    network_times(&x, 0.02, 0.02);
    if (network_start(&x, "n=200 degree=1 dt=1e-5", &sim, &err) == WITHY_OK &&
        withy_sim_advance(sim, 0.02, &err) == WITHY_OK)
        verify_near(log, "way of the mass in 20 ms [m]", "", 0.1 * (1 - exp(-0.4)),
                    place(sim, 10).x - 10, 2e-6, "");
    else
        verify_failed(log, "the tether", &err);
    withy_sim_destroy(sim);
}

static void study_folded(verify_log *log) {
    static const double expected[4] = {-0.05016357, -0.20339116, -0.46934350, -0.8737424};
    network_problem x;
    withy_sim *sim;
    withy_error err = {0};
    hang(&x, 2, 0.4, 1e6, 0.1);
    x.rod[0].end[1].kind = WITHY_END_FREE;
    network_times(&x, 0.4, 0.1);
    int fine = network_start(&x, "n=80 degree=2 dt=1e-3", &sim, &err) == WITHY_OK;
    for (int i = 0; i < 4 && fine; i++) {
        char what[48];
        fine = withy_sim_advance(sim, 0.1 * (i + 1), &err) == WITHY_OK;
        if (!fine) break;
        snprintf(what, sizeof what, "tip at %g s [m]", 0.1 * (i + 1));
        verify_near(log, what, "", expected[i], place(sim, 2).z, 5e-5,
                    "the expected chain does not stretch");
    }
    if (!fine) verify_failed(log, "the folded chain", &err);
    withy_sim_destroy(sim);
}

#define SHOOTING "shooting for the equations of the elastic catenary"
#define ELEMENTS "converged solutions by elements of two other degrees, in another program"

const verify_study verify_cable[] = {
    {"wire", "a steel wire of 50 m over 40 m, without bending stiffness", study_wire, 0,
     .basis = SHOOTING},
    {"span", "a cable of 100.5 m over 100 m: forces and frequencies", study_span, 0,
     .basis = SHOOTING},
    {"order", "order in space of a frequency", study_order, 0, .basis = SHOOTING},
    {"rope", "a rope of 100 m over 90 m at rest", study_rope, 0, .basis = ELEMENTS},
    {"form", "100 m over a span of 1 m, from arcs that lead anywhere", study_form, 0},
    {"whirled cable", "a cable with a mass whirls about an axis", study_whirled, 0,
     .basis = SHOOTING},
    {"net", "a net of 4 x 4 meshes hangs from its corners", study_net, 0, .basis = ELEMENTS},
    {"driven rope", "an end of the rope moves as 90 + 0.2 sin t min(1, t)", study_driven, 0,
     .basis = ELEMENTS},
    {"smooth drive", "an end of the rope moves as 90 + 0.5 sin^4 t", study_smooth, 0,
     .basis = ELEMENTS},
    {"time", "order in time", study_time, 0, .basis = ELEMENTS},
    {"exactness", "a free cable whirls: energy and angular momentum", study_exact, 0,
     .basis = "conserved by the equations"},
    {"snap", "a mass falls into a massless tether", study_snap, 0, .basis = "closed form"},
    {"tether", "a mass pulls at a tether that is just taut", study_tether, 0,
     .basis = "closed form of d'Alembert"},
    {"folded chain", "one end of a folded chain is released", study_folded, 0,
     .basis = "rigid links, 50 to 800, extrapolated"},
    {0}};
