/* fit_data.c - the data of a fit: a table, and where its columns are observed on the rods. */
#include "study/fit/fit.h"

enum { MODES = 64 };

/* ---- the table -------------------------------------------------------------------------------------- */

static withy_status wrong(const wy_fit_state *x, int k, const char *why, withy_error *err) {
    return wy_bad_input(err, "%s: column \"%.60s\": %s", x->setup->data_name, x->table.name[k],
                        why);
}

static int axis_of(const char *text) {
    return text[0] && !text[1] && text[0] >= 'x' && text[0] <= 'z' ? text[0] - 'x' : -1;
}

/* A probe of the problem, with its component behind its name. */
static int find_probe(const withy_problem *problem, const char *name, withy_number *number) {
    for (int i = 0; i < problem->request.probe_count; i++) {
        const withy_probe *probe = &problem->request.probe[i];
        const size_t size = strlen(probe->name);
        if (strncmp(probe->name, name, size) != 0 || (name[size] && name[size] != '.')) continue;
        number->at = *probe;
        number->quantity = withy_quantity_find((int)probe->of, probe->what);
        if (withy_component_find(number->quantity, name + size, &number->component)) return 1;
    }
    return 0;
}

withy_status wy_fit_number(const wy_fit_state *x, const withy_problem *problem, int k,
                           withy_number *number, withy_error *err) {
    const withy_names names = wy_problem_names(problem);
    const char *name = x->table.name[k];
    if (!find_probe(problem, name, number) && !withy_number_find(&names, name, number))
        return wrong(x, k,
                     "names no probe, and no number of a place, body or joint; such as tip.x of a "
                     "probe, finish.x, hub.spin.z, force.start.z (withy list quantities)",
                     err);
    if (number->component == WITHY_COMPONENTS && number->quantity->size > 1)
        return wrong(x, k, "must end with .x, .y, .z or .norm", err);
    return WITHY_OK;
}

static int is_place(const withy_number *n) {
    return n->at.of == WITHY_OF_ROD && strcmp(n->at.what, "position") == 0 && n->component >= 0;
}

static withy_status read_motion(wy_fit_state *x, const withy_problem *problem, withy_error *err) {
    for (int k = 1; k < x->table.columns; k++) {
        withy_number number;
        WY_TRY(wy_fit_number(x, problem, k, &number, err));
        x->s[k - 1] = 0;
        x->column[k] = (wy_fit_column){.other = !is_place(&number)};
        x->others |= x->column[k].other;
        if (x->column[k].other) continue;
        x->rod[k - 1] = number.at.rod, x->s[k - 1] = number.at.at;
        x->column[k] = (wy_fit_column){k - 1, number.component, 0};
    }
    x->stations = x->table.columns - 1;
    for (int i = 0; i < x->table.rows; i++) {
        const double t = x->table.value[i * x->table.columns];
        const double before = i ? x->table.value[(i - 1) * x->table.columns] : -1;
        if (!(t >= 0 && t > before))
            return wy_bad_input(err, "%s: row %d: %s = %g; %s must be 0 or later and increase",
                                x->setup->data_name, i + 1, x->curve->axis, t,
                                x->kind == WY_FIT_PATH ? "load factors" : "times");
    }
    return WITHY_OK;
}

static withy_status read_shape(wy_fit_state *x, const withy_problem *problem, withy_error *err) {
    for (int k = 1; k < x->table.columns; k++) {
        const int axis = axis_of(x->table.name[k]);
        if (axis < 0) return wrong(x, k, "a shape has the columns s, x, y, z", err);
        x->column[k] = (wy_fit_column){0, axis, 0};
    }
    x->stations = x->table.rows;
    for (int i = 0; i < x->table.rows; i++) {
        x->s[i] = x->table.value[i * x->table.columns];
        if (!(x->s[i] >= 0 && x->s[i] <= problem->rod[0].length * (1 + 1e-9)))
            return wy_bad_input(err, "%s: row %d: s = %g; the rod has 0 .. %g", x->setup->data_name,
                                i + 1, x->s[i], problem->rod[0].length);
        x->s[i] = wy_min(x->s[i], problem->rod[0].length);
    }
    return WITHY_OK;
}

