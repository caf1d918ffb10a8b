/* stability.c - the stability of the equilibrium that was found, from the tangent at that equilibrium.
 *
 * Newton's last matrix belongs to the iterate before, and a mixed method takes it with the stress of
 * the load before; so the shape is corrected once more with a tangent of its own, and that one is
 * judged.  Stiffnesses lambda (K x = lambda W x, in units of the lowest of a cantilever) below -lost are
 * unstable directions; those between -lost and lost are neutral: rounding could turn their sign.
 */
#include "study/equilibrium/equations.h"

static const double REST = 1e-12; /* a change that is rounding */
static const double NEAR =
    1e-5; /* a change that is a correction; near a limit point it would be a jump */
static const double POLISHED = 1e-9; /* a change that no longer turns a sign */
static const double BALANCED = 1e-6; /* a larger one is more than the rounding of a very thin rod */
static const double WHOLE_MOST = 0.1; /* change of a shape that another object takes over */
static const double COARSE =
    1e-6; /* of `lost`: a critical factor would be late by more than it is bisected */
/* Of `lost`: pivots of a twisted ring were seen to have the wrong sign up to 10 of it. */
static const double CLEAR = 100;
enum { CORRECTIONS = 3, LOOK = 3, LOOK_MOST = 48 };

/* A tangent of the present shape with its own stress. */
typedef struct tangent {
    double shift; /* of W, in it                                                   */
    double near;  /* changes up to this are made                                   */
    int pivots;   /* negative pivots; -1: not known                                */
    double asked; /* size of the change in x->change, not made; INFINITY: it is made */
} tangent;

static withy_status correct(wy_static *x, tangent *at, withy_error *err) {
    double before = INFINITY;
    at->pivots = -1, at->asked = INFINITY;
    for (int k = 0; k < CORRECTIONS; k++) {
        if (x->equations->begin) x->equations->begin(x->self);
        const withy_status status = wy_static_change(x, at->shift, x->candidates > 0, err);
        if (status == WITHY_NO_CONVERGENCE) return WITHY_OK; /* singular: counted below */
        WY_TRY(status);
        at->pivots = x->negative;
        wy_static_find_zero_modes(x, k == 0);
        wy_static_project(x, x->change);
        at->asked = wy_static_size(x, x->change);
        if (!(at->asked > REST) || !(at->asked <= at->near) || at->asked >= 0.3 * before) break;
        x->equations->move(x->self, x->change, 1.0);
        before = at->asked, at->asked = INFINITY;
    }
    return WITHY_OK;
}

/* Negative eigenvalues of K - shift W as the pivots show them; -1: they do not. */
static withy_status count_below(wy_static *x, double shift, int *count, withy_error *err) {
    *count = -1;
    if (x->equations->begin) x->equations->begin(x->self);
    const withy_status status = x->equations->factor(x->self, shift * x->unit, count, err);
    return status == WITHY_NO_CONVERGENCE ? WITHY_OK : status;
}

/* Squares of sums and of differences of neighbouring nodes; per: over the length of the group that a node is of. */
static void add_neighbours(const wy_vector_layout *l, const wy_vector_range *e, int per,
                           const double *v, double *smooth, double *rough) {
    for (int i = 0; i + 1 < e->nodes; i++) {
        const double unit = per ? wy_static_unit(l, i) : 1.0;
        for (int k = 0; k < e->count; k++) {
            const double *at = v + e->first + i * e->node + k * e->entry;
            const double a = at[0] / unit, b = at[e->node] / unit;
            *smooth += (a + b) * (a + b), *rough += (a - b) * (a - b);
        }
    }
}

/* Waves shorter than four nodes are mesh artefacts: the mesh differentiates them wrongly. */
static int is_zigzag(const wy_static *x, const double *v) {
    double smooth = 0, rough = 0;
    add_neighbours(&x->layout, &x->layout.shift, 1, v, &smooth, &rough);
    add_neighbours(&x->layout, &x->layout.turn, 0, v, &smooth, &rough);
    return rough > smooth;
}

static void note_zigzag(const wy_static *x, int count) {
    const char *many = count == 1 ? "" : "s";
    wy_note(&x->sim->notes, WY_NOTE(stability_zigzag), x->sim->method->name, count, many,
            count == 1 ? "is a zigzag" : "are zigzags", wy_sim_mesh(x->sim),
            count == 1 ? "it" : "them");
}

/* One of the notes that say so. */
static int stability_unknown(const withy_notes *notes) {
    return wy_note_has(notes, WY_NOTE_stability_unknown) ||
           wy_note_has(notes, WY_NOTE_contact_pinched);
}

