/* gradient_seed.c - the fields of a parameter, from the problem set up at four values of it.
 *
 * Nothing is solved: fields are differenced with five points, whose error is 1e-13 at a step of 1e-3 of the
 * parameter, so that whatever a scene makes of a parameter is differentiated without a formula of its own.
 */
#include <string.h>

#include "method/director/gradient.h"

/* The set-ups, and which lane they fill. */
typedef struct seed {
    wy_director *x, *at[4];
    wy_slope_fields *field;
    int lane;
    double step;
    double *rough; /* wy_slope_rough of all of them */
} seed;

/* unit < 0: what is not given but found, as velocities of a start are. */
static double five(const seed *s, double unit, const double f[4]) {
    if (unit >= 0) wy_slope_rough(f, unit, s->rough);
    return wy_slope_five(f, s->step);
}
static vec3 five3(const seed *s, double unit, const vec3 f[4]) {
    if (unit >= 0) wy_slope_rough3(f, unit, s->rough);
    return wy_slope_five3(f, s->step);
}

/* One number of each set-up; of what may be rounding, its unit. */
#define FIVE(s, expression) FIVE_IN(s, 0, expression)
#define FIVE3(s, expression) FIVE3_IN(s, 0, expression)
#define FIVE_IN(s, unit, expression)                                                               \
    five(s, unit,                                                                                  \
         (const double[4]){SEED_AT(s, 0, expression), SEED_AT(s, 1, expression),                   \
                           SEED_AT(s, 2, expression), SEED_AT(s, 3, expression)})
#define FIVE3_IN(s, unit, expression)                                                              \
    five3(s, unit,                                                                                 \
          (const vec3[4]){SEED_AT(s, 0, expression), SEED_AT(s, 1, expression),                    \
                          SEED_AT(s, 2, expression), SEED_AT(s, 3, expression)})
#define SEED_AT(s, i, expression) ((s)->at[i]->expression)

static double length_of(const seed *s) {
    return s->x->plan.rod->length;
}

static withy_status same_mesh(const seed *s, withy_error *err) {
    for (int i = 0; i < 4; i++) {
        const wy_director_plan *a = &s->x->plan, *b = &s->at[i]->plan;
        if (a->n != b->n || a->p != b->p || a->load.count != b->load.count)
            return wy_fail(
                err, WITHY_UNSUPPORTED,
                "director: with another value of the parameter the rod has other elements "
                "or loads, so that there is no derivative by it");
        for (int k = 0; k < a->load.count; k++)
            for (int c = 0; c <= a->p; c++)
                if (a->load.point[k].cell != b->load.point[k].cell ||
                    !(fabs(a->value[k][c] - b->value[k][c]) < 1e-9))
                    return wy_fail(
                        err, WITHY_UNSUPPORTED,
                        "director: the place of a load within its element depends on the "
                        "parameter, which is not differentiated; use more elements "
                        "(options.n), so that one ends there");
    }
    return WITHY_OK;
}

static void seed_sections(const seed *s) {
    const wy_director_plan *plan = &s->x->plan;
    const int l = s->lane;
    for (int i = 0; i < plan->n * plan->p; i++) {
        wy_slope_section *d = &s->field->section[i];
        double sum = 0;
        for (int k = 0; k < 2; k++)
            for (int c = 0; c < 3; c++) {
                d->c[3 * k + c][l] = FIVE(s, plan.section[i].c[k][c]);
                d->cv[3 * k + c][l] = FIVE(s, plan.section[i].cv[k][c]);
                d->rest[3 * k + c][l] =
                    FIVE_IN(s, k ? 1 / length_of(s) : 1, plan.section[i].rest[k][c]);
                sum += fabs(d->c[3 * k + c][l]) + fabs(d->cv[3 * k + c][l]) +
                       fabs(d->rest[3 * k + c][l]);
            }
        d->weight[l] = FIVE(s, plan.section[i].weight);
        if (sum > 0) s->field->strains = 1;
        if (d->weight[l] != 0) s->field->lengths = 1;
    }
    for (int e = 0; e < plan->n; e++) s->field->size[e][l] = FIVE(s, plan.size[e]);
}

