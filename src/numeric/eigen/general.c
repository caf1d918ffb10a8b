/* general.c - the shifted QR iteration on a complex Schur form.
 *
 * A = Z T Z^H, Z unitary: rotations first take A to Hessenberg form, then every sweep of rotations with Wilkinson's shift
 * makes the last entry below the diagonal smaller, until T is upper triangular.  The diagonal of T are the eigenvalues;
 * the vectors are Z times those of T, by back substitution.  Values of a real matrix come in conjugate pairs, of which
 * the one with im > 0 is kept.  Matrices here have some tens of rows, so nothing is done in blocks.
 */
#include "numeric/eigen/eigen.h"

#include <float.h>
#include <math.h>

enum { SWEEPS = 60 }; /* for each eigenvalue, at most; three are usual */

typedef struct number {
    double re, im;
} number;

static number plus(number a, number b) {
    return (number){a.re + b.re, a.im + b.im};
}
static number minus(number a, number b) {
    return (number){a.re - b.re, a.im - b.im};
}
static number times(number a, number b) {
    return (number){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
static double size(number a) {
    return hypot(a.re, a.im);
}
static number over(number a, number b) {
    const double k = 1.0 / size(b);
    const number c = {b.re * k, -b.im * k};
    return times((number){a.re * k, a.im * k}, c);
}
static number root(number a) {
    const double r = size(a), x = sqrt(0.5 * (r + fabs(a.re)));
    if (!(x > 0)) return (number){0, 0};
    const double y = 0.5 * a.im / x;
    return a.re >= 0 ? (number){x, y} : (number){fabs(y), a.im < 0 ? -x : x};
}

typedef struct schur {
    int n;
    number *t, *z; /* [n][n] */
} schur;

/* (x, y) -> (c x + s y, -conj(s) x + c y), which takes (a, b) to (r, 0). */
typedef struct rotation {
    double c;
    number s;
} rotation;

static rotation rotation_of(number a, number b) {
    const double p = size(a), q = size(b), r = hypot(p, q);
    if (!(q > 0)) return (rotation){1, {0, 0}};
    if (!(p > 0)) return (rotation){0, {b.re / q, -b.im / q}};
    const number unit = {a.re / p, a.im / p}, other = {b.re / r, -b.im / r};
    return (rotation){p / r, times(unit, other)};
}

/* Rows i and k of t from column `from` on. */
static void turn_rows(const schur *x, rotation g, int i, int k, int from) {
    const number back = {-g.s.re, g.s.im};
    for (int j = from; j < x->n; j++) {
        number *a = &x->t[i * x->n + j], *b = &x->t[k * x->n + j];
        const number one = *a, two = *b;
        *a = plus((number){g.c * one.re, g.c * one.im}, times(g.s, two));
        *b = plus(times(back, one), (number){g.c * two.re, g.c * two.im});
    }
}

/* Columns i and k of m, rows 0 .. to - 1: by the conjugate transpose. */
static void turn_columns(number *m, int n, rotation g, int i, int k, int to) {
    const number s = {g.s.re, -g.s.im}, back = {-g.s.re, -g.s.im};
    for (int j = 0; j < to; j++) {
        number *a = &m[j * n + i], *b = &m[j * n + k];
        const number one = *a, two = *b;
        *a = plus((number){g.c * one.re, g.c * one.im}, times(s, two));
        *b = plus(times(back, one), (number){g.c * two.re, g.c * two.im});
    }
}

static void to_hessenberg(const schur *x) {
    const int n = x->n;
    for (int c = 0; c + 2 < n; c++)
        for (int r = c + 2; r < n; r++) {
            const rotation g = rotation_of(x->t[(c + 1) * n + c], x->t[r * n + c]);
            turn_rows(x, g, c + 1, r, c);
            turn_columns(x->t, n, g, c + 1, r, n);
            turn_columns(x->z, n, g, c + 1, r, n);
        }
}

/* The eigenvalue of the last 2 x 2 block up to `last` that is nearer to its last entry. */
static number shift_of(const schur *x, int last) {
    const int n = x->n;
    const number a = x->t[(last - 1) * n + last - 1], b = x->t[(last - 1) * n + last];
    const number c = x->t[last * n + last - 1], d = x->t[last * n + last];
    const number half = {0.5 * (a.re - d.re), 0.5 * (a.im - d.im)}, bc = times(b, c);
    const number q = root(plus(times(half, half), bc));
    const number one = plus(half, q), two = minus(half, q);
    const number large = size(one) > size(two) ? one : two;
    return size(large) > 0 ? minus(d, over(bc, large)) : d;
}

/* One sweep on the rows first .. last: T - shift = Q R, then R Q + shift. */
static void qr_sweep(const schur *x, int first, int last, number shift) {
    const int n = x->n;
    number *t = x->t;
    rotation before = {1, {0, 0}};
    for (int i = first; i <= last; i++) t[i * n + i] = minus(t[i * n + i], shift);
    for (int i = first; i <= last; i++) {
        rotation g = {1, {0, 0}};
        if (i < last) {
            g = rotation_of(t[i * n + i], t[(i + 1) * n + i]);
            turn_rows(x, g, i, i + 1, i);
        }
        if (i > first) { /* the rows above are finished */
            turn_columns(t, n, before, i - 1, i, i + 1);
            turn_columns(x->z, n, before, i - 1, i, n);
        }
        before = g;
    }
    for (int i = first; i <= last; i++) t[i * n + i] = plus(t[i * n + i], shift);
}

static int to_triangle(const schur *x, double norm) {
    const int n = x->n;
    int sweeps = 0;
    for (int last = n - 1; last > 0;) {
        int first = last;
        for (; first > 0; first--) {
            const double near =
                size(x->t[(first - 1) * n + first - 1]) + size(x->t[first * n + first]);
            number *below = &x->t[first * n + first - 1];
            if (size(*below) <= DBL_EPSILON * (near > 0 ? near : norm)) {
                *below = (number){0, 0};
                break;
            }
        }
        if (first == last) {
            last--, sweeps = 0;
            continue;
        }
        if (++sweeps > SWEEPS) return 0;
        number shift = shift_of(x, last);
        if (sweeps % 10 == 0) shift.re += size(x->t[last * n + last - 1]); /* out of a cycle */
        qr_sweep(x, first, last, shift);
    }
    return 1;
}

/* Vector k of T into y[0 .. k], then Z y into v; the largest entry becomes real and 1. */
static void vector_of(const schur *x, int k, double norm, number *y, number *v) {
    const int n = x->n;
    const number value = x->t[k * n + k];
    y[k] = (number){1, 0};
    for (int i = k - 1; i >= 0; i--) {
        number sum = {0, 0}, gap = minus(x->t[i * n + i], value);
        for (int j = i + 1; j <= k; j++) sum = plus(sum, times(x->t[i * n + j], y[j]));
        if (!(size(gap) > DBL_EPSILON * norm)) gap = (number){DBL_EPSILON * norm, 0};
        y[i] = over((number){-sum.re, -sum.im}, gap);
    }
    number most = {0, 0};
    for (int i = 0; i < n; i++) {
        v[i] = (number){0, 0};
        for (int j = 0; j <= k; j++) v[i] = plus(v[i], times(x->z[i * n + j], y[j]));
        if (size(v[i]) > size(most)) most = v[i];
    }
    for (int i = 0; i < n; i++) v[i] = over(v[i], most);
}

/* The values and vectors as real numbers, pairs side by side; 0: they do not pair. */
static int collect(const schur *x, double norm, double *re, double *im, double *vector, number *y) {
    const int n = x->n;
    const double flat = 64 * n * DBL_EPSILON * norm; /* an imaginary part of rounding */
    int count = 0;
    for (int k = 0; k < n; k++) {
        const number value = x->t[k * n + k];
        if (value.im < -flat) continue;
        const int pair = value.im > flat;
        if (count + 1 + pair > n) return 0;
        vector_of(x, k, norm, y, y + n);
        double square = 0;
        for (int i = 0; i < n; i++) square += y[n + i].re * y[n + i].re + y[n + i].im * y[n + i].im;
        const double scale = 1.0 / sqrt(square);
        for (int i = 0; i < n; i++) {
            vector[i * n + count] = scale * y[n + i].re;
            if (pair) vector[i * n + count + 1] = scale * y[n + i].im;
        }
        re[count] = value.re, im[count] = pair ? value.im : 0;
        if (pair) re[count + 1] = value.re, im[count + 1] = -value.im;
        count += 1 + pair;
    }
    return count == n;
}

int wy_general_eigen(int n, const double *a, double *re, double *im, double *vector, double *work) {
    number *room = (number *)(void *)work;
    const schur x = {.n = n, .t = room, .z = room + n * n};
    double norm = 0;
    for (int i = 0; i < n * n; i++) {
        if (!(a[i] - a[i] == 0)) return 0;
        x.t[i] = (number){a[i], 0}, x.z[i] = (number){i % (n + 1) == 0, 0};
        norm = hypot(norm, a[i]);
    }
    to_hessenberg(&x);
    if (!to_triangle(&x, norm)) return 0;
    return collect(&x, norm > 0 ? norm : 1, re, im, vector, room + 2 * n * n);
}
