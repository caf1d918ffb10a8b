/* expression.c - reads and evaluates in one pass, by recursive descent. */
#include "study/fit/fit.h"

#include <ctype.h>

enum { DEEP = 64 };

typedef struct reader {
    const char *what, *text, *at;
    wy_names *names;
    const double *value; /* NULL: names are collected, and count as 1 */
    int depth;
    withy_error *err;
} reader;

static withy_status wrong(const reader *r, const char *why) {
    return wy_bad_input(r->err, "%s \"%.100s\": %s at \"%.20s\"", r->what, r->text, why,
                        *r->at ? r->at : "the end");
}

static void skip(reader *r) {
    while (isspace((unsigned char)*r->at)) r->at++;
}

static int take(reader *r, char c) {
    skip(r);
    if (*r->at != c) return 0;
    r->at++;
    return 1;
}

/* a value + b's derivatives: out = f(a, b) with the partial derivatives fa, fb. */
static wy_dual chain(double value, const wy_dual *a, double fa, const wy_dual *b, double fb) {
    wy_dual out = {.value = value};
    for (int i = 0; i < WY_EXPRESSION_NAMES; i++)
        out.by[i] = fa * a->by[i] + (b ? fb * b->by[i] : 0);
    return out;
}

static withy_status sum(reader *r, wy_dual *out);
static withy_status power(reader *r, wy_dual *out);

/* ---- names and functions --------------------------------------------------------------------------- */

typedef struct function {
    const char *name;
    int arguments;
} function;

enum { ABS, SQRT, LOG, EXP, SIN, COS, MIN, MAX, CENTS, FUNCTIONS };
static const function functions[] = {
    [ABS] = {"abs", 1}, [SQRT] = {"sqrt", 1}, [LOG] = {"log", 1},
    [EXP] = {"exp", 1}, [SIN] = {"sin", 1},   [COS] = {"cos", 1},
    [MIN] = {"min", 2}, [MAX] = {"max", 2},   [CENTS] = {"cents", 2}};

static wy_dual apply(int which, const wy_dual *a, const wy_dual *b) {
    const double x = a->value, y = b->value, cent = 1200 / log(2);
    switch (which) {
    case ABS: return chain(fabs(x), a, x < 0 ? -1 : 1, NULL, 0);
    case SQRT: return chain(sqrt(x), a, 0.5 / sqrt(x), NULL, 0);
    case LOG: return chain(log(x), a, 1 / x, NULL, 0);
    case EXP: return chain(exp(x), a, exp(x), NULL, 0);
    case SIN: return chain(sin(x), a, cos(x), NULL, 0);
    case COS: return chain(cos(x), a, -sin(x), NULL, 0);
    case MIN: return x < y ? *a : *b;
    case MAX: return x > y ? *a : *b;
    default: return chain(cent * log(x / y), a, cent / x, b, -cent / y);
    }
}

static withy_status call(reader *r, int which, wy_dual *out) {
    wy_dual a = {0}, b = {0};
    WY_TRY(sum(r, &a));
    if (functions[which].arguments == 2) {
        if (!take(r, ',')) return wrong(r, "a second number, after a comma, is missing");
        WY_TRY(sum(r, &b));
    }
    if (!take(r, ')')) return wrong(r, "a closing bracket is missing");
    *out = apply(which, &a, &b);
    return WITHY_OK;
}

/* How long the name is that begins here; ":at=" and the "s=" of a place are followed by a number. */
static size_t name_length(const char *at) {
    size_t n = 0;
    while (isalnum((unsigned char)at[n]) || at[n] == '_' || at[n] == '.' || at[n] == ':') {
        n++;
        const int place = at[n - 1] == 's' && (n == 1 || at[n - 2] == '.');
        if (at[n] != '=' || at[n + 1] == '=') continue;
        if (!place && (n <= 3 || strncmp(at + n - 3, ":at", 3) != 0)) continue;
        char *end;
        strtod(at + n + 1, &end);
        n = (size_t)(end - at);
    }
    return n;
}

