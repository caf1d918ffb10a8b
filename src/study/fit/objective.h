/* objective.h - the numbers of a design: which there are, and their values for a problem. */
#pragma once

#include "base/columns.h"
#include "study/fit/expression.h"
#include "study/fit/variants.h"
#include "study/sweep/output_quantity.h"
#include "withy/minimise.h"

typedef enum wy_objective_kind {
    WY_OBJECTIVE_PARAMETER,
    WY_OBJECTIVE_MASS,
    WY_OBJECTIVE_LENGTH,
    WY_OBJECTIVE_STRESS,
    WY_OBJECTIVE_MISS,
    WY_OBJECTIVE_MISS_MAX,
    WY_OBJECTIVE_STUDY, /* of the equilibrium, or of the motion */
    WY_OBJECTIVE_MODE
} wy_objective_kind;

typedef struct wy_objective_number {
    wy_objective_kind kind;
    wy_output_quantity requested;
} wy_objective_number;

typedef struct wy_objective {
    const withy_scene_minimise *setup;
    wy_variants *variants; /* who may stop it */
    wy_names names;
    wy_objective_number number[WY_EXPRESSION_NAMES];
    wy_columns target;      /* s, x, y, z */
    double *s;              /* [target.rows] */
    int equilibrium, modes; /* is an equilibrium needed; how many modes */
    int solved;             /* is anything to be solved but for misses? */
    int negative;           /* of the last equilibrium; -1: not known */
} wy_objective;

/* What the names mean in this problem. */
withy_status wy_objective_bind(wy_objective *objective, const wy_variant *v, withy_error *err);
/* The numbers of the problem: value[names.count]. */
withy_status wy_objective_numbers(wy_objective *objective, const wy_variant *v, double *value,
                                  withy_error *err);
/* Mass and length need nothing solved. */
withy_status wy_objective_plain(const wy_objective *objective, const wy_variant *v, double *value,
                                withy_error *err);
/* The miss of positions at the places of the target and its derivatives by them; largest: miss.max. */
double wy_objective_miss(const wy_objective *objective, int largest, const withy_vec3 *position,
                         withy_vec3 *slope);
