/* quadratic.c - modes with damping and gyroscopic terms.
 *
 *   (lambda^2 M + lambda C + K) x = 0,   x(t) = exp(lambda t) x
 *
 * C: viscous and gyroscopic, of any size.  With F = K - shift M, factorised, P = F^-1 M and R = F^-1 C,
 * this is
 *
 *   (lambda^2 P + lambda R + 1 + shift P) x = 0                                            (1)
 *
 * which is projected, in the product of M, to a space V that begins with the undamped modes.  Where (1)
 * leaves a remainder, that remainder is added to the space (Voss, BIT 44, 2004: F is the same for all of
 * them), and the projection repeated; every addition multiplies the error by about the ratio of the
 * lowest frequencies squared to those that V lacks.  With lambda = sigma (1 + 1/nu), sigma^2 = -shift,
 * the projected problem is an ordinary one for nu, of twice the size, and regular where a motion has no
 * stiffness.
 *
 * Which modes are the lowest is decided by the stiffness of their shapes, not by |lambda|: the rates of
 * strongly damped modes accumulate at -1/(damping time), where the highest would be first.
 */
#include "numeric/eigen/eigen.h"
#include "numeric/linear/linear.h"
#include "study/modes/subspace.h"

enum { ROUNDS = 24, ROOM = 10 };
static const double DONE = 1e-11;    /* remainder of (1) for a shape of length 1 */
static const double STUCK = 1e-7;    /* the same when it stops decreasing */
static const double FOUND = 1e-5;    /* the same for a mode to be listed */
static const double SAME = 0.99;     /* cosine of two shapes that are one */
static const double GROWS = 1e-6;    /* of |lambda|: more than rounding */
static const double REST = 1e-5;     /* of the shift: stiffness that rounding of K leaves */
static const double NOTHING = 1e-13; /* of a vector: nothing new */

typedef struct space {
    wy_ritz *ritz;
    int rows, size, room; /* vectors now, at most */
    double sigma;
    double *memory, *v, *p, *r;       /* [room][rows] V, P V, R V */
    double *hp, *hr;                  /* [room][room] V^T M P V, V^T M R V */
    double *a, *h, *re, *im, *vector; /* the problem for nu */
    int *pivot;
    double *left[2]; /* [rows] remainder of (1), real and imaginary */
    double limit;    /* frequency squared up to which the block is known */
    int equilibrium; /* motions that neither K nor C resists: not in V */
    int rest;        /* those that C alone resists: the first columns of V */
    int firm;        /* 1: no motion has a negative stiffness */
    int *at_rest_at; /* [size of the block] which they are: both kinds, in this order */
} space;

/* A value of the projected problem: its coefficients are columns `at` and, of a pair, at + 1. */
typedef struct guess {
    double re, im, order, left;
    double rest; /* of the square of its shape, the share that has no stiffness (space.rest) */
    int at, requested;
} guess;

static double *at(const space *w, double *of, int i) {
    return &of[(size_t)i * (size_t)w->rows];
}

static withy_status take(wy_ritz *b, int room, space *w, withy_error *err) {
    const size_t rows = (size_t)b->rows, k = (size_t)room, two = 2 * k;
    *w = (space){.ritz = b, .rows = b->rows, .room = room, .sigma = sqrt(-b->shift)};
    w->memory =
        wy_alloc(3 * k * rows + 3 * k * k + 2 * two * two + 4 * two + 2 * rows, sizeof(double));
    if (!w->memory)
        return wy_no_memory(err, "%s: no memory for damped modes",
                            b->equilibrium->sim->method->name);
    w->v = w->memory, w->p = w->v + k * rows, w->r = w->p + k * rows, w->hp = w->r + k * rows;
    w->hr = w->hp + k * k, w->a = w->hr + k * k, w->h = w->a + k * k, w->vector = w->h + two * two;
    w->re = w->vector + two * two, w->im = w->re + two, w->pivot = (int *)(w->im + two);
    w->at_rest_at = (int *)(w->im + 2 * two);
    w->left[0] = w->im + 3 * two, w->left[1] = w->left[0] + rows;
    return WITHY_OK;
}

