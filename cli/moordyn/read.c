/* read.c - an input file of MoorDyn into cells: sections with titles "--- LINES ---", columns by the names in their headers. */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "moordyn/moordyn.h"

enum { MOST_BYTES = 1 << 24, MOST_ROWS = 10000 };
static const double LARGEST = 1e60;                      /* so that products of three are finite */
enum { MD_REFUSED = MD_SECTIONS, MD_NOWHERE, MD_TITLE }; /* the last: the head of the file */

/* Words of a title, and what the section is; the longer ones first. */
static const struct {
    const char *title;
    int section, is_old;
} TITLE[] = {
    {"LINE DICTIONARY", MD_TYPES, 0},
    {"LINE TYPES", MD_TYPES, 0},
    {"LINE PROPERTIES", MD_LINES, 0},
    {"LINE LIST", MD_LINES, 0},
    {"LINES", MD_LINES, 0},
    {"CONNECTION PROPERTIES", MD_POINTS, 1},
    {"NODE PROPERTIES", MD_POINTS, 1},
    {"POINT PROPERTIES", MD_POINTS, 0},
    {"POINT LIST", MD_POINTS, 0},
    {"POINTS", MD_POINTS, 0},
    {"OPTIONS", MD_OPTIONS, 0},
    {"OUTPUT", MD_OUTPUTS, 0},
    {"ROD DICTIONARY", MD_REFUSED, 0},
    {"ROD TYPES", MD_REFUSED, 0},
    {"ROD PROPERTIES", MD_REFUSED, 0},
    {"ROD LIST", MD_REFUSED, 0},
    {"RODS", MD_REFUSED, 0},
    {"BODY PROPERTIES", MD_REFUSED, 0},
    {"BODY LIST", MD_REFUSED, 0},
    {"BODIES", MD_REFUSED, 0},
    {"FAILURE", MD_REFUSED, 0},
    {"CONTROL", MD_REFUSED, 0},
    {"EXTERNAL LOADS", MD_REFUSED, 0},
    {"SYROPE IC", MD_REFUSED, 0},
};

/* Columns by what their header may be called; a cell of an optional one may be left out with it. */
typedef struct column {
    const char *names;
    int needed;
} column;

static const column TYPE_COLUMNS[] = {{"typename|linetype|name|type", 1},
                                      {"diam|diameter|d", 1},
                                      {"mass/m|massden|massdeninair|mass/len|mass", 1},
                                      {"ea", 1},
                                      {"ba/-zeta|ba|cint|cintdamp", 1},
                                      {"ei", 0},
                                      {"cd|cdn", 1},
                                      {"ca|can", 1},
                                      {"cdax|cdt", 1},
                                      {"caax|cat", 1},
                                      {"cl", 0},
                                      {"df", 0},
                                      {"cf", 0},
                                      {NULL, 0}};
static const column POINT_COLUMNS[] = {{"id|node|point|num|number", 1},
                                       {"attachment|type", 1},
                                       {"x", 1},
                                       {"y", 1},
                                       {"z", 1},
                                       {"mass|m", 0},
                                       {"volume|vol|v", 0},
                                       {"cda", 0},
                                       {"ca", 0},
                                       {"fx", 0},
                                       {"fy", 0},
                                       {"fz", 0},
                                       {NULL, 0}};
static const column LINE_COLUMNS[] = {{"id|line|num|number", 1},
                                      {"linetype|type", 1},
                                      {"attacha|nodeanch|enda", 1},
                                      {"attachb|nodefair|endb", 1},
                                      {"unstrlen|length|len", 1},
                                      {"numsegs|segs|n", 1},
                                      {"outputs|lineoutputs|flags|flags/outputs", 0},
                                      {NULL, 0}};
static const column *const COLUMNS[] = {
    [MD_TYPES] = TYPE_COLUMNS, [MD_POINTS] = POINT_COLUMNS, [MD_LINES] = LINE_COLUMNS};

/* ---- messages and numbers --------------------------------------------------------------------------- */

int md_wrong(const md_file *file, const md_cell *at, const char *format, ...) {
    char text[512];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    cli_warn("withy: %s:%d:%d: %s\n", file->name, at->line, at->column, text);
    return CLI_USAGE;
}

