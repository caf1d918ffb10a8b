/* jump.c - see gradient.h.  Where two samples differ, halves of the interval tell whether there is a jump, and find it to
 * rounding; a function whose jump is still there, and as high, at other values of a parameter is not moved by it. */
#include "study/gradient/gradient.h"

/* A function, and its argument that is not searched. */
typedef struct place {
    const withy_field *field;
    double other, length; /* s, or t; of its rod */
    char what[64];
} place;

typedef struct list {
    int along_s, count, room;
    place *place; /* NULL: only counted */
} list;

static void add(list *x, const withy_field *field, double other, double length, const char *group,
                int index, const char *what) {
    if (field->size == 0 || (!field->call && !field->table) || field->input[0]) return;
    if (x->place && x->count < x->room) {
        place *to = &x->place[x->count];
        *to = (place){.field = field, .other = other, .length = length};
        snprintf(to->what, sizeof to->what, "%s[%d].%s", group, index + 1, what);
    }
    x->count++;
}

/* ---- which functions there are ---------------------------------------------------------------------- */

static void list_end(list *x, const withy_rod *rod, int e, int index) {
    const withy_end *end = &rod->end[e];
    const struct {
        const withy_field *field;
        const char *name;
    } row[] = {{&end->position, "position"}, {&end->tangent, "tangent"}, {&end->normal, "normal"},
               {&end->frame, "frame"},       {&end->force, "force"},     {&end->moment, "moment"}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        char name[40];
        snprintf(name, sizeof name, "%s.%s", e ? "finish" : "start", row[i].name);
        add(x, row[i].field, e ? rod->length : 0, rod->length, "rods", index, name);
    }
}

static void list_load(list *x, const withy_load *load, double length, int index) {
    const withy_field *const field[] = {&load->force, &load->moment, &load->tension,
                                        &load->displacement};
    static const char *const name[] = {"force", "moment", "tension", "displacement"};
    static const double share[] = {0.03, 0.25, 0.5, 0.75, 0.97};
    const int spread = load->kind == WITHY_LOAD_DISTRIBUTED;
    for (int i = 0; i < 4; i++) {
        if (x->along_s && spread && i < 2) add(x, field[i], 0, length, "loads", index, name[i]);
        for (int k = 0; k < (spread ? 5 : 1) && !x->along_s; k++)
            add(x, field[i], load->from + (spread ? share[k] : 0) * (load->to - load->from), length,
                "loads", index, name[i]);
    }
}

static void list_shape(list *x, const withy_shape *shape, double length, const char *name,
                       int index) {
    char what[40];
    snprintf(what, sizeof what, "%s.position", name);
    add(x, &shape->position, 0, length, "rods", index, what);
    snprintf(what, sizeof what, "%s.strain", name);
    add(x, &shape->strain, 0, length, "rods", index, what);
}

/* Of what a rod is made, along it. */
static void list_make(list *x, const withy_rod *rod, int index) {
    const withy_section *at = &rod->section;
    const withy_field *const size[] = {&at->a, &at->b, &at->area, &at->second, &at->torsion};
    for (int i = 0; i < WITHY_STRAINS; i++) {
        add(x, &rod->stiffness[i], 0, rod->length, "rods", index, "stiffness");
        add(x, &rod->damping[i], 0, rod->length, "rods", index, "damping");
    }
    for (int i = 0; i < WITHY_INERTIAS; i++)
        add(x, &rod->inertia[i], 0, rod->length, "rods", index, "inertia");
    for (size_t i = 0; i < sizeof size / sizeof *size; i++)
        add(x, size[i], 0, rod->length, "rods", index, "section");
    add(x, &rod->velocity, 0, rod->length, "rods", index, "velocity");
    add(x, &rod->spin, 0, rod->length, "rods", index, "spin");
    list_shape(x, &rod->rest, rod->length, "rest", index);
    list_shape(x, &rod->initial, rod->length, "initial", index);
}

