/* registry.c - the list of methods expanded twice: once to declare, once to fill the table. */
#include "study/sim.h"

#include <stdatomic.h>

#define WY_METHOD(name) extern const wy_method wy_method_##name;
#include "method/list.inc"
#undef WY_METHOD

static const wy_method *const table[] = {
#define WY_METHOD(name) &wy_method_##name,
#include "method/list.inc"
#undef WY_METHOD
};

enum { METHODS = sizeof table / sizeof *table };

int wy_method_count(void) {
    return METHODS;
}

const wy_method *wy_method_at(int index) {
    return index >= 0 && index < METHODS ? table[index] : NULL;
}

/* The public view of an option is the first member of its row, but rows are longer: copied once, by
 * whichever thread comes first, while others wait for the few lines below. */
static const withy_option_info *option_view(int index) {
    enum { OPTIONS = 64, EMPTY = 0, FILLING, READY };
    static withy_option_info view[METHODS][OPTIONS];
    static atomic_int state[METHODS];
    int empty = EMPTY, i = 0;
    if (atomic_compare_exchange_strong(&state[index], &empty, FILLING)) {
        for (const wy_option *row = table[index]->options; row && row->info.name && i < OPTIONS - 1;
             row++)
            view[index][i++] = row->info;
        atomic_store(&state[index], READY);
    }
    while (atomic_load(&state[index]) != READY) {
    }
    return view[index];
}

int withy_method_at(int index, withy_method_info *info) {
    if (!info) return 0;
    const wy_method *method = wy_method_at(index);
    if (!method || !info) return 0;
    *info = (withy_method_info){method->name,  method->summary,    method->source,
                                method->needs, option_view(index), method->rigid};
    return 1;
}

/* What a table of capabilities does not hold: a method has it or not. */
static int has_statics(const wy_method *method) {
    return method->equations != NULL;
}
static int has_stretch(const wy_method *method) {
    return !(method->rigid >> WITHY_STRETCH & 1);
}
static int has_shear(const wy_method *method) {
    return !(method->rigid >> WITHY_SHEAR1 & 1);
}

static const struct {
    const char *words;
    int (*has)(const wy_method *);
} nature[] = {{"motion (withy run)", NULL},
              {"equilibria and modes (withy static, withy modes)", has_statics},
              {"stretch of the rod", has_stretch},
              {"shear of the rod", has_shear}};

enum { NATURES = sizeof nature / sizeof *nature };

int withy_feature_at(int index, withy_feature_info *info) {
    if (!info || index < 0 || index >= NATURES + WY_CAPABILITIES) return 0;
    const int at = index - NATURES;
    *info = (withy_feature_info){.words = at < 0 ? nature[index].words : wy_capability_words(at)};
    for (int i = 0; i < METHODS; i++) {
        const int has = at < 0 ? !nature[index].has || nature[index].has(table[i])
                               : (int)(table[i]->can >> at & 1);
        if (has) info->methods |= 1u << i;
    }
    return 1;
}

static const char *method_name(const void *unused, int index) {
    (void)unused;
    return index < METHODS ? table[index]->name : NULL;
}

/* "a, b or c". */
static void join(const char *const *name, int total, char *text, size_t size) {
    size_t at = 0;
    text[0] = '\0';
    for (int i = 0; i < total && at < size; i++) {
        const char *glue = i == 0 ? "" : i == total - 1 ? " or " : ", ";
        at += (size_t)snprintf(text + at, size - at, "%s%s", glue, name[i]);
    }
}

wy_order wy_method_order(const wy_method *method, const void *options) {
    return method->order ? method->order(options) : (wy_order){2, 2, 1.0 / 12};
}

withy_status wy_method_find(const char *name, const wy_method **method, withy_error *err) {
    for (int i = 0; i < METHODS; i++)
        if (strcmp(table[i]->name, name) == 0) {
            *method = table[i];
            return WITHY_OK;
        }
    char known[256], advice[WITHY_NAME + 32];
    const char *all[METHODS];
    int total = 0;
    for (int i = 0; i < METHODS; i++)
        if (!table[i]->needs) all[total++] = table[i]->name;
    join(all, total, known, sizeof known);
    return wy_bad_input(
        err, "method" WY_KEY " = \"%s\": there is no such method%s (known: %s)", name,
        wy_did_you_mean(wy_suggest(name, method_name, NULL), advice, sizeof advice), known);
}

