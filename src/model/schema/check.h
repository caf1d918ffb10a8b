/* check.h - checks of single values between the files of src/model.  Each reports key, value, allowed. */
#pragma once

#include "model/model.h"
#include "model/schema/structure.h"

withy_status wy_check_positive(const char *key, double value, const char *unit, withy_error *err);
withy_status wy_check_not_negative(const char *key, double value, const char *unit,
                                   withy_error *err);
withy_status wy_check_finite(const char *key, double value, const char *unit, withy_error *err);
/* Not given, or so many numbers, and not a function of time. */
withy_status wy_check_static(const char *where, const char *name, const withy_field *field,
                             int size, withy_error *err);
/* Not given, or so many finite numbers; a function is checked when it is called. */
withy_status wy_check_field(const char *where, const char *name, const withy_field *field, int size,
                            withy_error *err);
/* A count needs a list. */
withy_status wy_check_count(const char *list, int count, const void *entries, withy_error *err);
/* All values of a structure, made by constructor `tag` of its family, in the ranges of their keys; where: "ends.start". */
withy_status wy_check_values(wy_structure of, int tag, const void *structure, const char *where,
                             withy_error *err);
/* What is given and has no key in constructor `tag` would be ignored: it is refused. */
withy_status wy_check_unread(wy_structure of, int tag, const void *structure, const char *where,
                             withy_error *err);
withy_status wy_check_on_rod(const char *key, double s, const withy_rod *rod, withy_error *err);
/* A failure of rod `rod`, from 0, of several: "rods[2]: " before it, and its path below that of the rod. */
withy_status wy_fail_in_rod(withy_error *err, withy_status status, int rod);
