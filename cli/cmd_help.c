/* cmd_help.c - withy help: the table of commands as text, manual page and shell completion.
 *
 * A command describes itself in the cli_usage that it parses its arguments with; help runs it with
 * cli_describe set, so that there is no second description to keep up to date.
 */
#include <stdlib.h>
#include <string.h>

#include "cli.h"

const cli_row cli_rows[] = {
#define CLI_COMMAND(name, summary) {#name, summary, cmd_##name},
#include "cmd_list.inc"
#undef CLI_COMMAND
    {0}};

const char *cli_command_at(const void *unused, int index) {
    (void)unused;
    return cli_rows[index].name;
}

/* ---- text ----------------------------------------------------------------------------------------- */

static void print_commands(void) {
    cli_print("withy %s - dynamics of slender elastic rods\n\nusage: withy COMMAND [arguments]\n\n",
              withy_version());
    for (const cli_row *row = cli_rows; row->name; row++)
        cli_print("  %-9s %s\n", row->name, row->summary);
    cli_print("\nwithy help COMMAND describes a command and shows an example; withy -V prints the "
              "version.\n"
              "First steps:  withy run falling_rod -o fall.h5 && withy plot fall.h5 -o fall.svg\n");
}

/* What a command says of itself. */
static void describe(const cli_row *row, void (*visit)(const cli_usage *usage)) {
    char name[32], *argv[] = {name, NULL};
    snprintf(name, sizeof name, "%s", row->name);
    cli_describe = visit;
    row->run(1, argv);
    cli_describe = NULL;
}

/* ---- the manual page ------------------------------------------------------------------------------ */

/* A text for troff: no escapes, no requests, and hyphens that can be copied. */
static void put_roff(const char *text) {
    int first = 1; /* of a line, where . and ' begin requests */
    for (; *text; text++) {
        if (first && (*text == '.' || *text == '\'')) fputs("\\&", stdout);
        if (*text == '\\')
            fputs("\\e", stdout);
        else if (*text == '-')
            fputs("\\-", stdout);
        else
            putchar(*text);
        first = *text == '\n';
    }
}

static void roff_option(const cli_option *o) {
    fputs(".TP\n.B ", stdout);
    if (o->letter) printf("\\-%c, ", o->letter);
    fputs("\\-\\-", stdout);
    put_roff(o->name);
    if (o->value) putchar(' '), put_roff(o->value);
    putchar('\n');
    put_roff(o->help);
    putchar('\n');
}

static void roff_usage(const cli_usage *usage) {
    fputs(".SS \"", stdout);
    put_roff(usage->line);
    fputs("\"\n", stdout);
    put_roff(usage->about);
    putchar('\n');
    for (const cli_option *o = usage->option; o->name; o++) roff_option(o);
    fputs(".PP\nExample:\n.PP\n.nf\n", stdout);
    put_roff(usage->example);
    fputs("\n.fi\n", stdout);
}

static void print_man(void) {
    printf(".TH WITHY 1 \"\" \"withy %s\" \"User Commands\"\n", withy_version());
    fputs(
        ".SH NAME\nwithy \\- dynamics of slender elastic rods\n"
        ".SH SYNOPSIS\n.B withy\n.I COMMAND\n[arguments]\n"
        ".SH DESCRIPTION\nSolves scenes of slender elastic rods (a small Lua file, or a case that "
        "comes\nwith the program) by six methods, and draws, exports and compares the results.\n"
        ".SH COMMANDS\n",
        stdout);
    for (const cli_row *row = cli_rows; row->name; row++) {
        printf(".TP\n.B %s\n", row->name);
        put_roff(row->summary);
        putchar('\n');
    }
    fputs(".SH USAGE\nEvery command takes \\-h and \\-\\-help; after \\-\\- all arguments are "
          "names.\n",
          stdout);
    for (const cli_row *row = cli_rows; row->name; row++) describe(row, roff_usage);
    fputs(".SH EXIT STATUS\n.TP\n.B 0\nsuccess\n.TP\n.B 1\nthe numerical solution failed, or a "
          "file could not be written\n.TP\n.B 2\nwrong arguments, a scene that is not valid, or "
          "a method that cannot solve it\n.TP\n.B 130\nstopped by Ctrl\\-C; the result holds what "
          "was reached\n",
          stdout);
}

/* ---- completion ----------------------------------------------------------------------------------- */

/* Is the value of an option one of a few words, "xy|xz"? */
static int is_choice(const cli_option *o) {
    return o->value && strchr(o->value, '|') != NULL;
}

static int is_method(const cli_option *o) {
    return strcmp(o->name, "method") == 0 || strcmp(o->name, "methods") == 0;
}

