/* stress.c - the largest stress in the rods, by beam theory. */
#include "study/sim.h"

/* At the skin: sigma = |N|/A + |M| r/I, tau = |T| r/J; sqrt(sigma^2 + 3 tau^2). */
static withy_status stress_at(const withy_rod *rod, const withy_snapshot *snap, int i,
                              double *stress, withy_error *err) {
    double a[WITHY_FIELD_MAX], b[WITHY_FIELD_MAX] = {0};
    WY_TRY(withy_field_at(&rod->section.a, snap->s[i], 0, a, err));
    if (rod->section.kind == WITHY_SECTION_TUBE)
        WY_TRY(withy_field_at(&rod->section.b, snap->s[i], 0, b, err));
    const double out = 0.5 * a[0], in = 0.5 * b[0];
    const double area = WY_PI * (out * out - in * in);
    const double second = 0.25 * WY_PI * (pow(out, 4) - pow(in, 4));
    const vec3 axis = q_matrix(snap->frame[i]).c3, m = snap->moment[i];
    const double twist = v3_dot(axis, m), bend = v3_norm(v3_axpy(m, -twist, axis));
    const double normal = fabs(v3_dot(axis, snap->force[i])) / area + bend * out / second;
    const double shear = twist * out / (2 * second);
    *stress = sqrt(normal * normal + 3 * shear * shear);
    return WITHY_OK;
}

static withy_status check(const withy_sim *sim, int r, withy_error *err) {
    const unsigned need = WITHY_HAVE_FORCE | WITHY_HAVE_MOMENT | WITHY_HAVE_FRAME;
    const withy_section_kind kind = sim->problem.rod[r].section.kind;
    if ((sim->rod[r].snap.have & need) != need)
        return wy_fail(err, WITHY_UNSUPPORTED,
                       "stress: %s does not give forces and moments along the rod; use director",
                       sim->method->name);
    if (kind != WITHY_SECTION_CIRCLE && kind != WITHY_SECTION_TUBE)
        return wy_fail(err, WITHY_UNSUPPORTED,
                       "stress: is computed for round and tubular sections; give the rod a "
                       "section = circle { ... } or tube { ... }");
    return WITHY_OK;
}

withy_status wy_sim_stress(const withy_sim *sim, withy_stress *stress, withy_error *err) {
    withy_stress most = {.most = sim->problem.rod_count ? 0 : NAN};
    *stress = (withy_stress){.most = NAN};
    for (int r = 0; r < sim->problem.rod_count; r++) {
        const withy_snapshot *snap = &sim->rod[r].snap;
        WY_TRY(check(sim, r, err));
        for (int i = 0; i < snap->count; i++) {
            double one;
            WY_TRY(stress_at(&sim->problem.rod[r], snap, i, &one, err));
            if (!(one <= most.most)) most = (withy_stress){one, r, snap->s[i]};
        }
    }
    *stress = most;
    return WITHY_OK;
}
