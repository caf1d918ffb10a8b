/* report_picture.c - the cases that belong to the studies, drawn as `withy plot` draws them. */
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cases.h"
#include "plot.h"
#include "report.h"

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

int report_has_picture(const char *folder, const char *name) {
    char path[4096];
    struct stat file;
    snprintf(path, sizeof path, "%.3900s/%.128s.svg", folder, name);
    return stat(path, &file) == 0 && file.st_size > 0;
}

/* How the scene wants to be drawn: the words after "-- plot:". */
static int plot_words(const char *scene, char *line, size_t size, char **word) {
    static const char mark[] = "\n-- plot:";
    const char *at = scene ? strstr(scene, mark) : NULL;
    if (!at) return 0;
    at += strlen(mark);
    snprintf(line, size, "%.*s", (int)strcspn(at, "\n"), at);
    int count = 0;
    for (char *w = line; count < WORDS; w = NULL) {
        char *next = strtok(w, " ");
        if (!next) break;
        word[count++] = next;
    }
    return count;
}

static const char *scene_of(const char *name) {
    for (const wy_case *c = wy_cases; c->name; c++)
        if (strcmp(c->name, name) == 0) return c->text;
    return NULL;
}

static void draw_case(const char *folder, const char *name) {
    char path[4096], line[1024], command[] = "plot", quiet[] = "--quiet", output[] = "--output";
    char scene[128], *argument[WORDS + 8] = {command, scene, quiet, output, path};
    snprintf(scene, sizeof scene, "%s", name);
    snprintf(path, sizeof path, "%.3900s/%.128s.svg", folder, name);
    const int words = plot_words(scene_of(name), line, sizeof line, argument + 5);
    unlink(path);
    cmd_plot(5 + words, argument); /* it says why when it cannot; the page shows what there is */
}

static int drawn_before(const report *r, int study, const char *name) {
    char other[128];
    for (int i = 0; i < study; i++) {
        const char *list = r->study[i].study->cases;
        while (report_next_case(&list, other, sizeof other))
            if (strcmp(other, name) == 0) return 1;
    }
    return 0;
}

void report_draw(const report *r, const char *folder) {
    char name[128];
    if (!plot_has_gnuplot()) {
        fprintf(stderr, "withy: the report has no pictures: gnuplot is not installed "
                        "(sudo apt-get install gnuplot-nox)\n");
        return;
    }
    for (int i = 0; i < r->studies; i++) {
        const char *list = r->study[i].study->cases;
        while (report_next_case(&list, name, sizeof name))
            if (!drawn_before(r, i, name)) draw_case(folder, name);
    }
}
