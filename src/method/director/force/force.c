/* force.c - the table of the forces of a field: all that act on a rod, one after the other (director/force/force.h). */
#include "method/director/force/force.h"

typedef struct force {
    int (*acts)(const wy_director_plan *plan);
    int (*potential)(const wy_director *x);
    void (*add)(const wy_director *x, int j, double a[6][6], double b[6]);
    double (*energy)(const wy_director *x, int j, vec3 r);
    double (*lost)(const wy_director *x, int j, double *work);
    void (*damp)(const wy_director *x, int j, const double *v, double *cv);
    void (*derive)(const wy_director *x, int j, wy_slope_columns *to);
} force;

#define WY_FORCE(NAME)                                                                             \
    {wy_force_##NAME##_acts,   wy_force_##NAME##_potential, wy_force_##NAME##_add,                 \
     wy_force_##NAME##_energy, wy_force_##NAME##_lost,      wy_force_##NAME##_damp,                \
     wy_force_##NAME##_derive},
static const force FORCE[] = {
#include "method/director/force/force.inc"
};
#undef WY_FORCE
enum { FORCES = sizeof FORCE / sizeof *FORCE };

#define FOR_EACH(plan, i)                                                                          \
    for (int i = 0; i < FORCES; i++)                                                               \
        if ((plan)->forces & 1 << i)

void wy_forces_find(wy_director_plan *plan) {
    for (int i = 0; i < FORCES; i++)
        if (FORCE[i].acts(plan)) plan->forces |= 1 << i;
}

int wy_forces_potential(const wy_director *x) {
    FOR_EACH(&x->plan, i)
    if (!FORCE[i].potential(x)) return 0;
    return 1;
}

void wy_forces_add(const wy_director *x, int j, double a[6][6], double b[6]) {
    FOR_EACH(&x->plan, i) FORCE[i].add(x, j, a, b);
}

double wy_forces_energy(const wy_director *x, int j, vec3 r) {
    double sum = 0;
    FOR_EACH(&x->plan, i) sum += FORCE[i].energy(x, j, r);
    return sum;
}

double wy_forces_lost(const wy_director *x, int j, double *work) {
    double sum = 0;
    FOR_EACH(&x->plan, i) sum += FORCE[i].lost(x, j, work);
    return sum;
}

void wy_forces_damp(const wy_director *x, int j, const double *v, double *cv) {
    FOR_EACH(&x->plan, i) FORCE[i].damp(x, j, v, cv);
}

void wy_forces_derive(const wy_director *x, int j, wy_slope_columns *to) {
    FOR_EACH(&x->plan, i) FORCE[i].derive(x, j, to);
}
