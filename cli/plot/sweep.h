/* sweep.h - pictures of a sweep. */
#pragma once

#include "plot/plot.h"

int plot_is_sweep(const char *path); /* is it the file of a sweep? */
/* The numbers of request->what, or all: returns the exit status. */
int plot_sweep(const plot_request *request, const char *path, const char *output, int json,
               int quiet);
