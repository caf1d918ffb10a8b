/* problem.c - defaults, and the check of everything that can be checked before a method is chosen.
 */
#include "model/cable.h"
#include "model/schema/schema.h"
#include "model/shape/shape.h"

/* Most snapshots, or samples of a probe, of a run. */
static const double MOST_ROWS = 1e9;

static const withy_rod steel_wire = {
    .name = "rod",
    .length = 1.0,
    .section = {.kind = WITHY_SECTION_CIRCLE,
                .a = {.size = 1, .value = {1e-3}},
                .shear_factor = 1.0},
    .material = {.young = 2.0e11, .shear = 7.7e10, .density = 7800},
    .end = {{.kind = WITHY_END_CLAMPED}},
};

void withy_rod_fill(withy_rod *rod, size_t size) {
    if (!rod) return;
    memset(rod, 0, size);
    if (size == sizeof *rod) *rod = steel_wire;
}

void withy_problem_fill(withy_problem *problem, size_t size, uint32_t layout) {
    if (!problem || size < sizeof layout) return;
    memset(problem, 0, size);
    if (size == sizeof *problem && layout == WITHY_LAYOUT)
        *problem = (withy_problem){
            .title = "a steel wire, clamped at one end",
            .rod = &steel_wire,
            .rod_count = 1,
            .request = {.stop = 1.0, .output = 0.01},
        };
    memcpy(problem, &layout, sizeof layout);
}

/* ---- checks: each reports key, value, allowed (check.c) ------------------------------------- */

static withy_status check_shape_values(const char *key, const withy_rod *rod,
                                       const withy_shape *shape, withy_error *err) {
    char name[WITHY_NAME];
    snprintf(name, sizeof name, "%s.radius", key);
    if ((unsigned)shape->kind > WITHY_SHAPE_PLACED)
        return wy_bad_input(err, "%s.kind" WY_KEY " = %d: must be 0 .. %d, see withy_shape_kind",
                            key, (int)shape->kind, WITHY_SHAPE_PLACED);
    if (shape->kind == WITHY_SHAPE_ARC || shape->kind == WITHY_SHAPE_HELIX)
        WY_TRY(wy_check_positive(name, shape->radius, "m", err));
    if (shape->kind == WITHY_SHAPE_PLUCK && !(shape->at > 0 && shape->at < rod->length))
        return wy_bad_input(err, "%s.at" WY_KEY " = %g: must lie between the ends, 0 .. %g [m]",
                            key, shape->at, rod->length);
    if (shape->kind == WITHY_SHAPE_CATENARY && (!v3_finite(shape->from) || !v3_finite(shape->to)))
        return wy_bad_input(err, "%s" WY_KEY ": from and to must be three finite numbers [m]", key);
    if (shape->kind == WITHY_SHAPE_CATENARY && !(v3_norm(shape->direction) > 0))
        return wy_bad_input(
            err, "%s.direction" WY_KEY " is zero; give the direction of gravity, in which it hangs",
            key);
    if (wy_shape_in_time(shape) && shape != &rod->rest)
        return wy_bad_input(err,
                            "%s" WY_KEY ": only the strains of rod.rest can be a function of time; "
                            "give numbers or a function of s",
                            key);
    if (shape->kind == WITHY_SHAPE_STRAIN && !wy_shape_in_time(shape))
        WY_TRY(wy_check_static(key, "strain", &shape->strain, shape->strain.size, err));
    if (shape->kind == WITHY_SHAPE_STRAIN && shape->strain.size != 3 && shape->strain.size != 6)
        return wy_bad_input(
            err, "%s" WY_KEY ": a strain has 3 numbers (bend1, bend2, twist) or 6, not %d", key,
            shape->strain.size);
    if (shape->kind == WITHY_SHAPE_CURVE && (shape->position.size != 3 || !shape->position.call))
        return wy_bad_input(
            err, "%s" WY_KEY ": a curve is a function of s with 3 numbers; this one has %d%s", key,
            shape->position.size, shape->position.call ? "" : " and is not a function");
    if (shape->kind == WITHY_SHAPE_PLACED && (shape->position.size != 3 || shape->frame.size != 4))
        return wy_bad_input(
            err,
            "%s" WY_KEY
            ": a placed rod has a position of 3 numbers and a frame of 4; these have %d and %d",
            key, shape->position.size, shape->frame.size);
    if (shape->kind == WITHY_SHAPE_PLACED) {
        WY_TRY(wy_check_static(key, "position", &shape->position, 3, err));
        WY_TRY(wy_check_static(key, "frame", &shape->frame, 4, err));
    }
    return WITHY_OK;
}

