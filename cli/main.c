/* main.c - the program: one table of commands. */
#include <fcntl.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"

/* Neither a command nor close to one: perhaps a scene, with "run" missing before it. */
static int no_command(const char *name) {
    cli_guess guess;
    const size_t length = strlen(name);
    int scene = length > 4 && strcmp(name + length - 4, ".lua") == 0;
    for (int i = 0; cli_case_at(NULL, i); i++) scene |= strcmp(cli_case_at(NULL, i), name) == 0;
    if (scene)
        cli_warn("withy: \"%s\" is a scene, not a command; withy run %s solves it\n", name, name);
    else
        cli_warn("withy: there is no command \"%s\"%s withy help lists them\n", name,
                 cli_mean(name, cli_command_at, &guess)[0] ? guess.text : ";");
    return CLI_USAGE;
}

static int run(int argc, char **argv) {
    char *help[] = {(char[]){"help"}, NULL};
    withy_error err = {0};
    if (withy_kernel(NULL, &err) != WITHY_OK) return cli_error(&err);
    if (argc < 2) {
        cmd_help(1, help);
        return CLI_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) return cmd_help(1, help);
    if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0) {
        cli_print("withy %s\n", withy_version());
        return CLI_OK;
    }
    for (const cli_row *row = cli_rows; row->name; row++)
        if (strcmp(argv[1], row->name) == 0) return row->run(argc - 1, argv + 1);
    return no_command(argv[1]);
}

static int asks_for_json(int argc, char **argv) {
    int asked = 0;
    for (int i = 2; i < argc && strcmp(argv[i], "--") != 0; i++)
        asked |= strcmp(argv[i], "--json") == 0;
    return asked;
}

/* Who asks for JSON gets it, of a failure too. */
static void report_failure(int status) {
    if (json_printed()) return;
    cli_json json = {0};
    const withy_error err = cli_last_error();
    json_open(&json, NULL, '{');
    json_text(&json, "status",
              status == CLI_USAGE         ? "refused"
              : status == CLI_INTERRUPTED ? "interrupted"
                                          : "failed");
    cli_json_failure(&json, &err);
    json_close(&json, '}');
}

/* A standard stream that is closed would else become the next file opened, and messages would be written
 * into a result; for reading only, so that writing to it still fails. */
static void fill_standard(void) {
    int file;
    do file = open("/dev/null", O_RDONLY);
    while (file >= 0 && file <= STDERR_FILENO);
    if (file >= 0) close(file);
}

/* What one member of a sweep gives back the next takes again: through the system every page of it would be
 * cleared anew, which is a sixth of the time of small members. */
static void keep_memory(void) {
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 1 << 25);
    mallopt(M_TRIM_THRESHOLD, 1 << 28);
#endif
}

int main(int argc, char **argv) {
    fill_standard();
    keep_memory();
    signal(SIGXFSZ,
           SIG_IGN); /* a file size limit is reported in a message instead of killing the program */
    signal(SIGPIPE,
           SIG_IGN); /* who reads may leave: a run finishes its files, and gnuplot is seen to end */
    const int json = asks_for_json(argc, argv);
    cli_stop_start(json);
    const int status = run(argc, argv);
    if (status != CLI_OK && json) report_failure(status);
    if (fflush(stdout) == 0 && !ferror(stdout)) return status;
    cli_warn("withy: could not write to standard output\n");
    return status ? status : CLI_FAILED;
}
