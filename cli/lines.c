/* lines.c - see lines.h. */
#include "lines.h"

#include <stdio.h>
#include <stdlib.h>

/* The line that was made last. */
static withy_snapshot made;
static int room;

static int links_of(const withy_result *result) {
    withy_joint joint;
    int count = 0;
    for (int i = 0; withy_result_joint_at(result, i, &joint); i++)
        count += joint.kind == WITHY_JOINT_LINK;
    return count;
}

int cli_lines(const withy_result *result) {
    return withy_result_rods(result) + withy_result_bodies(result) + links_of(result);
}

static int begin(int most, const withy_parts *parts, withy_error *err) {
    if (most > room) {
        free(made.position), free(made.s);
        made.position = calloc((size_t)most, sizeof *made.position);
        made.s = calloc((size_t)most, sizeof *made.s);
        room = made.position && made.s ? most : 0;
    }
    if (room < most) {
        err->code = WITHY_NO_MEMORY;
        snprintf(err->text, sizeof err->text, "memory ran out");
        return 0;
    }
    made.count = 0, made.t = parts->t, made.step = parts->step;
    made.have = WITHY_HAVE_POSITION;
    return 1;
}

static void add(withy_vec3 point) {
    made.s[made.count] = made.count;
    made.position[made.count++] = point;
}

/* From joint to joint through the centre. */
static void add_body(const withy_result *result, const withy_parts *parts, int body) {
    withy_joint joint;
    const withy_vec3 centre = parts->body[body].position;
    for (int i = 0; withy_result_joint_at(result, i, &joint); i++)
        for (int side = 0; side < 2; side++)
            if (joint.place[side].part == WITHY_PART_BODY && joint.place[side].index == body) {
                add(parts->joint[i].place[side]);
                add(centre);
            }
    if (made.count > 2) made.count--; /* it ends at the last joint */
    while (made.count < 2) add(centre);
}

static void add_link(const withy_result *result, const withy_parts *parts, int link) {
    withy_joint joint;
    for (int i = 0; withy_result_joint_at(result, i, &joint); i++)
        if (joint.kind == WITHY_JOINT_LINK && link-- == 0) {
            add(parts->joint[i].place[0]);
            add(parts->joint[i].place[1]);
        }
}

const withy_snapshot *cli_line_at(withy_result *result, int line, int64_t k, withy_error *err) {
    const int rods = withy_result_rods(result), bodies = withy_result_bodies(result);
    if (line < rods) return withy_result_at(result, line, k, err);
    const withy_parts *parts = withy_result_parts_at(result, k, err);
    if (!parts || !begin(4 * withy_result_joints(result) + 2, parts, err)) return NULL;
    if (line < rods + bodies)
        add_body(result, parts, line - rods);
    else
        add_link(result, parts, line - rods - bodies);
    return &made;
}
