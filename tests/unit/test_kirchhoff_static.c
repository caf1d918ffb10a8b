/* test_kirchhoff_static.c - equilibria.
 * (slow under sanitizers) */
#include "kirchhoff_problems.h"

#define PINNED WITHY_END_PINNED
#define CLAMPED WITHY_END_CLAMPED
#define FREE WITHY_END_FREE

static void relax(spring_case *c, double factor) {
    withy_error err = {0};
    withy_equilibrium at;
    CHECK_OK(withy_sim_equilibrium(c->sim, factor, &at, &err));
}

/* A node in the laboratory. */
static vec3 node_at(const spring_case *c, int j) {
    return v3_add(wy_model_origin(c->p->setup->model), c->p->now->x[j]);
}

/* Largest component of the distance to the rest helix, as in the independent code. */
static double off_helix(const spring_case *c) {
    double most = 0;
    for (int j = 0; j <= c->p->n; j++) {
        wy_pose q;
        wy_shape_poses(&c->rod, &c->rod.rest, 1, &c->p->s[j], &q, NULL);
        const vec3 d = v3_sub(node_at(c, j), q.r);
        most = worst_of(most, wy_max(fabs(d.x), wy_max(fabs(d.y), fabs(d.z))));
    }
    return most;
}

static void check_rest_equilibria(withy_end_kind a, withy_end_kind b, const char *ends,
                                  const double expected[4], double tolerance) {
    for (int k = 0; k < 4; k++) {
        spring_case c;
        spring_of(&c, TEST_HELIX, a, b, 48 << k, .1);
        spring_option(&c, "kappa", 0, "pointwise");
        spring_option(&c, "energy", 0, "quadratic");
        spring_option(&c, "ends", 0, ends);
        spring_make(&c);
        relax(&c, 1.0);
        const double off = off_helix(&c);
        print_message("N = %d, %s: %.4g (notes %.4g)\n", 48 << k, ends, off, expected[k]);
        CHECK_NEAR(off / expected[k], 1.0, tolerance);
        spring_free(&c);
    }
}

TEST(pointwise_curvature_makes_a_pinned_equilibrium_second_order_from_the_helix) {
    (void)unused_state;
    const double expected[4] = {.1595, .04043, .01012, .00253};
    check_rest_equilibria(PINNED, PINNED, "weak", expected, 2e-3);
    check_rest_equilibria(PINNED, PINNED, "strong", expected, 5e-3); /* equal to 3 digits */
}

TEST(pointwise_curvature_makes_a_clamped_free_equilibrium_second_order_from_the_helix) {
    (void)unused_state;
    const double expected[4] = {.2358, .0599, .01502, .003756};
    check_rest_equilibria(CLAMPED, FREE, "weak", expected, 1e-3);
}

TEST(pointwise_curvature_makes_a_clamped_clamped_equilibrium_fourth_order_from_the_helix) {
    (void)unused_state;
    const double expected[4] = {2.68e-4, 1.63e-5, 1.02e-6, 6.4e-8};
    check_rest_equilibria(CLAMPED, CLAMPED, "weak", expected, 5e-3);
}

typedef struct rest_run {
    const char *kappa, *energy, *ends;
    withy_end_kind end[2];
    int n, steps;
    double h;
} rest_run;

/* Largest component of the motion of a spring at rest. */
static double rest_motion(const rest_run *run) {
    spring_case c;
    spring_of(&c, TEST_HELIX, run->end[0], run->end[1], run->n, run->h);
    spring_option(&c, "energy", 0, run->energy);
    spring_option(&c, "kappa", 0, run->kappa);
    spring_option(&c, "ends", 0, run->ends);
    spring_make(&c);
    vec3 x[200];
    CHECK(run->n < 200);
    memcpy(x, c.p->now->x, ((size_t)run->n + 1) * sizeof *x);
    spring_steps(&c, run->steps);
    double most = 0;
    for (int j = 0; j <= run->n; j++) {
        const vec3 d = v3_sub(c.p->now->x[j], x[j]);
        most = worst_of(most, wy_max(fabs(d.x), wy_max(fabs(d.y), fabs(d.z))));
        CHECK(v3_finite(d));
    }
    spring_free(&c);
    return most;
}

