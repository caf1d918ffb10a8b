/* closed_loop.c - constraints that close loops of joints, in statics and modes: exact, whether they depend on each other or not.
 *
 * The tree of joints (director/linear/reduced.c) has rows that are always independent, those of the joints that close its
 * loops need not be: a plate on two hinges, a planar four-bar of rigid bodies.  Rank is decided once per
 * configuration.  With P the projection to the motions that the tree allows, lengths in units of L and rows of unit
 * length, the rows P b_k are made orthonormal one after the other, twice, the farthest from those before first; rows of which
 * nothing is left depend on those before them, and are left out.  In the reduced system a row that closes a loop is -1 on the diagonal and
 * nothing else: one negative eigenvalue, as any multiplier.  Those that stay are a border C of it,
 *
 *   [ A + C^T W C   C^T ] [ x ]   [ b + C^T W g ]        x = F^-1 (b + C^T W g - C^T l)
 *   [ C              0  ] [ l ] = [ g           ]        (C F^-1 C^T) l = C F^-1 (b + C^T W g) - g
 *
 * where W changes neither x nor l nor the inertia, but keeps F regular: without its loops a mechanism may have no
 * stiffness at all.  W is that of the largest stiffness of the reduced system.  The multipliers of rows that are left
 * out stay as they are: where rows depend on each other all along the motion, the geometric stiffness of the motions
 * that are allowed does not depend on how joints share their forces.
 *
 * Newton's iterates do not meet their constraints, and rows that depend on each other where they are met do
 * not elsewhere: there the rows are those of the shape that Newton's method begins at, or of t = 0 where that does not meet them
 * either, until all that stay are met.
 */
#include "method/director/contact/contacts.h"
#include "numeric/linear/linear.h"

static const double DEPENDS = 1e-7; /* what is left of a dependent row; 1e-16 to 1 has been seen  */
static const double ALIKE =
    1 + 1e-6; /* farther by more than rounding: of rows alike the first is kept */
static const double CLOSED = 1e-9; /* of L or rad: a constraint is met, so that its rank is known */
static const double APART = 1e-6;  /* the same: joints contradict each other                      */

struct wy_network_loops {
    char *off;              /* [loops] 1: depends on others              */
    char *first;            /* the same, where Newton's method begins    */
    int count, *constraint; /* [loops] those in use                      */
    double (*row)[WY_PAIR]; /* [loops] C                                 */
    double *weight, *gap;   /* [loops] W, g                              */
    double *force;          /* [loops] l                                 */
    double *schur, *signs;  /* [loops][loops] C F^-1 C^T; for its signs  */
    double *side;           /* [rows of the reduced system]                    */
    int *pivot;
};

static withy_status no_memory(withy_error *err) {
    return wy_no_memory(err, "director: no memory for the joints that close loops");
}

static const wy_network_joint *joint_of(const wy_network *net, int constraint) {
    return &net->plan.joint[net->plan.constraint[constraint].joint];
}

/* The row of a link at the iterate, and what it misses. */
static double find_row(const wy_network *net, int constraint, double row[WY_PAIR]) {
    const wy_network_joint *j = joint_of(net, constraint);
    const wy_pair_step at = wy_joint_pair(net, j);
    wy_constraint_state state = net->state_of[constraint];
    wy_constraint_find(net, j, constraint, &at, &state);
    memcpy(row, state.plus, sizeof state.plus);
    return state.target - state.value;
}

/* Its length on what is free, with displacements in units of L. */
static double length_of(const wy_network *net, int constraint, const double row[WY_PAIR]) {
    const wy_network_joint *j = joint_of(net, constraint);
    double sum = 0;
    for (int n = 0; n < WY_PAIR; n++) {
        const double v = n % 6 < 3 ? net->plan.length * row[n] : row[n];
        if (wy_rigid_group_free(net, j->rigid_group[n / 6])) sum += v * v;
    }
    return sqrt(sum);
}

