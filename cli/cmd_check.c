/* cmd_check.c - withy check: read a scene and report which methods accept it. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "network.h"

/* What a method says of the scene: why it refuses, or has equilibria but no start of a motion. */
static int answer(const withy_scene *scene, const char *method, withy_error *err, char *text,
                  size_t size) {
    withy_error start = {0};
    const int accepts = withy_check(scene, method, err) == WITHY_OK;
    if (!accepts)
        snprintf(text, size, "%s", err->text);
    else if (withy_check_run(scene, method, &start) == WITHY_OK)
        snprintf(text, size, "accepts");
    else
        snprintf(text, size, "accepts for static and modes; run refuses: %s", start.text);
    return accepts;
}

/* ---- figures: what a wrong unit would show in ------------------------------------------------------ */

typedef struct figures {
    double mass, bend[2], twist; /* of a rod, stiffness in its middle: [kg], [N m^2], [N m^2] */
    double slender;              /* length / thickness; 0: no section is given                */
} figures;

static figures figures_of(const withy_rod *rod) {
    enum { PIECES = 64 };
    figures f = {0};
    double k[WITHY_STRAINS];
    for (int i = 0; i < PIECES; i++)
        f.mass += rod->length / PIECES * cli_mass_at(rod, rod->length * (i + 0.5) / PIECES);
    if (withy_rod_stiffness(rod, 0.5 * rod->length, k, NULL) == WITHY_OK)
        f.bend[0] = k[WITHY_BEND1], f.bend[1] = k[WITHY_BEND2], f.twist = k[WITHY_TWIST];
    const withy_section *section = &rod->section;
    double size[WITHY_FIELD_MAX] = {0};
    if (section->kind != WITHY_SECTION_NONE && section->kind != WITHY_SECTION_CUSTOM &&
        withy_field_at(&section->a, 0.5 * rod->length, 0, size, NULL) == WITHY_OK && size[0] > 0)
        f.slender = rod->length / size[0];
    return f;
}

/* "12 N m^2" or "rigid". */
static const char *or_rigid(double x, char text[24]) {
    if (isfinite(x))
        snprintf(text, 24, "%.4g N m^2", x);
    else
        snprintf(text, 24, "rigid");
    return text;
}

static void print_rod(const withy_rod *rod) {
    char a[24], b[24], c[24];
    const figures f = figures_of(rod);
    cli_print("         mass %.4g kg, EI %s", f.mass, or_rigid(f.bend[0], a));
    if (f.bend[0] != f.bend[1]) cli_print(" and %s", or_rigid(f.bend[1], b));
    cli_print(", GJ %s", or_rigid(f.twist, c));
    if (f.slender > 0) cli_print(", length / thickness %.3g", f.slender);
    cli_print("\n");
}

enum { MOST_RODS = 20 }; /* described in full */

/* What touches, and what overlaps already as it is drawn. */
static void print_contact(const withy_problem *p) {
    enum { SHOWN = 8 };
    withy_overlap list[SHOWN];
    int count = 0;
    if (p->contact.given || p->obstacle_count > 0)
        cli_print("  %d obstacle%s; rods %s\n", p->obstacle_count,
                  p->obstacle_count == 1 ? "" : "s",
                  p->contact.given ? "touch each other" : "pass through each other");
    if (withy_problem_overlaps(p, SHOWN, list, &count, NULL) != WITHY_OK) return;
    for (int i = 0; i < count && i < SHOWN; i++) cli_print("  at t = 0 %s\n", list[i].text);
    if (count > SHOWN) cli_print("  and %d more overlaps\n", count - SHOWN);
}

static void print_path(const withy_path *path) {
    const int legs = path->through_count ? path->through_count - 1 : 1, steps = legs * path->steps;
    cli_print("  path of %d step%s, load factor ", steps, steps == 1 ? "" : "s");
    if (!path->through_count) cli_print("%g to %g", path->from, path->to);
    for (int i = 0; i < path->through_count; i++) cli_print(i ? " to %g" : "%g", path->through[i]);
    cli_print("\n");
}

