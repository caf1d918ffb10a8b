/* picture.c - the cases that belong to the studies, drawn as `withy plot` draws them. */
#include <string.h>
#include <unistd.h>

#include "cases.h"
#include "plot/plot.h"
#include "report/report.h"

enum { WORDS = 32 };

int report_next_case(const char **list, char *name, size_t size) {
    if (!*list) return 0;
    *list += strspn(*list, " ");
    const size_t length = strcspn(*list, " ");
    if (length == 0) return 0;
    snprintf(name, size, "%.*s", (int)length, *list);
    *list += length;
    return 1;
}

int report_has_picture(const report *r, const char *name) {
    for (int i = 0; i < r->pictures; i++)
        if (strcmp(r->drawn[i], name) == 0) return 1;
    return 0;
}

/* ---- directives of a scene --------------------------------------------------------------------- */

/* The words of the line that begins with `mark`, as tools/pictures.sh reads it; -1: no such line. */
static int words_after(const char *scene, const char *mark, char *line, size_t size, char **word) {
    const char *at = strstr(scene, mark);
    if (!at) return -1;
    at += strlen(mark);
    snprintf(line, size, "%.*s", (int)strcspn(at, "\n"), at);
    int count = 0;
    for (char *w = line, *next; count < WORDS && (next = strtok(w, " ")); w = NULL)
        word[count++] = next;
    return count;
}

/* Solved by statics: by its directive, or because it has a path and no time. */
static int is_static_study(const char *scene, const withy_problem *problem) {
    if (strstr(scene, "\n-- solve: static") || strstr(scene, "\n-- static")) return 1;
    return !problem->request.given;
}

/* The values of "--set A=B" in "-- with: --set A=B". */
static cli_list overrides(const char *scene, char *line, size_t size) {
    char *word[WORDS];
    cli_list set = {0};
    const int count = words_after(scene, "\n-- with:", line, size, word);
    for (int i = 0; i + 1 < count; i++)
        if (strcmp(word[i], "--set") == 0) set.item[set.count++] = word[++i];
    return set;
}

/* ---- one case ---------------------------------------------------------------------------------- */

static withy_status solve(const wy_case *c, const char *file, withy_error *err) {
    char line[1024];
    withy_scene *scene;
    const cli_list set = overrides(c->text, line, sizeof line);
    withy_status status =
        withy_scene_read_text(c->text, c->size, c->name, set.item, set.count, &scene, err);
    if (status != WITHY_OK) return status;
    const withy_run_setup setup = {.output = &file, .output_count = 1};
    if (is_static_study(c->text, withy_scene_problem(scene))) {
        withy_static_report found = {0};
        status = withy_static(scene, &setup, &found, err);
        withy_static_free(&found);
    } else {
        withy_report found;
        status = withy_run(scene, &setup, &found, err);
    }
    withy_scene_destroy(scene);
    return status;
}

/* 1: it was drawn; else the reason has been printed. */
static int draw_case(const char *folder, const char *scratch, const wy_case *c) {
    char path[4096], file[4200], line[1024];
    char command[] = "plot", quiet[] = "--quiet", output[] = "--output", names[] = "--";
    char *argument[WORDS + 8] = {command, quiet, output, path};
    withy_error err = {0};
    snprintf(path, sizeof path, "%.3900s/%.128s.svg", folder, c->name);
    snprintf(file, sizeof file, "%s/%.64s.h5", scratch, c->name);
    int words = words_after(c->text, "\n-- plot:", line, sizeof line, argument + 4);
    if (words < 0) words = 0;
    argument[4 + words] = names, argument[5 + words] = file;
    const int drawn = solve(c, file, &err) == WITHY_OK ? cmd_plot(6 + words, argument) == CLI_OK
                                                       : (cli_error(&err), 0);
    unlink(file);
    return drawn;
}

static const wy_case *find_case(const char *name) {
    for (const wy_case *c = wy_cases; c->name; c++)
        if (strcmp(c->name, name) == 0) return c;
    return NULL;
}

/* ---- all --------------------------------------------------------------------------------------- */

static int drawn_before(const report *r, int study, const char *name) {
    char other[128];
    for (int i = 0; i < study; i++) {
        const char *list = r->study[i].study->cases;
        while (report_next_case(&list, other, sizeof other))
            if (strcmp(other, name) == 0) return 1;
    }
    return 0;
}

static void draw_study(report *r, int study, const char *folder, const char *scratch) {
    char name[128];
    const char *list = r->study[study].study->cases;
    while (report_next_case(&list, name, sizeof name)) {
        const wy_case *c = find_case(name);
        if (!c || drawn_before(r, study, name) || r->pictures == REPORT_PICTURES) continue;
        if (draw_case(folder, scratch, c)) r->drawn[r->pictures++] = c->name;
    }
}

void report_draw(report *r, const char *folder) {
    wy_temporary_folder scratch;
    if (!plot_has_gnuplot()) {
        cli_warn("withy: the report has no pictures: gnuplot is not installed "
                 "(sudo apt-get install gnuplot-nox)\n");
        return;
    }
    if (process_folder(&scratch) != 0) return;
    for (int i = 0; i < r->studies; i++) draw_study(r, i, folder, scratch.path);
    wy_temporary_folder_close(&scratch);
}
