/* spatial_modes.c - modes of a rod that is computed in a plane: it can leave that plane.
 *
 * The same rod is made once more with options.space = "spatial", and takes over shape and loads; the study
 * corrects the shape, because the series for q differs from that for theta in what n leaves out.
 */
#include "method/cheb/frame.h"
#include "method/cheb/static.h"

enum { MIXED_MOST = 200 }; /* n beyond which the larger matrix takes too much memory */

static withy_status no_memory(const wy_cheb *x, withy_error *err) {
    return wy_no_memory(err, "cheb: no memory for modes with n = %d", x->grid.n);
}

static withy_status take_mixed(wy_cheb *x, withy_error *err) {
    struct wy_cheb_static *w = x->equilibrium;
    wy_allocator from = {.arena = x->setup->arena};
    const size_t rows = 9 * ((size_t)x->grid.n + 1);
    w->wide = wy_allocator_alloc(&from, rows * rows, sizeof *w->wide);
    w->wide_side = wy_allocator_alloc(&from, rows, sizeof *w->wide_side);
    w->none = wy_allocator_alloc(&from, (size_t)x->grid.ld, sizeof *w->none);
    w->wide_pivot = wy_allocator_alloc(&from, rows, sizeof *w->wide_pivot);
    w->wide_rows = (int)rows;
    if (!from.failed) return WITHY_OK;
    w->wide = NULL;
    return no_memory(x, err);
}

/* With the force as an unknown, where the form of the ends allows it. */
static withy_status mix(wy_cheb *x, withy_error *err) {
    struct wy_cheb_static *w = x->equilibrium;
    if (x->planar || x->opt.expanded || x->opt.ends == WY_CHEB_ENDS_A || x->grid.n > MIXED_MOST)
        return WITHY_OK;
    if (!w->wide) WY_TRY(take_mixed(x, err));
    w->mixed = 1;
    return WITHY_OK;
}

/* Notes of the second rod are those of the first. */
static withy_status make_space(wy_cheb *x, withy_error *err) {
    wy_allocator from = {.arena = x->setup->arena};
    wy_setup *setup = wy_allocator_alloc(&from, 1, sizeof *setup);
    withy_notes *notes = wy_allocator_alloc(&from, 1, sizeof *notes);
    wy_cheb_options *options = wy_allocator_alloc(&from, 1, sizeof *options);
    if (from.failed) return no_memory(x, err);
    *setup = *x->setup, *options = x->opt;
    options->space = WY_CHEB_SPATIAL;
    setup->notes = notes, setup->options = options;
    void *made = NULL;
    const withy_status status = wy_method_cheb.create(setup, &made, err);
    x->equilibrium->space = made; /* it is destroyed with x, whatever has become of it */
    WY_TRY(status);
    wy_block state = {0}, scratch = {0};
    wy_method_cheb.layout(made, &state, &scratch);
    state.base = wy_allocator_alloc(&from, state.used, 1);
    scratch.base = wy_allocator_alloc(&from, scratch.used, 1);
    if (from.failed) return no_memory(x, err);
    state.used = scratch.used = 0;
    wy_method_cheb.layout(made, &state, &scratch);
    return WITHY_OK;
}

/* Its shape and loads are those of the rod in the plane. */
static void lift(const wy_cheb *x, wy_cheb *y) {
    const int ld = y->grid.ld;
    quat before = {0, 0, 0, 0};
    for (int i = 0; i <= x->grid.n; i++) {
        const wy_pose pose = wy_cheb_pose(x, x->u, i);
        before = q_near(wy_cheb_quat_of(pose.frame), before);
        put_vec(y->u, ld, i, pose.r), put_quat(y->u, ld, i, before);
    }
    for (int i = x->grid.n + 1; i < ld; i++) /* padding */
        for (int f = 0; f < 7; f++) y->u[f * ld + i] = y->u[f * ld + x->grid.n];
    y->state->t = x->state->t, y->state->factor = x->state->factor;
    y->state->pull = x->state->pull;
}

withy_status wy_cheb_whole(void *self, void **whole, withy_error *err) {
    wy_cheb *x = self;
    *whole = x;
    if (!x->planar) return mix(x, err);
    if (x->opt.space == WY_CHEB_PLANAR) {
        wy_note(x->setup->notes, WY_NOTE(planar_motion));
        return WITHY_OK;
    }
    if (!x->equilibrium->space || !x->equilibrium->space->u) WY_TRY(make_space(x, err));
    wy_cheb *y = x->equilibrium->space;
    *whole = y;
    lift(x, y);
    WY_TRY(wy_cheb_open(y, err));
    WY_TRY(wy_cheb_statics.load(y, x->state->factor, x->state->t, 1, err));
    return mix(y, err);
}
