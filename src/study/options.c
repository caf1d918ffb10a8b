/* options.c - a method's options from its table: defaults, ranges, words, and back to text. */
#include "study/sim.h"

static const char *option_name(const void *rows, int index) {
    return ((const wy_option *)rows)[index].info.name;
}

/* Position of word in "one|two|three", or -1. */
static int word_index(const char *words, const char *word) {
    const size_t length = strlen(word);
    for (int i = 0; words; i++) {
        const char *bar = strchr(words, '|');
        const size_t size = bar ? (size_t)(bar - words) : strlen(words);
        if (size == length && strncmp(words, word, size) == 0) return i;
        words = bar ? bar + 1 : NULL;
    }
    return -1;
}

static void word_at(const char *words, int index, char *out, size_t size) {
    for (; index > 0 && words; index--) words = strchr(words, '|') ? strchr(words, '|') + 1 : NULL;
    const char *bar = words ? strchr(words, '|') : NULL;
    snprintf(out, size, "%.*s", words ? (int)(bar ? bar - words : (long)strlen(words)) : 0,
             words ? words : "");
}

static void store(const wy_option *row, double value, void *options) {
    char *at = (char *)options + row->offset;
    if (row->info.kind == 'd' || row->info.kind == 'a')
        memcpy(at, &value, sizeof value);
    else
        memcpy(at, &(int){(int)value}, sizeof(int));
}

static double fetch(const wy_option *row, const void *options) {
    const char *at = (const char *)options + row->offset;
    if (row->info.kind == 'd' || row->info.kind == 'a') {
        double value;
        memcpy(&value, at, sizeof value);
        return value;
    }
    int value;
    memcpy(&value, at, sizeof value);
    return value;
}

static withy_status wrong(const wy_method *method, const wy_option *row, const withy_option *given,
                          withy_error *err) {
    char allowed[256], value[2 * WITHY_NAME];
    const withy_option_info *info = &row->info;
    if (info->kind == 'b')
        snprintf(allowed, sizeof allowed, "true or false");
    else if (info->kind == 'w')
        snprintf(allowed, sizeof allowed, "one of %s", info->words);
    else
        snprintf(allowed, sizeof allowed, "%s from %g to %g [%s]%s",
                 info->kind == 'i' ? "a whole number" : "a number", info->min, info->max,
                 info->unit, info->kind == 'a' ? ", or \"auto\"" : "");
    if (given->word[0])
        snprintf(value, sizeof value, "\"%s\"", given->word);
    else
        snprintf(value, sizeof value, "%.10g", given->number);
    return wy_bad_input(err, "options.%s" WY_KEY " = %s: method %s takes %s", info->name, value,
                        method->name, allowed);
}

/* The number to store, checked against kind and range. */
static int value_of(const withy_option_info *info, const withy_option *given, double *value) {
    const char *word = given->word;
    if (info->kind == 'b') {
        *value = strcmp(word, "true") == 0;
        return strcmp(word, "true") == 0 || strcmp(word, "false") == 0;
    }
    if (info->kind == 'w') {
        *value = word_index(info->words, word);
        return *value >= 0;
    }
    if (info->kind == 'a' && strcmp(word, "auto") == 0) {
        *value = 0.0;
        return 1;
    }
    *value = given->number;
    const int in_range = given->number >= info->min && given->number <= info->max;
    return !word[0] && in_range && (info->kind != 'i' || given->number == floor(given->number));
}

static withy_status apply(const wy_method *method, const withy_option *given, void *options,
                          withy_error *err) {
    for (const wy_option *row = method->options; row && row->info.name; row++) {
        if (strcmp(row->info.name, given->name) != 0) continue;
        double value;
        if (!value_of(&row->info, given, &value)) return wrong(method, row, given, err);
        store(row, value, options);
        return WITHY_OK;
    }
    char advice[WITHY_NAME + 32];
    const char *closest =
        method->options ? wy_suggest(given->name, option_name, method->options) : NULL;
    return wy_bad_input(
        err,
        "options.%s" WY_KEY ": method %s has no such option%s (withy list methods %s shows them)",
        given->name, method->name, wy_did_you_mean(closest, advice, sizeof advice), method->name);
}

int wy_method_has_option(const wy_method *method, const char *name) {
    for (const wy_option *row = method->options; row && row->info.name; row++)
        if (strcmp(row->info.name, name) == 0) return 1;
    return 0;
}

void wy_option_set(const wy_method *method, const char *name, double value, void *options) {
    for (const wy_option *row = method->options; row && row->info.name; row++)
        if (strcmp(row->info.name, name) == 0) store(row, value, options);
}

withy_status wy_options_fill(const wy_method *method, const withy_option *option, int count,
                             void *options, withy_error *err) {
    for (const wy_option *row = method->options; row && row->info.name; row++)
        store(row, row->info.value, options);
    for (int i = 0; i < count; i++) WY_TRY(apply(method, &option[i], options, err));
    return WITHY_OK;
}

int wy_option_text(const wy_method *method, const void *options, int index, char *name, char *value,
                   size_t size) {
    const wy_option *row = method->options;
    for (int i = 0; row && row->info.name && i < index; i++) row++;
    if (!row || !row->info.name) return 0;
    const double x = fetch(row, options);
    snprintf(name, size, "%s", row->info.name);
    if (row->info.kind == 'b')
        snprintf(value, size, "%s", x ? "true" : "false");
    else if (row->info.kind == 'w')
        word_at(row->info.words, (int)x, value, size);
    else if (row->info.kind == 'a' && x == 0.0)
        snprintf(value, size, "auto");
    else
        snprintf(value, size, "%.17g", x);
    return 1;
}
