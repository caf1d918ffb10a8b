/* turns.c - how many equal cells the shapes of a rod need, from the turn of their frames along s. */
#include "model/model.h"

enum { GRID = 2048 };

/* turned[i] += turn from 0 to i L/GRID, of bends and twist together. */
static withy_status add_up(withy_status (*strains)(const wy_model *, int, int, const double *,
                                                   double (*)[WITHY_STRAINS], withy_error *),
                           const wy_model *model, int rod, double length, double *turned,
                           withy_error *err) {
    turned[0] = 0;
    for (int i = 0; i < GRID; i++) {
        const double s = length * (i + 0.5) / GRID;
        double e[1][WITHY_STRAINS] = {{0}};
        WY_TRY(strains(model, rod, 1, &s, e, err));
        const vec3 k = v3(e[0][WITHY_BEND1], e[0][WITHY_BEND2], e[0][WITHY_TWIST]);
        turned[i + 1] = turned[i] + length / GRID * v3_norm(k);
    }
    return WITHY_OK;
}

/* The shortest part of the rod, over its length, in which the frame turns by `turn`; 1: none. */
static double shortest(const double *turned, double turn) {
    double least = GRID;
    for (int i = 0, j = 1; i < GRID; i++) {
        while (j <= GRID && !(turned[j] - turned[i] > turn)) j++;
        if (j > GRID) break;
        const double part = (turn - (turned[j - 1] - turned[i])) / (turned[j] - turned[j - 1]);
        least = wy_min(least, j - 1 - i + part);
    }
    return least / GRID;
}

withy_status wy_model_cells(const wy_model *model, int rod, double length, double turn, int most,
                            int *cells, withy_error *err) {
    static const double ROUND = 1e-9;
    double turned[GRID + 1];
    WY_TRY(add_up(wy_model_rest_strains, model, rod, length, turned, err));
    double part = shortest(turned, turn);
    WY_TRY(add_up(wy_model_initial_strains, model, rod, length, turned, err));
    part = wy_min(part, shortest(turned, turn));
    *cells = part * most > 1 ? (int)wy_max(1, ceil(1 / part - ROUND)) : most;
    return WITHY_OK;
}
