/* network.h - bodies and joints between the files of src/model. */
#pragma once

#include "model/model.h"

enum { WY_JOINT_KINDS = WITHY_JOINT_LINK + 1 };

/* About the size of the network [m]. */
double wy_network_size(const wy_model *model, const withy_problem *problem);
/* Parts, axes, laws and gap of a joint; size: of the network. */
withy_status wy_joint_check(const wy_model *model, const withy_problem *problem, int joint,
                            double size, withy_error *err);
int wy_same_part(const withy_place *a, const withy_place *b);
/* The first part that neither its ends nor its joints connect to the ground: rods, then bodies; -1: none.
 * up: memory, [rod_count + body_count + 1]. */
int wy_network_floating(const withy_problem *problem, int *up);
/* Rods are counted first, then bodies, then the ground; and the part that stands for all those joined to a part. */
int wy_part_number(const withy_problem *problem, const withy_place *place);
int wy_part_root(int *up, int part);
/* up[rod_count + body_count]: of each part, one that stands for those joined to it, the ground left out. */
void wy_parts_join(const withy_problem *problem, int *up);
/* Everything of bodies and joints that needs no method: values, parts, axes, laws, and gaps at t = 0. */
withy_status wy_network_check(const wy_model *model, const withy_problem *problem,
                              withy_error *err);
/* Can a motion start?  Prescribed angles and travels must begin at 0, and the velocities of two parts must
 * agree where they are joined. */
withy_status wy_network_fits(const wy_model *model, const withy_problem *problem, withy_error *err);
