/* overlap.c - what overlaps as it is drawn: rods and obstacles, rods and rods.
 *
 * Rods are polylines of at most PIECES pieces.  Two pieces whose distance and sagittas (an eighth of the length of a piece
 * times its turn) together are below the sum of the radii overlap; what the polyline adds is never reported.
 */
#include "model/contact.h"

enum { PIECES = 256, MOST_PAIRS = 64 };

/* ---- a rod in an obstacle ------------------------------------------------------------------------------ */

/* The deepest place of a rod in an obstacle, of some hundred. */
typedef struct deepest {
    double gap, s, radius; /* smallest gap of its surface, where; radius there */
    vec3 at;               /* where, relative to the origin of the model       */
} deepest;

static withy_status find_depth(const wy_model *model, const withy_problem *problem, int rod,
                               int obstacle, deepest *out, withy_error *err) {
    const wy_obstacle *shape = &wy_model_obstacle(model)[obstacle].shape;
    const double length = problem->rod[rod].length;
    double s[PIECES + 1];
    wy_pose pose[PIECES + 1];
    for (int k = 0; k <= PIECES; k++) s[k] = length * k / PIECES;
    WY_TRY(wy_model_initial_poses(model, rod, PIECES + 1, s, pose, err));
    out->gap = INFINITY;
    for (int k = 0; k <= PIECES; k++) {
        vec3 unused;
        double radius;
        WY_TRY(wy_rod_radius(&problem->rod[rod], s[k], &radius, err));
        const double gap = wy_obstacle_distance(shape, pose[k].r, &unused) - radius;
        if (!isfinite(gap)) return wy_model_obstacle_fails(model, obstacle, pose[k].r, err);
        if (gap < out->gap) *out = (deepest){gap, s[k], radius, pose[k].r};
    }
    return WITHY_OK;
}

static void report_depth(const wy_model *model, const withy_problem *problem, int rod, int obstacle,
                         const deepest *d, char *text, size_t size) {
    char name[WITHY_NAME], own[WITHY_NAME];
    const char *given = problem->obstacle[obstacle].name;
    const vec3 at = v3_add(d->at, wy_model_origin(model));
    snprintf(text, size,
             "obstacles[%d] (%.40s) overlaps %.40s by %.4g m at s = %.6g m, { %.6g, %.6g, %.6g }",
             obstacle + 1, wy_name_or(given, "obstacle", obstacle, name, sizeof name),
             wy_name_or(problem->rod[rod].name, "rod", rod, own, sizeof own), -d->gap, d->s, at.x,
             at.y, at.z);
}

withy_status wy_contact_fits(const wy_model *model, const withy_problem *problem,
                             withy_error *err) {
    for (int i = 0; i < problem->rod_count * problem->obstacle_count; i++) {
        const int rod = i / problem->obstacle_count, obstacle = i % problem->obstacle_count;
        char text[4 * WITHY_NAME];
        deepest d;
        WY_TRY(find_depth(model, problem, rod, obstacle, &d, err));
        if (d.gap >= -2 * d.radius) continue;
        report_depth(model, problem, rod, obstacle, &d, text, sizeof text);
        return wy_bad_input(err,
                            "%s, more than the rod is thick (%.4g m): it starts inside; move one "
                            "of them, or turn the obstacle round (normal, inside)",
                            text, 2 * d.radius);
    }
    return WITHY_OK;
}

/* ---- rods in rods --------------------------------------------------------------------------------------- */

typedef struct drawn {
    const wy_model *model;
    const withy_problem *problem;
    int count;       /* pieces                                      */
    vec3 (*end)[2];  /* [count]                                     */
    double (*s)[2];  /* [count]                                     */
    double *radius;  /* [count]                                     */
    double *sagitta; /* [count]                                     */
    int *rod;        /* [count]                                     */
    wy_box *box;     /* [count]                                     */
    wy_grid grid;
    int pairs; /* pairs of rods that overlap; the first are kept */
    struct {
        int rod[2];
        double depth, s[2];
        vec3 at;
    } pair[MOST_PAIRS];
} drawn;

