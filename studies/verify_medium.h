/* verify_medium.h - what the files of the studies of the medium share. */
#pragma once

#include "verify.h"

/* On a bed: verify_medium_bed.c. */
void medium_bed(verify_log *log);

/* Without inertia: verify_medium_slow.c. */
void medium_relaxation(verify_log *log);
void medium_pulled(verify_log *log);
void medium_driven(verify_log *log);
void medium_let_go(verify_log *log);
