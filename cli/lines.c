/* lines.c - see lines.h. */
#include "lines.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* What a line is, beyond the rods. */
typedef struct item {
    int body;        /* whose it is; -1: a link          */
    int joint, side; /* where it leads; joint -1: itself */
} item;

/* Bodies without any joint; from `count` on, the item that is asked for. */
static int find_alone(const withy_result *result, const char *joined, int count, int index,
                      item *out) {
    for (int body = 0; body < withy_result_bodies(result); body++)
        if (!(joined && joined[body]) && count++ == index) *out = (item){body, -1, 0};
    return count;
}

/* Item `index`; returns how many there are, at least up to it. */
static int find(const withy_result *result, int index, item *out) {
    withy_joint joint;
    int count = 0;
    char *joined = calloc((size_t)withy_result_bodies(result) + 1, 1);
    for (int i = 0; withy_result_joint_at(result, i, &joint); i++) {
        if (joint.kind == WITHY_JOINT_LINK && count++ == index) *out = (item){-1, i, 0};
        for (int side = 0; side < 2; side++) {
            if (joint.place[side].part != WITHY_PART_BODY) continue;
            if (joined) joined[joint.place[side].index] = 1;
            if (count++ == index) *out = (item){joint.place[side].index, i, side};
        }
        if (index >= 0 && count > index) break;
    }
    if (index < 0 || count <= index) count = find_alone(result, joined, count, index, out);
    free(joined);
    return count;
}

int cli_lines(const withy_result *result) {
    item unused;
    return withy_result_rods(result) + find(result, -1, &unused);
}

int cli_arms(const withy_result *result) {
    withy_joint joint;
    int count = withy_result_rods(result);
    for (int i = 0; withy_result_joint_at(result, i, &joint); i++) {
        count += joint.kind == WITHY_JOINT_LINK;
        for (int side = 0; side < 2; side++) count += joint.place[side].part == WITHY_PART_BODY;
    }
    return count;
}

/* Semi-axes of the ellipsoid that has the mass and inertia of a body [m]. */
static void axes_of(const withy_body *body, double axis[3]) {
    const double i[3] = {body->inertia.x, body->inertia.y, body->inertia.z};
    for (int k = 0; k < 3; k++) {
        const double square = i[(k + 1) % 3] + i[(k + 2) % 3] - i[k];
        axis[k] = square > 0 && body->mass > 0 ? sqrt(2.5 * square / body->mass) : 0;
    }
}

void cli_body_size(const withy_body *body, double size[3]) {
    axes_of(body, size);
    for (int k = 0; k < 3; k++) {
        size[k] *= 2;
        if (body->shape == WITHY_BODY_BOX) size[k] = body->size[k];
        if (body->shape == WITHY_BODY_SPHERE) size[k] = body->size[0];
        if (body->shape == WITHY_BODY_CYLINDER || body->shape == WITHY_BODY_CAPSULE)
            size[k] = body->size[k == 2]; /* diameter, diameter, length */
    }
}

/* Unit vector k of the frame. */
static withy_vec3 direction(withy_quat q, int k) {
    const withy_vec3 column[3] = {
        {1 - 2 * (q.y * q.y + q.z * q.z), 2 * (q.x * q.y + q.w * q.z), 2 * (q.x * q.z - q.w * q.y)},
        {2 * (q.x * q.y - q.w * q.z), 1 - 2 * (q.x * q.x + q.z * q.z), 2 * (q.y * q.z + q.w * q.x)},
        {2 * (q.x * q.z + q.w * q.y), 2 * (q.y * q.z - q.w * q.x),
         1 - 2 * (q.x * q.x + q.y * q.y)}};
    return column[k];
}

static void draw_alone(const withy_result *result, const withy_parts *parts, int body,
                       withy_vec3 point[2]) {
    withy_body info;
    double axis[3];
    int longest = 0;
    withy_result_body_at(result, body, &info);
    axes_of(&info, axis);
    for (int k = 1; k < 3; k++)
        if (axis[k] > axis[longest]) longest = k;
    const withy_vec3 r = parts->body[body].position;
    const withy_vec3 d = direction(parts->body[body].frame, longest);
    const double a = axis[longest];
    point[0] = (withy_vec3){r.x - a * d.x, r.y - a * d.y, r.z - a * d.z};
    point[1] = (withy_vec3){r.x + a * d.x, r.y + a * d.y, r.z + a * d.z};
}

const withy_snapshot *cli_line_at(withy_result *result, int line, int64_t k, withy_error *err) {
    static withy_vec3 point[2];
    static double s[2] = {0, 1};
    static withy_snapshot made = {
        .count = 2, .have = WITHY_HAVE_POSITION, .s = s, .position = point};
    const int rods = withy_result_rods(result);
    if (line < rods) return withy_result_at(result, line, k, err);
    const withy_parts *parts = withy_result_parts_at(result, k, err);
    item it = {0};
    if (!parts) return NULL;
    find(result, line - rods, &it);
    made.t = parts->t, made.step = parts->step;
    if (it.joint < 0) {
        draw_alone(result, parts, it.body, point);
        return &made;
    }
    point[0] = it.body < 0 ? parts->joint[it.joint].place[0] : parts->body[it.body].position;
    point[1] = parts->joint[it.joint].place[it.body < 0 ? 1 : it.side];
    return &made;
}

int cli_line_info(const withy_result *result, int line, withy_result_rod *info) {
    const int rods = withy_result_rods(result);
    withy_body body;
    withy_joint joint;
    double axis[3];
    item it = {0};
    if (line < rods) return withy_result_rod_at(result, line, info);
    *info = (withy_result_rod){.section = "circle"};
    if (line - rods >= find(result, line - rods, &it)) return 0;
    if (it.body < 0) {
        withy_result_joint_at(result, it.joint, &joint);
        snprintf(info->name, sizeof info->name, "%s", joint.name);
        snprintf(info->section, sizeof info->section, "none");
        return 1;
    }
    withy_result_body_at(result, it.body, &body);
    axes_of(&body, axis);
    snprintf(info->name, sizeof info->name, "%s", body.name);
    info->a = 2 * fmin(axis[0], fmin(axis[1], axis[2]));
    if (body.shape != WITHY_BODY_ELLIPSOID) /* as thick as it is */
        info->a = body.shape == WITHY_BODY_BOX ? fmin(body.size[1], body.size[2]) : body.size[0];
    return 1;
}
