/* process.h - other programs, started without a shell; files that appear only when they are whole. */
#pragma once

#include <stdio.h>
#include <sys/types.h>

/* ---- programs -------------------------------------------------------------------------------- */

typedef struct process {
    FILE *in; /* its standard input; NULL: it has none */
    pid_t id;
} process;

/* How it is started: an argument vector, so that no name can become a command. */
typedef struct process_setup {
    const char *const *argument; /* the first is looked up in PATH; ends with NULL */
    const char *folder;          /* where it works; NULL: here */
    int out;                     /* descriptor for its standard output; -1: none */
    int feed;                    /* 1: its standard input is written by us */
} process_setup;

int process_start(process *p, const process_setup *setup); /* 0: it could not, errno says why */
int process_end(process *p);                               /* closes, waits; 1: it succeeded */

/* A new folder of our own for temporary files; 0: errno says why, `folder` names it. */
int process_folder(char *folder, size_t size);

/* ---- gnuplot --------------------------------------------------------------------------------- */

/* Either a picture on its standard output, to the descriptor `out`, or names without a path in
 * `folder`: no name from outside is ever part of its program. */
int gnuplot_start(process *p, const char *folder, int out);

/* The one way for a text into the program: in single quotes, where gnuplot substitutes nothing. */
void gnuplot_text(FILE *program, const char *text);

/* ---- files ----------------------------------------------------------------------------------- */

/* A file under a name of our own beside its place, moved there when it is whole; until then the old one stays. */
typedef struct whole_file {
    FILE *stream;
    const char *path;
    char beside[4096];
} whole_file;

/* 0: it failed and errno says why; nothing is left behind. */
int whole_begin(whole_file *file, const char *path);
int whole_copy(whole_file *file, const char *from);
int whole_ends(whole_file *file, const char *mark); /* is `mark` in its last 64 bytes? */
int whole_keep(whole_file *file);
void whole_drop(whole_file *file);
