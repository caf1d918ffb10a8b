/* closed.c - a rod whose end is its start: that its shape closes, and ways along it. */
#include "model/model.h"
#include "model/shape/shape.h"

/* Of the length, and rad: beyond it there is no closed rod, but one with a gap or a kink. */
static const double GAP = 1e-6, KINK = 1e-3;

static withy_status check_keys(const withy_rod *rod, withy_error *err) {
    if (rod->excess != 0 && !rod->closed)
        return wy_bad_input(err, "rod.excess" WY_KEY
                                 " is the excess link of a closed rod; give rod.closed = true too, "
                                 "or leave it out");
    if (rod->closed && rod->kind == WITHY_CABLE)
        return wy_bad_input(err, "rod.closed" WY_KEY
                                 ": a cable has no sections that could be joined; join its ends by "
                                 "a ball joint");
    return WITHY_OK;
}

withy_status wy_closed_check(const withy_rod *rod, const wy_pose end[2], withy_error *err) {
    WY_TRY(check_keys(rod, err));
    if (!rod->closed) return WITHY_OK;
    const double gap = v3_norm(v3_sub(end[1].r, end[0].r));
    const double kink = atan2(v3_norm(v3_cross(end[0].frame.c3, end[1].frame.c3)),
                              v3_dot(end[0].frame.c3, end[1].frame.c3));
    if (!(gap <= GAP * rod->length))
        return wy_bad_input(err,
                            "rod.closed" WY_KEY
                            ": the initial shape ends %.3g m from its start, of a length of %g m; "
                            "give a shape that closes, such as arc { radius = rod.length/(2 pi) }",
                            gap, rod->length);
    if (kink <= KINK) return WITHY_OK;
    return wy_bad_input(err,
                        "rod.closed" WY_KEY
                        ": where the initial shape closes its tangent turns by %.3g rad; give a "
                        "shape without a kink there",
                        kink);
}

double wy_rod_distance(const withy_rod *rod, double s0, double s1) {
    const double way = fabs(s1 - s0);
    return rod->closed ? wy_min(way, rod->length - way) : way;
}
