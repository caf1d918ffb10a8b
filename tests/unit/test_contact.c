/* Contact over a step: exact balances, tangents against differences, nothing missed by the grid. */
#include <stdlib.h>

#include "check.h"
#include "contact/contact.h"
#include "fixture.h"

static double noise(uint64_t *seed) {
    return random_between(seed, -1, 1);
}
static vec3 any(uint64_t *seed, double size) {
    const double x = noise(seed), y = noise(seed), z = noise(seed);
    return v3(size * x, size * y, size * z);
}

/* Two segments of length about 1 that cross at a distance of about 0.2, in a step that moves them by `way`. */
static wy_contact_step any_step(uint64_t *seed, const wy_contact_pair *pair, double way,
                                double per) {
    wy_contact_step step = {.per = per};
    const vec3 a[4] = {v3(-0.5, 0, 0.1), v3(0.5, 0.1, 0.1), v3(0, -0.5, -0.08),
                       v3(0.1, 0.5, -0.08)};
    for (int i = 0; i < 4; i++) {
        step.minus[i] = v3_add(a[i], any(seed, 0.05));
        step.plus[i] = v3_add(step.minus[i], any(seed, way));
        step.theta[i] = any(seed, way);
    }
    step.z = any(seed, 1e-3);
    step.before = wy_pair_closest(step.minus, pair->round);
    step.after = wy_pair_closest(step.plus, pair->round);
    return step;
}

static const wy_contact_pair touching = {.law = {.kind = &wy_contact_compliant, .stiffness = 50},
                                         .radius = 0.3,
                                         .share = 0.4,
                                         .round = {1e-4, 2e-4},
                                         .friction = 0.3,
                                         .stick = 40};

TEST(the_push_of_a_pair_does_the_work_of_its_energy_and_keeps_both_momenta) {
    uint64_t seed = 1;
    int met = 0;
    for (int k = 0; k < 2000; k++) {
        wy_contact_pair pair = touching;
        if (k % 3 == 1)
            pair.law.kind = &wy_contact_barrier, pair.law.range = 0.4, pair.radius = 0.05;
        const wy_contact_step step = any_step(&seed, &pair, k % 2 ? 0.05 : 0.4, 100);
        wy_contact_push push;
        if (pair.law.range > 0 &&
            fmin(wy_pair_gap(&pair, &step.before), wy_pair_gap(&pair, &step.after)) <= 0)
            continue; /* no step ends inside a barrier */
        if (!wy_pair_push(&pair, &step, &push)) continue;
        met++;
        double work = 0;
        vec3 force = v3(0, 0, 0), moment = v3(0, 0, 0);
        for (int i = 0; i < 4; i++) {
            const vec3 f = v3_from(&push.force[3 * i]),
                       mid = v3_scale(0.5, v3_add(step.plus[i], step.minus[i]));
            work += v3_dot(f, v3_sub(step.plus[i], step.minus[i]));
            force = v3_add(force, f), moment = v3_add(moment, v3_cross(mid, f));
        }
        const double grown = wy_contact_law_energy(&pair.law, wy_pair_gap(&pair, &step.after)) -
                             wy_contact_law_energy(&pair.law, wy_pair_gap(&pair, &step.before));
        const double size = push.push;
        CHECK_NEAR(work, -grown, 1e-13 * size);
        CHECK_NEAR(v3_norm(force), 0, 1e-14 * size);
        CHECK_NEAR(v3_norm(moment), 0, 1e-14 * size);
    }
    CHECK(met > 1000);
}

/* Residuals of the pair with friction, 24 rows. */
static int all_forces(const wy_contact_pair *pair, wy_contact_step *step,
                      double out[WY_FRICTION_ROWS]) {
    wy_contact_push push;
    wy_contact_friction rub;
    step->after = wy_pair_closest(step->plus, pair->round);
    for (int i = 0; i < WY_FRICTION_ROWS; i++) out[i] = 0;
    if (!wy_pair_push(pair, step, &push)) return 0;
    wy_pair_friction(pair, step, &push, &rub);
    for (int i = 0; i < WY_FRICTION_ROWS; i++)
        out[i] = rub.force[i] + (i < WY_PAIR_ROWS ? push.force[i] : 0);
    return 1 + rub.slides;
}

