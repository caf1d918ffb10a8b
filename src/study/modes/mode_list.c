/* mode_list.c - which modes are listed.
 *
 * Parts that neither joints nor contact tie to others have modes of their own, which are found as if they were alone: K, M and C
 * couple nothing outside of a group of joined parts, so that a block that begins in a group stays in it.  In one
 * block for all, parts that are far away would decide how much room each has there: which of many rates that are almost the
 * same are distinguished (quadratic.c), and how far modes that grow are looked for (eigenmodes.c).
 */
#include "study/modes/subspace.h"

enum { GROUPS_MOST = 8 };        /* of more, all in one block: each costs as much as all together */
static const double LEAK = 1e-9; /* of the largest part of a vector: what is outside of its group */

/* What was found of one group. */
typedef struct part {
    int enough; /* modes that its block is made for */
    wy_ritz b;
    wy_roots roots;
    int settled, missed;
} part;

/* ---- in which order ------------------------------------------------------------------------------------ */

/* What grows first, then the lowest. */
static int comes_before(const wy_root *a, const wy_root *b) {
    if (wy_root_grows(a) != wy_root_grows(b)) return wy_root_grows(a);
    const double one = hypot(a->re, a->im), two = hypot(b->re, b->im);
    return wy_root_grows(a) ? a->re > b->re * (1 + 1e-9) : one < two;
}

static void sort(wy_roots *roots) {
    wy_root *r = roots->root;
    for (int i = 1; i < roots->count; i++)
        for (int k = i; k > 0 && comes_before(&r[k], &r[k - 1]); k--) {
            const wy_root swap = r[k];
            r[k] = r[k - 1], r[k - 1] = swap;
        }
}

/* How many are written: all that grow, and at least `count`. */
static int shown(const wy_roots *roots, int count) {
    int growing = 0;
    for (int i = 0; i < roots->count; i++) growing += wy_root_grows(&roots->root[i]);
    return wy_min(wy_max(growing, count), roots->count);
}

static withy_status write_modes(wy_static *x, wy_roots *roots, int count, withy_mode **mode,
                                withy_error *err) {
    const int total = shown(roots, count);
    WY_TRY(wy_modes_take(x->sim, total, mode, err));
    for (int i = 0; i < total; i++) wy_mode_write(x, &roots->root[i], &(*mode)[i]);
    return WITHY_OK;
}

/* ---- one group ---------------------------------------------------------------------------------------- */

/* The block has the shapes of the least stiffness.  In a frame that turns, one of stiffness k (a frequency squared) may
 * vibrate as slowly as sqrt(k + spin^2) - spin: is one missing that would come before the last of the first `count`? */
static int may_miss(const withy_sim *sim, const wy_roots *sorted, int count) {
    const withy_vec3 *turn = &sim->problem.rotating.spin;
    const double spin = sqrt(turn->x * turn->x + turn->y * turn->y + turn->z * turn->z);
    if (!sim->problem.rotating.given || sorted->count < count) return 0;
    double known = 0;
    for (int i = 0; i < sorted->count; i++) known = wy_max(known, sorted->root[i].order);
    const wy_root *last = &sorted->root[count - 1];
    return hypot(last->re, last->im) > sqrt(known + spin * spin) - spin;
}

/* The roots of a block for `enough` modes, sorted. */
static withy_status find_roots(wy_static *x, int *enough, part *p, withy_error *err) {
    WY_TRY(wy_ritz_find(x, enough, &p->b, &p->settled, err));
    WY_TRY(wy_modes_at_rest(x, err));
    if (wy_ritz_is_damped(&p->b)) {
        WY_TRY(wy_quadratic_solve(&p->b, *enough, &p->roots, err));
        p->settled = p->settled && p->roots.settled;
    } else {
        WY_TRY(wy_undamped_solve(&p->b, *enough, &p->roots, err));
    }
    sort(&p->roots);
    return WITHY_OK;
}

static void give(part *p) {
    wy_free(p->roots.root);
    wy_free(p->roots.memory);
    wy_ritz_give(&p->b);
    p->roots = (wy_roots){0};
}