/* ---- the space ------------------------------------------------------------------------------------- */

/* Rows and columns of the newest vector in both projections. */
static void project_last(space *w) {
    const wy_equations *equations = w->ritz->equilibrium->equations;
    const void *self = w->ritz->equilibrium->self;
    double *mx = w->ritz->mx;
    const int last = w->size - 1, room = w->room;
    for (int i = 0; i <= last; i++) {
        equations->mass(self, at(w, w->v, i), mx);
        for (int k = i == last ? 0 : last; k <= last; k++) {
            w->hp[i * room + k] = wy_ritz_dot(w->rows, mx, at(w, w->p, k));
            w->hr[i * room + k] = wy_ritz_dot(w->rows, mx, at(w, w->r, k));
        }
    }
}

/* v less its share of another, in the product of M; mx: M v. */
static void subtract(const space *w, double *v, const double *mx, const double *other) {
    const double k = wy_ritz_dot(w->rows, other, mx);
    for (int r = 0; r < w->rows; r++) v[r] -= k * other[r];
}

static const double *at_rest_vector(const space *w, int i) {
    return wy_ritz_at(w->ritz, w->ritz->x, w->at_rest_at[i]);
}

/* v becomes orthonormal to the space; returns 0 when nothing is left of it. */
static int orthonormalise(const space *w, double *v) {
    const wy_static *x = w->ritz->equilibrium;
    double *mx = w->ritz->mx;
    if (!(wy_ritz_normalise(w->ritz, v, 0) > 0)) return 0;
    for (int pass = 0; pass < 3; pass++) {
        x->equations->mass(x->self, v, mx);
        for (int j = 0; j < w->equilibrium; j++) subtract(w, v, mx, at_rest_vector(w, j));
        for (int j = 0; j < w->size; j++) subtract(w, v, mx, at(w, w->v, j));
        if (!(wy_ritz_normalise(w->ritz, v, NOTHING * NOTHING) > 0)) return 0;
    }
    return 1;
}

/* v, orthonormalised, joins the space, unless it is already in it.  mu: NULL, or v is an undamped mode. */
static int join(space *w, const double *from, const double *mu) {
    const wy_equations *equations = w->ritz->equilibrium->equations;
    void *self = w->ritz->equilibrium->self;
    double *v = at(w, w->v, w->size);
    if (w->size == w->room) return 0;
    memcpy(v, from, (size_t)w->rows * sizeof *v);
    if (!orthonormalise(w, v)) return 0;
    double *p = at(w, w->p, w->size), *r = at(w, w->r, w->size);
    equations->damping(self, v, r);
    equations->solve(self, r);
    equations->mass(self, v, p);
    equations->solve(self, p);
    for (int i = 0; mu && i < w->rows; i++) p[i] = v[i] / (*mu - w->ritz->shift);
    w->size++;
    project_last(w);
    return 1;
}

/* Does C leave a vector, of length 1, alone? */
static int is_undamped(const space *w, const double *v) {
    const wy_static *x = w->ritz->equilibrium;
    double *r = w->left[0];
    x->equations->damping(x->self, v, r);
    x->equations->solve(x->self, r);
    x->equations->mass(x->self, r, w->ritz->mx);
    return sqrt(fabs(wy_ritz_dot(w->rows, r, w->ritz->mx))) * w->sigma <= REST * REST;
}

/* Motions without stiffness: those that C leaves alone, and into the space those that it resists.  There are as many values
 * lambda = 0 as of both, and each of them is one, whatever rounding makes of it. */
