/* compile.c - the problem, compiled once: what is asked along s is answered from here. */
#include "model/model.h"

struct wy_model {
    const withy_problem *problem;
};

withy_status wy_model_compile(const withy_problem *problem, wy_arena *arena, const wy_model **model,
                              withy_error *err) {
    wy_model *made = wy_arena_take(arena, 1, sizeof *made);
    if (!made) return wy_fail(err, WITHY_NO_MEMORY, "no memory for the model");
    made->problem = problem;
    *model = made;
    return WITHY_OK;
}

const withy_problem *wy_model_problem(const wy_model *model) {
    return model->problem;
}

withy_status wy_model_sections(const wy_model *model, int rod, int count, const double *s,
                               wy_section_at *out, withy_error *err) {
    const withy_rod *r = &model->problem->rod[rod];
    for (int i = 0; i < count; i++) {
        WY_TRY(wy_stiffness_at(r, s[i], out[i].stiffness, err));
        WY_TRY(wy_inertia_at(r, s[i], out[i].inertia, err));
        WY_TRY(wy_damping_at(r, s[i], out[i].damping, err));
    }
    return WITHY_OK;
}

withy_status wy_model_initial_poses(const wy_model *model, int rod, int count, const double *s,
                                    wy_pose *pose, withy_error *err) {
    const withy_rod *r = &model->problem->rod[rod];
    return wy_shape_poses(r, wy_initial_shape(r), count, s, pose, err);
}

withy_status wy_model_initial_strains(const wy_model *model, int rod, int count, const double *s,
                                      double (*strain)[WITHY_STRAINS], withy_error *err) {
    const withy_rod *r = &model->problem->rod[rod];
    return wy_shape_strains(r, wy_initial_shape(r), count, s, strain, err);
}

withy_status wy_model_rest_strains(const wy_model *model, int rod, int count, const double *s,
                                   double (*strain)[WITHY_STRAINS], withy_error *err) {
    const withy_rod *r = &model->problem->rod[rod];
    return wy_shape_strains(r, &r->rest, count, s, strain, err);
}

withy_status wy_model_rest_poses(const wy_model *model, int rod, int count, const double *s,
                                 wy_pose *pose, withy_error *err) {
    const withy_rod *r = &model->problem->rod[rod];
    return wy_shape_poses(r, &r->rest, count, s, pose, err);
}

withy_status wy_model_end(const wy_model *model, int rod, int which, wy_end *end,
                          withy_error *err) {
    return wy_end_prepare(&model->problem->rod[rod], which, end, err);
}

withy_status wy_model_load_points(const wy_model *model, int rod, int pull,
                                  const wy_load_rule *rule, wy_arena *arena, wy_load_points *out,
                                  withy_error *err) {
    const withy_rod *r = &model->problem->rod[rod];
    return wy_load_points_make(pull ? r->pull : r->load, pull ? r->pull_count : r->load_count,
                               r->length, rule, arena, out, err);
}
