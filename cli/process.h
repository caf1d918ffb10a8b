/* process.h - other programs, started without a shell, and what they draw. */
#pragma once

#include <stdio.h>
#include <sys/types.h>

#include "sink/atomic_file.h"

/* ---- programs -------------------------------------------------------------------------------- */

typedef struct process {
    FILE *in; /* its standard input; NULL: it has none */
    pid_t id;
} process;

/* How it is started: an argument vector, so that no name can become a command. */
typedef struct process_setup {
    const char *const *argument; /* the first by process_find; ends with NULL */
    const char *folder;          /* where it works; NULL: here */
    int out;                     /* descriptor for its standard output; -1: none */
    int feed;                    /* 1: its standard input is written by us */
} process_setup;

/* Where the program is that PATH names, with its folder; 0: there is none.  Elements that do not begin at the root
 * are passed over: a foreign scene's folder holds no programs of ours. */
int process_find(const char *name, char *file, size_t size);

int process_start(process *p, const process_setup *setup); /* 0: it could not, errno says why */
int process_end(process *p);                               /* closes, waits; 1: it succeeded */

/* End the program that runs, if one does: called before we end ourselves, from another thread. */
void process_abandon(void);

/* A new folder of our own for temporary files; 0, or a message has been printed. */
int process_folder(wy_temporary_folder *folder);

/* ---- gnuplot --------------------------------------------------------------------------------- */

/* Either a picture on its standard output, to the descriptor `out`, or names without a path in
 * `folder`: no name from outside is ever part of its program. */
int gnuplot_start(process *p, const char *folder, int out);

/* The one way for a text into the program. */
void gnuplot_text(FILE *program, const char *text);

/* ---- files ----------------------------------------------------------------------------------- */

/* Open it next to its place (sink/atomic_file.h) with a stream: 0, or an errno. */
int whole_begin(wy_atomic_file *file, const char *path);
int whole_copy(wy_atomic_file *file, const char *from);       /* 0: errno says why */
int whole_ends(const wy_atomic_file *file, const char *mark); /* is `mark` in its last 64 bytes? */

/* Is OUTPUT another file than INPUT, and (check) can it be written?  -1: yes; else the status of the program, and
 * a message has been printed. */
int whole_apart(const char *output, const char *input);
int whole_check(const char *output, const char *input);