static void begin_at_rest(space *w) {
    static const double none = 0;
    wy_ritz *b = w->ritz;
    const int found = b->general ? 0 : wy_ritz_found(b);
    double im, error;
    for (int damped = 0; damped < 2; damped++)
        for (int i = 0; i < found && wy_static_may_continue(b->equilibrium); i++) {
            const double mu = wy_ritz_mu(b, i, &im, &error);
            double *v = wy_ritz_at(b, b->x, i);
            if (!(fabs(mu) <= error) || is_undamped(w, v) == damped) continue;
            if (!damped && orthonormalise(w, v)) w->at_rest_at[w->equilibrium++] = i;
            if (damped && join(w, v, &none)) w->at_rest_at[w->equilibrium + w->rest++] = i;
        }
}

static int is_at_rest(const space *w, int i) {
    for (int k = 0; k < w->equilibrium + w->rest; k++)
        if (w->at_rest_at[k] == i) return 1;
    return 0;
}

/* The undamped modes.  Those of a symmetric K are orthogonal and known better than the factors have
 * them: P x = x/(mu - shift).  A motion that nothing resists is a mode as it is, and all others are
 * orthogonal to it: it is kept out of the space. */
static void begin(space *w, int exact) {
    wy_ritz *b = w->ritz;
    const int found = wy_ritz_found(b), known = b->general ? 0 : exact;
    double im, error;
    begin_at_rest(w);
    w->firm = !b->general && b->negative == 0;
    for (int i = 0; i < found && wy_static_may_continue(b->equilibrium); i++) {
        const double mu = wy_ritz_mu(b, i, &im, &error);
        w->firm = w->firm && mu >= -error;
        if (i < exact) w->limit = wy_max(w->limit, 4 * hypot(mu, im));
        if (!is_at_rest(w, i)) join(w, wy_ritz_at(b, b->x, i), i < known ? &mu : NULL);
    }
}

/* ---- the projected problem ------------------------------------------------------------------------- */

/* With l = lambda/sigma: (l^2 P + l R + 1 - P) c = 0, P and R times sigma^2 and sigma.  l = 1 + 1/nu and
 * S = 1 + R: nu^2 S c + nu (2 P + R) c + P c = 0. */
static int solve_small(space *w) {
    const int n = w->size, two = 2 * n, room = w->room;
    const double s = w->sigma;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) w->a[i * n + k] = (i == k) + s * w->hr[i * room + k];
    if (!wy_lu_factor(n, n, w->a, w->pivot)) return 0;
    memset(w->h, 0, (size_t)two * (size_t)two * sizeof *w->h);
    for (int k = 0; k < two && wy_static_may_continue(w->ritz->equilibrium); k++) {
        const int c = k % n;
        for (int i = 0; i < n; i++) {
            const double p = s * s * w->hp[i * room + c], r = s * w->hr[i * room + c];
            w->vector[i] = k < n ? -(2 * p + r) : -p;
        }
        wy_lu_solve(n, n, w->a, w->pivot, w->vector);
        for (int i = 0; i < n; i++) w->h[i * two + k] = w->vector[i];
    }
    for (int i = 0; i < n; i++) w->h[(n + i) * two + i] = 1;
    return !w->ritz->equilibrium->stopped && wy_eigen_general(two, w->h, w->re, w->im, w->vector);
}

/* lambda of a value of nu. */
static void lambda_of(const space *w, int k, double *re, double *im) {
    const double square = w->re[k] * w->re[k] + w->im[k] * w->im[k];
    *re = w->sigma * (1 + w->re[k] / square), *im = -w->sigma * w->im[k] / square;
}

/* Column k of coefficients, scaled to length 1 with its partner. */
static double coefficient(const space *w, const guess *g, int i, int imaginary) {
    if (imaginary && g->im == 0) return 0;
    /* the pair with im(nu) > 0 first has im(lambda) < 0: its conjugate is requested */
    return (imaginary ? -1 : 1) * w->vector[i * 2 * w->size + g->at + imaginary];
}

