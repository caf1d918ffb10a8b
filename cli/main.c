/* main.c - the program: one table of commands. */
#include <signal.h>
#include <string.h>

#include "cli.h"

static const struct {
    const char *name, *summary;
    cli_command run;
} command[] = {
#define CLI_COMMAND(name, summary) {#name, summary, cmd_##name},
#include "cmd_list.inc"
#undef CLI_COMMAND
};

enum { COMMANDS = sizeof command / sizeof *command };

static void print_help(void) {
    cli_print("withy %s - dynamics of slender elastic rods\n\nusage: withy COMMAND [arguments]\n\n",
              withy_version());
    for (int i = 0; i < COMMANDS; i++)
        cli_print("  %-9s %s\n", command[i].name, command[i].summary);
    cli_print("\nwithy COMMAND --help describes a command and shows an example.\n"
              "First steps:  withy run falling_rod -o fall.h5 && withy plot fall.h5 -o fall.svg\n");
}

static int run(int argc, char **argv) {
    if (argc < 2 || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
        strcmp(argv[1], "help") == 0) {
        print_help();
        return argc < 2 ? CLI_USAGE : CLI_OK;
    }
    if (strcmp(argv[1], "--version") == 0) {
        cli_print("withy %s\n", withy_version());
        return CLI_OK;
    }
    for (int i = 0; i < COMMANDS; i++)
        if (strcmp(argv[1], command[i].name) == 0) return command[i].run(argc - 1, argv + 1);
    cli_warn("withy: there is no command \"%s\"; withy --help lists them\n", argv[1]);
    return CLI_USAGE;
}

int main(int argc, char **argv) {
    signal(
        SIGXFSZ,
        SIG_IGN); /* a file size limit is reported in a sentence instead of killing the program */
    const int status = run(argc, argv);
    if (fflush(stdout) == 0 && !ferror(stdout)) return status;
    cli_warn("withy: could not write to standard output\n");
    return status ? status : CLI_FAILED;
}