static withy_status name(reader *r, wy_dual *out) {
    const size_t size = name_length(r->at);
    char text[WY_EXPRESSION_TEXT];
    if (size >= sizeof text) return wrong(r, "a name is too long");
    memcpy(text, r->at, size), text[size] = '\0';
    const char *before = r->at;
    r->at += size;
    for (int i = 0; i < FUNCTIONS; i++)
        if (strcmp(text, functions[i].name) == 0 && take(r, '(')) return call(r, i, out);
    skip(r);
    if (*r->at == '(') {
        r->at = before;
        return wrong(r, "there is no such function; there are abs, sqrt, log, exp, sin, cos, min, "
                        "max and cents");
    }
    int k = 0;
    while (k < r->names->count && strcmp(r->names->text[k], text) != 0) k++;
    if (k == WY_EXPRESSION_NAMES) return wrong(r, "too many names");
    if (k == r->names->count) memcpy(r->names->text[r->names->count++], text, sizeof text);
    *out = (wy_dual){.value = r->value ? r->value[k] : 1};
    out->by[k] = 1;
    return WITHY_OK;
}

/* ---- arithmetic --------------------------------------------------------------------------------------- */

static withy_status sign(reader *r, wy_dual *out) {
    if (++r->depth > DEEP) return wrong(r, "too many brackets");
    withy_status status;
    if (take(r, '-')) {
        status = power(r, out); /* -a^2 is -(a^2) */
        if (status == WITHY_OK) *out = chain(-out->value, out, -1, NULL, 0);
    } else if (take(r, '(')) {
        status = sum(r, out);
        if (status == WITHY_OK && !take(r, ')')) status = wrong(r, "a closing bracket is missing");
    } else if (isdigit((unsigned char)*r->at) || *r->at == '.') {
        char *end;
        *out = (wy_dual){.value = strtod(r->at, &end)};
        r->at = end, status = WITHY_OK;
    } else if (isalpha((unsigned char)*r->at)) {
        status = name(r, out);
    } else {
        status = wrong(r, "a number, a name or a bracket is missing");
    }
    r->depth--;
    return status;
}

static withy_status power(reader *r, wy_dual *out) {
    wy_dual a, b = {0};
    WY_TRY(sign(r, out));
    if (!take(r, '^')) return WITHY_OK;
    if (++r->depth > DEEP) return wrong(r, "too many powers");
    WY_TRY(power(r, &b));
    r->depth--;
    a = *out;
    const double value = pow(a.value, b.value);
    *out = chain(value, &a, b.value == 0 ? 0 : b.value * pow(a.value, b.value - 1), &b,
                 a.value > 0 ? value * log(a.value) : 0);
    return WITHY_OK;
}

static wy_dual times(const wy_dual *a, const wy_dual *b) {
    return chain(a->value * b->value, a, b->value, b, a->value);
}
static wy_dual over(const wy_dual *a, const wy_dual *b) {
    return chain(a->value / b->value, a, 1 / b->value, b, -a->value / (b->value * b->value));
}
static wy_dual plus(const wy_dual *a, const wy_dual *b) {
    return chain(a->value + b->value, a, 1, b, 1);
}
static wy_dual minus(const wy_dual *a, const wy_dual *b) {
    return chain(a->value - b->value, a, 1, b, -1);
}

/* Operands joined from left to right by two signs. */
typedef struct level {
    withy_status (*operand)(reader *r, wy_dual *out);
    char sign[2];
    wy_dual (*join[2])(const wy_dual *a, const wy_dual *b);
} level;

static withy_status joined(reader *r, const level *of, wy_dual *out) {
    WY_TRY(of->operand(r, out));
    for (;;) {
        const int second = !take(r, of->sign[0]);
        wy_dual b = {0};
        if (second && !take(r, of->sign[1])) return WITHY_OK;
        WY_TRY(of->operand(r, &b));
        *out = of->join[second](out, &b);
    }
}

static withy_status term(reader *r, wy_dual *out) {
    static const level products = {power, {'*', '/'}, {times, over}};
    return joined(r, &products, out);
}

static withy_status sum(reader *r, wy_dual *out) {
    static const level sums = {term, {'+', '-'}, {plus, minus}};
    return joined(r, &sums, out);
}

withy_status wy_expression_value(const char *what, const char *text, wy_names *names,
                                 const double *at, wy_dual *out, withy_error *err) {
    reader r = {.what = what, .text = text, .at = text, .names = names, .value = at, .err = err};
    WY_TRY(sum(&r, out));
    skip(&r);
    return *r.at ? wrong(&r, "something follows") : WITHY_OK;
}

withy_status wy_expression_read(const char *what, const char *text, wy_names *names,
                                withy_error *err) {
    wy_dual unused;
    return wy_expression_value(what, text, names, NULL, &unused, err);
}