TEST(a_spring_at_rest_stays_at_rest_to_3e_13_with_discrete_curvature) {
    (void)unused_state;
    const withy_end_kind ends[][2] = {
        {PINNED, PINNED}, {CLAMPED, CLAMPED}, {CLAMPED, FREE}, {FREE, FREE}};
    double most = 0;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        for (int n = 24; n <= 96; n *= 2) {
            const rest_run run = {"discrete", "strain", "weak", {ends[i][0], ends[i][1]},
                                  n,          50,       .1};
            most = worst_of(most, rest_motion(&run));
        }
    print_message("largest motion %.1e\n", most);
    CHECK_BELOW(most, 3e-13);
}

TEST(the_quadratic_energy_moves_a_spring_at_rest_by_fourth_order) {
    (void)unused_state;
    const double expected[3] = {2.7e-3, 1.8e-4, 9.5e-6};
    const withy_end_kind ends[][2] = {{PINNED, PINNED}, {CLAMPED, CLAMPED}, {CLAMPED, FREE}};
    double moved[3][3];
    for (int e = 0; e < 3; e++)
        for (int k = 0; k < 3; k++) {
            const rest_run run = {"discrete", "quadratic", "weak", {ends[e][0], ends[e][1]},
                                  24 << k,    50,          .1};
            moved[e][k] = rest_motion(&run);
            print_message("ends %d, N = %d: %.2e (notes %.2e)\n", e, 24 << k, moved[e][k],
                          expected[k]);
        }
    /* the reference does not state its ends; size and order are met by clamped ones */
    for (int e = 1; e < 3; e++)
        for (int k = 0; k < 3; k++) CHECK_NEAR(log(moved[e][k] / expected[k]), 0, log(2.0));
    for (int e = 1; e < 3; e++) CHECK_NEAR(log2(moved[e][0] / moved[e][2]) / 2, 4.0, 0.2);
}

TEST(strong_ends_do_not_keep_a_spring_at_rest_exactly) {
    (void)unused_state;
    const rest_run run = {"discrete", "strain", "strong", {PINNED, PINNED}, 48, 50, .1};
    const double moved = rest_motion(&run);
    print_message("N = 48: %.1e (notes 1.2e-4)\n", moved);
    CHECK_BELOW(moved, 3e-4);
}

TEST(pointwise_curvature_lets_a_spring_at_rest_drift_by_second_order) {
    (void)unused_state;
    const char *ends[2] = {"weak", "strong"};
    for (int i = 0; i < 2; i++) {
        const rest_run a = {"pointwise", "quadratic", ends[i], {PINNED, PINNED}, 48, 40, .05};
        const rest_run b = {"pointwise", "quadratic", ends[i], {PINNED, PINNED}, 96, 40, .05};
        const double coarse = rest_motion(&a), fine = rest_motion(&b);
        print_message("%s: N = 48: %.4f (notes .0081), N = 96: %.4f (.0020)\n", ends[i], coarse,
                      fine);
        CHECK_NEAR(coarse, .0081, .0005); /* the notes say 40 to 60 steps */
        CHECK_NEAR(fine, .0020, .0002);
        CHECK_NEAR(log2(coarse / fine), 2.0, .1);
    }
}

/* ---- Love and Thomson ------------------------------------------------------------------------ */

static const helix_wire LOVE = {1, .15, 4, 1, 1 / 1.3, 1, 0};

/* Material frame of the wire at s when it is bent uniformly into (radius, angle): its normal stays
 * at the angle it has in the rest helix. */
static mat3 deformed_frame(helix_wire w, double radius, double angle, double s) {
    const double phi = s * cos(angle) / radius, turned = sin(w.angle) * cos(w.angle) / w.radius * s;
    const vec3 t = v3(-cos(angle) * sin(phi), cos(angle) * cos(phi), sin(angle));
    const vec3 radial = v3(cos(phi), sin(phi), 0), binormal = v3_cross(t, v3_scale(-1, radial));
    const vec3 d1 = v3_add(v3_scale(cos(turned), radial), v3_scale(sin(turned), binormal));
    return (mat3){d1, v3_cross(t, d1), t};
}

static withy_field frame_field(mat3 f) {
    const quat q = q_from_matrix(f);
    return (withy_field){.size = 4, .value = {q.w, q.x, q.y, q.z}};
}

typedef struct wrench {
    double force, moment; /* along the axis of the helix */
} wrench;

