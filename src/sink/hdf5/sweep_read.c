/* sweep_read.c - the file of a sweep, read back (see sink/sweep.h). */
#include "sink/hdf5/store.h"
#include "sink/sweep.h"

enum { COLUMNS = 16 + WY_SWEEP_QUANTITIES };
static const uint64_t MEMBERS_MOST = 1000000;

struct withy_sweep_file {
    wy_opened file;
    int64_t count;
    int columns, over;
    withy_sweep_column column[COLUMNS];
    const char *text[5];
    int grid;
    int64_t *state; /* [count] 0 where the row is not whole */
    char *message;  /* [count][WY_SWEEP_MESSAGE]           */
};

static const char *const text_name[] = {"title", "scene_name", "kind", "status", "plan"};

/* All lists of a group, in the order of the file. */
static bool read_group(withy_sweep_file *f, const char *group, int over) {
    wy_object o;
    bool good = wy_object_open(&o, &f->file.store, wy_object_at(&f->file.root, group)) &&
                wy_object_links(&o);
    for (int i = 0; good && i < o.links && f->columns < COLUMNS; i++) {
        withy_sweep_column *c = &f->column[f->columns];
        uint64_t count;
        snprintf(c->name, sizeof c->name, "%.*s", (int)o.link[i].length, o.link[i].name);
        c->over = over;
        c->value = wy_rows_list(&o, c->name, MEMBERS_MOST, &count, &f->file.arena);
        good = c->value && (f->count == 0 || count == (uint64_t)f->count);
        f->count = (int64_t)count;
        f->columns += good;
    }
    wy_object_close(&o);
    return good;
}

/* The plan has a line "unit UNIT NAME" for each column, before the text of the scene. */
static void find_unit(const char *plan, withy_sweep_column *c) {
    const char *scene = strstr(plan, "\nscene\n");
    const size_t name = strlen(c->name);
    for (const char *at = plan; (at = strstr(at, "\nunit ")) && (!scene || at < scene); at++) {
        const char *line = at + 6;
        const size_t length = strcspn(line, "\n");
        if (length > name && line[length - name - 1] == ' ' &&
            memcmp(line + length - name, c->name, name) == 0)
            snprintf(c->unit, sizeof c->unit, "%.*s", (int)(length - name - 1), line);
    }
}

/* A row whose checksum is wrong was not finished: it does not count. */
static void check_rows(withy_sweep_file *f, const double *check) {
    for (int64_t i = 0; i < f->count; i++) {
        char *message = f->message + i * WY_SWEEP_MESSAGE;
        message[WY_SWEEP_MESSAGE - 1] = '\0';
        const double state = (double)f->state[i];
        uint64_t sum = wy_check_row(wy_check_bytes(message, strlen(message)), &state, 1);
        for (int k = f->over; k < f->columns; k++)
            sum = wy_check_row(sum, &f->column[k].value[i], 1);
        if (f->state[i] < 1 || check[i] != wy_check_number(sum)) f->state[i] = 0;
        for (int k = f->over; k < f->columns && f->state[i] != 1; k++)
            ((double *)(uintptr_t)f->column[k].value)[i] = NAN;
    }
}

static withy_status read_rows(withy_sweep_file *f, withy_error *err) {
    uint64_t count[3];
    if (!read_group(f, "over", 1)) return wy_opened_damaged(&f->file, "over", err);
    f->over = f->columns;
    if (!read_group(f, "want", 0)) return wy_opened_damaged(&f->file, "want", err);
    f->state =
        (int64_t *)wy_rows_words(&f->file.root, "state", MEMBERS_MOST, &count[0], &f->file.arena);
    const double *check =
        wy_rows_list(&f->file.root, "check", MEMBERS_MOST, &count[1], &f->file.arena);
    f->message = wy_rows_texts(&f->file.root, "message", WY_SWEEP_MESSAGE, MEMBERS_MOST, &count[2],
                               &f->file.arena);
    if (!f->state || !check || !f->message) return wy_opened_damaged(&f->file, "the rows", err);
    for (int i = 0; i < 3; i++)
        if (count[i] != (uint64_t)f->count)
            return wy_fail(err, WITHY_IO, "%s: its columns have different lengths", f->file.path);
    check_rows(f, check);
    return WITHY_OK;
}

static withy_status check_format(const char *path, const char *format, withy_error *err) {
    static const char own[] = "withy sweep 1", of_sweeps[] = "withy sweep ", of_withy[] = "withy ";
    if (format && strcmp(format, own) == 0) return WITHY_OK;
    if (format && strncmp(format, of_sweeps, strlen(of_sweeps)) == 0)
        return wy_bad_input(
            err, "%s: has the format \"%s\", this withy (%s) reads \"%s\": use a newer one", path,
            format, withy_version(), own);
    const bool study = format && strncmp(format, of_withy, strlen(of_withy)) == 0;
    return wy_fail(err, study ? WITHY_UNSUPPORTED : WITHY_BAD_INPUT,
                   "%s: is not the file of a sweep%s", path,
                   study ? " but the result of one study" : "");
}

static withy_status open_all(void *reader, withy_error *err) {
    withy_sweep_file *f = reader;
    if (!wy_object_links(&f->file.root)) return wy_opened_damaged(&f->file, "the file", err);
    const char *format = wy_object_text(&f->file.root, "format", &f->file.arena);
    WY_TRY(check_format(f->file.path, format, err));
    for (int i = 0; i < 3; i++)
        f->text[i] = wy_object_text(&f->file.root, text_name[i], &f->file.arena);
    for (int i = 3; i < 5; i++) {
        f->text[i] = wy_rows_text(&f->file.root, text_name[i], &f->file.arena);
        if (!f->text[i]) return wy_opened_damaged(&f->file, text_name[i], err);
    }
    f->grid = wy_object_number(&f->file.root, "grid") == 1;
    WY_TRY(read_rows(f, err));
    for (int i = 0; i < f->columns; i++) find_unit(f->text[4], &f->column[i]);
    return WITHY_OK;
}

withy_status withy_sweep_open(const char *path, withy_sweep_file **file, withy_error *err) {
    return wy_opened_read(__func__, path, sizeof **file, open_all, file, err);
}

void withy_sweep_close(withy_sweep_file *f) {
    wy_opened_free(f);
}

int64_t withy_sweep_count(const withy_sweep_file *f) {
    return f ? f->count : 0;
}

int withy_sweep_is_grid(const withy_sweep_file *f) {
    return f ? f->grid : 0;
}

const char *withy_sweep_text(const withy_sweep_file *f, const char *name) {
    for (int i = 0; f && name && i < 5; i++)
        if (strcmp(text_name[i], name) == 0) return f->text[i] ? f->text[i] : "";
    return "";
}

int withy_sweep_column_at(const withy_sweep_file *f, int index, withy_sweep_column *column) {
    if (!f || !column || index < 0 || index >= f->columns) return 0;
    *column = f->column[index];
    return 1;
}

int withy_sweep_status(const withy_sweep_file *f, int64_t member, const char **message) {
    if (message) *message = "";
    if (!f || member < 0 || member >= f->count) return -1;
    if (message && f->state[member] > 1) *message = f->message + member * WY_SWEEP_MESSAGE;
    return (int)f->state[member] - 1;
}