/* Two rods whose walks are the same: a plucked one also depends on ends and stiffness. */
static int same_shape(const withy_rod *a, const withy_shape *x, const withy_rod *b,
                      const withy_shape *y) {
    return a->length == b->length && x->kind != WITHY_SHAPE_PLUCK && memcmp(x, y, sizeof *x) == 0;
}

/* Follow the whole curve once, so that a bad parametrisation is reported before the run. */
static withy_status check_shape(const char *key, const withy_rod *rod, const withy_shape *shape,
                                wy_arena *arena, const wy_curve **curve, withy_error *err) {
    WY_TRY(check_shape_values(key, rod, shape, err));
    if (*curve) return WITHY_OK; /* known */
    const withy_status status = wy_curve_make(rod, shape, arena, curve, err);
    if (status != WITHY_OK) return wy_fail_in(err, status, "%s" WY_KEY ": ", key);
    return WITHY_OK;
}

/* A normal along the rod does not define a frame: its orthogonal part would be rounding error. */
static withy_status check_frame(const char *key, const withy_rod *rod, const withy_shape *shape,
                                const wy_curve *curve, withy_error *err) {
    const vec3 n = shape->normal;
    const vec3 along = v3_is_zero(shape->along) ? v3(0, 0, 1) : shape->along;
    /* shapes with a tangent of their own */
    const int own = shape->kind == WITHY_SHAPE_CURVE || shape->kind == WITHY_SHAPE_THROUGH ||
                    shape->kind == WITHY_SHAPE_CATENARY || shape->kind == WITHY_SHAPE_PLACED;
    const int given = !own && !v3_is_zero(n);
    if (given && !(v3_norm(v3_cross(n, along)) > 1e-9 * v3_norm(n) * v3_norm(along)))
        return wy_bad_input(err,
                            "%s.normal" WY_KEY " (or that of the start, where the shape gives "
                            "none) is along the rod; it must point across it",
                            key);
    wy_pose pose;
    WY_TRY(wy_curve_poses(curve, v3(0, 0, 0), 1, &rod->length, &pose, err));
    if (v3_finite(pose.r) && v3_finite(pose.frame.c1) && v3_finite(pose.frame.c3)) return WITHY_OK;
    return wy_bad_input(
        err, "%s" WY_KEY ": has no finite end; its numbers are too large, or not numbers", key);
}

/* massless: an equilibrium needs no mass, nor does a rod without inertia. */
static withy_status check_sections(const withy_rod *rod, int massless, withy_error *err) {
    if (rod->section.kind != WITHY_SECTION_NONE) {
        WY_TRY(wy_check_positive("rod.material.young", rod->material.young, "Pa", err));
        WY_TRY(wy_check_positive("rod.material.shear", rod->material.shear, "Pa", err));
        WY_TRY(wy_check_positive("rod.material.density", rod->material.density, "kg/m^3", err));
        if (!(rod->section.shear_factor > 0)) /* in a scene it is 1 where it is not given */
            return wy_bad_input(err,
                                "rod.section.shear_factor" WY_KEY " = %g: must be > 0 and <= 1",
                                rod->section.shear_factor);
    }
    enum { SAMPLES = 5 };
    for (int i = 0; i < SAMPLES; i++) {
        const double s = rod->length * i / (SAMPLES - 1);
        wy_section_at at;
        WY_TRY(wy_sections_at(rod, 1, &s, &at, err));
        const double *k = at.stiffness, *rho = at.inertia;
        if (rod->kind == WITHY_CABLE) WY_TRY(wy_cable_check_stretch(k[WITHY_STRETCH], err));
        if (!isfinite(k[WITHY_BEND1]) || !isfinite(k[WITHY_BEND2]))
            return wy_bad_input(err, "rod" WY_KEY ": no bending stiffness is given; give "
                                     "rod.stiffness.bend, or rod.section and rod.material");
        if (!(rho[WITHY_MASS] > 0) && !massless)
            return wy_bad_input(
                err, "rod" WY_KEY
                     ": no mass is given; give rod.inertia.mass, or rod.section and rod.material");
    }
    return WITHY_OK;
}

