/* method_frozen.c - the smallest method there is: the rod stays where it starts.  For the test that
 * a method is one file and one line. */
#include "method/method.h"
#include "model/model.h"

typedef struct options {
    int n;
} options;

static const wy_option option_table[] = {
    {{"n", "-", "number of intervals", 'i', 10, 1, 1000, NULL}, offsetof(options, n)}, {{0}, 0}};

typedef struct state {
    const withy_problem *problem;
    const wy_model *model;
    int n;
} state;

static withy_status create(const wy_setup *setup, void **out, withy_error *err) {
    state *x = wy_arena_alloc(setup->arena, 1, sizeof *x);
    if (!x) return wy_fail(err, WITHY_NO_MEMORY, "frozen: no memory");
    *x = (state){setup->problem, setup->model, ((const options *)setup->options)->n};
    *out = x;
    return WITHY_OK;
}

static withy_status advance(void *self, const wy_span *span, withy_error *err) {
    (void)self, (void)span, (void)err;
    return WITHY_OK;
}

static int nodes(const void *self, int rod, double *s) {
    const state *x = self;
    for (int i = 0; s && i <= x->n; i++) s[i] = x->problem->rod[rod].length * i / x->n;
    return x->n + 1;
}

static void sample(const void *self, int rod, withy_snapshot *snap) {
    const state *x = self;
    for (int i = 0; i < snap->count; i++) {
        wy_pose pose;
        if (wy_model_initial_poses(x->model, rod, 1, &snap->s[i], &pose, NULL) != WITHY_OK) return;
        snap->position[i] = pose.r;
    }
    snap->have = WITHY_HAVE_POSITION;
}

const wy_method wy_method_frozen = {
    .name = "frozen",
    .summary = "never moves",
    .source = "none",
    .can = WY_CAN_LOADED,
    .keys = "rod.toy",
    .options = option_table,
    .options_size = sizeof(options),
    .create = create,
    .advance = advance,
    .nodes = nodes,
    .sample = sample,
};
