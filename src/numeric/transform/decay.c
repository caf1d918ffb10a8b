/* decay.c - sizes of the Chebyshev coefficients of a snapshot: is n enough? */
#include "base/base.h"
#include "base/vec.h"
#include "numeric/interpolate/interpolate.h"
#include "numeric/transform/transform.h"
#include "withy/spectrum.h"

enum { MOST = 4096 };

/* Are the stations L (1 + x_j)/2? */
static int are_at(const withy_snapshot *snap, const double *x) {
    const int n = snap->count - 1;
    for (int j = 0; j <= n; j++)
        if (!(fabs(0.5 * snap->s[n] * (1 + x[j]) - snap->s[j]) <= 1e-9 * snap->s[n])) return 0;
    return 1;
}

/* Values at the stations, s increasing, as values at the points of wy_chebyshev_transform; by the polynomial
 * through them where the stations are Lobatto's.  0: they are of neither kind. */
static int at_chebyshev_points(const withy_snapshot *snap, int component, double *work,
                               double *value) {
    const int n = snap->count - 1;
    double *x = work, *bary = work + n + 1, *weight = work + 2 * (n + 1), *row = work + 3 * (n + 1);
    for (int j = 0; j <= n; j++) x[j] = -cos(WY_PI * j / n);
    if (are_at(snap, x)) {
        for (int j = 0; j <= n; j++) value[j] = v3_get(snap->position[j], component);
        return 1;
    }
    wy_lobatto_nodes(n, x, weight, bary);
    if (!are_at(snap, x)) return 0;
    for (int j = 0; j <= n; j++) {
        wy_lagrange_row(n, x, bary, -cos(WY_PI * j / n), row);
        value[j] = 0;
        for (int k = 0; k <= n; k++) value[j] += row[k] * v3_get(snap->position[k], component);
    }
    return 1;
}

withy_status withy_snapshot_decay(const withy_snapshot *snapshot, int component, double *size,
                                  withy_error *err) {
    WY_NEED(snapshot, size);
    if (!snapshot || !size || component < 0 || component > 2)
        return wy_bad_input(
            err, "withy_snapshot_decay: needs a snapshot, a component 0, 1 or 2, and room");
    const int n = snapshot->count - 1, fits = n >= 2 && n <= MOST;
    double *value = wy_alloc(5 * ((size_t)(fits ? n : 0) + 1), sizeof *value);
    if (!value) return wy_no_memory(err, "no memory for %d coefficients", n + 1);
    if (!fits || !(snapshot->have & WITHY_HAVE_POSITION) ||
        !at_chebyshev_points(snapshot, component, value + n + 1, value)) {
        wy_free(value);
        return wy_unsupported(err, "the stations are neither Chebyshev's points nor Lobatto's");
    }
    wy_chebyshev_transform(n, value, size);
    for (int j = 0; j <= n; j++)
        size[j] = (j == 0 || j == n ? 1 : 2) / sqrt(2.0 * n) * fabs(size[j]);
    wy_free(value);
    return WITHY_OK;
}
