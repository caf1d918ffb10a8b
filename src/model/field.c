/* field.c - values that are constant or functions of s and t. */
#include "base/base.h"
#include "withy/problem.h"

withy_field withy_field_number(double value) {
    return (withy_field){.size = 1, .value = {value}};
}

withy_field withy_field_vector(double x, double y, double z) {
    return (withy_field){.size = 3, .value = {x, y, z}};
}

withy_status withy_field_at(const withy_field *field, double s, double t, double *out,
                            withy_error *err) {
    if (field->size < 0 || field->size > WITHY_FIELD_MAX)
        return wy_fail(err, WITHY_BAD_INPUT, "a field has %d numbers; it must have 0 .. %d",
                       field->size, WITHY_FIELD_MAX);
    if (!field->call) {
        for (int i = 0; i < field->size; i++) out[i] = field->value[i];
        return WITHY_OK;
    }
    WY_TRY(field->call(field->context, s, t, out, err));
    for (int i = 0; i < field->size; i++)
        if (!isfinite(out[i]))
            return wy_fail(
                err, WITHY_BAD_INPUT,
                "a function returned %g as number %d at s = %g, t = %g; it must be finite", out[i],
                i + 1, s, t);
    return WITHY_OK;
}
