/* parts.c - rods, bodies, joints, supports, obstacles and tendons of a snapshot, as things that a ray can meet.
 *
 * They look as in withy view: what is thin is drawn at least visibly thick, bodies without a shape as the ellipsoid of
 * their inertia, a plane as large as the scene.
 */
#include <stdlib.h>
#include <string.h>

#include "lines.h"
#include "shade/vec.h"

/* Of the size of the scene: as in viewer/src/cast.js, as SHADE_THINNEST. */
static const double JOINT = 0.008, SUPPORT = 0.006, TENDON = 0.0016;

static withy_status no_memory(withy_error *err) {
    err->code = WITHY_NO_MEMORY;
    snprintf(err->text, sizeof err->text, "memory ran out for the picture");
    return WITHY_NO_MEMORY;
}

static shade_vec place_of(const shade_stage *x, withy_vec3 r) {
    return vec_scale(1 / x->size, vec_axpy(vec(r.x, r.y, r.z), -1, x->middle));
}

void shade_turn(withy_quat q, shade_vec axis[3]) {
    const double n = sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z), k = n > 0 ? 1 / n : 0;
    const double w = n > 0 ? k * q.w : 1, a = k * q.x, b = k * q.y, c = k * q.z;
    axis[0] = vec(1 - 2 * (b * b + c * c), 2 * (a * b + w * c), 2 * (a * c - w * b));
    axis[1] = vec(2 * (a * b - w * c), 1 - 2 * (a * a + c * c), 2 * (b * c + w * a));
    axis[2] = vec(2 * (a * c + w * b), 2 * (b * c - w * a), 1 - 2 * (a * a + b * b));
}

/* The third axis along a direction; zero: that of z. */
static void turn_along(withy_vec3 along, shade_vec axis[3]) {
    axis[2] = vec_unit(vec(along.x, along.y, along.z));
    if (vec_length(axis[2]) == 0) axis[2] = vec(0, 0, 1);
    vec_across(axis[2], &axis[0], &axis[1]);
}

/* The thing just added is of this kind. */
static int keep(shade_stage *x, shade_kind kind, int added) {
    if (!added) return 0;
    if (x->things == x->room) {
        const int room = x->room ? 2 * x->room : 64;
        shade_kind *wider = realloc(x->kind, (size_t)room * sizeof *wider);
        if (!wider) return 0;
        x->kind = wider, x->room = room;
    }
    return x->kind[x->things++] = kind, 1;
}

static int keep_mesh(shade_stage *x, shade_kind kind, shade_mesh *mesh, int made) {
    const int ok = made && (mesh->triangles == 0 ||
                            keep(x, kind, shade_rays_mesh(x->rays, mesh, kind == SHADE_OBSTACLE)));
    return shade_mesh_free(mesh), ok;
}

static int add_ball(shade_stage *x, shade_kind kind, shade_vec at, double radius) {
    shade_mesh mesh = {0};
    const shade_place place = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, at};
    return keep_mesh(x, kind, &mesh,
                     shade_solid_round(&mesh, &place, radius, radius, 0, radius, 0));
}

/* ---- rods --------------------------------------------------------------------------------------- */

int shade_section(const withy_result_rod *rod, double size, double half[2]) {
    const int none = strcmp(rod->section, "none") == 0, tube = strcmp(rod->section, "tube") == 0;
    half[0] = none ? 0 : rod->a / 2 / size;
    half[1] = none || tube || !(rod->b > 0) ? half[0] : rod->b / 2 / size;
    const double least = SHADE_THINNEST / 2, most = fmax(half[0], half[1]);
    const double k = most > 0 ? least / most : 0;
    if (k > 1) half[0] *= k, half[1] *= k;
    if (!(most > 0)) half[0] = half[1] = least;
    if (strcmp(rod->section, "rectangle") == 0) return SHADE_RECTANGLE;
    return half[0] > half[1] || half[0] < half[1] ? SHADE_ELLIPSE : SHADE_CIRCLE;
}

