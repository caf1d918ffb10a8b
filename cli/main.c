/* main.c - the program: one table of commands. */
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

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

/* A standard stream that is closed would else become the next file opened, and messages would be written
 * into a result; for reading only, so that writing to it still fails. */
static void fill_standard(void) {
    int file;
    do file = open("/dev/null", O_RDONLY);
    while (file >= 0 && file <= STDERR_FILENO);
    if (file >= 0) close(file);
}

int main(int argc, char **argv) {
    fill_standard();
    signal(
        SIGXFSZ,
        SIG_IGN); /* a file size limit is reported in a sentence instead of killing the program */
    cli_stop_start();
    const int status = run(argc, argv);
    if (fflush(stdout) == 0 && !ferror(stdout)) return status;
    cli_warn("withy: could not write to standard output\n");
    return status ? status : CLI_FAILED;
}
