/* timoshenko.h - exact bending frequencies of a uniform Timoshenko beam, for tests and studies.
 *
 *   EI phi'' + GA (w' - phi) + rho I omega^2 phi = 0,   GA (w'' - phi') + rho A omega^2 w = 0
 *
 * State (w, phi, M = EI phi', Q = GA (w' - phi)); y' = A y with constant A, so the transfer matrix
 * over the beam is exp(A L), and a frequency is a zero of the 2x2 determinant of the end conditions.
 * No case distinction below and above the cut-off is needed.
 */
#pragma once

#include <math.h>
#include <string.h>

typedef struct beam {
    double length, ei, ga, mass, rotary; /* per length */
} beam;

/* exp(a) of a 4x4 matrix by scaling and squaring of the Taylor series. */
static inline void beam_exp(double a[4][4]) {
    double norm = 0, sum[4][4], term[4][4], next[4][4];
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) norm = fmax(norm, fabs(a[i][j]));
    int halvings = 0;
    for (; norm > 0.25; norm /= 2) halvings++;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            a[i][j] = ldexp(a[i][j], -halvings), sum[i][j] = term[i][j] = i == j;
    for (int k = 1; k < 24; k++) {
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 4; j++) {
                next[i][j] = 0;
                for (int m = 0; m < 4; m++) next[i][j] += term[i][m] * a[m][j] / k;
            }
        memcpy(term, next, sizeof term);
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 4; j++) sum[i][j] += term[i][j];
    }
    for (; halvings > 0; halvings--) {
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 4; j++) {
                next[i][j] = 0;
                for (int m = 0; m < 4; m++) next[i][j] += sum[i][m] * sum[m][j];
            }
        memcpy(sum, next, sizeof sum);
    }
    memcpy(a, sum, sizeof sum);
}

/* Determinant of the end conditions at omega; ends 'c' (w = phi = 0), 'f' (M = Q = 0), 'p' (w = M = 0).
 * Scaled state: w/L, phi, M L/EI, Q L^2/EI. */
static inline double beam_condition(const beam *b, const char *ends, double omega) {
    const double l2 = b->length * b->length, k = omega * omega * l2 / b->ei;
    double a[4][4] = {{0, 1, 0, b->ei / (b->ga * l2)},
                      {0, 0, 1, 0},
                      {0, -k * b->rotary, 0, -1},
                      {-k * l2 * b->mass, 0, 0, 0}};
    beam_exp(a);
    int held[2][2];
    for (int e = 0; e < 2; e++) {
        held[e][0] = ends[e] == 'f' ? 2 : 0;
        held[e][1] = ends[e] == 'c' ? 1 : ends[e] == 'f' ? 3 : 2;
    }
    int open[2], count = 0;
    for (int i = 0; i < 4; i++)
        if (i != held[0][0] && i != held[0][1]) open[count++] = i;
    return a[held[1][0]][open[0]] * a[held[1][1]][open[1]] -
           a[held[1][0]][open[1]] * a[held[1][1]][open[0]];
}

/* The first `count` frequencies [Hz], rigid motions left out. */
static inline void beam_frequencies(const beam *b, const char *ends, int count, double *hz) {
    const double unit = sqrt(b->ei / b->mass) / (b->length * b->length);
    double left = 0.5 * unit, value = beam_condition(b, ends, left);
    for (int found = 0; found < count;) {
        const double right = left + 0.05 * unit * (1 + sqrt(left / unit));
        const double next = beam_condition(b, ends, right);
        if (value * next < 0) {
            double low = left, high = right;
            for (int k = 0; k < 100; k++) {
                const double middle = 0.5 * (low + high);
                if (beam_condition(b, ends, middle) * value > 0)
                    low = middle;
                else
                    high = middle;
            }
            hz[found++] = low / (2 * 3.14159265358979323846);
        }
        left = right, value = next;
    }
}