static void put_words(const char *(*next)(const void *, int), const char *before) {
    for (int i = 0; next(NULL, i); i++) printf("%s%s", i ? " " : before, next(NULL, i));
}

static void put_choice(const char *words) {
    for (; *words; words++) putchar(*words == '|' ? ' ' : *words);
}

/* What the first word of a usage line after the command is: 's' a scene, 'r' a result, 'b' either, 'l'
 * a topic in brackets, 'c' a command, 0: else. */
static char operand_of(const cli_usage *usage) {
    const char *at = usage->line + strcspn(usage->line, " ");
    at += strspn(at, " "), at += strcspn(at, " "), at += strspn(at, " ");
    if (strncmp(at, "FILE.h5|SCENE", 13) == 0) return 'b';
    if (strncmp(at, "SCENE", 5) == 0) return 's';
    if (strncmp(at, "FILE.h5", 7) == 0) return 'r';
    if (strncmp(at, "[COMMAND", 8) == 0) return 'c';
    return at[0] == '[' && strchr(at, '|') ? 'l' : 0;
}

/* The topics of "withy list [methods|sinks] [NAME]". */
static void put_topics(const cli_usage *usage) {
    const char *at = strchr(usage->line, '[') + 1;
    for (; *at && *at != ']'; at++) putchar(*at == '|' ? ' ' : *at);
}

static const char *name_of(const cli_usage *usage, char *name, size_t size) {
    const char *at = usage->line + strlen("withy ");
    snprintf(name, size, "%.*s", (int)strcspn(at, " "), at);
    return name;
}

static void bash_usage(const cli_usage *usage) {
    char name[32];
    printf("    %s)\n        options=\"", name_of(usage, name, sizeof name));
    for (const cli_option *o = usage->option; o->name; o++) {
        printf("--%s ", o->name);
        if (o->letter) printf("-%c ", o->letter);
    }
    printf("--help\"\n        case $before in\n");
    for (const cli_option *o = usage->option; o->name; o++) {
        if (!o->value) continue;
        printf("        --%s", o->name);
        if (o->letter) printf("|-%c", o->letter);
        fputs(is_method(o) ? ") words=$methods ;;\n" : ") words=\"", stdout);
        if (is_method(o)) continue;
        if (is_choice(o)) put_choice(o->value);
        printf("\"; value=%s ;;\n", is_choice(o) ? "word" : "file");
    }
    printf("        esac\n        ");
    const char operand = operand_of(usage);
    if (operand == 's' || operand == 'b') printf("operand=$cases; ending='%s'", "*.@(lua|h5)");
    if (operand == 'r') printf("operand=; ending='*.h5'");
    if (operand == 'c') printf("operand=$commands; ending=none");
    if (operand == 'l') printf("operand=\""), put_topics(usage), printf("\"; ending=none");
    printf("\n        ;;\n");
}

static void print_bash(void) {
    fputs("# bash completion of withy, generated by `withy help --completion bash`\n"
          "_withy() {\n"
          "    local here=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
          "    local options= words= value= operand= ending= commands cases methods\n",
          stdout);
    fputs("    commands=\"", stdout), put_words(cli_command_at, "");
    fputs("\"\n    cases=\"", stdout), put_words(cli_case_at, "");
    fputs("\"\n    methods=\"", stdout), put_words(cli_method_at, "");
    fputs("\"\n    COMPREPLY=()\n"
          "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
          "        COMPREPLY=($(compgen -W \"$commands --help --version\" -- \"$here\"))\n"
          "        return\n    fi\n"
          "    case ${COMP_WORDS[1]} in\n",
          stdout);
    for (const cli_row *row = cli_rows; row->name; row++) describe(row, bash_usage);
    fputs("    esac\n"
          "    if [ -n \"$words\" ]; then\n"
          "        COMPREPLY=($(compgen -W \"$words\" -- \"$here\"))\n"
          "    elif [ \"$value\" = file ]; then\n"
          "        COMPREPLY=($(compgen -f -- \"$here\"))\n"
          "    elif [ \"${here#-}\" != \"$here\" ]; then\n"
          "        COMPREPLY=($(compgen -W \"$options\" -- \"$here\"))\n"
          "    else\n"
          "        COMPREPLY=($(compgen -W \"$operand\" -- \"$here\"))\n"
          "        [ \"$ending\" = none ] ||\n"
          "            COMPREPLY+=($(shopt -s extglob; compgen -d -- \"$here\"; compgen -f -X "
          "\"!$ending\" -- \"$here\"))\n"
          "    fi\n"
          "}\n"
          "complete -o filenames -F _withy withy\n",
          stdout);
}