static void note_unknown(const wy_static *x) {
    if (stability_unknown(&x->sim->notes)) return;
    wy_note(&x->sim->notes, WY_NOTE(stability_unknown), x->sim->method->name, wy_sim_mesh(x->sim));
}

/* Of the lowest motions that were found: how many, and whether they are all that are unstable or neutral as far as these tell. */
typedef struct sight {
    int known, negative, neutral, zigzags, complete;
} sight;

static withy_status look_among(wy_static *x, int look, sight *at, withy_error *err) {
    wy_lowest_modes low;
    const withy_status status = wy_static_lowest(x, look, &low, err);
    if (low.count) *at = (sight){.known = low.count};
    for (int i = 0; i < low.count; i++) {
        const double *v = low.vector + (size_t)i * (size_t)x->rows;
        at->negative += low.lambda[i] < -x->lost;
        at->zigzags += low.lambda[i] < -x->lost && is_zigzag(x, v);
        at->neutral += fabs(low.lambda[i]) <= x->lost;
    }
    at->complete = at->known && at->negative + at->neutral < at->known;
    const int settled = low.count;
    wy_lowest_modes_free(&low);
    if (!settled && at->known) at->complete = -1; /* nor would they among more */
    return status;
}

/* Where pivots have no signs: by the lowest motions.  Unstable ones beyond them, the work of loads shows (study/stability/load_work.c). */
static withy_status count_lowest(wy_static *x, withy_error *err) {
    sight at = {0};
    int least;
    for (int look = LOOK; look <= LOOK_MOST && !at.complete; look *= 4)
        WY_TRY(look_among(x, look, &at, err));
    WY_TRY(wy_static_forced(x, at.negative, &least, err));
    const int more = least > at.negative, known = at.known && (at.complete > 0 || least >= 0);
    if (more) at.negative = least;
    if (known) x->negative = at.negative - at.zigzags, x->neutral = at.neutral;
    if (known && at.zigzags) note_zigzag(x, at.zigzags);
    if (!known) x->negative = -1;
    if (!known && x->unit > 0) note_unknown(x);
    return WITHY_OK;
}

/* Rounding of the pivots may turn the sign of a stiffness of a few `lost`; a method that has it from its strains knows it
 * better (wy_static_lowest). */
static int has_quotient(const wy_static *x) {
    return x->equations->quotient && !x->exact && !x->equations->solve_transposed &&
           (x->candidates || x->round);
}

/* What pivots show beyond their rounding; if nothing but soft motions is left between, by these.  *done: it is known. */
static withy_status count_clear(wy_static *x, int *done, withy_error *err) {
    int low, high;
    WY_TRY(count_below(x, -CLEAR * x->lost, &low, err));
    WY_TRY(count_below(x, CLEAR * x->lost, &high, err));
    *done = low >= 0 && (low == high || low == 0);
    if (!*done) return WITHY_OK;
    x->negative = low;
    return low == high ? WITHY_OK : count_lowest(x, err);
}

/* Proved, where the method can: so many are below -lost, and no more than that and the neutral ones below lost. */
static withy_status count_proved(wy_static *x, int *done, withy_error *err) {
    int low, high = -1;
    if (x->equations->begin) x->equations->begin(x->self);
    WY_TRY(x->equations->inertia(x->self, -x->lost * x->unit, 0, &low, err));
    if (low >= 0) WY_TRY(x->equations->inertia(x->self, x->lost * x->unit, 1, &high, err));
    *done = low >= 0 && high >= low;
    if (*done) x->negative = low, x->neutral = high - low;
    return WITHY_OK;
}

/* Between these rounding of a large stiffness hides the sign of a small one, as of a spring that holds a stiff rod: the
 * motions themselves show it, as far as they agree with what is proved. */
static withy_status count_between(wy_static *x, withy_error *err) {
    const int high = x->negative + x->neutral;
    sight at = {0};
    if (x->neutral == 0 || high >= LOOK_MOST || x->lost > COARSE) return WITHY_OK;
    WY_TRY(look_among(x, high + 1, &at, err));
    const int agrees = at.negative >= x->negative && at.negative + at.neutral <= high;
    if (at.known <= high || !agrees || at.zigzags) return WITHY_OK;
    x->negative = at.negative, x->neutral = at.neutral;
    return WITHY_OK;
}

