/* element.h - an element of polynomials of one degree on [0, 1].  Room: src/numeric.
 *
 * Nodes at the Gauss-Lobatto points (ends included, so that elements share them, and their weights
 * give a positive diagonal mass), derivatives at the Gauss points.
 */
#pragma once

enum { WY_ELEMENT_DEGREE = 4, WY_ELEMENT_NODES = WY_ELEMENT_DEGREE + 1 }; /* at most */

typedef struct wy_element {
    int degree;
    double node[WY_ELEMENT_NODES];                     /* Gauss-Lobatto            */
    double lump[WY_ELEMENT_NODES];                     /* and its weights          */
    double point[WY_ELEMENT_DEGREE];                   /* Gauss                    */
    double weight[WY_ELEMENT_DEGREE];                  /* and its weights          */
    double value[WY_ELEMENT_DEGREE][WY_ELEMENT_NODES]; /* N_a at Gauss point g     */
    double slope[WY_ELEMENT_DEGREE][WY_ELEMENT_NODES]; /* dN_a/dxi likewise        */
} wy_element;

void wy_element_make(int degree, wy_element *element);
/* N_a and dN_a/dxi at xi, [degree + 1] each. */
void wy_element_values(const wy_element *element, double xi, double *value, double *slope);
