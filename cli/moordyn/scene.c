/* scene.c - a mooring of MoorDyn as a scene: docs/moordyn.md says what becomes of each column and key. */
#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "moordyn/moordyn.h"

/* ---- text -------------------------------------------------------------------------------------------- */

typedef struct text {
    char *at;
    size_t used, room;
    int failed;
} text;

static void __attribute__((format(printf, 2, 3))) add(text *x, const char *format, ...) {
    va_list list;
    va_start(list, format);
    const int length = vsnprintf(NULL, 0, format, list);
    va_end(list);
    const size_t room = 2 * x->room + (size_t)length + 1024;
    if (x->failed) return;
    if (x->used + (size_t)length >= x->room) {
        char *more = realloc(x->at, room);
        if (!more) {
            x->failed = 1;
            return;
        }
        x->at = more, x->room = room;
    }
    va_start(list, format);
    x->used += (size_t)vsnprintf(x->at + x->used, x->room - x->used, format, list);
    va_end(list);
}

/* ---- what the file says --------------------------------------------------------------------------------- */

enum { FIXED, COUPLED, FREE };

typedef struct point {
    int id, kind, lines; /* lines that end there */
    int order;           /* of the coupled ones: its place in the motion file */
    int line, end;       /* the first line there, and which end of it */
    double x[3], mass, lift[3];
} point;

typedef struct line {
    int id, type, point[2], n;
    double length;
} line;

typedef struct mooring {
    const md_file *file;
    double (*type)[MD_CELLS]; /* numbers by column */
    point *point;
    line *line;
    double gravity, density, depth, k_bot, friction, output;
    int coupled, cables;
    md_motion motion;
    text notes, scene;
} mooring;

/* ---- options ------------------------------------------------------------------------------------------------ */

static int read_option(mooring *m, const md_row *row) {
    double c_bot, one = 1, zero = 0;
    const struct {
        const char *keys;
        double *to, least;
    } number[] = {{"g|gravity|gravacc", &m->gravity, 1e-9},
                  {"rho|rhow|wtrdnsty", &m->density, 0},
                  {"wtrdpth|depth|wtrdepth", &m->depth, 1e-9},
                  {"kbot|kb", &m->k_bot, 1e-9},
                  {"cbot|cb", &c_bot, 0},
                  {"frictioncoefficient|fric_coeff", &m->friction, 0},
                  {"dtout", &m->output, 0},
                  {"wavekin|waves", &zero, 0},
                  {"currents|current", &zero, 0},
                  {"statdynfricscale", &one, 0}};
    static const char NOT_NEEDED[] =
        "dtm|cfl|tscheme|dtic|icdt|tmaxic|ictmax|cdscaleic|icdfac|threshic|icthresh|icgendynamic|"
        "writelog|writeunits|disableoutput|disableouttime|fricdamp|frictiondamping|dtwave|"
        "unifycurrentgrid|wavekin_rampt|outswitch|inertialf|inertialf_rampt";
    const md_cell *value = &row->cell[0], *key = &row->cell[1];
    if (md_is(key->text, NOT_NEEDED)) return CLI_OK;
    for (size_t i = 0; i < sizeof number / sizeof *number; i++) {
        if (!md_is(key->text, number[i].keys)) continue;
        const int status = md_number(m->file, value, number[i].to);
        if (status != CLI_OK) return status;
        if (!(*number[i].to >= number[i].least))
            return md_wrong(m->file, value, "%.40s must be %s 0", key->text,
                            number[i].least > 0 ? ">" : ">=");
        if (zero != 0 || one != 1)
            return md_wrong(m->file, value, "%.40s = %.20s is not imported: set it to %s",
                            key->text, value->text,
                            one != 1 ? "1"
                                     : "0, and give medium.waves or medium.current in the scene");
        if (number[i].to == &c_bot)
            add(&m->notes, "-- note: cBot is not carried over: the bed of the scene is elastic\n");
        return CLI_OK;
    }
    return md_wrong(m->file, key, "withy does not know the option \"%.40s\"", key->text);
}

