/* kirchhoff_rig.h - a spring put together by hand for tests: raw data in, levels out, no shapes. */
#pragma once

#ifndef CHECK_OK /* a benchmark brings its own */
#include "check.h"
#endif
#include <string.h>

#include "method/kirchhoff/kirchhoff.h"

typedef struct rig_setup {
    withy_end_kind ends[2];
    int strong, n;
    double length, h, sigma, ct, rho, turn, nu, nu_twist;
    int energy, damping, start; /* WY_KIRCHHOFF_ words */
    double gravity[3];
    const double *kappa; /* [n+1][2]; NULL: zero */
    const double *x;     /* [n+1][3] */
    const double *r;     /* [n+1][3][3], row-major, columns t, s1, s2 */
    const double *v;     /* [n+1][3]; NULL: zero */
} rig_setup;

typedef struct rig {
    wy_arena arena;
    withy_rod rod;
    withy_problem problem;
    withy_stats stats;
    wy_setup setup;
    wy_kirchhoff p;
} rig;

static inline mat3 rig_frame(const double *r) {
    return (mat3){v3(r[1], r[4], r[7]), v3(r[2], r[5], r[8]), v3(r[0], r[3], r[6])};
}

static inline void rig_end(wy_kirchhoff *p, int e, const rig_setup *s) {
    const int j = e ? p->n : 0;
    const withy_end_kind kind = s->ends[e];
    wy_kirchhoff_end *end = &p->end[e];
    end->held = kind == WITHY_END_CLAMPED || kind == WITHY_END_PINNED;
    end->turn = kind == WITHY_END_CLAMPED || kind == WITHY_END_GUIDED ? WY_KIRCHHOFF_TURN_FRAME
                                                                      : WY_KIRCHHOFF_TURN_FREE;
    end->strong = s->strong && !end->turn;
    end->end = (wy_end){.end = &p->rod->end[e], .s = e ? s->length : 0.0};
    end->end.start = (wy_pose){p->now->x[j], p->now->frame[j]};
    end->target = end->end.start;
}

/* Memory for state and scratch. */
static inline void rig_lay(rig *g) {
    withy_error err = {.text = "no memory"};
    wy_block state = {0}, scratch = {0};
    wy_method_kirchhoff.layout(&g->p, &state, &scratch);
    state.base = wy_arena_alloc(&g->arena, state.used, 1);
    scratch.base = wy_arena_alloc(&g->arena, scratch.used, 1);
    CHECK_OK(state.base && scratch.base ? WITHY_OK : WITHY_NO_MEMORY);
    state.used = scratch.used = 0;
    wy_method_kirchhoff.layout(&g->p, &state, &scratch);
}

/* Every field a step needs; the caller advances with rig_step(). */
static inline void rig_make(rig *g, const rig_setup *s) {
    withy_error err = {0};
    memset(g, 0, sizeof *g);
    g->problem = withy_problem_default();
    g->rod = withy_rod_default();
    g->rod.length = s->length;
    for (int e = 0; e < 2; e++) g->rod.end[e].kind = s->ends[e];
    g->problem.rod = &g->rod;
    g->problem.gravity = (withy_vec3){s->gravity[0], s->gravity[1], s->gravity[2]};
    wy_kirchhoff *p = &g->p;
    g->setup = (wy_setup){.problem = &g->problem, .arena = &g->arena, .stats = &g->stats};
    p->setup = &g->setup, p->rod = &g->rod;
    p->opt = (wy_kirchhoff_options){.n = s->n,
                                    .ends = s->strong ? WY_KIRCHHOFF_STRONG : WY_KIRCHHOFF_WEAK,
                                    .energy = s->energy,
                                    .damping = s->damping,
                                    .start = s->start,
                                    .newton_tol = 1e-10,
                                    .newton_max = 25};
    CHECK_OK(wy_kirchhoff_take(p, &g->arena, s->n, s->length, &err));
    rig_lay(g);
    p->state->halving.h = s->h, p->stiff = s->sigma, p->gauge = -1, p->constant_loads = 1;
    p->damped = s->nu > 0 || s->nu_twist > 0;
    for (int j = 0; j <= p->n; j++) {
        const double ds = p->eta * wy_kirchhoff_weight(p, j);
        p->sigma[j] = s->sigma, p->nu[j] = s->nu;
        p->ct[j] = s->ct, p->nu_twist[j] = s->nu_twist; /* one more than there are intervals */
        p->mass[j] = s->rho * ds;
        p->turn[j][0] = s->turn * ds;
        p->kappa[j][0] = s->kappa ? s->kappa[2 * j] : 0.0;
        p->kappa[j][1] = s->kappa ? s->kappa[2 * j + 1] : 0.0;
        p->now->x[j] = v3_from(&s->x[3 * j]);
        p->now->frame[j] = rig_frame(&s->r[9 * j]);
        p->v0[j] = s->v ? v3_from(&s->v[3 * j]) : v3(0, 0, 0);
        p->dead[j] = p->load[j] = v3_scale(p->mass[j], g->problem.gravity);
    }
    for (int e = 0; e < 2; e++) rig_end(p, e, s);
    wy_kirchhoff_strains(p, p->now);
}

