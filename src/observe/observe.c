/* observe.c - complete a snapshot with the same formulas for every method.
 *
 *   n = R C (gamma),  m = R D (kappa)                     when the method gives strains only
 *   T = 1/2 int rho A |v|^2 + w . (R rho J R^T w)         by the trapezoidal rule over the stations
 *   V = 1/2 int C gamma^2 + D kappa^2
 */
#include "observe/observe.h"

withy_status wy_snapshot_make(wy_arena *arena, int count, const double *s, withy_snapshot *snap,
                              withy_error *err) {
    const size_t n = (size_t)count;
    *snap = (withy_snapshot){.count = count, .requested = ~0u};
    wy_allocator from = {.arena = arena};
    snap->s = wy_allocator_alloc(&from, n, sizeof *snap->s);
    for (const withy_quantity *q = NULL; (q = wy_quantity_after(WITHY_OF_ROD, q)) != NULL;)
        wy_quantity_set_array(q, snap,
                              wy_allocator_alloc(&from, n * (size_t)q->size, sizeof(double)));
    if (from.failed) return wy_no_memory(err, "no memory for a snapshot of %d stations", count);
    memcpy(snap->s, s, n * sizeof *s);
    return WITHY_OK;
}

withy_status wy_observer_make(wy_arena *arena, const withy_problem *problem, int rod,
                              const withy_snapshot *snap, wy_observer *observer, withy_error *err) {
    const size_t n = (size_t)snap->count;
    const withy_law_kind kind = problem->rod[rod].law.kind;
    *observer = (wy_observer){.count = snap->count,
                              .gravity = problem->gravity,
                              .curved = kind >= WITHY_LAW_PLASTIC,
                              .yields = kind >= WITHY_LAW_PLASTIC && kind <= WITHY_LAW_YIELDING};
    observer->stiffness = wy_arena_alloc(arena, n, sizeof *observer->stiffness);
    observer->inertia = wy_arena_alloc(arena, n, sizeof *observer->inertia);
    observer->weight = wy_arena_alloc(arena, n, sizeof *observer->weight);
    if (!observer->stiffness || !observer->inertia || !observer->weight)
        return wy_no_memory(err, "no memory for observing %d stations", snap->count);
    const withy_section *section = &problem->rod[rod].section;
    const int tube = section->kind == WITHY_SECTION_TUBE;
    if (tube || section->kind == WITHY_SECTION_CIRCLE) {
        observer->radius = wy_arena_alloc(arena, n, sizeof *observer->radius);
        if (!observer->radius)
            return wy_no_memory(err, "no memory for observing %d stations", snap->count);
    }
    for (int i = 0; i < snap->count; i++) {
        double outer[WITHY_FIELD_MAX], inner[WITHY_FIELD_MAX] = {0};
        wy_section_at at;
        if (observer->radius) WY_TRY(withy_field_at(&section->a, snap->s[i], 0, outer, err));
        if (tube) WY_TRY(withy_field_at(&section->b, snap->s[i], 0, inner, err));
        if (observer->radius)
            observer->radius[i][0] = 0.5 * outer[0], observer->radius[i][1] = 0.5 * inner[0];
        WY_TRY(wy_sections_at(&problem->rod[rod], 1, &snap->s[i], &at, err));
        memcpy(observer->stiffness[i], at.stiffness, sizeof at.stiffness);
        memcpy(observer->inertia[i], at.inertia, sizeof at.inertia);
        const double left = i > 0 ? snap->s[i] - snap->s[i - 1] : 0.0;
        const double right = i + 1 < snap->count ? snap->s[i + 1] - snap->s[i] : 0.0;
        observer->weight[i] = 0.5 * (left + right);
    }
    return WITHY_OK;
}

/* Stress of three strains; the stress of a rigid strain does not follow from its strain. */
static vec3 stress_of(const double k[3], vec3 e) {
    return v3(isfinite(k[0]) ? k[0] * e.x : 0, isfinite(k[1]) ? k[1] * e.y : 0,
              isfinite(k[2]) ? k[2] * e.z : 0);
}

static int all_finite(const wy_observer *observer, int first) {
    for (int i = 0; i < observer->count; i++)
        for (int j = first; j < first + 3; j++)
            if (!isfinite(observer->stiffness[i][j])) return 0;
    return 1;
}

static void complete_stresses(const wy_observer *observer, withy_snapshot *snap) {
    const unsigned have = snap->have;
    const int force =
        !(have & WITHY_HAVE_FORCE) && (have & WITHY_HAVE_SHEAR) && all_finite(observer, 0);
    const int moment =
        !(have & WITHY_HAVE_MOMENT) && (have & WITHY_HAVE_BEND) && all_finite(observer, 3);
    for (int i = 0; i < snap->count && (have & WITHY_HAVE_FRAME); i++) {
        const double *k = observer->stiffness[i];
        if (force) snap->force[i] = q_turn(snap->frame[i], stress_of(k, snap->shear[i]));
        if (moment) snap->moment[i] = q_turn(snap->frame[i], stress_of(k + 3, snap->bend[i]));
    }
    if (have & WITHY_HAVE_FRAME)
        snap->have |= (force ? WITHY_HAVE_FORCE : 0u) | (moment ? WITHY_HAVE_MOMENT : 0u);
}