/* Between stations i and i + 1 the curve of third degree with the slopes of Catmull and Rom. */
static shade_vec between(const shade_stage *x, const withy_snapshot *snap, int i, double u) {
    const int last = snap->count - 1;
    shade_vec r[4];
    for (int k = 0; k < 4; k++) {
        const int j = i + k - 1;
        r[k] = place_of(x, snap->position[j < 0 ? 0 : j > last ? last : j]);
    }
    if (i == 0) r[0] = vec_axpy(vec_scale(2, r[1]), -1, r[2]);
    if (i + 1 == last) r[3] = vec_axpy(vec_scale(2, r[2]), -1, r[1]);
    const double w[4] = {-0.5 * u * (1 - u) * (1 - u), 1 + u * u * (1.5 * u - 2.5),
                         0.5 * u * (1 + u * (4 - 3 * u)), -0.5 * u * u * (1 - u)};
    shade_vec at = {0, 0, 0};
    for (int k = 0; k < 4; k++) at = vec_axpy(at, w[k], r[k]);
    return at;
}

static int fine_count(const withy_snapshot *snap) {
    return snap->count > 400 ? 1 : snap->count > 100 ? 4 : 8; /* pieces of each interval */
}

static int add_round(shade_stage *x, const withy_snapshot *snap, double radius, shade_kind kind) {
    const int fine = fine_count(snap), count = (snap->count - 1) * fine + 1;
    shade_point *point = malloc((size_t)count * sizeof *point);
    for (int k = 0; point && k < count; k++) {
        const int i = k == count - 1 ? snap->count - 2 : k / fine;
        const shade_vec at = between(x, snap, i, (k - i * fine) / (double)fine);
        point[k] = (shade_point){(float)at.x, (float)at.y, (float)at.z, (float)radius};
    }
    const int ok = point && keep(x, kind, shade_rays_curve(x->rays, point, count));
    return free(point), ok;
}

/* The frame of a station, blended to the next by its directors. */
static void frame_between(const withy_snapshot *snap, int i, double u, shade_vec axis[3]) {
    shade_vec next[3];
    shade_turn(snap->frame[i], axis), shade_turn(snap->frame[i + 1], next);
    for (int k = 0; k < 3; k++) axis[k] = vec_unit(vec_axpy(vec_scale(1 - u, axis[k]), u, next[k]));
}

static int add_swept(shade_stage *x, const withy_snapshot *snap, const double half[2],
                     int rectangle) {
    const int fine = fine_count(snap), count = (snap->count - 1) * fine + 1;
    shade_place *place = malloc((size_t)count * sizeof *place);
    shade_mesh mesh = {0};
    for (int k = 0; place && k < count; k++) {
        const int i = k == count - 1 ? snap->count - 2 : k / fine;
        const double u = (k - i * fine) / (double)fine;
        place[k].at = between(x, snap, i, u);
        frame_between(snap, i, u, place[k].axis);
    }
    const int ok =
        place && shade_solid_swept(&mesh, place, count, half[0], half[1], rectangle ? 0 : 32);
    free(place);
    return keep_mesh(x, SHADE_ROD, &mesh, ok);
}

static int add_support(shade_stage *x, const withy_snapshot *snap, int end, const char *held) {
    const int at = end ? snap->count - 1 : 0;
    shade_mesh mesh = {0};
    shade_place place = {.at = place_of(x, snap->position[at])};
    if (!*held || strcmp(held, "free") == 0) return 1;
    if (strcmp(held, "clamped") != 0 || !(snap->have & WITHY_HAVE_FRAME))
        return add_ball(x, SHADE_SUPPORT, place.at, 1.6 * SUPPORT);
    shade_turn(snap->frame[at], place.axis);
    return keep_mesh(x, SHADE_SUPPORT, &mesh,
                     shade_solid_box(&mesh, &place, vec(5 * SUPPORT, 5 * SUPPORT, 0.8 * SUPPORT)));
}

static withy_status add_rod(shade_stage *x, int rod, int64_t k, withy_error *err) {
    withy_result_rod info;
    double half[2];
    const withy_snapshot *snap = withy_result_at(x->result, rod, k, err);
    if (!snap) return err->code;
    if (!withy_result_rod_at(x->result, rod, &info) || snap->count < 2) return WITHY_OK;
    const int section = shade_section(&info, x->size, half);
    int ok = section == SHADE_CIRCLE || !(snap->have & WITHY_HAVE_FRAME)
                 ? add_round(x, snap, half[0], SHADE_ROD)
                 : add_swept(x, snap, half, section == SHADE_RECTANGLE);
    ok = ok && add_support(x, snap, 0, info.start) && add_support(x, snap, 1, info.finish);
    return ok ? WITHY_OK : no_memory(err);
}

