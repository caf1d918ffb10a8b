/* cli.h - what the commands share: arguments, errors, JSON, reading a scene. */
#pragma once

#include <stdio.h>

#include "withy/withy.h"

enum { CLI_OK = 0, CLI_FAILED = 1, CLI_USAGE = 2, CLI_INTERRUPTED = 130 };

/* One command: its own file, one line in cmd_list.inc. */
typedef int (*cli_command)(int argc, char **argv);
#define CLI_COMMAND(name, summary) int cmd_##name(int argc, char **argv);
#include "cmd_list.inc"
#undef CLI_COMMAND

/* ---- arguments ---------------------------------------------------------------------------------
 */

enum { CLI_LIST = 64 };

/* A list of texts collected from a repeated option or from the positional arguments. */
typedef struct cli_list {
    const char *item[CLI_LIST];
    int count;
} cli_list;

enum { CLI_MEMBERS = 16 };
/* "3,7,9" of the folder of results of a sweep, at most so many: their files; -1 to continue, else the exit status. */
int cli_members(const char *text, const char *folder, int most, cli_list *paths);

/* One option: --name (and -letter).  Exactly one target is set. */
typedef struct cli_option {
    const char *name;
    char letter;       /* or 0 */
    const char *value; /* what the value is called in the help; NULL: a flag */
    const char *help;
    int *flag;         /* set to 1 */
    const char **text; /* the value; given twice: refused */
    cli_list *list;    /* every value given */
} cli_option;

typedef struct cli_usage {
    const char *line;         /* "withy run SCENE [options]" */
    const char *about;        /* one or more messages */
    const char *example;      /* lines to copy */
    const cli_option *option; /* ends with a row whose name is NULL */
} cli_usage;

/* Parse; positional arguments go to *rest.  Returns -1 to continue, or the exit status (help printed,
 * or a wrong argument reported). */
int cli_parse(int argc, char **argv, const cli_usage *usage, cli_list *rest);

/* While set, cli_parse hands the table of its command to it instead of reading arguments. */
extern void (*cli_describe)(const cli_usage *usage);
void cli_usage_print(const cli_usage *usage);

/* "; did you mean "x"?", or "": next(NULL, i) gives the names. */
typedef struct cli_guess {
    char text[128];
} cli_guess;
const char *cli_mean(const char *name, const char *(*next)(const void *unused, int index),
                     cli_guess *guess);
const char *cli_case_at(const void *unused, int index);
const char *cli_method_at(const void *unused, int index);

/* The commands, in the order of the help. */
typedef struct cli_row {
    const char *name, *summary;
    cli_command run;
} cli_row;
extern const cli_row cli_rows[]; /* ends with a row whose name is NULL */
const char *cli_command_at(const void *unused, int index);

/* Where no output is named: "a/fall.h5" -> "a/fall.svg", "cases/fall/scene.lua" -> "scene.svg" (in the current
 * folder). */
void cli_name_output(const char *input, const char *ending, char *output, size_t size);

/* Exactly one positional argument, or a message and CLI_USAGE. */
int cli_one(const cli_usage *usage, const cli_list *rest, const char *what, const char **one);

/* ---- texts (text.c)
 * -------------------------------------------------------------------------------------- */

/* printf to stdout and stderr for people: no control character of an argument reaches the terminal. */
void cli_print(const char *format, ...) __attribute__((format(printf, 1, 2)));
void cli_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The first line of the last one, without its name; "" where there was none. */
const char *cli_last_warning(void);

/* The bytes of the character at `text`, 1 to 4; 0: it is not UTF-8. */
int text_size(const char *text);
/* Of a character: does it control the terminal, the line or the direction of writing? */
int text_is_control(const char *text);
/* The character as it may be shown: a control character is a blank, a wrong byte U+FFFD.  Returns the
 * bytes used. */
int text_next(const char *text, char out[5]);

/* ---- errors
 * -------------------------------------------------------------------------------------- */

/* Print "withy: message" on stderr; returns the exit status that belongs to the code: 2 for bad
 * input and refusals, 1 for failures, 130 when interrupted. */
int cli_error(const withy_error *err);
/* The last one that was printed, or the last warning of a wrong argument; text "": there was none. */
withy_error cli_last_error(void);

/* ---- scenes
 * --------------------------------------------------------------------------------------- */

/* Read a scene file, or the case of that name when there is no such file. */
withy_status cli_scene(const char *name, const cli_list *set, withy_scene **scene,
                       withy_error *err);
withy_status cli_scene_of(const char *name, const char *const *set, int count, withy_scene **scene,
                          withy_error *err);

/* `--input NAME=FILE.csv` (or NAME=function(t) ... end, NAME=number) as overrides of the scene, added to
 * `set`; their texts are in kept.  CLI_OK, or the exit status after a message. */
typedef struct cli_kept {
    char *text[CLI_LIST];
    int count;
} cli_kept;
int cli_inputs(const cli_list *input, cli_list *set, cli_kept *kept);
void cli_inputs_free(cli_kept *kept);

/* ---- results
 * -------------------------------------------------------------------------------------- */

/* Open a result; a file that is not there is the caller's mistake, not a failure. */
withy_status cli_result(const char *path, withy_result **result, withy_error *err);
/* What to do, added to the message of one that could not be opened. */
withy_status cli_no_result(const char *path, withy_status status, withy_error *err);

/* ---- JSON
 * ---------------------------------------------------------------------------------------- */

/* Writes one object, indented by depth; a number that is not finite becomes null. */
typedef struct cli_json {
    int depth, first; /* first: nothing written yet at this depth */
    FILE *file;       /* NULL: stdout */
} cli_json;

