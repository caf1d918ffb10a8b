/* director.c - Cosserat rod by directors: energy and momenta exact at any step.  The default.
 *
 * Geometrically exact (Simo-Reissner) rod: shear, stretch, bending, twist.  The strains are bilinear
 * in node positions r and directors d1, d2, d3, so that a midpoint step with averaged strains
 * conserves energy, linear and angular momentum exactly, for every step, with ends held at position
 * level, in O(n).  Scheme (docs/theory/director.md gives the proofs):
 *
 *   r+ - r- = h (v+ + v-)/2         Theta = h (W+ + W-)/2         R+ = cay(theta) R-,  Theta = R-^T theta
 *   m (v+ - v-)/h           = - sum_g w_g N'_a n + f                  n = sum_i nbar_i a_i        (1)
 *   (R+ J W+ - R- J W-)/h   = - sum_i D_i x F_i + l                   D = (d- + d+)/2             (2)
 *   (nbar, mbar) = C ((S+ + S-)/2 - S0) + Cv (S+ - S-)/h              S = (Gamma, K)              (3)
 *
 * because d_i+ - d_i- = theta x D_i and DS(qbar).(q+ - q-) = S+ - S- hold exactly.
 *
 * Symbols     here                     unit           shape
 *   r, v      node[j].r, .v            m, m/s         [n p + 1]     laboratory
 *   d1 d2 d3  node[j].d, next[j].d     -              three lanes   columns of R-, R+
 *   W, J      node[j].w, mass[j].rotary  rad/s, kg m^2              body components
 *   dr, theta next[j].dr, .theta       m, -           unknowns of a step: increments
 *   S, S0     strain[].start, section[].rest  -, 1/m  [n][p]        (Gamma1..3, K1..3)
 *   sigma     stress[].sigma           N, N m         [n][p]        independent stress of the mixed Newton
 *   p, n, h   degree, elements, step
 *
 * A rod alone is a network with one segment: director/network.c has the whole, and names the files of steps, equilibria,
 * ledger and linear systems.  Of one rod: director/rod/mesh.c (the plan), initial.c (t = 0), element.c (strains, tangent,
 * elimination), node.c (inertia, ends), force.h (forces of a field), load.c, tendon.c with border.c, state_load.c (loads that see
 * the state), and step.c, static.c, modes.c, ledger.c, sample.c (what the whole asks of each).  Contact: contacts.h.
 * Derivatives by parameters: gradient.h.  docs/architecture.md has the picture.
 *
 * Default degree 3: of order 6 in space, and per unit of accuracy the cheapest of the four on smooth
 * rods (0.01 % of a swinging cantilever with 3 elements), while a kink costs it no more nodes than
 * degree 1 needs anyway.  Degree 1 is for very many elements and rough data.
 *
 * Departures from docs/theory/director.md: rigid strains are
 * those of a rod of radius 1e-4 L; increments are limited to 1 together, not per node; of several
 * guesses (q-, and extrapolations of 1, 2, 3 past increments) the one that would have been best in
 * the last step is taken.
 */
#include "method/director/batch/batch.h"
#include "method/director/gradient/gradient_network.h"

#define ROW(member, ...) WY_OPTION(wy_director_options, member, #member, __VA_ARGS__)

static const wy_option option_table[] = {
    ROW(n, "-", "elements; if not given 16, or more where the shapes turn much", 'i', 16, 1,
        1000000, NULL),
    ROW(degree, "-", "polynomial degree of an element; order 2 degree in space", 'i', 3, 1,
        WY_ELEMENT_DEGREE, NULL),
    ROW(dt, "s", "time step; \"auto\": from the error tolerance tol", 'a', 0, 1e-12, 1e12, NULL),
    ROW(order, "-",
        "order in time: 2, or 4 (five substeps, no damping); 0: 2, and for dt = \"auto\" the "
        "cheaper one",
        'i', 0, 0, 4, NULL),
    ROW(tol, "-", "dt = \"auto\": error at time.stop over the size of the motion", 'd', 1e-3, 1e-8,
        1e-1, NULL),
    ROW(xi, "-", "algorithmic damping of modes that dt does not resolve", 'd', 0, 0, 10, NULL),
    ROW(newton_max, "-", "most Newton iterations per attempt", 'i', 12, 1, 200, NULL),
    ROW(halvings, "-", "most halvings of a step", 'i', 16, 0, 30, NULL),
    ROW(plain, "-", "strains without the correction of the stretch for turned directors", 'b', 0, 0,
        1, NULL),
    {{0}, 0},
};

