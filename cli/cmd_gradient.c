/* cmd_gradient.c - withy gradient: derivatives of a number of a scene by its parameters. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fit.h"
#include "process.h"

typedef struct arguments {
    cli_list by, set;
    const char *of, *method, *threads;
    int json, run, differences;
} arguments;

static const double UNCERTAIN = 0.01; /* of a derivative: worth a note */

/* By how many per cent the number changes with one per cent of the parameter. */
static double per_cent(const withy_minimum *m, int k) {
    return m->value != 0 ? m->slope[k] * m->p[k] / m->value : NAN;
}

static void print_table(const arguments *a, const withy_scene *scene, const withy_fit_free *f,
                        const withy_minimum *m) {
    cli_print("%s: %s = %.10g%s\n", withy_scene_name(scene), a->of, m->value,
              m->exact ? "" : " (derivatives by differences)");
    cli_print("  %-24s %14s %16s %14s\n", "parameter", "value", "derivative", "% per %");
    for (int k = 0; k < m->count; k++) {
        cli_print("  %-24s %14.8g %16.8g", f[k].name, m->p[k], m->slope[k]);
        if (isfinite(per_cent(m, k)))
            cli_print(" %14.6g", per_cent(m, k));
        else
            cli_print(" %14s", "-");
        if (m->slope_error[k] > 0) cli_print("   +- %.1g of it", m->slope_error[k]);
        cli_print("\n");
    }
    for (int k = 0; k < m->count; k++)
        if (m->slope_error[k] > UNCERTAIN)
            cli_print(
                "  note: %s: differences with other steps disagree by %.2g of the derivative: "
                "the number may not be smooth there\n",
                f[k].name, m->slope_error[k]);
    fit_print_notes(m);
}

static void print_json(const arguments *a, const withy_scene *scene, const withy_fit_free *f,
                       const withy_minimum *m) {
    cli_json json = {0};
    json_open(&json, NULL, '{');
    json_text(&json, "scene", withy_scene_name(scene));
    json_text(&json, "of", a->of);
    json_number(&json, "value", m->value);
    json_open(&json, "by", '[');
    for (int k = 0; k < m->count; k++) {
        json_open(&json, NULL, '{');
        json_text(&json, "name", f[k].name);
        json_number(&json, "value", m->p[k]);
        json_number(&json, "derivative", m->slope[k]);
        json_number(&json, "elasticity", per_cent(m, k));
        json_number(&json, "error", m->slope_error[k]);
        json_close(&json, '}');
    }
    json_close(&json, ']');
    json_whole(&json, "unstable", m->negative);
    json_bool(&json, "exact", m->exact);
    cli_json_notes(&json, &m->notes);
    json_close(&json, '}');
}

static int derive(const arguments *a, fit_context *x, const withy_scene *scene,
                  const withy_fit_free *f, int count) {
    withy_scene_minimise setup = withy_scene_minimise_default();
    setup.read = fit_read_scene, setup.stop = fit_asked, setup.context = x;
    setup.method = a->method, setup.objective = a->of, setup.derive = 1;
    setup.free = f, setup.count = count, setup.run = a->run, setup.differences = a->differences;
    const double threads = fit_number("threads", a->threads, 0);
    if (isnan(threads)) return CLI_USAGE;
    setup.threads = threads < 1024 ? (int)threads : 1024;
    withy_minimum *minimum = calloc(1, sizeof *minimum);
    withy_error err = {0};
    cli_stop_check(1);
    const withy_status status =
        minimum ? withy_minimise_scene(&setup, minimum, &err) : WITHY_NO_MEMORY;
    cli_stop_check(0);
    if (status == WITHY_OK) (a->json ? print_json : print_table)(a, scene, f, minimum);
    free(minimum);
    return status == WITHY_OK ? CLI_OK : cli_error(&err);
}

int cmd_gradient(int argc, char **argv) {
    arguments a = {0};
    const cli_option option[] = {
        {"of", 0, "EXPRESSION",
         "the number: finish.z, force.start.z, stress, frequency.1, mass, energy, or an expression "
         "of them",
         .text = &a.of},
        {"by", 'b', "NAME",
         "a parameter: params.young, params.k* for all that begin so, or any number of the scene "
         "with its value, rod.length=@0.5 (repeatable); default: all params of the scene",
         .list = &a.by},
        {"run", 0, NULL, "numbers of the motion (probes, tip.z:max), not of the equilibrium",
         .flag = &a.run},
        {"method", 'm', "METHOD", "use this method instead of the scene's", .text = &a.method},
        {"set", 's', "PATH=VALUE", "override a value of the scene (repeatable)", .list = &a.set},
        {"differences", 0, NULL, "use differences even if exact derivatives exist",
         .flag = &a.differences},
        {"threads", 0, "COUNT", "threads for differences; default: one per processor",
         .text = &a.threads},
        {"json", 0, NULL, "print one JSON object instead of the table", .flag = &a.json},
        {0}};
    const cli_usage usage = {
        "withy gradient SCENE --of EXPRESSION [--by NAME...]",
        "How much a number of a scene changes with its parameters: derivatives, and per cent per "
        "per cent.\nExact where they are for withy fit, else by differences whose error is "
        "estimated.",
        "  withy gradient spring_designer --of force.start.z", option};
    cli_list rest;
    const char *name;
    static withy_fit_free free_of[FIT_FREE];
    int count = 0;
    withy_error err = {0};
    withy_scene *scene;
    int status = cli_parse(argc, argv, &usage, &rest);
    if (status >= 0) return status;
    if ((status = cli_one(&usage, &rest, "scene", &name)) >= 0) return status;
    if (!a.of) {
        cli_warn("withy: gradient needs --of EXPRESSION, the number to differentiate; usage: %s "
                 "(see --help)\n",
                 usage.line);
        return CLI_USAGE;
    }
    if (cli_scene(name, &a.set, &scene, &err) != WITHY_OK) return cli_error(&err);
    fit_context x = {.scene = name, .set = &a.set, .option = "by"};
    status = -1;
    withy_parameter first;
    if (!a.by.count && !withy_scene_parameter(scene, 0, &first)) {
        cli_warn(
            "withy: %s has no params { ... }; name what to differentiate by with its value, as "
            "in --by rod.length=@0.5\n",
            withy_scene_name(scene));
        status = CLI_USAGE;
    } else if (!a.by.count) {
        status = fit_read_free("params.*", &x, scene, free_of, &count);
    }
    for (int i = 0; i < a.by.count && status < 0; i++)
        status = fit_read_free(a.by.item[i], &x, scene, free_of, &count);
    if (status < 0) status = derive(&a, &x, scene, free_of, count);
    withy_scene_destroy(scene);
    return status;
}