static withy_status read_modes(wy_fit_state *x, withy_error *err) {
    if (x->table.columns != 2 || strcmp(x->table.name[1], "frequency") != 0)
        return wy_bad_input(err, "%s: modes have the columns mode, frequency", x->setup->data_name);
    for (int i = 0; i < x->table.rows; i++) {
        const double mode = x->table.value[2 * i];
        if (!(mode >= 1 && mode <= MODES) || mode != floor(mode))
            return wy_bad_input(err, "%s: row %d: mode = %g; 1 .. %d", x->setup->data_name, i + 1,
                                mode, MODES);
    }
    return WITHY_OK;
}

withy_status wy_fit_read(wy_fit_state *x, const withy_problem *problem, withy_error *err) {
    const withy_scene_fit *setup = x->setup;
    WY_TRY(
        wy_columns_read(setup->data, setup->data_size, setup->data_name, x->arena, &x->table, err));
    if (!x->table.name || x->table.columns < 2)
        return wy_bad_input(
            err,
            "%s: the first row must name the columns: t, tip.x, tip.y for a motion; factor, "
            "force.start.z for equilibria; s, x, y, z for a shape; mode, frequency",
            setup->data_name);
    const int most = x->table.rows > WY_COLUMNS_MOST ? x->table.rows : WY_COLUMNS_MOST;
    x->s = wy_arena_alloc(x->arena, (size_t)most, sizeof *x->s);
    x->rod = wy_arena_alloc(x->arena, (size_t)most, sizeof *x->rod);
    if (!x->s || !x->rod) return wy_no_memory(err, "no memory for the data");
    const char *first = x->table.name[0];
    static const char *const axis[] = {"t", "factor", "s", "mode"};
    int found = -1;
    for (int i = 0; i < 4; i++)
        if (strcmp(first, axis[i]) == 0) found = i;
    if (found < 0)
        return wy_bad_input(err,
                            "%s: the first column is \"%.60s\"; it must be t, factor, s or mode",
                            setup->data_name, first);
    x->kind = (wy_fit_kind)found, x->curve->axis = axis[found];
    if (x->kind == WY_FIT_MODE) return read_modes(x, err);
    return x->kind == WY_FIT_SHAPE ? read_shape(x, problem, err) : read_motion(x, problem, err);
}

/* ---- places ---------------------------------------------------------------------------------- */

/* Where the columns are observed in another problem: with a parameter that moves probes or makes the rod longer they
 * move too. */
withy_status wy_fit_places(const wy_fit_state *x, const withy_problem *problem, double *s,
                           withy_error *err) {
    for (int i = 0; i < x->stations; i++) {
        const char *name = x->kind == WY_FIT_SHAPE ? NULL : x->table.name[i + 1];
        withy_number number;
        int rod = x->rod[i];
        s[i] = x->s[i];
        if (name && !x->column[i + 1].other) {
            WY_TRY(wy_fit_number(x, problem, i + 1, &number, err));
            rod = number.at.rod, s[i] = number.at.at;
        }
        if (rod != x->rod[i] || rod >= problem->rod_count)
            return wrong(x, i + 1, "is on another rod with another value of a parameter", err);
        if (!(s[i] <= problem->rod[rod].length * (1 + 1e-9)))
            return wy_no_convergence(err, "%s: s = %g; the rod has 0 .. %g", x->setup->data_name,
                                     s[i], problem->rod[rod].length);
        s[i] = wy_min(s[i], problem->rod[rod].length);
    }
    return WITHY_OK;
}

int wy_fit_numbers(const wy_fit_state *x) {
    return x->table.columns - 1;
}

double wy_fit_size(const wy_fit_state *x, int rows) {
    double sum = 0;
    for (int i = 0; i < rows; i++) sum += pow(x->curve->data[i], 2);
    return sqrt(sum);
}
