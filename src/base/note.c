/* note.c - notes: text for people, and a line of data for each.
 *
 * A line of data: the identifier, then name=number or name='text for each value, separated by tabs.
 */
#include "base/note.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = sizeof((withy_note *)0)->text, RESERVED = 64 }; /* bytes for notes_left_out */

static const struct {
    const char *id, *format, *values, *meaning;
} row[] = {
#define NOTE(id, text, values, meaning) {#id, text, values, meaning},
#include "base/note.inc"
#undef NOTE
};

/* ---- formats ----------------------------------------------------------------------------------- */

/* The next conversion from *at on, which moves behind it: its last letter, 'l' for a long long; 0: none is left. */
static char next_conversion(const char **at, const char **begin) {
    while ((*at = strchr(*at, '%')) != NULL) {
        *begin = *at;
        *at += 1 + strspn(*at + 1, "-+ #0123456789.");
        const int is_long = strncmp(*at, "ll", 2) == 0;
        *at += 2 * is_long;
        const char letter = *(*at)++;
        if (letter != '%') return is_long ? 'l' : letter;
    }
    return 0;
}

/* The next of the names, of `length` letters. */
static const char *next_name(const char **at, int *length) {
    const char *name = *at + strspn(*at, " ");
    *length = (int)strcspn(name, " ");
    *at = name + *length;
    return name;
}

/* ---- lines ------------------------------------------------------------------------------------- */

static size_t length_of(const char *line) {
    const size_t length = strcspn(line, "\n");
    return length + (line[length] == '\n');
}

/* A line of both, with its end; the position in both moves behind it.  0: there is none left. */
static int next_line(const char **text, const char **data, size_t length[2]) {
    if (!**text || !**data) return 0;
    length[0] = length_of(*text), length[1] = length_of(*data);
    *text += length[0], *data += length[1];
    return 1;
}

static int is_known(const withy_notes *notes, const char *text, size_t size) {
    const char *at = notes->text, *data = notes->data;
    for (size_t length[2]; next_line(&at, &data, length);)
        if (length[0] == size && memcmp(at - size, text, size) == 0) return 1;
    return 0;
}

/* Both lines, unless there is no room for them and for RESERVED bytes more. */
static int append(withy_notes *notes, const char *text, size_t size, const char *data, size_t more,
                  size_t reserved) {
    const size_t used[2] = {strlen(notes->text), strlen(notes->data)};
    if (is_known(notes, text, size)) return 1;
    if (used[0] + size + reserved >= sizeof notes->text) return 0;
    if (used[1] + more + reserved >= sizeof notes->data) return 0;
    memcpy(notes->text + used[0], text, size), notes->text[used[0] + size] = '\0';
    memcpy(notes->data + used[1], data, more), notes->data[used[1] + more] = '\0';
    return 1;
}

static void add(withy_notes *notes, const char *text, size_t size, const char *data, size_t more) {
    static const char full[] = "further notes are left out\n", id[] = "notes_left_out\n";
    if (!append(notes, text, size, data, more, RESERVED))
        append(notes, full, sizeof full - 1, id, sizeof id - 1, 0);
}

/* Control characters end no line and separate no value. */
static void clean(char *text) {
    for (; *text; text++)
        if (iscntrl((unsigned char)*text)) *text = ' ';
}

/* ---- raising ----------------------------------------------------------------------------------- */

/* The shortest that reads back as x. */
static int print_number(char *to, size_t size, double x) {
    const int used = snprintf(to, size, "%.15g", x);
    return strtod(to, NULL) == x ? used : snprintf(to, size, "%.17g", x);
}

static void print_values(char *to, size_t size, wy_note_id id, va_list arguments) {
    const char *at = row[id].format, *names = row[id].values, *begin;
    size_t used = (size_t)snprintf(to, size, "%s", row[id].id);
    for (char letter; (letter = next_conversion(&at, &begin)) != 0;) {
        int length;
        char value[LINE] = "'";
        const char *name = next_name(&names, &length);
        if (letter == 's')
            snprintf(value + 1, sizeof value - 1, "%s", va_arg(arguments, const char *));
        else if (letter == 'd')
            snprintf(value, sizeof value, "%d", va_arg(arguments, int));
        else if (letter == 'l')
            snprintf(value, sizeof value, "%lld", va_arg(arguments, long long));
        else
            print_number(value, sizeof value, va_arg(arguments, double));
        clean(value);
        if (*name != '-' && used < size)
            used += (size_t)snprintf(to + used, size - used, "\t%.*s=%s", length, name, value);
    }
}

