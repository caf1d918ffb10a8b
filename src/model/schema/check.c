/* check.c - one value of a description: finite, in its range, of the right size.  Each message has the key,
 * the value and what is allowed. */
#include "model/schema/check.h"

#include <stdio.h>
#include <string.h>

withy_status wy_check_positive(const char *key, double value, const char *unit, withy_error *err) {
    if (value > 0 && isfinite(value)) return WITHY_OK;
    return wy_fail(err, WITHY_BAD_INPUT, "%s" WY_KEY " = %g: must be %s> 0 [%s]", key, value,
                   isinf(value) ? "finite and " : "", unit);
}

withy_status wy_check_not_negative(const char *key, double value, const char *unit,
                                   withy_error *err) {
    if (value >= 0 && isfinite(value)) return WITHY_OK;
    return wy_fail(err, WITHY_BAD_INPUT, "%s" WY_KEY " = %g: must be %s>= 0 [%s]", key, value,
                   isinf(value) ? "finite and " : "", unit);
}

withy_status wy_check_finite(const char *key, double value, const char *unit, withy_error *err) {
    if (isfinite(value)) return WITHY_OK;
    return wy_fail(err, WITHY_BAD_INPUT, "%s" WY_KEY " = %g: must be finite [%s]", key, value,
                   unit);
}

/* Not given, or so many numbers. */
static withy_status check_size(const char *where, const char *name, const withy_field *field,
                               int size, withy_error *err) {
    if (field->size == 0 || field->size == size) return WITHY_OK;
    return wy_fail(err, WITHY_BAD_INPUT, "%s.%s" WY_KEY " has %d numbers; it must have %d", where,
                   name, field->size, size);
}

/* What may not change with time. */
withy_status wy_check_static(const char *where, const char *name, const withy_field *field,
                             int size, withy_error *err) {
    if (field->size && (field->table || wy_field_has_input(field)))
        return wy_fail(err, WITHY_BAD_INPUT,
                       "%s.%s" WY_KEY
                       " is not a function of time, so it cannot be a table or an input; give "
                       "numbers or a function of s",
                       where, name);
    return check_size(where, name, field, size, err);
}

static withy_status check_table(const char *where, const char *name, const withy_field *field,
                                withy_error *err) {
    if (field->rows < 1)
        return wy_fail(err, WITHY_BAD_INPUT,
                       "%s.%s" WY_KEY ": its table has %d rows; it needs at least one", where, name,
                       field->rows);
    const double *row = field->table, *before = NULL;
    for (int r = 0; r < field->rows; r++, before = row, row += 1 + field->size) {
        for (int i = 0; i <= field->size; i++)
            if (!isfinite(row[i]))
                return wy_fail(err, WITHY_BAD_INPUT,
                               "%s.%s" WY_KEY
                               ": row %d of its table has %g; all numbers must be finite",
                               where, name, r + 1, row[i]);
        if (before && !(row[0] > before[0]))
            return wy_fail(err, WITHY_BAD_INPUT,
                           "%s.%s" WY_KEY
                           ": row %d of its table is at t = %g, not after t = %g; times must "
                           "increase",
                           where, name, r + 1, row[0], before[0]);
    }
    return WITHY_OK;
}

/* Not given, or so many finite numbers; a function is checked when it is called. */
withy_status wy_check_field(const char *where, const char *name, const withy_field *field, int size,
                            withy_error *err) {
    if (field->size == 0) return WITHY_OK;
    WY_TRY(check_size(where, name, field, size, err));
    if (!!field->call + !!field->table + wy_field_has_input(field) + !!field->from_state > 1)
        return wy_fail(err, WITHY_BAD_INPUT,
                       "%s.%s" WY_KEY
                       ": is given as more than one of function, table and input; keep one",
                       where, name);
    if (field->from_state && strcmp(name, "force") != 0 && strcmp(name, "moment") != 0)
        return wy_fail(err, WITHY_BAD_INPUT,
                       "%s.%s" WY_KEY
                       ": is a function of the state; only force and moment can be one",
                       where, name);
    if (field->table) return check_table(where, name, field, err);
    for (int i = 0; i < size && !wy_field_varies(field); i++) {
        if (!isfinite(field->value[i]))
            return wy_fail(err, WITHY_BAD_INPUT,
                           "%s.%s" WY_KEY ": number %d is %g; it must be finite", where, name,
                           i + 1, field->value[i]);
        if (field->input[i] && !field->input[i][0])
            return wy_fail(err, WITHY_BAD_INPUT,
                           "%s.%s" WY_KEY ": the input of number %d has no name", where, name,
                           i + 1);
    }
    return WITHY_OK;
}

/* A count needs a list. */
withy_status wy_check_count(const char *list, int count, const void *entries, withy_error *err) {
    if (count >= 0 && (count == 0 || entries)) return WITHY_OK;
    return wy_fail(err, WITHY_BAD_INPUT,
                   "%s" WY_KEY ": has %d entries%s; give a list of that many, or the count 0", list,
                   count, entries ? "" : " and no list");
}

withy_status wy_check_on_rod(const char *key, double s, const withy_rod *rod, withy_error *err) {
    if (s >= 0 && s <= rod->length) return WITHY_OK;
    return wy_fail(err, WITHY_BAD_INPUT, "%s" WY_KEY " = %g: must lie on the rod, 0 .. %g [m]", key,
                   s, rod->length);
}

withy_status wy_fail_in_rod(withy_error *err, withy_status status, int rod) {
    static const char *const of_rod[] = {"ends", "loads", "initial"};
    char path[WITHY_ERROR_PATH];
    wy_fail_in(err, status, "rods[%d]: ", rod + 1);
    if (!err) return status;
    const size_t word = strcspn(err->path, ".[");
    const char *rest = NULL;
    if (word == 0 || (word == 3 && memcmp(err->path, "rod", 3) == 0)) rest = err->path + word;
    snprintf(path, sizeof path, "rods[%d]%.200s", rod + 1, rest ? rest : "");
    for (size_t i = 0; i < sizeof of_rod / sizeof *of_rod; i++)
        if (strlen(of_rod[i]) == word && memcmp(err->path, of_rod[i], word) == 0)
            snprintf(path, sizeof path, "rods[%d].%.200s", rod + 1, rest = err->path);
    if (rest) memcpy(err->path, path, sizeof path);
    return status;
}
