/* gradient_network_solve.c - the factors of dF/dq+ of a network, and its solution both ways.
 *
 * Newton's own factors are of the segments, of the iterate before, and have no transpose; these are of the solution
 * itself, for right sides forwards and backwards.  A singular multiplier gets Newton's eps, and a rigid group without
 * stiffness of its own a little: corrections with the matrix itself remove both.
 */
#include "method/director/gradient/gradient_network.h"
#include "numeric/linear/linear.h"

enum { REFINEMENTS = 8, LEVELS = 4 };
static const double REFINED = 1e-11; /* a correction: mostly the first is far below */
static const double ENOUGH = 1e-7;   /* or, after all, this one */
static const double EPS =
    1e-7; /* of the flexibility that a multiplier acts on: director/linear/reduced_solve.c */
/* Of the largest stiffness, added to rigid groups where one has none of its own; then more corrections. */
static const double LITTLE[LEVELS] = {0, 1e-8, 1e-6, 1e-4};

/* ---- factors ------------------------------------------------------------------------------------------------------ */

/* Newton's eps of multipliers that depend on each other: of the flexibility that they act on, of both rigid groups. */
static void soften(wy_network *net) {
    wy_net_slopes *s = net->slopes;
    for (int k = 0; k < net->plan.constraints; k++) {
        const wy_network_constraint *constraint = &net->plan.constraint[k];
        const wy_network_joint *j = &net->plan.joint[constraint->joint];
        double soft = 0;
        if (constraint->multiplier < 0) continue;
        for (int a = 0; a < 2; a++) {
            if (j->rigid_group[a] < 0 || net->plan.rigid_group[j->rigid_group[a]].held) continue;
            const int block = wy_net_rigid_group_block(net, j->rigid_group[a]),
                      wide = wy_net_wide(s, block);
            const double *d = wy_net_block(s, block, block);
            const double *row = wy_net_block(s, constraint->block, block) + constraint->lies * wide;
            for (int i = 0; i < 6; i++)
                if (d[i * wide + i] != 0) soft += row[i] * row[i] / fabs(d[i * wide + i]);
        }
        int wide;
        double *d = wy_blocks_diagonal(&s->blocks, s->value, constraint->block, &wide);
        d[constraint->lies * (wide + 1)] -= EPS * soft;
    }
}

/* A little stiffness for rigid groups that have none. */
static void stiffen(wy_network *net, double by) {
    wy_net_slopes *s = net->slopes;
    const double length = net->plan.length;
    double most = 0;
    for (size_t i = 0; i < s->blocks.values; i++) most = wy_max(most, fabs(s->matrix[i]));
    for (int c = 0; c < wy_network_moving(net); c++) {
        int wide;
        double *d = wy_blocks_diagonal(&s->blocks, s->value, net->plan.rigid_group[c].block, &wide);
        for (int i = 0; i < 6 && !net->plan.rigid_group[c].held; i++)
            d[i * wide + i] += by * most * (i < 3 ? 1 : length * length);
    }
}

/* A little of W for rods that may turn about themselves in an equilibrium. */
static void weigh(wy_network *net) {
    wy_net_slopes *s = net->slopes;
    for (int i = 0; i < net->plan.rods; i++) {
        const wy_director *x = &net->rod[i];
        const double little = wy_director_regularisation(x), length = x->plan.whole;
        for (int j = 0; j < x->plan.node_count; j++) {
            const int block = s->whole.block[s->whole.first[i] + j];
            if (block < 0) continue;
            int wide;
            double *d = wy_blocks_diagonal(&s->blocks, s->value, block, &wide);
            const double share = little * x->plan.mass[j].share;
            for (int k = 0; k < 6; k++)
                d[k * wide + k] += share * (k < 3 ? 1 : WY_WEIGHT_TURN * length * length);
        }
    }
}

static int factor(wy_network *net) {
    wy_net_slopes *s = net->slopes;
    memcpy(s->value, s->matrix, s->blocks.values * sizeof *s->matrix);
    if (!net->rigid.step->dynamic) weigh(net);
    if (net->plan.closing.redundant) soften(net);
    if (s->added) stiffen(net, LITTLE[s->added]);
    return wy_blocks_factor(&s->blocks, s->value, s->pivot, NULL, NULL);
}

withy_status wy_net_factor(wy_network *net, withy_error *err) {
    wy_net_slopes *s = net->slopes;
    if (!s->blocks.count) return WITHY_OK;
    wy_net_assemble(net);
    for (s->added = 0; s->added < LEVELS; s->added++)
        if (factor(net)) return WITHY_OK;
    return wy_no_convergence(
        err, "director: the tangent of the network is singular, so that there is no "
             "derivative here");
}

/* The corrections do not end: a rigid group without stiffness of its own was eliminated. */
static int stiffer(wy_network *net) {
    while (++net->slopes->added < LEVELS)
        if (factor(net)) return 1;
    return 0;
}

/* ---- both ways ---------------------------------------------------------------------------------------------------- */

