/* piecewise.c - see interpolate.h. */
#include "numeric/interpolate/interpolate.h"

enum { N = WY_PIECE_DEGREE, MOST_PIECES = 512, MOST_DEPTH = 12 };

/* A piece repeats the function to this many times its scale: a few roundings of both. */
static const double ROUNDING = 4e-15;

/* Two halvings that gain less than this are not worth going on with: noise gains nothing, a kink four
 * times.  Noise is small; a large error is that of a function which turns too often for the piece. */
static const double GAIN = 0.5, NOISE = 1e-6;

/* Where a piece is compared with the function, in [-1, 1]: between its points, at both ends and inside. */
static const double test[] = {-0.9952, -0.8777, -0.4329, 0.1951, 0.6011, 0.9604};

typedef struct maker {
    wy_piecewise *out;
    double scale;
    double cosine[N + 1][N + 1]; /* cos(pi j k/N) */
} maker;

static void series_at(const wy_piece *p, int size, double z, double *y) {
    for (int d = 0; d < size; d++) {
        double b1 = 0.0, b2 = 0.0;
        for (int k = N; k > 0; k--) {
            const double b = p->c[k][d] + 2.0 * z * b1 - b2;
            b2 = b1, b1 = b;
        }
        y[d] = p->c[0][d] + z * b1 - b2;
    }
}

/* The series through the N + 1 Chebyshev points of a piece. */
static withy_status sample(const maker *m, wy_piece *p, withy_error *err) {
    double y[N + 1][WY_PIECE_SIZE] = {{0}};
    const double middle = 0.5 * (p->from + p->to), half = 0.5 * (p->to - p->from);
    for (int j = 0; j <= N; j++) {
        const double x = j == 0 ? p->to : j == N ? p->from : middle + half * m->cosine[j][1];
        WY_TRY(m->out->call(m->out->context, x, y[j], err));
    }
    for (int k = 0; k <= N; k++)
        for (int d = 0; d < m->out->size; d++) {
            double sum = 0.5 * (y[0][d] + (k % 2 ? -1.0 : 1.0) * y[N][d]);
            for (int j = 1; j < N; j++) sum += y[j][d] * m->cosine[j][k];
            p->c[k][d] = (k == 0 || k == N ? 1.0 : 2.0) / N * sum;
        }
    return WITHY_OK;
}

/* The largest difference between a piece and the function. */
static withy_status error_of(const maker *m, const wy_piece *p, double *error, withy_error *err) {
    const double middle = 0.5 * (p->from + p->to), half = 0.5 * (p->to - p->from);
    *error = 0.0;
    for (size_t i = 0; i < sizeof test / sizeof *test; i++) {
        double requested[WY_PIECE_SIZE] = {0}, got[WY_PIECE_SIZE] = {0};
        WY_TRY(m->out->call(m->out->context, middle + half * test[i], requested, err));
        series_at(p, m->out->size, test[i], got);
        for (int d = 0; d < m->out->size; d++)
            if (!(fabs(got[d] - requested[d]) <= *error)) *error = fabs(got[d] - requested[d]);
    }
    return WITHY_OK;
}

/* before: errors of the piece that was halved, and of the one before it. */
static void add_piece(maker *m, double from, double to, int depth, const double before[2]) {
    wy_piece *p = &m->out->piece[m->out->count];
    double error[2] = {INFINITY, before[0]};
    *p = (wy_piece){.from = from, .to = to};
    const int known = sample(m, p, NULL) == WITHY_OK && error_of(m, p, &error[0], NULL) == WITHY_OK;
    const int full = m->out->count + MOST_DEPTH + 2 > MOST_PIECES || depth == MOST_DEPTH;
    const int idle = error[0] <= NOISE * m->scale && !(error[0] <= GAIN * before[1]);
    if (known && error[0] <= ROUNDING * m->scale) {
        m->out->count++;
    } else if (!known || full || idle) {
        p->direct = 1;
        m->out->count++;
    } else {
        const double middle = 0.5 * (from + to);
        add_piece(m, from, middle, depth + 1, error);
        add_piece(m, middle, to, depth + 1, error);
    }
}

withy_status wy_piecewise_make(wy_sampled call, void *context, int size, double from, double to,
                               int start, double scale, wy_arena *arena, wy_piecewise *out,
                               withy_error *err) {
    *out = (wy_piecewise){.call = call, .context = context, .size = size};
    maker m = {.out = out, .scale = scale};
    wy_piece *all = wy_alloc(MOST_PIECES, sizeof *all);
    if (!all) return wy_no_memory(err, "no memory to sample a function");
    for (int j = 0; j <= N; j++)
        for (int k = 0; k <= N; k++) m.cosine[j][k] = cos(WY_PI * (j * k % (2 * N)) / N);
    out->piece = all;
    const double none[2] = {INFINITY, INFINITY};
    for (int i = 0; i < start; i++)
        add_piece(&m, from + (to - from) * i / start, from + (to - from) * (i + 1) / start, 0,
                  none);
    out->piece = wy_arena_alloc(arena, (size_t)out->count, sizeof *out->piece);
    if (out->piece) memcpy(out->piece, all, (size_t)out->count * sizeof *all);
    wy_free(all);
    return out->piece ? WITHY_OK : wy_no_memory(err, "no memory to sample a function");
}

withy_status wy_piecewise_at(const wy_piecewise *f, double x, double *y, withy_error *err) {
    int low = 0, high = f->count - 1;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (x <= f->piece[middle].to)
            high = middle;
        else
            low = middle + 1;
    }
    const wy_piece *p = &f->piece[low];
    if (p->direct || x < p->from || x > p->to) return f->call(f->context, x, y, err);
    series_at(p, f->size, (2.0 * x - p->from - p->to) / (p->to - p->from), y);
    return WITHY_OK;
}