/* At least `count` of a group, if it has them. */
static withy_status find_part(wy_static *x, int count, int enough, part *p, withy_error *err) {
    withy_status status = find_roots(x, &enough, p, err);
    while (status == WITHY_OK &&
           (p->missed = p->b.size < p->b.most && may_miss(x->sim, &p->roots, count)) &&
           enough < WY_MODES_MOST && wy_ritz_found(&p->b) > enough) {
        give(p);
        enough = wy_min(2 * enough + 2, WY_MODES_MOST);
        status = find_roots(x, &enough, p, err);
    }
    return status;
}

/* ---- all ------------------------------------------------------------------------------------------------- */

typedef struct parts {
    part one[GROUPS_MOST];
    int count;
} parts;

static int leaks(const wy_static *x, const part *p) {
    double inside = 0, outside = 0;
    for (int i = 0; i < p->roots.count; i++)
        for (int r = 0; r < x->rows; r++) {
            double *most = wy_static_uses_row(x, r) ? &inside : &outside;
            *most = wy_max(*most, fabs(p->roots.root[i].x[r]));
        }
    return outside > LEAK * inside;
}

/* The vectors of a block are independent only while a group has as many degrees of freedom: one block for all where
 * joints take some away, or where a group has too few. */
static int groups_of(const wy_static *x, int count) {
    const wy_vector_layout *l = &x->layout;
    const int all = l->groups.count;
    if (all < 2 || all > GROUPS_MOST || x->rows != l->shift.nodes * l->shift.node) return 1;
    for (int g = 0; g < all; g++)
        if (l->groups.freedoms[g] < count) return 1;
    return all;
}

/* *apart: nothing ties one group to another. */
static withy_status find_parts(wy_static *x, int count, const wy_ritz *limit, parts *all,
                               int *apart, withy_error *err) {
    withy_status status = WITHY_OK;
    *apart = 1;
    for (int g = 0; g < all->count && status == WITHY_OK && *apart; g++) {
        part *p = &all->one[g];
        if (p->b.memory) continue; /* found before */
        *p = (part){.b = *limit, .enough = p->enough};
        x->only = all->count > 1 ? g + 1 : 0;
        if (x->only) p->b.most = x->layout.groups.freedoms[g];
        status = find_part(x, count, p->enough, p, err);
        *apart = status != WITHY_OK || !leaks(x, p);
    }
    x->only = 0;
    return status;
}

static void give_all(parts *all) {
    for (int g = 0; g < all->count; g++) give(&all->one[g]);
    memset(all->one, 0, sizeof all->one);
}

/* Stiffnesses below a shift. */
static int below(wy_ritz *b, double shift) {
    int count = 0;
    for (int i = 0; i < wy_ritz_found(b); i++) {
        double im, error;
        count += wy_ritz_mu(b, i, &im, &error) < shift;
    }
    return count;
}

/* Nearer to zero than what rounding does to the stiffness of a part, pivots have any sign. */
static int shows(const parts *all, double shift) {
    for (int g = 0; g < all->count; g++)
        if (!(fabs(shift) > wy_ritz_lost(&all->one[g].b))) return 0;
    return 1;
}

/* A part whose block lacks some of its negative pivots, and how many it has: the factors have those of all parts.  A part alone
 * gets as much room. */
static part *find_short(parts *all, int *negative) {
    for (int g = 0; g < all->count && all->count > 1; g++) {
        part *p = &all->one[g];
        *negative = p->b.negative;
        for (int h = 0; h < all->count; h++)
            if (h != g) *negative -= below(&all->one[h].b, p->b.shift);
        if (shows(all, p->b.shift) && below(&p->b, p->b.shift) < *negative) return p;
    }
    return NULL;
}

static void in_one_block(parts *all, int count) {
    give_all(all);
    all->count = 1, all->one[0].enough = count;
}

/* Of the roots of all groups: those of the least stiffness, and what grows. */
static void choose(int count, wy_roots *roots) {
    wy_root *r = roots->root;
    int kept = 0;
    for (int i = 1; i < roots->count; i++)
        for (int k = i; k > 0 && r[k].order < r[k - 1].order; k--) {
            const wy_root swap = r[k];
            r[k] = r[k - 1], r[k - 1] = swap;
        }
    for (int i = 0; i < roots->count; i++)
        if (r[i].x && (i < count || wy_root_grows(&r[i]))) r[kept++] = r[i];
    roots->count = kept;
}

