/* compile.c - the problem, compiled once: values along s come from here. */
#include "model/contact.h"
#include "model/medium.h"
#include "model/network.h"
#include "model/schema/schema.h"
#include "model/shape/shape.h"

struct wy_model {
    const withy_problem *problem;
    const wy_rod_model *rod;           /* [rod_count] */
    const wy_obstacle_model *obstacle; /* [obstacle_count] */
    vec3 origin;
    const double *whole;     /* [rod_count] wy_model_whole */
    const wy_medium *medium; /* NULL: the scene has no medium */
};

/* The same rods that were compiled before. */
static int same_rods(const withy_problem *a, const withy_problem *b) {
    return a->rod == b->rod && a->rod_count == b->rod_count && a->path.given == b->path.given &&
           wy_is_static(a) == wy_is_static(b);
}

static withy_status compile_rods(const withy_problem *problem, const wy_model *like,
                                 wy_arena *arena, wy_rod_model *rod, withy_error *err) {
    for (int i = 0; i < problem->rod_count; i++) {
        const int known = like && i < like->problem->rod_count;
        const withy_status status =
            wy_rod_compile(&problem->rod[i], problem->path.given || wy_is_static(problem),
                           known ? &like->problem->rod[i] : NULL, known ? &like->rod[i] : NULL,
                           arena, &rod[i], err);
        if (status != WITHY_OK && problem->rod_count > 1) return wy_fail_in_rod(err, status, i);
        WY_TRY(status);
    }
    for (int i = 0; i < problem->rod_count; i++)
        if (!wy_rod_is_joined(problem, i))
            WY_TRY(wy_rod_catenary(&problem->rod[i], problem->gravity, arena, &rod[i], err));
    return WITHY_OK;
}

/* Where the first rod that has a joint begins: one that is tied to nothing does not move what is joined. */
static vec3 find_origin(const withy_problem *problem, const wy_rod_model *rod) {
    if (!problem->rod_count) return problem->body->position;
    for (int i = 0; i < problem->rod_count && problem->joint_count; i++)
        if (wy_rod_is_joined(problem, i)) return rod[i].initial->from;
    return rod->initial->from;
}

/* Does a joint weld two rods together, end to end and in line?  Then they are one rod, cut in two. */
static int continues(const withy_problem *problem, const wy_rod_model *rod, const withy_joint *j) {
    vec3 at[2], away[2]; /* from its rod */
    double small = INFINITY;
    if (j->kind != WITHY_JOINT_WELD) return 0;
    for (int i = 0; i < 2; i++) {
        if (j->place[i].part != WITHY_PART_ROD) return 0;
        const int k = j->place[i].index;
        const double length = problem->rod[k].length, s = j->place[i].s;
        const wy_pose *end = &rod[k].end[s > 0.5 * length];
        small = wy_min(small, 1e-6 * length);
        if (s > small && s < length - small) return 0;
        at[i] = end->r, away[i] = v3_scale(s > 0.5 * length ? 1 : -1, end->frame.c3);
    }
    return v3_norm(v3_sub(at[0], at[1])) <= small && v3_norm(v3_add(away[0], away[1])) <= 1e-6;
}

/* Of every rod, the length of it and of those that continue it. */
static const double *find_wholes(const withy_problem *problem, const wy_rod_model *rod,
                                 wy_arena *arena) {
    const int count = problem->rod_count;
    int *up = wy_arena_alloc(arena, (size_t)count + 1, sizeof *up);
    double *whole = wy_arena_alloc(arena, (size_t)count + 1, sizeof *whole);
    if (!up || !whole) return NULL;
    for (int i = 0; i < count; i++) up[i] = i, whole[i] = problem->rod[i].length;
    for (int k = 0; k < problem->joint_count; k++) {
        const withy_joint *j = &problem->joint[k];
        if (!continues(problem, rod, j)) continue;
        const int a = wy_part_root(up, j->place[0].index), b = wy_part_root(up, j->place[1].index);
        if (a != b) up[a] = b, whole[b] += whole[a];
    }
    for (int i = 0; i < count; i++) whole[i] = whole[wy_part_root(up, i)];
    return whole;
}