/* ---- rank ------------------------------------------------------------------------------------------------- */

/* A row of unit length, projected to what the tree allows: v[6 rigid groups]. */
static void project(wy_network *net, int constraint, double *v) {
    const wy_network_plan *plan = &net->plan;
    const wy_network_joint *j = joint_of(net, constraint);
    double row[WY_PAIR];
    find_row(net, constraint, row);
    const double size = length_of(net, constraint, row);
    memset(net->side, 0, (size_t)plan->reduced.rows * sizeof *net->side);
    for (int n = 0; n < WY_PAIR && size > 0; n++)
        if (wy_rigid_group_free(net, j->rigid_group[n / 6]))
            net->side[plan->rigid_group[j->rigid_group[n / 6]].row + n % 6] =
                (n % 6 < 3 ? plan->length : 1.0) * row[n] / size;
    wy_blocks_solve(&plan->reduced, net->value, net->pivot, net->side);
    for (int c = 0; c < plan->rigid_groups; c++)
        for (int i = 0; i < 6; i++)
            v[6 * c + i] =
                wy_rigid_group_free(net, c) ? net->side[plan->rigid_group[c].row + i] : 0.0;
}

/* v less its part along b, which has length 1. */
static void remove_part(int n, const double *b, double *v) {
    const double share = wy_border_dot(n, b, v);
    for (int i = 0; i < n; i++) v[i] -= share * b[i];
}

/* Gram-Schmidt with pivoting: the row that is farthest from those kept is kept next, since one that is near them becomes dependent
 * on the way of a mechanism, and another in its place independent.  row: [loops][n], projected. */
static void keep_farthest(int n, int loops, double *row, char *off) {
    int next = 0;
    for (int k = 0; k < loops; k++) off[k] = 1;
    for (int count = 0; count < loops && next >= 0; count++) {
        double most = DEPENDS;
        next = -1;
        for (int k = 0; k < loops; k++) {
            const double *v = &row[(size_t)k * (size_t)n], left = sqrt(wy_border_dot(n, v, v));
            if (off[k] && left > ALIKE * most) most = left, next = k;
        }
        for (int i = 0; i < n && next >= 0; i++) row[(size_t)next * (size_t)n + (size_t)i] /= most;
        if (next >= 0) off[next] = 0;
        for (int k = 0; k < loops && next >= 0; k++)
            for (int pass = 0; pass < 2 && off[k]; pass++)
                remove_part(n, &row[(size_t)next * (size_t)n], &row[(size_t)k * (size_t)n]);
    }
}

/* Which rows of the loops depend on others at the present configuration.  Overwrites the reduced system. */
static withy_status find_rank(wy_network *net, char *off, withy_error *err) {
    const wy_network_plan *plan = &net->plan;
    const int n = 6 * plan->rigid_groups, loops = plan->closing.loops;
    double *row = wy_alloc((size_t)n * (size_t)loops + 1, sizeof *row);
    if (!row) return no_memory(err);
    wy_reduced_kinematic(net, net->value, 0);
    if (!wy_blocks_factor(&plan->reduced, net->value, net->pivot, NULL, NULL)) {
        wy_free(row);
        return wy_no_convergence(err, "director: the constraints of the joints are singular here");
    }
    for (int k = 0; k < loops; k++)
        project(net, plan->closing.loop[k], &row[(size_t)k * (size_t)n]);
    keep_farthest(n, loops, row, off);
    wy_free(row);
    return WITHY_OK;
}

/* The largest miss of L or rad: of the rows in use (off = 0), loops and tree, or of the others. */
static double widest(const wy_network *net, const char *off, int dropped, int *constraint) {
    const wy_network_plan *plan = &net->plan;
    double most = 0;
    *constraint = -1;
    for (int k = 0, loop = 0; k < plan->constraints; k++) {
        double row[WY_PAIR];
        if (plan->constraint[k].multiplier < 0) continue;
        const int out = joint_of(net, k)->loop ? off[loop++] : 0;
        if (out != dropped) continue;
        const double miss = fabs(find_row(net, k, row)), size = length_of(net, k, row);
        const double gap = size > 0 ? miss / size : miss;
        if (!(gap <= most)) most = gap, *constraint = k;
    }
    return most;
}

