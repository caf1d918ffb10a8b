/* compare_step.c - what the step of a single run gets wrong.
 *
 * A step h of second order has the period of x = A cos omega t wrong by (omega h)^2 / 12: in every step
 * A (omega h)^3 / 12 is lost, and adds up, to 2 A at most.  From four positions one step apart (central differences)
 *
 *   |D1| = A omega h |sin|,  |D2| = A (omega h)^2 |cos|,  |D3| = A (omega h)^3 |sin|,
 *
 * so that the sum of |D3| / 12 is 2/pi of what is lost, and A is |D2|^3 / |D3|^2.  Where |D3| > |D1| / 2 the step does
 * not resolve what moves: its amplitude, at least |D3| / 8, is wrong at once and by no more.
 * These are first terms of series in omega h, so that half as much again is added.
 * The same idea warns of long steps in a run (doubt.h), there for the whole rod.
 */
#include "base/vec.h"
#include "study/compare.h"

static const double MEAN = 2 / 3.14159265358979323846; /* of |sin| */
static const double MARGIN = 1.5;
/* Steps of an interval that are all looked at; of more of them ROWS rows. */
enum { LOOKED = 64, ROWS = 8 };

static void remember(wy_compare_steps *x, withy_sim *sim) {
    const double h = withy_sim_step(sim), t = withy_sim_time(sim);
    const withy_snapshot *now = withy_sim_sample(sim, 0);
    if (!now || (x->filled && !(fabs(t - x->last - h) <= 1e-6 * h))) x->filled = 0;
    if (!now) return;
    if (x->filled == WY_COMPARE_RING)
        for (x->filled = 0; x->filled < WY_COMPARE_RING - 1; x->filled++)
            for (int i = 0; i < WY_COMPARE_PLACES; i++)
                x->ring[x->filled][i] = x->ring[x->filled + 1][i];
    withy_vec3 *newest = x->ring[x->filled++];
    newest[WITHY_COMPARE_FINISH] = now->position[now->count - 1];
    newest[WITHY_COMPARE_MIDDLE] = now->position[now->count / 2];
    x->last = t;
}

void wy_compare_look_begin(wy_compare_steps *x, withy_sim *sim, int statics) {
    *x = (wy_compare_steps){0};
    x->judged =
        !statics && withy_sim_step(sim) > 0 && wy_method_order(sim->method, sim->options).time == 2;
    if (x->judged) remember(x, sim);
}

double wy_compare_burst(const wy_compare_steps *x, double done, double steps, double most,
                        double *stands) {
    const double stride = steps > LOOKED ? floor(steps / ROWS) : 1;
    *stands = 0;
    if (!x->judged) return most;
    const double left = stride - WY_COMPARE_RING - fmod(done, stride);
    if (left > 0) return fmin(most, left);
    *stands = stride;
    return 1;
}

void wy_compare_look(wy_compare_steps *x, withy_sim *sim, double stands) {
    remember(x, sim);
    if (x->filled < WY_COMPARE_RING) return;
    for (int i = 0; i < WY_COMPARE_PLACES; i++) {
        const vec3 a = x->ring[0][i], b = x->ring[1][i], c = x->ring[2][i], d = x->ring[3][i];
        const vec3 mid = v3_sub(c, b), before = v3_sub(b, a), after = v3_sub(d, c);
        const double d1 = v3_norm(mid), d2 = v3_norm(v3_sub(after, mid)),
                     d3 = v3_norm(v3_sub(v3_add(after, before), v3_scale(2, mid)));
        if (d3 > 0) x->reach[i] = fmax(x->reach[i], d2 * d2 * d2 / (d3 * d3));
        if (d3 <= 0.5 * d1)
            x->sum[i] += stands * d3 / 12;
        else
            x->rough[i] = fmax(x->rough[i], d3 / 8);
    }
}

double wy_compare_lost(const wy_compare_steps *x, int place) {
    return MARGIN * (fmin(x->sum[place] / MEAN, 2 * x->reach[place]) + x->rough[place]);
}
