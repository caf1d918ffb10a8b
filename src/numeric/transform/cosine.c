/* cosine.c - derivative on a Chebyshev grid in O(n log n).
 *
 * u on x_j = -cos(pi j/n) is g(y) = u(-y) on y_j = cos(pi j/n), so u'(x_j) = -g'(y_j).
 */
#include "numeric/transform/transform.h"

#ifdef WITHY_HAVE_LIB_FFTW
#include "numeric/transform/fftw.h"

struct wy_cosine {
    int n;
    double *in, *out; /* [n+1] */
    fftw_plan plan;   /* REDFT00: sum_j c_j u_j cos(pi j k/n) */
};

wy_cosine *wy_cosine_make(wy_arena *arena, int n) {
    wy_cosine *c = wy_arena_alloc(arena, 1, sizeof *c);
    double *work = wy_arena_alloc(arena, 2 * (size_t)n + 34, sizeof *work);
    if (!c || !work) return NULL;
    c->n = n, c->in = work, c->out = work + ((n + 1 + 15) & ~15);
    wy_fftw_enter();
    c->plan = fftw_plan_r2r_1d(n + 1, c->in, c->out, FFTW_REDFT00, FFTW_ESTIMATE);
    wy_fftw_leave();
    return c->plan ? c : NULL;
}

void wy_cosine_free(wy_cosine *c) {
    if (!c) return;
    wy_fftw_enter();
    fftw_destroy_plan(c->plan);
    wy_fftw_leave();
}

void wy_cosine_derivative(wy_cosine *c, double scale, const double *u, double *out) {
    const int n = c->n;
    double *v = c->out, *w = c->in;
    for (int j = 0; j <= n; j++) c->in[j] = u[j];
    fftw_execute(c->plan);
    w[n] = 0.0; /* (3.9), from the top; both transforms together bring a factor 2n */
    w[n - 1] = n * v[n];
    for (int k = n - 2; k >= 0; k--)
        w[k] = (k + 2 <= n ? w[k + 2] : 0.0) + 2.0 * (k + 1) * v[k + 1];
    fftw_execute(c->plan);
    for (int j = 0; j <= n; j++) out[j] = -scale / (2.0 * n) * c->out[j];
}

#else

struct wy_cosine {
    int n;
};

wy_cosine *wy_cosine_make(wy_arena *arena, int n) {
    (void)arena, (void)n;
    return NULL;
}

void wy_cosine_free(wy_cosine *c) {
    (void)c;
}

void wy_cosine_derivative(wy_cosine *c, double scale, const double *u, double *out) {
    (void)c, (void)scale, (void)u, (void)out;
}

#endif
