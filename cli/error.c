/* error.c - error bars as text and JSON: withy run, static and modes with --error. */
#include <math.h>
#include <string.h>

#include "cli.h"

const char *cli_bar(const withy_error_summary *error, double bar, cli_bar_text *text) {
    text->text[0] = '\0';
    if (!error->runs) return text->text;
    if (isfinite(bar))
        snprintf(text->text, sizeof text->text, " +- %.2g", bar);
    else
        snprintf(text->text, sizeof text->text, " +- ?");
    return text->text;
}

void cli_json_error(cli_json *json, const withy_error_summary *error) {
    json_bool(json, "trusted", error->trusted);
    json_number(json, "shape", error->shape);
    json_number(json, "mesh", error->mesh);
    json_number(json, "step", error->step);
    json_number(json, "size", error->size);
    json_whole(json, "runs", error->runs);
    json_vector(json, "n", (const double[]){error->n[0], error->n[1]}, 2);
    json_vector(json, "dt", error->dt, 2);
    cli_json_notes(json, &error->notes);
}

void cli_print_notes(const withy_notes *notes) {
    withy_note note;
    for (int i = 0; withy_note_at(notes->text, notes->data, i, &note); i++)
        cli_print("  note: %s\n", note.text);
}

void cli_json_notes(cli_json *json, const withy_notes *notes) {
    withy_note note;
    json_open(json, "notes", '[');
    for (int i = 0; withy_note_at(notes->text, notes->data, i, &note); i++) {
        json_open(json, NULL, '{');
        json_text(json, "id", note.id);
        json_text(json, "text", note.text);
        json_open(json, "values", '{');
        for (int k = 0; k < note.count; k++)
            if (note.value[k].is_text)
                json_text(json, note.value[k].name, note.value[k].text);
            else
                json_number(json, note.value[k].name, note.value[k].number);
        json_close(json, '}');
        json_close(json, '}');
    }
    json_close(json, ']');
}

void cli_json_failure(cli_json *json, const withy_error *err) {
    json_open(json, "error", '{');
    json_text(json, "message", err->text);
    json_text(json, "path", err->path);
    json_whole(json, "line", err->line);
    json_text(json, "status", withy_status_name(err->code));
    json_close(json, '}');
}

/* notes without runs: they were asked for, and none succeeded. */
void cli_print_error(const withy_error_summary *error) {
    if (!error->runs && !error->notes.text[0]) return;
    cli_print("  %-18s from n = %d to %d", "errors", error->n[0], error->n[1]);
    if (error->dt[0] > 0) cli_print(", dt = %.3g to %.3g s", error->dt[0], error->dt[1]);
    if (error->runs && isfinite(error->shape))
        cli_print(": no point is off by more than %.2g m, %.2g %% of the size (mesh %.2g, step "
                  "%.2g)\n",
                  error->shape, 100 * error->shape / error->size, error->mesh, error->step);
    else
        cli_print(": those of the points are not known\n");
    if (error->runs && isfinite(error->shape) && !error->trusted)
        cli_print("  note: these runs do not approach each other, so that the errors are rough: "
                  "increase options.n or shorten options.dt\n");
    cli_print_notes(&error->notes);
}
