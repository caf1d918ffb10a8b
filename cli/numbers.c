/* numbers.c - the numbers of a report: ends of the first rod, probes, rods, bodies, joints and obstacles. */
#include <math.h>
#include <string.h>

#include "cli.h"

/* ---- rounding ---------------------------------------------------------------------------------- */

static double norm(const withy_vec3 *v) {
    return sqrt(v->x * v->x + v->y * v->y + v->z * v->z);
}

/* Forces of a rod: EI/L^2, which bends it by its own length, and a part of EA, since strains are rounded as 1 is and
 * forces follow from them.  0: it does neither bend nor stretch. */
static double force_of(const withy_rod *rod) {
    double k[WITHY_STRAINS];
    if (withy_rod_stiffness(rod, 0.5 * rod->length, k, NULL) != WITHY_OK) return 0;
    const double bend = fmax(k[WITHY_BEND1], k[WITHY_BEND2]) / (rod->length * rod->length);
    const double stretch = 0.1 * k[WITHY_STRETCH];
    return fmax(isfinite(bend) ? bend : 0, isfinite(stretch) ? stretch : 0);
}

cli_scale cli_scale_of(const withy_scene *scene, const withy_part_report *part, int count) {
    const withy_problem *p = withy_scene_problem(scene);
    cli_scale scale = {.time = p->request.given ? p->request.stop : 1};
    for (int i = 0; i < p->rod_count; i++) {
        scale.length = fmax(scale.length, p->rod[i].length);
        scale.force = fmax(scale.force, force_of(&p->rod[i]));
    }
    for (int i = 0; i < 2 * count; i++) {
        const withy_part_report *one = &part[i / 2];
        scale.length = fmax(scale.length, norm(&one->position[i % 2]));
        scale.force = fmax(scale.force, norm(&one->reaction[i % 2]));
    }
    return scale;
}

double cli_clean(const cli_scale *scale, const char *unit, double x) {
    static const double ROUNDING = 1e-14; /* some tens of units in the last place */
    static const struct {
        const char *unit;
        int length, force, time;
    } of[] = {{"m", 1, 0, 0},    {"m/s", 1, 0, -1},   {"N", 0, 1, 0},   {"N m", 1, 1, 0},
              {"J", 1, 1, 0},    {"rad/s", 0, 0, -1}, {"-", 0, 0, 0},   {"rad", 0, 0, 0},
              {"1/m", -1, 0, 0}, {"N/m", -1, 1, 0},   {"1/s", 0, 0, -1}};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++)
        if (strcmp(of[i].unit, unit) == 0) {
            const double one = pow(scale->length, of[i].length) * pow(scale->force, of[i].force) *
                               pow(scale->time, of[i].time);
            return fabs(x) <= ROUNDING * one ? 0 : x;
        }
    return x;
}

const char *cli_vector(const cli_scale *scale, const char *unit, const withy_vec3 *v,
                       cli_vector_text *text) {
    snprintf(text->text, sizeof text->text, "(%.6g, %.6g, %.6g)", cli_clean(scale, unit, v->x),
             cli_clean(scale, unit, v->y), cli_clean(scale, unit, v->z));
    return text->text;
}

/* ---- the ends of the first rod ------------------------------------------------------------------- */

enum { ENDS = 2, QUANTITIES = 3 };
static const struct {
    const char *key, *label, *unit;
} row[QUANTITIES] = {
    {"position", "", "m"}, {"force", "force at ", "N"}, {"moment", "moment at ", "N m"}};
static const char *const end_name[ENDS] = {"start", "finish"};

void cli_print_ends(const cli_ends *ends, const cli_scale *scale,
                    const withy_error_summary *error) {
    for (int q = 0; q < QUANTITIES; q++)
        for (int i = 0; i < ENDS && ends->value[q]; i++) {
            char label[32];
            cli_vector_text text;
            cli_bar_text bar;
            snprintf(label, sizeof label, "%s%s", row[q].label, end_name[i]);
            cli_print("  %-18s %s%s %s\n", label,
                      cli_vector(scale, row[q].unit, &ends->value[q][i], &text),
                      cli_bar(error, ends->error[q][i], &bar), row[q].unit);
        }
}

void cli_json_ends(cli_json *json, const cli_ends *ends, const double *t) {
    json_open(json, "ends", '{');
    if (t) json_number(json, "t", *t);
    for (int i = 0; i < ENDS; i++) {
        json_open(json, end_name[i], '{');
        for (int q = 0; q < QUANTITIES; q++)
            if (ends->value[q])
                json_vector(json, row[q].key, &ends->value[q][i].x, 3);
            else
                json_null(json, row[q].key);
        json_close(json, '}');
    }
    json_close(json, '}');
}

void cli_json_end_errors(cli_json *json, const cli_ends *ends) {
    for (int i = 0; i < ENDS; i++) {
        json_open(json, end_name[i], '{');
        for (int q = 0; q < QUANTITIES; q++) json_number(json, row[q].key, ends->error[q][i]);
        json_close(json, '}');
    }
}

/* ---- probes ---------------------------------------------------------------------------------------- */

/* "tip.z [m]" */
static void name_row(const withy_probe_report *probe, int k, char *text, size_t size) {
    char part[16] = "";
    if (probe->size > 1) snprintf(part, sizeof part, ".%d", k + 1);
    if (probe->size == 3) snprintf(part, sizeof part, ".%c", "xyz"[k]);
    snprintf(text, size, "%s%s [%s]", probe->name, part, probe->unit);
}

