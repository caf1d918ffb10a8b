/* account.c - see account.h. */
#include "base/account.h"

void wy_account_open(withy_stats *stats, double energy, double floor, int known) {
    stats->energy_start = stats->energy_end = energy;
    stats->energy_scale = stats->energy_floor = floor;
    stats->energy_off = stats->energy_drift = 0.0;
    stats->accounted = known;
}

void wy_account_keep(withy_stats *stats, double energy, double off, double size) {
    const double least = 1e-13 * fabs(energy); /* rounding of an energy far from its zero */
    stats->energy_end = energy;
    stats->energy_scale = wy_max(stats->energy_scale, wy_max(size, least));
    if (!(off <= stats->energy_off)) stats->energy_off = off; /* NaN stays */
    stats->energy_drift = wy_account_drift(stats);
}

void wy_account_step(withy_stats *stats, int64_t iterations) {
    stats->steps++;
    stats->iterations += iterations;
    if (iterations > stats->iterations_max) stats->iterations_max = (int)iterations;
}

/* What rounding makes of a rod at rest adds up over the steps. */
static double rounding(const withy_stats *stats) {
    return stats->energy_floor * (1 + 1e-4 * (double)stats->steps);
}

double wy_account_drift(const withy_stats *stats) {
    if (!stats->accounted || stats->energy_off <= rounding(stats)) return 0.0;
    return stats->energy_off / stats->energy_scale;
}