/* In single quotes within brackets of an _arguments specification. */
static void put_zsh(const char *text) {
    for (; *text; text++)
        if (*text == '\'')
            fputs("'\\''", stdout);
        else if (strchr("[]:\\", *text))
            printf("\\%c", *text);
        else
            putchar(*text == '\n' ? ' ' : *text);
}

static void zsh_value(const cli_option *o) {
    if (!o->value) return;
    putchar(':'), put_zsh(o->value), putchar(':');
    if (is_method(o))
        fputs("($methods)", stdout);
    else if (is_choice(o))
        putchar('('), put_choice(o->value), putchar(')');
    else
        fputs("_files", stdout);
}

static void zsh_option(const cli_option *o) {
    const char *again = o->list ? "*" : "";
    for (int letter = 0; letter < (o->letter ? 2 : 1); letter++) {
        printf(" \\\n            '%s", again);
        if (letter)
            printf("-%c", o->letter);
        else
            printf("--%s", o->name);
        putchar('['), put_zsh(o->help), putchar(']');
        zsh_value(o);
        putchar('\'');
    }
}

static void zsh_usage(const cli_usage *usage) {
    char name[32];
    printf("    %s)\n        _arguments '--help[this text]'", name_of(usage, name, sizeof name));
    for (const cli_option *o = usage->option; o->name; o++) zsh_option(o);
    const char operand = operand_of(usage);
    fputs(" \\\n            ", stdout);
    if (operand == 's' || operand == 'b') fputs("'*:scene:_withy_scenes'", stdout);
    if (operand == 'c') fputs("'1:command:($commands)'", stdout);
    if (operand == 'l') fputs("'1:topic:(", stdout), put_topics(usage), fputs(")'", stdout);
    if (operand == 'r') fputs("'*:result:_files -g \"*.h5\"'", stdout);
    if (!operand) fputs("'*:name:_files'", stdout);
    fputs("\n        ;;\n", stdout);
}

static void print_zsh(void) {
    fputs("#compdef withy\n# zsh completion of withy, generated by `withy help --completion zsh`\n"
          "_withy_scenes() {\n    _alternative 'cases:case:(",
          stdout);
    put_words(cli_case_at, "");
    fputs(")' 'files:file:_files -g \"*.(lua|h5)\"'\n}\n_withy() {\n    local commands=(", stdout);
    put_words(cli_command_at, "");
    fputs(") methods=(", stdout), put_words(cli_method_at, "");
    fputs(")\n    if (( CURRENT == 2 )); then\n"
          "        _describe command commands\n        return\n    fi\n"
          "    shift words; (( CURRENT-- ))\n    case $words[1] in\n",
          stdout);
    for (const cli_row *row = cli_rows; row->name; row++) describe(row, zsh_usage);
    fputs("    esac\n}\n_withy \"$@\"\n", stdout);
}

/* ---- the command ----------------------------------------------------------------------------------- */

static int complete(const char *shell) {
    if (strcmp(shell, "bash") == 0)
        print_bash();
    else if (strcmp(shell, "zsh") == 0)
        print_zsh();
    else {
        cli_warn("withy: --completion %s: must be bash or zsh\n", shell);
        return CLI_USAGE;
    }
    return CLI_OK;
}

static int help_of(const char *name) {
    for (const cli_row *row = cli_rows; row->name; row++)
        if (strcmp(row->name, name) == 0) {
            describe(row, cli_usage_print);
            return CLI_OK;
        }
    cli_guess guess;
    cli_warn("withy: there is no command \"%s\"%s withy help lists them\n", name,
             cli_mean(name, cli_command_at, &guess)[0] ? guess.text : ";");
    return CLI_USAGE;
}

int cmd_help(int argc, char **argv) {
    int man = 0;
    const char *shell = NULL;
    cli_list rest;
    const cli_option option[] = {
        {"man", 0, NULL, "print the manual page, withy.1", .flag = &man},
        {"completion", 0, "bash|zsh", "print the completion of a shell", .text = &shell},
        {0}};
    const cli_usage usage = {"withy help [COMMAND] [--man] [--completion bash|zsh]",
                             "The commands, or what one of them does, with its options and an "
                             "example.  `cmake --install` "
                             "puts\nmanual page and completion where man, bash and zsh find them.",
                             "  withy help plot\n  . <(withy help --completion bash)", option};
    const int status = cli_parse(argc, argv, &usage, &rest);
    if (status >= 0) return status;
    if (rest.count > 1) {
        cli_warn("withy: too many arguments at \"%s\"; usage: %s\n", rest.item[1], usage.line);
        return CLI_USAGE;
    }
    if (shell) return complete(shell);
    if (man)
        print_man();
    else if (rest.count == 1)
        return help_of(rest.item[0]);
    else
        print_commands();
    return CLI_OK;
}