static wrench end_wrench(const spring_case *c) {
    const vec3 f = c->p->state->balance.reaction[1], m = c->p->state->balance.reaction_moment[1],
               x = node_at(c, c->p->n);
    return (wrench){f.z, m.z + x.x * f.y - x.y * f.x};
}

/* The exact wrench of Love: F = [GJ dtau cos a - EI dk sin a]/r, M = GJ dtau sin a + EI dk cos a.
 * */
static wrench love(helix_wire w, double radius, double angle) {
    const double k0 = cos(w.angle) * cos(w.angle) / w.radius;
    const double t0 = sin(w.angle) * cos(w.angle) / w.radius;
    const double dk = cos(angle) * cos(angle) / radius - k0,
                 dt = sin(angle) * cos(angle) / radius - t0;
    return (wrench){(w.twist * dt * cos(angle) - w.bend * dk * sin(angle)) / radius,
                    w.twist * dt * sin(angle) + w.bend * dk * cos(angle)};
}

static wrench solve_love(helix_wire w, double radius, double angle, int n) {
    spring_case c;
    spring_of(&c, w, CLAMPED, CLAMPED, n, .1);
    c.rod.initial = helix_shape(radius, angle);
    c.rod.end[0].frame = frame_field(deformed_frame(w, radius, angle, 0));
    c.rod.end[1].frame = frame_field(deformed_frame(w, radius, angle, c.rod.length));
    spring_option(&c, "kappa", 0, "pointwise");
    spring_option(&c, "energy", 0, "quadratic");
    spring_make(&c);
    relax(&c, 1.0);
    const wrench got = end_wrench(&c);
    spring_free(&c);
    return got;
}

static void check_love(double radius, double angle, wrench exact, const double force[4],
                       double moment) {
    const wrench closed = love(LOVE, radius, angle);
    CHECK_NEAR(closed.force, exact.force, 1e-10);
    CHECK_NEAR(closed.moment, exact.moment, 1e-7);
    double before = 0;
    for (int k = 0; k < 4; k++) {
        const wrench got = solve_love(LOVE, radius, angle, 64 << k);
        const double error = got.force - exact.force;
        print_message("N = %d: F %.7f (notes %.7f), M %.7f; order %.3f\n", 64 << k, got.force,
                      force[k], got.moment, k ? log2(before / error) : NAN);
        CHECK_NEAR(got.force, force[k], 2e-7);
        if (k == 3) CHECK_NEAR(got.moment, moment, 1e-6);
        if (k == 3) CHECK_NEAR(log2(before / error), 2.0, 0.02);
        before = error;
    }
}

TEST(force_and_moment_of_a_spring_at_twice_its_length_turns_kept) {
    (void)unused_state;
    const double a = asin(2 * sin(.15)), r = wire_length(LOVE) * cos(a) / (8 * WY_PI);
    const double force[4] = {.1151609, .1210093, .1224601, .1228222};
    check_love(r, a, (wrench){.1229427687, .0014370}, force, .0015723);
}

TEST(force_of_a_spring_at_twice_its_length_without_moment) {
    (void)unused_state;
    const double a = asin(2 * sin(.15)), k0 = cos(.15) * cos(.15), t0 = sin(.15) * cos(.15);
    const double gj = LOVE.twist, c = cos(a), s = sin(a);
    const double r = (gj * s * s * c + c * c * c) / (gj * t0 * s + k0 * c);
    const double force[4] = {.1151405, .1209422, .1223815, .1227406};
    check_love(r, a, (wrench){.1228602460, 0}, force, 1.34e-4);
}

TEST(force_and_moment_of_a_spring_pulled_to_a_pitch_of_0_8) {
    (void)unused_state;
    const double r = wire_length(LOVE) * cos(.8) / (8 * WY_PI);
    const double force[4] = {.6996371, .7157398, .7197668, .7207736};
    check_love(r, .8, (wrench){.7211092312, .1086669}, force, .1082858);
}

TEST(force_and_moment_of_a_spring_pressed_to_half_its_length) {
    (void)unused_state;
    const double a = asin(.5 * sin(.15)), r = wire_length(LOVE) * cos(a) / (8 * WY_PI);
    const double force[4] = {-.0535363, -.0559622, -.0565966, -.0567569};
    check_love(r, a, (wrench){-.0568104616, .0040692}, force, .0042702);
}

