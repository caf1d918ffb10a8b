/* quantity.c - the quantities of a snapshot by name: for probes, plots, files and their units. */
#include <string.h>

#include "observe/observe.h"
#include "withy/snapshot.h"

#define FIELD(member) offsetof(withy_snapshot, member)

static const withy_quantity quantity[] = {
    {"position", "m", "centreline r", 3, WITHY_HAVE_POSITION, FIELD(position)},
    {"frame", "-", "quaternion of the section, scalar first, material to laboratory", 4,
     WITHY_HAVE_FRAME, FIELD(frame)},
    {"velocity", "m/s", "velocity of the centreline", 3, WITHY_HAVE_VELOCITY, FIELD(velocity)},
    {"spin", "rad/s", "angular velocity of the section, laboratory", 3, WITHY_HAVE_SPIN,
     FIELD(spin)},
    {"shear", "-", "strains shear1, shear2, stretch minus rest", 3, WITHY_HAVE_SHEAR, FIELD(shear)},
    {"bend", "1/m", "strains bend1, bend2, twist minus rest", 3, WITHY_HAVE_BEND, FIELD(bend)},
    {"force", "N", "internal force n, laboratory", 3, WITHY_HAVE_FORCE, FIELD(force)},
    {"moment", "N m", "internal moment m, laboratory", 3, WITHY_HAVE_MOMENT, FIELD(moment)},
    {"contact", "N/m", "force per length of what touches the rod, laboratory", 3,
     WITHY_HAVE_CONTACT, FIELD(contact)},
    {"kappa", "1/m", "natural curvature carried by the section, laboratory", 3, WITHY_HAVE_KAPPA,
     FIELD(kappa)},
    {"multiplier", "N", "multipliers beta1, beta2, alpha of no shear and no stretch", 3,
     WITHY_HAVE_MULTIPLIER, FIELD(multiplier)},
    {"multiplier_frame", "N", "multipliers a11, a12, a22 of directors of unit length, across", 3,
     WITHY_HAVE_MULTIPLIER_FRAME, FIELD(multiplier_frame)},
    {"shift_im", "m", "imaginary part of the displacement of a mode", 3, WITHY_HAVE_MODE,
     FIELD(shift_im)},
    {"turn_im", "-", "imaginary part of the rotation of a mode, laboratory", 3, WITHY_HAVE_MODE,
     FIELD(turn_im)},
};

enum { COUNT = sizeof quantity / sizeof *quantity };

const withy_quantity *withy_quantity_list(int *count) {
    if (count) *count = COUNT;
    return quantity;
}

const withy_quantity *withy_quantity_find(const char *name) {
    if (!name) return NULL;
    for (int i = 0; i < COUNT; i++)
        if (strcmp(quantity[i].name, name) == 0) return &quantity[i];
    return NULL;
}

const double *withy_quantity_at(const withy_quantity *q, const withy_snapshot *snapshot,
                                int station) {
    if (!q || !snapshot) return NULL;
    if (!(snapshot->have & q->have) || station < 0 || station >= snapshot->count) return NULL;
    const double *array; /* the pointer as it is, of vectors or of quaternions */
    memcpy(&array, (const char *)snapshot + q->offset, sizeof array);
    return array ? array + (size_t)station * (size_t)q->size : NULL;
}

/* ---- bodies and joints ---------------------------------------------------------------------------- */

#define BODY(member) 3, WITHY_OF_BODY, offsetof(withy_body_state, member)
#define WALL(size, member) size, WITHY_OF_OBSTACLE, offsetof(withy_obstacle_state, member)
#define JOINT(size, member) size, WITHY_OF_JOINT, offsetof(withy_joint_state, member)

static const withy_part_quantity part_quantity[] = {
    {"position", "m", "of the centre of mass", BODY(position)},
    {"frame", "-", "axes of the body as a quaternion w, x, y, z", 4, WITHY_OF_BODY,
     offsetof(withy_body_state, frame)},
    {"velocity", "m/s", "of the centre of mass", BODY(velocity)},
    {"spin", "rad/s", "angular velocity, laboratory", BODY(spin)},
    {"force", "N", "on the second part, from the first", JOINT(3, force)},
    {"torque", "N m", "on the second part, from the first, at its place", JOINT(3, torque)},
    {"angle", "rad", "of the second part relative to the first, from t = 0", JOINT(1, angle)},
    {"travel", "m", "of the second part along the axis, from t = 0", JOINT(1, travel)},
    {"place1", "m", "where its place on the first part is", JOINT(3, place[0])},
    {"place2", "m", "where its place on the second part is", JOINT(3, place[1])},
    {"axis", "-", "of the joint, a unit vector", JOINT(3, axis)},
    {"position", "m", "where its point or centre is", WALL(3, position)},
    {"force", "N", "of all rods on it", WALL(3, force)},
    {"depth", "m", "largest overlap with a rod or body", WALL(1, depth)},
    {"touches", "-", "number of places where rods touch it", WALL(1, touches)},
};

const withy_part_quantity *withy_part_quantity_list(int *count) {
    if (count) *count = (int)(sizeof part_quantity / sizeof *part_quantity);
    return part_quantity;
}

const withy_part_quantity *withy_part_quantity_find(int of, const char *name) {
    for (size_t i = 0; name && i < sizeof part_quantity / sizeof *part_quantity; i++)
        if (part_quantity[i].of == of && strcmp(part_quantity[i].name, name) == 0)
            return &part_quantity[i];
    return NULL;
}

const double *withy_part_quantity_at(const withy_part_quantity *q, const withy_parts *parts,
                                     int index) {
    if (!q || !parts || index < 0) return NULL;
    const int count = q->of == WITHY_OF_BODY    ? parts->body_count
                      : q->of == WITHY_OF_JOINT ? parts->joint_count
                                                : parts->obstacle_count;
    if (index >= count) return NULL;
    const void *at = q->of == WITHY_OF_BODY    ? (const void *)&parts->body[index]
                     : q->of == WITHY_OF_JOINT ? (const void *)&parts->joint[index]
                                               : (const void *)&parts->obstacle[index];
    return (const double *)(const void *)((const char *)at + q->offset);
}

wy_probed wy_probe_quantity(const withy_probe *probe) {
    const withy_quantity *q = withy_quantity_find(probe->what);
    const withy_part_quantity *part = withy_part_quantity_find((int)probe->of, probe->what);
    if (probe->of == WITHY_OF_ROD)
        return q ? (wy_probed){q->unit, q->doc, q->size} : (wy_probed){0};
    return part ? (wy_probed){part->unit, part->doc, part->size} : (wy_probed){0};
}
