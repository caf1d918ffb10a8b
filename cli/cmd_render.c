/* cmd_render.c - withy render: a film of a result; gnuplot draws its pictures, ffmpeg joins them. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "plot/plot.h"

enum { FRAMES_MOST = 20000, PICTURES_MOST = 4000 }; /* of the film; of different snapshots */
/* In a folder of our own: the pictures as ffmpeg counts them, and the film. */
#define PICTURES "%06d.png"
#define FILM "film"
static const double SHORT = 4, LONG = 20; /* a film without --seconds [s] */

typedef struct arguments {
    const char *output, *fps, *seconds, *plane, *size;
    double rate, duration; /* duration 0: chosen */
    plot_request request;
    int json, quiet;
} arguments;

static int usage_error(const char *option, const char *value, const char *allowed) {
    cli_warn("withy: --%s %s: %s\n", option, value, allowed);
    return CLI_USAGE;
}

/* ---- arguments --------------------------------------------------------------------------------- */

static const char *ending_of(const char *path) {
    const char *dot = strrchr(path, '.');
    return dot && (strcmp(dot, ".mp4") == 0 || strcmp(dot, ".gif") == 0) && dot > path ? dot + 1
                                                                                       : NULL;
}

static int read_number(const char *option, const char *text, double least, double most,
                       double *number) {
    char *end, allowed[80];
    if (!text) return -1;
    *number = strtod(text, &end);
    if (end != text && !*end && *number >= least && *number <= most) return -1;
    snprintf(allowed, sizeof allowed, "must be a number from %g to %g", least, most);
    return usage_error(option, text, allowed);
}

static int read_arguments(arguments *a) {
    a->rate = 25, a->duration = 0;
    if (!a->output) {
        cli_warn("withy: give the name of the film: -o FILE.mp4 or -o FILE.gif\n");
        return CLI_USAGE;
    }
    if (!ending_of(a->output))
        return usage_error("output", a->output, "the name of a film ends with .mp4 or .gif");
    int status = read_number("fps", a->fps, 1, 120, &a->rate);
    if (status < 0) status = read_number("seconds", a->seconds, 0.1, 3600, &a->duration);
    if (status < 0 && a->duration * a->rate > FRAMES_MOST) {
        cli_warn("withy: --seconds %g at %g pictures a second is more than %d pictures\n",
                 a->duration, a->rate, FRAMES_MOST);
        status = CLI_USAGE;
    }
    if (status < 0) status = plot_read_plane(a->plane, &a->request);
    if (status < 0) status = plot_read_size(a->size, &a->request);
    return status;
}

static int has_programs(void) {
    static const struct {
        const char *name, *package;
    } needed[] = {{"ffmpeg", "ffmpeg"}, {"gnuplot", "gnuplot-nox"}};
    char file[4096];
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
        if (!process_find(needed[i].name, file, sizeof file)) {
            cli_warn("withy: films are made by %s, which is not installed: sudo apt-get install "
                     "%s\n",
                     needed[i].name, needed[i].package);
            return 0;
        }
    return 1;
}

/* ---- which snapshot when ------------------------------------------------------------------------ */

/* In real time, but within the limits of 4 s and 20 s. */
static void choose_duration(const plot *p, arguments *a) {
    const double span = p->time[p->frame[p->frame_count - 1]] - p->time[p->frame[0]];
    if (a->duration == 0) a->duration = fmin(LONG, fmax(SHORT, span));
    if (p->frame_count == 1) a->duration = 1 / a->rate;
}

/* For each picture, the latest snapshot not after its time. */
static int *choose_shown(const plot *p, int count) {
    int *shown = calloc((size_t)count, sizeof *shown);
    const double first = p->time[p->frame[0]];
    const double span = p->time[p->frame[p->frame_count - 1]] - first;
    for (int k = 0, f = 0; shown && k < count; k++) {
        const double t = first + span * (count > 1 ? k / (double)(count - 1) : 0);
        while (f + 1 < p->frame_count && p->time[p->frame[f + 1]] <= t + 1e-9 * span) f++;
        shown[k] = f;
    }
    return shown;
}

