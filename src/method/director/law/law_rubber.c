/* law_rubber.c - incompressible neo-Hookean material: a rod that is stretched by l = 1 + stretch has the area A/l and lever arms
 * 1/sqrt(l) times as long.
 *
 *   V = mu A/2 (l - 1)^2 (l + 2)/l + k mu A/2 (G_1^2 + G_2^2) + (1/l + 2/l^4)/2 mu (I_1 K_1^2 + I_2 K_2^2) + mu J K_3^2/(2 l)
 *
 * with K less that at rest.  Exact for stretch with torsion of a round section.  E = 3 mu: mu A, mu I are a third of the
 * stiffnesses at rest.
 */
#include "method/director/law/energy.h"

static void energy_of(const wy_director *x, int at, const double e[6], wy_energy *out) {
    const lane *c = x->plan.section[at].c;
    const double l = e[2] > -1 ? 1 + e[2] : NAN, a = c[0][2] / 3, j = c[1][2];
    const double l2 = l * l, l3 = l2 * l, l4 = l2 * l2;
    const double f = e[2] * e[2] * (l + 2) / l, df = 2 * e[2] * (l2 + l + 1) / l2;
    const double h = 1 / l + 2 / l4, dh = -1 / l2 - 8 / (l4 * l), ddh = 2 / l3 + 40 / (l3 * l3);
    const double b[2] = {c[1][0] / 3, c[1][1] / 3}, bend = b[0] * e[3] * e[3] + b[1] * e[4] * e[4];
    const double twist = j * e[5] * e[5];
    *out = (wy_energy){
        .by = {0.5 * c[0][0] * e[0] * e[0], 0.5 * c[0][1] * e[1] * e[1], 0.5 * a * f,
               0.5 * h * b[0] * e[3] * e[3], 0.5 * h * b[1] * e[4] * e[4], 0.5 * twist / l},
        .d = {c[0][0] * e[0], c[0][1] * e[1], 0.5 * (a * df + dh * bend - twist / l2),
              h * b[0] * e[3], h * b[1] * e[4], j * e[5] / l}};
    for (int i = 0; i < 2; i++) {
        out->dd[i][i] = c[0][i];
        out->dd[3 + i][3 + i] = h * b[i];
        out->dd[2][3 + i] = out->dd[3 + i][2] = dh * b[i] * e[3 + i];
    }
    out->dd[2][2] = 0.5 * (a * (2 + 4 / l3) + ddh * bend + 2 * twist / l3);
    out->dd[2][5] = out->dd[5][2] = -j * e[5] / l2;
    out->dd[5][5] = j / l;
}

const wy_section_law wy_law_rubber = {
    .name = "rubber", .kind = WITHY_LAW_RUBBER, .energy_of = energy_of, WY_LAW_OF_ENERGY};