static int read_options(mooring *m) {
    const md_table *t = &m->file->table[MD_OPTIONS];
    int status = CLI_OK;
    const md_table *types = &m->file->table[MD_TYPES];
    const int is_old = m->file->is_old || !types->row[0].cell[TYPE_EI].text; /* version 1 */
    m->gravity = 0, m->density = 1025, m->k_bot = 3e6;
    m->depth = 0, m->friction = 0, m->output = 0;
    for (int i = 0; i < t->count && status == CLI_OK; i++) status = read_option(m, &t->row[i]);
    if (status != CLI_OK || m->gravity > 0) return status;
    m->gravity = is_old ? 9.80665 : 9.81;
    add(&m->notes, "-- note: g is not given: it is %.12g, by the manual of version %d of MoorDyn\n",
        m->gravity, is_old ? 1 : 2);
    return CLI_OK;
}

/* ---- types, points, lines --------------------------------------------------------------------------------------- */

static int read_type(mooring *m, int i) {
    static const struct {
        const char *name;
        double least;
    } limit[] = {[TYPE_DIAMETER] = {"Diam", 1e-9},
                 [TYPE_MASS] = {"Mass/m", 1e-9},
                 [TYPE_EA] = {"EA", 1e-9},
                 [TYPE_BA] = {"BA", -INFINITY},
                 [TYPE_EI] = {"EI", 0},
                 [TYPE_CD] = {"Cd", 0},
                 [TYPE_CA] = {"Ca", 0},
                 [TYPE_CD_AX] = {"CdAx", 0},
                 [TYPE_CA_AX] = {"CaAx", 0},
                 [TYPE_CL] = {"Cl", 0}};
    const md_row *row = &m->file->table[MD_TYPES].row[i];
    const md_cell *name = &row->cell[TYPE_NAME];
    for (int k = 0; k < i; k++)
        if (strcmp(m->file->table[MD_TYPES].row[k].cell[TYPE_NAME].text, name->text) == 0)
            return md_wrong(m->file, name, "the line type %.40s is there twice", name->text);
    for (int c = TYPE_DIAMETER; c <= TYPE_CL; c++) {
        const md_cell *cell = &row->cell[c];
        double *x = &m->type[i][c];
        *x = 0;
        if (cell->text && c <= TYPE_EI && strpbrk(cell->text, "|:"))
            return md_wrong(m->file, cell, "%s as \"%.40s\" is not imported: give one number",
                            limit[c].name, cell->text);
        const int status = md_number(m->file, cell, x);
        if (status != CLI_OK) return status;
        if (!(*x >= limit[c].least))
            return md_wrong(m->file, cell, "%s must be %s 0", limit[c].name,
                            limit[c].least > 0 ? ">" : ">=");
    }
    if (m->type[i][TYPE_CL] == 0) return CLI_OK;
    return md_wrong(m->file, &row->cell[TYPE_CL],
                    "vibrations by vortices (Cl > 0) are not imported; set Cl to 0");
}

static int identity(const mooring *m, const md_cell *cell, int *id) {
    double x = 0;
    const int status = md_number(m->file, cell, &x);
    if (status == CLI_OK && !(x >= 1 && x <= 1e6 && x == floor(x)))
        return md_wrong(m->file, cell, "must be a whole number from 1 on");
    *id = (int)x;
    return status;
}

static int point_kind(const mooring *m, const md_cell *cell, int *kind) {
    static const char *const words[] = {"fixed|fix|anchor", "coupled|vessel|ves|fairlead|cpldpin",
                                        "free|connect|con|point"};
    for (*kind = FIXED; *kind <= FREE; ++*kind)
        if (md_is(cell->text, words[*kind])) return CLI_OK;
    return md_wrong(m->file, cell,
                    "a point that is \"%.40s\" is not imported; withy reads Fixed, Coupled, Free "
                    "(and Anchor, Vessel, Connect)",
                    cell->text);
}