static void choose_size(plot *p) {
    const double aspect = plot_view_aspect(p);
    if (p->request.width == 0) {
        p->request.height = aspect > 2.4 ? 540 : 720;
        p->request.width = aspect > 1.3 ? 1280 : aspect > 0.7 ? 960 : 720;
    }
    p->width = p->request.width, p->height = p->request.height;
}

/* ---- ffmpeg ------------------------------------------------------------------------------------ */

/* ffmpeg runs in the folder of the pictures and gets only the names in it; the film is copied from
 * there. */
static int join(const arguments *a, const char *folder) {
    char rate[32];
    const int gif = strcmp(ending_of(a->output), "gif") == 0;
    snprintf(rate, sizeof rate, "%g", a->rate);
    /* H.264 needs even sizes; a GIF needs its own palette */
    const char *filter = gif ? "split[a][b];[a]palettegen=stats_mode=diff[p];[b][p]paletteuse"
                             : "scale=trunc(iw/2)*2:trunc(ih/2)*2";
    const char *const mp4[] = {
        "ffmpeg",  "-nostdin",  "-loglevel",  "error", "-y",      "-framerate", rate, "-i",
        PICTURES,  "-vf",       filter,       "-c:v",  "libx264", "-crf",       "20", "-pix_fmt",
        "yuv420p", "-movflags", "+faststart", "-f",    "mp4",     FILM,         NULL};
    const char *const moving[] = {"ffmpeg",     "-nostdin", "-loglevel", "error",  "-y",
                                  "-framerate", rate,       "-i",        PICTURES, "-lavfi",
                                  filter,       "-f",       "gif",       FILM,     NULL};
    process ffmpeg;
    const process_setup setup = {gif ? moving : mp4, folder, -1, 0};
    return process_start(&ffmpeg, &setup) && process_end(&ffmpeg);
}

static int cannot_write(const char *path, const char *why) {
    cli_warn("withy: %s: the film cannot be written: %s\n", path, why);
    return CLI_FAILED;
}

/* ffmpeg succeeds also when the disk was full.  A GIF ends with a semicolon; an MP4 is a row of boxes, each with
 * its length, that end where the file ends, and one of them is the table of the pictures. */
static int is_complete(FILE *film, int gif) {
    unsigned char head[16];
    if (fseek(film, 0, SEEK_END) != 0) return 0;
    const long size = ftell(film);
    if (gif) return size > 0 && fseek(film, -1, SEEK_END) == 0 && fgetc(film) == ';';
    int tables = 0;
    long at = 0;
    while (at + 8 <= size && fseek(film, at, SEEK_SET) == 0) {
        uint64_t length = 0;
        const size_t got = fread(head, 1, sizeof head, film);
        for (int i = 0; i < 4; i++) length = length << 8 | head[i];
        if (length == 1 && got == sizeof head) /* it is long, and its length follows */
            for (int i = 8; i < 16; i++) length = (i == 8 ? 0 : length << 8) | head[i];
        tables += memcmp(head + 4, "moov", 4) == 0;
        if (length < 8 || length > (uint64_t)(size - at)) return 0;
        at += (long)length;
    }
    return at == size && tables == 1;
}

static int keep_film(const arguments *a, const char *folder, wy_atomic_file *target) {
    char film[4200];
    snprintf(film, sizeof film, "%s/" FILM, folder);
    if (!join(a, folder)) return cannot_write(a->output, "ffmpeg failed (its message is above)");
    if (!whole_copy(target, film)) return cannot_write(a->output, strerror(errno));
    if (!is_complete(target->stream, strcmp(ending_of(a->output), "gif") == 0))
        return cannot_write(a->output, "it was cut short; is a disk full?");
    const int code = wy_atomic_file_keep(target);
    return code ? cannot_write(a->output, strerror(code)) : CLI_OK;
}

/* ---- the film ---------------------------------------------------------------------------------- */

