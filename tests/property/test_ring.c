/* test_ring.c - a ring between plates touches them with single nodes: what it does then is right, or told.
 *
 * The ring is symmetric, and so is its shape at every distance of the plates: the place of contact moves along the ring as
 * it tilts, and holds it.  One node does not move (director/contact/contact_notes.c); so no unstable direction may be
 * claimed, and a shape that leans has a note.
 *
 * The seed is the number of the day; WITHY_TEST_SEED gives another, WITHY_TEST_RINGS the number of samples.
 */
#include <stdlib.h>
#include <time.h>

#include "check.h"
#include "withy/withy.h"

static const double LEANS = 1e-4; /* of the radius: 100 times the residual that statics tells */

static int between(uint64_t *state, int low, int high) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return low + (int)((*state >> 33) % (uint64_t)(high - low + 1));
}

static void check_ring(int n) {
    char text[1600], options[40];
    const char *const option[1] = {options};
    snprintf(options, sizeof options, "options={n=%d,degree=3}", n);
    snprintf(
        text, sizeof text,
        "local r = 1e-3 local round = arc { radius = 1, from = { 0, 0, -1 }, along = { 1, 0, 0 }, "
        "normal = { 0, 0, 1 } } return { rod = { length = 2 * math.pi, stiffness = { bend = { 1e3, "
        "1 }, twist = 1e3, stretch = 1e7, shear = 1e7 }, inertia = { mass = 1 }, radius = r, rest "
        "= round }, initial = { shape = round }, obstacles = { plane { point = function(t) return "
        "0, 0, 1 + r - t end, normal = { 0, 0, -1 }, stiffness = 1e7 }, plane { point = { 0, 0, -1 "
        "- r }, stiffness = 1e7 } }, ends = { start = clamped {}, finish = clamped {} }, path = { "
        "from = 0, to = 0.45, steps = 9 }, method = \"director\" }");
    withy_scene *scene = NULL;
    withy_sim *sim = NULL;
    withy_error err = {0};
    const withy_status status =
        withy_scene_read_text(text, strlen(text), "test.lua", option, 1, &scene, &err);
    if (status == WITHY_MISSING) skip();
    CHECK_OK(status);
    CHECK_OK(withy_scene_sim(scene, "director", &sim, &err));
    for (int k = 1; k <= 9; k++) {
        withy_equilibrium at;
        if (withy_sim_rest(sim, 0.05 * k, &at, &err) != WITHY_OK) {
            printf("n = %d, factor %.2f: %s\n", n, 0.05 * k, err.text);
            break; /* told */
        }
        const withy_snapshot *snap = withy_sim_sample(sim, 0);
        double lean = 0;
        for (int i = 0; i < snap->count; i++)
            lean = fmax(lean, fabs(snap->position[i].x + snap->position[snap->count - 1 - i].x));
        const char *notes = withy_sim_notes(sim)->text;
        const int reported = notes && strstr(notes, "lean to one side");
        if (lean > LEANS || at.negative)
            printf("n = %d, factor %.2f: %d unstable, leans by %.2g, %s\n", n, at.factor,
                   at.negative, lean, reported ? "told" : "not told");
        CHECK(at.negative <= 0);
        CHECK(lean <= LEANS || reported);
    }
    withy_sim_destroy(sim), withy_scene_destroy(scene);
}

TEST(a_ring_between_plates_is_symmetric_or_reported) {
    const char *given = getenv("WITHY_TEST_SEED"), *many = getenv("WITHY_TEST_RINGS");
    uint64_t seed = given ? strtoull(given, NULL, 10) : (uint64_t)(time(NULL) / 86400);
    const int count = many ? atoi(many) : 2;
    printf("WITHY_TEST_SEED=%llu\n", (unsigned long long)seed);
    for (int k = 0; k < count; k++) check_ring(between(&seed, 20, 80));
}

/* Seen: an unstable direction that is not there, and shapes that lean and are "stable". */
TEST(rings_of_28_and_32_elements) {
    check_ring(28), check_ring(32);
}

RUN(test(a_ring_between_plates_is_symmetric_or_reported), test(rings_of_28_and_32_elements))