/* By pivots, `pivots` of them negative without any shift. */
static withy_status count(wy_static *x, int pivots, withy_error *err) {
    int low = pivots == 0 ? 0 : -1, high, done = 0;
    const int all =
        pivots == 0 && !x->candidates && !x->round; /* positive pivots prove stability */
    if (x->equations->inertia && !all && x->unit > 0) WY_TRY(count_proved(x, &done, err));
    if (done) WY_TRY(count_between(x, err));
    if (!done && has_quotient(x)) WY_TRY(count_clear(x, &done, err));
    if (done) return WITHY_OK;
    if (pivots == 0 && !x->candidates && !x->round) {
        x->negative = 0;
        return WITHY_OK;
    }
    if (pivots > 0) WY_TRY(count_below(x, -x->lost, &low, err));
    if (low < 0) return count_lowest(x, err);
    if (x->candidates || x->round || low != pivots) {
        WY_TRY(count_below(x, x->lost, &high, err));
        if (high < 0) return count_lowest(x, err);
        x->neutral = high - low;
    }
    x->negative = low;
    return WITHY_OK;
}

/* Of a held round rod neutral directions are looked for too.  Mostly it has neither these nor unstable ones: no
 * eigenvalue of K - lost W is negative, which one tangent shows, and its change, if no more than a correction, is
 * that of K but for 1e-3 of it or less. */
static withy_status judge_at_once(wy_static *x, double *asked, withy_error *err) {
    tangent at = {.shift = (has_quotient(x) ? CLEAR : 1) * x->lost * x->unit, .near = POLISHED};
    const int may = x->round && !x->candidates && x->negative == 0; /* by Newton's last pivots */
    if (!may || !x->equations->potential(x->self)) return WITHY_OK;
    WY_TRY(correct(x, &at, err));
    if (at.pivots != 0 || !(at.asked <= POLISHED)) return WITHY_OK;
    x->negative = x->neutral = 0, x->judged = 1, *asked = at.asked;
    return WITHY_OK;
}

/* Where a cable is slack many shapes are in balance, and neither directions nor their number mean anything. */
static int is_slack(wy_static *x) {
    char name[WITHY_NAME];
    double s;
    int rod;
    if (!x->equations->slack || !x->equations->slack(x->self, &rod, &s)) return 0;
    wy_name_or(x->sim->problem.rod[rod].name, "rod", rod, name, sizeof name);
    if (!wy_note_has(&x->sim->notes, WY_NOTE_cable_slack))
        wy_note(&x->sim->notes, WY_NOTE(cable_slack), x->sim->method->name, name, s);
    return 1;
}

/* *asked: size of the change in x->change, that of the present shape; INFINITY: it is not there. */
static withy_status judge(wy_static *x, double *asked, withy_error *err) {
    /* a point of an arc has been found without the soft motion of a limit point, along which a correction would slide */
    tangent at = {.shift = x->shift, .near = x->sim->core->tangent ? POLISHED : NEAR};
    *asked = INFINITY;
    const int slack = !x->judged && is_slack(x);
    if (!x->judged && !slack) WY_TRY(judge_at_once(x, asked, err));
    if (x->judged) return WITHY_OK;
    WY_TRY(correct(x, &at, err));
    x->negative = -1, x->neutral = 0, x->judged = 1, *asked = at.asked;
    if (slack || !x->equations->potential(x->self)) return WITHY_OK;
    *asked = INFINITY;
    WY_TRY(count(x, at.pivots, err));
    const int unsure = x->negative > 0 || (x->neutral > x->candidates && x->lost > COARSE);
    if (unsure && x->equations->exact && !x->exact && x->slender > WY_STATIC_SLENDER) {
        /* rounding may have turned a sign: with all digits */
        WY_TRY(wy_static_exact(x, err));
        at.shift = x->shift;
        WY_TRY(correct(x, &at, err));
        x->negative = -1, x->neutral = 0, x->judged = 1;
        WY_TRY(count(x, at.pivots, err));
    }
    if (x->neutral <= x->candidates || x->neutral > WY_STATIC_ZERO_MODES) return WITHY_OK;
    /* a symmetry, such as the plane in which a round column bends: Newton is to have it */
    const int negative = x->negative;
    x->candidates = x->counted = x->neutral, x->loose_known = 0;
    WY_TRY(correct(x, &at, err));
    x->negative = negative, x->judged = 1;
    return WITHY_OK;
}

/* Unstable directions may be those of a contact that cannot roll. */
static void check_contact(wy_static *x) {
    if (!(x->negative > 0) || !x->equations->pinched || !x->equations->pinched(x->self)) return;
    if (!wy_note_has(&x->sim->notes, WY_NOTE_contact_pinched))
        wy_note(&x->sim->notes, WY_NOTE(contact_pinched), x->sim->method->name, x->negative);
    x->negative = -1;
}