static void list_parts(list *x, const withy_problem *problem) {
    for (int i = 0; i < problem->joint_count; i++) {
        const withy_joint *joint = &problem->joint[i];
        add(x, &joint->drive, 0, 1, "joints", i, "drive");
        add(x, &joint->effort, 0, 1, "joints", i, "effort");
        for (int k = 0; k < 2; k++) add(x, &joint->place[k].path, 0, 1, "joints", i, "at");
    }
    for (int i = 0; i < problem->body_count; i++)
        for (int k = 0; k < problem->body[i].load_count; k++) {
            add(x, &problem->body[i].load[k].force, 0, 1, "bodies", i, "loads.force");
            add(x, &problem->body[i].load[k].moment, 0, 1, "bodies", i, "loads.moment");
        }
}

static void list_all(list *x, const withy_problem *problem) {
    x->count = 0;
    for (int i = 0; i < problem->rod_count; i++) {
        const withy_rod *rod = &problem->rod[i];
        if (x->along_s) list_make(x, rod, i);
        for (int e = 0; e < 2 && !x->along_s; e++) list_end(x, rod, e, i);
        for (int k = 0; k < rod->load_count; k++) list_load(x, &rod->load[k], rod->length, k);
    }
    if (!x->along_s) list_parts(x, problem);
}

/* ---- jumps ------------------------------------------------------------------------------------------- */

static withy_status value(const place *p, int along_s, double at, double *out, withy_error *err) {
    return along_s ? withy_field_at(p->field, at, p->other, out, err)
                   : withy_field_at(p->field, p->other, at, out, err);
}

static double apart(const place *p, const double *a, const double *b) {
    double most = 0;
    for (int i = 0; i < p->field->size; i++) most = wy_max(most, fabs(a[i] - b[i]));
    return most;
}

/* A jump between *a and *b, which close in on it; fa, fb: the values there.  A jump of the size of rounding, of `scale`, does not count: a corner
 * next to a sample.  A change that is steep, but no jump, counts where it is sudden and high: no step resolves it. */
static withy_status find_jump(const place *p, int along_s, double scale, double *a, double *b,
                              double *fa, double *fb, int *found, withy_error *err) {
    enum { MOST = 60, SOON = 4 };
    static const double ROUNDING = 1e-12, HIGH = 0.1;
    const double whole = apart(p, fa, fb);
    double fm[WITHY_FIELD_MAX];
    *found = whole > ROUNDING * scale;
    for (int i = 0; i < MOST && *found; i++) {
        const double m = *a + 0.5 * (*b - *a);
        if (!(m > *a && m < *b)) break;
        WY_TRY(value(p, along_s, m, fm, err));
        const int first = apart(p, fa, fm) > apart(p, fm, fb);
        if (i >= SOON && !(wy_max(apart(p, fa, fm), apart(p, fm, fb)) > 0.4 * whole)) {
            *found = i > SOON && whole > HIGH * scale;
            break;
        }
        *(first ? b : a) = m;
        memcpy(first ? fb : fa, fm, (size_t)p->field->size * sizeof *fm);
    }
    return WITHY_OK;
}

/* The largest of its values. */
static withy_status scale_of(const place *p, int along_s, double from, double to, double *scale,
                             withy_error *err) {
    enum { SAMPLES = 64 };
    double at[WITHY_FIELD_MAX], none[WITHY_FIELD_MAX] = {0};
    *scale = 0;
    for (int n = 0; n <= SAMPLES; n++) {
        WY_TRY(value(p, along_s, from + (to - from) * n / SAMPLES, at, err));
        *scale = wy_max(*scale, apart(p, at, none));
    }
    return WITHY_OK;
}

typedef struct search {
    const wy_jump_range *range;
    const list *here;
    const list *near; /* [2 count] */
    int count;
    wy_jump *found;
    withy_error *err;
} search;

/* How high function i jumps there in another problem: height[]. */
static withy_status height_in(search *x, const list *near, int i, double a, double b,
                              double *height) {
    static const double SAME = 1e-9; /* of the range: the same place */
    const place *p = &x->here->place[i], *q = &near->place[i];
    const int along_s = x->range->along_s;
    const double wide = SAME * (along_s ? p->length : x->range->to);
    const double scale = along_s ? q->length / p->length : 1; /* shares of a rod */
    double before[WITHY_FIELD_MAX], after[WITHY_FIELD_MAX];
    WY_TRY(value(q, along_s, scale * wy_max(a - wide, 0), before, x->err));
    WY_TRY(value(q, along_s, scale * (b + wide), after, x->err));
    for (int c = 0; c < p->field->size; c++) height[c] = after[c] - before[c];
    return WITHY_OK;
}