/* ---- small pull, own weight ------------------------------------------------------------------ */

static withy_status pull(void *context, double s, double t, double *out, withy_error *err) {
    const double *at = context;
    (void)s, (void)err;
    out[0] = at[0], out[1] = at[1], out[2] = at[2] + t * at[3];
    return WITHY_OK;
}

/* dF/dz with the end frames held. */
static double axial_stiffness(helix_wire w, int n) {
    spring_case c;
    spring_of(&c, w, CLAMPED, CLAMPED, n, .1);
    const double small = 1e-4;
    double at[4] = {cos(2 * WY_PI * w.turns), sin(2 * WY_PI * w.turns), c.rod.length * sin(w.angle),
                    small};
    c.rod.end[1].position = (withy_field){.size = 3, .call = pull, .context = at};
    spring_option(&c, "kappa", 0, "pointwise");
    spring_make(&c);
    relax(&c, 1.0);
    const double up = end_wrench(&c).force;
    relax(&c, -1.0);
    const double down = end_wrench(&c).force;
    spring_free(&c);
    return (up - down) / (2 * small);
}

TEST(axial_stiffness_exceeds_the_long_spring_formula_by_the_ends_as_in_the_notes) {
    (void)unused_state;
    const double turns[4] = {2, 4, 8, 16}, expected[4] = {3.6, 1.6, .49, .13};
    for (int k = 0; k < 4; k++) {
        helix_wire w = LOVE;
        w.turns = turns[k];
        const double l = wire_length(w), sine = sin(w.angle), cosine = cos(w.angle);
        const double fix = (w.bend * sine * sine + w.twist * cosine * cosine) / l;
        const double coarse = axial_stiffness(w, (int)(32 * turns[k]));
        const double fine = axial_stiffness(w, (int)(64 * turns[k]));
        const double limit = fine + (fine - coarse) / 3;
        print_message("n = %g: k/k_fix - 1 = %+.2f %% (notes %+.2f %%), errors %.2f %%, %.2f %%\n",
                      turns[k], 100 * (limit / fix - 1), expected[k], 100 * (coarse / limit - 1),
                      100 * (fine / limit - 1));
        CHECK_NEAR(100 * (limit / fix - 1), expected[k], k < 2 ? .06 : .006);
        CHECK_NEAR(100 * (coarse / limit - 1), -1.6, .1);
        CHECK_NEAR(100 * (fine / limit - 1), -.41, .04);
    }
}

TEST(a_spring_hanging_under_its_own_weight_follows_the_formula) {
    (void)unused_state;
    const double expected[2] = {1.0258, 1.0064};
    double ratio[2];
    for (int k = 0; k < 2; k++) {
        helix_wire w = {1, .08, 6, 1, 1 / 1.3, 1, 0};
        spring_case c;
        spring_of(&c, w, CLAMPED, FREE, 6 * (32 << k), .1);
        const double g = 1e-6, l = c.rod.length;
        c.problem.gravity = v3(0, 0, g);
        spring_option(&c, "kappa", 0, "pointwise");
        spring_make(&c);
        relax(&c, 0.0);
        const double before = c.p->now->x[c.p->n].z;
        relax(&c, 1.0);
        const double dz = c.p->now->x[c.p->n].z - before;
        const double soft =
            cos(w.angle) * cos(w.angle) / w.twist + sin(w.angle) * sin(w.angle) / w.bend;
        ratio[k] = dz / (g * l * l * soft / 2);
        print_message("%d nodes a turn: %.4f (notes %.4f)\n", 32 << k, ratio[k], expected[k]);
        spring_free(&c);
    }
    CHECK_NEAR(ratio[0], expected[0], 2e-4);
    CHECK_NEAR(ratio[1], expected[1], 2e-4);
    CHECK_NEAR(ratio[1] + (ratio[1] - ratio[0]) / 3, .9999, 2e-4);
}

