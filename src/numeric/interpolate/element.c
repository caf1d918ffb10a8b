/* element.c - see interpolate.h. */
#include "numeric/interpolate/interpolate.h"

void wy_element_values(const wy_element *element, double xi, double *value, double *slope) {
    const int count = element->degree + 1;
    for (int a = 0; a < count; a++) {
        double product = 1.0, sum = 0.0;
        for (int b = 0; b < count; b++) {
            if (b == a) continue;
            const double gap = element->node[a] - element->node[b];
            double others = 1.0 / gap;
            for (int c = 0; c < count; c++)
                if (c != a && c != b)
                    others *= (xi - element->node[c]) / (element->node[a] - element->node[c]);
            sum += others;
            product *= (xi - element->node[b]) / gap;
        }
        value[a] = product;
        slope[a] = sum;
    }
}

void wy_element_make(int degree, wy_element *element) {
    *element = (wy_element){.degree = degree};
    wy_gauss_points(degree, element->point, element->weight);
    wy_lobatto_points(degree, element->node, element->lump);
    double unused[WY_ELEMENT_NODES];
    for (int a = 0; a <= degree; a++)
        wy_element_values(element, element->node[a], unused, element->slope_at[a]);
    for (int g = 0; g < degree; g++)
        wy_element_values(element, element->point[g], element->value[g], element->slope[g]);
}
