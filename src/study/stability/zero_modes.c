/* zero_modes.c - motions without stiffness: rigid ones that the ends allow, the spin of a round rod about its
 * own axis, symmetries.
 *
 * K n = 0 leaves Newton's change undetermined along n.  A little of W (wy_equations.weigh), above the rounding of
 * K, makes the matrix regular; the vectors n are then those in which (K + fine W)^-1 W is largest, by one
 * or two inverse iterations with the factors that Newton has anyway, and what a change has of them
 * is rounding and is taken out.  If it is more than that, a load acts along n and nothing resists it.
 */
#include "model/network.h"
#include "study/equilibrium/equations.h"

static const double RANGE = 10.0;   /* of the added stiffness: what is taken for none            */
static const double NEUTRAL = 1e-7; /* of the lowest stiffness                                  */
static const double LOADED = 1e-7;  /* of EI/L: a moment that is not rounding    */
static const double SLIDES = 1e3;   /* times a turn of 1 rad: more than rounding can move a rod   */

/* What the ends and joints of parts that are joined leave of their rigid motions. */
typedef struct held {
    int closed; /* 1: a closed rod, which needs no support                                 */
    int loose;  /* 1: a joint that is no weld, and what it leaves free is not seen at the ends */
    int frame;  /* 1: one is held in its direction, or a weld holds one to the ground          */
    int places; /* components of places that are held                                        */
} held;

static void add_end(const withy_sim *sim, int rod, int e, held *own) {
    const withy_end *end = &sim->problem.rod[rod].end[e];
    wy_end made;
    withy_error unused;
    if (wy_end_holds_direction(end) &&
        (!sim->setup.model || wy_model_end(sim->setup.model, rod, e, &made, &unused) != WITHY_OK ||
         !made.turns_free))
        own->frame = 1;
    own->places += wy_end_places(end);
}

/* up: [parts + 1] part that stands for those joined to a part, without the ground. */
static void add_joint(const withy_problem *problem, int joint, int parts, int *up, held *own) {
    const withy_joint *j = &problem->joint[joint];
    for (int s = 0; s < 2; s++) {
        const int part = wy_part_number(problem, &j->place[s]);
        const int other = wy_part_number(problem, &j->place[1 - s]);
        if (part >= parts) continue;
        held *at = &own[wy_part_root(up, part)];
        at->loose |= j->kind != WITHY_JOINT_WELD, at->frame |= other >= parts;
    }
}

/* Ends that hold neither a frame nor two points leave rigid motions and the spin. */
static int free_of(const held *own) {
    static const int free[7] = {
        WY_STATIC_ZERO_MODES, WY_STATIC_ZERO_MODES, WY_STATIC_ZERO_MODES, 4, 4, 3, 2};
    if (own->closed && !own->frame && own->places < 6) return WY_STATIC_ZERO_CLOSED;
    if (own->loose) return WY_STATIC_ZERO_MODES;
    return own->frame ? 0 : free[own->places < 6 ? own->places : 6];
}

/* Of all parts, each with those that are joined to it: one that is held adds none. */
int wy_static_candidates(const withy_sim *sim) {
    const withy_problem *problem = &sim->problem;
    const int parts = problem->rod_count + problem->body_count;
    int *up = wy_alloc((size_t)parts + 1, sizeof *up), count = 0, most = WY_STATIC_ZERO_MODES;
    held *own = wy_alloc((size_t)parts + 1, sizeof *own);
    const int known = up && own;
    if (known) wy_parts_join(problem, up);
    for (int i = 0; known && i < problem->joint_count; i++) add_joint(problem, i, parts, up, own);
    for (int i = 0; known && i < 2 * problem->rod_count; i++)
        add_end(sim, i / 2, i % 2, &own[wy_part_root(up, i / 2)]);
    for (int i = 0; known && i < problem->rod_count; i++)
        if (problem->rod[i].closed)
            own[wy_part_root(up, i)].closed = 1, most = WY_STATIC_ZERO_CLOSED;
    for (int i = 0; known && i < parts; i++)
        if (up[i] == i) count += free_of(&own[i]);
    wy_free(up), wy_free(own);
    return known && count < most ? count : most;
}