/* What is free to turn cannot be told how it is turned. */
static withy_status check_turn(const char *name, const withy_end *end, withy_error *err) {
    const struct {
        const char *key;
        const withy_field *field;
    } row[] = {{"normal", &end->normal},
               {"frame", &end->frame},
               {"spin", &end->spin},
               {"spin_rate", &end->spin_rate}};
    for (size_t i = 0; end->turn == WITHY_TURN_FREE && i < sizeof row / sizeof *row; i++)
        if (row[i].field->size)
            return wy_bad_input(err,
                                "%s" WY_KEY ": turn = \"free\" lets the section turn about the "
                                "tangent and %s says how it is turned; keep one",
                                name, row[i].key);
    return WITHY_OK;
}

/* The gap between the shape and the prescribed pose, and the shape moved by it if it is rounding. */
static withy_status fit_end(const withy_rod *rod, int which, wy_rod_model *out, withy_error *err) {
    wy_end end;
    wy_gap gap;
    wy_end_place(rod, which, &out->end[which], &end);
    end.origin = out->initial->from, end.start.r = out->reach[which];
    WY_TRY(wy_end_gap(&end, &gap, err));
    if (!wy_gap_is_small(&gap, &end, rod->length)) {
        out->gap[which] = gap, out->misses[which] = 1;
        return WITHY_OK;
    }
    out->move[which] = gap;
    out->moved |= !v3_is_zero(gap.shift) || !v3_is_zero(gap.turn);
    out->reach[which] = v3_add(out->reach[which], gap.shift);
    out->end[which] = (wy_pose){v3_add(out->end[which].r, gap.shift),
                                m3_mulm(q_matrix(q_exp(gap.turn)), out->end[which].frame)};
    return WITHY_OK;
}

static withy_status check_end(const withy_rod *rod, int which, wy_rod_model *out,
                              withy_error *err) {
    const withy_end *end = &rod->end[which];
    const char *name = which ? "ends.finish" : "ends.start";
    if ((unsigned)end->kind >= (unsigned)wy_end_kinds())
        return wy_bad_input(err, "%s.kind" WY_KEY " = %d: must be 0 .. %d, see withy_end_kind",
                            name, (int)end->kind, wy_end_kinds() - 1);
    WY_TRY(wy_check_values(WY_IN_END, (int)end->kind, end, name, err));
    WY_TRY(check_turn(name, end, err));
    if (end->tangent.size && end->frame.size)
        return wy_bad_input(err, "%s" WY_KEY ": tangent and frame are both given; keep one", name);
    return fit_end(rod, which, out, err);
}

static withy_status check_loads(const withy_rod *rod, const char *list, const withy_load *loads,
                                int count, withy_error *err) {
    WY_TRY(wy_check_count(list, count, loads, err));
    for (int i = 0; i < count; i++) {
        const withy_load *load = &loads[i];
        char key[WITHY_NAME];
        snprintf(key, sizeof key, "%s[%d]", list, i + 1);
        if ((unsigned)load->kind > WITHY_LOAD_CHAMBER)
            return wy_bad_input(err, "%s.kind" WY_KEY " = %d: must be 0 .. %d, see withy_load_kind",
                                key, (int)load->kind, WITHY_LOAD_CHAMBER);
        WY_TRY(wy_check_values(WY_IN_LOAD, (int)load->kind, load, key, err));
        snprintf(key, sizeof key, "%s[%d].%s", list, i + 1,
                 load->kind == WITHY_LOAD_POINT ? "at" : "from");
        WY_TRY(wy_check_on_rod(key, load->from, rod, err));
        if (load->kind == WITHY_LOAD_POINT) continue;
        snprintf(key, sizeof key, "%s[%d].to", list, i + 1);
        WY_TRY(wy_check_on_rod(key, load->to, rod, err));
        if (load->to < load->from)
            return wy_bad_input(err, "%s" WY_KEY " = %g: must be at least from = %g [m]", key,
                                load->to, load->from);
    }
    return WITHY_OK;
}