static double tangent_error(const wy_contact_pair *pair, const wy_contact_step *at, int *kind) {
    wy_contact_step step = *at;
    wy_contact_push push;
    wy_contact_friction rub;
    if (!wy_pair_push(pair, &step, &push)) return *kind = 0, 0;
    wy_pair_friction(pair, &step, &push, &rub);
    *kind = 1 + rub.slides;
    double worst = 0, size = 0;
    for (int j = 0; j < WY_FRICTION_ROWS; j++) {
        double side[2][WY_FRICTION_ROWS];
        const double h = 1e-6;
        for (int k = 0; k < 2; k++) {
            wy_contact_step near = step;
            double *x = j < WY_PAIR_ROWS ? &near.plus[j / 3].x : &near.theta[j / 3 - 4].x;
            x[j % 3] += k ? h : -h;
            if (all_forces(pair, &near, side[k]) != *kind ||
                near.after.free[0] != step.after.free[0] ||
                near.after.free[1] != step.after.free[1])
                return *kind = 0, 0; /* a kink between */
        }
        for (int i = 0; i < WY_FRICTION_ROWS; i++) {
            const double slope =
                rub.slope[i][j] + (i < WY_PAIR_ROWS && j < WY_PAIR_ROWS ? push.slope[i][j] : 0);
            worst = fmax(worst, fabs(slope - (side[1][i] - side[0][i]) / (2 * h)));
            size = fmax(size, fabs(slope));
        }
    }
    return worst / size;
}

TEST(the_tangent_of_a_pair_is_the_derivative_of_its_forces) {
    uint64_t seed = 2;
    int met[3] = {0};
    for (int k = 0; k < 600; k++) {
        wy_contact_pair pair = touching;
        pair.law.damping = k % 4 == 3 ? 0.002 : 0;
        if (k % 5 == 4) pair.stick = 2;
        const wy_contact_step step = any_step(&seed, &pair, 0.05, k % 7 == 6 ? 0 : 100);
        int kind;
        const double error = tangent_error(&pair, &step, &kind);
        met[kind]++;
        CHECK_BELOW(error, 1e-6);
    }
    CHECK(met[1] > 50 && met[2] > 50);
}

TEST(friction_always_loses_energy_and_its_ledger_sums_close) {
    uint64_t seed = 3;
    for (int k = 0; k < 1000; k++) {
        const wy_contact_step step = any_step(&seed, &touching, 0.05, 100);
        wy_contact_push push;
        wy_contact_friction rub;
        if (!wy_pair_push(&touching, &step, &push)) continue;
        wy_pair_friction(&touching, &step, &push, &rub);
        double work = 0;
        vec3 force = v3(0, 0, 0), moment = v3(0, 0, 0);
        for (int i = 0; i < 4; i++) {
            const vec3 f = v3_from(&rub.force[3 * i]), m = v3_from(&rub.force[12 + 3 * i]);
            const vec3 mid = v3_scale(0.5, v3_add(step.plus[i], step.minus[i]));
            work += v3_dot(f, v3_sub(step.plus[i], step.minus[i])) + v3_dot(m, step.theta[i]);
            force = v3_add(force, f), moment = v3_add(moment, v3_add(m, v3_cross(mid, f)));
        }
        CHECK(rub.lost >= -1e-16);
        CHECK_NEAR(work + rub.lost + rub.kept, 0, 1e-14);
        CHECK_NEAR(v3_norm(force) + v3_norm(moment), 0, 1e-13);
        CHECK(v3_norm(rub.z) * touching.stick <= touching.friction * push.push * (1 + 1e-12));
    }
}

static double ball(const void *self, vec3 x) {
    (void)self;
    return v3_norm(x) - 0.5;
}

