/* cmd_check.c - withy check: read a scene and report which methods accept it. */
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "network.h"

static void describe(const withy_scene *scene) {
    const withy_problem *p = withy_scene_problem(scene);
    static const char *const kind[] = {"free", "pinned", "clamped", "guided", "roller"};
    cli_print("%s: valid%s%s\n", withy_scene_name(scene), p->title && p->title[0] ? ", " : "",
              p->title ? p->title : "");
    for (int i = 0; i < p->rod_count; i++)
        cli_print("  rod %d: length %g m, %s - %s, %d load%s\n", i + 1, p->rod[i].length,
                  kind[p->rod[i].end[0].kind], kind[p->rod[i].end[1].kind], p->rod[i].load_count,
                  p->rod[i].load_count == 1 ? "" : "s");
    cli_network(p);
    if (p->path.given)
        cli_print("  path of %d points, load factor %g to %g\n", p->path.steps, p->path.from,
                  p->path.to);
    if (!p->request.given) return;
    cli_print("  until t = %g s, a snapshot every %g s, %d probe%s\n", p->request.stop,
              p->request.output, p->request.probe_count, p->request.probe_count == 1 ? "" : "s");
}

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

int cmd_check(int argc, char **argv) {
    cli_list set = {0}, rest;
    int json = 0;
    const cli_option option[] = {
        {"set", 's', "PATH=VALUE", "override a value of the scene (repeatable)", .list = &set},
        {"json", 0, NULL, "print one JSON object", .flag = &json},
        {0}};
    const cli_usage usage = {
        "withy check SCENE",
        "Read and validate a scene, and list the methods that accept it and why the "
        "others refuse.\nExit status 0 when the method it names (or any) accepts.",
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
    if (!runs) status = cli_error(&why);
    withy_scene_destroy(scene);
    return runs ? CLI_OK : status;
}
