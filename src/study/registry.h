/* registry.h - methods by name, their options, and whether they can do what a problem requires. */
#pragma once

#include "method/method.h"

int wy_method_count(void);
const wy_method *wy_method_at(int index); /* NULL past the last */

/* By name; on failure the message names the closest one. */
withy_status wy_method_find(const char *name, const wy_method **method, withy_error *err);

/* Can the method do the problem?  On refusal the message gives the reason and the methods that can. */
withy_status wy_method_accepts(const wy_method *method, const withy_problem *problem,
                               withy_error *err);

/* Fill the method's options struct: defaults, then the given ones. */
withy_status wy_options_fill(const wy_method *method, const withy_option *option, int count,
                             void *options, withy_error *err);

/* Replace the value of one, which is in range. */
void wy_option_set(const wy_method *method, const char *name, double value, void *options);

int wy_method_has_option(const wy_method *method, const char *name);

/* Orders of the method with these options. */
wy_order wy_method_order(const wy_method *method, const void *options);

/* Option `index` as used, as text; 0 past the last. */
int wy_option_text(const wy_method *method, const void *options, int index, char *name, char *value,
                   size_t size);
