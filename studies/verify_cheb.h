/* verify_cheb.h - what the files of the cheb studies share: starting runs, reading snapshots. */
#pragma once

#include "verify.h"
#include "withy/withy.h"

#define PI 3.14159265358979323846

typedef struct cheb_run {
    verify_log *log;
    withy_scene *scene; /* NULL: from a problem */
    withy_sim *sim;     /* NULL: failed, and reported */
} cheb_run;

/* Start cases/NAME with overrides "options.n=40 time.stop=20" (separated by blanks). */
cheb_run cheb_start(verify_log *log, const char *name, const char *overrides);
/* Start a problem with options "n=40 ends=G" (separated by blanks); without `ends`: those of [CH]. */
cheb_run cheb_solve(verify_log *log, const withy_problem *problem, const char *options);
void cheb_finish(cheb_run *run);
/* Advance, or find the equilibrium; NULL when that failed (a failing row is logged). */
const withy_snapshot *cheb_at(cheb_run *run, double t);
const withy_snapshot *cheb_rest(cheb_run *run, double factor);

/* The stubby rod of [CH] 5.1: L = 2, E = 12, G = 4, A = 1, rho = 1, any I; along x, clamped at the
 * start.  The problem borrows the rod. */
void cheb_stubby(withy_rod *rod, withy_problem *problem, double second);

/* Angle of d3 in the x-y plane; total energy by the quadrature of [CH] (top = 0) or with the mode
 * T_n (top = 1), for nodes of the method. */
double cheb_angle(const withy_snapshot *snap, int i);
double cheb_energy(const withy_snapshot *snap, const withy_rod *rod, int top);

/* The studies of the other files. */
void cheb_fibre_moments(verify_log *log);
void cheb_route_half_turn(verify_log *log);
void cheb_route_fibre(verify_log *log);
void cheb_table_5_3(verify_log *log);
void cheb_fit_5_3(verify_log *log);
void cheb_table_5_4(verify_log *log);
void cheb_table_5_4_converged(verify_log *log);
void cheb_spatial(verify_log *log);
void cheb_appendix_i(verify_log *log);
void cheb_orders(verify_log *log);
void cheb_ends(verify_log *log);
void cheb_stability(verify_log *log);
void cheb_implicit(verify_log *log);
void cheb_damping(verify_log *log);
void cheb_weight(verify_log *log);