/* ---- which rows are left out ------------------------------------------------------------------------------- */

static withy_status contradict(const wy_network *net, int constraint, withy_error *err) {
    char words[WY_JOINT_WORDS];
    double row[WY_PAIR];
    const double gap = fabs(find_row(net, constraint, row));
    return wy_bad_input(
        err,
        "%s: the joints contradict each other: where the others are met it is %.3g %s off; give "
        "places, axes and drives that all joints can have at once, or leave this one out",
        wy_network_words(net, net->plan.constraint[constraint].joint, words, sizeof words), gap,
        net->plan.constraint[constraint].kind == WY_CONSTRAINT_ANGLE ? "rad" : "m");
}

withy_status wy_loops_start(wy_network *net, withy_error *err) {
    wy_network_plan *plan = &net->plan;
    plan->closing.loops = 0;
    plan->closing.loop = wy_arena_alloc(net->rigid.setup->arena, (size_t)plan->constraints + 1,
                                        sizeof *plan->closing.loop);
    plan->closing.dependent = wy_arena_alloc(net->rigid.setup->arena, (size_t)plan->constraints + 1,
                                             sizeof *plan->closing.dependent);
    if (!plan->closing.loop || !plan->closing.dependent) return no_memory(err);
    for (int k = 0; k < plan->constraints; k++)
        if (plan->constraint[k].multiplier >= 0 && joint_of(net, k)->loop)
            plan->closing.loop[plan->closing.loops++] = k;
    return plan->closing.loops ? find_rank(net, plan->closing.dependent, err) : WITHY_OK;
}

static int kept(const wy_network *net, const char *off) {
    int count = 0;
    for (int k = 0; k < net->plan.closing.loops; k++) count += !off[k];
    return count;
}

/* Where rows that were enough at the begin are met and others are not, the others must have become independent. */
static withy_status choose(wy_network *net, char *off, withy_error *err) {
    const char *first = net->loops->first;
    int constraint;
    memcpy(off, first, (size_t)net->plan.closing.loops);
    if (!(widest(net, off, 0, &constraint) <= CLOSED)) return WITHY_OK;
    WY_TRY(find_rank(net, off, err));
    if (!(widest(net, first, 1, &constraint) <= APART) && kept(net, off) <= kept(net, first))
        return contradict(net, constraint, err);
    return WITHY_OK;
}

withy_status wy_loops_rank(wy_network *net, int *rank, withy_error *err) {
    const int loops = net->plan.closing.loops;
    *rank = net->plan.multipliers;
    if (!loops) return WITHY_OK;
    char *off = wy_alloc((size_t)loops, sizeof *off);
    if (!off) return no_memory(err);
    int constraint;
    withy_status status = find_rank(net, off, err);
    for (int dropped = 0; dropped < 2 && status == WITHY_OK; dropped++)
        if (!(widest(net, off, dropped, &constraint) <= APART))
            status = contradict(net, constraint, err);
    *rank += kept(net, off) - loops;
    wy_free(off);
    return status;
}

/* ---- the border --------------------------------------------------------------------------------------------- */

