/* network.c - bodies and joints: names, places at t = 0, and the checks that need no method. */
#include "model/network.h"

#include "model/schema/schema.h"

/* ---- names ---------------------------------------------------------------------------------------- */

static const char *const kind_name[] = {"ball",        "weld",   "hinge",  "universal", "slider",
                                        "cylindrical", "planar", "spring", "link"};
_Static_assert(sizeof kind_name / sizeof *kind_name == WY_JOINT_KINDS, "a name for every kind");

const char *wy_joint_kind_name(withy_joint_kind kind) {
    return (unsigned)kind < WY_JOINT_KINDS ? kind_name[kind] : "joint";
}

const char *wy_name_or(const char *name, const char *word, int index, char *text, size_t size) {
    if (name && name[0])
        snprintf(text, size, "%s", name);
    else if (index == 0)
        snprintf(text, size, "%s", word);
    else
        snprintf(text, size, "%s%d", word, index + 1);
    return text;
}

const char *wy_place_name(const withy_problem *problem, const withy_place *place, char *text,
                          size_t size) {
    const int index = place->index;
    if (place->part == WITHY_PART_BODY)
        return wy_name_or(problem->body[index].name, "body", index, text, size);
    if (place->part == WITHY_PART_ROD)
        return wy_name_or(problem->rod[index].name, "rod", index, text, size);
    snprintf(text, size, "ground");
    return text;
}

const char *wy_joint_words(const withy_problem *problem, int joint, char *text, size_t size) {
    const withy_joint *j = &problem->joint[joint];
    char a[WITHY_NAME], b[WITHY_NAME];
    snprintf(text, size, "joints[%d]%s%.60s%s (%s of %s and %s)", joint + 1, j->name ? " \"" : "",
             j->name ? j->name : "", j->name ? "\"" : "", wy_joint_kind_name(j->kind),
             wy_place_name(problem, &j->place[0], a, sizeof a),
             wy_place_name(problem, &j->place[1], b, sizeof b));
    return text;
}

/* ---- places at t = 0 ------------------------------------------------------------------------------ */

static quat body_frame(const withy_body *body) {
    const quat q = body->frame;
    return q.w == 0 && q.x == 0 && q.y == 0 && q.z == 0 ? (quat){1, 0, 0, 0} : q_unit(q);
}

wy_pose wy_model_body(const wy_model *model, const withy_body *body) {
    return (wy_pose){v3_sub(body->position, wy_model_origin(model)), q_matrix(body_frame(body))};
}

withy_status wy_model_place_at(const wy_model *model, const withy_place *place, double t,
                               vec3 *place_at, withy_error *err) {
    double x[WITHY_FIELD_MAX] = {place->at.x, place->at.y, place->at.z};
    if (place->path.size) WY_TRY(withy_field_at(&place->path, 0, t, x, err));
    *place_at = v3_sub(v3_from(x), wy_model_origin(model));
    return WITHY_OK;
}

withy_status wy_model_place(const wy_model *model, const withy_problem *problem,
                            const withy_place *place, wy_pose *pose, withy_error *err) {
    if (place->part == WITHY_PART_ROD)
        return wy_model_initial_poses(model, place->index, 1, &place->s, pose, err);
    if (place->part == WITHY_PART_BODY) {
        *pose = wy_model_body(model, &problem->body[place->index]);
        pose->r = v3_add(pose->r, m3_mul(pose->frame, place->at));
        return WITHY_OK;
    }
    pose->frame = m3_identity();
    return wy_model_place_at(model, place, 0.0, &pose->r, err);
}

int wy_joint_near(const withy_problem *problem, const int rod[2], const double s[2], double reach) {
    for (int k = 0; k < 2 * problem->joint_count; k++) {
        const withy_place *a = &problem->joint[k / 2].place[k % 2],
                          *b = &problem->joint[k / 2].place[1 - k % 2];
        if (a->part == WITHY_PART_ROD && b->part == WITHY_PART_ROD && a->index == rod[0] &&
            b->index == rod[1] && fabs(a->s - s[0]) < reach && fabs(b->s - s[1]) < reach)
            return 1;
    }
    return 0;
}

/* ---- bodies --------------------------------------------------------------------------------------- */

static withy_status check_inertia(const char *where, const withy_body *body, withy_error *err) {
    const vec3 i = body->inertia;
    const double most = fmax(i.x, fmax(i.y, i.z)), sum = i.x + i.y + i.z;
    if (most <= (sum - most) * (1 + 1e-9)) return WITHY_OK;
    return wy_bad_input(err,
                        "%s.inertia" WY_KEY " = { %g, %g, %g }: no body has a moment of inertia "
                        "that is larger than the sum of the other two",
                        where, i.x, i.y, i.z);
}