static int node_row(const wy_system *x, int block) {
    const wy_network *net = x->self;
    if (block >= wy_network_moving(net) && block < net->slopes->whole.standing) return -1;
    return wy_blocks_row(&net->slopes->blocks, block);
}

/* Of eight right sides forwards, or of one transposed. */
static void solve(const wy_system *x, double *b) {
    const wy_net_slopes *s = ((const wy_network *)x->self)->slopes;
    if (x->lanes == 1)
        wy_blocks_solve_transposed(&s->blocks, s->value, s->pivot, b);
    else
        wy_blocks_solve_packs(&s->blocks, s->value, s->pivot, b);
}

static void miss(const wy_system *x, const double *v, double *rest) {
    const wy_net_slopes *s = ((const wy_network *)x->self)->slopes;
    const double *b = x->lanes == 1 ? s->requested : (const double *)s->b;
    memcpy(rest, b, (size_t)(x->rows * x->lanes) * sizeof *rest);
    if (v && x->lanes == 1)
        wy_blocks_take_transposed(&s->blocks, s->matrix, v, rest);
    else if (v)
        wy_blocks_take_packs(&s->blocks, s->matrix, v, rest);
}

static wy_system system_of(wy_network *net, int lanes) {
    const wy_net_slopes *s = net->slopes;
    const double unit = 1 / (net->plan.length * net->plan.length);
    return (wy_system){.self = net,
                       .rows = s->blocks.rows,
                       .lanes = lanes,
                       .nodes = s->blocks.count,
                       .weight = {lanes == 1 ? 1 : unit, lanes == 1 ? unit : 1},
                       .node = node_row,
                       .solve = solve,
                       .miss = miss,
                       .enough = REFINED};
}

/* The solution of each lane that misses least, and the error that it was found with. */
typedef struct choice {
    double missed[WY_PACK], fault[WY_PACK];
    double *x;
} choice;

/* Squares of b - A x in each lane, moments over the length.  Unlike a correction it has no part along motions without
 * stiffness, where rounding alone decides. */
static void size_missed(const wy_system *sys, const double *rest, double size[WY_PACK]) {
    for (int l = 0; l < sys->lanes; l++) size[l] = 0;
    for (int k = 0; k < sys->nodes; k++) {
        const int first = sys->node(sys, k);
        for (int i = 0; i < 6 && first >= 0; i++)
            for (int l = 0; l < sys->lanes; l++) {
                const double miss = rest[(first + i) * sys->lanes + l];
                size[l] += sys->weight[1 - i / 3] * miss * miss;
            }
    }
}

/* Lanes that miss less than at the levels before; returns the largest error of all that are kept. */
static double keep_better(const wy_system *sys, const double *x, double *rest, choice *best) {
    double size[WY_PACK], most = 0;
    sys->miss(sys, x, rest);
    size_missed(sys, rest, size);
    for (int l = 0; l < sys->lanes; l++) {
        const int better = size[l] < best->missed[l] || isnan(best->fault[l]);
        if (better) best->missed[l] = size[l], best->fault[l] = sys->fault[l];
        for (int i = l; better && i < sys->rows * sys->lanes; i += sys->lanes) best->x[i] = x[i];
        if (!isnan(most) && !(best->fault[l] <= most)) most = best->fault[l];
    }
    return most;
}

/* For each lane the solution of the level at which it misses least: where rounding alone keeps corrections above ENOUGH,
 * because rods are all but rigid, may move as a whole or a parameter moves nothing, an added stiffness is no help and
 * converges slowly. */
static double at_best(wy_network *net, int lanes, double *x, double *rest, double *kept) {
    wy_net_slopes *s = net->slopes;
    wy_system sys = system_of(net, lanes);
    double fault[WY_PACK];
    choice best = {.x = kept};
    for (int l = 0; l < lanes; l++) best.missed[l] = INFINITY, best.fault[l] = NAN;
    sys.most = REFINEMENTS * (1 + s->added), sys.fault = fault;
    const double first = wy_system_solve(&sys, x, rest);
    const int level = s->added;
    if (first <= ENOUGH) return first;
    double most = keep_better(&sys, x, rest, &best);
    while (!(most <= ENOUGH) && stiffer(net)) {
        sys.most = REFINEMENTS * (1 + s->added);
        wy_system_solve(&sys, x, rest);
        most = keep_better(&sys, x, rest, &best);
    }
    memcpy(x, kept, (size_t)(sys.rows * lanes) * sizeof *x);
    if (s->added != level && !(most <= ENOUGH))
        s->added = level, (void)factor(net); /* it succeeded before */
    return most;
}

double wy_net_solve(wy_network *net) {
    const wy_net_slopes *s = net->slopes;
    return at_best(net, WY_PACK, (double *)s->x, (double *)s->rest, (double *)s->best);
}

double wy_net_solve_transposed(wy_network *net) {
    const wy_net_slopes *s = net->slopes;
    return at_best(net, 1, s->mu, s->left, s->best_mu);
}