static withy_status take(wy_network *net, withy_error *err) {
    const size_t n = (size_t)net->plan.closing.loops;
    wy_allocator from = {.arena = net->rigid.setup->arena};
    struct wy_network_loops *x = wy_allocator_alloc(&from, 1, sizeof *x);
    if (!x) return no_memory(err);
    x->off = wy_allocator_alloc(&from, n, sizeof *x->off);
    x->first = wy_allocator_alloc(&from, n, sizeof *x->first);
    x->constraint = wy_allocator_alloc(&from, n, sizeof *x->constraint);
    x->row = wy_allocator_alloc(&from, n, sizeof *x->row);
    x->weight = wy_allocator_alloc(&from, n, sizeof *x->weight);
    x->gap = wy_allocator_alloc(&from, n, sizeof *x->gap);
    x->force = wy_allocator_alloc(&from, n, sizeof *x->force);
    x->schur = wy_allocator_alloc(&from, n * n, sizeof *x->schur);
    x->signs = wy_allocator_alloc(&from, n * n, sizeof *x->signs);
    x->side = wy_allocator_alloc(&from, (size_t)net->plan.reduced.rows, sizeof *x->side);
    x->pivot = wy_allocator_alloc(&from, n, sizeof *x->pivot);
    if (from.failed) return no_memory(err);
    memcpy(x->first, net->plan.closing.dependent, n);
    net->loops = x;
    return WITHY_OK;
}

void wy_loops_begin(wy_network *net) {
    const size_t n = (size_t)net->plan.closing.loops;
    withy_error unused;
    int constraint;
    if (!n || (!net->loops && take(net, &unused) != WITHY_OK)) return;
    char *first = net->loops->first;
    memset(first, 0, n);
    if (!(widest(net, first, 0, &constraint) <= CLOSED) ||
        find_rank(net, first, &unused) != WITHY_OK)
        memcpy(first, net->plan.closing.dependent, n);
}

withy_status wy_loops_choose(wy_network *net, withy_error *err) {
    const wy_network_plan *plan = &net->plan;
    if (!plan->closing.loops) return WITHY_OK;
    if (!net->loops) WY_TRY(take(net, err));
    struct wy_network_loops *x = net->loops;
    WY_TRY(choose(net, x->off, err));
    x->count = 0;
    for (int k = 0; k < plan->closing.loops; k++)
        if (!x->off[k]) x->constraint[x->count++] = plan->closing.loop[k];
    return WITHY_OK;
}

int wy_loops_leave(const wy_network *net, int constraint) {
    const wy_network_plan *plan = &net->plan;
    for (int k = 0; k < plan->closing.loops && net->loops; k++)
        if (plan->closing.loop[k] == constraint) return net->loops->off[k];
    return 0;
}

/* The largest stiffness of a rigid group, of a turn over L^2. */
static double stiffest(const wy_network *net) {
    const wy_blocks *s = &net->plan.reduced;
    double most = 0;
    for (int c = 0; c < wy_network_moving(net); c++) {
        const int place = s->place[net->plan.rigid_group[c].block], wide = s->size[place];
        const double *d = &net->value[s->diagonal[place]], turn = pow(net->plan.length, -2);
        for (int i = 0; i < 6 && wy_rigid_group_free(net, c); i++)
            most = wy_max(most, fabs(d[i * wide + i]) * (i < 3 ? 1 : turn));
    }
    return most > 0 ? most : 1;
}

/* side += k times a column of C. */
static void add_column(const wy_network *net, int i, double k, double *side) {
    const struct wy_network_loops *x = net->loops;
    const wy_network_joint *j = joint_of(net, x->constraint[i]);
    for (int n = 0; n < WY_PAIR; n++)
        if (wy_rigid_group_free(net, j->rigid_group[n / 6]))
            side[net->plan.rigid_group[j->rigid_group[n / 6]].row + n % 6] += k * x->row[i][n];
}

/* A row of C times a vector, where held rigid groups have their way. */
static double row_times(const wy_network *net, int i, const double *v) {
    const struct wy_network_loops *x = net->loops;
    const wy_network_joint *j = joint_of(net, x->constraint[i]);
    double sum = 0;
    for (int n = 0; n < WY_PAIR; n++)
        if (wy_rigid_group_moves(net, j->rigid_group[n / 6]))
            sum += x->row[i][n] * v[net->plan.rigid_group[j->rigid_group[n / 6]].row + n % 6];
    return sum;
}

