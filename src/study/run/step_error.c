/* step_error.c - see resolution_check.h. */
#include "study/run/resolution_check.h"

static const double MEAN = 2 / 3.14159265358979323846; /* of |sin| */
static const double MARGIN = 1.5, RESOLVED = 0.5, LEAST = 1e-6;
/* Steps of an interval that are all looked at; of more of them ROWS rows. */
enum { LOOKED = 64, ROWS = 8 };

void wy_step_error_open(wy_step_error *x, const withy_sim *sim, int items, const int *first,
                        double *room) {
    const wy_order order = wy_method_order(sim->method, sim->options);
    *x = (wy_step_error){.items = items, .width = first[items], .first = first, .ring = room};
    double *at = room + (size_t)WY_STEP_ERROR_RING * (size_t)x->width;
    for (int i = 0; i < 2; i++, at += items) x->sum[i] = at;
    for (int i = 0; i < 2; i++, at += items) x->mean[i] = at;
    for (int i = 0; i < 3; i++, at += items) x->size[i] = at;
    if (!(withy_sim_step(sim) > 0) || order.time > WY_STEP_ERROR_ORDER) return;
    x->part = order.lost;
    x->order = x->part > 0 ? order.time : 0;
    x->rows = (x->order > 2 ? x->order : 2) + 2;
}

double wy_step_error_skip(const wy_step_error *x, double done, double steps, double most,
                          double *stands) {
    const double stride = steps > LOOKED ? floor(steps / ROWS) : 1;
    *stands = 0;
    if (!x->order) return most;
    const double left = stride - x->rows - fmod(done, stride);
    if (left > 0) return fmin(most, left);
    *stands = stride;
    return 1;
}

/* Into the ring, which begins again after a pause of more than one step. */
static void remember(wy_step_error *x, const withy_sim *sim, const double *value) {
    const double h = withy_sim_step(sim), t = withy_sim_time(sim);
    const size_t width = (size_t)x->width, row = width * sizeof *value;
    if (x->filled && !(fabs(t - x->last - h) <= 1e-6 * h)) x->filled = 0;
    if (x->filled == x->rows) {
        memmove(x->ring, x->ring + width, (size_t)(x->rows - 1) * row);
        x->filled--;
    }
    memcpy(x->ring + (size_t)x->filled++ * width, value, row);
    x->last = t;
}

/* The length of the difference of this order of an item, from row `from` on. */
static double difference(const wy_step_error *x, int item, int order, int from) {
    double square = 0;
    for (int c = x->first[item]; c < x->first[item + 1]; c++) {
        double d[WY_STEP_ERROR_RING] = {0};
        for (int k = 0; k <= order; k++) d[k] = x->ring[(ptrdiff_t)(from + k) * x->width + c];
        for (int n = order; n > 0; n--)
            for (int k = 0; k < n; k++) d[k] = d[k + 1] - d[k];
        square += d[0] * d[0];
    }
    return sqrt(square);
}

static void judge(wy_step_error *x, int item, double stands) {
    const int p = x->rows - 2;
    const double above = difference(x, item, p + 1, 0), below = difference(x, item, p - 1, 1),
                 own = difference(x, item, p, 1);
    const double wrong = x->part * (x->order < p ? own : above);
    if (!(above > 0)) return;
    x->mean[0][item] += stands * own * own, x->mean[1][item] += stands * above * above;
    if (above <= RESOLVED * below) {
        x->sum[0][item] += stands * wrong;
        x->size[0][item] = fmax(x->size[0][item], pow(own / above, p) * own);
    } else {
        const double s = above / below, least = ldexp(above, -p - 1); /* s may be infinite */
        x->sum[1][item] += stands * wrong / fmax(LEAST, 1 - s / 2);
        x->size[1][item] = fmax(x->size[1][item], fmax(below * pow(s, -0.5 * (p - 1)), least));
        x->size[2][item] = fmax(x->size[2][item], least);
    }
}

void wy_step_error_add(wy_step_error *x, const withy_sim *sim, const double *value, double stands) {
    if (!x->order) return;
    remember(x, sim, value);
    if (x->filled < x->rows) return;
    x->steps += stands;
    for (int i = 0; i < x->items; i++) judge(x, i, stands);
}

/* Of the two kinds, up to twice the amplitude. */
static double of_kind(const wy_step_error *x, int kind, int item) {
    return fmin(x->sum[kind][item] / MEAN, 2 * x->size[kind][item]);
}

double wy_step_error_estimate(const wy_step_error *x, int item) {
    const double below = x->mean[0][item] / x->steps, above = x->mean[1][item] / x->steps;
    const double p = x->rows - 2;
    if (!(above > 0)) return 0;
    const double size = sqrt(2) * pow(below, (p + 1) / 2) / pow(above, p / 2);
    return fmin(x->sum[0][item] / MEAN, 2 * size) + x->size[2][item];
}

double wy_step_error_bound(const wy_step_error *x, int item) {
    return MARGIN * (of_kind(x, 0, item) + of_kind(x, 1, item));
}