static int read_point(mooring *m, int i) {
    const md_row *row = &m->file->table[MD_POINTS].row[i];
    point *p = &m->point[i];
    double volume = 0, drag[2] = {0, 0};
    *p = (point){.line = -1};
    int status = identity(m, &row->cell[POINT_ID], &p->id);
    if (status == CLI_OK) status = point_kind(m, &row->cell[POINT_KIND], &p->kind);
    for (int k = 0; k < 3 && status == CLI_OK; k++) {
        status = md_number(m->file, &row->cell[POINT_X + k], &p->x[k]);
        if (status == CLI_OK) status = md_number(m->file, &row->cell[POINT_FX + k], &p->lift[k]);
    }
    if (status == CLI_OK) status = md_number(m->file, &row->cell[POINT_MASS], &p->mass);
    if (status == CLI_OK) status = md_number(m->file, &row->cell[POINT_VOLUME], &volume);
    for (int k = 0; k < 2 && status == CLI_OK; k++)
        status = md_number(m->file, &row->cell[POINT_CD + k], &drag[k]);
    if (status != CLI_OK) return status;
    for (int k = 0; k < i; k++)
        if (m->point[k].id == p->id)
            return md_wrong(m->file, &row->cell[POINT_ID], "the point %d is there twice", p->id);
    if (p->mass < 0 || volume < 0)
        return md_wrong(m->file, &row->cell[p->mass < 0 ? POINT_MASS : POINT_VOLUME],
                        "must be >= 0");
    if (p->kind == COUPLED && ++m->coupled > MD_COUPLED)
        return md_wrong(m->file, &row->cell[POINT_KIND], "more than %d coupled points", MD_COUPLED);
    p->order = m->coupled;
    if (p->kind != FREE) return CLI_OK;
    for (int k = 0; k < 2; k++)
        if (drag[k] != 0)
            return md_wrong(m->file, &row->cell[POINT_CD + k],
                            "drag and added mass of a free point are not imported; set them to 0");
    p->lift[2] += m->density * m->gravity * volume;
    if (volume > 0)
        add(&m->notes, "-- note: the buoyancy of point %d is constant, also above the surface\n",
            p->id);
    return CLI_OK;
}

