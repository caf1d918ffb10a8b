/* active.c - strains at rest that change: given as functions of time, by temperature. */
#include "model/model.h"

int wy_shape_in_time(const withy_shape *shape) {
    const withy_field *strain = &shape->strain;
    if (shape->kind != WITHY_SHAPE_STRAIN || !strain->size) return 0;
    return shape->in_time || strain->table || wy_field_has_input(strain) ||
           wy_signal_table(strain) || wy_signal_is_input(strain);
}

static int is_heated(const withy_rod *rod) {
    return rod->heat.temperature.size || rod->heat.gradient.size;
}

int wy_rod_is_active(const withy_rod *rod) {
    return wy_shape_in_time(&rod->rest) || is_heated(rod);
}

static withy_status value_at(const withy_field *field, double s, double t, double factor,
                             double *out, withy_error *err) {
    WY_TRY(withy_field_at(field, s, t, out, err));
    for (int i = 0; i < field->size && !field->call; i++) out[i] *= factor;
    return WITHY_OK;
}

withy_status wy_active_strain(const withy_rod *rod, double s, double t, double factor,
                              const double base[WITHY_STRAINS], double strain[WITHY_STRAINS],
                              withy_error *err) {
    double x[WITHY_FIELD_MAX], temperature = 0, gradient[WITHY_FIELD_MAX] = {0};
    memcpy(strain, base, WITHY_STRAINS * sizeof *strain);
    if (wy_shape_in_time(&rod->rest)) {
        const int size = rod->rest.strain.size, first = WITHY_STRAINS - size;
        WY_TRY(withy_field_at(&rod->rest.strain, s, t, x, err));
        for (int i = 0; i < size; i++) strain[first + i] = x[i];
    }
    if (!is_heated(rod)) return WITHY_OK;
    WY_TRY(value_at(&rod->heat.temperature, s, t, factor, &temperature, err));
    WY_TRY(value_at(&rod->heat.gradient, s, t, factor, gradient, err));
    strain[WITHY_STRETCH] += rod->heat.expansion * temperature;
    strain[WITHY_BEND1] += rod->heat.expansion * gradient[1];
    strain[WITHY_BEND2] -= rod->heat.expansion * gradient[0];
    return WITHY_OK;
}
