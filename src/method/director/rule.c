/* rule.c - nodes, weights and shape functions of one element on [0, 1].
 *
 * Nodes at the Gauss-Lobatto points (ends included, so that elements share them, and their weights
 * give a positive diagonal mass), strains at the Gauss points (numeric/quadrature.c).
 */
#include "method/director/director.h"
#include "numeric/quadrature.h"

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
    wy_gauss_points(degree, rule->point, rule->weight);
    wy_lobatto_points(degree, rule->node, rule->lump);
    for (int g = 0; g < degree; g++)
        wy_director_rule_values(rule, rule->point[g], rule->value[g], rule->slope[g]);
}