static void describe(const withy_scene *scene) {
    const withy_problem *p = withy_scene_problem(scene);
    static const char *const kind[] = {"free", "pinned", "clamped", "guided", "roller"};
    const char *title = cli_title(scene);
    cli_print("%s: valid%s%s\n", withy_scene_name(scene), title[0] ? ", " : "", title);
    cli_print_params(scene);
    for (int i = 0; i < p->rod_count; i++) {
        cli_print("  rod %d: length %g m, %s - %s, %d load%s\n", i + 1, p->rod[i].length,
                  kind[p->rod[i].end[0].kind], kind[p->rod[i].end[1].kind], p->rod[i].load_count,
                  p->rod[i].load_count == 1 ? "" : "s");
        if (i < MOST_RODS) print_rod(&p->rod[i]);
    }
    cli_network(scene);
    print_contact(p);
    if (p->path.given) print_path(&p->path);
    if (!p->request.given) return;
    cli_print("  until t = %g s, a snapshot every %g s, %d probe%s\n", p->request.stop,
              p->request.output, p->request.probe_count, p->request.probe_count == 1 ? "" : "s");
}

/* From the modes: the lowest that oscillates without growing, 0: none; and how many grow. */
typedef struct outlook {
    double hz;
    cli_mode_name name;
    int growing;
    char method[WITHY_NAME];
} outlook;

/* Those that grow come first, the fastest of them too, which may be a wave of the mesh: `more` others. */
static int look_at(const withy_scene *scene, int more, outlook *x) {
    withy_mode *mode = NULL;
    const withy_run_setup setup = {0};
    if (withy_modes(scene, WITHY_UP_TO + x->growing + more, &setup, &mode, NULL) != WITHY_OK)
        return 0;
    const int total = mode[0].total;
    x->hz = x->growing = 0;
    for (int i = 0; i < total; i++) {
        x->growing += mode[i].kind >= WITHY_MODE_FLUTTER;
        if (mode[i].kind != WITHY_MODE_STABLE || !(mode[i].frequency > 0)) continue;
        if (x->hz == 0 || mode[i].frequency < x->hz)
            x->hz = mode[i].frequency, x->name = cli_mode_of(scene, &mode[i]);
    }
    snprintf(x->method, sizeof x->method, "%s", mode[0].method);
    withy_modes_free(mode, total);
    return total;
}

static outlook look_ahead(const withy_scene *scene) {
    enum { MORE = 7 }; /* six motions of a rigid body may come first */
    outlook x = {0};
    const int total = look_at(scene, MORE, &x);
    if (x.growing && x.growing + MORE > total) look_at(scene, MORE, &x);
    return x;
}

static const double TRIAL = 0.05; /* the part of a run that is computed [s] */

static int stop_soon(void *begin, double t, double stop, int64_t step) {
    (void)t, (void)stop, (void)step;
    return cli_clock() - *(const double *)begin > TRIAL || cli_stop_asked();
}

typedef struct trial {
    double t, step, elapsed; /* time reached, mean step, and what it took [s] */
    withy_status status;     /* WITHY_OK: to the end; WITHY_INTERRUPTED: only the first part */
    withy_error err;
    char method[WITHY_NAME];
    withy_notes notes;
} trial;

/* The first part of the run, or all of a short one. */
static trial try_run(const withy_scene *scene) {
    double begin = cli_clock();
    static withy_report report;
    trial x = {0};
    const withy_run_setup setup = {.progress = stop_soon, .context = &begin};
    cli_stop_check(1);
    x.status = withy_run(scene, &setup, &report, &x.err);
    cli_stop_check(0);
    snprintf(x.method, sizeof x.method, "%s", report.method);
    x.notes = report.notes;
    x.t = report.t, x.elapsed = cli_clock() - begin;
    if (report.t > 0 && report.stats.steps > 0) x.step = report.t / (double)report.stats.steps;
    return x;
}