/* Of a group some may be left out (note_modes): they keep their places before those of stiffer groups, without a shape. */
static void keep_places(part *p, int count, wy_roots *roots) {
    const int there = wy_min(count, wy_ritz_found(&p->b));
    double im, error;
    for (int i = p->roots.count; i < there; i++)
        roots->root[roots->count++] = (wy_root){.order = wy_ritz_mu(&p->b, i, &im, &error)};
}

static withy_status merge(parts *all, int count, wy_roots *roots, withy_error *err) {
    int total = 0;
    for (int g = 0; g < all->count; g++) total += all->one[g].roots.count + count;
    roots->root = wy_alloc((size_t)total + 1, sizeof *roots->root);
    if (!roots->root) return wy_no_memory(err, "no memory for %d modes", total);
    for (int g = 0; g < all->count; g++)
        for (int i = 0; i < all->one[g].roots.count; i++) {
            wy_root *root = &roots->root[roots->count++];
            *root = all->one[g].roots.root[i], root->part = g;
        }
    for (int g = 0; g < all->count && all->count > 1; g++) keep_places(&all->one[g], count, roots);
    if (all->count > 1) choose(count, roots);
    sort(roots);
    return WITHY_OK;
}

static void note_modes(const wy_static *x, const parts *all, const wy_roots *roots, int count) {
    int settled = 1, missed = 0;
    for (int i = 0; i < wy_min(count, roots->count); i++) {
        const part *p = &all->one[roots->root[i].part];
        settled = settled && p->settled, missed |= p->missed;
    }
    withy_notes *notes = &x->sim->notes;
    const char *name = x->sim->method->name;
    if (roots->count < count)
        wy_note(notes, WY_NOTE(modes_damped), name, count - roots->count, count);
    else if (!settled)
        wy_note(notes, WY_NOTE(modes_unsettled), name, count);
    if (missed) wy_note(notes, WY_NOTE(modes_missed), name, count);
}

static withy_status list(wy_static *x, parts *all, int asked, int count, withy_mode **mode,
                         withy_error *err) {
    wy_roots roots = {0};
    int found = 0;
    for (int g = 0; g < all->count; g++) found += wy_ritz_found(&all->one[g].b);
    WY_TRY(wy_modes_enough(x->sim, asked, found, &count, err));
    withy_status status = merge(all, count, &roots, err);
    if (status == WITHY_OK) note_modes(x, all, &roots, count);
    if (status == WITHY_OK && roots.count == 0)
        status = wy_no_convergence(err, "%s: no mode was found", x->sim->method->name);
    if (status == WITHY_OK) status = write_modes(x, &roots, count, mode, err);
    wy_free(roots.root);
    return status;
}

static withy_status solve(wy_static *x, int asked, withy_mode **mode, withy_error *err) {
    wy_ritz limit;
    int count = asked, apart = 0;
    WY_TRY(wy_modes_limit(x, &count, &limit, err));
    parts all = {.count = groups_of(x, count)};
    for (int g = 0; g < all.count; g++) all.one[g].enough = count;
    withy_status status = find_parts(x, count, &limit, &all, &apart, err);
    while (status == WITHY_OK && all.count > 1) {
        int negative = 0;
        part *p = apart ? find_short(&all, &negative) : NULL;
        if (apart && !p) break;
        if (!apart || p->enough >= WY_MODES_MOST) {
            in_one_block(&all, count);
        } else {
            give(p);
            p->enough = wy_ritz_more(p->enough, negative);
        }
        status = find_parts(x, count, &limit, &all, &apart, err);
    }
    if (status == WITHY_OK) status = list(x, &all, asked, count, mode, err);
    give_all(&all);
    return status;
}

typedef struct request {
    int count;
    withy_mode **mode;
} request;

static withy_status solve_request(wy_static *x, void *context, withy_error *err) {
    const request *r = context;
    return solve(x, r->count, r->mode, err);
}

withy_status wy_modes_find(withy_sim *sim, int count, withy_mode **mode, withy_error *err) {
    return wy_modes_about(sim, solve_request, &(request){count, mode}, err);
}