/* What cannot be given with a law that follows the section, or its stiffness. */
static withy_status check_alone(const withy_rod *rod, const char *name, int stiffness,
                                withy_error *err) {
    int given = rod->stiffness_matrix[0].size;
    for (int i = 0; i < WITHY_STRAINS && !stiffness; i++) given |= rod->stiffness[i].size;
    if (given)
        return wy_bad_input(err, "rod.law" WY_KEY ": %s cannot be combined with rod.stiffness%s",
                            name, stiffness ? ".matrix" : "; it follows from section and material");
    if (rod->tension == 0) return WITHY_OK;
    return wy_bad_input(err,
                        "rod.law" WY_KEY ": %s cannot be combined with rod.tension; pull the rod "
                        "by an end instead",
                        name);
}

static withy_status check_fibres(const withy_rod *rod, const char *name, withy_error *err) {
    static const int LEAST = 8, MOST = 4096;
    const withy_law *law = &rod->law;
    const withy_section_kind kind = rod->section.kind;
    if (kind == WITHY_SECTION_NONE || kind == WITHY_SECTION_CUSTOM)
        return wy_bad_input(err,
                            "rod.law" WY_KEY ": %s follows the fibres of a section, and %s; give "
                            "rod.section = circle, tube, ellipse or rectangle, or use rod.law = "
                            "yielding { ... }",
                            name, kind ? "a custom section has no shape" : "the rod has none");
    if ((law->fibres && (law->fibres < LEAST || law->fibres > MOST)) ||
        (law->layers && (law->layers < LEAST || law->layers > MOST)))
        return wy_bad_input(err, "rod.law.%s" WY_KEY " = %d: must be >= %d and <= %d",
                            law->layers ? "layers" : "fibres",
                            law->layers ? law->layers : law->fibres, LEAST, MOST);
    if (law->layers && kind != WITHY_SECTION_RECTANGLE)
        return wy_bad_input(err, "rod.law.layers" WY_KEY ": only a rectangle has layers; give "
                                 "rod.law.fibres");
    return check_alone(rod, name, 0, err);
}

static withy_status check_yielding(const withy_rod *rod, withy_error *err) {
    int given = 0;
    for (int i = 0; i < WITHY_STRAINS; i++) {
        const withy_field *limit = &rod->law.limit[i];
        given |= limit->size;
        if (limit->size && !limit->call && !(limit->value[0] > 0))
            return wy_bad_input(err,
                                "rod.law" WY_KEY ": a yield force or moment is %g; it must be > 0",
                                limit->value[0]);
    }
    if (!given)
        return wy_bad_input(err, "rod.law" WY_KEY ": yielding needs a yield force or moment: "
                                 "shear, stretch, bend or twist");
    return check_alone(rod, "yielding", 1, err);
}

static withy_status check_superelastic(const withy_rod *rod, withy_error *err) {
    const withy_law *law = &rod->law;
    if (!(law->reverse < law->forward))
        return wy_bad_input(err, "rod.law.reverse" WY_KEY " = %g: must be below forward = %g [Pa]",
                            law->reverse, law->forward);
    return check_fibres(rod, "superelastic", err);
}

static withy_status check_rubber(const withy_rod *rod, withy_error *err) {
    static const double ROUNDING = 1e-6;
    const withy_material *m = &rod->material;
    if (rod->section.kind == WITHY_SECTION_NONE)
        return wy_bad_input(err, "rod.law" WY_KEY ": rubber needs rod.section and rod.material");
    if (fabs(m->young - 3 * m->shear) > ROUNDING * m->young)
        return wy_bad_input(err,
                            "rod.law" WY_KEY
                            ": rubber is incompressible; give rod.material.poisson "
                            "= 0.5, which is now %.6g",
                            m->young / (2 * m->shear) - 1);
    return check_alone(rod, "rubber", 0, err);
}

