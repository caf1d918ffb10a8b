/* params.c - the parameters of a scene as text and JSON. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"

void cli_json_params(cli_json *json, const withy_scene *scene) {
    withy_parameter p;
    if (!withy_scene_parameter(scene, 0, &p)) return;
    json_open(json, "params", '{');
    for (int i = 0; withy_scene_parameter(scene, i, &p); i++) json_number(json, p.name, p.value);
    json_close(json, '}');
}

static void print_range(const withy_parameter *p) {
    if (isfinite(p->min) && isfinite(p->max))
        cli_print(", %g to %g", p->min, p->max);
    else if (isfinite(p->min))
        cli_print(", at least %g", p->min);
    else if (isfinite(p->max))
        cli_print(", at most %g", p->max);
}

void cli_print_params(const withy_scene *scene) {
    withy_parameter p;
    for (int i = 0; withy_scene_parameter(scene, i, &p); i++) {
        cli_print("  params.%s = %.9g", p.name, p.value);
        if (p.unit[0]) cli_print(" %s", p.unit);
        if (p.value != p.given) cli_print(" instead of %.9g", p.given);
        print_range(&p);
        if (p.doc[0]) cli_print(": %s", p.doc);
        cli_print("\n");
    }
}

const char *cli_title(const withy_scene *scene) {
    const char *name = withy_scene_name(scene), *title = withy_scene_problem(scene)->title;
    const char *slash =
        strrchr(name, '/'); /* a scene without a title is given the name of its file */
    const int differs = title && title[0] && strcmp(title, slash ? slash + 1 : name) != 0;
    return differs ? title : "";
}