/* "3", "P3", "Point3", "Con3", "Node3" */
static int point_of(const mooring *m, const md_cell *cell, int *index) {
    const char *at =
        cell->text + strspn(cell->text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
    char head[16], *end;
    snprintf(head, sizeof head, "%.*s", (int)(at - cell->text), cell->text);
    const long id = strtol(at, &end, 10);
    if (isdigit((unsigned char)*at) && !*end && md_is(head, "|p|point|c|con|connection|n|node"))
        for (*index = 0; *index < m->file->table[MD_POINTS].count; ++*index)
            if (m->point[*index].id == id) return CLI_OK;
    return md_wrong(m->file, cell,
                    "there is no point \"%.40s\"; a line of an import ends at points, by number",
                    cell->text);
}

static int read_line(mooring *m, int i) {
    const md_row *row = &m->file->table[MD_LINES].row[i];
    const md_table *types = &m->file->table[MD_TYPES];
    line *l = &m->line[i];
    double segments = 0;
    *l = (line){0};
    int status = identity(m, &row->cell[LINE_ID], &l->id);
    if (status == CLI_OK) status = md_number(m->file, &row->cell[LINE_LENGTH], &l->length);
    if (status == CLI_OK) status = md_number(m->file, &row->cell[LINE_SEGMENTS], &segments);
    for (int e = 0; e < 2 && status == CLI_OK; e++)
        status = point_of(m, &row->cell[LINE_A + e], &l->point[e]);
    if (status != CLI_OK) return status;
    for (int k = 0; k < i; k++)
        if (m->line[k].id == l->id)
            return md_wrong(m->file, &row->cell[LINE_ID], "the line %d is there twice", l->id);
    if (!(l->length > 0)) return md_wrong(m->file, &row->cell[LINE_LENGTH], "must be > 0");
    if (!(segments >= 1 && segments <= 1e5 && segments == floor(segments)))
        return md_wrong(m->file, &row->cell[LINE_SEGMENTS],
                        "must be a whole number from 1 to 100000");
    if (l->point[0] == l->point[1])
        return md_wrong(m->file, &row->cell[LINE_B], "the line begins and ends at the same point");
    while (l->type < types->count &&
           strcmp(types->row[l->type].cell[TYPE_NAME].text, row->cell[LINE_TYPE].text) != 0)
        l->type++;
    if (l->type == types->count)
        return md_wrong(m->file, &row->cell[LINE_TYPE], "there is no line type \"%.40s\"",
                        row->cell[LINE_TYPE].text);
    l->n = (int)fmax(4, ceil(segments / 3));
    for (int e = 0; e < 2; e++)
        if (m->point[l->point[e]].lines++ == 0)
            m->point[l->point[e]].line = i, m->point[l->point[e]].end = e;
    m->cables += m->type[l->type][TYPE_EI] == 0;
    return CLI_OK;
}

static int each(mooring *m, int section, int (*read)(mooring *m, int i)) {
    int status = CLI_OK;
    for (int i = 0; i < m->file->table[section].count && status == CLI_OK; i++) status = read(m, i);
    return status;
}

static int check(const mooring *m) {
    const md_table *points = &m->file->table[MD_POINTS], *options = &m->file->table[MD_OPTIONS];
    for (int i = 0; i < points->count; i++)
        if (m->point[i].kind == FREE && !m->point[i].lines)
            return md_wrong(m->file, &points->row[i].cell[POINT_ID],
                            "no line ends at the free point %d", m->point[i].id);
    for (int i = 0; i < options->count; i++)
        if (m->friction > 0 && m->cables &&
            md_is(options->row[i].cell[1].text, "frictioncoefficient|fric_coeff"))
            return md_wrong(m->file, &options->row[i].cell[0],
                            "friction on the bed is not supported for lines without EI; set it to "
                            "0, or give the line types an EI");
    return CLI_OK;
}

/* ---- the scene ---------------------------------------------------------------------------------------------------- */

static const double *place_of(const mooring *m, int i) {
    const point *p = &m->point[i];
    return p->kind == COUPLED && m->motion.path ? &m->motion.start[3 * (p->order - 1)] : p->x;
}

static void add_vector(text *x, const double v[3]) {
    add(x, "{ %.12g, %.12g, %.12g }", v[0], v[1], v[2]);
}

static void add_end(mooring *m, int i, int e) {
    const point *p = &m->point[m->line[i].point[e]];
    text *x = &m->scene;
    add(x, "%s = ", e ? "finish" : "start");
    if (p->kind == COUPLED && m->motion.path) {
        add(x, "pinned { position = coupled(%d) }", p->order);
    } else if (p->kind != FREE) {
        add(x, "pinned { position = "), add_vector(x, p->x), add(x, " }");
    } else if (p->line == i && p->end == e && (p->mass > 0 || p->lift[2] != 0)) {
        add(x, "free { mass = %.12g, force = ", p->mass), add_vector(x, p->lift), add(x, " }");
    } else {
        add(x, "free {}");
    }
}

static double segments_of(const mooring *m, int i) {
    double segments = 1;
    md_number(m->file, &m->file->table[MD_LINES].row[i].cell[LINE_SEGMENTS], &segments);
    return segments;
}

static void add_type(mooring *m, const line *l) {
    const double *t = m->type[l->type], n = l->n > 0 ? l->n : 1;
    const md_row *row = &m->file->table[MD_LINES].row[l - m->line];
    text *x = &m->scene;
    double segments = n, damping = t[TYPE_BA];
    md_number(m->file, &row->cell[LINE_SEGMENTS], &segments);
    if (damping < 0) damping *= -(l->length / segments) * sqrt(t[TYPE_EA] * t[TYPE_MASS]);
    if (t[TYPE_EI] > 0)
        add(x, "stiffness = { stretch = %.12g, bend = %.12g, twist = %.12g },\n      ", t[TYPE_EA],
            t[TYPE_EI], t[TYPE_EI]);
    else
        add(x, "kind = \"cable\", stiffness = { stretch = %.12g },\n      ", t[TYPE_EA]);
    add(x, "inertia = { mass = %.12g }, ", t[TYPE_MASS]);
    if (damping > 0) add(x, "damping = { stretch = %.12g }, ", damping);
    add(x, "radius = %.12g,\n      ", t[TYPE_DIAMETER] / 1000);
    add(x, "fluid = { diameter = %.12g, drag = { normal = %.12g, tangential = %.12g }",
        t[TYPE_DIAMETER], t[TYPE_CD], t[TYPE_CD_AX]);
    if (t[TYPE_CA] > 0 || t[TYPE_CA_AX] > 0)
        add(x, ", added = { normal = %.12g, tangential = %.12g }", t[TYPE_CA], t[TYPE_CA_AX]);
    add(x, ", inertia = \"acceleration\" },\n      ");
}

/* A line that is longer than the distance of its ends hangs, and lies on the bed where it reaches it. */
static void add_shape(mooring *m, const line *l) {
    const double *a = place_of(m, l->point[0]), *b = place_of(m, l->point[1]);
    const double way[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
    const double level = hypot(way[0], way[1]), apart = hypot(level, way[2]);
    const double above = fmin(a[2], b[2]) + m->depth, fall = a[2] + b[2] + 2 * m->depth;
    text *x = &m->scene;
    if (!(l->length > apart * (1 + 1e-6))) {
        add(x, "initial = static { shape = straight { from = "), add_vector(x, a);
        add(x, ", along = "), add_vector(x, way), add(x, " } } },\n");
        return;
    }
    add(x, "initial = static { shape = catenary { from = "), add_vector(x, a);
    add(x, ", to = "), add_vector(x, b);
    if (m->depth > 0 && above >= 0 && l->length < level + fall && level > 0)
        add(x, ", bed = %.12g", -m->depth);
    add(x, " } } },\n");
}

static void add_lines(mooring *m) {
    text *x = &m->scene;
    add(x, "  rods = {\n");
    for (int i = 0; i < m->file->table[MD_LINES].count; i++) {
        const line *l = &m->line[i];
        add(x, "    { name = \"line%d\", length = %.12g, ", l->id, l->length);
        add_type(m, l);
        add(x, "ends = { "), add_end(m, i, 0), add(x, ", "), add_end(m, i, 1);
        add(x, " },\n      "), add_shape(m, l);
    }
    add(x, "  },\n");
}

/* Lines that meet at a free point. */
static void add_joints(mooring *m) {
    int found = 0;
    for (int i = 0; i < m->file->table[MD_LINES].count; i++)
        for (int e = 0; e < 2; e++) {
            const point *p = &m->point[m->line[i].point[e]];
            if (p->kind != FREE || (p->line == i && p->end == e)) continue;
            const line *first = &m->line[p->line];
            add(&m->scene,
                "%s    ball { parts = { \"line%d\", \"line%d\" }, at = { %.12g, %.12g } },\n",
                found++ ? "" : "  joints = {\n", first->id, m->line[i].id,
                p->end ? first->length : 0, e ? m->line[i].length : 0);
        }
    if (found) add(&m->scene, "  },\n");
}

static void add_bed(mooring *m) {
    double widest = 0, least = INFINITY;
    if (!(m->depth > 0)) return;
    for (int i = 0; i < m->file->table[MD_LINES].count; i++) {
        const double d = m->type[m->line[i].type][TYPE_DIAMETER];
        widest = fmax(widest, d), least = fmin(least, d);
    }
    if (least < widest)
        add(&m->notes, "-- note: the bed has one stiffness, kBot times the largest diameter\n");
    add(&m->scene,
        "  obstacles = { plane { name = \"bed\", point = { 0, 0, %.12g }, stiffness = %.12g",
        -m->depth - widest / 1000, m->k_bot * widest);
    if (m->friction > 0) add(&m->scene, ", friction = %.12g", m->friction);
    add(&m->scene, " } },\n  contact = { self = false, rods = false },\n");
}

/* ---- channels ---------------------------------------------------------------------------------------------------- */

static int index_of(const mooring *m, int section, long id) {
    for (int i = 0; i < m->file->table[section].count; i++)
        if ((section == MD_LINES ? m->line[i].id : m->point[i].id) == id) return i;
    return -1;
}

/* Of "px": position.  A probe has all three components. */
static const char *quantity_of(const char *word) {
    if (md_is(word, "t|ten|tension")) return "tension";
    if (md_is(word, "px|py|pz")) return "position";
    return md_is(word, "vx|vy|vz") ? "velocity" : NULL;
}

/* Groups of letters and of digits by turns that a name is made of; 0: of something else. */
static int groups_of(const char *name) {
    static const char *const set[] = {"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ",
                                      "0123456789"};
    int count = 0;
    for (size_t length; *name; name += length, count++)
        if (!(length = strspn(name, set[count % 2]))) return 0;
    return count;
}

/* FAIRTEN1, ANCHTEN1, L1TENA, L1N5PX, P1PX: the line, the place on it and what is there, NULL: no such channel. */
static const char *channel_of(const mooring *m, const char *name, int *at_line, double *s) {
    char head[16] = "", middle[16] = "", tail[16] = "";
    long id = 0, node = 0;
    const int found =
        sscanf(name, "%15[A-Za-z]%9ld%15[A-Za-z]%9ld%15[A-Za-z]", head, &id, middle, &node, tail);
    const int whole = md_is(head, "fairten|anchten"), on_line = md_is(head, "l|line");
    const int i = index_of(m, whole || on_line ? MD_LINES : MD_POINTS, id);
    if (found < 2 || found != groups_of(name) || i < 0) return NULL;
    const double length = whole || on_line ? m->line[i].length : 0;
    *at_line = i, *s = 0;
    if (whole) {
        *s = md_is(head, "fairten") ? length : 0;
        return found == 2 ? "tension" : NULL;
    }
    if (on_line && found == 3) {
        *s = md_is(middle, "tenb") ? length : 0;
        return md_is(middle, "tena|tenb") ? "tension" : NULL;
    }
    if (on_line) {
        const double segments = segments_of(m, i);
        *s = length * (double)node / segments;
        if (found != 5 || !md_is(middle, "n|node") || node < 0 || (double)node > segments)
            return NULL;
        return quantity_of(tail);
    }
    const point *p = &m->point[i];
    if (!md_is(head, "p|point|c|con|connection") || found != 3 || p->line < 0) return NULL;
    *at_line = p->line, *s = p->end ? m->line[p->line].length : 0;
    return md_is(middle, "px|py|pz|vx|vy|vz") ? quantity_of(middle) : NULL;
}

/* The probe of a channel; L1N5PX, L1N5PY and L1N5PZ share one, L1N5P. */
static int add_probe(mooring *m, const md_cell *cell, int *found) {
    int at;
    double s;
    char name[40], entry[48];
    const char *what = strlen(cell->text) > 30 ? NULL : channel_of(m, cell->text, &at, &s);
    if (!what)
        return md_wrong(m->file, cell,
                        "the channel \"%.40s\" is not imported; withy writes FAIRTEN#, ANCHTEN#, "
                        "L#TENA, L#TENB, L#N#PX (VX, TEN) and P#PX (VX)",
                        cell->text);
    const int vector = strcmp(what, "tension") != 0;
    snprintf(name, sizeof name, "%.*s", (int)strlen(cell->text) - vector, cell->text);
    snprintf(entry, sizeof entry, "[\"%s\"]", name);
    if (*found && strstr(m->scene.at, entry)) return CLI_OK;
    add(&m->scene, "%s    %s = { rod = \"line%d\", at = %.12g, what = \"%s\" },\n",
        (*found)++ ? "" : "  probes = {\n", entry, m->line[at].id, s, what);
    return CLI_OK;
}

static int add_probes(mooring *m) {
    const md_table *t = &m->file->table[MD_OUTPUTS];
    int found = 0, status = CLI_OK, ends = 0;
    for (int i = 0; i < t->count && !ends; i++)
        for (int k = 0; k < t->row[i].count && !ends && status == CLI_OK; k++) {
            ends = md_is(t->row[i].cell[k].text, "end");
            if (!ends) status = add_probe(m, &t->row[i].cell[k], &found);
        }
    if (found) add(&m->scene, "  },\n");
    return status;
}

/* ---- the whole ----------------------------------------------------------------------------------------------------- */

static void add_rest(mooring *m) {
    text *x = &m->scene;
    int n = 4;
    for (int i = 0; i < m->file->table[MD_LINES].count; i++)
        n = m->line[i].n > n ? m->line[i].n : n;
    const double stop = m->motion.path ? m->motion.stop : 10;
    add(x, "  medium  = { density = %.12g, surface = 0%s", m->density, m->depth > 0 ? ", " : "");
    if (m->depth > 0) add(x, "depth = %.12g", m->depth);
    add(x, ", acceleration = \"local\" },\n  gravity = { 0, 0, %.12g },\n", -m->gravity);
    add(x, "  time    = { stop = %.12g, output = %.12g },\n", stop,
        m->output > 0 ? m->output : stop / 100);
    add(x, "  method  = \"director\",\n  options = { n = %d },\n}\n", n);
}

static int write_scene(mooring *m) {
    text *x = &m->scene;
    if (m->motion.path)
        add(x,
            "local motion = table \"%s\"\n"
            "local function coupled(k) -- the motion of coupled point k\n"
            "  local rows = {}\n"
            "  for i = 1, #motion do\n"
            "    rows[i] = { motion[i][1], motion[i][3 * k - 1], motion[i][3 * k], motion[i][3 * k "
            "+ 1] }\n"
            "  end\n"
            "  return signal(rows)\n"
            "end\n",
            m->motion.name);
    add(x, "return {\n  title   = \"mooring\",\n");
    add_lines(m), add_joints(m), add_bed(m);
    const int status = add_probes(m);
    if (status != CLI_OK) return status;
    add_rest(m);
    if (x->failed || m->notes.failed) return cli_warn("withy: memory ran out\n"), CLI_FAILED;
    printf("-- A mooring, from an input file of MoorDyn by withy import.\n%.*s%.*s",
           (int)m->notes.used, m->notes.used ? m->notes.at : "", (int)x->used, x->at);
    return CLI_OK;
}

int md_scene(const md_file *file, const char *motion) {
    mooring m = {.file = file};
    m.type = calloc((size_t)file->table[MD_TYPES].count + 1, sizeof *m.type);
    m.point = calloc((size_t)file->table[MD_POINTS].count + 1, sizeof *m.point);
    m.line = calloc((size_t)file->table[MD_LINES].count + 1, sizeof *m.line);
    int status = m.type && m.point && m.line ? CLI_OK : CLI_FAILED;
    if (status != CLI_OK) cli_warn("withy: memory ran out\n");
    if (status == CLI_OK) status = read_options(&m);
    if (status == CLI_OK) status = each(&m, MD_TYPES, read_type);
    if (status == CLI_OK) status = each(&m, MD_POINTS, read_point);
    if (status == CLI_OK) status = each(&m, MD_LINES, read_line);
    if (status == CLI_OK) status = check(&m);
    if (status == CLI_OK && motion) status = md_motion_read(motion, m.coupled, &m.motion);
    if (status == CLI_OK) status = write_scene(&m);
    free(m.type), free(m.point), free(m.line), free(m.notes.at), free(m.scene.at);
    return status;
}