static withy_status check_ribbon(const withy_rod *rod, withy_error *err) {
    if (rod->section.kind != WITHY_SECTION_RECTANGLE)
        return wy_bad_input(err,
                            "rod.law" WY_KEY ": ribbon needs rod.section = rectangle { width = "
                            "..., height = ... } and rod.material");
    if (!wy_shape_is_straight(&rod->rest))
        return wy_bad_input(err, "rod.law" WY_KEY ": ribbon needs a straight rod.rest");
    return check_alone(rod, "ribbon", 0, err);
}

static withy_status check_curve(const withy_curve *curve, const char *name, withy_error *err) {
    WY_TRY(wy_check_count("rod.law", curve->row_count, curve->row, err));
    double below = 0, before = -INFINITY;
    for (int i = 0; i < curve->row_count; i++) {
        const double e = curve->row[i][0], y = curve->row[i][1];
        const char *why = NULL;
        if (!isfinite(e) || !isfinite(y))
            why = "is not finite";
        else if (i && !(e > curve->row[i - 1][0]))
            why = "has a strain that is not above that of the row before";
        else if (i && y < before)
            why = "falls, and a section whose force falls is unstable";
        else if (e == 0 ? y != 0 : y * e < 0)
            why = "has not the sign of its strain";
        else if (y == 0 && e != 0)
            why = "has no force, so that there is no stiffness at rest";
        if (why)
            return wy_bad_input(err, "rod.law.%s" WY_KEY ": row %d, { %g, %g }, %s", name, i + 1, e,
                                y, why);
        before = y, below = e;
    }
    if (curve->row_count && !(below > 0))
        return wy_bad_input(err, "rod.law.%s" WY_KEY ": no row has a positive strain", name);
    return WITHY_OK;
}

static withy_status check_tabulated(const withy_rod *rod, withy_error *err) {
    static const char *const name[WITHY_STRAINS] = {"shear1", "shear2", "stretch",
                                                    "bend1",  "bend2",  "twist"};
    int given = 0;
    for (int i = 0; i < WITHY_STRAINS; i++) {
        WY_TRY(check_curve(&rod->law.curve[i], name[i], err));
        given += rod->law.curve[i].row_count;
    }
    if (!given)
        return wy_bad_input(err, "rod.law" WY_KEY ": tabulated needs a table: shear1, shear2, "
                                 "stretch, bend1, bend2 or twist");
    return check_alone(rod, "tabulated", 1, err);
}

static withy_status check_law(const withy_rod *rod, withy_error *err) {
    const withy_law *law = &rod->law;
    double sum = 0;
    if ((unsigned)law->kind > WITHY_LAW_TABULATED)
        return wy_bad_input(err, "rod.law.kind" WY_KEY " = %d: must be 0 .. %d, see withy_law_kind",
                            (int)law->kind, WITHY_LAW_TABULATED);
    if (law->of != WITHY_OF_ALL && rod->stiffness_matrix[0].size)
        return wy_bad_input(err,
                            "rod.law.of" WY_KEY
                            " = \"shear\": a stiffness matrix relaxes as a whole; leave it out");
    WY_TRY(wy_check_values(WY_IN_LAW, (int)law->kind, law, "rod.law", err));
    switch (law->kind) {
    case WITHY_LAW_PLASTIC: return check_fibres(rod, "plastic", err);
    case WITHY_LAW_SUPERELASTIC: return check_superelastic(rod, err);
    case WITHY_LAW_YIELDING: return check_yielding(rod, err);
    case WITHY_LAW_RUBBER: return check_rubber(rod, err);
    case WITHY_LAW_RIBBON: return check_ribbon(rod, err);
    case WITHY_LAW_TABULATED: return check_tabulated(rod, err);
    default: break;
    }
    if (law->kind == WITHY_LAW_VISCOELASTIC && (law->term_count < 1 || !law->term))
        return wy_bad_input(err, "rod.law.terms" WY_KEY ": there are none");
    for (int i = 0; law->kind == WITHY_LAW_VISCOELASTIC && i < law->term_count; i++) {
        const withy_relaxation *x = &law->term[i];
        if (!(x->share > 0) || !(x->time > 0) || !isfinite(x->time))
            return wy_bad_input(err,
                                "rod.law.terms[%d]" WY_KEY
                                " = { %g, %g }: share and time must be > 0, and finite",
                                i + 1, x->share, x->time);
        sum += x->share;
    }
    if (sum < 1) return WITHY_OK;
    return wy_bad_input(err,
                        "rod.law.terms" WY_KEY
                        ": the shares are %g together; they must be below 1, so that a "
                        "stiffness remains",
                        sum);
}

