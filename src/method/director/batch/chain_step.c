/* chain_step.c - director/batch/chain.inc on the processor: eight rods, one in each lane of a vector, all numbers in double precision.
 * What a lane gets depends on no other lane: all lanes make the iterations of the slowest, and one that has
 * finished keeps what it has. */
#include "method/director/batch/batch.h"

typedef double W __attribute__((vector_size(8 * WY_CHAIN_LANES)));
typedef int64_t M __attribute__((vector_size(8 * WY_CHAIN_LANES)));
typedef W N;

#define FN WY_ALWAYS
#define PART static __attribute__((noinline))
#define UNROLL _Pragma("GCC unroll 3")
#define UNROLL2 _Pragma("GCC unroll 2")
#define UNROLL6 _Pragma("GCC unroll 6")

FN W WS(double k) {
    return (W){k, k, k, k, k, k, k, k};
}
#define NS(k) WS(k)
#define NARROW(a) (a)
#define WIDEN(a) (a)
FN W SEL(M m, W a, W b) {
    return (W)((m & (M)a) | (~m & (M)b));
}
#define NOT(m) (~(m))
#define KEEP(m, to, a) ((to) = SEL(m, a, to))
FN int ANY(M m) {
    int64_t any = 0;
    for (int i = 0; i < WY_CHAIN_LANES; i++) any |= m[i];
    return any != 0;
}
FN W ROOT(W a) {
    W root;
    for (int i = 0; i < WY_CHAIN_LANES; i++) root[i] = sqrt(a[i]);
    return root;
}

typedef struct rod {
    const wy_chain *chain;
    const W *plan;
    W *state, *work, *panel;
    const W *row, *action;
    double begun, share; /* of the interval: where the step begins, and how much it is */
} rod;

#define ELEMENTS (x->chain->n)
#define ACTIONS (x->chain->actions)
#define LOADS (x->chain->loads)
#define DRAG (x->chain->drag)
#define FLOOR (x->chain->floor)
#define HELD(which) (x->chain->held[which])
#define NEWTON_MOST (x->chain->newton_most)
#define HALVINGS (x->chain->halvings)
#define STATE(x, f) ((x)->state[f])
#define WORK(x, f) ((x)->work[f])
#define PANEL(x, f) ((x)->panel[f])
#define PLAN(x, f) ((x)->plan[f])
#define ROW(x, f) ((x)->row[f])
#define ACTION(x, k, f) ((x)->chain->action[(k)*ACTION_SIZE + (f)])
#define SHAPE(x, k, e) ((x)->chain->shape[(k) * (x)->chain->n + (e)])

FN W action_at(const rod *x, int k, W part) {
    const int own = (x->chain->n + 1) * NODE_SIZE + x->chain->n * ELEMENT_SIZE + ROD_ACTION;
    const W now = x->action[k], before = x->state[own + k];
    if (!ACTION(x, k, ACTION_RAMP)) return now;
    return before + (x->begun + x->share * part) * (now - before);
}

#include "method/director/batch/chain.inc"

size_t wy_chain_work(const wy_chain *chain) {
    const size_t n = (size_t)chain->n;
    const size_t numbers =
        (n + 1) * (NEXT_SIZE + PANEL_SIZE) + n * POINT_SIZE + (size_t)chain->given;
    return numbers * WY_CHAIN_LANES;
}

void wy_chain_group_step(const wy_chain_group *g, const wy_chain_steps *steps) {
    const wy_chain *chain = g->chain;
    const size_t n = (size_t)chain->n;
    W *work = (W *)g->work, *panel = work + (n + 1) * NEXT_SIZE + n * POINT_SIZE;
    W *row = panel + (n + 1) * PANEL_SIZE;
    rod own = {
        chain, (const W *)g->plan,        (W *)g->state, work, panel, row, (const W *)g->action,
        0,     1.0 / (double)steps->count};
    const rod *x = &own;
    M member = {0};
    for (int i = 0; i < WY_CHAIN_LANES; i++) member[i] = i < g->lanes ? -1 : 0;
    for (int64_t k = 0; k < steps->count; k++) {
        const double *given = steps->row + (chain->varies ? k * chain->given : 0);
        for (int f = 0; f < chain->given && (k == 0 || chain->varies); f++) row[f] = WS(given[f]);
        own.begun = (double)k / (double)steps->count;
        const M on = member & (STATE(x, OWN(ROD_FAILED)) == 0.0);
        if (!ANY(on)) break;
        step(x, WS(chain->h), on);
        const M made = on & (STATE(x, OWN(ROD_FAILED)) == 0.0);
        STATE(x, OWN(ROD_STEPS)) += SEL(made, WS(1), WS(0));
    }
    for (int k = 0; k < chain->actions; k++) STATE(x, OWN(ROD_ACTION + k)) = x->action[k];
}
