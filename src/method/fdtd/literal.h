/* literal.h - the scheme as [FD] prints it, for comparison. */
#pragma once

#include "method/fdtd/fdtd.h"

typedef struct wy_fdtd_literal wy_fdtd_literal;

/* Lower least->dt to what the scheme allows; refuses what it cannot express. */
withy_status wy_fdtd_literal_limit(const withy_problem *problem, const wy_fdtd_options *opt,
                                   wy_fdtd_limit *least, withy_error *err);
withy_status wy_fdtd_literal_create(const wy_setup *setup, double dt, wy_fdtd_literal **rods,
                                    withy_error *err);
withy_status wy_fdtd_literal_advance(wy_fdtd_literal *rods, int rod_count, double t, int64_t count,
                                     withy_error *err);
void wy_fdtd_literal_sample(const wy_fdtd_literal *rods, int rod, withy_snapshot *snap);
