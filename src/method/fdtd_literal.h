/* fdtd_literal.h - the scheme as [FD] prints it, for comparison. */
#pragma once

#include "method/fdtd.h"

typedef struct fdtd_literal fdtd_literal;

/* Lower least->dt to what the scheme allows; refuses what it cannot express. */
withy_status fdtd_literal_limit(const withy_problem *problem, const fdtd_options *opt,
                                fdtd_limit *least, withy_error *err);
withy_status fdtd_literal_create(const wy_setup *setup, double dt, fdtd_literal **rods,
                                 withy_error *err);
withy_status fdtd_literal_advance(fdtd_literal *rods, int rod_count, double t, int64_t count,
                                  withy_error *err);
void fdtd_literal_sample(const fdtd_literal *rods, int rod, withy_snapshot *snap);
