/* spectrum.c - spectrum of a probe: amplitudes over frequency, partials marked with their
 * distance from theory. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plot/plot.h"

enum { PARTIALS = 10, POINTS = 6000 };

static const double FLOOR_DB = -100;

typedef struct sound {
    withy_result_probe probe;
    int64_t count;
    double interval;
    int component;
    double *t, *value, *x, *amplitude;
} sound;

static withy_status fail(withy_error *err, withy_status code, const char *what, const char *name) {
    err->code = code;
    snprintf(err->text, sizeof err->text, "--spectrum %s: %s", name, what);
    return code;
}

/* ---- reading --------------------------------------------------------------------------------- */

static double variance(const sound *s, int c) {
    double mean = 0, sum = 0;
    for (int64_t k = 0; k < s->count; k++) mean += s->value[k * s->probe.size + c];
    mean /= (double)s->count;
    for (int64_t k = 0; k < s->count; k++) {
        const double x = s->value[k * s->probe.size + c] - mean;
        sum += x * x;
    }
    return sum;
}

static withy_status read_sound(plot *p, const char *name, sound *s, withy_error *err) {
    int index = 0, found = 0;
    if (!plot_is_timed(p))
        return fail(err, WITHY_BAD_INPUT, "only a run in time has a spectrum, not this result",
                    name);
    for (; withy_result_probe_at(p->result, index, &s->probe); index++)
        if ((found = strcmp(s->probe.name, name) == 0)) break;
    if (!found) return fail(err, WITHY_BAD_INPUT, "there is no such probe in the result", name);
    s->count = s->probe.count;
    const size_t count = (size_t)s->count + 1;
    s->t = calloc(count, sizeof *s->t), s->x = calloc(count, sizeof *s->x);
    s->value = calloc(count * (size_t)s->probe.size, sizeof *s->value);
    s->amplitude = calloc(count, sizeof *s->amplitude);
    if (!s->t || !s->x || !s->value || !s->amplitude)
        return fail(err, WITHY_NO_MEMORY, "memory ran out", name);
    const withy_status status = withy_result_probe_read(p->result, index, s->t, s->value, err);
    if (status != WITHY_OK) return status;
    if (s->count < 32) return fail(err, WITHY_BAD_INPUT, "fewer than 32 samples", name);
    s->interval = (s->t[s->count - 1] - s->t[0]) / (double)(s->count - 1);
    for (int c = 1; c < s->probe.size; c++)
        if (variance(s, c) > variance(s, s->component)) s->component = c;
    for (int64_t k = 0; k < s->count; k++) s->x[k] = s->value[k * s->probe.size + s->component];
    return withy_spectrum(s->count, s->x, s->interval, s->amplitude, err);
}

static void drop_sound(sound *s) {
    free(s->t), free(s->x), free(s->value), free(s->amplitude);
}

/* ---- theory ---------------------------------------------------------------------------------- */

/* Frequencies of the probe's rod, from the scene in the result; returns how many. */
static int theory(plot *p, const sound *s, double *frequency) {
    const char *text = withy_result_text(p->result, "scene");
    withy_error err = {0};
    withy_scene *scene = NULL;
    int count = 0;
    if (withy_scene_read_text(text, strlen(text), "scene", NULL, 0, &scene, &err) != WITHY_OK)
        return 0;
    const withy_rod *rod = &withy_scene_problem(scene)->rod[s->probe.rod];
    /* the rod lies along one axis of the laboratory; which of d1, d2 is the probe's component? */
    const withy_vec3 d1 = rod->initial.normal;
    const double along = s->component == 0 ? d1.x : s->component == 1 ? d1.y : d1.z;
    const int axis = fabs(along) > 0.5 ? 1 : 2;
    while (count < PARTIALS &&
           withy_partial_theory(rod, count + 1, axis, &frequency[count], &err) == WITHY_OK)
        count++;
    withy_scene_destroy(scene);
    return count;
}

/* ---- drawing --------------------------------------------------------------------------------- */

static double decibel(double amplitude, double most) {
    const double db = 20 * log10(amplitude / most + 1e-30);
    return db > FLOOR_DB ? db : FLOOR_DB;
}