/* Axial and shear stiffness over that of bending: the rounding of K in units of its lowest value.  *round: 1: both bending
 * stiffnesses are equal. */
static double slender_rod(const withy_sim *sim, int rod, int *round) {
    enum { LOOKS = 5 };
    const double rigid = 4e8, cable = 1e9;
    wy_section_at at[LOOKS];
    double s[LOOKS], most = 0;
    withy_error own;
    const double length = sim->problem.rod[rod].length,
                 whole = wy_model_whole(sim->setup.model, rod);
    *round = 1;
    for (int i = 0; i < LOOKS; i++) s[i] = length * i / (LOOKS - 1);
    if (wy_model_sections(sim->setup.model, rod, LOOKS, s, at, &own) != WITHY_OK) return rigid;
    for (int i = 0; i < LOOKS; i++) {
        const double *k = at[i].stiffness, bend = wy_min(k[WITHY_BEND1], k[WITHY_BEND2]);
        const double soft = isfinite(k[WITHY_TWIST]) ? wy_min(bend, k[WITHY_TWIST]) : bend;
        *round = *round && fabs(k[WITHY_BEND1] - k[WITHY_BEND2]) <= 1e-12 * bend;
        if (!(bend > 0)) { /* a cable: tensions are unknowns */
            most = wy_max(most, cable);
            continue;
        }
        for (int c = WITHY_SHEAR1; c <= WITHY_STRETCH; c++)
            if (!(sim->method->rigid >> c & 1))
                most = wy_max(most, isfinite(k[c]) ? k[c] * whole * whole / soft : rigid);
    }
    return most;
}

double wy_static_slender(const withy_sim *sim, int *round) {
    double most = 0;
    *round = 0;
    for (int i = 0; sim->setup.model && i < sim->problem.rod_count; i++) {
        int own;
        most = wy_max(most, slender_rod(sim, i, &own));
        *round |= own;
    }
    return most;
}

static double softer(double least, double spring) {
    return spring > 0 ? wy_min(least, spring) : least;
}

/* Of the springs of ends and joints, as one against a displacement [N/m]; INFINITY: there is none. */
static double softest_spring(const withy_problem *problem, double length) {
    const double square = length * length;
    double least = INFINITY;
    for (int i = 0; i < 2 * problem->rod_count; i++) {
        const withy_end *end = &problem->rod[i / 2].end[i % 2];
        least = softer(least, end->spring), least = softer(least, end->spring_turn / square);
    }
    for (int i = 0; i < problem->joint_count; i++) {
        const withy_joint *j = &problem->joint[i];
        const int turns = j->kind == WITHY_JOINT_HINGE;
        const double stretch[3] = {j->stretch.x, j->stretch.y, j->stretch.z};
        const double turn[3] = {j->turn.x, j->turn.y, j->turn.z};
        least = softer(least, j->spring / (turns ? square : 1.0));
        for (int k = 0; k < 3; k++)
            least = softer(least, stretch[k]), least = softer(least, turn[k] / square);
    }
    return least;
}

/* A stiff rod on soft springs: what the springs resist is little compared with the stiffness of the rod, but not none. */
double wy_static_spring_ratio(const withy_sim *sim) {
    double most = 1;
    for (int i = 0; sim->setup.model && i < sim->problem.rod_count; i++) {
        const double length = wy_model_whole(sim->setup.model, i);
        wy_section_at at;
        withy_error own;
        const double s = 0;
        if (wy_model_sections(sim->setup.model, i, 1, &s, &at, &own) != WITHY_OK) continue;
        const double bend = wy_max(at.stiffness[WITHY_BEND1], at.stiffness[WITHY_BEND2]);
        const double rod = 3 * bend / (length * length * length);
        if (isfinite(rod)) most = wy_max(most, rod / softest_spring(&sim->problem, length));
    }
    return most;
}