static withy_status check_body_loads(const char *where, const withy_body *body, withy_error *err) {
    char key[WITHY_NAME + 32];
    snprintf(key, sizeof key, "%s.loads", where);
    WY_TRY(wy_check_count(key, body->load_count, body->load, err));
    for (int i = 0; i < body->load_count; i++) {
        const withy_body_load *load = &body->load[i];
        snprintf(key, sizeof key, "%s.loads[%d]", where, i + 1);
        if (load->force.from_state || load->moment.from_state)
            return wy_bad_input(
                err,
                "%s" WY_KEY ": is a function of the state; the loads of a body are functions of t",
                key);
        WY_TRY(wy_check_values(WY_IN_BODY_LOAD, 0, load, key, err));
    }
    return WITHY_OK;
}

static withy_status check_body(const char *where, const withy_body *body, withy_error *err) {
    const double norm = q_norm(body->frame);
    if ((unsigned)body->shape > WITHY_BODY_CAPSULE)
        return wy_bad_input(err, "%s.shape" WY_KEY " = %d: must be 0 .. %d, see withy_body_shape",
                            where, (int)body->shape, WITHY_BODY_CAPSULE);
    WY_TRY(wy_check_values(WY_IN_BODY, (int)body->shape, body, where, err));
    WY_TRY(check_inertia(where, body, err));
    if (norm != 0 && !(fabs(norm - 1) <= 1e-6))
        return wy_bad_input(err,
                            "%s.frame" WY_KEY " has length %.9g; it must be a unit quaternion { w, "
                            "x, y, z } (divide it by its length)",
                            where, norm);
    return check_body_loads(where, body, err);
}

/* ---- the same name twice --------------------------------------------------------------------------- */

typedef struct named {
    const char *name;
    int index;
} named;

static int by_name(const void *a, const void *b) {
    const named *x = a, *y = b;
    const int order = strcmp(x->name, y->name);
    return order ? order : (x->index > y->index) - (x->index < y->index);
}

/* Results and probes are found by name: each is there once.  Those without one are numbered. */
static withy_status check_names(const char *list, named *x, int count, withy_error *err) {
    if (count > 1) qsort(x, (size_t)count, sizeof *x, by_name);
    for (int i = 1; i < count; i++)
        if (strcmp(x[i].name, x[i - 1].name) == 0)
            return wy_bad_input(
                err,
                "%s[%d]" WY_KEY
                " and %s[%d] have the same name \"%.40s\"; give one of them another",
                list, x[i - 1].index + 1, list, x[i].index + 1, x[i].name);
    return WITHY_OK;
}

static withy_status check_all_names(const withy_problem *problem, withy_error *err) {
    const int most =
        problem->body_count > problem->joint_count ? problem->body_count : problem->joint_count;
    if (most < 2) return WITHY_OK;
    named *x = wy_alloc((size_t)most, sizeof *x);
    int count = 0;
    if (!x) return wy_no_memory(err, "no memory for the names of the joints");
    for (int i = 0; i < problem->body_count; i++)
        if (problem->body[i].name) x[count++] = (named){problem->body[i].name, i};
    withy_status status = check_names("bodies", x, count, err);
    count = 0;
    for (int i = 0; i < problem->joint_count; i++)
        if (problem->joint[i].name) x[count++] = (named){problem->joint[i].name, i};
    if (status == WITHY_OK) status = check_names("joints", x, count, err);
    wy_free(x);
    return status;
}

withy_status wy_network_check(const wy_model *model, const withy_problem *problem,
                              withy_error *err) {
    for (int i = 0; i < problem->body_count; i++) {
        char where[WITHY_NAME];
        snprintf(where, sizeof where, "bodies[%d]", i + 1);
        WY_TRY(check_body(where, &problem->body[i], err));
    }
    WY_TRY(check_all_names(problem, err));
    const double size = problem->joint_count ? wy_network_size(model, problem) : 0;
    for (int i = 0; i < problem->joint_count; i++)
        WY_TRY(wy_joint_check(model, problem, i, size, err));
    return WITHY_OK;
}

/* ---- what is held? -------------------------------------------------------------------------------- */

int wy_part_number(const withy_problem *problem, const withy_place *place) {
    return place->part == WITHY_PART_ROD    ? place->index
           : place->part == WITHY_PART_BODY ? problem->rod_count + place->index
                                            : problem->rod_count + problem->body_count;
}

int wy_part_root(int *up, int part) {
    while (up[part] != part) part = up[part] = up[up[part]];
    return part;
}

void wy_parts_join(const withy_problem *problem, int *up) {
    const int parts = problem->rod_count + problem->body_count;
    for (int i = 0; i < parts; i++) up[i] = i;
    for (int j = 0; j < problem->joint_count; j++) {
        const withy_place *place = problem->joint[j].place;
        const int a = wy_part_number(problem, &place[0]), b = wy_part_number(problem, &place[1]);
        if (a < parts && b < parts) up[wy_part_root(up, a)] = wy_part_root(up, b);
    }
}

int wy_rod_is_joined(const withy_problem *problem, int rod) {
    if (problem->rod[rod].closed) return 1;
    for (int i = 0; i < 2 * problem->joint_count; i++) {
        const withy_place *place = &problem->joint[i / 2].place[i % 2];
        if (place->part == WITHY_PART_ROD && place->index == rod) return 1;
    }
    return 0;
}

