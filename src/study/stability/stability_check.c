/* stability_check.c - the number of unstable directions is not known where a finer mesh finds another one.
 *
 * A mesh that is too coarse for a rod may have unstable directions of its own: waves between two nodes that the
 * tension of a long line or the pressure of a coil drives.  Their number changes with the mesh, that of
 * the rod does not; so an equilibrium that is found to be unstable, or of which nothing is known, is found once more with
 * twice as many nodes.
 */
#include "study/equilibrium/equations.h"

enum { OPTIONS_MOST = 64 };

/* The given options with n doubled; returns how many. */
static int doubled(const withy_sim *sim, withy_option *option) {
    int count = 0, at = -1;
    for (; count < sim->given_count && count < OPTIONS_MOST - 1; count++) {
        option[count] = sim->given[count];
        if (strcmp(option[count].name, "n") == 0) at = count;
    }
    if (at < 0) option[at = count++] = (withy_option){.name = "n"};
    option[at].number = 2.0 * wy_sim_mesh(sim);
    return count;
}

/* Whether it was found there. */
static int find_again(const withy_sim *sim, const withy_problem *problem, double factor,
                      withy_equilibrium *at) {
    withy_option option[OPTIONS_MOST];
    withy_sim *finer = NULL;
    withy_error own;
    const int count = doubled(sim, option);
    if (withy_sim_create(problem, sim->method->name, option, count, &finer, &own) != WITHY_OK)
        return 0;
    finer->interrupt = sim->interrupt;
    finer->at_first = sim->at_first;
    const withy_status status = withy_sim_rest(finer, factor, at, &own);
    withy_sim_destroy(finer);
    return status == WITHY_OK;
}

static void note_check(withy_sim *sim, int here, int there) {
    char other[64] = "stable";
    const int n = wy_sim_mesh(sim);
    if (there > 0) snprintf(other, sizeof other, "unstable in %d", there);
    wy_note_drop(&sim->notes, WY_NOTE_unstable);
    wy_note(&sim->notes, WY_NOTE(stability_mesh), sim->method->name, n, here, 2 * n, other);
}

void wy_equilibrium_check_mesh(withy_sim *sim, const withy_problem *problem,
                               withy_equilibrium *at) {
    withy_equilibrium there;
    const wy_static *x = sim->equilibrium;
    double s;
    int rod;
    if (!x || at->negative == 0 || !x->equations->potential(x->self)) return;
    if (x->equations->slack && x->equations->slack(x->self, &rod, &s)) return;
    if (sim->problem.rotating.given || wy_sim_mesh(sim) <= 0) return;
    if (!find_again(sim, problem, at->factor, &there) || there.negative == at->negative) return;
    if (at->negative < 0) { /* rounding hid it on this mesh */
        at->negative = there.negative, at->neutral = there.neutral;
        wy_note(&sim->notes, WY_NOTE(stability_finer), sim->method->name, 2 * wy_sim_mesh(sim));
        return;
    }
    if (there.negative < 0) return;
    note_check(sim, at->negative, there.negative);
    at->negative = sim->core->negative = -1;
}
