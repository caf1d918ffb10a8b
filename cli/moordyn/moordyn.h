/* moordyn.h - input files of MoorDyn: what read.c finds in one, and what scene.c makes of it. */
#pragma once

#include "cli.h"

/* Sections with rows. */
enum { MD_TYPES, MD_POINTS, MD_LINES, MD_OPTIONS, MD_OUTPUTS, MD_SECTIONS };
enum { MD_CELLS = 16 };

/* Columns, in the order of the tables in read.c. */
enum {
    TYPE_NAME,
    TYPE_DIAMETER,
    TYPE_MASS,
    TYPE_EA,
    TYPE_BA,
    TYPE_EI,
    TYPE_CD,
    TYPE_CA,
    TYPE_CD_AX,
    TYPE_CA_AX,
    TYPE_CL
};
enum {
    POINT_ID,
    POINT_KIND,
    POINT_X,
    POINT_Y,
    POINT_Z,
    POINT_MASS,
    POINT_VOLUME,
    POINT_CD,
    POINT_CA,
    POINT_FX,
    POINT_FY,
    POINT_FZ
};
enum { LINE_ID, LINE_TYPE, LINE_A, LINE_B, LINE_LENGTH, LINE_SEGMENTS, LINE_OUTPUTS };

typedef struct md_cell {
    char *text;
    int line, column; /* from 1 */
} md_cell;

typedef struct md_row {
    md_cell cell
        [MD_CELLS]; /* of OPTIONS and OUTPUTS as they stand, else by the columns above; text NULL: not there */
    int count;
} md_row;

typedef struct md_table {
    md_row *row;
    int count, room;
    int line; /* of its title */
} md_table;

typedef struct md_file {
    const char *name;
    char *text; /* cells point into it */
    md_table table[MD_SECTIONS];
    int is_old; /* its points are called connections or nodes: version 1 */
} md_file;

/* All that can be said of the file alone is checked.  CLI_OK, or the exit status after a message; free in either case. */
int md_read(const char *name, md_file *file);
void md_free(md_file *file);

/* "withy: FILE:LINE:COLUMN: ..." on stderr; returns CLI_USAGE. */
int md_wrong(const md_file *file, const md_cell *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* A finite number; where the cell is missing *x stays. */
int md_number(const md_file *file, const md_cell *at, double *x);
/* Is the text one of these, "a|b|c" in lower case, whatever its case? */
int md_is(const char *text, const char *names);

/* What leads the coupled points: a file of t and three columns for each; NULL: nothing does. */
typedef struct md_motion {
    const char *path, *name; /* name: without folders, as the scene reads it */
    int points;
    double start[3 * 100]; /* of its first row */
    double stop;           /* the last time */
} md_motion;

enum { MD_COUPLED = 100 }; /* most coupled points */
int md_motion_read(const char *path, int points, md_motion *motion);

/* The scene on stdout, notes on stderr; nothing is printed where anything is wrong. */
int md_scene(const md_file *file, const char *motion);