static withy_status check_rod_values(const withy_rod *rod, int massless, withy_error *err) {
    const withy_section *section = &rod->section;
    WY_TRY(wy_check_values(WY_IN_ROD, 0, rod, "rod", err));
    if ((unsigned)section->kind > WITHY_SECTION_CUSTOM)
        return wy_bad_input(
            err, "rod.section.kind" WY_KEY " = %d: must be 0 .. %d, see withy_section_kind",
            (int)section->kind, WITHY_SECTION_CUSTOM);
    WY_TRY(wy_check_values(WY_IN_SECTION, (int)section->kind, section, "rod.section", err));
    WY_TRY(check_law(rod, err));
    WY_TRY(wy_cable_check(rod, err));
    if (rod->damping_law == WITHY_DAMPING_ELASTICA && !wy_shape_is_straight(&rod->rest))
        return wy_bad_input(err, "rod.damping.law" WY_KEY
                                 " = \"elastica\": requires a straight rod.rest, and this one is "
                                 "curved; use \"dissertation\"");
    if (rod->rest.kind == WITHY_SHAPE_PLUCK)
        return wy_bad_input(
            err,
            "rod.rest" WY_KEY
            ": a plucked shape has a kink and cannot be a rest shape; use it in initial.shape");
    return check_sections(rod, massless || rod->viscous.massless, err);
}

static withy_status follow_shapes(const withy_rod *rod, const withy_rod *like,
                                  const wy_rod_model *known, wy_arena *arena, wy_rod_model *out,
                                  withy_error *err) {
    const int given = rod->initial.kind != WITHY_SHAPE_NONE;
    const double ends[2] = {0, rod->length};
    *out = (wy_rod_model){0};
    if (like && same_shape(rod, &rod->rest, like, &like->rest)) out->rest = known->rest;
    if (like && given && same_shape(rod, &rod->initial, like, &like->initial))
        out->initial = known->given;
    WY_TRY(check_shape("rod.rest", rod, &rod->rest, arena, &out->rest, err));
    if (!given) out->initial = out->rest;
    WY_TRY(check_shape("initial.shape", rod, &rod->initial, arena, &out->initial, err));
    out->given = out->initial;
    WY_TRY(wy_curve_poses(out->initial, out->initial->from, 2, ends, out->end, err));
    for (int e = 0; e < 2; e++) {
        out->reach[e] = out->end[e].r;
        out->end[e].r = v3_add(out->initial->from, out->end[e].r);
    }
    return WITHY_OK;
}

withy_status wy_rod_compile(const withy_rod *rod, int massless, const withy_rod *like,
                            const wy_rod_model *known, wy_arena *arena, wy_rod_model *out,
                            withy_error *err) {
    WY_TRY(check_rod_values(rod, massless, err));
    WY_TRY(follow_shapes(rod, like, known, arena, out, err));
    for (int i = 0; i < 2; i++) /* before the frames: gives a better message about a wrong normal */
        WY_TRY(check_end(rod, i, out, err));
    WY_TRY(wy_closed_check(rod, out->end, err));
    WY_TRY(check_frame("rod.rest", rod, &rod->rest, out->rest, err));
    if (rod->initial.kind != WITHY_SHAPE_NONE)
        WY_TRY(check_frame("initial.shape", rod, &rod->initial, out->initial, err));
    WY_TRY(check_loads(rod, "initial.loads", rod->pull, rod->pull_count, err));
    return check_loads(rod, "loads", rod->load, rod->load_count, err);
}