static withy_status add_pieces(drawn *x, int rod, withy_error *err) {
    const double length = x->problem->rod[rod].length;
    double s[PIECES + 1];
    wy_pose pose[PIECES + 1];
    for (int k = 0; k <= PIECES; k++) s[k] = length * k / PIECES;
    WY_TRY(wy_model_initial_poses(x->model, rod, PIECES + 1, s, pose, err));
    for (int k = 0; k < PIECES; k++, x->count++) {
        const int i = x->count;
        const vec3 a = pose[k].r, b = pose[k + 1].r;
        const vec3 u = pose[k].frame.c3, v = pose[k + 1].frame.c3;
        double r;
        WY_TRY(wy_rod_radius(&x->problem->rod[rod], s[k], &r, err));
        x->rod[i] = rod, x->radius[i] = r, x->end[i][0] = a, x->end[i][1] = b;
        x->s[i][0] = s[k], x->s[i][1] = s[k + 1];
        x->sagitta[i] =
            0.125 * v3_norm(v3_sub(b, a)) * atan2(v3_norm(v3_cross(u, v)), v3_dot(u, v));
        x->box[i] = (wy_box){v3(fmin(a.x, b.x) - r, fmin(a.y, b.y) - r, fmin(a.z, b.z) - r),
                             v3(fmax(a.x, b.x) + r, fmax(a.y, b.y) + r, fmax(a.z, b.z) + r)};
    }
    return WITHY_OK;
}

/* May these two never touch: neighbours on one rod, or near a joint of two? */
static int is_apart(const drawn *x, int i, int j, const double s[2]) {
    const withy_contact *contact = &x->problem->contact;
    const int rod[2] = {x->rod[i], x->rod[j]};
    const double thick = x->radius[i] + x->radius[j], piece = x->s[i][1] - x->s[i][0];
    const double near = contact->exclude > 0 ? contact->exclude : 0.5 * WY_PI * thick;
    if (rod[0] == rod[1])
        return contact->no_self ||
               wy_rod_distance(&x->problem->rod[rod[0]], s[0], s[1]) < near + piece;
    return contact->no_rods || wy_joint_near(x->problem, rod, s, 3 * (thick + piece));
}

static int meet(void *context, int i, int j) {
    static const double none[2] = {0, 0};
    drawn *x = context;
    const vec3 point[] = {x->end[i][0], x->end[i][1], x->end[j][0], x->end[j][1]};
    const wy_contact_place place = wy_pair_closest(point, none);
    const double thick = x->radius[i] + x->radius[j];
    const double depth = thick - place.distance - x->sagitta[i] - x->sagitta[j];
    const double s[2] = {x->s[i][0] + place.s * (x->s[i][1] - x->s[i][0]),
                         x->s[j][0] + place.t * (x->s[j][1] - x->s[j][0])};
    if (!(depth > 1e-6 * thick) || is_apart(x, i, j, s)) return 1;
    int k = 0;
    while (k < x->pairs && k < MOST_PAIRS &&
           !(x->pair[k].rod[0] == x->rod[i] && x->pair[k].rod[1] == x->rod[j]))
        k++;
    if (k >= MOST_PAIRS) return 1;
    if (k < x->pairs && x->pair[k].depth >= depth) return 1;
    x->pairs = k < x->pairs ? x->pairs : k + 1;
    x->pair[k].rod[0] = x->rod[i], x->pair[k].rod[1] = x->rod[j], x->pair[k].depth = depth;
    x->pair[k].s[0] = s[0], x->pair[k].s[1] = s[1];
    x->pair[k].at = v3_axpy(v3_scale(1 - place.s, x->end[i][0]), place.s, x->end[i][1]);
    return 1;
}