withy_status wy_model_compile(const withy_problem *problem, const wy_model *like, wy_arena *arena,
                              const wy_model **model, withy_error *err) {
    WY_TRY(wy_problem_check_counts(problem, err));
    wy_model *made = wy_arena_alloc(arena, 1, sizeof *made);
    if (!made) return wy_no_memory(err, "no memory for the model");
    made->problem = problem;
    if (like && same_rods(problem, like->problem)) {
        made->rod = like->rod;
    } else {
        wy_rod_model *rod = wy_arena_alloc(arena, (size_t)problem->rod_count, sizeof *rod);
        if (!rod) return wy_no_memory(err, "no memory for the model");
        made->rod = rod;
        WY_TRY(compile_rods(problem, like, arena, rod, err));
    }
    *model = made, made->origin = find_origin(problem, made->rod);
    WY_TRY(wy_network_check(made, problem, err));
    WY_TRY(wy_contact_check(problem, err));
    WY_TRY(wy_obstacles_compile(problem, wy_model_origin(made), like ? like->problem : NULL,
                                like ? like->obstacle : NULL, arena, &made->obstacle, err));
    WY_TRY(wy_contact_fits(made, problem, err));
    made->whole = find_wholes(problem, made->rod, arena);
    if (!made->whole) return wy_no_memory(err, "no memory for the model");
    WY_TRY(wy_medium_compile(problem, wy_model_length(made), arena, &made->medium, err));
    return wy_problem_check_rest(problem, err);
}

withy_status withy_problem_check(const withy_problem *problem, withy_error *err) {
    WY_NEED(problem);
    wy_arena arena = {0};
    const wy_model *model;
    withy_status status = wy_model_compile(problem, NULL, &arena, &model, err);
    if (status == WITHY_OK) status = wy_request_check(problem, err);
    wy_arena_free(&arena);
    return status;
}

/* ---- values for the methods -------------------------------------------------------------------- */

vec3 wy_model_origin(const wy_model *model) {
    return model->origin;
}

vec3 wy_model_start(const wy_model *model, int rod) {
    return v3_sub(model->rod[rod].initial->from, wy_model_origin(model));
}

const wy_medium *wy_model_medium(const wy_model *model) {
    return model->medium;
}

double wy_model_whole(const wy_model *model, int rod) {
    return model->whole[rod];
}

double wy_model_length(const wy_model *model) {
    const withy_problem *problem = model->problem;
    double size = 0;
    for (int i = 0; i < problem->rod_count; i++) size = wy_max(size, model->whole[i]);
    if (!(size > 0)) size = wy_network_size(model, problem);
    return size > 0 ? size : 1.0; /* one body */
}

withy_status wy_model_sections(const wy_model *model, int rod, int count, const double *s,
                               wy_section_at *out, withy_error *err) {
    return wy_sections_at(&model->problem->rod[rod], count, s, out, err);
}

/* The rounding between the ends and the shape, spread evenly. */
static void move_pose(const wy_rod_model *rod, double share, wy_pose *pose) {
    const wy_gap *a = &rod->move[0], *b = &rod->move[1];
    const vec3 turn = v3_axpy(v3_scale(1 - share, a->turn), share, b->turn);
    pose->r = v3_axpy(v3_axpy(pose->r, 1 - share, a->shift), share, b->shift);
    pose->frame = m3_mulm(q_matrix(q_exp(turn)), pose->frame);
}

static withy_status initial_poses(const wy_model *model, int rod, vec3 origin, int count,
                                  const double *s, wy_pose *pose, withy_error *err) {
    const wy_rod_model *own = &model->rod[rod];
    WY_TRY(wy_curve_poses(own->initial, origin, count, s, pose, err));
    for (int i = 0; own->moved && i < count; i++)
        move_pose(own, s[i] / model->problem->rod[rod].length, &pose[i]);
    return WITHY_OK;
}

withy_status wy_model_initial_poses(const wy_model *model, int rod, int count, const double *s,
                                    wy_pose *pose, withy_error *err) {
    return initial_poses(model, rod, wy_model_origin(model), count, s, pose, err);
}

withy_status wy_model_own_poses(const wy_model *model, int rod, int rest, int count,
                                const double *s, wy_pose *pose, withy_error *err) {
    const wy_rod_model *own = &model->rod[rod];
    if (rest) return wy_curve_poses(own->rest, own->rest->from, count, s, pose, err);
    return initial_poses(model, rod, own->initial->from, count, s, pose, err);
}

withy_status wy_model_initial_strains(const wy_model *model, int rod, int count, const double *s,
                                      double (*strain)[WITHY_STRAINS], withy_error *err) {
    return wy_curve_strains(model->rod[rod].initial, count, s, strain, err);
}

withy_status wy_model_rest_strains(const wy_model *model, int rod, int count, const double *s,
                                   double (*strain)[WITHY_STRAINS], withy_error *err) {
    return wy_curve_strains(model->rod[rod].rest, count, s, strain, err);
}

withy_status wy_model_rest_poses(const wy_model *model, int rod, int count, const double *s,
                                 wy_pose *pose, withy_error *err) {
    return wy_curve_poses(model->rod[rod].rest, wy_model_origin(model), count, s, pose, err);
}

withy_status wy_model_end(const wy_model *model, int rod, int which, wy_end *end,
                          withy_error *err) {
    (void)err; /* the pose is known: nothing can fail */
    wy_end_place(&model->problem->rod[rod], which, &model->rod[rod].end[which], end);
    end->origin = wy_model_origin(model);
    end->start.r =
        v3_add(v3_sub(model->rod[rod].initial->from, end->origin), model->rod[rod].reach[which]);
    end->misses = model->rod[rod].misses[which];
    return WITHY_OK;
}