static void report(const plot *p, const arguments *a, const char *input, int count) {
    const double first = p->time[p->frame[0]], last = p->time[p->frame[p->frame_count - 1]];
    if (a->json) {
        cli_json json = {0};
        json_open(&json, NULL, '{');
        json_text(&json, "result", input);
        json_text(&json, "film", a->output);
        json_whole(&json, "pictures", count);
        json_number(&json, "fps", a->rate);
        json_number(&json, "seconds", count / a->rate);
        json_number(&json, "from", first);
        json_number(&json, "to", last);
        json_close(&json, '}');
    } else if (!a->quiet) {
        cli_print("%s: t = %.4g ... %.4g s as a film of %.3g s, %d pictures, in %s\n", input, first,
                  last, count / a->rate, count, a->output);
    }
}

static int make_film(plot *p, const arguments *a, const char *input, wy_atomic_file *target) {
    wy_temporary_folder folder = {0};
    const int count = (int)fmin(FRAMES_MOST, fmax(1, round(a->duration * a->rate)));
    int *shown = choose_shown(p, count);
    if (!shown) return cannot_write(a->output, "memory ran out");
    if (process_folder(&folder) != 0) return free(shown), CLI_FAILED;
    withy_error err = {0};
    cli_progress progress = cli_progress_start(a->json || a->quiet);
    const plot_film film = {folder.path, shown, count, cli_progress_step, &progress};
    const withy_status drawn = plot_film_draw(p, &film, &err);
    cli_progress_end(&progress);
    const int status = drawn == WITHY_OK ? keep_film(a, folder.path, target) : cli_error(&err);
    if (status == CLI_OK) report(p, a, input, count);
    wy_temporary_folder_close(&folder);
    free(shown);
    return status;
}

/* The output file is opened first: otherwise an error would appear only after everything is drawn. */
static int render(const char *input, arguments *a) {
    withy_error err = {0};
    a->request.count = PICTURES_MOST;
    a->request.from = -1e300, a->request.to = -2e300;
    plot p = {.request = a->request};
    wy_atomic_file target = {0};
    int status = CLI_OK, code;
    if (plot_open(&p, input, &err) != WITHY_OK) {
        status = cli_error(&err);
    } else if ((code = whole_begin(&target, a->output))) {
        status = cannot_write(a->output, strerror(code));
    } else {
        choose_duration(&p, a);
        choose_size(&p);
        status = make_film(&p, a, input, &target);
    }
    wy_atomic_file_drop(&target);
    plot_close(&p);
    return status;
}

int cmd_render(int argc, char **argv) {
    arguments a = {0};
    const cli_option option[] = {
        {"output", 'o', "FILE", "the film, .mp4 or .gif", .text = &a.output},
        {"fps", 0, "N", "frames per second; default 25", .text = &a.fps},
        {"seconds", 0, "S", "length of the film; default: real time, but 4 s to 20 s",
         .text = &a.seconds},
        {"plane", 0, "xy|xz|yz|3d", "the view; default: the plane of the motion, or 3d",
         .text = &a.plane},
        {"size", 0, "WxH", "of the film in pixels", .text = &a.size},
        {"dark", 0, NULL, "light on dark", .flag = &a.request.dark},
        {"json", 0, NULL, "print one JSON object", .flag = &a.json},
        {"quiet", 'q', NULL, "print nothing but errors", .flag = &a.quiet},
        {0}};
    const cli_usage usage = {
        "withy render FILE.h5 -o FILE.mp4|FILE.gif [options]",
        "Make a film of a result: the moving rods, the first shape dashed, the path of the far "
        "end.\ngnuplot draws the frames, ffmpeg joins them.",
        "  withy run falling_rod -o fall.h5 && withy render fall.h5 -o fall.mp4\n"
        "  withy render fall.h5 -o fall.gif --seconds 8 --fps 15 --size 640x480",
        option};
    cli_list rest;
    const char *input;
    int status = cli_parse(argc, argv, &usage, &rest);
    if (status >= 0) return status;
    if ((status = cli_one(&usage, &rest, "result", &input)) >= 0) return status;
    if ((status = read_arguments(&a)) >= 0) return status;
    if (!has_programs()) return CLI_USAGE;
    if ((status = whole_apart(a.output, input)) >= 0) return status;
    return render(input, &a);
}
