/* lines.h - what is drawn of a result: its rods, then every body as lines from its centre of mass to its
 * joints, then every link. */
#pragma once

#include "withy/withy.h"

int cli_lines(const withy_result *result);
/* A line in snapshot k; valid until the next call.  Of bodies and links: positions only. */
const withy_snapshot *cli_line_at(withy_result *result, int line, int64_t k, withy_error *err);