/* ---- what a problem requires ------------------------------------------------------------- */

static int has_key(const wy_method *method, const char *key) {
    const size_t length = strlen(key);
    for (const char *at = method->keys; at; at = strchr(at, '|') ? strchr(at, '|') + 1 : NULL)
        if (strncmp(at, key, length) == 0 && (at[length] == '|' || !at[length])) return 1;
    return 0;
}

/* The first thing that the method cannot do, in words; NULL: it can do all of it.  `without`: a
 * capability to ignore, or 0. */
static const char *obstacle(const wy_method *method, const wy_requirements *asks,
                            uint64_t without) {
    const uint64_t missing = asks->can & ~method->can & ~without;
    for (int at = 0; at < WY_CAPABILITIES; at++)
        if (missing >> at & 1) return wy_capability_words(at);
    for (int i = 0; i < asks->own_count; i++)
        if (!has_key(method, asks->own[i])) return asks->own[i];
    return NULL;
}

/* "a, b or c" of the methods that accept the whole problem. */
static void name_accepting(const withy_problem *problem, const wy_requirements *asks, char *text,
                           size_t size) {
    const char *name[METHODS];
    int total = 0;
    for (int i = 0; i < METHODS; i++)
        if (!table[i]->needs && !obstacle(table[i], asks, 0) &&
            (!table[i]->accept || table[i]->accept(problem, NULL) == WITHY_OK))
            name[total++] = table[i]->name;
    join(name, total, text, size);
}

/* A refusal by `accept` that ends with "use another method": the names of those that accept the whole problem
 * instead, or nothing where there is none. */
static void name_another(const withy_problem *problem, const wy_requirements *asks,
                         withy_error *err) {
    static const char *const end[] = {WY_OR_USE_ANOTHER, WY_USE_ANOTHER};
    const size_t length = strlen(err->text), name = sizeof "another method" - 1;
    char others[256];
    for (size_t i = 0; i < sizeof end / sizeof *end; i++) {
        const size_t size = strlen(end[i]);
        if (length < size || strcmp(err->text + length - size, end[i]) != 0) continue;
        name_accepting(problem, asks, others, sizeof others);
        const size_t at = length - (others[0] ? name : size);
        snprintf(err->text + at, sizeof err->text - at, "%s", others);
        return;
    }
}

/* When no method can do all of it: what to leave out so that one can; "" when no single omission helps. */
static void name_what_to_drop(const wy_requirements *asks, char *text, size_t size) {
    text[0] = '\0';
    for (int at = 0; at < WY_CAPABILITIES; at++) {
        if (!(asks->can >> at & 1)) continue;
        for (int i = 0; i < METHODS; i++)
            if (!table[i]->needs && !obstacle(table[i], asks, (uint64_t)1 << at)) {
                snprintf(text, size, "; without %s, use %s", wy_capability_words(at),
                         table[i]->name);
                return;
            }
    }
}

static withy_status refuse(const wy_method *method, const char *what, const withy_problem *problem,
                           const wy_requirements *asks, withy_error *err) {
    char others[256], drop[256];
    if (!err) return WITHY_UNSUPPORTED;
    name_accepting(problem, asks, others, sizeof others);
    if (others[0])
        return wy_unsupported(err, "%s: does not support %s; use %s", method->name, what, others);
    name_what_to_drop(asks, drop, sizeof drop);
    return wy_unsupported(
        err, "%s: does not support %s; no method in this build supports the whole scene%s",
        method->name, what, drop[0] ? drop : ", so leave it out");
}

withy_status wy_method_accepts(const wy_method *method, const withy_problem *problem,
                               withy_error *err) {
    wy_requirements asks;
    if (method->needs)
        return wy_fail(err, WITHY_MISSING, "%s: not in this build, which was configured without %s",
                       method->name, method->needs);
    wy_problem_requirements(problem, &asks);
    const char *what = obstacle(method, &asks, 0);
    if (what) return refuse(method, what, problem, &asks, err);
    const withy_status status = method->accept ? method->accept(problem, err) : WITHY_OK;
    if (status == WITHY_UNSUPPORTED && err) name_another(problem, &asks, err);
    return status;
}