static withy_status create(const wy_setup *setup, void **self, withy_error *err) {
    const wy_director_options *opt = setup->options;
    if (opt->order % 2 == 1)
        return wy_bad_input(err, "options.order" WY_KEY " = %d: must be 2 or 4", opt->order);
    for (int i = 0; i < setup->problem->rod_count; i++)
        if (setup->problem->rod[i].viscous.massless && opt->order == 4)
            return wy_bad_input(err, "options.order" WY_KEY
                                     " = 4: a rod without inertia (rod.viscous.inertia) loses "
                                     "energy, which steps backwards in time cannot; leave it out");
    WY_TRY(wy_network_make(setup, (wy_director **)self, err));
    if (!setup->tangents && !setup->tape) return WITHY_OK;
    return wy_network_slopes_make(wy_network_of(*self), err);
}

/* Six elements of degree 3 per coil: the force of a compressed spring is right to 1e-4. */
static withy_status mesh(const wy_setup *setup, int *n, withy_error *err) {
    enum { MOST = 2000 };
    static const double TURN = 0.35; /* from one node to the next, on average [rad] */
    const wy_director_options *opt = setup->options;
    for (int i = 0; i < setup->problem->rod_count; i++) {
        const withy_rod *rod = &setup->problem->rod[i];
        int cells;
        if (rod->initial.kind == WITHY_SHAPE_PLUCK) continue;
        WY_TRY(wy_model_cells(setup->model, i, rod->length, TURN * opt->degree, MOST, &cells, err));
        if (cells > *n) *n = cells;
    }
    return WITHY_OK;
}

static withy_status preferred_step(void *self, wy_preferred_step *preferred_step,
                                   withy_error *err) {
    (void)err;
    const wy_director *x = self;
    *preferred_step =
        (wy_preferred_step){.dt = x->plan.opt.dt, .given = 1, .adaptive = !(x->plan.opt.dt > 0)};
    return WITHY_OK;
}

static wy_order order(const void *options) {
    const wy_director_options *opt = options;
    /* order 4: five midpoint steps g h, whose phases 2 atan(g x/2) add up to x + sum g^5 x^5/80 */
    return (wy_order){2 * opt->degree, opt->order ? opt->order : 2,
                      opt->order == 4 ? 0.0744 / 80 : 1.0 / 12};
}

/* Exact but for Newton's tolerance and rounding. */
static double most_drift(const void *self) {
    (void)self;
    return 1e-4;
}

/* Those of section laws. */
#define WY_LAW(NAME, KEYS) "|" KEYS
static const char keys[] =
#include "method/director/law/law.inc"
    ;
#undef WY_LAW

const wy_method wy_method_director = {
    .name = "director",
    .summary = "Cosserat rod by directors: exact energy and momenta at any step, statics, modes",
    .source = "[DR] docs/theory/director.md",
    .can = WY_CAN_COSSERAT | WY_CAN(RODS) | WY_CAN(JOINTS) | WY_CAN(BODIES) | WY_CAN(MECHANISM) |
           WY_CAN(SPACE_LAW) | WY_CAN(VISCOELASTIC) | WY_CAN(YIELD) | WY_CAN(ENERGY) |
           WY_CAN(ROLLER) | WY_CAN(LUMP_TURN) | WY_CAN(SPRING) | WY_CAN(FLOOR) | WY_CAN(TENSION) |
           WY_CAN(STATE) | WY_CAN(DRIVE) | WY_CAN(ROTATING) | WY_CAN(TENDON) | WY_CAN(OBSTACLE) |
           WY_CAN(CONTACT) | WY_CAN(TOUCH) | WY_CAN(MEDIUM) | WY_CAN(CABLE) | WY_CAN(ACTIVE) |
           WY_CAN(MUSCLE) | WY_CAN(CLOSED) | WY_CAN(MAGNET),
    .keys = keys,
    .options = option_table,
    .options_size = sizeof(wy_director_options),
    .order = order,
    .mesh = mesh,
    .create = create,
    .preferred_step = preferred_step,
    .any_step = 1,
    .drift = most_drift,
    .layout = wy_network_layout,
    .wrong = wy_network_state_error,
    .start = wy_network_start,
    .may_start = wy_network_may_start,
    .set_step = wy_network_first,
    .advance = wy_network_advance,
    .nodes = wy_network_nodes,
    .sample = wy_network_sample,
    .sample_parts = wy_network_sample_parts,
    .present = wy_network_speeds,
    .equations = &wy_network_statics,
    .slopes = &wy_network_gradients,
    .adjoint = &wy_network_adjoints,
#ifndef __wasm__ /* a page steps one simulation at a time */
    .lockstep = &wy_director_lockstep,
#endif
};
