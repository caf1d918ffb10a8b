/* Errors, arenas, suggestions, rotations. */
#include "base/base.h"
#include "base/vec.h"
#include "check.h"

TEST(every_status_has_its_sentence) {
    CHECK_TEXT(withy_status_text(WITHY_OK), "success");
    CHECK_TEXT(withy_status_text(WITHY_MISSING), "not in this build");
    CHECK_TEXT(withy_status_text((withy_status)999), "unknown status");
}

TEST(a_failure_writes_one_sentence_and_returns_its_code) {
    withy_error err = {0};
    CHECK(wy_fail(&err, WITHY_IO, "%s: no space", "a.h5") == WITHY_IO);
    CHECK(err.code == WITHY_IO);
    CHECK_TEXT(err.text, "a.h5: no space");
    CHECK(wy_fail(NULL, WITHY_IO, "nobody listens") == WITHY_IO);
}

TEST(a_prefix_is_put_before_a_sentence_and_never_overflows) {
    withy_error err = {0};
    wy_fail(&err, WITHY_BAD_INPUT, "length = 0");
    wy_fail_in(&err, WITHY_BAD_INPUT, "rods[%d]: ", 2);
    CHECK_TEXT(err.text, "rods[2]: length = 0");
    memset(err.text, 'x', sizeof err.text - 1);
    err.text[sizeof err.text - 1] = '\0';
    wy_fail_in(&err, WITHY_BAD_INPUT, "scene.lua: ");
    CHECK(strlen(err.text) == sizeof err.text - 1);
    CHECK(strncmp(err.text, "scene.lua: xxx", 14) == 0);
}

TEST(an_arena_gives_aligned_zeroed_memory_and_all_of_it_back) {
    const size_t before = withy_memory_blocks();
    wy_arena arena = {0};
    for (size_t i = 1; i < 2000; i += 37) {
        double *piece = wy_arena_alloc(&arena, i, sizeof *piece);
        CHECK(piece && (uintptr_t)piece % 64 == 0);
        for (size_t k = 0; k < i; k++) CHECK(piece[k] == 0.0);
        for (size_t k = 0; k < i; k++) piece[k] = 1.0;
    }
    CHECK(wy_arena_alloc(&arena, SIZE_MAX / 2, 16) == NULL);
    CHECK_TEXT(wy_arena_text(&arena, "withy"), "withy");
    wy_arena_free(&arena);
    CHECK(withy_memory_blocks() == before);
}

static void *no_memory(size_t size) {
    (void)size;
    return NULL;
}

TEST(an_arena_without_memory_says_so) {
    wy_arena arena = {0};
    withy_memory_hooks(no_memory, NULL);
    CHECK(wy_arena_alloc(&arena, 1, 8) == NULL);
    CHECK(wy_alloc(1, 8) == NULL);
    withy_memory_hooks(NULL, NULL);
}

TEST(a_taker_remembers_that_one_of_its_pieces_was_missing) {
    wy_arena arena = {0};
    wy_allocator from = {.arena = &arena};
    double *first = wy_allocator_alloc(&from, 5, sizeof *first);
    CHECK(first && first[4] == 0.0 && !from.failed);
    CHECK(wy_allocator_alloc(&from, SIZE_MAX / 2, 16) == NULL);
    CHECK(from.failed);
    CHECK(wy_allocator_alloc(&from, 5, sizeof *first) != NULL);
    CHECK(from.failed); /* once is enough */
    wy_arena_free(&arena);
}

static const char *fruit(const void *unused, int index) {
    static const char *const list[] = {"clamped", "pinned", "free", "guided", NULL};
    (void)unused;
    return list[index];
}

TEST(a_misspelt_name_finds_its_neighbour_and_nonsense_does_not) {
    CHECK_TEXT(wy_suggest("clampd", fruit, NULL), "clamped");
    CHECK_TEXT(wy_suggest("Pined", fruit, NULL), "pinned");
    CHECK(wy_suggest("elephant", fruit, NULL) == NULL);
    char buffer[64];
    CHECK_TEXT(wy_did_you_mean("free", buffer, sizeof buffer), "; did you mean \"free\"?");
    CHECK_TEXT(wy_did_you_mean(NULL, buffer, sizeof buffer), "");
}

TEST(exp_then_log_returns_the_rotation_at_every_size) {
    for (double angle = 1e-9; angle < 3.1; angle *= 3.7) {
        const vec3 a = v3_scale(angle, v3_unit(v3(0.3, -0.8, 0.5)));
        const vec3 b = q_log(q_exp(a));
        CHECK_NEAR(v3_norm(v3_sub(a, b)), 0, 2e-15 * (1 + angle) + 1e-24);
    }
}

TEST(matrix_and_quaternion_turn_a_vector_the_same_way) {
    const vec3 axes[] = {{2.9, 0.1, 0.2}, {0.1, -3.0, 0.1}, {0.2, 0.3, 3.1}, {0.4, 0.2, -0.1}};
    for (int i = 0; i < 4; i++) {
        const quat q = q_exp(axes[i]);
        const mat3 m = q_matrix(q);
        const quat back = q_from_matrix(m);
        const double same = fabs(q.w * back.w + q.x * back.x + q.y * back.y + q.z * back.z);
        CHECK_NEAR(same, 1, 1e-15);
        CHECK_NEAR(v3_norm(v3_sub(v3_cross(m.c1, m.c2), m.c3)), 0, 1e-15);
    }
}

TEST(the_smallest_rotation_takes_a_to_b_also_when_they_are_opposite) {
    const vec3 a = v3_unit(v3(1, 2, 3)), b = v3_unit(v3(-2, 0.5, 1));
    CHECK_NEAR(v3_norm(v3_sub(m3_mul(m3_between(a, b), a), b)), 0, 1e-15);
    const vec3 c = v3_scale(-1, a);
    CHECK_NEAR(v3_norm(v3_sub(m3_mul(m3_between(a, c), a), c)), 0, 1e-12);
}

RUN(test(every_status_has_its_sentence), test(a_failure_writes_one_sentence_and_returns_its_code),
    test(a_prefix_is_put_before_a_sentence_and_never_overflows),
    test(an_arena_gives_aligned_zeroed_memory_and_all_of_it_back),
    test(an_arena_without_memory_says_so),
    test(a_taker_remembers_that_one_of_its_pieces_was_missing),
    test(a_misspelt_name_finds_its_neighbour_and_nonsense_does_not),
    test(exp_then_log_returns_the_rotation_at_every_size),
    test(matrix_and_quaternion_turn_a_vector_the_same_way),
    test(the_smallest_rotation_takes_a_to_b_also_when_they_are_opposite))