/* Angular momentum of the section at station i, R rho J R^T w. */
static vec3 section_momentum(const wy_observer *observer, const withy_snapshot *snap, int i) {
    if (!(snap->have & WITHY_HAVE_SPIN) || !(snap->have & WITHY_HAVE_FRAME)) return v3(0, 0, 0);
    const double *rho = observer->inertia[i];
    const mat3 frame = q_matrix(snap->frame[i]);
    const vec3 w = m3_tmul(frame, snap->spin[i]);
    return m3_mul(frame,
                  v3(rho[WITHY_ROTARY1] * w.x, rho[WITHY_ROTARY2] * w.y, rho[WITHY_ROTARY3] * w.z));
}

static void add_energy(const wy_observer *observer, const withy_snapshot *snap, int i,
                       withy_energies *sum) {
    const double *k = observer->stiffness[i], rho = observer->inertia[i][WITHY_MASS];
    const double w = observer->weight[i];
    const vec3 shear = snap->shear[i], bend = snap->bend[i];
    if (snap->have & WITHY_HAVE_SHEAR) {
        const vec3 n = stress_of(k, shear);
        sum->shear += 0.5 * w * (n.x * shear.x + n.y * shear.y);
        sum->stretch += 0.5 * w * n.z * shear.z;
    }
    if (snap->have & WITHY_HAVE_BEND) {
        const vec3 m = stress_of(k + 3, bend);
        sum->bend += 0.5 * w * (m.x * bend.x + m.y * bend.y);
        sum->twist += 0.5 * w * m.z * bend.z;
    }
    sum->kinetic += 0.5 * w * rho * v3_dot(snap->velocity[i], snap->velocity[i]);
    if (snap->have & WITHY_HAVE_SPIN)
        sum->kinetic += 0.5 * w * v3_dot(section_momentum(observer, snap, i), snap->spin[i]);
    sum->gravity -= w * rho * v3_dot(observer->gravity, snap->position[i]);
}

static void complete_energy(const wy_observer *observer, withy_snapshot *snap) {
    withy_energies sum = {0};
    for (int i = 0; i < snap->count; i++) add_energy(observer, snap, i, &sum);
    snap->energy = sum;
    snap->have |= WITHY_HAVE_ENERGY;
}

static void complete_momentum(const wy_observer *observer, withy_snapshot *snap) {
    vec3 linear = v3(0, 0, 0), angular = linear;
    for (int i = 0; i < snap->count; i++) {
        const double m = observer->weight[i] * observer->inertia[i][WITHY_MASS];
        const vec3 p = v3_scale(m, snap->velocity[i]);
        linear = v3_add(linear, p);
        angular = v3_add(angular, v3_cross(snap->position[i], p));
        angular = v3_axpy(angular, observer->weight[i], section_momentum(observer, snap, i));
    }
    snap->momentum = linear;
    snap->angular_momentum = angular;
    snap->have |= WITHY_HAVE_MOMENTUM;
}

void wy_observe(const wy_observer *observer, withy_snapshot *snap) {
    const unsigned moving = WITHY_HAVE_POSITION | WITHY_HAVE_VELOCITY;
    complete_stresses(observer, snap);
    if ((snap->have & moving) != moving || snap->count < 2) return;
    if ((snap->requested & WITHY_HAVE_ENERGY) && !(snap->have & WITHY_HAVE_ENERGY))
        complete_energy(observer, snap);
    if ((snap->requested & WITHY_HAVE_MOMENTUM) && !(snap->have & WITHY_HAVE_MOMENTUM))
        complete_momentum(observer, snap);
}

void wy_snapshot_find(const wy_observer *observer, withy_snapshot *snap) {
    static int (*const find[])(const wy_observer *, const withy_snapshot *, double *) = {
#define STATION(...)
#define NUMBER(...)
#define FOUND(name, ...) wy_find_##name,
#include "observe/quantity.inc"
#undef FOUND
#undef NUMBER
#undef STATION
    };
    int k = 0;
    for (const withy_quantity *q = NULL; (q = wy_quantity_after(WITHY_OF_ROD, q)) != NULL;) {
        if (!q->needs) continue;
        const int known = (snap->have & q->needs) == q->needs && (snap->requested & q->have);
        if (known && find[k](observer, snap, wy_quantity_array(q, snap))) snap->have |= q->have;
        k++;
    }
}

/* Errors of modes and depths of contacts may be infinite. */
static const unsigned FINITE = WITHY_HAVE_ENERGY | WITHY_HAVE_CONSERVED | WITHY_HAVE_WORK |
                               WITHY_HAVE_MOMENTUM | WITHY_HAVE_CONSTRAINT | WITHY_HAVE_REACTION |
                               WITHY_HAVE_REACTION_MOMENT;

static int finite_numbers(const double *x, size_t count) {
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += x[i] * 0.0; /* NaN and infinity survive, others do not */
    return sum == 0.0;
}

const char *wy_snapshot_not_finite(const withy_snapshot *snap) {
    for (const withy_quantity *q = NULL; (q = wy_quantity_after(WITHY_OF_ROD, q)) != NULL;) {
        const double *x = withy_quantity_at(q, snap, 0);
        if (x && !finite_numbers(x, (size_t)snap->count * (size_t)q->size)) return q->name;
    }
    for (const withy_quantity *q = NULL; (q = wy_quantity_after(WITHY_OF_LEDGER, q)) != NULL;) {
        double x[WY_QUANTITY_SIZE];
        if (!wy_quantity_in(q, snap->have & FINITE)) continue;
        wy_quantity_get(q, snap, x);
        if (!finite_numbers(x, (size_t)q->size)) return q->name;
    }
    return NULL;
}