void wy_note(withy_notes *notes, wy_note_id id, const char *format, ...) {
    char text[LINE], data[WITHY_NOTES_SIZE];
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    vsnprintf(text, sizeof text - 1, format, arguments);
    print_values(data, sizeof data - 1, id, again);
    va_end(again);
    va_end(arguments);
    clean(text);
    strcat(text, "\n"), strcat(data, "\n");
    add(notes, text, strlen(text), data, strlen(data));
}

/* Is the note of this line of data of this kind? */
static int is_of(const char *data, wy_note_id id) {
    const size_t length = strcspn(data, "\t\n");
    return length == strlen(row[id].id) && memcmp(data, row[id].id, length) == 0;
}

int wy_note_has(const withy_notes *notes, wy_note_id id) {
    const char *text = notes->text, *data = notes->data;
    for (size_t length[2]; next_line(&text, &data, length);)
        if (is_of(data - length[1], id)) return 1;
    return 0;
}

void wy_note_drop(withy_notes *notes, wy_note_id id) {
    const withy_notes all = *notes;
    const char *text = all.text, *data = all.data;
    *notes = (withy_notes){{0}, {0}};
    for (size_t length[2]; next_line(&text, &data, length);)
        if (!is_of(data - length[1], id))
            add(notes, text - length[0], length[0], data - length[1], length[1]);
}

void wy_note_join(withy_notes *notes, const withy_notes *more) {
    const char *text = more->text, *data = more->data;
    for (size_t length[2]; next_line(&text, &data, length);)
        add(notes, text - length[0], length[0], data - length[1], length[1]);
}

/* How many lines; -1: not lines of printable text. */
static int lines_of(const char *text, const char *separators) {
    const char *end = memchr(text, '\0', WITHY_NOTES_SIZE);
    int lines = 0;
    if (!end || (end > text && end[-1] != '\n')) return -1;
    for (; *text; text++) {
        if (iscntrl((unsigned char)*text) && !strchr(separators, *text)) return -1;
        lines += *text == '\n';
    }
    return lines;
}

int wy_note_valid(const withy_notes *notes) {
    const int lines = lines_of(notes->text, "\n");
    return lines >= 0 && lines == lines_of(notes->data, "\n\t");
}

/* ---- reading ----------------------------------------------------------------------------------- */

/* "name=number" or "name='text" of `length` bytes. */
static void read_value(const char *from, size_t length, withy_note_value *value) {
    const size_t name = strcspn(from, "=");
    char text[LINE];
    if (name >= length) return;
    snprintf(value->name, sizeof value->name, "%.*s", (int)name, from);
    snprintf(text, sizeof text, "%.*s", (int)(length - name - 1), from + name + 1);
    value->is_text = text[0] == '\'';
    if (value->is_text)
        snprintf(value->text, sizeof value->text, "%.255s", text + 1);
    else
        value->number = strtod(text, NULL);
}

static void read_values(const char *data, withy_note *note) {
    while (*data == '\t' && note->count < WITHY_NOTE_VALUES) {
        const size_t length = strcspn(++data, "\t\n");
        read_value(data, length, &note->value[note->count++]);
        data += length;
    }
}

int withy_note_at(const char *text, const char *data, int index, withy_note *note) {
    size_t length[2];
    if (!text || !data || !note || index < 0) return 0;
    do
        if (!next_line(&text, &data, length)) return 0;
    while (index-- > 0);
    *note = (withy_note){.count = 0};
    text -= length[0], data -= length[1];
    snprintf(note->text, sizeof note->text, "%.*s", (int)strcspn(text, "\n"), text);
    const size_t name = strcspn(data, "\t\n");
    snprintf(note->id, sizeof note->id, "%.*s", (int)name, data);
    read_values(data + name, note);
    return 1;
}

int withy_note_kind_at(int index, withy_note_kind *kind) {
    if (!kind || index < 0 || index >= WY_NOTE_IDS) return 0;
    const char *at = row[index].format, *names = row[index].values, *begin;
    size_t used = 0;
    *kind = (withy_note_kind){.id = row[index].id, .meaning = row[index].meaning};
    for (const char *from = at;; from = at) {
        const char letter = next_conversion(&at, &begin);
        const char *end = letter ? begin : from + strlen(from);
        for (; from < end; from++) {
            kind->text[used] = *from, used++;
            from += from[0] == '%' && from[1] == '%';
        }
        if (!letter) return 1;
        int length;
        const char *name = next_name(&names, &length);
        used += (size_t)snprintf(kind->text + used, sizeof kind->text - used, "{%.*s}",
                                 *name == '-' ? 3 : length, *name == '-' ? "..." : name);
    }
}