int md_is(const char *text, const char *names) {
    const size_t length = strlen(text);
    for (const char *at = names; at; at = strchr(at, '|') ? strchr(at, '|') + 1 : NULL) {
        const size_t own = strcspn(at, "|");
        size_t i = 0;
        while (i < own && i < length && tolower((unsigned char)text[i]) == at[i]) i++;
        if (own == length && i == own) return 1;
    }
    return 0;
}

int md_number(const md_file *file, const md_cell *at, double *x) {
    char *end;
    if (!at->text) return CLI_OK;
    *x = strtod(at->text, &end);
    if (end == at->text || *end || !isfinite(*x))
        return md_wrong(file, at, "\"%.40s\" must be a finite number", at->text);
    if (fabs(*x) <= LARGEST) return CLI_OK;
    return md_wrong(file, at, "\"%.40s\" is too large; the most is %g", at->text, LARGEST);
}

/* ---- lines into cells ----------------------------------------------------------------------------------- */

/* Cells of a line, in place; a comment begins with #, ! or %.  -1: more than fit. */
static int split(char *text, int line, const char *between, md_row *row) {
    *row = (md_row){.count = 0};
    text[strcspn(text, "#!%")] = '\0';
    for (char *at = text + strspn(text, between); *at;) {
        const size_t length = strcspn(at, between);
        char *next = at + length;
        if (row->count == MD_CELLS) return -1;
        row->cell[row->count++] = (md_cell){at, line, (int)(at - text) + 1};
        next += strspn(next, between);
        at[length] = '\0', at = next;
    }
    return row->count;
}

static int is_title(const char *text) {
    return strncmp(text, "---", 3) == 0;
}

static int section_of(const char *text, int *is_old) {
    char upper[128];
    size_t i = 0;
    for (; text[i] && i + 1 < sizeof upper; i++) upper[i] = (char)toupper((unsigned char)text[i]);
    upper[i] = '\0';
    if (strstr(upper, "NEED THIS LINE")) return MD_NOWHERE;
    for (size_t k = 0; k < sizeof TITLE / sizeof *TITLE; k++)
        if (strstr(upper, TITLE[k].title)) return *is_old |= TITLE[k].is_old, TITLE[k].section;
    return -1;
}

static md_row *new_row(md_table *table) {
    if (table->count == table->room) {
        const int room = table->room ? 2 * table->room : 16;
        md_row *more = realloc(table->row, (size_t)room * sizeof *more);
        if (!more) return NULL;
        table->row = more, table->room = room;
    }
    return &table->row[table->count++];
}

/* ---- tables ------------------------------------------------------------------------------------------------ */

/* Where the columns of a table stand in its rows. */
typedef struct layout {
    int of[MD_CELLS]; /* of each cell of a row: its column */
    int cells;
} layout;

static int find_columns(const md_file *file, const column *columns, const md_row *header,
                        layout *out) {
    int given[MD_CELLS] = {0};
    out->cells = header->count;
    for (int i = 0; i < header->count; i++) {
        const md_cell *cell = &header->cell[i];
        int c = 0;
        while (columns[c].names && !md_is(cell->text, columns[c].names)) c++;
        if (!columns[c].names)
            return md_wrong(file, cell, "the column \"%.40s\" is not known here; withy reads %s",
                            cell->text,
                            columns == TYPE_COLUMNS    ? "TypeName Diam Mass/m EA BA/-zeta EI Cd "
                                                         "Ca CdAx CaAx Cl dF cF"
                            : columns == POINT_COLUMNS ? "ID Attachment X Y Z Mass Volume CdA Ca"
                                                       : "ID LineType AttachA AttachB UnstrLen "
                                                         "NumSegs LineOutputs");
        if (given[c]++)
            return md_wrong(file, cell, "the column \"%.40s\" is there twice", cell->text);
        out->of[i] = c;
    }
    for (int c = 0; columns[c].names; c++)
        if (columns[c].needed && !given[c])
            return md_wrong(file, &header->cell[0], "the column %.*s is missing",
                            (int)strcspn(columns[c].names, "|"), columns[c].names);
    return CLI_OK;
}

static int take_row(const md_file *file, const layout *by, const md_row *from, md_row *to) {
    *to = (md_row){.count = from->count};
    if (from->count != by->cells)
        return md_wrong(file, &from->cell[from->count - 1],
                        "the row has %d cells, and its header %d columns", from->count, by->cells);
    for (int i = 0; i < from->count; i++) to->cell[by->of[i]] = from->cell[i];
    return CLI_OK;
}

/* ---- the file ------------------------------------------------------------------------------------------------ */

