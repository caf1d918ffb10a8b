/* number.c - numbers by name: "finish.z", "rod2.s=0.2.moment.norm", "hub.spin.x", "kinetic" (withy/snapshot.h). */
#include "observe/observe.h"

/* What is left of `text` after `name`, at its end or behind a dot; NULL: it does not begin so. */
static const char *after(const char *text, const char *name) {
    const size_t length = strlen(name);
    if (length == 0 || strncmp(text, name, length) != 0) return NULL;
    if (!text[length]) return text + length;
    return text[length] == '.' && text[length + 1] ? text + length + 1 : NULL;
}

/* The first quantity of this kind that the text names, the longest; *rest: what follows. */
static const withy_quantity *quantity_in(int of, const char *text, const char **rest) {
    const withy_quantity *best = NULL;
    for (const withy_quantity *q = NULL; (q = wy_quantity_after(of, q)) != NULL;) {
        const char *left = after(text, q->name);
        if (left && (!best || strlen(q->name) > strlen(best->name))) best = q, *rest = left;
    }
    return best;
}

/* ---- components -------------------------------------------------------------------------------- */

int withy_component_find(const withy_quantity *q, const char *text, int *component) {
    char name[WITHY_NAME];
    if (!q || !text || !component) return 0;
    *component = WITHY_COMPONENTS;
    text += text[0] == '.';
    if (!*text) return 1;
    if (q->size == 1) return 0;
    *component = WITHY_NORM;
    if (strcmp(text, "norm") == 0) return 1;
    for (int i = 0; i < q->size; i++) {
        const char letter = "wxyz"[i + (q->size == 3)], digit = (char)('1' + i);
        *component = i;
        if (!text[1] && (text[0] == letter || text[0] == digit)) return 1;
        if (strcmp(withy_quantity_component(q, i, name, sizeof name), text) == 0) return 1;
    }
    return 0;
}

double withy_component_of(const withy_quantity *q, int component, const double *value) {
    double sum = 0;
    if (component != WITHY_NORM) return value[component > 0 ? component : 0];
    for (int i = 0; i < q->size; i++) sum += value[i] * value[i];
    return sqrt(sum);
}

/* ---- places ------------------------------------------------------------------------------------ */

/* "start", "middle", "finish" or "s=0.2": the arc length, and what is left of the text. */
static const char *place_in(const char *text, double length, double *s) {
    static const char *const word[] = {"start", "middle", "finish"};
    for (int i = 0; i < 3; i++) {
        *s = 0.5 * i * length;
        if (after(text, word[i])) return after(text, word[i]);
    }
    if (strncmp(text, "s=", 2) != 0) return NULL;
    char *end;
    *s = strtod(text + 2, &end);
    if (end == text + 2 || !(*s >= 0 && *s <= length * (1 + 1e-9))) return NULL;
    if (*s > length) *s = length;
    if (*end == '.') return end[1] ? end + 1 : NULL;
    return *end && end[-1] != '.' ? NULL : end; /* "s=2.x": the number ends with the dot */
}

/* A name of its own, or rod2, body1, ...: its index, and what is left; -1: none. */
static int part_in(const withy_names *names, int of, const char *text, const char **rest) {
    static const char *const noun[] = {"rod", "body", "joint", "obstacle"};
    const char *own;
    for (int i = 0; (own = names->name(names->context, of, i)) != NULL; i++) {
        char numbered[WITHY_NAME];
        snprintf(numbered, sizeof numbered, "%s%d", noun[of], i + 1);
        *rest = after(text, own);
        if (!*rest) *rest = after(text, numbered);
        if (*rest) return i;
    }
    return -1;
}

static int set(withy_number *number, withy_probe_of of, const withy_quantity *q) {
    number->at.of = of, number->quantity = q;
    snprintf(number->at.what, sizeof number->at.what, "%s", q->name);
    return 1;
}

/* ---- the kinds: 0, or the component is at *rest ------------------------------------------------- */

static int find_station(const withy_names *names, const char *text, withy_number *number,
                        const char **rest) {
    const char *behind, *place = text;
    int rod = part_in(names, WITHY_OF_ROD, text, &behind);
    if (rod >= 0) place = behind;
    if (rod < 0) rod = 0;
    if (!names->name(names->context, WITHY_OF_ROD, rod)) return 0;
    const char *left = place_in(place, names->length(names->context, rod), &number->at.at);
    if (!left) return 0;
    number->at.rod = rod;
    const withy_quantity *q = quantity_in(WITHY_OF_ROD, left, rest);
    if (!q) *rest = left; /* finish.z: of the position */
    return set(number, WITHY_OF_ROD, q ? q : withy_quantity_find(WITHY_OF_ROD, "position"));
}

static int find_entry(const withy_names *names, const char *text, withy_number *number,
                      const char **rest) {
    static const char *const shorts[][2] = {{"force.start", "reaction_start"},
                                            {"force.finish", "reaction_finish"},
                                            {"moment.start", "reaction_moment_start"},
                                            {"moment.finish", "reaction_moment_finish"}};
    const char *behind;
    number->at.rod = part_in(names, WITHY_OF_ROD, text, &behind);
    if (number->at.rod >= 0) text = behind;
    for (int i = 0; i < 4; i++)
        if ((*rest = after(text, shorts[i][0])) != NULL)
            return set(number, WITHY_OF_LEDGER, withy_quantity_find(WITHY_OF_LEDGER, shorts[i][1]));
    const withy_quantity *q = quantity_in(WITHY_OF_LEDGER, text, rest);
    return q ? set(number, WITHY_OF_LEDGER, q) : 0;
}

static int find_part(const withy_names *names, const char *text, withy_number *number,
                     const char **rest) {
    for (int of = WITHY_OF_BODY; of <= WITHY_OF_OBSTACLE; of++) {
        const char *left;
        const int index = part_in(names, of, text, &left);
        if (index < 0) continue;
        const withy_quantity *q = quantity_in(of, left, rest);
        if (!q) *rest = left;
        number->at.index = index;
        return set(number, (withy_probe_of)of,
                   q ? q : withy_quantity_find(of, of == WITHY_OF_JOINT ? "force" : "position"));
    }
    return 0;
}

int withy_number_find(const withy_names *names, const char *text, withy_number *number) {
    static int (*const find[])(const withy_names *, const char *, withy_number *,
                               const char **) = {find_station, find_entry, find_part};
    if (!names || !text || !number) return 0;
    for (size_t i = 0; i < sizeof find / sizeof *find; i++) {
        const char *rest = NULL;
        *number = (withy_number){0};
        if (find[i](names, text, number, &rest) &&
            withy_component_find(number->quantity, rest, &number->component))
            return 1;
    }
    return 0;
}

/* ---- a problem --------------------------------------------------------------------------------- */

static const char *problem_name(const void *context, int of, int index) {
    const withy_problem *p = context;
    const int count[] = {p->rod_count, p->body_count, p->joint_count, p->obstacle_count};
    if (index >= count[of]) return NULL;
    const char *name = of == WITHY_OF_ROD     ? p->rod[index].name
                       : of == WITHY_OF_BODY  ? p->body[index].name
                       : of == WITHY_OF_JOINT ? p->joint[index].name
                                              : p->obstacle[index].name;
    return name ? name : "";
}

static double problem_length(const void *context, int rod) {
    return ((const withy_problem *)context)->rod[rod].length;
}

withy_names wy_problem_names(const withy_problem *problem) {
    return (withy_names){problem, problem_name, problem_length};
}