static void seed_nodes(const seed *s) {
    const int l = s->lane;
    for (int j = 0; j < s->x->plan.node_count; j++) {
        wy_slope_mass *m = &s->field->mass[j];
        wy_slope_node *first = &s->field->first[j];
        mat3 pose[4];
        m->mass[l] = FIVE(s, plan.mass[j].mass), m->share[l] = FIVE(s, plan.mass[j].share);
        for (int c = 0; c < 3; c++) {
            m->rotary[c][l] = FIVE(s, plan.mass[j].rotary[c]);
            first->w[c][l] = FIVE_IN(s, -1, node[j].w[c]);
        }
        for (int i = 0; i < 4; i++) pose[i] = tri_matrix(s->at[i]->node[j].d);
        vec3 r[4];
        for (int i = 0; i < 4; i++) r[i] = v3_add(s->at[i]->now->origin, s->at[i]->node[j].r);
        wy_slope_set(first->r, l, wy_slope_five3(r, s->step));
        wy_slope_set(first->phi, l, wy_slope_turn3(pose, s->step));
        wy_slope_set(first->v, l, FIVE3_IN(s, -1, node[j].v));
    }
}

static withy_status seed_loads(const seed *s, withy_error *err) {
    const int l = s->lane;
    for (int i = 0; i < 4; i++) {
        wy_director *x = s->at[i];
        x->now->pulling = 1; /* those that act before t = 0 too */
        *x->step = (wy_director_step){.h = 1.0, .beta = 1.0, .factor = 1.0};
        WY_TRY(wy_director_loads_at(x, 0, err));
        WY_TRY(wy_director_ends_at(x, 0, 0, err));
    }
    for (int i = 0; i < s->x->plan.load.count; i++) {
        wy_slope_set(s->field->load[i].force, l, FIVE3(s, force[i].force));
        wy_slope_set(
            s->field->load[i].moment, l,
            FIVE3_IN(s, v3_norm(s->at[0]->force[i].force) * length_of(s), force[i].moment));
    }
    return WITHY_OK;
}

static withy_status seed_ends(const seed *s, withy_error *err) {
    const int l = s->lane;
    const vec3 from = FIVE3_IN(s, length_of(s), now->origin); /* of their coordinates */
    for (int e = 0; e < 2; e++) {
        wy_slope_end *d = &s->field->end[e];
        mat3 pose[4], home[4];
        for (int i = 0; i < 4; i++)
            pose[i] = s->at[i]->step->end[e].target, home[i] = s->at[i]->now->end[e].spring_d;
        d->mass[l] = FIVE(s, plan.end[e].mass), d->spring[l] = FIVE(s, plan.end[e].spring);
        d->spring_turn[l] = FIVE(s, plan.end[e].spring_turn);
        wy_slope_set(d->arm, l, FIVE3_IN(s, length_of(s), plan.end[e].arm));
        wy_slope_set(d->spring_r, l, v3_add(from, FIVE3_IN(s, length_of(s), now->end[e].spring_r)));
        wy_slope_set(d->place, l, v3_add(from, FIVE3_IN(s, length_of(s), step->end[e].target_r)));
        wy_slope_set(d->turn, l, wy_slope_turn3(pose, s->step));
        wy_slope_set(d->apply.force, l, FIVE3(s, step->end[e].apply.force));
        wy_slope_set(d->apply.moment, l,
                     FIVE3_IN(s, v3_norm(s->at[0]->step->end[e].apply.force) * length_of(s),
                              step->end[e].apply.moment));
        wy_slope_set(s->field->first_u[e], l, FIVE3_IN(s, -1, now->end[e].u));
        const double turned = v3_norm(wy_slope_turn3(home, s->step)) * s->step;
        if (s->x->plan.end[e].spring_turn > 0 && !(turned < 1e-9))
            return wy_fail(
                err, WITHY_UNSUPPORTED,
                "director: the direction to which ends.%s.spring_turn returns depends on "
                "the parameter, which is not differentiated",
                e ? "finish" : "start");
    }
    return WITHY_OK;
}

