/* plot.h - pictures of a result, drawn by gnuplot.
 *
 * cmd_plot.c reads the arguments, read.c the result, gnuplot.c holds the page (size, fonts), look.c the colours, view.c sets the direction of view, shapes.c, series.c, profile.c and spectrum.c draw one panel each.
 */
#pragma once

#include "cli.h"
#include "lines.h"
#include "process.h"

enum { PLOT_PANELS = 16 };

typedef enum plot_plane { PLOT_AUTO, PLOT_XY, PLOT_XZ, PLOT_YZ, PLOT_3D } plot_plane;

enum { PLOT_ARROWS_NONE, PLOT_ARROWS_KAPPA, PLOT_ARROWS_FRAME };

/* What the user asked for. */
typedef struct plot_request {
    int shapes, energy, probes, ledger, decay;
    int contacts;        /* where and when something touches (contacts.c) */
    int growth;          /* of the energy in a step */
    int errors;          /* of results on finer and finer grids (difference.c) */
    cli_list profile;    /* names of quantities */
    cli_list spectrum;   /* names of probes */
    cli_list what;       /* chosen numbers over time (what.c) */
    cli_list results;    /* whose numbers they are: files */
    int parallel;        /* of a sweep: parallel coordinates */
    const char *against; /* of a sweep: the column over which its numbers are drawn, or NULL */
    plot_plane plane;
    int64_t every;      /* 0: not given */
    int count;          /* 0: not given */
    const char *frames; /* "0,5,10", or NULL */
    double from, to;    /* window of time [s]; to < from: not given */
    int grid;           /* panels of small multiples; 0: one overlaid picture */
    int width, height;  /* pixels; 0: chosen */
    int dark;           /* light on dark */
    double thick;       /* from the middle of a section to its edge [m]; 0: rods are lines */
    int arrows;         /* PLOT_ARROWS_... */
} plot_request;

/* The result as it is drawn. */
typedef struct plot {
    plot_request request;
    withy_result *result;
    FILE *out; /* gnuplot's standard input */
    int rods;
    int lines; /* of rods, bodies and links */
    int64_t snapshots;
    double *time;   /* [snapshots] */
    int64_t *frame; /* [frame_count] snapshots that are drawn */
    int frame_count;
    double low[3], high[3]; /* box around the shapes */
    plot_plane plane;       /* never PLOT_AUTO */
    int width, height;
    /* instead of panels: the whole page, of something that is not a result */
    withy_status (*page)(struct plot *p, const char *path, withy_error *err);
    const void *page_data;
} plot;

/* A part of the page, from 0 to 1, the origin at the lower left. */
typedef struct plot_box {
    double x, y, width, height;
} plot_box;

/* One panel: something that draws itself into a box. */
typedef struct plot_panel {
    withy_status (*draw)(plot *p, plot_box box, int which, withy_error *err);
    int which;     /* number of the probe, profile or component */
    double aspect; /* width / height of what is drawn; 0: any */
} plot_panel;

/* ---- cmd_plot.c: arguments shared with films; -1 to continue, or the exit status ------------------- */

int plot_read_plane(const char *text, plot_request *request); /* NULL: not given */
int plot_read_size(const char *text, plot_request *request);
int plot_read_number(const char *option, const char *text, const char *unit, double *number);
/* The name ends as a picture's does, gnuplot is there, and it is not the file it is made from. */
int plot_ready(const char *output, const char *input);

/* ---- read.c ------------------------------------------------------------------------------ */

withy_status plot_open(plot *p, const char *path, withy_error *err); /* choose frames, box, plane */
void plot_close(plot *p);

/* ---- view.c ------------------------------------------------------------------------------ */

/* The view of the shapes. */
typedef struct plot_view {
    char columns[160], shadow[160]; /* for gnuplot's "using": right and up; on the floor (3-D) */
    double low[2], high[2];         /* the visible ranges, right and up */
    double box_low[3], box_high[3]; /* the box around the shapes, with some air */
    double step;                    /* between tics, the same in all directions */
} plot_view;

plot_view plot_view_make(const plot *p);
double plot_view_aspect(const plot *p); /* width / height */
void plot_view_axes(plot *p, const plot_view *view, int labels);
double plot_tic_step(double length); /* about five tics */

