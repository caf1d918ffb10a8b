/* cli.c - arguments, errors and scenes for every command. */
#include "cli.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cases.h"

void (*cli_describe)(const cli_usage *usage);

void cli_usage_print(const cli_usage *usage) {
    cli_print("usage: %s\n\n%s\n", usage->line, usage->about);
    cli_print("\noptions:\n");
    for (const cli_option *o = usage->option; o->name; o++) {
        char left[64];
        snprintf(left, sizeof left, "%s%c%s--%s%s%s", o->letter ? "-" : "",
                 o->letter ? o->letter : ' ', o->letter ? ", " : "   ", o->name,
                 o->value ? " " : "", o->value ? o->value : "");
        cli_print("  %-28s %s\n", left, o->help);
    }
    cli_print("  %-28s %s\n", "-h, --help", "this text");
    cli_print("  %-28s %s\n", "--", "everything after it is a name, even if it begins with -");
    cli_print("\nexample:\n%s\n", usage->example);
}

const char *cli_mean(const char *name, const char *(*next)(const void *unused, int index),
                     cli_guess *guess) {
    const char *closest = withy_closest(name, next, NULL);
    guess->text[0] = '\0';
    if (closest) snprintf(guess->text, sizeof guess->text, "; did you mean \"%s\"?", closest);
    return guess->text;
}

const char *cli_case_at(const void *unused, int index) {
    (void)unused;
    return wy_cases[index].name;
}

const char *cli_method_at(const void *unused, int index) {
    withy_method_info info;
    (void)unused;
    return withy_method_at(index, &info) ? info.name : NULL;
}

static const char *option_at(const void *option, int index) {
    return ((const cli_option *)option)[index].name;
}

/* An option that is not there: the closest one, and how to see all. */
static int unknown(const cli_usage *usage, const char *argument) {
    const char *name = argument + strspn(argument, "-");
    const char *closest = withy_closest(name, option_at, usage->option);
    char guess[80] = "";
    if (closest) snprintf(guess, sizeof guess, "; did you mean \"--%s\"?", closest);
    cli_warn("withy: unknown option \"%s\"%s usage: %s (see --help)\n", argument,
             closest ? guess : ";", usage->line);
    return CLI_USAGE;
}

static int complain(const cli_usage *usage, const char *what, const char *argument) {
    cli_warn("withy: %s \"%s\"; usage: %s (see --help)\n", what, argument, usage->line);
    return CLI_USAGE;
}

static const cli_option *find(const cli_option *option, const char *argument, size_t length) {
    for (; option->name; option++) {
        if (argument[1] == '-' && strlen(option->name) == length - 2 &&
            strncmp(option->name, argument + 2, length - 2) == 0)
            return option;
        if (argument[1] != '-' && length == 2 && option->letter == argument[1]) return option;
    }
    return NULL;
}

/* Store one option; returns what is wrong with it, or NULL, and how many arguments it used. */
static const char *store(const cli_option *option, const char *inline_value, const char *next,
                         int again, int *used) {
    *used = inline_value || option->flag ? 1 : 2;
    if (option->flag) {
        *option->flag = 1;
        return inline_value ? "no value belongs to" : NULL;
    }
    const char *value = inline_value ? inline_value : next;
    if (!value) return "a value is missing after";
    if (option->text && again) return "given twice:";
    if (option->text) *option->text = value;
    if (option->list && option->list->count == CLI_LIST) return "given too often:";
    if (option->list) option->list->item[option->list->count++] = value;
    return NULL;
}

/* Options whose values replace keys of the scene, and how a message about such a key begins. */
static struct {
    const char *option, *key, *as;
    int given;
} renamed[] = {{"method", "method = ", "--method ", 0},
               {"methods", "method = ", "--methods ", 0},
               {"input", "--set inputs.", "--input ", 0}};

static void note_given(const cli_option *option) {
    for (size_t i = 0; i < sizeof renamed / sizeof *renamed; i++)
        if (strcmp(option->name, renamed[i].option) == 0) renamed[i].given = 1;
}

int cli_parse(int argc, char **argv, const cli_usage *usage, cli_list *rest) {
    *rest = (cli_list){0};
    if (cli_describe) {
        cli_describe(usage);
        return CLI_OK;
    }
    uint64_t given = 0; /* one bit per option; no command has 64 */
    int names = 0;      /* after "--" all are names, whatever they begin with */
    for (int i = 1; i < argc;) {
        const char *argument = argv[i];
        if (!names && strcmp(argument, "--") == 0) {
            names = 1;
            i++;
            continue;
        }
        if (!names && (strcmp(argument, "-h") == 0 || strcmp(argument, "--help") == 0)) {
            cli_usage_print(usage);
            return CLI_OK;
        }
        if (names || argument[0] != '-' || argument[1] == '\0') {
            if (rest->count == CLI_LIST) return complain(usage, "too many arguments at", argument);
            rest->item[rest->count++] = argument;
            i++;
            continue;
        }
        const char *equals = argument[1] == '-' ? strchr(argument, '=') : NULL;
        const size_t length = equals ? (size_t)(equals - argument) : strlen(argument);
        const cli_option *option = find(usage->option, argument, length);
        if (!option) return unknown(usage, argument);
        int used;
        const uint64_t bit = (uint64_t)1 << (option - usage->option);
        const char *wrong = store(option, equals ? equals + 1 : NULL,
                                  i + 1 < argc ? argv[i + 1] : NULL, (given & bit) != 0, &used);
        given |= bit;
        if (wrong) return complain(usage, wrong, argument);
        note_given(option);
        i += used;
    }
    return -1;
}

