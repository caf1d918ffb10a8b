/* json.c - one JSON object, on stdout or in a file. */
#include <math.h>
#include <string.h>

#include "cli.h"

static FILE *out(const cli_json *json) {
    return json->file ? json->file : stdout;
}

/* How many bytes the character at c takes in UTF-8; 0 when it is not valid UTF-8. */
static int utf8_size(const unsigned char *c) {
    if (c[0] < 0x80) return 1;
    const int size = c[0] >= 0xc2 && c[0] <= 0xdf   ? 2
                     : c[0] >= 0xe0 && c[0] <= 0xef ? 3
                     : c[0] >= 0xf0 && c[0] <= 0xf4 ? 4
                                                    : 0;
    for (int i = 1; i < size; i++)
        if ((c[i] & 0xc0) != 0x80) return 0;
    /* overlong encoding, half of a surrogate pair, or beyond the last code point */
    const int wrong = (c[0] == 0xe0 && c[1] < 0xa0) || (c[0] == 0xed && c[1] > 0x9f) ||
                      (c[0] == 0xf0 && c[1] < 0x90) || (c[0] == 0xf4 && c[1] > 0x8f);
    return wrong ? 0 : size;
}

void json_quoted(FILE *file, const char *text) {
    fputc('"', file);
    for (const unsigned char *c = (const unsigned char *)text; *c;) {
        const int size = utf8_size(c);
        if (*c == '"' || *c == '\\')
            fprintf(file, "\\%c", *c);
        else if (*c == '\n')
            fputs("\\n", file);
        else if (*c < 0x20 || *c == '<' || *c == 0x7f)
            fprintf(file, "\\u%04x", *c);
        else if (size == 0)
            fputs("\\ufffd", file);
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
    if (json->depth == 0) fputc('\n', out(json));
}

void json_text(cli_json *json, const char *key, const char *text) {
    begin(json, key);
    json_quoted(out(json), text ? text : "");
}

static void number(FILE *file, double x) {
    if (isfinite(x))
        fprintf(file, "%.17g", x);
    else
        fputs("null", file);
}

void json_number(cli_json *json, const char *key, double x) {
    begin(json, key);
    number(out(json), x);
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
        number(out(json), x[i]);
    }
    fputc(']', out(json));
}