/* ---- look.c: inks, letters, palette ------------------------------------------------------------ */

void plot_look(plot *p);                                        /* the head of a program */
const char *plot_paper(const plot *p);                          /* the colour behind all */
void plot_heading(plot *p, const char *title, const char *how); /* as labels 1 and 2 */
plot_box plot_page(const plot *p);                              /* what lies below the heading */
plot_box plot_cell(plot_box box, int columns, int rows, int index);
extern const char *const plot_colour[]; /* for lines that are not coloured by time: lc rgb NAME */
enum { PLOT_COLOURS = 8 };

/* ---- gnuplot.c --------------------------------------------------------------------------- */

int plot_has_gnuplot(void);
void plot_terminal(plot *p, const char *path); /* kind by the ending; size and style of the page */
void plot_title(plot *p);                      /* as labels 1 and 2 */
withy_status plot_draw(plot *p, const char *path, withy_error *err); /* the whole picture */
const char *plot_axis(const plot *p); /* "t [s]", "load factor", "frequency [Hz]" */
int plot_is_timed(const plot *p);     /* a run, not a path or modes */
int plot_is_modes(const plot *p);
/* "mode 2: 1.69 Hz, damping -0.42, flutter" of a frame of modes; brief: the number and the frequency. */
void plot_mode_text(const plot *p, int frame, int brief, char *text, size_t size);
/* From one moment to another: "t = 1 ... 2 s", "load factor = 0.5"; brief: the first, "1 s". */
void plot_moment(const plot *p, double from, double to, int brief, char *text, size_t size);
void plot_colours_over_time(plot *p);              /* the range of the colours: all frames */
void plot_place(plot *p, plot_box box);            /* the next plot goes there */
void plot_range(plot *p, double low, double high); /* vertical, with some air and few tics */
void plot_plain(plot *p);                          /* reset the ranges and keys of the last panel */
const char *plot_component(const char *quantity,
                           int component); /* "x" of position, "qw" of frame */
/* ---- panels ----------------------------------------------------------------------------------- */

/* Append the requested panels; return the new count. */
int plot_add_shapes(plot *p, plot_panel *panel, int count);
int plot_add_series(plot *p, plot_panel *panel, int count);
int plot_add_profiles(plot *p, plot_panel *panel, int count);
int plot_add_spectra(plot *p, plot_panel *panel, int count);
/* "force", or "force.material"; NULL when there is no such quantity. */
const withy_quantity *plot_profile_find(const char *name, int *material);
int plot_add_decay(plot *p, plot_panel *panel, int count);
int plot_add_contacts(plot *p, plot_panel *panel, int count);
int plot_add_what(plot *p, plot_panel *panel, int count);
int plot_check_what(const plot_request *request);               /* -1, or too many */
int plot_add_difference(plot *p, plot_panel *panel, int count); /* instead of all others */

/* Edges and sections of thick rods as $thick: one index per frame. */
withy_status plot_thick_data(plot *p, withy_error *err);
withy_vec3 plot_director(withy_quat q, int k);           /* d1, d2, d3: k = 0, 1, 2 */
withy_status plot_arrow_data(plot *p, withy_error *err); /* arrows.c: $arrows */

/* The page as high as the small multiples need. */
void plot_grid_size(plot *p);

/* The shapes of all frames as $shapes, their ends as $starts and $finishes: one index per frame. */
withy_status plot_shape_data(plot *p, withy_error *err);
/* One frame under the name given ("$now"). */
withy_status plot_shape_now(plot *p, const char *name, int frame, withy_error *err);

/* ---- film.c ------------------------------------------------------------------------------- */

/* The film frame by frame: FOLDER/000000.png, 000001.png, ...; `shown` gives which of p->frame each
 * of them shows, in rising order, and one picture is drawn for each. */
typedef struct plot_film {
    const char *folder;
    const int *shown; /* [count] index into p->frame */
    int count;
    withy_progress progress; /* may be NULL */
    void *context;
} plot_film;

withy_status plot_film_draw(plot *p, const plot_film *film, withy_error *err);
void plot_film_name(const plot_film *film, int k, char *path, size_t size);
