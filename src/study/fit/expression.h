/* expression.h - arithmetic of named numbers, with derivatives.
 *
 *   sum  = term { (+ | -) term }      term = power { (* | /) power }      power = sign [ ^ power ]
 *   sign = - power | number | name | function ( sum [, sum] ) | ( sum )
 *
 * Names: tip.z:max, params.wire, force.start.z, tip.x:at=0.1.  Functions: abs, sqrt, log, exp, sin, cos, min(a, b),
 * max(a, b), cents(f, reference) = 1200 log2(f/reference).
 */
#pragma once

#include "withy/base.h"

enum { WY_EXPRESSION_NAMES = 24, WY_EXPRESSION_TEXT = 128 };

/* The names that occur, in all expressions that were read with it. */
typedef struct wy_names {
    int count;
    char text[WY_EXPRESSION_NAMES][WY_EXPRESSION_TEXT];
} wy_names;

/* A number and its derivatives by those names. */
typedef struct wy_dual {
    double value, by[WY_EXPRESSION_NAMES];
} wy_dual;

/* Add the names of an expression; `what` begins the message: "--minimise". */
withy_status wy_expression_read(const char *what, const char *text, wy_names *names,
                                withy_error *err);
/* Its value, at[names->count]. */
withy_status wy_expression_value(const char *what, const char *text, wy_names *names,
                                 const double *at, wy_dual *out, withy_error *err);
