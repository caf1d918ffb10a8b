/* fit_minimise.c - withy fit --minimise: a design. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fit.h"
#include "process.h"

void fit_print_notes(const withy_minimum *m) {
    if (m->negative > 0)
        cli_print("  note: this equilibrium is unstable in %d direction%s\n", m->negative,
                  m->negative > 1 ? "s" : "");
    cli_print_notes(&m->notes);
}

static void print_summary(const fit_arguments *a, const withy_scene *scene, const withy_fit_free *f,
                          const withy_minimum *m) {
    cli_print("%s: %s, %d parameter%s, %d evaluations and %d of derivatives (%s)\n",
              withy_scene_name(scene), a->minimise, m->count, m->count == 1 ? "" : "s", m->runs,
              m->slopes, m->exact ? "exact" : "differences");
    for (int k = 0; k < m->count; k++)
        cli_print("  %-24s %14.8g%s\n", f[k].name, m->p[k],
                  m->bound[k] < 0   ? "  (at its lower bound)"
                  : m->bound[k] > 0 ? "  (at its upper bound)"
                                    : "");
    cli_print("  %-24s %14.8g   from %.6g\n", "least", m->value, m->first);
    for (int j = 0; j < m->numbers; j++)
        cli_print("  %-24s %14.8g   from %.6g\n", m->name[j], m->number[j], m->number_first[j]);
    fit_print_notes(m);
}

static void print_json(const fit_arguments *a, const withy_scene *scene, const withy_fit_free *f,
                       const withy_minimum *m) {
    cli_json json = {0};
    json_open(&json, NULL, '{');
    json_text(&json, "scene", withy_scene_name(scene));
    json_text(&json, "minimise", a->minimise);
    json_open(&json, "parameters", '[');
    for (int k = 0; k < m->count; k++) {
        json_open(&json, NULL, '{');
        json_text(&json, "name", f[k].name);
        json_number(&json, "value", m->p[k]);
        json_whole(&json, "bound", m->bound[k]);
        json_close(&json, '}');
    }
    json_close(&json, ']');
    json_number(&json, "value", m->value);
    json_number(&json, "first", m->first);
    json_open(&json, "numbers", '[');
    for (int j = 0; j < m->numbers; j++) {
        json_open(&json, NULL, '{');
        json_text(&json, "name", m->name[j]);
        json_number(&json, "value", m->number[j]);
        json_number(&json, "first", m->number_first[j]);
        json_close(&json, '}');
    }
    json_close(&json, ']');
    json_whole(&json, "unstable", m->negative);
    json_whole(&json, "runs", m->runs);
    json_whole(&json, "jacobians", m->slopes);
    json_whole(&json, "readings", m->readings);
    json_bool(&json, "exact", m->exact);
    json_bool(&json, "converged", m->converged);
    cli_json_notes(&json, &m->notes);
    json_close(&json, '}');
}

static int report(const fit_arguments *a, const withy_scene *scene, const withy_fit_free *f,
                  const withy_minimum *m) {
    int ok = 1;
    if (a->json) print_json(a, scene, f, m);
    if (!a->json && !a->quiet) print_summary(a, scene, f, m);
    for (int i = 0; i < a->output.count; i++) {
        const int done = strcmp(fit_ending(a->output.item[i]), ".fit") == 0 ||
                         fit_scene_write(scene, f, m->count, m->p, a->output.item[i]);
        if (done && !a->quiet && !a->json) cli_print("  written: %s\n", a->output.item[i]);
        ok &= done;
    }
    return ok ? CLI_OK : CLI_FAILED;
}

int fit_minimise(const fit_arguments *a, const char *name, const withy_scene *scene,
                 const withy_fit_free *f, int count) {
    fit_context x = {.scene = name, .set = &a->set, .keep = a->keep};
    withy_scene_minimise setup = withy_scene_minimise_default();
    setup.read = fit_read_scene, setup.stop = fit_asked, setup.context = &x;
    setup.method = a->method, setup.objective = a->minimise;
    setup.subject = a->subject.item, setup.subject_count = a->subject.count;
    setup.free = f, setup.count = count, setup.run = a->run, setup.differences = a->differences;
    const double threads = fit_number("threads", a->threads, 0);
    if (isnan(threads)) return CLI_USAGE;
    setup.threads = threads < 1024 ? (int)threads : 1024;
    char *target = NULL, *record;
    if (a->data) {
        target = fit_read_file("data", a->data, &setup.target_size);
        if (!target) return CLI_USAGE;
        setup.target = target, setup.target_name = a->data;
    }
    if (!fit_read_record(a, &record)) return free(target), CLI_USAGE;
    setup.best = a->keep ? fit_best : NULL, setup.resume = record;
    withy_minimum *minimum = calloc(1, sizeof *minimum);
    withy_error err = {0};
    cli_stop_check(1);
    const withy_status status =
        minimum ? withy_minimise_scene(&setup, minimum, &err) : WITHY_NO_MEMORY;
    cli_stop_check(0);
    const int end = status == WITHY_OK ? report(a, scene, f, minimum) : cli_error(&err);
    if (status == WITHY_INTERRUPTED && minimum->count)
        fit_unfinished(a, scene, f, minimum->count, minimum->p);
    free(minimum);
    free(record);
    free(target);
    return end == CLI_OK && x.lost ? CLI_FAILED : end;
}
