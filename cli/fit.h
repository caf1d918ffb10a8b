/* fit.h - what withy fit writes. */
#pragma once

#include "cli.h"

enum { FIT_FREE = WITHY_FIT_MOST };

typedef struct fit_arguments {
    cli_list output, set, free, subject;
    const char *method, *data, *sigma, *windows, *minimise, *threads, *resume;
    const char *keep; /* FILE.fit, of -o or --resume: the best point so far; NULL: none */
    int json, quiet, differences, run, dark;
} fit_arguments;

typedef struct fit_context {
    const char *scene;
    const cli_list *set;
    const char *option; /* that names the parameters, in messages: "free" */
    const char *keep;   /* NULL: nowhere */
    int lost;           /* 1: it could not be written, and a message has been printed */
} fit_context;

/* The scene with --set and the parameters: withy_fit_read. */
withy_status fit_read_scene(void *context, const char *const *override, int count,
                            withy_scene **scene, withy_error *err);
/* --free NAME=LOW..HIGH, or params.k*=LOW..HIGH: every parameter of the scene that begins so; appended to free[FIT_FREE].
 * -1, or the status of the program, and a message has been printed. */
int fit_read_free(const char *text, const fit_context *x, const withy_scene *scene,
                  withy_fit_free *free, int *count);
int fit_asked(void *unused);                      /* to stop */
void fit_best(void *context, const char *record); /* into context->keep */
/* All of a file of an option, ended by a zero; a message has been printed where NULL. */
char *fit_read_file(const char *option, const char *path, size_t *size);
/* That of --resume; 0: there is one, and a message has been printed. */
int fit_read_record(const fit_arguments *a, char **record);
/* A positive number of an option; NAN: a message has been printed. */
double fit_number(const char *option, const char *text, double otherwise);
const char *fit_ending(const char *path);

void fit_print_notes(const withy_minimum *m); /* and whether its equilibrium is unstable */
/* withy fit --minimise. */
int fit_minimise(const fit_arguments *a, const char *name, const withy_scene *scene,
                 const withy_fit_free *free, int count);

/* Data (dots) and model (lines) over time, arc length or mode: .svg, .png or .pdf; 0: a message has been printed. */
int fit_draw(const withy_fit_curve *curve, const char *scene, const char *path, int dark);
/* The same as a table. */
int fit_table(const withy_fit_curve *curve, const char *path);
/* The text of the scene with value[count] as values of its params { }. */
int fit_scene_write(const withy_scene *scene, const withy_fit_free *free, int count,
                    const double *value, const char *path);
/* Of a search that was stopped: how to continue from the best point so far, and the scene of it where one is to be written. */
void fit_unfinished(const fit_arguments *a, const withy_scene *scene, const withy_fit_free *free,
                    int count, const double *value);