int cli_one(const cli_usage *usage, const cli_list *rest, const char *what, const char **one) {
    if (rest->count == 1) {
        *one = rest->item[0];
        return -1;
    }
    cli_warn("withy: expected one %s, got %d arguments; usage: %s (see --help)\n", what,
             rest->count, usage->line);
    return CLI_USAGE;
}

static withy_error last;

/* A wrong argument is not an error of the library: its message is that of the last warning. */
withy_error cli_last_error(void) {
    if (last.code != WITHY_OK) return last;
    withy_error err = {.code = WITHY_BAD_INPUT};
    snprintf(err.text, sizeof err.text, "%s", cli_last_warning());
    return err;
}

/* A message names the option that the value comes from, not the key of the scene that it replaces. */
static void name_option(withy_error *err) {
    withy_error named = *err;
    for (size_t i = 0; i < sizeof renamed / sizeof *renamed; i++) {
        const size_t length = strlen(renamed[i].key);
        if (!renamed[i].given || strncmp(err->text, renamed[i].key, length) != 0) continue;
        snprintf(named.text, sizeof named.text, "%s%s", renamed[i].as, err->text + length);
        *err = named;
        return;
    }
}

int cli_error(const withy_error *err) {
    cli_stop_yield();
    last = *err;
    name_option(&last);
    cli_warn("withy: %s\n", last.text);
    switch (err->code) {
    case WITHY_BAD_INPUT:
    case WITHY_UNSUPPORTED:
    case WITHY_MISSING: return CLI_USAGE;
    case WITHY_INTERRUPTED: return CLI_INTERRUPTED;
    default: return CLI_FAILED;
    }
}

withy_status cli_result(const char *path, withy_result **result, withy_error *err) {
    const withy_status status = withy_result_open(path, result, err);
    if (status == WITHY_OK) return status;
    return cli_no_result(path, status, err);
}

withy_status cli_no_result(const char *path, withy_status status, withy_error *err) {
    const size_t length = strlen(err->text), size = strlen(path);
    struct stat file;
    if (stat(path, &file) != 0)
        snprintf(err->text + length, sizeof err->text - length,
                 "; withy run SCENE -o %.200s makes it", path);
    else if (size > 4 && strcmp(path + size - 4, ".lua") == 0)
        snprintf(err->text + length, sizeof err->text - length,
                 "; withy run %.200s -o FILE.h5 makes one of a scene", path);
    else if (S_ISREG(file.st_mode))
        return status;
    else
        snprintf(err->text + length, sizeof err->text - length, "; give a result, FILE.h5");
    return err->code = WITHY_BAD_INPUT;
}

withy_status cli_scene(const char *name, const cli_list *set, withy_scene **scene,
                       withy_error *err) {
    return cli_scene_of(name, set->item, set->count, scene, err);
}

withy_status cli_scene_of(const char *name, const char *const *set, int count, withy_scene **scene,
                          withy_error *err) {
    if (access(name, F_OK) != 0)
        for (const wy_case *c = wy_cases; c->name; c++)
            if (strcmp(c->name, name) == 0)
                return withy_scene_read_text(c->text, c->size, name, set, count, scene, err);
    const withy_status status = withy_scene_read(name, set, count, scene, err);
    if (status != WITHY_IO) return status;
    err->code = WITHY_BAD_INPUT; /* the name was wrong */
    cli_guess guess;
    const int close = cli_mean(name, cli_case_at, &guess)[0] != '\0';
    const size_t length = strlen(err->text);
    snprintf(err->text + length, sizeof err->text - length, "%s%s", guess.text,
             close                    ? " withy list cases shows all cases"
             : strcmp(name, "-") == 0 ? "; standard input is /dev/stdin"
                                      : "; give a scene file, or a case from withy list cases");
    return WITHY_BAD_INPUT;
}

void cli_name_output(const char *input, const char *ending, char *output, size_t size) {
    const size_t length = strlen(input);
    const int result = length > 3 && strcmp(input + length - 3, ".h5") == 0;
    const char *slash = strrchr(input, '/');
    const char *base = result || !slash ? input : slash + 1;
    const char *dot = strrchr(base, '.');
    const size_t stem =
        dot && dot > base && !strchr(dot, '/') ? (size_t)(dot - base) : strlen(base);
    snprintf(output, size, "%.*s%s", (int)stem, base, ending);
}
