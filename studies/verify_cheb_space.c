/* verify_cheb_space.c - [CH] 5.4, the rod in space, and Appendix I. */
#include <math.h>
#include <stdio.h>

#include "verify_cheb.h"

static double square(withy_quat q) {
    return q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
}

static void thesis_staging(verify_log *log) {
    cheb_run run =
        cheb_start(log, "twisted_half_turn", "options.staging=thesis options.normalise=false");
    const withy_snapshot *snap = cheb_at(&run, 2);
    static const char *const printed[] = {"1.", "0.999853", "1.00001", "0.999998", "1.", "1."};
    static const double own[] = {1.00000068, 0.99985280, 1.00001453, 0.99999847};
    for (int i = 0; snap && i < 6; i++) {
        char name[48];
        snprintf(name, sizeof name, "q.q[%d], staging of [CH]", i);
        const double ours = square(snap->frame[16 - i]);
        if (i < 4)
            verify_near(
                log, name, printed[i], own[i], ours, 1e-8,
                i == 1
                    ? "erratum: not \"where forces are highest\": [CH] moves the end a stage early"
                    : "");
        else
            verify_near(log, name, printed[i], 1, ours, 5e-6, "");
    }
    if (snap)
        verify_near(log, "E(2), staging of [CH] [ref]", "shown (5-22)", 6.470889,
                    cheb_energy(snap, &withy_scene_problem(run.scene)->rod[0], 0), 1e-6, "");
    cheb_finish(&run);
}

static void correct_staging(verify_log *log) {
    cheb_run run = cheb_start(log, "twisted_half_turn", "options.normalise=false");
    const withy_snapshot *snap = cheb_at(&run, 2);
    if (snap) {
        verify_near(log, "largest |q.q - 1|, correct stage times", "", 3.64e-6, snap->constraint,
                    1e-7, "");
        verify_near(log, "E(2), correct stage times [ref]", "", 6.470462,
                    cheb_energy(snap, &withy_scene_problem(run.scene)->rod[0], 0), 1e-6, "");
        /* axes of [CH]: q times (1, -1, -1, -1)/2 */
        const withy_quat q = snap->frame[16];
        verify_near(log, "q of End, scalar part", "", 0.5, 0.5 * (q.w + q.x + q.y + q.z), 1e-6,
                    "erratum: spatial Y by pi/2 and material X by -pi/2; the text says otherwise");
    }
    cheb_finish(&run);
}

void cheb_spatial(verify_log *log) {
    thesis_staging(log);
    correct_staging(log);
    cheb_run run = cheb_start(log, "twisted_equilibrium", "");
    const withy_snapshot *snap = cheb_rest(&run, 1);
    if (snap) {
        const withy_vec3 f = snap->force[32], m = snap->moment[32];
        const withy_energies e = snap->energy;
        const double ours[] = {f.x, f.y, f.z, m.x, m.y, m.z};
        static const double own[] = {-1.73924591, -1.67423710, -1.73924591,
                                     1.04015168,  1.11600153,  -0.06708665};
        static const char *const name[] = {"f_x at End", "f_y", "f_z", "m_x", "m_y", "m_z"};
        verify_near(log, "equilibrium: strain energy [ref]", "", 4.25944813001,
                    e.shear + e.stretch + e.bend + e.twist, 1e-9, "");
        for (int i = 0; i < 6; i++) verify_near(log, name[i], "", own[i], ours[i], 1e-8, "");
    }
    cheb_finish(&run);
}

/* A rod of constant curvature vector turns its frame by that vector times its length: exp(skew a). */
void cheb_appendix_i(verify_log *log) {
    withy_rod rod;
    withy_problem problem;
    cheb_stubby(&rod, &problem, 0.2);
    rod.length = 1;
    rod.initial = (withy_shape){.kind = WITHY_SHAPE_STRAIN,
                                .along = {0, 0, 1},
                                .normal = {1, 0, 0},
                                .strain = {.size = 3, .value = {0.1, 0.4, 1.3}}};
    cheb_run run = cheb_solve(log, &problem, "n=8 space=spatial");
    const withy_snapshot *snap = cheb_at(&run, 0);
    if (snap) {
        withy_quat q = snap->frame[8];
        if (q.w < 0) q = (withy_quat){-q.w, -q.x, -q.y, -q.z}; /* the same turn */
        const double angle = 2 * acos(q.w), half = sin(angle / 2) / angle;
        const double ours[] = {angle, q.w, q.x, q.y, q.z};
        static const double printed[] = {1.36382, 0.776371, 0.0462141, 0.184856, 0.600783};
        static const char *const text[] = {"1.36382", "0.776371", "0.0462141", "0.184856",
                                           "0.600783"};
        static const char *const name[] = {"angle", "q0", "qi", "qj", "qk"};
        for (int i = 0; i < 5; i++)
            verify_near(log, name[i], text[i], printed[i], ours[i],
                        i == 2 ? 5e-8
                        : i    ? 5e-7
                               : 5e-6,
                        "");
        const double a[3][3] = {{1 - 2 * (q.y * q.y + q.z * q.z), 2 * (q.x * q.y - q.w * q.z),
                                 2 * (q.x * q.z + q.w * q.y)},
                                {2 * (q.x * q.y + q.w * q.z), 1 - 2 * (q.x * q.x + q.z * q.z),
                                 2 * (q.y * q.z - q.w * q.x)},
                                {2 * (q.x * q.z - q.w * q.y), 2 * (q.y * q.z + q.w * q.x),
                                 1 - 2 * (q.x * q.x + q.y * q.y)}};
        static const char *const m[3][3] = {{"0.209775", "-0.915775", "0.342564"},
                                            {"0.949947", "0.273847", "0.150359"},
                                            {"-0.231505", "0.293876", "0.927385"}};
        static const double v[3][3] = {{0.209775, -0.915775, 0.342564},
                                       {0.949947, 0.273847, 0.150359},
                                       {-0.231505, 0.293876, 0.927385}};
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) {
                char label[48];
                snprintf(label, sizeof label, "rotation matrix %d%d", i + 1, j + 1);
                verify_near(log, label, m[i][j], v[i][j], a[i][j], 5e-7, "");
            }
        const double trace = a[0][0] + a[1][1] + a[2][2];
        verify_near(log, "eigenvalues, real part", "0.205503", 0.205503, (trace - 1) / 2, 5e-7, "");
        verify_near(log, "eigenvalues, imaginary part", "0.978656", 0.978656, sin(angle), 5e-7, "");
        const double axis[] = {q.x / half, q.y / half, q.z / half}, given[] = {0.1, 0.4, 1.3};
        static const char *const axis_text[] = {"0.1", "0.4", "1.3"};
        for (int i = 0; i < 3; i++)
            verify_near(log, "real eigenvector times the angle", axis_text[i], given[i], axis[i],
                        1e-9, "");
    }
    cheb_finish(&run);
}
