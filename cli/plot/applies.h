/* applies.h - options of withy plot that have no effect on what is drawn. */
#pragma once

#include "cli.h"

typedef enum plot_of {
    PLOT_OF_RESULT,
    PLOT_OF_SCENE,
    PLOT_OF_SWEEP,
    PLOT_OF_DIFFERENCE,
    PLOT_OF_ERRORS,
} plot_of;

/* -1: all that are given apply; or the exit status. */
int plot_check_options(const cli_option *option, plot_of kind);