/* The rod, body or joint of a probe. */
static withy_status check_probed(const withy_problem *problem, const withy_probe *probe,
                                 withy_error *err) {
    static const char *const word[] = {"rod", "body", "joint", "obstacle", "rod"};
    const int count[] = {problem->rod_count, problem->body_count, problem->joint_count,
                         problem->obstacle_count, problem->rod_count};
    const int of_rod = probe->of == WITHY_OF_ROD || probe->of == WITHY_OF_LEDGER;
    char key[2 * WITHY_NAME];
    if ((unsigned)probe->of > WITHY_OF_LEDGER)
        return wy_bad_input(err, "probes.%s.of" WY_KEY " = %d: must be 0 .. %d, see withy_probe_of",
                            probe->name, (int)probe->of, WITHY_OF_LEDGER);
    const int index = of_rod ? probe->rod : probe->index;
    if (probe->of == WITHY_OF_LEDGER && index == -1) return WITHY_OK; /* of the scene */
    if (index < 0 || index >= count[probe->of])
        return wy_bad_input(err, "probes.%s.%s" WY_KEY " = %d: must be 1 .. %d", probe->name,
                            word[probe->of], index + 1, count[probe->of]);
    if (probe->of != WITHY_OF_ROD) return WITHY_OK;
    snprintf(key, sizeof key, "probes.%s.at", probe->name);
    return wy_check_on_rod(key, probe->at, &problem->rod[index], err);
}

static withy_status check_probes(const withy_problem *problem, withy_error *err) {
    const withy_request *request = &problem->request;
    for (int i = 0; i < request->probe_count; i++) {
        const withy_probe *probe = &request->probe[i];
        char key[2 * WITHY_NAME];
        WY_TRY(check_probed(problem, probe, err));
        snprintf(key, sizeof key, "probes.%s.every", probe->name);
        WY_TRY(wy_check_not_negative(key, probe->every, "s", err));
        if (probe->every > 0 && request->stop / probe->every > MOST_ROWS)
            return wy_bad_input(
                err,
                "%s" WY_KEY " = %g: asks for %.3g samples up to time.stop = %g, more than %g; "
                "choose a longer interval, or 0 for every step",
                key, probe->every, request->stop / probe->every, request->stop, MOST_ROWS);
    }
    return WITHY_OK;
}

withy_status wy_request_check(const withy_problem *problem, withy_error *err) {
    const withy_request *request = &problem->request;
    WY_TRY(wy_check_count("probes", request->probe_count, request->probe, err));
    if (wy_is_static(problem) && request->stop == 0 && request->output == 0)
        return check_probes(problem, err); /* nothing to run */
    WY_TRY(wy_check_positive("time.stop", request->stop, "s", err));
    WY_TRY(wy_check_positive("time.output", request->output, "s", err));
    if (request->output > request->stop * (1 + 1e-12))
        return wy_bad_input(err, "time.output" WY_KEY " = %g: must be at most time.stop = %g [s]",
                            request->output, request->stop);
    if (request->stop / request->output > MOST_ROWS)
        return wy_bad_input(err,
                            "time.output" WY_KEY " = %g: asks for %.3g snapshots up to time.stop = "
                            "%g, more than %g; choose a longer interval",
                            request->output, request->stop / request->output, request->stop,
                            MOST_ROWS);
    if (request->stations != 0 && request->stations < 2)
        return wy_bad_input(err,
                            "time.stations" WY_KEY " = %d: must be 0 (the method's nodes) or >= 2",
                            request->stations);
    return check_probes(problem, err);
}

static withy_status check_floor(const withy_floor *floor_, withy_error *err) {
    if (!floor_->given) return WITHY_OK;
    WY_TRY(wy_check_values(WY_IN_FLOOR, 0, floor_, "floor", err));
    const double length = v3_norm(floor_->normal);
    if (fabs(length - 1) <= 1e-6) return WITHY_OK;
    return wy_bad_input(err,
                        "floor.normal" WY_KEY
                        " has length %.9g; it must be a unit vector (divide it by its length)",
                        length);
}

