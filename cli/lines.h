/* lines.h - what is drawn of a result: its rods, then lines from the centre of mass of every body to its
 * joints, and every link; a body without joints is a line along its longest axis. */
#pragma once

#include "withy/withy.h"

int cli_lines(const withy_result *result);
/* Those of them that are not a body without a joint, which come last: for pictures that show bodies by their shapes. */
int cli_arms(const withy_result *result);
/* A line in snapshot k; valid until the next call.  Of bodies and links: positions only. */
const withy_snapshot *cli_line_at(withy_result *result, int line, int64_t k, withy_error *err);
/* How large a body is along its axes [m]: its shape, or the ellipsoid with its mass and inertia. */
void cli_body_size(const withy_body *body, double size[3]);
/* Its name and section. */
int cli_line_info(const withy_result *result, int line, withy_result_rod *info);
