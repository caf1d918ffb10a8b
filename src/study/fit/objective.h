/* objective.h - the numbers of a design: which there are, and their values for a problem. */
#pragma once

#include "base/columns.h"
#include "study/fit/expression.h"
#include "study/fit/variants.h"
#include "study/want.h"
#include "withy/minimise.h"

typedef enum wy_goal_kind {
    WY_GOAL_PARAMETER,
    WY_GOAL_MASS,
    WY_GOAL_LENGTH,
    WY_GOAL_STRESS,
    WY_GOAL_MISS,
    WY_GOAL_MISS_MAX,
    WY_GOAL_STUDY, /* of the equilibrium, or of the motion */
    WY_GOAL_MODE
} wy_goal_kind;

typedef struct wy_goal_number {
    wy_goal_kind kind;
    wy_want want;
} wy_goal_number;

typedef struct wy_goal {
    const withy_scene_minimise *setup;
    wy_variants *variants; /* who may stop it */
    wy_names names;
    wy_goal_number number[WY_EXPRESSION_NAMES];
    wy_columns target;       /* s, x, y, z */
    double *s;               /* [target.rows] */
    int still, study, modes; /* is an equilibrium, a study needed; how many modes */
    int solved;              /* is anything to be solved but for misses? */
    int negative;            /* of the last equilibrium; -1: not known */
} wy_goal;

/* What the names mean in this problem. */
withy_status wy_goal_bind(wy_goal *goal, const wy_variant *v, withy_error *err);
/* The numbers of the problem: value[names.count]. */
withy_status wy_goal_numbers(wy_goal *goal, const wy_variant *v, double *value, withy_error *err);
/* Mass and length need nothing solved. */
withy_status wy_goal_plain(const wy_goal *goal, const wy_variant *v, double *value,
                           withy_error *err);
/* The miss of positions at the places of the target and its derivatives by them; largest: miss.max. */
double wy_goal_miss(const wy_goal *goal, int largest, const withy_vec3 *position,
                    withy_vec3 *slope);