static int is_alike(const search *x, const list *near, int i) {
    return near->count == x->here->count &&
           near->place[i].field->size == x->here->place[i].field->size;
}

/* Is the jump of function i between a and b elsewhere for other values of a parameter?  One that stays is as high in the mean of
 * a smaller and a larger value; of one that is moved nothing is left there. */
static withy_status compare(search *x, int i, double a, double b, const double *fa,
                            const double *fb) {
    const place *p = &x->here->place[i];
    for (int k = 0; k < x->count && !x->found->moved; k++) {
        const list *near = &x->near[2 * k];
        double low[WITHY_FIELD_MAX], high[WITHY_FIELD_MAX], miss = 0;
        if (!is_alike(x, &near[0], i) || !is_alike(x, &near[1], i))
            continue; /* refused elsewhere */
        WY_TRY(height_in(x, &near[0], i, a, b, low));
        WY_TRY(height_in(x, &near[1], i, a, b, high));
        for (int c = 0; c < p->field->size; c++)
            miss = wy_max(miss, fabs(0.5 * (low[c] + high[c]) - (fb[c] - fa[c])));
        if (!(miss > 0.25 * apart(p, fa, fb))) continue;
        x->found->moved = 1, x->found->parameter = k, x->found->at = b;
        memcpy(x->found->what, p->what, sizeof p->what);
    }
    return WITHY_OK;
}

static withy_status scan(search *x, int i) {
    const place *p = &x->here->place[i];
    const wy_jump_range *r = x->range;
    const double from = r->along_s ? 0 : r->from, to = r->along_s ? p->length : r->to;
    double before[WITHY_FIELD_MAX], now[WITHY_FIELD_MAX], scale;
    WY_TRY(scale_of(p, r->along_s, from, to, &scale, x->err));
    WY_TRY(value(p, r->along_s, from, before, x->err));
    for (int n = 1; n <= r->samples && !x->found->moved; n++) {
        double a = from + (to - from) * (n - 1) / r->samples, fa[WITHY_FIELD_MAX];
        double b = from + (to - from) * n / r->samples, fb[WITHY_FIELD_MAX];
        int found;
        WY_TRY(value(p, r->along_s, b, now, x->err));
        memcpy(fa, before, sizeof fa), memcpy(fb, now, sizeof fb);
        WY_TRY(find_jump(p, r->along_s, scale, &a, &b, fa, fb, &found, x->err));
        if (found) WY_TRY(compare(x, i, a, b, fa, fb));
        memcpy(before, now, sizeof before);
    }
    return WITHY_OK;
}

static withy_status make_list(const withy_problem *problem, int along_s, wy_arena *arena, list *x,
                              withy_error *err) {
    *x = (list){.along_s = along_s};
    list_all(x, problem);
    x->room = x->count;
    x->place = wy_arena_alloc(arena, (size_t)x->count + 1, sizeof *x->place);
    if (!x->place) return wy_no_memory(err, "no memory for derivatives");
    list_all(x, problem);
    return WITHY_OK;
}

withy_status wy_jump_find(const withy_problem *here, const withy_problem *const *near, int count,
                          const wy_jump_range *range, wy_jump *found, withy_error *err) {
    wy_arena arena = {0};
    list own, *other = wy_arena_alloc(&arena, 2 * (size_t)count + 1, sizeof *other);
    *found = (wy_jump){0};
    withy_status status = make_list(here, range->along_s, &arena, &own, err);
    if (!other) status = wy_no_memory(err, "no memory for derivatives");
    for (int k = 0; k < 2 * count && status == WITHY_OK && own.count > 0; k++)
        status = make_list(near[k], range->along_s, &arena, &other[k], err);
    search x = {range, &own, other, count, found, err};
    for (int i = 0; i < own.count && status == WITHY_OK && !found->moved; i++) status = scan(&x, i);
    wy_arena_free(&arena);
    return status;
}
