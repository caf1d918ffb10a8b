/* cmd_import.c - withy import: an input file of another program as a scene on stdout. */
#include <string.h>

#include "moordyn/moordyn.h"

int cmd_import(int argc, char **argv) {
    const char *motion = NULL;
    const cli_option option[] = {
        {"motion", 0, "FILE.csv",
         "how coupled points move: rows of t and x, y, z of each, straight in between",
         .text = &motion},
        {0}};
    const cli_usage usage = {
        "withy import moordyn FILE [--motion FILE.csv]",
        "Write the scene of a MoorDyn input file to stdout: lines, points, options and outputs "
        "(docs/moordyn.md).",
        "  withy import moordyn lines.txt > scene.lua && withy static scene.lua", option};
    cli_list rest;
    md_file file;
    int status = cli_parse(argc, argv, &usage, &rest);
    if (status >= 0) return status;
    if (rest.count != 2 || strcmp(rest.item[0], "moordyn") != 0) {
        cli_warn("withy: name the program and one file; usage: %s (see --help)\n", usage.line);
        return CLI_USAGE;
    }
    status = md_read(rest.item[1], &file);
    if (status == CLI_OK) status = md_scene(&file, motion);
    md_free(&file);
    return status;
}