static void scale_columns(space *w, int k, int pair) {
    const int n = w->size, two = 2 * n;
    double sum = 0;
    for (int i = 0; i < n; i++)
        for (int c = 0; c <= pair; c++) sum += pow(w->vector[i * two + k + c], 2);
    for (int i = 0; i < n && sum > 0; i++)
        for (int c = 0; c <= pair; c++) w->vector[i * two + k + c] /= sqrt(sum);
}

/* Frequency squared of the shape: 1/(x^T M P x) + shift.  Below the shift there are modes that grow,
 * those that only gyroscopic forces hold, and vectors of rounding. */
static double order_of(const space *w, const guess *g) {
    double sum = 0;
    for (int part = 0; part < 2; part++)
        for (int i = 0; i < w->size; i++)
            for (int k = 0; k < w->size; k++)
                sum += coefficient(w, g, i, part) * w->hp[i * w->room + k] *
                       coefficient(w, g, k, part);
    return fabs(1 / sum + w->ritz->shift);
}

/* A motion without stiffness, as far as K is known, that does not move. */
static int is_rest(const space *w, const guess *g) {
    const double check = w->ritz->general ? REST : REST * REST;
    return hypot(g->re, g->im) <= sqrt(check) * w->sigma && g->order <= -check * w->ritz->shift;
}

/* Two real values with one shape belong to one mode: the slower, or the growing one, stands for it. */
static int is_partner(const space *w, const guess *a, const guess *b) {
    double cosine = 0;
    if (a->im != 0 || b->im != 0) return 0;
    for (int i = 0; i < w->size; i++) cosine += coefficient(w, a, i, 0) * coefficient(w, b, i, 0);
    return fabs(cosine) > SAME;
}

/* A real value whose shape is a motion without stiffness: 0, for which that motion stands (keep), or the rate at which C
 * stops it, which is its partner. */
static int is_of_rest(const guess *g) {
    return g->im == 0 && g->rest > SAME * SAME;
}

/* What is much stiffer than the modes that have converged is rounding of the projection. */
static int grows(const space *w, const guess *g) {
    const double size = hypot(g->re, g->im);
    return g->re > GROWS * size && g->order <= w->limit && size * size <= w->limit;
}

static void sort(int count, guess *g) {
    for (int i = 1; i < count; i++)
        for (int k = i; k > 0 && g[k].order < g[k - 1].order; k--) {
            const guess swap = g[k];
            g[k] = g[k - 1], g[k - 1] = swap;
        }
}

/* Column k of the projected problem, as one of a pair or by itself. */
static int put(space *w, int k, int pair, guess *g) {
    *g = (guess){.at = k};
    lambda_of(w, k, &g->re, &g->im);
    g->im = pair ? fabs(g->im) : 0;
    scale_columns(w, k, pair);
    g->order = order_of(w, g);
    for (int i = 0; i < 2 * w->rest; i++) g->rest += pow(coefficient(w, g, i / 2, i % 2), 2);
    if (is_rest(w, g)) g->re = g->im = 0;
    return isfinite(g->re) && isfinite(g->im) && isfinite(g->order);
}

/* Which are requested: the first `count`, and all that grow; not both of one mode. */
static void choose(const space *w, int found, int count, guess *g) {
    int requested = 0;
    for (int i = 0; i < found && wy_static_may_continue(w->ritz->equilibrium); i++) {
        int partner = is_of_rest(&g[i]);
        for (int k = 0; k < found && !partner; k++)
            partner =
                (g[k].re > g[i].re || (g[k].re == g[i].re && k < i)) && is_partner(w, &g[i], &g[k]);
        g[i].requested = !partner && (requested < count || grows(w, &g[i]));
        requested += g[i].requested;
    }
}

/* All values with im >= 0, in the order of their shapes.  Two real values may come as a pair that only
 * rounding has made complex: real and imaginary part are then two shapes. */