void wy_loops_fill(wy_network *net) {
    if (!net->plan.closing.loops) return;
    struct wy_network_loops *x = net->loops;
    const double stiff = stiffest(net) * net->plan.length * net->plan.length;
    for (int i = 0; i < x->count; i++) {
        const int k = x->constraint[i];
        double h[WY_PAIR][WY_PAIR];
        x->gap[i] = find_row(net, k, x->row[i]);
        const double size = length_of(net, k, x->row[i]);
        x->weight[i] = stiff / (size * size);
        for (int n = 0; n < WY_PAIR * WY_PAIR; n++)
            h[n / WY_PAIR][n % WY_PAIR] =
                x->weight[i] * x->row[i][n / WY_PAIR] * x->row[i][n % WY_PAIR];
        wy_reduced_add(net, joint_of(net, k), (const double(*)[WY_PAIR])h);
        add_column(net, i, x->weight[i] * x->gap[i], net->side);
    }
}

int wy_loops_close(wy_network *net, int *negative) {
    const wy_network_plan *plan = &net->plan;
    struct wy_network_loops *x = net->loops;
    if (!plan->closing.loops || !x->count) return 1;
    const int n = x->count;
    memcpy(x->side, net->side, (size_t)plan->reduced.rows * sizeof *x->side);
    for (int k = 0; k < n; k++) {
        memset(net->side, 0, (size_t)plan->reduced.rows * sizeof *net->side);
        add_column(net, k, sqrt(x->weight[k]), net->side);
        wy_blocks_solve(&plan->reduced, net->value, net->pivot, net->side);
        for (int i = 0; i < n; i++)
            x->schur[i * n + k] = sqrt(x->weight[i]) * row_times(net, i, net->side);
    }
    memcpy(x->signs, x->schur, (size_t)n * (size_t)n * sizeof *x->signs);
    const int held = wy_border_negative(n, x->signs); /* destroys it */
    *negative = held < 0 || *negative < 0 ? -1 : *negative - held;
    memcpy(net->side, x->side, (size_t)plan->reduced.rows * sizeof *x->side);
    return wy_lu_factor(n, n, x->schur, x->pivot);
}

void wy_loops_solve(wy_network *net, int again) {
    const wy_network_plan *plan = &net->plan;
    struct wy_network_loops *x = net->loops;
    const size_t bytes = (size_t)plan->reduced.rows * sizeof *net->side;
    if (!plan->closing.loops || !x->count) {
        wy_blocks_solve(&plan->reduced, net->value, net->pivot, net->side);
        return;
    }
    const int n = x->count;
    for (int i = 0; i < n && again; i++) { /* the right side has the gaps in its own rows */
        x->gap[i] = net->side[plan->constraint[x->constraint[i]].row];
        add_column(net, i, x->weight[i] * x->gap[i], net->side);
    }
    for (int k = 0; k < plan->closing.loops; k++)
        net->side[plan->constraint[plan->closing.loop[k]].row] = 0;
    memcpy(x->side, net->side, bytes);
    wy_blocks_solve(&plan->reduced, net->value, net->pivot, net->side);
    for (int i = 0; i < n; i++)
        x->force[i] = sqrt(x->weight[i]) * (row_times(net, i, net->side) - x->gap[i]);
    wy_lu_solve(n, n, x->schur, x->pivot, x->force);
    memcpy(net->side, x->side, bytes);
    for (int i = 0; i < n; i++) {
        x->force[i] *= sqrt(x->weight[i]);
        add_column(net, i, -x->force[i], net->side);
    }
    wy_blocks_solve(&plan->reduced, net->value, net->pivot, net->side);
    for (int i = 0; i < n; i++) net->side[plan->constraint[x->constraint[i]].row] = x->force[i];
}
