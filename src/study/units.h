/* units.h - see units.c. */
#pragma once

#include "method/method.h"

/* One note for each rod whose numbers belong to no material, or to no rod. */
void wy_units_note(const withy_problem *problem, withy_notes *notes);