/* Or those of a mesh that is unstable by itself. */
static void check_coarse(wy_static *x) {
    if (x->negative > 0 && x->equations->coarse && x->equations->coarse(x->self)) x->negative = -1;
}

withy_status wy_static_stability(wy_static *x, withy_error *err) {
    double unused;
    WY_TRY(judge(x, &unused, err));
    check_contact(x);
    check_coarse(x);
    return WITHY_OK;
}

/* ---- out of the plane -------------------------------------------------------------------------------- */

enum { IN_PLANE = 1 }; /* components of a turn */

/* Newton on the other object: its series are not those of the plane. */
static withy_status correct_whole(wy_static *x, withy_error *err) {
    for (int k = 0; k < CORRECTIONS; k++) {
        if (x->equations->begin) x->equations->begin(x->self);
        WY_TRY(wy_static_change(x, x->shift, 0, err));
        const double size = wy_static_size(x, x->change);
        if (!(size <= WHOLE_MOST)) break;
        x->equations->move(x->self, x->change, 1.0);
        if (size <= REST) break;
    }
    return WITHY_OK;
}

static withy_status count_whole(wy_static *x, void *other, int *negative, withy_error *err) {
    wy_static view = *x;
    view.self = other, view.layout = x->equations->layout(other), view.rows = view.layout.rows;
    view.candidates = view.soft = 0, view.left = 0, view.negative = view.neutral = 0;
    view.change = wy_alloc(2 * (size_t)view.rows, sizeof *view.change);
    if (!view.change) return wy_no_memory(err, "no memory to judge the stability");
    view.side = view.change + view.rows;
    if (x->equations->weigh) x->equations->weigh(other, 1);
    view.unit = x->equations->rate(other), view.shift = -view.fine * view.unit;
    withy_status status = correct_whole(&view, err);
    if (status == WITHY_OK) status = count_lowest(&view, err);
    if (status == WITHY_OK) *negative = view.negative;
    wy_free(view.change);
    return status == WITHY_NO_CONVERGENCE ? WITHY_OK : status;
}

/* In and out of the plane. */
static withy_status look_whole(wy_static *x, int *negative, withy_error *err) {
    void *other = x->self;
    *negative = 0;
    if (!x->equations->whole || x->layout.turn.count > IN_PLANE) return WITHY_OK;
    WY_TRY(x->equations->whole(x->self, &other, err));
    return other == x->self ? WITHY_OK : count_whole(x, other, negative, err);
}

withy_status wy_equilibrium_check_whole(withy_sim *sim, withy_equilibrium *point,
                                        withy_error *err) {
    int negative;
    if (!sim->equilibrium || point->negative < 0) return WITHY_OK;
    WY_TRY(look_whole(sim->equilibrium, &negative, err));
    if (negative < 0) point->negative = -1;
    if (negative <= point->negative) return WITHY_OK;
    const int flat = point->negative == 0;
    point->negative = negative;
    if (flat && !wy_note_has(&sim->notes, WY_NOTE_plane_only_path))
        wy_note(&sim->notes, WY_NOTE(plane_only_path), sim->method->name, point->factor);
    return WITHY_OK;
}

withy_status wy_static_stability_whole(wy_static *x, withy_equilibrium *point, withy_error *err) {
    int negative;
    if (point->negative != 0) return WITHY_OK;
    WY_TRY(look_whole(x, &negative, err));
    if (negative <= 0) return WITHY_OK;
    point->negative = negative, x->flat = 1;
    x->sim->core->negative = negative;
    wy_note(&x->sim->notes, WY_NOTE(plane_only), x->sim->method->name, negative);
    return WITHY_OK;
}

static void check_mesh(wy_static *x, double factor) {
    withy_sim *sim = x->sim;
    double s = 0;
    const double strain = x->equations->strain ? x->equations->strain(x->self, &s) : 0;
    if (!(strain > 1) || sim->core->mesh_noted) return;
    sim->core->mesh_noted = 1;
    wy_note(&sim->notes, WY_NOTE(mesh_angle), sim->method->name, factor, 45 * strain, s,
            wy_sim_mesh(sim));
}