/* The state between two lines. */
typedef struct reading {
    md_file *file;
    int section, passed; /* lines of it that hold something */
    layout layout;
} reading;

static int begin_section(reading *x, char *text, int line) {
    md_file *file = x->file;
    const md_cell at = {text, line, 1};
    const int before = x->section;
    x->section = section_of(text, &file->is_old), x->passed = 0;
    if (x->section < 0 && before == MD_TITLE && line == 1) return x->section = MD_TITLE, CLI_OK;
    if (x->section < 0) return md_wrong(file, &at, "withy does not know this section: %.60s", text);
    if (x->section >= MD_SECTIONS) return CLI_OK;
    md_table *table = &file->table[x->section];
    if (table->line)
        return md_wrong(file, &at, "this section is there twice; first in line %d", table->line);
    table->line = line;
    return CLI_OK;
}

static int take_line(reading *x, char *text, int line) {
    const int tabular = x->section < MD_OPTIONS;
    const md_cell at = {text, line, 1};
    md_file *file = x->file;
    md_row row;
    const int cells = split(text, line, x->section == MD_OUTPUTS ? " \t\r,\"" : " \t\r", &row);
    if (cells < 0 && x->section < MD_SECTIONS && x->section != MD_OPTIONS) /* which has remarks */
        return md_wrong(file, &at, "the line has more than %d cells", MD_CELLS);
    if (cells == 0) return CLI_OK;
    x->passed++;
    if (x->section == MD_REFUSED && x->passed > 2)
        return md_wrong(file, &row.cell[0], "withy does not import this section; remove its rows");
    if (x->section >= MD_SECTIONS) return CLI_OK;
    if (tabular && x->passed == 1) return find_columns(file, COLUMNS[x->section], &row, &x->layout);
    if (tabular && x->passed == 2)
        return row.cell[0].text[0] == '('
                   ? CLI_OK
                   : md_wrong(file, &row.cell[0], "a row of units, (-) (m) ..., must stand here");
    if (file->table[x->section].count == MOST_ROWS)
        return md_wrong(file, &at, "more than %d rows", MOST_ROWS);
    md_row *to = new_row(&file->table[x->section]);
    if (!to) return cli_warn("withy: memory ran out\n"), CLI_FAILED;
    if (tabular) return take_row(file, &x->layout, &row, to);
    *to = row;
    if (x->section == MD_OPTIONS && row.count < 2)
        return md_wrong(file, &row.cell[0], "an option is a value and its key");
    return CLI_OK;
}

static int read_lines(md_file *file) {
    reading x = {.file = file, .section = MD_TITLE};
    int line = 1, status = CLI_OK;
    for (char *at = file->text; at && status == CLI_OK; line++) {
        char *end = strchr(at, '\n');
        if (end) *end = '\0';
        status = is_title(at) ? begin_section(&x, at, line) : take_line(&x, at, line);
        at = end ? end + 1 : NULL;
    }
    const md_cell last = {NULL, line - 1, 1};
    static const char *const name[] = {"LINE TYPES", "POINTS", "LINES"};
    for (int i = 0; i < MD_OPTIONS && status == CLI_OK; i++)
        if (!file->table[i].count)
            status = md_wrong(file, &last, "the section %s is missing, or empty", name[i]);
    return status;
}

int md_read(const char *name, md_file *file) {
    *file = (md_file){.name = name};
    FILE *from = fopen(name, "rb");
    if (!from) return cli_warn("withy: %s: %s\n", name, strerror(errno)), CLI_USAGE;
    file->text = malloc(MOST_BYTES + 1);
    const size_t size = file->text ? fread(file->text, 1, MOST_BYTES, from) : 0;
    const int whole = file->text && !ferror(from) && size < MOST_BYTES;
    fclose(from);
    if (!file->text) return cli_warn("withy: memory ran out\n"), CLI_FAILED;
    if (!whole)
        return cli_warn("withy: %s: cannot be read, or has more than 16 MB\n", name), CLI_USAGE;
    file->text[size] = '\0';
    if (strlen(file->text) < size)
        return cli_warn("withy: %s: is no text: it contains a zero byte\n", name), CLI_USAGE;
    return read_lines(file);
}

void md_free(md_file *file) {
    for (int i = 0; i < MD_SECTIONS; i++) free(file->table[i].row);
    free(file->text);
    *file = (md_file){.name = NULL};
}