/* Too far for a path: the spring descends, held by its clamp only. */
TEST(bending_and_twist_at_a_held_end_have_order_2) {
    (void)unused_state;
    vec3 bend[3];
    for (int k = 0; k < 3; k++) {
        spring_case c;
        spring_of(&c, TEST_HELIX, CLAMPED, FREE, 48 << k, .1);
        c.problem.gravity = v3(2e-3, 1e-3, 3e-3);
        spring_make(&c);
        relax(&c, 1.0);
        bend[k] = withy_sim_sample(c.sim, 0)->bend[0];
        spring_free(&c);
    }
    const vec3 coarse = v3_sub(bend[0], bend[1]), fine = v3_sub(bend[1], bend[2]);
    CHECK_BELOW(3 * fabs(fine.x), fabs(coarse.x));
    CHECK_BELOW(3 * fabs(fine.y), fabs(coarse.y));
    CHECK_BELOW(3 * fabs(fine.z), fabs(coarse.z));
}

TEST(a_spring_pulled_straight_descends_to_a_stable_equilibrium) {
    (void)unused_state;
    spring_case c;
    withy_error err = {0};
    withy_equilibrium at;
    spring_of(&c, TEST_HELIX, CLAMPED, FREE, 48, .1);
    c.rod.initial =
        (withy_shape){.kind = WITHY_SHAPE_STRAIGHT, .along = {1, 0, 0}, .normal = {0, 1, 0}};
    spring_make(&c);
    CHECK_OK(withy_sim_equilibrium(c.sim, 1.0, &at, &err));
    CHECK(at.negative == 0);
    CHECK_BELOW(v3_norm(c.p->state->balance.reaction[0]),
                1e-8); /* Newton's 1e-9, forces of size 1 */
    CHECK_BELOW(v3_norm(c.p->state->balance.reaction_moment[0]),
                1e-7); /* times the length               */
    spring_free(&c);
}

TEST(a_path_by_arc_length_passes_the_equilibria_of_its_factors) {
    (void)unused_state;
    spring_case c, d;
    withy_error err = {0};
    withy_equilibrium at;
    helix_wire w = {1, .08, 6, 1, 1 / 1.3, 1, 0};
    for (int k = 0; k < 2; k++) {
        spring_case *one = k ? &d : &c;
        spring_of(one, w, CLAMPED, FREE, 96, .1);
        one->problem.gravity = v3(0, 0, 1e-4);
        spring_make(one);
        relax(one, 0.0);
    }
    for (int k = 0; k < 4; k++) {
        const double before = withy_sim_time(c.sim);
        CHECK_OK(withy_sim_follow(c.sim, 0.2, 1.0, &at, &err));
        CHECK(at.factor > before);
        CHECK_OK(withy_sim_equilibrium(d.sim, at.factor, &at, &err));
        CHECK_BELOW(positions_apart(c.p, c.p->now->x, d.p->now->x), 1e-6 * c.rod.length);
    }
    spring_free(&c), spring_free(&d);
}

/* ---- other rest shapes ---------------------------------------------------------------------------- */

/* A conical, variable-pitch spring by curvature and torsion of its Frenet frame. */
static withy_status cone(void *context, double s, double t, double *out, withy_error *err) {
    (void)context, (void)t, (void)err;
    out[0] = 0, out[1] = 0.9 + 0.05 * s, out[2] = 0.2 + 0.1 * sin(0.3 * s);
    return WITHY_OK;
}

/* The same curve by its points: strains integrated once, finely. */
static withy_status cone_points(void *context, double s, double t, double *out, withy_error *err) {
    const withy_rod *rod = context;
    wy_pose pose;
    (void)t;
    WY_TRY(wy_shape_poses(rod, &rod->initial, 1, &s, &pose, err));
    v3_to(pose.r, out);
    return WITHY_OK;
}

TEST(springs_of_varying_pitch_and_radius_stay_at_rest) {
    (void)unused_state;
    for (int by_points = 0; by_points < 2; by_points++)
        for (int rotary = 0; rotary < 2; rotary++) {
            spring_case c;
            helix_wire w = TEST_HELIX;
            w.rotary = rotary ? .01 : 0;
            spring_of(&c, w, CLAMPED, by_points ? PINNED : FREE, 48, .1);
            withy_rod model = c.rod;
            model.initial = (withy_shape){.kind = WITHY_SHAPE_STRAIN,
                                          .along = {0, 0, 1},
                                          .strain = {.size = 3, .call = cone}};
            c.rod.rest = model.initial;
            if (by_points)
                c.rod.rest =
                    (withy_shape){.kind = WITHY_SHAPE_CURVE,
                                  .position = {.size = 3, .call = cone_points, .context = &model}};
            spring_make(&c);
            vec3 x[49];
            memcpy(x, c.p->now->x, sizeof x);
            spring_steps(&c, 50);
            const double moved = positions_apart(c.p, x, c.p->now->x);
            const withy_snapshot *snap = withy_sim_sample(c.sim, 0);
            double strain = 0;
            for (int j = 0; j < snap->count; j++) strain = worst_of(strain, v3_norm(snap->bend[j]));
            print_message("%s, I_d %g: moved %.1e (notes 2e-11), strain %.1e\n",
                          by_points ? "points" : "curvature", w.rotary, moved, strain);
            CHECK_BELOW(moved, 2e-11);
            CHECK_BELOW(strain, 1e-10);
            spring_free(&c);
        }
}

