/* law_scene.h - rods with section laws, from the text of a scene. */
#pragma once

#include <stdlib.h>

#include "check.h"
#include "withy/scene.h"

typedef struct law_scene {
    withy_scene *scene;
    withy_sim *sim;
} law_scene;

/* A rod of length 1, with more keys of the rod and of the scene. */
static inline withy_status law_begin(law_scene *x, const char *rod, const char *more,
                                     withy_error *err) {
    char text[4096];
    *x = (law_scene){0};
    snprintf(text, sizeof text,
             "return { rod = { length = 1, inertia = { mass = 1, rotary = { 1e-4, 2e-4, 3e-4 } }, "
             "%s },\n"
             "  time = { stop = 0.4, output = 0.4 }, %s }",
             rod, more);
    const withy_status status =
        withy_scene_read_text(text, strlen(text), "t.lua", NULL, 0, &x->scene, err);
    if (status == WITHY_MISSING) skip(); /* a build without Lua */
    return status == WITHY_OK ? withy_scene_sim(x->scene, NULL, &x->sim, err) : status;
}

static inline void law_end(law_scene *x) {
    withy_sim_destroy(x->sim);
    withy_scene_destroy(x->scene);
}

static inline void law_refused(const char *rod, const char *more, const char *words) {
    law_scene x;
    withy_error err = {0};
    CHECK(law_begin(&x, rod, more, &err) != WITHY_OK);
    if (!strstr(err.text, words)) fail_msg("%s", err.text);
    law_end(&x);
}

static inline withy_vec3 law_tip(withy_sim *sim) {
    const withy_snapshot *now = withy_sim_sample(sim, 0);
    return now->position[now->count - 1];
}

/* From the middle of a motion, saved and restored: the same bits at its end. */
static inline void law_repeats(law_scene *x) {
    withy_error err = {0};
    CHECK_OK(withy_sim_advance(x->sim, 0.2, &err));
    const size_t size = withy_sim_save_size(x->sim);
    void *bytes = malloc(size);
    CHECK(bytes);
    CHECK_OK(withy_sim_save(x->sim, bytes, size, &err));
    CHECK_OK(withy_sim_advance(x->sim, 0.4, &err));
    const withy_vec3 tip = law_tip(x->sim);
    CHECK_OK(withy_sim_restore(x->sim, bytes, size, &err));
    CHECK_OK(withy_sim_advance(x->sim, 0.4, &err));
    const withy_vec3 again = law_tip(x->sim);
    CHECK(memcmp(&tip, &again, sizeof tip) == 0);
    free(bytes);
}
