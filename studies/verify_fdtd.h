/* verify_fdtd.h - what the files of the fdtd studies share. */
#pragma once

#include "fdtd_problems.h"
#include "verify.h"

static char label[96];
#define LABEL(...) (snprintf(label, sizeof label, __VA_ARGS__), label)

/* The frequency between low and high [Hz] at a station; the first of the string at that tension [N]. */
double fdtd_pitch(const withy_rod *rod, const fd_run *how, int station, double low, double high,
                  withy_error *err);
double fdtd_first_pitch(double tension, int order, int n, double stop, double amplitude,
                        withy_error *err);

/* The studies of the other files. */
void fdtd_step(verify_log *log);
void fdtd_energy(verify_log *log);
void fdtd_energy_long(verify_log *log);
void fdtd_ends(verify_log *log);
void fdtd_dilation(verify_log *log);
void fdtd_twist(verify_log *log);
void fdtd_dispersion(verify_log *log);
void fdtd_regularised(verify_log *log);
void fdtd_order(verify_log *log);
void fdtd_elastica(verify_log *log);
void fdtd_amplitude(verify_log *log);
void fdtd_axial_step(verify_log *log);
void fdtd_damping(verify_log *log);