/* The change of the present shape; judging it has left it there, if `asked` is finite. */
static withy_status find_change(wy_static *x, double asked, double *size, withy_error *err) {
    const int negative = x->negative, neutral = x->neutral;
    *size = asked;
    if (asked < INFINITY) return WITHY_OK;
    if (x->equations->begin) x->equations->begin(x->self);
    const withy_status status = wy_static_change(x, x->shift, x->candidates > 0, err);
    x->negative = negative, x->neutral = neutral, x->judged = 1;
    if (status == WITHY_NO_CONVERGENCE) *size = 0; /* singular: a branch point */
    if (status != WITHY_OK) return status == WITHY_NO_CONVERGENCE ? WITHY_OK : status;
    wy_static_find_zero_modes(x, 0);
    wy_static_project(x, x->change);
    *size = wy_static_size(x, x->change);
    return WITHY_OK;
}

/* Does the change turn the sections of a rod about its tangents, and about nothing else? */
static int turns_about_tangents(const wy_static *x, int rod) {
    enum { LOOKS = 9, ALL = 3 * LOOKS }; /* each with a place before and one behind it */
    static const double ASIDE = 0.3;     /* of a turn: between nodes chords are tangents about so */
    const double length = x->sim->problem.rod[rod].length, near = 1e-3 * length;
    double s[ALL];
    int of[ALL];
    vec3 position[ALL], shift[ALL], turn[ALL];
    withy_mode at = {
        .count = ALL, .s = s, .position = position, .shift = shift, .turn = turn, .rod = of};
    for (int i = 0; i < ALL; i++)
        s[i] = near * (i % 3) + (length - 2 * near) * (i / 3) / (LOOKS - 1), of[i] = rod;
    x->equations->shape(x->self, x->change, &at);
    for (int i = 1; i < ALL; i += 3) {
        const vec3 along = v3_unit(v3_sub(position[i + 1], position[i - 1]));
        const double about = v3_dot(turn[i], along), whole = v3_norm(turn[i]);
        const double aside = v3_norm(v3_sub(turn[i], v3_scale(about, along)));
        if (!(aside <= wy_max(BALANCED, ASIDE * whole))) return 0;
    }
    return 1;
}

/* The spin of a round rod about its own axis has no stiffness, but where rounding gives it some (`lost`) it is not taken out of a
 * change (zero_modes.c).  A change that moves no place may also shear. */
static int only_spins(const wy_static *x) {
    if (!(x->neutral > 0 && x->round && wy_static_shift(x, x->change) <= POLISHED)) return 0;
    if (!x->equations->shape || x->layout.turn.count <= IN_PLANE)
        return 0; /* in a plane nothing spins */
    for (int i = 0; i < x->sim->problem.rod_count; i++)
        if (!turns_about_tangents(x, i)) return 0;
    return 1;
}

/* Once more, when it has been judged: what is rounding of a place is force in a stiff rod.  What Newton still asks for
 * then is the residual of the answer. */
static withy_status polish(wy_static *x, double factor, double asked, withy_error *err) {
    double size;
    WY_TRY(find_change(x, asked, &size, err));
    if (size > 0 && size <= POLISHED) x->equations->move(x->self, x->change, 1.0);
    if (size <= BALANCED || x->neutral > x->candidates || only_spins(x)) return WITHY_OK;
    wy_note(&x->sim->notes, WY_NOTE(residual_left), x->sim->method->name, factor, size,
            wy_sim_mesh(x->sim));
    return WITHY_OK;
}

withy_status wy_static_accept(wy_static *x, double factor, withy_equilibrium *point,
                              withy_error *err) {
    wy_core *core = x->sim->core;
    double asked;
    WY_TRY(judge(x, &asked, err));
    /* gyroscopic forces may hold what has no stiffness: the modes decide */
    if (x->sim->problem.rotating.given && x->negative > 0) x->negative = -1;
    check_contact(x);
    check_mesh(x, factor);
    WY_TRY(polish(x, factor, asked, err));
    WY_TRY(x->equations->settle(x->self, factor, err));
    const int changed = x->negative >= 0 && core->negative >= 0 && x->negative != core->negative;
    point->factor = factor;
    point->iterations = x->iterations;
    point->negative = x->negative;
    point->neutral = x->neutral;
    point->energy = x->equations->energy(x->self);
    point->mark = core->equilibrium && changed ? WITHY_POINT_BRANCH : WITHY_POINT;
    core->t = factor, core->equilibrium = 1, core->negative = x->negative;
    core->iterations = x->iterations;
    withy_stats *stats = &core->stats;
    stats->steps++;
    stats->iterations += x->iterations;
    if (x->iterations > stats->iterations_max) stats->iterations_max = x->iterations;
    return WITHY_OK;
}