static withy_status check_rotating(const withy_problem *problem, withy_error *err) {
    const withy_rotating *frame = &problem->rotating;
    if (!frame->given) return WITHY_OK;
    WY_TRY(wy_check_values(WY_IN_ROTATING, 0, frame, "rotating", err));
    const double across = v3_norm(v3_cross(frame->spin, problem->gravity));
    if (across <= 1e-9 * v3_norm(frame->spin) * v3_norm(problem->gravity)) return WITHY_OK;
    return wy_bad_input(err, "rotating" WY_KEY
                             ": gravity is not along the axis of the spin, so that in the turning "
                             "frame it is not steady; remove it, or turn about its direction");
}

static withy_status check_through(const withy_path *path, withy_error *err) {
    WY_TRY(wy_check_count("path.through", path->through_count, path->through, err));
    if (path->through_count < 2)
        return wy_bad_input(err, "path.through" WY_KEY ": must have at least two load factors");
    if (path->arc_length)
        return wy_bad_input(err, "path.arc_length" WY_KEY
                                 " = true: a path by arc length finds its factors itself and "
                                 "cannot go through given ones; leave it or path.through out");
    for (int i = 0; i < path->through_count; i++)
        if (!isfinite(path->through[i]))
            return wy_bad_input(err, "path.through[%d]" WY_KEY " = %g: must be finite", i + 1,
                                path->through[i]);
    const double points = (double)path->steps * (path->through_count - 1);
    if (points <= 1e6) return WITHY_OK;
    return wy_bad_input(err,
                        "path.steps" WY_KEY " = %d: path.through makes %g points of it, and "
                        "the most is 1000000",
                        path->steps, points);
}

static withy_status check_path(const withy_path *path, withy_error *err) {
    if (!path->given) return WITHY_OK;
    WY_TRY(wy_check_finite("path.from", path->from, "-", err));
    WY_TRY(wy_check_finite("path.to", path->to, "-", err));
    if (path->steps < 1)
        return wy_bad_input(err, "path.steps" WY_KEY " = %d: must be >= 1", path->steps);
    return path->through_count ? check_through(path, err) : WITHY_OK;
}

withy_status wy_problem_check_counts(const withy_problem *problem, withy_error *err) {
    if (!problem || problem->layout == 0)
        return wy_bad_input(err,
                            "the problem was not made by withy_problem_default(); start from it");
    if (problem->layout != WITHY_LAYOUT)
        return wy_bad_input(
            err,
            "the problem was made by a program that was compiled with the headers of another withy "
            "(layout %08x, that of withy %s is %08x); compile it again",
            (unsigned)problem->layout, WITHY_VERSION, (unsigned)WITHY_LAYOUT);
    WY_TRY(wy_check_count("bodies", problem->body_count, problem->body, err));
    WY_TRY(wy_check_count("joints", problem->joint_count, problem->joint, err));
    if (problem->body_count > 0 && problem->rod_count == 0) return WITHY_OK;
    if (problem->rod_count < 1 || !problem->rod)
        return wy_bad_input(err, "there is no rod; give rod = { ... }");
    return WITHY_OK;
}

static withy_status check_magnets(const withy_problem *problem, withy_error *err) {
    const withy_magnetic *field = &problem->magnetic;
    if (field->given) {
        WY_TRY(wy_check_values(WY_IN_MAGNETIC, 0, field, "field", err));
        return wy_check_field("field", "value", &field->value, 3, err);
    }
    for (int i = 0; i < problem->rod_count; i++)
        if (problem->rod[i].magnet.size)
            return wy_bad_input(err, "rod.magnet" WY_KEY " does nothing without a field; give "
                                     "field = { value = { x, y, z } } [T], or leave it out");
    return WITHY_OK;
}

withy_status wy_problem_check_rest(const withy_problem *problem, withy_error *err) {
    WY_TRY(wy_check_values(WY_IN_PROBLEM, 0, problem, "", err));
    WY_TRY(check_floor(&problem->floor, err));
    WY_TRY(check_rotating(problem, err));
    WY_TRY(check_magnets(problem, err));
    return check_path(&problem->path, err);
}