static int list(space *w, int count, guess *g) {
    int found = 0;
    for (int k = 0; k < 2 * w->size && wy_static_may_continue(w->ritz->equilibrium); k++) {
        double re, im;
        lambda_of(w, k, &re, &im);
        const int two = w->im[k] != 0, pair = two && fabs(im) > GROWS * fabs(re);
        found += put(w, k, pair, &g[found]);
        if (two && !pair) found += put(w, k + 1, 0, &g[found]);
        k += two;
    }
    sort(found, g);
    choose(w, found, count, g);
    return found;
}

/* ---- the remainder --------------------------------------------------------------------------------- */

/* out[0], out[1] += (re + i im) (c + i d) v. */
static void add(const space *w, double re, double im, double c, double d, const double *v) {
    const double real = re * c - im * d, imaginary = re * d + im * c;
    double *restrict a = w->left[0], *restrict b = w->left[1];
    for (int r = 0; r < w->rows; r++) a[r] += real * v[r], b[r] += imaginary * v[r];
}

/* Of (1) into w->left; returns its length. */
static double remainder_of(const space *w, const guess *g) {
    const double l2 = g->re * g->re - g->im * g->im + w->ritz->shift, l2i = 2 * g->re * g->im;
    memset(w->left[0], 0, 2 * (size_t)w->rows * sizeof(double));
    for (int i = 0; i < w->size; i++) {
        const double c = coefficient(w, g, i, 0), d = coefficient(w, g, i, 1);
        add(w, l2, l2i, c, d, at(w, w->p, i));
        add(w, g->re, g->im, c, d, at(w, w->r, i));
        add(w, 1, 0, c, d, at(w, w->v, i));
    }
    double sum = 0;
    for (int k = 0; k < 2; k++) {
        w->ritz->equilibrium->equations->mass(w->ritz->equilibrium->self, w->left[k], w->ritz->mx);
        sum += wy_ritz_dot(w->rows, w->left[k], w->ritz->mx);
    }
    return sqrt(fabs(sum));
}

/* One round: values, and what they leave joins the space.  *worst: the largest remainder. */
static int improve(space *w, int count, guess *g, int *found, double *worst) {
    const int size = w->size;
    int joined = 0;
    *found = list(w, count, g);
    *worst = 0;
    for (int i = 0; i < *found && wy_static_may_continue(w->ritz->equilibrium); i++) {
        if (!g[i].requested) continue;
        g[i].left = remainder_of(w, &g[i]);
        if (!(g[i].left <= *worst)) *worst = g[i].left;
        if (!(g[i].left > DONE)) continue;
        w->size += joined; /* coefficients are those of the old vectors */
        for (int k = 0; k <= (g[i].im != 0); k++) joined += join(w, w->left[k], NULL);
        w->size = size;
    }
    w->size += joined;
    return joined;
}

/* ---- what is found --------------------------------------------------------------------------------- */

static void combine(const space *w, const guess *g, int part, double *out) {
    memset(out, 0, (size_t)w->rows * sizeof *out);
    for (int i = 0; i < w->size; i++) {
        const double c = coefficient(w, g, i, part), *v = at(w, w->v, i);
        for (int r = 0; r < w->rows; r++) out[r] += c * v[r];
    }
}

/* Without a negative stiffness only C can feed a motion, by 2 re(lambda) for a shape of length 1 (real ones: more): what grows
 * although C gives it less is rounding. */
static int is_fed(const space *w, const guess *g) {
    const wy_static *x = w->ritz->equilibrium;
    double work = 0;
    for (int part = 0; part < 2; part++) {
        combine(w, g, part, w->left[0]);
        x->equations->damping(x->self, w->left[0], w->left[1]);
        work += wy_ritz_dot(w->rows, w->left[0], w->left[1]);
    }
    return -work > 0.5 * g->re;
}

/* Modes so strongly damped that their rates are almost one number have no shapes of their own, and may
 * not converge. */