static double dot(int count, const double *a, const double *b) {
    double sum = 0;
    for (int i = 0; i < count; i++) sum += a[i] * b[i];
    return sum;
}

static double *vector_at(const wy_static *x, int i) {
    return x->loose + (size_t)i * (size_t)x->rows;
}

/* One inverse iteration; returns how many of the vectors have no stiffness. */
static int iterate(wy_static *x, int count) {
    const wy_equations *equations = x->equations;
    /* the mesh resists a closed rod that slides along itself, more than this is */
    const double none = x->candidates == WY_STATIC_ZERO_CLOSED ? x->lost : RANGE * x->fine;
    int soft = 0, all = 1;
    for (int i = 0; i < count; i++) {
        double *v = vector_at(x, i), norm = 0;
        equations->mass(x->self, v, x->side);
        memcpy(v, x->side, (size_t)x->rows * sizeof *v);
        equations->solve(x->self, v);
        for (int pass = 0; pass < 2; pass++) {
            for (int j = 0; j < i; j++) {
                equations->mass(x->self, v, x->side);
                const double *other = vector_at(x, j), k = dot(x->rows, other, x->side);
                for (int r = 0; r < x->rows; r++) v[r] -= k * other[r];
            }
            equations->mass(x->self, v, x->side);
            const double size = sqrt(wy_max(dot(x->rows, v, x->side), 0));
            if (pass == 0) norm = size;
            for (int r = 0; r < x->rows; r++) v[r] = size > 0 ? v[r] / size : 0.0;
        }
        all = all && norm * none * x->unit > 1;
        soft += all;
    }
    return soft;
}

void wy_static_find_zero_modes(wy_static *x, int is_new) {
    enum { MOST = 4 }; /* rounds, where motions next to them have hardly more stiffness */
    if (!x->candidates) return;
    if (is_new) {
        const int again = x->loose_known;
        if (!again) wy_static_random_vectors(x, 2463534242u, x->candidates, x->loose);
        if (!again) iterate(x, x->candidates);
        x->soft = iterate(x, x->candidates), x->loose_known = 1;
        for (int k = 0; k < MOST && x->soft < x->counted; k++) x->soft = iterate(x, x->candidates);
    } else if (x->soft) {
        iterate(x, x->soft);
    }
}

void wy_static_keep(wy_static *x, const double *load) {
    static const double ACTS = 1e-6; /* beyond rounding */
    for (int i = x->soft - 1; i >= 0; i--) {
        double *v = vector_at(x, i), *last = vector_at(x, x->soft - 1), size = 0, sum = 0;
        for (int r = 0; r < x->rows; r++) size = wy_max(size, fabs(v[r])), sum += fabs(load[r]);
        if (!(fabs(dot(x->rows, v, load)) > ACTS * size * sum)) continue;
        for (int r = 0; r < x->rows && v != last; r++) {
            const double own = v[r];
            v[r] = last[r], last[r] = own;
        }
        x->soft--;
    }
}

double wy_static_project(wy_static *x, double *change) {
    double most = 0;
    const double length = x->layout.length;
    const double turn = sqrt(WY_WEIGHT_TURN * length * length * length); /* of 1 rad */
    for (int i = 0; i < x->soft; i++) {
        const double *v = vector_at(x, i);
        x->equations->mass(x->self, v, x->side);
        const double k = dot(x->rows, change, x->side);
        for (int r = 0; r < x->rows; r++) change[r] -= k * v[r];
        most = wy_max(most, fabs(k));
    }
    return most / turn;
}

int wy_static_slides(double way) {
    return !(way <= SLIDES);
}