void cli_print_probes(const withy_probe_report *probe, int count, const cli_scale *scale,
                      const withy_error_summary *error, const double *errors) {
    char name[WITHY_NAME + 40];
    cli_bar_text bar;
    int width = 18, many = 0;
    for (int i = 0; i < count; i++) {
        name_row(&probe[i], 0, name, sizeof name);
        width = (int)strlen(name) > width ? (int)strlen(name) : width;
        many |= probe[i].samples > 1;
    }
    if (count) cli_print("  %-*s %12s", width, "probe", many ? "last" : "value");
    if (count && many) cli_print(" %12s %12s %12s %12s", "minimum", "maximum", "mean", "deviation");
    if (count) cli_print("\n");
    for (int i = 0; i < count; i++)
        for (int k = 0; k < probe[i].size; k++) {
            const double x[] = {probe[i].value[k], probe[i].least[k], probe[i].most[k],
                                probe[i].mean[k], probe[i].deviation[k]};
            name_row(&probe[i], k, name, sizeof name);
            cli_print("  %-*s", width, name);
            for (int c = 0; c < (many ? 5 : 1); c++)
                cli_print(" %12.6g", cli_clean(scale, probe[i].unit, x[c]));
            cli_print("%s\n", errors ? cli_bar(error, errors[i], &bar) : "");
        }
}

void cli_json_probes(cli_json *json, const withy_probe_report *probe, int count) {
    json_open(json, "probes", '{');
    for (int i = 0; i < count; i++) json_vector(json, probe[i].name, probe[i].value, probe[i].size);
    json_close(json, '}');
    json_open(json, "statistics", '{');
    for (int i = 0; i < count; i++) {
        const withy_probe_report *one = &probe[i];
        json_open(json, one->name, '{');
        json_text(json, "unit", one->unit);
        json_whole(json, "samples", one->samples);
        json_number(json, "from", one->from);
        json_number(json, "to", one->to);
        json_vector(json, "minimum", one->least, one->size);
        json_vector(json, "maximum", one->most, one->size);
        json_vector(json, "mean", one->mean, one->size);
        json_vector(json, "deviation", one->deviation, one->size);
        json_close(json, '}');
    }
    json_close(json, '}');
}

/* ---- rods, bodies, joints, obstacles ------------------------------------------------------------------ */

static void print_part(const withy_part_report *part, const cli_scale *scale) {
    const withy_vec3 *r = part->position, *f = part->reaction;
    cli_vector_text a, b;
    cli_print("  %-18s", part->name);
    if (part->of == WITHY_OF_JOINT)
        cli_print(" at %s m, force %s N", cli_vector(scale, "m", &r[1], &a),
                  cli_vector(scale, "N", &f[0], &b));
    else if (part->of == WITHY_OF_OBSTACLE)
        cli_print(" pressed by %s N", cli_vector(scale, "N", &f[0], &a));
    else
        cli_print(" %s", cli_vector(scale, "m", &r[0], &a));
    if (part->of == WITHY_OF_ROD) cli_print(" to %s", cli_vector(scale, "m", &r[1], &a));
    if (part->of < WITHY_OF_JOINT) cli_print(" m");
    if (part->of == WITHY_OF_ROD && norm(&f[0]) > 0)
        cli_print(", held at its start by %s N", cli_vector(scale, "N", &f[0], &a));
    if (part->of == WITHY_OF_JOINT && norm(part->reaction_moment) > 0)
        cli_print(", torque %s N m", cli_vector(scale, "N m", part->reaction_moment, &a));
    cli_print("\n");
}

static const char *const kind_name[] = {"rod", "body", "joint", "obstacle"};

/* The summary has printed the first rod already, but no body. */
void cli_print_parts(const withy_part_report *part, int count, const cli_scale *scale) {
    enum { SHOWN = 12 }; /* of each kind */
    int shown[4] = {0};
    for (int i = count > 0 && part[0].of == WITHY_OF_ROD; i < count; i++)
        if (shown[part[i].of]++ < SHOWN) print_part(&part[i], scale);
    for (int k = 0; k < 4; k++)
        if (shown[k] > SHOWN)
            cli_print("  and more of the kind %s: --json lists the first %d parts\n", kind_name[k],
                      WITHY_REPORT_PARTS);
}

void cli_json_parts(cli_json *json, const withy_part_report *part, int count) {
    json_open(json, "parts", '[');
    for (int i = 0; i < count; i++) {
        const withy_part_report *one = &part[i];
        json_open(json, NULL, '{');
        json_text(json, "name", one->name);
        json_text(json, "kind", kind_name[one->of]);
        if (one->of == WITHY_OF_ROD) {
            json_vector(json, "start", &one->position[0].x, 3);
            json_vector(json, "finish", &one->position[1].x, 3);
            json_vector(json, "force_start", &one->reaction[0].x, 3);
            json_vector(json, "force_finish", &one->reaction[1].x, 3);
            json_vector(json, "moment_start", &one->reaction_moment[0].x, 3);
            json_vector(json, "moment_finish", &one->reaction_moment[1].x, 3);
        } else {
            json_vector(json, "position", &one->position[one->of == WITHY_OF_JOINT].x, 3);
        }
        if (one->of >= WITHY_OF_JOINT) json_vector(json, "force", &one->reaction[0].x, 3);
        if (one->of == WITHY_OF_JOINT) json_vector(json, "torque", &one->reaction_moment[0].x, 3);
        json_close(json, '}');
    }
    json_close(json, ']');
}
