/* find_toy.c - a quantity of a test: the distance from the laboratory origin.  See check_second_method.sh. */
#include "base/vec.h"
#include "observe/observe.h"

int wy_find_toy(const wy_observer *observer, const withy_snapshot *snap, double *out) {
    (void)observer;
    for (int i = 0; i < snap->count; i++) out[i] = v3_norm(snap->position[i]);
    return 1;
}
