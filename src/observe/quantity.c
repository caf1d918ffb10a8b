/* quantity.c - the quantities of results by name: for probes, plots, files and their units. */
#include <limits.h>

#include "observe/observe.h"

#define WITHY_HAVE_ALWAYS 0
#define AT(type, member) (((const type *)0)->member)
#define DOUBLES(x) (sizeof(x) < sizeof(double) ? 1 : (int)(sizeof(x) / sizeof(double)))
#define STATION(title, bits, si, parts, words)                                                     \
    {.name = #title,                                                                               \
     .unit = si,                                                                                   \
     .doc = words,                                                                                 \
     .components = parts,                                                                          \
     .size = DOUBLES(*AT(withy_snapshot, title)),                                                  \
     .have = WITHY_HAVE_##bits,                                                                    \
     .offset = offsetof(withy_snapshot, title)},
#define FOUND(title, numbers, bits, si, parts, words)                                              \
    {.name = #title,                                                                               \
     .unit = si,                                                                                   \
     .doc = words,                                                                                 \
     .components = parts,                                                                          \
     .size = numbers,                                                                              \
     .have = (unsigned)WITHY_HAVE_FOUND << WY_FOUND_##title,                                       \
     .needs = bits,                                                                                \
     .offset = offsetof(withy_snapshot, found) + WY_FOUND_##title * sizeof(double *)},
#define NUMBER(kind, type, title, member, bits, adds, si, words)                                   \
    {.name = title,                                                                                \
     .unit = si,                                                                                   \
     .doc = words,                                                                                 \
     .of = WITHY_OF_##kind,                                                                        \
     .size = DOUBLES(AT(type, member)),                                                            \
     .whole = sizeof(AT(type, member)) < sizeof(double),                                           \
     .summed = adds,                                                                               \
     .have = WITHY_HAVE_##bits,                                                                    \
     .offset = offsetof(type, member)},

static const withy_quantity quantity[] = {
#include "observe/quantity.inc"
};

enum { COUNT = sizeof quantity / sizeof *quantity };

_Static_assert((int)WY_FOUND_COUNT <= (int)WITHY_FOUND, "withy_snapshot has room for them");

const withy_quantity *withy_quantity_list(int of, int *count) {
    int first = 0, end;
    while (first < COUNT && (int)quantity[first].of != of) first++;
    for (end = first; end < COUNT && (int)quantity[end].of == of;) end++;
    if (count) *count = end - first;
    return end > first ? &quantity[first] : NULL;
}

const withy_quantity *wy_quantity_after(int of, const withy_quantity *q) {
    if (!q) return withy_quantity_list(of, NULL);
    return q + 1 < quantity + COUNT && (int)q[1].of == of ? q + 1 : NULL;
}

const withy_quantity *withy_quantity_find(int of, const char *name) {
    for (const withy_quantity *q = NULL; name && (q = wy_quantity_after(of, q)) != NULL;)
        if (strcmp(q->name, name) == 0) return q;
    return NULL;
}

const double *withy_quantity_at(const withy_quantity *q, const withy_snapshot *snapshot,
                                int station) {
    if (!q || !snapshot || q->of != WITHY_OF_ROD) return NULL;
    if (!wy_quantity_in(q, snapshot->have) || station < 0 || station >= snapshot->count)
        return NULL;
    const double *array = wy_quantity_array(q, snapshot);
    return array ? array + (size_t)station * (size_t)q->size : NULL;
}

/* The struct that has the quantities of this kind; NULL: there is none of this index. */
static const void *state_at(const withy_parts *parts, withy_probe_of of, int index) {
    const struct {
        const void *first;
        size_t size;
        int count;
    } kind[] = {
        [WITHY_OF_BODY] = {parts->body, sizeof *parts->body, parts->body_count},
        [WITHY_OF_JOINT] = {parts->joint, sizeof *parts->joint, parts->joint_count},
        [WITHY_OF_OBSTACLE] = {parts->obstacle, sizeof *parts->obstacle, parts->obstacle_count},
        [WITHY_OF_BODIES] = {parts, sizeof *parts, 1},
        [WITHY_OF_JOINTS] = {parts, sizeof *parts, 1},
        [WITHY_OF_CONTACT] = {parts->contacts, sizeof *parts->contacts, parts->contact_count}};
    if (index < 0 || index >= kind[of].count) return NULL;
    return (const char *)kind[of].first + (size_t)index * kind[of].size;
}

const double *withy_quantity_of_part(const withy_quantity *q, const withy_parts *parts, int index) {
    const void *state = q && parts ? state_at(parts, q->of, index) : NULL;
    return state ? (const double *)(const void *)((const char *)state + q->offset) : NULL;
}

double *wy_quantity_place(const withy_quantity *q, withy_parts *parts, int index) {
    return (double *)withy_quantity_of_part(q, parts, index);
}

const char *withy_quantity_component(const withy_quantity *q, int component, char *name,
                                     size_t size) {
    static const char *const axis[] = {"w", "x", "y", "z"};
    if (!size || !name) return "";
    name[0] = '\0';
    if (!q || component < 0 || component >= q->size || q->size == 1) return name;
    const char *word = q->components ? q->components : axis[component + (q->size == 3)];
    for (int i = 0; q->components && i < component; i++) word = strchr(word, ' ') + 1;
    const size_t length = strcspn(word, " ");
    if (q->size == 3 && length == 2) word++; /* vx is the x of a velocity */
    snprintf(name, size, "%.*s", (int)strcspn(word, " "), word);
    return name;
}

void wy_quantity_get(const withy_quantity *q, const void *state, double *out) {
    const char *from = (const char *)state + q->offset;
    if (q->whole) {
        int number;
        memcpy(&number, from, sizeof number);
        *out = number;
    } else {
        memcpy(out, from, (size_t)q->size * sizeof *out);
    }
}

void wy_quantity_put(const withy_quantity *q, void *state, const double *in) {
    char *to = (char *)state + q->offset;
    if (q->whole) {
        const int number = fabs(*in) <= INT_MAX ? (int)*in : 0; /* a file may hold anything */
        memcpy(to, &number, sizeof number);
    } else {
        memcpy(to, in, (size_t)q->size * sizeof *in);
    }
}