enum { KINDS = WY_OBSTACLE_MESH }; /* all but meshes, which have a test of their own */

static wy_obstacle any_obstacle(int k) {
    const mat3 frame = m3_frame(v3_unit(v3(0.2, 0.3, 0.9)), v3(1, 0, 0));
    return (wy_obstacle){.kind = (wy_obstacle_kind)(k % KINDS),
                         .inside = k / KINDS % 2 && k % KINDS != WY_OBSTACLE_PLANE &&
                                   k % KINDS != WY_OBSTACLE_DISTANCE,
                         .frame = frame,
                         .radius = 0.5,
                         .half = {0.4, 0.5, 0.3},
                         .distance = ball};
}

static wy_obstacle_step any_touch(uint64_t *seed, const wy_obstacle *o, double way) {
    wy_obstacle_step step = {.theta = any(seed, 0.1),
                             .z = any(seed, 1e-3),
                             .radius = 0.05,
                             .per = 100,
                             .law = {.kind = &wy_contact_compliant, .stiffness = 100},
                             .friction = 0.3,
                             .stick = 30};
    vec3 x = any(seed, 0.7), gradient;
    for (int i = 0; i < 20; i++)
        x = v3_axpy(x, 0.03 - wy_obstacle_distance(o, x, &gradient), gradient);
    step.minus = v3_add(x, any(seed, 0.01));
    step.plus = v3_add(step.minus, any(seed, way));
    step.directed = noise(seed) > 0, step.along = v3_unit(any(seed, 1));
    step.forward = 0.1, step.back = 0.2;
    return step;
}

TEST(the_push_of_an_obstacle_does_the_work_of_its_energy) {
    uint64_t seed = 4;
    int met = 0;
    for (int k = 0; k < 3000; k++) {
        const wy_obstacle o = any_obstacle(k);
        wy_obstacle_step step = any_touch(&seed, &o, 0.1);
        wy_obstacle_push push;
        vec3 unused;
        if (!wy_obstacle_push_on(&o, &step, &push)) continue;
        met++;
        const double minus = wy_obstacle_distance(&o, step.minus, &unused) - step.radius;
        const double grown =
            wy_contact_law_energy(&step.law, push.gap) - wy_contact_law_energy(&step.law, minus);
        const double work =
            v3_dot(push.force, v3_sub(step.plus, step.minus)) + v3_dot(push.moment, step.theta);
        CHECK_NEAR(work + grown + push.lost + push.kept, 0, 2e-14);
        CHECK(push.lost >= -1e-16);
    }
    CHECK(met > 1500);
}

TEST(the_tangent_of_an_obstacle_is_the_derivative_of_its_force) {
    uint64_t seed = 5;
    int met = 0;
    for (int k = 0; k < 600; k++) {
        const wy_obstacle o = any_obstacle(k);
        wy_obstacle_step step = any_touch(&seed, &o, 0.02);
        wy_obstacle_push push, side[2];
        if (k % 3 == 2) step.per = 0, step.friction = 0, step.directed = 0; /* statics */
        if (!wy_obstacle_push_on(&o, &step, &push)) continue;
        double worst = 0, size = 0;
        for (int j = 0; j < 6; j++) {
            for (int s = 0; s < 2; s++) {
                wy_obstacle_step near = step;
                (j < 3 ? &near.plus.x : &near.theta.x)[j % 3] += s ? 1e-6 : -1e-6;
                wy_obstacle_push_on(&o, &near, &side[s]);
            }
            for (int i = 0; i < 6; i++) {
                const double high =
                    i < 3 ? v3_get(side[1].force, i) : v3_get(side[1].moment, i - 3);
                const double low = i < 3 ? v3_get(side[0].force, i) : v3_get(side[0].moment, i - 3);
                worst = fmax(worst, fabs(push.slope[i][j] - (high - low) / 2e-6)),
                size = fmax(size, fabs(push.slope[i][j]));
            }
        }
        if (worst / size > 1e-5) { /* a kink: of friction, of the law, an edge of the box */
            met--;
            continue;
        }
        met++;
    }
    CHECK(met > 250);
}

