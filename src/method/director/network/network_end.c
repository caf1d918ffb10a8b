/* network_end.c - ends of rods that are where a joint is, and are given by their rates.
 *
 * They hold a rigid group, or the ground of a joint; where that is follows from the rates as for one rod
 * (director/force/load.c): from where the end is, over the step, by the rules of order 6 of wy_end_drive.
 */
#include "method/director/network.h"

int wy_network_end_rates(const wy_director_end *end) {
    const withy_end *given = end->end.end;
    return wy_end_drives_rate(given, 0) | wy_end_drives_rate(given, 1) << 1;
}

static withy_status drive_to(const wy_network *net, int rod, int which, double t, wy_end_driven *to,
                             withy_error *err) {
    const wy_director *x = &net->rod[rod];
    const double from = net->rigid.step->t;
    *to = x->now->end[which].driven;
    return t == from ? WITHY_OK : wy_end_drive(&x->plan.end[which].end, from, t - from, to, err);
}

withy_status wy_network_end_pose(const wy_network *net, int rod, int which, double t, wy_pose *pose,
                                 withy_error *err) {
    const wy_director_end *end = &net->rod[rod].plan.end[which];
    const int rates = wy_network_end_rates(end);
    wy_end_driven driven;
    WY_TRY(wy_end_pose(&end->end, t, pose, err));
    if (!rates || t == 0) return WITHY_OK;
    WY_TRY(drive_to(net, rod, which, t, &driven, err));
    if (rates & 1) pose->r = driven.r;
    if (rates & 2) pose->frame = q_matrix(driven.q);
    return WITHY_OK;
}

withy_status wy_network_ends_keep(wy_network *net, withy_error *err) {
    const wy_director_step *step = net->rigid.step;
    for (int i = 0; i < 2 * net->plan.rods && net->plan.members; i++) {
        const wy_director_end *end = &net->rod[i / 2].plan.end[i % 2];
        wy_end_driven driven;
        if (end->rates || !wy_network_end_rates(end)) continue; /* those of no joint keep theirs */
        WY_TRY(drive_to(net, i / 2, i % 2, step->t + step->h, &driven, err));
        net->rod[i / 2].now->end[i % 2].driven = driven;
    }
    return WITHY_OK;
}
