/* look.c - one look for all pictures, light and dark: what a panel draws with has a name here.
 *
 * The names are variables of gnuplot, set at the head of every program: "lc rgb edge".  Light on dark the colours
 * are lighter, in the order of the same names, and the palette begins where it is bright enough.
 */
#include "plot/plot.h"

static const struct {
    const char *name, *light, *dark;
} ink[] = {
    {"paper", "#ffffff", "#14181d"},
    {"ink", "#111111", "#f2f5f8"},
    {"words", "#333333", "#c9d1d9"},
    {"soft", "#6b6b6b", "#9aa5b1"},
    {"edge", "#555555", "#8b96a1"},
    {"rule", "#e2e2e2", "#2b333b"},
    {"faint", "#e8e8e8", "#272e35"},
    {"ghost", "#d3d3d3", "#39434e"},
    {"grey", "#999999", "#7d8894"},
    {"box", "#aaaaaa", "#5a6570"},
    {"mark", "#b3261e", "#ff8a80"},
    {"newest", "#c2c92b", "#fde725"},
    {"middling", "#1f9e89", "#2fb5ab"},
    /* Okabe and Ito, distinguishable with any colour vision; in the dark as light as the paper needs */
    {"ink0", "#0072b2", "#5fb8dd"},
    {"ink1", "#d55e00", "#f0955c"},
    {"ink2", "#009e73", "#4fd1a5"},
    {"ink3", "#cc79a7", "#e6a3cb"},
    {"ink4", "#56b4e9", "#a9c7ff"},
    {"ink5", "#8c6d31", "#c9a86a"},
    {"ink6", "#e69f00", "#f7d154"},
    {"ink7", "#555555", "#b5bec7"},
};

const char *const plot_colour[PLOT_COLOURS] = {"ink0", "ink1", "ink2", "ink3",
                                               "ink4", "ink5", "ink6", "ink7"};

/* viridis without its last tenth, too light for thin lines on white, or lifted off the dark paper */
static const char *const palette[] = {
    "(0 '#440154', 1 '#482878', 2 '#3e4a89', 3 '#31688e', 4 '#26828e', "
    "5 '#1f9e89', 6 '#35b779', 7 '#6dcd59', 8 '#9fd038', 9 '#c2c92b')",
    "(0 '#8a63c9', 1 '#6b7ed6', 2 '#4c9bcb', 3 '#2fb5ab', 4 '#4cc98a', "
    "5 '#86d95a', 6 '#c4e03a', 7 '#fde725')"};

static const char style[] =
    "set encoding utf8\n"
    "set border 3 lw 0.8 lc rgb edge\n"
    "set tics nomirror out scale 0.5 textcolor rgb words\n"
    "set grid lw 0.6 lt 1 lc rgb rule\n"
    "set key above left horizontal Left reverse samplen 1.6 width 1 font ',11' noenhanced "
    "textcolor rgb words\n"
    "set xlabel '' textcolor rgb words\nset ylabel '' textcolor rgb words\n"
    "set cblabel '' textcolor rgb words\nset title '' textcolor rgb words\n"
    "set style line 99 lt 1 lw 0.6 lc rgb edge\nset colorbox border 99\n"
    "set cbtics nomirror scale 0.4 font ',11' textcolor rgb words\n";

const char *plot_paper(const plot *p) {
    return p->request.dark ? ink[0].dark : ink[0].light;
}

void plot_look(plot *p) {
    for (size_t i = 0; i < sizeof ink / sizeof *ink; i++)
        fprintf(p->out, "%s = '%s'\n", ink[i].name, p->request.dark ? ink[i].dark : ink[i].light);
    fprintf(p->out, "%sset palette defined %s\n", style, palette[p->request.dark != 0]);
}

/* Two lines at the top of the page: what it is, and in small letters how it was made. */
void plot_heading(plot *p, const char *title, const char *how) {
    const double height = 1 - 34.0 / p->height;
    fprintf(p->out, "set label 1 ");
    gnuplot_text(p->out, title);
    fprintf(p->out,
            " at screen 0.025,%.4f left font ',18' noenhanced front tc rgb ink\nset label 2 ",
            height);
    gnuplot_text(p->out, how);
    fprintf(p->out, " at screen 0.975,%.4f right font ',10' tc rgb soft noenhanced front\n",
            height);
}

/* The page below the heading. */
plot_box plot_page(const plot *p) {
    return (plot_box){0.005, 0.005, 0.985, 1 - 66.0 / p->height};
}

/* Rows and columns in a box, filled from the top left. */
plot_box plot_cell(plot_box box, int columns, int rows, int index) {
    const double width = box.width / columns, height = box.height / rows;
    const int row = index / columns, column = index % columns;
    return (plot_box){box.x + column * width, box.y + (rows - 1 - row) * height, width, height};
}
