/* law_plastic.c - a material that yields, on the fibres of the section (fibre.h): J2 plasticity with kinematic and isotropic
 * hardening.
 *
 * Of a fibre with strains e = (eps, gamma), plastic strains p and equivalent plastic strain a:
 *
 *   xi = C (e - p) - H p,   q = sqrt(xi . P xi) <= R = sy + Hi a,   C = (E, G, G),  P = (1, 3, 3),  H = (H, H/3, H/3)
 *   2 V = (e - p).C (e - p) + p.H p + Hi a^2,   loss = sy da                                                     (1)
 *
 * The line of strain of a step is elastic up to the surface, at the fraction t of it, and midpoint rule beyond; d = C de:
 *
 *   c = min(xi-.P xi- - R^2, 0),  b = d.P xi-,  a = d.P d,    t = (sqrt(b^2 - a c) - b)/a, clamped to 0 .. 1      (2)
 *   xtr = xi- + (1 + t)/2 d,   xi = xtr/(1 + beta g),  g = (C + H) P/2,    beta: q(xi) (1 - Hi beta/2) = R         (3)
 *   dp = beta P xi,  da = beta q,    mean stress = C (mean e - p-) - (1 - t)/2 C dp                                (4)
 *
 * c is cut at 0: a start outside, by the drift of the midpoint rule, would give t a slope without bound.  Its work is that of
 * (1) exactly for any t.  At rest t = 0 with full moduli, backward Euler: on the surface.
 */
#include "method/director/law/plastic.h"

static int history(const wy_director_plan *plan) {
    const wy_fibres *const *list = plan->of_law;
    return list ? 1 + (list[0]->parts + 1) * list[0]->count : 0;
}

const wy_section_law wy_law_plastic = {.name = "plastic",
                                       .kind = WITHY_LAW_PLASTIC,
                                       .history = history,
                                       .step = wy_law_plastic_step,
                                       .fibres_of = wy_law_plastic_state,
                                       WY_LAW_OF_FIBRES};
