/* json.c - one JSON object, on stdout or in a file. */
#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "cli.h"

static int printed;      /* a whole object on stdout */
static atomic_int begun; /* a part of one; another thread asks */

int json_begun(void) {
    return begun;
}

int json_printed(void) {
    return printed;
}

static FILE *out(const cli_json *json) {
    return json->file ? json->file : stdout;
}

/* The code point of a control character: of one byte, or U+0080 ... U+2069 of two or three. */
static unsigned control_code(const unsigned char *c, int size) {
    if (size == 1) return c[0];
    if (size == 2) return (c[0] & 0x1fu) << 6 | (c[1] & 0x3fu);
    return (c[0] & 0x0fu) << 12 | (c[1] & 0x3fu) << 6 | (c[2] & 0x3fu);
}

void json_quoted(FILE *file, const char *text) {
    fputc('"', file);
    for (const char *c = text; *c;) {
        const int size = text_size(c);
        if (*c == '"' || *c == '\\')
            fprintf(file, "\\%c", *c);
        else if (*c == '\n')
            fputs("\\n", file);
        else if (size == 0)
            fputs("\\ufffd", file);
        else if (text_is_control(c) || strchr("<>&", *c))
            fprintf(file, "\\u%04x", control_code((const unsigned char *)c, size));
        else
            fwrite(c, 1, (size_t)size, file);
        c += size ? size : 1;
    }
    fputc('"', file);
}

static void begin(cli_json *json, const char *key) {
    if (json->depth > 0) fputs(json->first ? "\n" : ",\n", out(json));
    for (int i = 0; i < json->depth; i++) fputs("  ", out(json));
    json->first = 0;
    if (!key) return;
    json_quoted(out(json), key);
    fputs(": ", out(json));
}

void json_open(cli_json *json, const char *key, char bracket) {
    if (!json->file) begun = 1;
    begin(json, key);
    fputc(bracket, out(json));
    json->depth++;
    json->first = 1;
}

void json_close(cli_json *json, char bracket) {
    json->depth--;
    if (!json->first) {
        fputc('\n', out(json));
        for (int i = 0; i < json->depth; i++) fputs("  ", out(json));
    }
    fputc(bracket, out(json));
    json->first = 0;
    if (json->depth > 0) return;
    fputc('\n', out(json));
    if (!json->file) printed = 1;
}

void json_text(cli_json *json, const char *key, const char *text) {
    begin(json, key);
    json_quoted(out(json), text ? text : "");
}

void json_figure(FILE *file, double x) {
    if (isfinite(x))
        fprintf(file, "%.17g", x);
    else
        fputs("null", file);
}

void json_number(cli_json *json, const char *key, double x) {
    begin(json, key);
    json_figure(out(json), x);
}

void json_whole(cli_json *json, const char *key, int64_t x) {
    begin(json, key);
    fprintf(out(json), "%lld", (long long)x);
}

void json_bool(cli_json *json, const char *key, int truth) {
    begin(json, key);
    fputs(truth ? "true" : "false", out(json));
}

void json_null(cli_json *json, const char *key) {
    begin(json, key);
    fputs("null", out(json));
}

void json_vector(cli_json *json, const char *key, const double *x, int count) {
    begin(json, key);
    fputc('[', out(json));
    for (int i = 0; i < count; i++) {
        if (i) fputs(", ", out(json));
        json_figure(out(json), x[i]);
    }
    fputc(']', out(json));
}