static withy_status seed_rest(const seed *s, withy_error *err) {
    const int l = s->lane;
    wy_slope_set(s->field->gravity, l, FIVE3(s, plan.problem->gravity));
    s->field->drag[0][l] = FIVE(s, plan.rod->drag_linear);
    s->field->drag[1][l] = FIVE(s, plan.rod->drag_quadratic);
    s->field->drag[2][l] = FIVE(s, plan.rod->drag_spin);
    const double floor[3] = {FIVE(s, plan.problem->floor.stiffness),
                             FIVE(s, plan.problem->floor.damping),
                             v3_norm(FIVE3(s, plan.problem->floor.point)) +
                                 v3_norm(FIVE3(s, plan.problem->floor.normal))};
    const int given = s->x->plan.problem->floor.given;
    if (given && (floor[0] != 0 || floor[1] != 0 || floor[2] != 0))
        return wy_fail(err, WITHY_UNSUPPORTED,
                       "director: the floor depends on the parameter, which is not differentiated");
    return WITHY_OK;
}

int wy_slope_lives(const wy_director *x) {
    const wy_director_plan *plan = &x->plan;
    int driven = wy_has_time_loads(plan->rod);
    for (int e = 0; e < 2; e++)
        driven |= plan->end[e].end.drives_position || plan->end[e].end.drives_frame;
    return driven;
}

withy_status wy_slope_seed(wy_director *x, int k, wy_director *const at[4], double step,
                           withy_error *err) {
    seed s = {.x = x, .lane = k % WY_PACK, .step = step};
    s.field = &x->slopes->field[k / WY_PACK], s.rough = &x->slopes->live[k].rough;
    for (int i = 0; i < 4; i++) s.at[i] = at[i];
    WY_TRY(same_mesh(&s, err));
    seed_sections(&s);
    seed_nodes(&s);
    WY_TRY(seed_loads(&s, err));
    WY_TRY(seed_ends(&s, err));
    WY_TRY(seed_rest(&s, err));
    for (int i = 0; i < 4; i++) { /* as a motion that starts: step.c */
        s.at[i]->now->pulling = 0;
        WY_TRY(wy_director_offsets(s.at[i], err));
    }
    if (!wy_slope_lives(x)) return WITHY_OK;
    x->slopes->live[k].step = step;
    for (int i = 0; i < 4; i++) x->slopes->live[k].at[i] = s.at[i];
    return WITHY_OK;
}

void wy_slope_sample(const wy_director *x, int k, int count, const double *s, vec3 *position,
                     vec3 *turn) {
    const wy_slope_node *node = wy_slope_nodes(x, k / WY_PACK);
    const int l = k % WY_PACK;
    for (int i = 0; i < count; i++) {
        double value[WY_ELEMENT_NODES];
        const int first = wy_director_place(x, s[i], value) * x->plan.p;
        position[i] = turn[i] = v3(0, 0, 0);
        for (int a = 0; a <= x->plan.p; a++) {
            position[i] = v3_axpy(position[i], value[a], wy_slope_lane(node[first + a].r, l));
            turn[i] = v3_axpy(turn[i], value[a], wy_slope_lane(node[first + a].phi, l));
        }
    }
}

wy_slope_quality wy_slope_quality_of(const wy_director *x, int k) {
    const wy_slopes *s = x->slopes;
    wy_slope_quality out = {.rough = s->live[k].rough};
    if (!s->kept) return out; /* backwards */
    const wy_slope_kept *kept = &s->kept[k / WY_PACK];
    out.grown = sqrt(kept->grown[k % WY_PACK]), out.fault = kept->fault;
    return out;
}
