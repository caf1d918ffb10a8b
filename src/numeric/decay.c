/* decay.c - sizes of the Chebyshev coefficients of a snapshot: is n enough? */
#include "base/base.h"
#include "numeric/chebyshev_series.h"
#include "withy/spectrum.h"

enum { MOST = 4096 };

/* Is s_j = L (1 - cos(pi j/n))/2? */
static int on_chebyshev_points(const withy_snapshot *snap) {
    const int n = snap->count - 1;
    if (n < 2 || n > MOST) return 0;
    for (int j = 0; j <= n; j++)
        if (!(fabs(0.5 * snap->s[n] * (1 - cos(WY_PI * j / n)) - snap->s[j]) <= 1e-9 * snap->s[n]))
            return 0;
    return 1;
}

withy_status withy_snapshot_decay(const withy_snapshot *snapshot, int component, double *size,
                                  withy_error *err) {
    WY_NEED(snapshot);
    WY_NEED(size);
    if (!snapshot || !size || component < 0 || component > 2)
        return wy_fail(err, WITHY_BAD_INPUT,
                       "withy_snapshot_decay: needs a snapshot, a component 0, 1 or 2, and room");
    if (!(snapshot->have & WITHY_HAVE_POSITION) || !on_chebyshev_points(snapshot))
        return wy_fail(err, WITHY_UNSUPPORTED, "the stations are not Chebyshev points");
    const int n = snapshot->count - 1;
    double *value = wy_take((size_t)n + 1, sizeof *value);
    if (!value) return wy_fail(err, WITHY_NO_MEMORY, "no memory for %d coefficients", n + 1);
    for (int j = 0; j <= n; j++) value[j] = (&snapshot->position[j].x)[component];
    wy_chebyshev_transform(n, value, size);
    for (int j = 0; j <= n; j++)
        size[j] = (j == 0 || j == n ? 1 : 2) / sqrt(2.0 * n) * fabs(size[j]);
    wy_give(value);
    return WITHY_OK;
}