/* v becomes the part of it that has no stiffness: inverse iteration leaves that as it is, and nothing of the others. */
static void leave_loose(wy_static *x, double *v) {
    for (int k = 0; k < 2; k++) {
        x->equations->mass(x->self, v, x->side);
        memcpy(v, x->side, (size_t)x->rows * sizeof *v);
        x->equations->solve(x->self, v);
        for (int r = 0; r < x->rows; r++) v[r] *= x->fine * x->unit;
    }
}

/* Newton's change in two: x->toward has no stiffness, x->change keeps the rest.  A mechanism may have more such motions than
 * the vectors of wy_static_find_zero_modes, whose choice among them is arbitrary.  Returns the former as wy_static_project. */
static double split(wy_static *x) {
    enum { PASSES = 4 }; /* of a motion that is 1e9 times the rest each leaves its rounding */
    const double length = x->layout.length;
    memset(x->toward, 0, (size_t)x->rows * sizeof *x->toward);
    for (int pass = 0; pass < PASSES; pass++) {
        memcpy(x->moved, x->change, (size_t)x->rows * sizeof *x->moved);
        leave_loose(x, x->moved);
        for (int r = 0; r < x->rows; r++) x->change[r] -= x->moved[r], x->toward[r] += x->moved[r];
    }
    x->equations->mass(x->self, x->toward, x->side);
    const double square = wy_max(dot(x->rows, x->toward, x->side), 0);
    return sqrt(square / (WY_WEIGHT_TURN * length * length * length));
}

/* What acts along x->toward, of the motions without stiffness the one that it moves most: the moment about its axis [N m], or the
 * force along the line of a translation [N], which turns nothing. */
static double pull(const wy_static *x, int *translates) {
    const double *v = x->toward;
    const double turn = wy_vector_largest(&x->layout.turn, v);
    const double shift = wy_vector_largest(&x->layout.shift, v);
    *translates = shift > 3 * turn * x->layout.length;
    const double size = *translates ? shift : turn;
    return size > 0 ? fabs(dot(x->rows, v, x->side)) / size : 0.0;
}

/* Parts that hang on joints have factors with rounding far above that of their lowest stiffness, which would decide: as much is
 * added as is still a hundredth of the softest spring. */
static void add_more(wy_static *x) {
    x->fine = wy_max(x->fine, wy_min(NEUTRAL, 1e-2 / x->spring_ratio));
    x->shift = -x->fine * x->unit;
}

int wy_static_is_unsupported(wy_static *x) {
    const double length = x->layout.length;
    withy_error own;
    add_more(x);
    if (!x->candidates || wy_static_change(x, x->shift, 1, &own) != WITHY_OK) return 0;
    if (!wy_static_slides(split(x))) return 0;
    if (x->equations->residual(x->self, x->side, &own) != WITHY_OK) return 0;
    int translates;
    const double size = pull(x, &translates), force = x->unit * length * length;
    return size > LOADED * (translates ? force : force * length);
}

/* What acts is reported where ends leave few motions free: of those of a mechanism, the shape that was reached decides which one
 * it is. */
withy_status wy_static_unsupported(wy_static *x, withy_error *err) {
    const char *name = x->sim->method->name;
    int translates;
    if (x->candidates >= WY_STATIC_ZERO_MODES) /* also of a closed rod */
        return wy_fail(err, WITHY_NO_CONVERGENCE,
                       "%s: loads" WY_KEY
                       " act along a motion on which nothing resists them; hold the parts "
                       "that move (an end, a joint, a spring), or take the loads off",
                       name);
    WY_TRY(x->equations->residual(x->self, x->side, err));
    const double size = pull(x, &translates);
    if (translates)
        return wy_fail(err, WITHY_NO_CONVERGENCE,
                       "%s: a force of %.3g N moves the rod along a line on which nothing resists "
                       "it; hold an end along it too, or take the force off",
                       name, size);
    return wy_fail(err, WITHY_NO_CONVERGENCE,
                   "%s: a moment of %.3g N m turns the rod about an axis on which nothing resists "
                   "it; clamp an end, or take the moment off",
                   name, size);
}
