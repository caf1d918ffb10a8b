/* field.c - values that are constant, functions of s and t, or signals. */
#include "model/model.h"

withy_field withy_field_number(double value) {
    return (withy_field){.size = 1, .value = {value}};
}

withy_field withy_field_vector(double x, double y, double z) {
    return (withy_field){.size = 3, .value = {x, y, z}};
}

withy_field withy_field_table(int size, int rows, const double *table) {
    return (withy_field){.size = size, .rows = rows, .table = table};
}

withy_field withy_field_input(const char *name, double value) {
    return (withy_field){.size = 1, .value = {value}, .input = {name}};
}

withy_status withy_field_at(const withy_field *field, double s, double t, double *out,
                            withy_error *err) {
    WY_NEED(field, out);
    if (field->size < 0 || field->size > WITHY_FIELD_MAX)
        return wy_bad_input(err, "a field has %d numbers; it must have 0 .. %d", field->size,
                            WITHY_FIELD_MAX);
    if (field->table && field->rows > 0) {
        wy_table_at(field, t, out);
        return WITHY_OK;
    }
    if (field->from_state)
        return wy_unsupported(
            err, "a function of the state has no value without a state; only the force and moment "
                 "of distributed and point loads and of ends may be one");
    if (!field->call) {
        for (int i = 0; i < field->size; i++) out[i] = field->value[i];
        return WITHY_OK;
    }
    WY_TRY(field->call(field->context, s, t, out, err));
    for (int i = 0; i < field->size; i++)
        if (!isfinite(out[i]))
            return wy_bad_input(
                err, "a function returned %g as number %d at s = %g, t = %g; it must be finite",
                out[i], i + 1, s, t);
    return WITHY_OK;
}
