/* network.h - what withy check says about bodies and joints. */
#pragma once

#include "withy/withy.h"

/* Bodies and joints, the degrees of freedom that rigid parts have left, and parts that nothing holds. */
void cli_network(const withy_scene *scene);