static int is_found(const space *w, const guess *g) {
    return g->requested && g->left <= FOUND &&
           !(w->firm && g->re > GROWS * hypot(g->re, g->im) && !is_fed(w, g));
}

static withy_status keep(const space *w, int found, const guess *g, wy_roots *roots,
                         withy_error *err) {
    const int rest = w->equilibrium + w->rest;
    int count = rest;
    for (int i = 0; i < found; i++) count += is_found(w, &g[i]);
    roots->root = wy_alloc((size_t)count + 1, sizeof *roots->root);
    roots->memory = wy_alloc(2 * (size_t)(count + 1) * (size_t)w->rows, sizeof(double));
    if (!roots->root || !roots->memory) return wy_no_memory(err, "no memory for %d modes", count);
    for (int i = 0; i < rest; i++) {
        double *x = roots->memory + 2 * (size_t)roots->count * (size_t)w->rows;
        memcpy(x, at_rest_vector(w, i), (size_t)w->rows * sizeof *x);
        roots->root[roots->count++] = (wy_root){.neutral = 1, .x = x};
    }
    for (int i = 0; i < found; i++) {
        if (!is_found(w, &g[i])) continue;
        double *x = roots->memory + 2 * (size_t)roots->count * (size_t)w->rows, *y = x + w->rows;
        combine(w, &g[i], 0, x);
        combine(w, &g[i], 1, y);
        roots->root[roots->count++] = (wy_root){.re = g[i].re,
                                                .im = g[i].im,
                                                .order = g[i].order,
                                                .neutral = g[i].re == 0 && g[i].im == 0,
                                                .x = x,
                                                .y = g[i].im != 0 ? y : NULL};
    }
    return WITHY_OK;
}

static withy_status iterate(space *w, int count, guess *g, wy_roots *roots, withy_error *err) {
    double last = INFINITY, worst = INFINITY;
    int found = 0;
    for (int round = 0; round < ROUNDS; round++) {
        const int solved = solve_small(w);
        WY_TRY(wy_static_interrupted(w->ritz->equilibrium, err));
        if (!solved)
            return wy_no_convergence(err, "%s: the damped modes were not found",
                                     w->ritz->equilibrium->sim->method->name);
        const int before = w->size, joined = improve(w, count, g, &found, &worst);
        WY_TRY(wy_static_interrupted(w->ritz->equilibrium, err));
        const int done = worst <= DONE || (worst <= STUCK && worst > 0.5 * last);
        last = worst;
        if (done || !joined || round + 1 == ROUNDS) {
            w->size = before; /* the values belong to this space */
            break;
        }
    }
    roots->settled = worst <= STUCK;
    return keep(w, found, g, roots, err);
}

int wy_ritz_is_damped(const wy_ritz *b) {
    const wy_equations *equations = b->equilibrium->equations;
    if (!equations->damping) return 0;
    for (int i = 0; i < b->size; i++) {
        equations->damping(b->equilibrium->self, wy_ritz_at(b, b->x, i), b->mx);
        for (int r = 0; r < b->rows; r++)
            if (b->mx[r] != 0) return 1;
    }
    return 0;
}

withy_status wy_quadratic_solve(wy_ritz *b, int count, wy_roots *roots, withy_error *err) {
    const int room = wy_min(b->size + ROOM * (count + 4), b->most);
    space w;
    *roots = (wy_roots){0};
    WY_TRY(take(b, room, &w, err));
    guess *g = wy_alloc(2 * (size_t)room, sizeof *g);
    withy_status status = g ? WITHY_OK : wy_no_memory(err, "no memory for %d modes", count);
    if (status == WITHY_OK) {
        begin(&w, count);
        status = iterate(&w, wy_max(count - w.equilibrium - w.rest, 0), g, roots, err);
    }
    wy_free(g);
    wy_free(w.memory);
    return status;
}