static inline void rig_step(rig *g) {
    withy_error err = {0};
    const wy_halving_stepper stepper = wy_kirchhoff_stepper(&g->p);
    CHECK_OK(wy_halving_advance(&stepper, stepper.halving->step + 1, &err));
}

static inline void rig_free(rig *g) {
    wy_arena_free(&g->arena);
}

/* Raw data of a helix of wire at rest (pointwise natural curvature), stretched, with the material
 * normals kept at their rest angle: x [3(n+1)], r [9(n+1)], kappa [2(n+1)]. */
static inline void rig_helix(int n, double radius, double angle, double turns, double stretch,
                             double *x, double *r, double *kappa) {
    const double length = 2 * WY_PI * turns * radius / cos(angle);
    const double a = asin(stretch * sin(angle)), big = length * cos(a) / (2 * WY_PI * turns);
    const double curvature = cos(angle) * cos(angle) / radius;
    const double torsion = sin(angle) * cos(angle) / radius;
    for (int j = 0; j <= n; j++) {
        const double s = length * j / n, phi = s * cos(a) / big, turned = torsion * s;
        const vec3 t = v3(-cos(a) * sin(phi), cos(a) * cos(phi), sin(a));
        const vec3 normal = v3(-cos(phi), -sin(phi), 0), binormal = v3_cross(t, normal);
        const vec3 s1 = v3_sub(v3_scale(cos(turned), normal), v3_scale(sin(turned), binormal));
        const vec3 s2 = v3_cross(t, s1);
        v3_to(v3(big * cos(phi), big * sin(phi), s * sin(a)), &x[3 * j]);
        const vec3 column[3] = {t, s1, s2};
        for (int c = 0; c < 3; c++) {
            r[9 * j + c] = column[c].x;
            r[9 * j + 3 + c] = column[c].y;
            r[9 * j + 6 + c] = column[c].z;
        }
        kappa[2 * j] = curvature * cos(turned), kappa[2 * j + 1] = curvature * sin(turned);
    }
}

/* The state after one step of almost no length (docs/theory/kirchhoff.md, Starting): on the constraints and in twist
 * equilibrium.  x and r are replaced. */
static inline void rig_settle(const rig_setup *setup, double *x, double *r) {
    rig g;
    rig_setup tiny = *setup;
    tiny.h = 1e-3, tiny.v = NULL, tiny.start = WY_KIRCHHOFF_PAPER;
    rig_make(&g, &tiny);
    rig_step(&g);
    for (int j = 0; j <= setup->n; j++) {
        const mat3 f = g.p.now->frame[j];
        v3_to(g.p.now->x[j], &x[3 * j]);
        const vec3 column[3] = {f.c3, f.c1, f.c2};
        for (int c = 0; c < 3; c++) {
            r[9 * j + c] = column[c].x;
            r[9 * j + 3 + c] = column[c].y;
            r[9 * j + 6 + c] = column[c].z;
        }
    }
    rig_free(&g);
}
