/* cable.h - checks of cables (rod.kind = "cable").  Room: src/model. */
#pragma once

#include "model/model.h"

/* Keys of a rod that have no meaning for a cable; and one that only a cable has. */
withy_status wy_cable_check(const withy_rod *rod, withy_error *err);
withy_status wy_cable_check_stretch(double stretch, withy_error *err);
/* A joint that needs a frame where a cable is. */
withy_status wy_cable_check_joint(const withy_problem *problem, int joint, withy_error *err);