/* The highest of each bunch of bins, so that no peak is lost. */
static void put_spectrum(plot *p, const sound *s, double most, double top) {
    const double bin = 1 / (s->interval * (double)s->count);
    const int64_t last = (int64_t)(top / bin) < s->count / 2 ? (int64_t)(top / bin) : s->count / 2;
    const int64_t bunch = last / POINTS + 1;
    fprintf(p->out, "$spectrum << EOD\n");
    for (int64_t k = 1; k <= last; k += bunch) {
        double high = 0;
        for (int64_t i = k; i < k + bunch && i <= last; i++) high = fmax(high, s->amplitude[i]);
        fprintf(p->out, "%.7g %.4g\n", (double)k * bin, decibel(high, most));
    }
    fprintf(p->out, "EOD\n");
}

/* A mark per partial: "440.0 Hz" and its distance from theory. */
static int put_partials(plot *p, const sound *s, const double *requested, int count, double most) {
    int found = 0;
    fprintf(p->out, "$partials << EOD\n");
    for (int i = 0; i < count; i++) {
        const double reach =
            i + 1 < count ? 0.3 * (requested[i + 1] - requested[i]) : 0.05 * requested[i];
        withy_partial got;
        withy_error err = {0};
        if (withy_partial_between(s->count, s->x, s->interval, requested[i] - reach,
                                  requested[i] + reach, &got, &err) != WITHY_OK)
            continue;
        const double level = decibel(got.amplitude, most);
        if (level < FLOOR_DB + 10) continue;
        fprintf(p->out, "%.7g %.4g \"%.2f Hz\" \"%+.2f cent\"\n", got.frequency, level,
                got.frequency, withy_cents(got.frequency, requested[i]));
        found++;
    }
    fprintf(p->out, "EOD\n");
    return found;
}

static void put_panel(plot *p, plot_box box, const sound *s, const double *requested, int count) {
    double most = 0, top = 0.5 / s->interval;
    for (int64_t k = 1; k <= s->count / 2; k++) most = fmax(most, s->amplitude[k]);
    if (count > 0 && top > 1.12 * requested[count - 1]) top = 1.12 * requested[count - 1];
    put_spectrum(p, s, most, top);
    const int found = put_partials(p, s, requested, count, most);
    plot_place(p, box);
    fprintf(p->out, "set grid lw 0.6 lt 1 lc rgb rule\nset border 3 lw 0.8 lc rgb edge\n"
                    "set xlabel 'frequency [Hz]'\nset ylabel ");
    char text[160];
    snprintf(text, sizeof text, "%.64s: %.32s %s [dB]", s->probe.name, s->probe.what,
             plot_component(s->probe.what, s->component));
    gnuplot_text(p->out, text);
    fprintf(p->out,
            " noenhanced\nset xrange [0:%.7g]\nset yrange [%g:45]\nset ytics -100,20,0\n"
            "plot $spectrum using 1:2 with lines lw 1.2 lc rgb %s title 'spectrum'",
            top, FLOOR_DB, plot_colour[0]);
    if (found)
        fprintf(p->out,
                ", \\\n  $partials using 1:2 with points pt 7 ps 0.7 lc rgb %s title 'partials, "
                "and their distance from theory', \\\n"
                "  $partials using 1:($2 + 3):3 with labels rotate by 60 left font ',10' textcolor "
                "rgb words notitle, \\\n"
                "  $partials using 1:($2 + 3):4 with labels rotate by 60 left offset 1.6,-0.4 font "
                "',10' textcolor rgb %s notitle",
                plot_colour[1], plot_colour[1]);
    fprintf(p->out, "\n");
    plot_plain(p);
}

static withy_status draw_spectrum(plot *p, plot_box box, int which, withy_error *err) {
    sound s = {0};
    double requested[PARTIALS];
    const withy_status status = read_sound(p, p->request.spectrum.item[which], &s, err);
    if (status == WITHY_OK) put_panel(p, box, &s, requested, theory(p, &s, requested));
    drop_sound(&s);
    return status;
}

int plot_add_spectra(plot *p, plot_panel *panel, int count) {
    for (int i = 0; i < p->request.spectrum.count && count < PLOT_PANELS; i++)
        panel[count++] = (plot_panel){draw_spectrum, i, 0};
    return count;
}