/* ---- tendons ----------------------------------------------------------------------------------------- */

static shade_vec routed(const shade_stage *x, const withy_snapshot *snap, const double route[3]) {
    int i = 0;
    while (i + 2 < snap->count && snap->s[i + 1] <= route[0]) i++;
    const double span = snap->s[i + 1] - snap->s[i];
    const double u = span > 0 ? fmin(1, fmax(0, (route[0] - snap->s[i]) / span)) : 0;
    shade_vec axis[3], at = between(x, snap, i, u);
    frame_between(snap, i, u, axis);
    return vec_axpy(vec_axpy(at, route[1] / x->size, axis[0]), route[2] / x->size, axis[1]);
}

static withy_status add_tendon(shade_stage *x, const withy_result_tendon *tendon, int64_t k,
                               withy_error *err) {
    const withy_snapshot *snap = withy_result_at(x->result, tendon->rod, k, err);
    if (!snap) return err->code;
    if (!(snap->have & WITHY_HAVE_FRAME) || snap->count < 2 || tendon->count < 2) return WITHY_OK;
    shade_point *point = malloc((size_t)tendon->count * sizeof *point);
    for (int i = 0; point && i < tendon->count; i++) {
        const shade_vec at = routed(x, snap, tendon->route[i]);
        point[i] = (shade_point){(float)at.x, (float)at.y, (float)at.z, (float)TENDON};
    }
    const int ok = point && keep(x, SHADE_TENDON, shade_rays_curve(x->rays, point, tendon->count));
    free(point);
    return ok ? WITHY_OK : no_memory(err);
}

/* ---- bodies and joints --------------------------------------------------------------------------------- */

int shade_body(shade_mesh *mesh, const shade_place *place, const withy_body *body,
               const double size[3]) {
    const double a = size[0] / 2, b = size[1] / 2, length = size[2];
    if (body->shape == WITHY_BODY_BOX)
        return shade_solid_box(mesh, place, vec(size[0], size[1], size[2]));
    if (body->shape == WITHY_BODY_CYLINDER)
        return shade_solid_round(mesh, place, a, b, length, 0, 1);
    if (body->shape == WITHY_BODY_CAPSULE)
        return shade_solid_round(mesh, place, a, b, fmax(length - 2 * a, 0), a, 0);
    return shade_solid_round(mesh, place, a, b, 0, length / 2, 0);
}

static int add_body(shade_stage *x, const withy_body *body, const withy_body_state *state) {
    shade_mesh mesh = {0};
    shade_place place = {.at = place_of(x, state->position)};
    double size[3];
    cli_body_size(body, size);
    for (int i = 0; i < 3; i++) size[i] = fmax(size[i] / x->size, SHADE_THINNEST);
    shade_turn(state->frame, place.axis);
    return keep_mesh(x, SHADE_BODY, &mesh, shade_body(&mesh, &place, body, size));
}

static int add_joint(shade_stage *x, const withy_joint *joint, const withy_joint_state *state) {
    const shade_vec from = place_of(x, state->place[0]), to = place_of(x, state->place[1]);
    if (joint->kind != WITHY_JOINT_LINK) return add_ball(x, SHADE_JOINT, to, JOINT);
    const float r = (float)(SHADE_THINNEST / 2);
    const shade_point point[2] = {{(float)from.x, (float)from.y, (float)from.z, r},
                                  {(float)to.x, (float)to.y, (float)to.z, r}};
    return keep(x, SHADE_JOINT, shade_rays_curve(x->rays, point, 2));
}

/* ---- obstacles ----------------------------------------------------------------------------------------- */

static int add_surface(shade_mesh *mesh, const withy_obstacle *wall, const shade_place *place,
                       double unit) {
    int ok = 1;
    for (int i = 0; ok && i < wall->triangle_count; i++) { /* flat: its edges are seen */
        shade_vec r[3];
        for (int c = 0; c < 3; c++) {
            const withy_vec3 v = wall->vertex[wall->triangle[i][c]];
            r[c] = vec_axpy(place->at, v.x / unit, place->axis[0]);
            r[c] = vec_axpy(vec_axpy(r[c], v.y / unit, place->axis[1]), v.z / unit, place->axis[2]);
        }
        const shade_vec n = vec_unit(vec_cross(vec_axpy(r[1], -1, r[0]), vec_axpy(r[2], -1, r[0])));
        for (int c = 0; ok && c < 3; c++) ok = shade_mesh_corner(mesh, r[c], n);
        ok = ok && shade_mesh_face(mesh, 3 * i, 3 * i + 1, 3 * i + 2);
    }
    return ok;
}