/* A text in quotes: what is not UTF-8 becomes U+FFFD; control characters, line separators, "<", ">"
 * and "&" become escapes, so that it may also stand in a page. */
void json_quoted(FILE *file, const char *text);
int json_begun(void);                   /* has anything of JSON been written to stdout? */
int json_printed(void);                 /* has a whole object or list been written to stdout? */
void json_figure(FILE *file, double x); /* a bare number, null when it is not finite */

void json_open(cli_json *json, const char *key,
               char bracket);                  /* '{' or '['; key NULL inside lists */
void json_close(cli_json *json, char bracket); /* '}' or ']' */
void json_text(cli_json *json, const char *key, const char *text);
void json_number(cli_json *json, const char *key, double number);
void json_whole(cli_json *json, const char *key, int64_t number);
void json_bool(cli_json *json, const char *key, int truth);
void json_null(cli_json *json, const char *key);
void json_vector(cli_json *json, const char *key, const double *x, int count);

/* ---- error bars
 * -------------------------------------------------------------------------------------- */

typedef struct cli_bar_text {
    char text[24];
} cli_bar_text;

/* " +- 1.2e-05", or "" when no errors were asked for. */
const char *cli_bar(const withy_error_summary *error, double bar, cli_bar_text *text);
/* How the errors were found: into an open object, and as lines. */
void cli_json_error(cli_json *json, const withy_error_summary *error);
void cli_print_error(const withy_error_summary *error);
void cli_print_notes(const withy_notes *notes); /* one line each */
/* "notes": a list of objects with id, text and values. */
void cli_json_notes(cli_json *json, const withy_notes *notes);
/* "error" of a failure: an object with message, path, line and status. */
void cli_json_failure(cli_json *json, const withy_error *err);

/* ---- numbers of a report (numbers.c)
 * ---------------------------------------------------------------- */

/* How large the numbers of a scene are: what is less than rounding of that is printed as 0, though not in JSON. */
typedef struct cli_scale {
    double length, force, time; /* [m] [N] [s] */
} cli_scale;
cli_scale cli_scale_of(const withy_scene *scene, const withy_part_report *part, int count);
double cli_clean(const cli_scale *scale, const char *unit, double x);

typedef struct cli_vector_text {
    char text[80];
} cli_vector_text;
const char *cli_vector(const cli_scale *scale, const char *unit, const withy_vec3 *v,
                       cli_vector_text *text);

/* Position, force and moment at the two ends of the first rod; NULL: not known. */
typedef struct cli_ends {
    const withy_vec3 *value[3]; /* [2] each */
    const double *error[3];     /* [2] each */
} cli_ends;
void cli_print_ends(const cli_ends *ends, const cli_scale *scale, const withy_error_summary *error);
void cli_json_ends(cli_json *json, const cli_ends *ends, const double *t); /* t may be NULL */
void cli_json_end_errors(cli_json *json, const cli_ends *ends);

/* Last value, minimum, maximum, mean and deviation, a row for each component; errors[count] may be NULL. */
void cli_print_probes(const withy_probe_report *probe, int count, const cli_scale *scale,
                      const withy_error_summary *error, const double *errors);
void cli_json_probes(cli_json *json, const withy_probe_report *probe, int count);

/* The rods, bodies, joints and obstacles after the first rod, one line each; all of them into an open object. */
void cli_print_parts(const withy_part_report *part, int count, const cli_scale *scale);
void cli_json_parts(cli_json *json, const withy_part_report *part, int count);

/* What a mode is (mode_name.c), and the mass per length of a rod [kg/m]; 0: not known. */
typedef struct cli_mode_name {
    const char *
        word; /* "bending", "torsion", "axial", "transverse" (held by tension or gravity), "rigid", "bodies" */
    char along[32];     /* its direction, "y" or "(0.71, 0.71, 0)"; "": none */
    double bend, twist; /* shares of its energy, 0 .. 1 */
} cli_mode_name;
cli_mode_name cli_mode_of(const withy_scene *scene, const withy_mode *mode);
double cli_mass_at(const withy_rod *rod, double s);

/* The parameters of the scene, params.c: an object "params" into an open one; one line each with range and unit. */
void cli_json_params(cli_json *json, const withy_scene *scene);
void cli_print_params(const withy_scene *scene);
/* Of a scene; "" where it says no more than the name of the file. */
const char *cli_title(const withy_scene *scene);

/* ---- progress
 * --------------------------------------------------------------------------------------- */

/* A withy_progress that draws a bar with the remaining time on a terminal, and stops when that is asked for. */
typedef struct cli_progress {
    int show;     /* draw it? */
    double start; /* wall clock */
    double drawn; /* wall clock of the last drawing */
    int visible;  /* something is on the line */
} cli_progress;

cli_progress cli_progress_start(int quiet);
int cli_progress_step(void *progress, double t, double stop, int64_t step);
void cli_progress_end(cli_progress *progress); /* wipe the line */
double cli_clock(void);                        /* wall clock [s] */

/* ---- signals (stop.c)
 * ------------------------------------------------------------------------------- */

/* Once: SIGINT, SIGTERM, SIGHUP are handled from now on.  json: the answer is, of a stop too. */
void cli_stop_start(int json);
/* Around a computation that asks cli_stop_asked now and then, so that it can finish its files; everything else is
 * ended at once. */
void cli_stop_check(int begins);
int cli_stop_asked(void);
/* Where the program is being ended by a signal: wait for that. */
void cli_stop_yield(void);
