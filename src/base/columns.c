/* columns.c - see columns.h. */
#include "base/columns.h"

enum { CELL = 96 };

typedef struct reader {
    const char *at, *end, *file;
    int line;
    int count;                        /* cells of the present line */
    char cell[WY_COLUMNS_MOST][CELL]; /* without blanks around     */
    double number[WY_COLUMNS_MOST];   /* NAN: not a finite number  */
    wy_columns *out;
    size_t room;
    wy_arena *arena;
    withy_error *err;
} reader;

static withy_status wrong(const reader *r, const char *why) {
    return wy_bad_input(r->err, "%.200s:%d: %s", r->file, r->line, why);
}

/* ---- lines and cells ----------------------------------------------------------------------------- */

/* The next line that is not empty; 0 past the last. */
static int next_line(reader *r, const char **from, const char **to) {
    while (r->at < r->end) {
        const char *stop = memchr(r->at, '\n', (size_t)(r->end - r->at));
        *from = r->at, *to = stop ? stop : r->end;
        r->at = stop ? stop + 1 : r->end;
        r->line++;
        while (*to > *from && strchr(" \t\r", (*to)[-1])) --*to;
        while (*from < *to && (**from == ' ' || **from == '\t')) ++*from;
        if (*from < *to && **from != '#') return 1;
    }
    return 0;
}

/* What separates the cells of this line: a semicolon before a tab before a comma, or else blanks. */
static char separator(const char *from, const char *to) {
    static const char mark[] = {';', '\t', ','};
    for (size_t i = 0; i < sizeof mark; i++)
        if (memchr(from, mark[i], (size_t)(to - from))) return mark[i];
    return ' ';
}

static void keep_cell(reader *r, const char *from, const char *to) {
    char *cell = r->cell[r->count], *end;
    while (from < to && strchr(" \t\"", *from)) from++;
    while (to > from && strchr(" \t\"", to[-1])) to--;
    const size_t length = (size_t)(to - from) < CELL - 1 ? (size_t)(to - from) : CELL - 1;
    memcpy(cell, from, length);
    cell[length] = '\0';
    const double number = strtod(cell, &end);
    r->number[r->count++] = length > 0 && *end == '\0' && isfinite(number) ? number : NAN;
}

static withy_status split(reader *r, const char *from, const char *to) {
    const char mark = separator(from, to);
    r->count = 0;
    for (const char *next;; from = next + 1) {
        for (next = from; next < to && *next != mark;) next++;
        if (r->count == WY_COLUMNS_MOST) return wrong(r, "has more than 64 columns");
        keep_cell(r, from, next);
        while (mark == ' ' && next + 1 < to && next[1] == ' ') next++;
        if (next >= to) return WITHY_OK;
    }
}

static int is_word(const reader *r, int i) {
    char *end;
    if (!r->cell[i][0] || isfinite(r->number[i])) return 0;
    strtod(r->cell[i], &end); /* nan and inf are no words */
    return *end != '\0';
}

static int words(const reader *r) {
    int count = 0;
    for (int i = 0; i < r->count; i++) count += is_word(r, i);
    return count;
}

/* "force [N]" is force. */
static withy_status keep_names(reader *r) {
    wy_columns *out = r->out;
    out->columns = r->count;
    out->name = wy_arena_alloc(r->arena, (size_t)r->count, sizeof *out->name);
    if (!out->name) return wy_no_memory(r->err, "no memory for a table");
    for (int i = 0; i < r->count; i++) {
        const char *cell = r->cell[i];
        size_t length = strcspn(cell, "[(");
        while (length > 0 && cell[length - 1] == ' ') length--;
        if (length >= WY_COLUMNS_NAME) length = WY_COLUMNS_NAME - 1;
        memcpy(out->name[i], cell, length);
    }
    return WITHY_OK;
}

/* ---- rows ---------------------------------------------------------------------------------------- */

static withy_status refuse_cell(const reader *r, int i) {
    char column[WY_COLUMNS_NAME + 24];
    const char *cell = r->cell[i], *comma = strchr(cell, ',');
    if (r->out->name && r->out->name[i][0])
        snprintf(column, sizeof column, "column %d (%s)", i + 1, r->out->name[i]);
    else
        snprintf(column, sizeof column, "column %d", i + 1);
    if (!cell[0])
        return wy_bad_input(
            r->err,
            "%.200s:%d: %s is empty; withy does not guess a missing number: fill it "
            "in or leave out the row",
            r->file, r->line, column);
    if (!is_word(r, i))
        return wy_bad_input(r->err, "%.200s:%d: %s is %s, not a finite number; leave the row out",
                            r->file, r->line, column, cell);
    return wy_bad_input(r->err, "%.200s:%d: %s is \"%.40s\", not a number%s", r->file, r->line,
                        column, cell, comma ? "; write a decimal point" : "");
}

static withy_status check_row(const reader *r) {
    const wy_columns *out = r->out;
    if (out->rows == 0 && out->name && words(r) == r->count)
        return wrong(r, "is a row of units; put them into the names, as in t [s], and leave this "
                        "row out: numbers are in SI units");
    if (out->columns && r->count != out->columns)
        return wy_bad_input(r->err, "%.200s:%d: has %d column%s, the rows before have %d", r->file,
                            r->line, r->count, r->count == 1 ? "" : "s", out->columns);
    for (int i = 0; i < r->count; i++)
        if (!isfinite(r->number[i])) return refuse_cell(r, i);
    return WITHY_OK;
}

static withy_status keep_row(reader *r) {
    wy_columns *out = r->out;
    WY_TRY(check_row(r));
    if (out->rows == WY_COLUMNS_ROWS)
        return wrong(r, "has more than 100000 rows; keep every tenth, say");
    out->columns = r->count;
    const size_t used = (size_t)out->rows * (size_t)out->columns, width = (size_t)out->columns;
    if (used + width > r->room) {
        const size_t room = 2 * (used + width) + 256;
        double *more = wy_arena_alloc(r->arena, room, sizeof *more);
        if (!more) return wy_no_memory(r->err, "no memory for a table");
        if (used) memcpy(more, out->value, used * sizeof *more);
        out->value = more, r->room = room;
    }
    memcpy(out->value + used, r->number, width * sizeof *out->value);
    out->rows++;
    return WITHY_OK;
}

withy_status wy_columns_read(const char *text, size_t size, const char *file, wy_arena *arena,
                             wy_columns *out, withy_error *err) {
    const char *from, *to;
    *out = (wy_columns){0};
    reader *r = wy_arena_alloc(arena, 1, sizeof *r);
    if (!r) return wy_no_memory(err, "no memory for a table");
    if (size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) text += 3, size -= 3;
    if (size && memchr(text, '\0', size))
        return wy_bad_input(
            err, "%.200s: is not a text file; a table has columns of numbers, as a .csv file",
            file);
    *r = (reader){.at = text, .end = text + size, .file = file, .out = out};
    r->arena = arena, r->err = err;
    while (next_line(r, &from, &to)) {
        WY_TRY(split(r, from, to));
        if (!out->columns && words(r))
            WY_TRY(keep_names(r));
        else
            WY_TRY(keep_row(r));
    }
    if (out->rows == 0) return wy_bad_input(err, "%.200s: there is no row of numbers in it", file);
    return WITHY_OK;
}
