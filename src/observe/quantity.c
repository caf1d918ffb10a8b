/* quantity.c - the quantities of a snapshot by name: for probes, plots, files and their units. */
#include <string.h>

#include "base/base.h"
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
    return array + (size_t)station * (size_t)q->size;
}
