/* rule.c - nodes, weights and shape functions of one element on [0, 1].
 *
 * Nodes at the Gauss-Lobatto points (ends included, so that elements share them, and their weights
 * give a positive diagonal mass), strains at the Gauss points.  Both are found by Newton's method
 * on Legendre polynomials: exact to rounding for every degree, no table to mistype.
 */
#include "method/director/director.h"

/* Legendre polynomial of degree n and its first two derivatives at z in (-1, 1). */
static void legendre(int n, double z, double *value, double *first, double *second) {
    double p0 = 1.0, p1 = z;
    if (n == 0) p1 = 1.0, p0 = 0.0;
    for (int k = 2; k <= n; k++) {
        const double p2 = ((2 * k - 1) * z * p1 - (k - 1) * p0) / k;
        p0 = p1, p1 = p2;
    }
    *value = p1;
    *first = n * (p0 - z * p1) / (1 - z * z);
    *second = (2 * z * *first - n * (n + 1) * p1) / (1 - z * z);
}

static void gauss_points(int count, double *point, double *weight) {
    for (int i = 0; i < count; i++) {
        double z = -cos(WY_PI * (i + 0.75) / (count + 0.5)), value, first, second;
        for (int k = 0; k < 20; k++) {
            legendre(count, z, &value, &first, &second);
            z -= value / first;
        }
        legendre(count, z, &value, &first, &second);
        point[i] = 0.5 * (1 + z);
        weight[i] = 1.0 / ((1 - z * z) * first * first);
    }
}

/* Inner points: zeros of P'_p; weights 2 / (p (p+1) P_p^2), halved for [0, 1]. */
static void lobatto_points(int p, double *point, double *weight) {
    for (int i = 0; i <= p; i++) {
        double z = -cos(WY_PI * i / p), value = 1.0, first, second;
        if (i > 0 && i < p) {
            for (int k = 0; k < 20; k++) {
                legendre(p, z, &value, &first, &second);
                z -= first / second;
            }
            legendre(p, z, &value, &first, &second);
        }
        point[i] = 0.5 * (1 + z);
        weight[i] = 1.0 / (p * (p + 1) * value * value);
    }
    point[0] = 0.0, point[p] = 1.0;
}

void wy_director_rule_values(const wy_director_rule *rule, double xi, double *value,
                             double *slope) {
    const int count = rule->degree + 1;
    for (int a = 0; a < count; a++) {
        double product = 1.0, sum = 0.0;
        for (int b = 0; b < count; b++) {
            if (b == a) continue;
            const double gap = rule->node[a] - rule->node[b];
            double others = 1.0 / gap;
            for (int c = 0; c < count; c++)
                if (c != a && c != b)
                    others *= (xi - rule->node[c]) / (rule->node[a] - rule->node[c]);
            sum += others;
            product *= (xi - rule->node[b]) / gap;
        }
        value[a] = product;
        slope[a] = sum;
    }
}

void wy_director_rule_make(int degree, wy_director_rule *rule) {
    *rule = (wy_director_rule){.degree = degree};
    gauss_points(degree, rule->point, rule->weight);
    lobatto_points(degree, rule->node, rule->lump);
    for (int g = 0; g < degree; g++)
        wy_director_rule_values(rule, rule->point[g], rule->value[g], rule->slope[g]);
}