static withy_status find_pairs(drawn *x, wy_arena *arena, withy_error *err) {
    const size_t count = (size_t)x->problem->rod_count * PIECES;
    wy_allocator from = {arena, 0};
    x->end = wy_allocator_alloc(&from, count, sizeof *x->end);
    x->s = wy_allocator_alloc(&from, count, sizeof *x->s);
    x->radius = wy_allocator_alloc(&from, count, sizeof *x->radius);
    x->sagitta = wy_allocator_alloc(&from, count, sizeof *x->sagitta);
    x->rod = wy_allocator_alloc(&from, count, sizeof *x->rod);
    x->box = wy_allocator_alloc(&from, count, sizeof *x->box);
    if (from.failed) return wy_no_memory(err, "no memory for %zu pieces of rods", count);
    WY_TRY(wy_grid_make(&x->grid, (int)count, arena, err));
    for (int i = 0; i < x->problem->rod_count; i++) WY_TRY(add_pieces(x, i, err));
    wy_grid_pairs(&x->grid, x->box, x->count, meet, x);
    return WITHY_OK;
}

static void report_pair(const drawn *x, int k, withy_overlap *to) {
    char name[2][WITHY_NAME];
    const int *rod = x->pair[k].rod;
    const vec3 at = v3_add(x->pair[k].at, wy_model_origin(x->model));
    for (int i = 0; i < 2; i++)
        wy_name_or(x->problem->rod[rod[i]].name, "rod", rod[i], name[i], sizeof name[i]);
    to->depth = x->pair[k].depth;
    snprintf(to->text, sizeof to->text,
             "%.40s overlaps %.40s by %.4g m, at s = %.6g and %.6g m, { %.6g, %.6g, %.6g }",
             name[0], rod[0] == rod[1] ? "itself" : name[1], to->depth, x->pair[k].s[0],
             x->pair[k].s[1], at.x, at.y, at.z);
}

/* ---- all of them ---------------------------------------------------------------------------------------- */

static int by_depth(const void *a, const void *b) {
    const double x = ((const withy_overlap *)a)->depth, y = ((const withy_overlap *)b)->depth;
    return (x < y) - (x > y);
}

/* The list grows up to its room; the deepest first. */
static void keep(withy_overlap *list, int most, int *count, const withy_overlap *next) {
    if (*count < most)
        list[*count] = *next;
    else if (most > 0 && next->depth > list[most - 1].depth)
        list[most - 1] = *next;
    ++*count;
    if (most > 0) qsort(list, (size_t)(*count < most ? *count : most), sizeof *list, by_depth);
}

static withy_status list_all(const withy_problem *problem, int most, withy_overlap *list,
                             int *count, wy_arena *arena, withy_error *err) {
    const wy_model *model;
    withy_overlap next;
    deepest d;
    WY_TRY(wy_model_compile(problem, NULL, arena, &model, err));
    for (int i = 0; i < problem->rod_count * problem->obstacle_count; i++) {
        const int rod = i / problem->obstacle_count, obstacle = i % problem->obstacle_count;
        WY_TRY(find_depth(model, problem, rod, obstacle, &d, err));
        if (d.gap >= -1e-6 * d.radius) continue;
        next.depth = -d.gap;
        report_depth(model, problem, rod, obstacle, &d, next.text, sizeof next.text);
        keep(list, most, count, &next);
    }
    if (!problem->contact.given || problem->rod_count == 0) return WITHY_OK;
    drawn *x = wy_arena_alloc(arena, 1, sizeof *x);
    if (!x) return wy_no_memory(err, "no memory for the overlaps");
    x->model = model, x->problem = problem;
    WY_TRY(find_pairs(x, arena, err));
    for (int k = 0; k < x->pairs; k++) {
        report_pair(x, k, &next);
        keep(list, most, count, &next);
    }
    return WITHY_OK;
}

withy_status withy_problem_overlaps(const withy_problem *problem, int most, withy_overlap *list,
                                    int *count, withy_error *err) {
    WY_NEED(problem, count);
    if (most > 0) WY_NEED(list);
    wy_arena arena = {0};
    *count = 0;
    const withy_status status = list_all(problem, most, list, count, &arena, err);
    wy_arena_free(&arena);
    return status;
}