typedef struct tally {
    unsigned char *seen;
    int count, pairs;
} tally;

static int note(void *context, int i, int j) {
    tally *x = context;
    CHECK(i < j);
    x->pairs++;
    x->seen[i * x->count + j]++;
    return 1;
}

TEST(the_grid_finds_every_overlapping_pair_once) {
    enum { COUNT = 400 };
    wy_arena arena = {0};
    wy_grid grid;
    withy_error err;
    wy_box *box = wy_arena_alloc(&arena, COUNT, sizeof *box);
    unsigned char *seen = wy_arena_alloc(&arena, COUNT * COUNT, 1);
    CHECK(box && seen && wy_grid_make(&grid, COUNT, &arena, &err) == WITHY_OK);
    uint64_t seed = 6;
    for (int round = 0; round < 20; round++) {
        for (int i = 0; i < COUNT; i++) {
            vec3 c = v3_add(v3(1e4, -1e4, 0), any(&seed, 1)),
                 far = any(&seed, 1); /* many cells wide, or long: cells far apart are one */
            if (round % 5 > 2) c = v3_add(c, v3(40 * far.x, round % 5 == 3 ? 40 * far.y : 0, 0));
            const vec3 h = any(&seed, round % 2 ? 0.05 : 0.3);
            box[i] = (wy_box){v3_sub(c, v3(fabs(h.x), fabs(h.y), fabs(h.z))),
                              v3_add(c, v3(fabs(h.x), fabs(h.y), fabs(h.z)))};
        }
        memset(seen, 0, COUNT * COUNT);
        tally x = {seen, COUNT, 0};
        wy_grid_pairs(&grid, box, COUNT, note, &x);
        for (int i = 0; i < COUNT; i++)
            for (int j = i + 1; j < COUNT; j++) {
                const int meet = box[i].low.x <= box[j].high.x && box[j].low.x <= box[i].high.x &&
                                 box[i].low.y <= box[j].high.y && box[j].low.y <= box[i].high.y &&
                                 box[i].low.z <= box[j].high.z && box[j].low.z <= box[i].high.z;
                CHECK(seen[i * COUNT + j] == meet);
            }
    }
    wy_arena_free(&arena);
}

/* Signed volume of the four points: it changes its sign when two long segments pass through each other. */
static double side_of(const vec3 p[4]) {
    return v3_dot(v3_sub(p[2], p[0]), v3_cross(v3_sub(p[1], p[0]), v3_sub(p[3], p[2])));
}

TEST(a_crossing_is_never_missed) {
    uint64_t seed = 7;
    int crossed = 0, free_ways = 0;
    for (int k = 0; k < 3000; k++) {
        vec3 minus[4], plus[4];
        for (int i = 0; i < 4; i++) {
            const vec3 at = i < 2 ? v3(i ? 5 : -5, 0, 0.5) : v3(0, i == 3 ? 5 : -5, -0.5);
            minus[i] = v3_add(at, any(&seed, 0.4));
            plus[i] = v3_add(minus[i], any(&seed, 1.5));
        }
        const int through = side_of(minus) * side_of(plus) < 0,
                  reported = wy_pair_crosses(minus, plus, 1e-2);
        crossed += through, free_ways += !reported;
        CHECK(!through || reported);
    }
    CHECK(crossed > 300 && free_ways > 300);
}

RUN(test(the_push_of_a_pair_does_the_work_of_its_energy_and_keeps_both_momenta),
    test(the_tangent_of_a_pair_is_the_derivative_of_its_forces),
    test(friction_always_loses_energy_and_its_ledger_sums_close),
    test(the_push_of_an_obstacle_does_the_work_of_its_energy),
    test(the_tangent_of_an_obstacle_is_the_derivative_of_its_force),
    test(the_grid_finds_every_overlapping_pair_once), test(a_crossing_is_never_missed))
