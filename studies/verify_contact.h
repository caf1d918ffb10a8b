/* verify_contact.h - what the studies of rods that touch share: cases that are run with other numbers. */
#pragma once

#include "verify.h"

typedef struct contact_run {
    verify_log *log;
    withy_scene *scene;
    withy_sim *sim; /* NULL: it could not be made, or has failed; a failing row says why */
} contact_run;

/* cases/NAME with overrides "options.n=40 params.r=1e-3", separated by blanks. */
contact_run contact_start(verify_log *log, const char *name, const char *overrides);
void contact_finish(contact_run *run);

/* Rod 0 at time t, or at a load factor; NULL when that failed. */
const withy_snapshot *contact_at(contact_run *run, double t);
const withy_snapshot *contact_rest(contact_run *run, double factor, withy_equilibrium *at);
/* Mean force of the rods on obstacle 0 over steps of dt from a to b: at one instant it rings. */
withy_vec3 contact_mean(contact_run *run, double a, double b, double dt);

/* ---- verify_contact_long.c ------------------------------------------------------------------------- */
void study_capstan(verify_log *log);
void study_helix(verify_log *log);
void study_knots(verify_log *log);
void study_plectoneme(verify_log *log);
void study_coiling(verify_log *log);
/* ---- verify_contact_snake.c ------------------------------------------------------------------------ */
void study_snake(verify_log *log);
/* ---- verify_contact_tangle.c ----------------------------------------------------------------------- */
void study_tangles(verify_log *log);
/* ---- verify_contact_peer.c ------------------------------------------------------------------------- */
void study_peer(verify_log *log);
/* ---- verify_contact_motion.c ----------------------------------------------------------------------- */
void study_impact(verify_log *log);
void study_pairs(verify_log *log);