/* The material frame of a shape given by strains is the one given by the strains. */
TEST(a_rest_shape_with_twist_keeps_its_material_frame) {
    (void)unused_state;
    double before = 0;
    for (int n = 96; n <= 192; n *= 2) {
        spring_case c;
        spring_of(&c, TEST_HELIX, CLAMPED, FREE, n, .1);
        c.rod.rest = (withy_shape){
            .kind = WITHY_SHAPE_STRAIN, .along = {0, 0, 1}, .strain = {.size = 3, .call = cone}};
        spring_make(&c);
        const withy_snapshot *snap = withy_sim_sample(c.sim, 0);
        double most = 0;
        for (int j = 0; j < snap->count; j++) {
            wy_pose q;
            wy_shape_poses(&c.rod, &c.rod.rest, 1, &snap->s[j], &q, NULL);
            most = worst_of(most, v3_norm(v3_sub(q_matrix(snap->frame[j]).c1, q.frame.c1)));
        }
        print_message("N = %d: d1 off by %.1e\n", n, most);
        CHECK_BELOW(most, 0.03);
        if (before > 0) CHECK_NEAR(log2(before / most), 2.0, .1);
        before = most;
        spring_free(&c);
    }
}

/* Held in equilibrium by a pull at its end, a spring starts to move only when that is removed. */
TEST(a_spring_starts_from_the_equilibrium_under_a_pull) {
    (void)unused_state;
    for (int held = 0; held < 2; held++) {
        spring_case c;
        spring_of(&c, LOVE, CLAMPED, FREE, 128, .2);
        const withy_load load = {.kind = WITHY_LOAD_POINT,
                                 .from = c.rod.length,
                                 .to = c.rod.length,
                                 .force = withy_field_vector(0, 0, .01)};
        c.rod.settled = 1, c.rod.pull = &load, c.rod.pull_count = 1;
        if (held) c.rod.end[1].force = withy_field_vector(0, 0, .01), c.rod.pull_count = 0;
        spring_make(&c);
        const double z = c.p->now->x[128].z;
        spring_steps(&c, 50);
        print_message("%s: started at z = %.4f, moved by %.1e\n", held ? "held" : "let go", z,
                      c.p->now->x[128].z - z);
        CHECK(z > c.rod.length * sin(LOVE.angle) + .2);
        if (held) CHECK_BELOW(fabs(c.p->now->x[128].z - z), 1e-7);
        if (!held) CHECK(c.p->now->x[128].z - z < -.1);
        spring_free(&c);
    }
}

/* ---- the designer's table ------------------------------------------------------------------------- */

static double figure_of(spring_case *c, const char *name) {
    withy_figure f;
    for (int i = 0; withy_sim_figure(c->sim, i, &f); i++)
        if (strcmp(f.name, name) == 0) return f.value;
    return NAN;
}