static int is_held(const withy_rod *rod) {
    for (int i = 0; i < 2; i++) {
        const withy_end *end = &rod->end[i];
        if (wy_end_places(end) || end->spring > 0) return 1;
    }
    return 0;
}

int wy_network_floating(const withy_problem *problem, int *up) {
    const int rods = problem->rod_count, ground = rods + problem->body_count;
    for (int i = 0; i <= ground; i++) up[i] = i < rods && is_held(&problem->rod[i]) ? ground : i;
    for (int i = 0; i < problem->joint_count; i++) {
        int part[2];
        for (int s = 0; s < 2; s++)
            part[s] = wy_part_root(up, wy_part_number(problem, &problem->joint[i].place[s]));
        if (part[0] < part[1]) /* the ground, the largest, stays a root */
            up[part[0]] = part[1];
        else
            up[part[1]] = part[0];
    }
    for (int i = 0; i < rods; i++) { /* a closed rod holds itself */
        const int root = wy_part_root(up, i);
        if (problem->rod[i].closed && root != ground) up[root] = ground;
    }
    for (int i = 0; i < ground; i++)
        if (wy_part_root(up, i) != ground) return i;
    return -1;
}

/* ---- can a motion start? -------------------------------------------------------------------------- */

/* Velocity of a place at t = 0; *speed: the largest of those that it is the sum of, so that what rounding and the
 * digits of a scene leave of a sum that is zero is reported from a velocity. */
static withy_status rates_of(const wy_model *model, const withy_problem *problem,
                             const withy_place *place, vec3 *v, double *speed, withy_error *err) {
    vec3 spin;
    *v = v3(0, 0, 0);
    if (place->part == WITHY_PART_GROUND) return WITHY_OK;
    if (place->part == WITHY_PART_ROD) {
        WY_TRY(wy_velocity_at(&problem->rod[place->index], place->s, v, &spin, err));
        *speed = wy_max(*speed, v3_norm(*v));
        return WITHY_OK;
    }
    const withy_body *body = &problem->body[place->index];
    const vec3 arm = m3_mul(wy_model_body(model, body).frame, place->at);
    *v = v3_add(body->velocity, v3_cross(body->spin, arm));
    *speed = wy_max(*speed, v3_norm(body->velocity) + v3_norm(body->spin) * v3_norm(arm));
    return WITHY_OK;
}

/* Places that stay together must start with one velocity: an impact is not computed.  A driven joint is
 * left out, and a moved ground, since the rate of a function is not known. */
static withy_status check_rates(const wy_model *model, const withy_problem *problem, int joint,
                                withy_error *err) {
    const withy_joint *j = &problem->joint[joint];
    const int meets = j->kind == WITHY_JOINT_BALL || j->kind == WITHY_JOINT_HINGE ||
                      j->kind == WITHY_JOINT_UNIVERSAL;
    char words[WY_JOINT_WORDS];
    vec3 v[2];
    double speed = 0;
    if (!meets || j->place[0].path.size || j->place[1].path.size) return WITHY_OK;
    for (int i = 0; i < 2; i++) WY_TRY(rates_of(model, problem, &j->place[i], &v[i], &speed, err));
    const double off = v3_norm(v3_sub(v[1], v[0]));
    if (off <= 1e-6 * wy_max(v3_norm(v[0]) + v3_norm(v[1]), speed)) return WITHY_OK;
    return wy_bad_input(
        err,
        "%s" WY_KEY
        ": at t = 0 one place moves with { %.6g, %.6g, %.6g } and the other with { %.6g, %.6g, "
        "%.6g } m/s; give the two parts velocities and spins that agree where they are joined",
        wy_joint_words(problem, joint, words, sizeof words), v[0].x, v[0].y, v[0].z, v[1].x, v[1].y,
        v[1].z);
}

static withy_status check_drive_start(const withy_problem *problem, int joint, withy_error *err) {
    const withy_joint *j = &problem->joint[joint];
    char words[WY_JOINT_WORDS];
    double x[WITHY_FIELD_MAX] = {0};
    const int turns = j->kind == WITHY_JOINT_HINGE;
    if (!j->drive.size) return WITHY_OK;
    WY_TRY(withy_field_at(&j->drive, 0, 0, x, err));
    if (fabs(x[0]) <= 1e-9) return WITHY_OK;
    return wy_bad_input(err,
                        "%s" WY_KEY ": %s is %.6g %s at t = 0; it is measured from where the parts "
                        "are then, so it must start at 0",
                        wy_joint_words(problem, joint, words, sizeof words),
                        turns ? "angle" : "travel", x[0], turns ? "rad" : "m");
}

withy_status wy_network_fits(const wy_model *model, const withy_problem *problem,
                             withy_error *err) {
    for (int i = 0; i < problem->joint_count; i++) {
        WY_TRY(check_drive_start(problem, i, err));
        WY_TRY(check_rates(model, problem, i, err));
    }
    return WITHY_OK;
}
