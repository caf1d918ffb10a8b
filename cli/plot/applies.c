/* applies.c - to which kinds of input the options of withy plot apply; the others are refused, not ignored. */
#include "plot/applies.h"

#include <string.h>

enum {
    RESULT = 1 << PLOT_OF_RESULT,
    SCENE = 1 << PLOT_OF_SCENE,
    SWEEP = 1 << PLOT_OF_SWEEP,
    MINUS = 1 << PLOT_OF_DIFFERENCE,
    ERRORS = 1 << PLOT_OF_ERRORS,
    ANY = RESULT | SCENE | SWEEP | MINUS | ERRORS,
    SHAPES = RESULT | SCENE
};

static const char *const kind_text[] = {[PLOT_OF_RESULT] = "a result",
                                        [PLOT_OF_SCENE] = "a scene",
                                        [PLOT_OF_SWEEP] = "a sweep",
                                        [PLOT_OF_DIFFERENCE] = "a difference (--minus)",
                                        [PLOT_OF_ERRORS] = "a comparison (--errors)"};

static const struct {
    const char *name;
    unsigned kinds;
} row[] = {{"output", ANY},
           {"shapes", SHAPES},
           {"energy", SHAPES},
           {"probes", SHAPES | MINUS},
           {"profile", SHAPES | MINUS},
           {"what", SHAPES | SWEEP},
           {"against", SWEEP},
           {"parallel", SWEEP},
           {"spectrum", SHAPES},
           {"ledger", SHAPES},
           {"decay", SHAPES},
           {"contacts", SHAPES},
           {"growth", SHAPES},
           {"minus", MINUS},
           {"errors", ERRORS},
           {"frames-grid", SHAPES},
           {"plane", SHAPES},
           {"view3d", SHAPES},
           {"count", SHAPES},
           {"thick", SHAPES},
           {"arrows", SHAPES},
           {"every", SHAPES},
           {"frames", SHAPES},
           {"from", SHAPES | MINUS | ERRORS},
           {"to", SHAPES | MINUS | ERRORS},
           {"dark", ANY},
           {"size", ANY},
           {"method", SCENE},
           {"set", SCENE},
           {"json", ANY},
           {"quiet", ANY}};

static int is_given(const cli_option *o) {
    return o->flag ? *o->flag : o->text ? *o->text != NULL : o->list->count > 0;
}

static unsigned kinds_of(const char *option) {
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        if (strcmp(row[i].name, option) == 0) return row[i].kinds;
    return 0;
}

int plot_check_options(const cli_option *option, plot_of kind) {
    for (; option->name; option++) {
        const unsigned kinds = kinds_of(option->name);
        char text[128] = "";
        if (!is_given(option) || kinds >> kind & 1) continue;
        for (int k = 0; k <= PLOT_OF_ERRORS; k++) {
            const size_t used = strlen(text);
            if (kinds >> k & 1)
                snprintf(text + used, sizeof text - used, "%s%s", used ? ", " : "", kind_text[k]);
        }
        cli_warn("withy: --%s: has no effect on the picture of %s; it is for %s\n", option->name,
                 kind_text[kind], text);
        return CLI_USAGE;
    }
    return -1;
}
