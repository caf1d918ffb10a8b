/* motion.c - the file of --motion: rows of t and x, y, z of each coupled point.  The scene reads it as a table; here it is checked. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "moordyn/moordyn.h"

/* As many as the scene's table (src/scene/table.c) takes. */
enum { LINE = 1 << 14, MOST_ROWS = 100000, MOST_NUMBERS = 1000000, MOST_POINTS = 21, NAME = 200 };

static int wrong(const char *path, int line, const char *why) {
    cli_warn("withy: %s:%d: %s\n", path, line, why);
    return CLI_USAGE;
}

/* Numbers of a row; -1: something else stands there. */
static int numbers_of(const char *line, double *x, int most) {
    int count = 0;
    for (const char *at = line + strspn(line, " \t"); *at && !strchr("\r\n", *at); count++) {
        char *end;
        const double value = strtod(at, &end);
        if (end == at || !isfinite(value) || count == most) return -1;
        x[count] = value;
        at = end + strspn(end, " \t");
        if (*at == ',' || *at == ';') at += 1 + strspn(at + 1, " \t");
    }
    return count;
}

static int read_rows(FILE *from, md_motion *motion) {
    static char line[LINE];
    double x[1 + 3 * MD_COUPLED];
    const int columns = 1 + 3 * motion->points;
    int rows = 0;
    for (int number = 1; fgets(line, sizeof line, from); number++) {
        if (!strchr(line, '\n') && !feof(from))
            return wrong(motion->path, number, "the line is longer than 16000 characters");
        const int count = numbers_of(line, x, columns);
        if (count == 0 || (count < 0 && number == 1)) continue; /* names of the columns */
        if (count != columns) {
            cli_warn("withy: %s:%d: must be %d numbers: t, and x, y, z of %d coupled point%s\n",
                     motion->path, number, columns, motion->points, motion->points == 1 ? "" : "s");
            return CLI_USAGE;
        }
        if (rows && !(x[0] > motion->stop))
            return wrong(motion->path, number, "the time is not after that of the row before");
        if (++rows > MOST_ROWS || rows * columns > MOST_NUMBERS)
            return wrong(motion->path, number, "more than 100000 rows or a million numbers");
        if (rows == 1) memcpy(motion->start, x + 1, (size_t)(columns - 1) * sizeof *x);
        motion->stop = x[0];
    }
    return rows > 1 ? CLI_OK : wrong(motion->path, 1, "must have at least two rows");
}

/* Why a scene could not read a file of this name in its folder; NULL: it can. */
static const char *refused_name(const char *name) {
    if (!*name || *name == '.') return "is empty or begins with a dot";
    if (strlen(name) >= NAME) return "has more than 199 characters";
    for (const char *at = name; *at; at++)
        if (strchr("\"\\", *at) || (unsigned char)*at < ' ')
            return *at == '"' ? "contains a quote" : "contains a backslash or a control character";
    return NULL;
}

int md_motion_read(const char *path, int points, md_motion *motion) {
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const char *why = refused_name(name);
    *motion = (md_motion){.path = path, .name = name, .points = points};
    if (why) return cli_warn("withy: --motion: its name %s\n", why), CLI_USAGE;
    if (points < 1) return cli_warn("withy: --motion: the file has no coupled points\n"), CLI_USAGE;
    if (points > MOST_POINTS)
        return cli_warn("withy: --motion: for at most %d coupled points; there are %d\n",
                        MOST_POINTS, points),
               CLI_USAGE;
    FILE *from = fopen(path, "r");
    if (!from) return cli_warn("withy: %s: %s\n", path, strerror(errno)), CLI_USAGE;
    const int status = read_rows(from, motion);
    fclose(from);
    if (status == CLI_OK && !(motion->stop > 0))
        return wrong(path, 1, "its last time must be > 0: the scene begins at t = 0");
    return status;
}
