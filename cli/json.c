/* json.c - one JSON object on stdout. */
#include <math.h>
#include <string.h>

#include "cli.h"

static void quoted(const char *text) {
    putchar('"');
    for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
        if (*c == '"' || *c == '\\')
            printf("\\%c", *c);
        else if (*c == '\n')
            printf("\\n");
        else if (*c < 0x20)
            printf("\\u%04x", *c);
        else
            putchar(*c);
    }
    putchar('"');
}

static void begin(cli_json *json, const char *key) {
    if (json->depth > 0) printf(json->first ? "\n" : ",\n");
    for (int i = 0; i < json->depth; i++) printf("  ");
    json->first = 0;
    if (!key) return;
    quoted(key);
    printf(": ");
}

void json_open(cli_json *json, const char *key, char bracket) {
    begin(json, key);
    putchar(bracket);
    json->depth++;
    json->first = 1;
}

void json_close(cli_json *json, char bracket) {
    json->depth--;
    if (!json->first) {
        putchar('\n');
        for (int i = 0; i < json->depth; i++) printf("  ");
    }
    putchar(bracket);
    json->first = 0;
    if (json->depth == 0) putchar('\n');
}

void json_text(cli_json *json, const char *key, const char *text) {
    begin(json, key);
    quoted(text ? text : "");
}

static void number(double x) {
    if (isfinite(x))
        printf("%.17g", x);
    else
        printf("null");
}

void json_number(cli_json *json, const char *key, double x) {
    begin(json, key);
    number(x);
}

void json_whole(cli_json *json, const char *key, int64_t x) {
    begin(json, key);
    printf("%lld", (long long)x);
}

void json_bool(cli_json *json, const char *key, int truth) {
    begin(json, key);
    printf(truth ? "true" : "false");
}

void json_null(cli_json *json, const char *key) {
    begin(json, key);
    printf("null");
}

void json_vector(cli_json *json, const char *key, const double *x, int count) {
    begin(json, key);
    putchar('[');
    for (int i = 0; i < count; i++) {
        if (i) printf(", ");
        number(x[i]);
    }
    putchar(']');
}