void wy_model_own_end(const wy_model *model, int rod, int which, wy_end *end) {
    end->origin = model->rod[rod].initial->from, end->start.r = model->rod[rod].reach[which];
}

/* ---- obstacles ------------------------------------------------------------------------------------ */

const wy_obstacle_model *wy_model_obstacle(const wy_model *model) {
    return model->obstacle;
}

withy_status wy_model_shift(const wy_model *model, int obstacle, double t, vec3 *shift,
                            withy_error *err) {
    double x[WITHY_FIELD_MAX] = {0};
    *shift = v3(0, 0, 0);
    if (!model->obstacle[obstacle].moves) return WITHY_OK;
    WY_TRY(withy_field_at(&model->problem->obstacle[obstacle].point, 0, t, x, err));
    const vec3 at = v3_sub(v3_from(x), wy_model_origin(model));
    *shift = v3_sub(at, model->obstacle[obstacle].shape.point);
    return WITHY_OK;
}

withy_status wy_model_obstacle_fails(const wy_model *model, int obstacle, vec3 x,
                                     withy_error *err) {
    const withy_obstacle *at = &model->problem->obstacle[obstacle];
    const wy_obstacle *shape = &model->obstacle[obstacle].shape;
    const vec3 own = m3_tmul(shape->frame, v3_sub(x, shape->point));
    double distance = NAN;
    if (at->kind == WITHY_OBSTACLE_DISTANCE) {
        const withy_status status = at->distance(at->context, own, &distance, err);
        if (status != WITHY_OK) return status;
    }
    return wy_fail(
        err, at->kind == WITHY_OBSTACLE_DISTANCE ? WITHY_BAD_INPUT : WITHY_NO_CONVERGENCE,
        "obstacles[%d]" WY_KEY ": its distance from { %.6g, %.6g, %.6g } is not a finite number",
        obstacle + 1, own.x, own.y, own.z);
}

/* ---- can it start? -------------------------------------------------------------------------------- */

/* " (the ends are held 1.02 m apart, and the rod is 1 m long)", where both are held. */
static const char *apart(const withy_rod *rod, const wy_rod_model *own, char *text, size_t size) {
    const double gap = own->starts_as_catenary ? 0 : 1; /* to where they are held */
    const vec3 a = v3_axpy(own->end[0].r, gap, own->gap[0].shift);
    const vec3 b = v3_axpy(own->end[1].r, gap, own->gap[1].shift);
    text[0] = '\0';
    if (wy_end_holds_position(&rod->end[0]) && wy_end_holds_position(&rod->end[1]))
        snprintf(text, size, " (the ends are held %.9g m apart, and the rod is %.9g m long)",
                 v3_norm(v3_sub(b, a)), rod->length);
    return text;
}

static withy_status end_fits(const withy_rod *rod, const wy_rod_model *own, int which,
                             withy_error *err) {
    char text[2 * WITHY_NAME];
    const char *name = which ? "ends.finish" : "ends.start";
    const double shift = v3_norm(own->gap[which].shift), turn = v3_norm(own->gap[which].turn);
    if (!own->misses[which]) return WITHY_OK;
    if (shift > 1e-9 * rod->length)
        return wy_bad_input(
            err,
            "the initial shape puts %s" WY_KEY
            " %.3g m (%.2g of the length) from its position at t = 0%s; move the end or give an "
            "initial shape that fits, or start in equilibrium with initial = static {}",
            name, shift, shift / rod->length, apart(rod, own, text, sizeof text));
    return wy_bad_input(err,
                        "the initial shape leaves %s" WY_KEY
                        " %.3g rad off its direction at t = 0; turn the end or give an initial "
                        "shape that fits, or start in equilibrium with initial = static {}",
                        name, turn);
}

withy_status wy_model_fits(const wy_model *model, withy_error *err) {
    const withy_problem *problem = model->problem;
    for (int i = 0; i < 2 * problem->rod_count; i++) {
        const withy_rod *rod = &problem->rod[i / 2];
        if (rod->settled) continue;
        const withy_status status = end_fits(rod, &model->rod[i / 2], i % 2, err);
        if (status != WITHY_OK && problem->rod_count > 1) return wy_fail_in_rod(err, status, i / 2);
        WY_TRY(status);
    }
    return wy_network_fits(model, problem, err);
}

withy_status wy_model_load_points(const wy_model *model, int rod, int pull,
                                  const wy_load_rule *rule, wy_arena *arena, wy_load_points *out,
                                  withy_error *err) {
    const withy_rod *r = &model->problem->rod[rod];
    return wy_load_points_make(pull ? r->pull : r->load, pull ? r->pull_count : r->load_count,
                               r->length, rule, arena, out, err);
}