TEST(the_table_gives_force_stiffness_and_the_classical_values) {
    (void)unused_state;
    spring_case c;
    withy_error err = {0};
    withy_equilibrium at;
    spring_of(&c, LOVE, CLAMPED, CLAMPED, 256, .1);
    double to[4] = {1, 0, c.rod.length * sin(LOVE.angle), 0.4};
    c.rod.end[1].position = (withy_field){.size = 3, .call = pull, .context = to};
    spring_make(&c);
    CHECK_OK(withy_sim_equilibrium(c.sim, 0.0, &at, &err));
    CHECK(at.negative == 0);
    CHECK_BELOW(fabs(figure_of(&c, "axial_force")), 1e-9);
    const double l = c.rod.length, o = cos(LOVE.angle), s = sin(LOVE.angle);
    const double rest = figure_of(&c, "stiffness");
    CHECK_NEAR(rest / axial_stiffness(LOVE, 256), 1.0, 5e-3); /* theirs: pointwise kappa */
    CHECK_NEAR(figure_of(&c, "stiffness_turns_kept"), (s * s + LOVE.twist * o * o) / l, 1e-12);
    CHECK_NEAR(figure_of(&c, "stiffness_free_to_turn"), 1 / (l * (o * o / LOVE.twist + s * s)),
               1e-12);
    CHECK_NEAR(figure_of(&c, "stiffness_close_coiled"), LOVE.twist / (8 * WY_PI), 1e-12);
    CHECK_NEAR(figure_of(&c, "surge_frequency"), .1084012 / (2 * WY_PI), 1e-7);
    CHECK_OK(withy_sim_equilibrium(c.sim, 1.0, &at, &err));
    CHECK_NEAR(figure_of(&c, "extension"), .4, 1e-9);
    const double force = figure_of(&c, "axial_force");
    print_message("force %.6f at 0.4, Love %.6f, stiffness %.6f\n", force,
                  figure_of(&c, "force_turns_kept"), figure_of(&c, "stiffness"));
    CHECK_NEAR(force / (.4 * rest), 1.0, 0.02);
    CHECK_NEAR(figure_of(&c, "force_turns_kept") / force, 1.0, 0.03); /* ends held at rest frames */
    spring_free(&c);
}

TEST(force_and_torque_on_the_axis_stretch_and_turn_as_thomson_says) {
    (void)unused_state;
    spring_case c;
    withy_error err = {0};
    withy_equilibrium at;
    helix_wire w = {1, .1, 12, 1, 1 / 1.3, 1, 0};
    spring_of(&c, w, CLAMPED, WITHY_END_GUIDED, 12 * 48, .1);
    c.rod.end[1].force = withy_field_vector(0, 0, 1e-4);
    spring_make(&c);
    CHECK_OK(withy_sim_equilibrium(c.sim, 1.0, &at, &err));
    const double stiff = 1e-4 / figure_of(&c, "extension");
    print_message("pulled: k = %.6f, Thomson %.6f\n", stiff, figure_of(&c, "stiffness_turns_kept"));
    CHECK_NEAR(stiff / figure_of(&c, "stiffness_turns_kept"), 1.0, 0.015);
    CHECK_NEAR(figure_of(&c, "stiffness") / stiff, 1.0, 1e-3);
    spring_free(&c);
}

RUN(test(pointwise_curvature_makes_a_pinned_equilibrium_second_order_from_the_helix),
    test(pointwise_curvature_makes_a_clamped_free_equilibrium_second_order_from_the_helix),
    test(pointwise_curvature_makes_a_clamped_clamped_equilibrium_fourth_order_from_the_helix),
    test(a_spring_at_rest_stays_at_rest_to_3e_13_with_discrete_curvature),
    test(the_quadratic_energy_moves_a_spring_at_rest_by_fourth_order),
    test(strong_ends_do_not_keep_a_spring_at_rest_exactly),
    test(pointwise_curvature_lets_a_spring_at_rest_drift_by_second_order),
    test(force_and_moment_of_a_spring_at_twice_its_length_turns_kept),
    test(force_of_a_spring_at_twice_its_length_without_moment),
    test(force_and_moment_of_a_spring_pulled_to_a_pitch_of_0_8),
    test(force_and_moment_of_a_spring_pressed_to_half_its_length),
    test(axial_stiffness_exceeds_the_long_spring_formula_by_the_ends_as_in_the_notes),
    test(a_spring_hanging_under_its_own_weight_follows_the_formula),
    test(bending_and_twist_at_a_held_end_have_order_2),
    test(a_spring_pulled_straight_descends_to_a_stable_equilibrium),
    test(a_path_by_arc_length_passes_the_equilibria_of_its_factors),
    test(springs_of_varying_pitch_and_radius_stay_at_rest),
    test(a_rest_shape_with_twist_keeps_its_material_frame),
    test(a_spring_starts_from_the_equilibrium_under_a_pull),
    test(the_table_gives_force_stiffness_and_the_classical_values),
    test(force_and_torque_on_the_axis_stretch_and_turn_as_thomson_says))