/* What the first part shows is no figure of the whole: later steps may be shorter, and contacts may come. */
static void print_trial(const trial *x, double stop) {
    if (x->status == WITHY_OK) {
        cli_print("  the run takes %.2g s, with steps of %.3g s on average with %s\n", x->elapsed,
                  x->step, x->method);
    } else if (x->status != WITHY_INTERRUPTED) {
        cli_print("  the run fails after t = %.3g s of %.3g s: %s\n", x->t, stop, x->err.text);
    } else if (x->t > 0) {
        cli_print("  only the first part of the run was tried, to t = %.3g s of %.3g s in %.2g s: "
                  "steps of %.3g s on average with %s\n",
                  x->t, stop, x->elapsed, x->step, x->method);
        cli_print("  if all of it is like this part, it takes about %.2g s; shorter steps or "
                  "contact later take longer\n",
                  x->elapsed * stop / x->t);
    } else {
        cli_print("  the first step takes longer than %.2g s: the time of the run is not known\n",
                  TRIAL);
    }
}

static void print_outlook(const withy_scene *scene) {
    const outlook modes = look_ahead(scene);
    if (modes.hz > 0)
        cli_print("  first frequency %.4g Hz about the equilibrium, %s%s%s (%s)\n", modes.hz,
                  modes.name.word, modes.name.along[0] ? " along " : "", modes.name.along,
                  modes.method);
    if (modes.growing)
        cli_print("  the equilibrium is unstable (%s), %d of its modes grow%s: withy modes lists "
                  "how\n",
                  modes.method, modes.growing, modes.growing == 1 ? "s" : "");
    if (!withy_scene_problem(scene)->request.given) return;
    if (withy_check_run(scene, withy_scene_method(scene), NULL) != WITHY_OK) return;
    const trial x = try_run(scene);
    print_trial(&x, withy_scene_problem(scene)->request.stop);
    if (x.notes.text[0] && x.status == WITHY_INTERRUPTED)
        cli_print("  notes of the first part, to t = %.3g s:\n", x.t);
    cli_print_notes(&x.notes);
}

int cmd_check(int argc, char **argv) {
    cli_list set = {0}, rest;
    int json = 0;
    const cli_option option[] = {
        {"set", 's', "PATH=VALUE", "override a value of the scene (repeatable)", .list = &set},
        {"json", 0, NULL, "print one JSON object", .flag = &json},
        {0}};
    const cli_usage usage = {"withy check SCENE",
                             "Read and validate a scene.  Print its mass, stiffness and first "
                             "frequency, the step and the time of a\n"
                             "run, the methods that accept it, and why the others refuse.  Exit "
                             "status 0 if the method that the\n"
                             "scene names accepts it; without a name, if any method does.",
                             "  withy check falling_rod", option};
    const char *name;
    int status = cli_parse(argc, argv, &usage, &rest);
    if (status >= 0) return status;
    if ((status = cli_one(&usage, &rest, "scene", &name)) >= 0) return status;
    withy_error err = {0};
    withy_scene *scene;
    if (cli_scene(name, &set, &scene, &err) != WITHY_OK) return cli_error(&err);

    cli_json out = {0};
    if (json) {
        json_open(&out, NULL, '{');
        json_text(&out, "scene", withy_scene_name(scene));
        json_bool(&out, "valid", 1);
        json_text(&out, "method", withy_scene_method(scene));
        cli_json_params(&out, scene);
        json_open(&out, "methods", '{');
    } else {
        describe(scene);
    }
    withy_method_info info;
    withy_error why = {0}; /* of the method that the scene names */
    int runs = -1;         /* 1: it accepts; -1: none is named */
    for (int i = 0; withy_method_at(i, &info); i++) {
        char text[2 * WITHY_ERROR_TEXT];
        const int accepts = answer(scene, info.name, &err, text, sizeof text);
        if (strcmp(info.name, withy_scene_method(scene)) == 0) runs = accepts, why = err;
        if (json)
            json_text(&out, info.name, text);
        else
            cli_print("  %-10s %s\n", info.name, text);
    }
    if (json) {
        json_close(&out, '}');
        json_close(&out, '}');
    }
    if (runs < 0) runs = withy_check(scene, withy_scene_method(scene), &why) == WITHY_OK;
    if (runs && !json) print_outlook(scene);
    if (!runs) status = cli_error(&why);
    withy_scene_destroy(scene);
    return runs ? CLI_OK : status;
}
