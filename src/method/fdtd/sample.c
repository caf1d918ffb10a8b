/* sample.c - the state at the stations of a snapshot, by polynomials through six points. */
#include "method/fdtd/state.h"

typedef wy_fdtd state;

enum { STENCIL = WY_FDTD_STENCIL };

/* Lagrange weights at `at` among the points offset, offset + 1, ..., offset + count - 1. */
static int stencil(double at, double offset, int count, double weight[STENCIL]) {
    const int size = count < STENCIL ? count : STENCIL;
    int first = (int)floor(at - offset) - size / 2 + 1;
    if (first < 0) first = 0;
    if (first > count - size) first = count - size;
    for (int i = 0; i < STENCIL; i++) {
        weight[i] = i < size;
        for (int k = 0; k < size && i < size; k++)
            if (k != i) weight[i] *= (at - offset - first - k) / (double)(i - k);
    }
    return first;
}

int wy_fdtd_place_weights(const state *x, int rod, double s, double weight[WY_FDTD_STENCIL]) {
    return stencil(s / x->problem->rod[rod].length * x->opt.n, 0.0, x->opt.n + 1, weight);
}

static vec3 blend3(const vec3 *x, int first, const double weight[STENCIL], int count) {
    vec3 sum = v3(0, 0, 0);
    for (int i = 0; i < STENCIL && first + i < count; i++)
        sum = v3_axpy(sum, weight[i], x[first + i]);
    return sum;
}

static quat blend4(const quat *x, int first, const double weight[STENCIL], int count) {
    quat sum = {0, 0, 0, 0};
    for (int i = 0; i < STENCIL && first + i < count; i++) {
        const double k = weight[i];
        const quat q = x[first + i];
        sum.w += k * q.w, sum.x += k * q.x, sum.y += k * q.y, sum.z += k * q.z;
    }
    return q_unit(sum);
}

/* The same of a field of the group. */
static vec3 blend(double *const x[3], const wy_fdtd_group *g, int lane, int first,
                  const double weight[STENCIL], int count) {
    vec3 sum = v3(0, 0, 0);
    for (int i = 0; i < STENCIL && first + i < count; i++)
        sum = v3_axpy(sum, weight[i], wy_fdtd_at3(x, (first + i) * g->lanes + lane));
    return sum;
}

static void sample_station(const state *x, const wy_fdtd_group *g, int lane, withy_snapshot *snap,
                           int i) {
    const wy_fdtd_view *view = &x->view;
    const int n = g->n;
    const double at = snap->s[i] / x->problem->rod[g->rod[lane]].length * n;
    double node[STENCIL], half[STENCIL];
    const int a = stencil(at, 0.0, n + 1, node), b = stencil(at, 0.5, n, half);
    snap->position[i] = blend3(view->r, a, node, n + 1);
    snap->velocity[i] = blend3(view->p, a, node, n + 1);
    snap->frame[i] = blend4(view->qn, a, node, n + 1);
    snap->spin[i] = q_turn(snap->frame[i], blend3(view->w, b, half, n));
    double *const rest[3] = {g->grid.rest_half[0], g->grid.rest_half[1], g->grid.rest_stretch};
    snap->shear[i] = v3_sub(blend3(view->v, b, half, n), blend(rest, g, lane, b, half, n));
    snap->bend[i] =
        v3_sub(blend3(view->u, a, node, n + 1), blend(g->grid.rest_node, g, lane, a, node, n + 1));
    snap->force[i] = q_turn(snap->frame[i], blend3(view->n, b, half, n));
    snap->moment[i] = q_turn(snap->frame[i], blend3(view->m, a, node, n + 1));
}

/* Positions alone need no forces: the usual case of a probe at audio rate. */
static void sample_positions(const state *x, const wy_fdtd_group *g, int lane,
                             withy_snapshot *snap) {
    for (int i = 0; i < snap->count; i++) {
        const double at = snap->s[i] / x->problem->rod[g->rod[lane]].length * g->n;
        double node[STENCIL];
        const int first = stencil(at, 0.0, g->n + 1, node);
        snap->position[i] = blend(g->now.r, g, lane, first, node, g->n + 1);
    }
    snap->have |= WITHY_HAVE_POSITION;
}

/* Of joined rods: conserved energy and momenta of all, in the snapshot of each. */
static void sample_whole(state *x, withy_snapshot *snap) {
    vec3 p = v3(0, 0, 0), l = p;
    double conserved = 0;
    for (int i = 0; i < x->problem->rod_count; i++) {
        wy_fdtd_observe(&x->group[x->group_of[i]], x->lane_of[i], 0, &x->view);
        conserved += x->view.conserved;
        p = v3_add(p, x->view.momentum), l = v3_add(l, x->view.angular);
    }
    snap->conserved = conserved, snap->momentum = p, snap->angular_momentum = l;
}

void wy_fdtd_sample(const void *self, int rod, withy_snapshot *snap) {
    state *x = (state *)self; /* scratch is written */
    if (x->literal) {
        wy_fdtd_literal_sample(&x->literal[rod], x->now->h, snap);
        return;
    }
    wy_fdtd_group *g = &x->group[x->group_of[rod]];
    const int lane = x->lane_of[rod];
    /* a probe always requests frame and strains, so that forces can be completed */
    const unsigned always = WITHY_HAVE_FRAME | WITHY_HAVE_SHEAR | WITHY_HAVE_BEND;
    if (!(snap->requested & ~(always | WITHY_HAVE_POSITION)) &&
        (snap->requested & WITHY_HAVE_POSITION)) {
        sample_positions(x, g, lane, snap);
        return;
    }
    if (x->joints) { /* the forces of a rod depend on the others */
        wy_fdtd_ready(x);
        if (wy_fdtd_all_forces(x, NULL) != WITHY_OK) return;
    } else {
        wy_fdtd_group_ready(g, x->now->h, x->now->regular);
    }
    wy_fdtd_observe(g, lane, !x->joints, &x->view);
    for (int i = 0; i < snap->count; i++) sample_station(x, g, lane, snap, i);
    snap->energy = x->view.energy;
    snap->conserved = x->view.conserved, snap->conserved_at = snap->t;
    snap->momentum = x->view.momentum, snap->angular_momentum = x->view.angular;
    snap->constraint = x->view.drift;
    const int whole = (snap->requested & (WITHY_HAVE_CONSERVED | WITHY_HAVE_MOMENTUM)) != 0;
    for (int e = 0; e < 2; e++) {
        snap->reaction[e] = x->view.force[e], snap->reaction_moment[e] = x->view.couple[e];
    }
    if (x->joints && whole) sample_whole(x, snap);
    wy_fdtd_contact_sample(g, lane, snap);
    snap->have |=
        always | WITHY_HAVE_POSITION | WITHY_HAVE_VELOCITY | WITHY_HAVE_SPIN | WITHY_HAVE_ENERGY |
        WITHY_HAVE_MOMENTUM | (x->closed ? WITHY_HAVE_CONSERVED : 0u) | WITHY_HAVE_CONSTRAINT |
        WITHY_HAVE_REACTION | WITHY_HAVE_REACTION_MOMENT | WITHY_HAVE_FORCE | WITHY_HAVE_MOMENT;
}