/* What has no end is drawn around the middle of the scene. */
static void bring_near(shade_place *place, int plane) {
    const double along = vec_dot(place->at, place->axis[2]);
    if (plane)
        place->at = vec_scale(along, place->axis[2]);
    else
        place->at = vec_axpy(place->at, -along, place->axis[2]);
}

int shade_obstacle(shade_mesh *mesh, const withy_obstacle *wall, shade_vec at, double unit,
                   double size) {
    shade_place place = {.at = at};
    const double r = wall->radius / unit, length = wall->length / unit;
    const int framed = wall->kind == WITHY_OBSTACLE_BOX || wall->kind == WITHY_OBSTACLE_MESH ||
                       wall->kind == WITHY_OBSTACLE_DISTANCE;
    framed ? shade_turn(wall->frame, place.axis) : turn_along(wall->along, place.axis);
    switch (wall->kind) {
    case WITHY_OBSTACLE_PLANE:
        bring_near(&place, 1);
        return shade_solid_box(mesh, &place, vec(2 * size, 2 * size, 1e-4 * size));
    case WITHY_OBSTACLE_SPHERE: return shade_solid_round(mesh, &place, r, r, 0, r, 0);
    case WITHY_OBSTACLE_CYLINDER:
        if (!(length > 0)) bring_near(&place, 0);
        return shade_solid_round(mesh, &place, r, r, length > 0 ? length : 1.4 * size, 0, 1);
    case WITHY_OBSTACLE_CAPSULE: return shade_solid_round(mesh, &place, r, r, length - 2 * r, r, 0);
    case WITHY_OBSTACLE_BOX:
        return shade_solid_box(mesh, &place,
                               vec(wall->size.x / unit, wall->size.y / unit, wall->size.z / unit));
    default: /* a distance function comes with triangles, if any */
        return add_surface(mesh, wall, &place, unit);
    }
}

static int add_obstacle(shade_stage *x, const withy_obstacle *wall,
                        const withy_obstacle_state *state) {
    shade_mesh mesh = {0};
    const int made = shade_obstacle(&mesh, wall, place_of(x, state->position), x->size, 1);
    return keep_mesh(x, SHADE_OBSTACLE, &mesh, made);
}

/* ---- all ------------------------------------------------------------------------------------------------ */

static withy_status add_parts(shade_stage *x, int64_t k, withy_error *err) {
    withy_body body;
    withy_joint joint;
    withy_obstacle wall;
    const withy_parts *parts = withy_result_parts_at(x->result, k, err);
    int ok = 1;
    if (!parts) return err->code;
    for (int i = 0; ok && i < parts->body_count && withy_result_body_at(x->result, i, &body); i++)
        ok = add_body(x, &body, &parts->body[i]);
    for (int i = 0; ok && i < parts->joint_count && withy_result_joint_at(x->result, i, &joint);
         i++)
        ok = add_joint(x, &joint, &parts->joint[i]);
    for (int i = 0; ok && i < parts->obstacle_count; i++)
        if (withy_result_obstacle_at(x->result, i, &wall))
            ok = add_obstacle(x, &wall, &parts->obstacle[i]);
    return ok ? WITHY_OK : no_memory(err);
}

withy_status shade_parts(shade_stage *x, int64_t k, withy_error *err) {
    withy_result_tendon tendon;
    withy_status status = WITHY_OK;
    x->things = 0;
    if (!shade_rays_begin(x->rays)) return no_memory(err);
    for (int i = 0; status == WITHY_OK && i < withy_result_rods(x->result); i++)
        status = add_rod(x, i, k, err);
    for (int i = 0; status == WITHY_OK && withy_result_tendon_at(x->result, i, &tendon); i++)
        status = add_tendon(x, &tendon, k, err);
    if (status == WITHY_OK && (withy_result_bodies(x->result) || withy_result_joints(x->result) ||
                               withy_result_obstacles(x->result)))
        status = add_parts(x, k, err);
    if (status == WITHY_OK && !shade_rays_end(x->rays)) status = no_memory(err);
    return status;
}
