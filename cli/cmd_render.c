/* cmd_render.c - withy render: a picture or a film of a result, shaded (cli/shade) or drawn by gnuplot (cli/plot). */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "plot/plot.h"
#include "shade/shade.h"

enum { FRAMES_MOST = 20000, PICTURES_MOST = 4000 }; /* of the film; of different snapshots */
/* In a folder of our own: the pictures as ffmpeg counts them, and the film. */
#define PICTURES "%06d.png"
#define FILM "film"
static const double SHORT = 4, LONG = 20; /* a film without --seconds [s] */

typedef struct arguments {
    const char *output, *fps, *seconds, *plane, *size, *camera, *look_at, *orbit, *at;
    double rate, duration; /* duration 0: chosen */
    double turn, moment;   /* --orbit [rad]; --at */
    plot_request request;
    shade_view view;
    int flat, transparent, json, quiet;
} arguments;

static int usage_error(const char *option, const char *value, const char *allowed) {
    cli_warn("withy: --%s %s: %s\n", option, value, allowed);
    return CLI_USAGE;
}

/* ---- arguments --------------------------------------------------------------------------------- */

typedef enum ending { MP4, GIF, PNG, OTHER } ending;

static ending ending_of(const char *path) {
    static const char *const known[] = {".mp4", ".gif", ".png"};
    const char *dot = strrchr(path, '.');
    for (int i = 0; dot && dot > path && i < OTHER; i++)
        if (strcmp(dot, known[i]) == 0) return (ending)i;
    return OTHER;
}

static const char *noun_of(const arguments *a) {
    return ending_of(a->output) == PNG ? "picture" : "film";
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

static int read_place(const char *option, const char *text, shade_vec *place) {
    char more;
    if (!text) return -1;
    if (sscanf(text, "%lf,%lf,%lf%c", &place->x, &place->y, &place->z, &more) == 3 &&
        isfinite(place->x) && isfinite(place->y) && isfinite(place->z))
        return -1;
    return usage_error(option, text, "must be a place: X,Y,Z in the units of the scene");
}

/* What only one of the two ways of drawing can do. */
static int check_way(arguments *a) {
    const struct {
        const char *name, *given;
    } own[] = {{"camera", a->camera},
               {"look-at", a->look_at},
               {"orbit", a->orbit},
               {"transparent", a->transparent ? "" : NULL},
               {"output", ending_of(a->output) == PNG ? a->output : NULL}};
    const int chosen = a->flat || a->plane != NULL;
    a->flat = chosen || !shade_is_built();
    for (size_t i = 0; a->flat && i < sizeof own / sizeof *own; i++)
        if (own[i].given) {
            cli_warn("withy: --%s %s: only shaded pictures have that; %s\n", own[i].name,
                     own[i].given,
                     chosen ? "leave out --flat and --plane"
                            : "withy was built without Embree: install libembree-dev and build "
                              "again, or use withy view");
            return CLI_USAGE;
        }
    if (a->transparent && ending_of(a->output) != PNG)
        return usage_error("transparent", "", "only a picture, -o FILE.png, can be transparent");
    if (a->at && ending_of(a->output) != PNG)
        return usage_error("at", a->at, "only a picture, -o FILE.png, is of one moment");
    if (!a->look_at != !a->camera)
        return usage_error(a->camera ? "camera" : "look-at", a->camera ? a->camera : a->look_at,
                           "give both --camera and --look-at");
    return -1;
}

static int read_view(arguments *a) {
    shade_view *v = &a->view;
    int status = read_place("camera", a->camera, &v->from);
    if (status < 0) status = read_place("look-at", a->look_at, &v->at);
    if (status < 0) status = read_number("orbit", a->orbit, -36000, 36000, &a->turn);
    if (status < 0) status = read_number("at", a->at, -1e300, 1e300, &a->moment);
    a->turn *= 3.14159265358979323846 / 180;
    if (status < 0 && a->camera && v->from.x == v->at.x && v->from.y == v->at.y &&
        v->from.z == v->at.z)
        return usage_error("camera", a->camera, "is the place that it looks at");
    return status < 0 ? check_way(a) : status;
}

static int read_arguments(arguments *a) {
    a->rate = 25, a->duration = 0;
    if (!a->output) {
        cli_warn("withy: give the name of the film or picture: -o FILE.mp4, -o FILE.gif or -o "
                 "FILE.png\n");
        return CLI_USAGE;
    }
    if (ending_of(a->output) == OTHER)
        return usage_error(
            "output", a->output,
            "the name of a film ends with .mp4 or .gif, that of a picture with .png");
    int status = read_number("fps", a->fps, 1, 120, &a->rate);
    if (status < 0) status = read_number("seconds", a->seconds, 0.1, 3600, &a->duration);
    if (status < 0 && a->duration * a->rate > FRAMES_MOST) {
        cli_warn("withy: --seconds %g at %g pictures a second is more than %d pictures\n",
                 a->duration, a->rate, FRAMES_MOST);
        status = CLI_USAGE;
    }
    if (status < 0) status = plot_read_plane(a->plane, &a->request);
    if (status < 0) status = plot_read_size(a->size, &a->request);
    return status < 0 ? read_view(a) : status;
}

static int has_programs(int flat) {
    static const struct {
        const char *name, *package;
    } needed[] = {{"ffmpeg", "ffmpeg"}, {"gnuplot", "gnuplot-nox"}};
    char file[4096];
    for (int i = 0; i < 1 + flat; i++)
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
    const int gif = ending_of(a->output) == GIF;
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
    cli_warn("withy: %s: cannot be written: %s\n", path, why);
    return CLI_FAILED;
}

/* ffmpeg succeeds also when the disk was full.  A GIF ends with a semicolon, a PNG with IEND; an MP4 is a row of boxes,
 * each with its length, that end where the file ends, and one of them is the table of the pictures. */
static int is_complete(const wy_atomic_file *target, ending kind) {
    FILE *film = target->stream;
    unsigned char head[16];
    if (fseek(film, 0, SEEK_END) != 0) return 0;
    const long size = ftell(film);
    if (kind == PNG) return whole_ends(target, "IEND");
    if (kind == GIF) return size > 0 && fseek(film, -1, SEEK_END) == 0 && fgetc(film) == ';';
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
    if (!whole_copy(target, film)) return cannot_write(a->output, strerror(errno));
    if (!is_complete(target, ending_of(a->output)))
        return cannot_write(a->output, "it was cut short; is a disk full?");
    const int code = wy_atomic_file_keep(target);
    return code ? cannot_write(a->output, strerror(code)) : CLI_OK;
}

/* ---- the film ---------------------------------------------------------------------------------- */

static void report(const plot *p, const arguments *a, const char *input, const int *shown,
                   int count) {
    const double first = p->time[p->frame[shown[0]]], last = p->time[p->frame[shown[count - 1]]];
    if (a->json) {
        cli_json json = {0};
        json_open(&json, NULL, '{');
        json_text(&json, "result", input);
        json_text(&json, noun_of(a), a->output);
        json_whole(&json, "pictures", count);
        json_number(&json, "fps", a->rate);
        json_number(&json, "seconds", count / a->rate);
        json_number(&json, "from", first);
        json_number(&json, "to", last);
        json_close(&json, '}');
    } else if (!a->quiet && ending_of(a->output) == PNG) {
        cli_print("%s: t = %.4g s in %s\n", input, last, a->output);
    } else if (!a->quiet) {
        cli_print("%s: t = %.4g ... %.4g s as a film of %.3g s, %d pictures, in %s\n", input, first,
                  last, count / a->rate, count, a->output);
    }
}

/* A film drawn by gnuplot. */
static int draw_flat(plot *p, const arguments *a, const int *shown, int count, const char *folder,
                     cli_progress *progress) {
    withy_error err = {0};
    const plot_film film = {folder, shown, count, cli_progress_step, progress};
    choose_size(p);
    if (plot_film_draw(p, &film, &err) != WITHY_OK) return cli_error(&err);
    return join(a, folder) ? CLI_OK
                           : cannot_write(a->output, "ffmpeg failed (its message is above)");
}

/* What reads our pictures, and writes FILM. */
static void stream_arguments(const arguments *a, const char *size, const char *rate,
                             const char **argument) {
    static const char *const made[OTHER][12] = {
        [MP4] = {"-vf", "scale=trunc(iw/2)*2:trunc(ih/2)*2", "-c:v", "libx264", "-crf", "18",
                 "-pix_fmt", "yuv420p", "-movflags", "+faststart", "-f", "mp4"},
        [GIF] = {"-lavfi", "split[a][b];[a]palettegen=stats_mode=diff[p];[b][p]paletteuse", "-f",
                 "gif"},
        [PNG] = {"-frames:v", "1", "-c:v", "png", "-f", "image2", "-update", "1"}};
    const char *const from[] = {"ffmpeg", "-nostdin",   "-loglevel", "error", "-y",
                                "-f",     "rawvideo",   "-pix_fmt",  "rgba",  "-s",
                                size,     "-framerate", rate,        "-i",    "-"};
    int n = 0;
    for (size_t i = 0; i < sizeof from / sizeof *from; i++) argument[n++] = from[i];
    for (int i = 0; i < 12 && made[ending_of(a->output)][i]; i++)
        argument[n++] = made[ending_of(a->output)][i];
    argument[n++] = FILM, argument[n] = NULL;
}

static void choose_view(const plot *p, const arguments *a, shade_view *view) {
    const int picture = ending_of(a->output) == PNG;
    *view = a->view;
    view->width = p->request.width ? p->request.width : picture ? 1600 : 1280;
    view->height = p->request.height ? p->request.height : picture ? 1000 : 720;
    view->dark = a->request.dark, view->transparent = a->transparent;
    view->samples = picture ? 4 : 2, view->soft = picture;
}

static int draw_shaded(plot *p, const arguments *a, const int *shown, int count, const char *folder,
                       cli_progress *progress) {
    withy_error err = {0};
    const char *argument[40];
    char size[32], rate[32];
    shade_view view;
    int64_t *snapshot = calloc((size_t)count, sizeof *snapshot);
    if (!snapshot) return cannot_write(a->output, "memory ran out");
    for (int k = 0; k < count; k++) snapshot[k] = p->frame[shown[k]];
    choose_view(p, a, &view);
    snprintf(size, sizeof size, "%dx%d", view.width, view.height);
    snprintf(rate, sizeof rate, "%g", a->rate);
    stream_arguments(a, size, rate, argument);
    const shade_film film = {p->result, snapshot,          count,   a->turn, argument,
                             folder,    cli_progress_step, progress};
    const withy_status status = shade_film_draw(&film, view, &err);
    free(snapshot);
    return status == WITHY_OK ? CLI_OK : cli_error(&err);
}

/* Which of p->frame a picture shows: the last, or the one nearest to --at. */
static int *choose_moment(const plot *p, const arguments *a) {
    int *shown = calloc(1, sizeof *shown);
    if (shown) shown[0] = p->frame_count - 1;
    for (int f = p->frame_count - 1; shown && a->at && f >= 0; f--)
        if (fabs(p->time[p->frame[f]] - a->moment) <= fabs(p->time[p->frame[shown[0]]] - a->moment))
            shown[0] = f;
    return shown;
}

static int make_film(plot *p, const arguments *a, const char *input, wy_atomic_file *target) {
    wy_temporary_folder folder = {0};
    const int picture = ending_of(a->output) == PNG;
    const int count = picture ? 1 : (int)fmin(FRAMES_MOST, fmax(1, round(a->duration * a->rate)));
    int *shown = picture ? choose_moment(p, a) : choose_shown(p, count);
    if (!shown) return cannot_write(a->output, "memory ran out");
    if (process_folder(&folder) != 0) return free(shown), CLI_FAILED;
    cli_progress progress = cli_progress_start(a->json || a->quiet);
    int status = (a->flat ? draw_flat : draw_shaded)(p, a, shown, count, folder.path, &progress);
    cli_progress_end(&progress);
    if (status == CLI_OK) status = keep_film(a, folder.path, target);
    if (status == CLI_OK) report(p, a, input, shown, count);
    wy_temporary_folder_close(&folder);
    free(shown);
    return status;
}

/* A picture of another time would look like the answer. */
static int check_moment(const plot *p, const arguments *a) {
    const double first = p->time[p->frame[0]], last = p->time[p->frame[p->frame_count - 1]];
    const double slack = 1e-9 * fmax(fabs(first), fabs(last));
    if (!a->at ||
        (a->moment >= fmin(first, last) - slack && a->moment <= fmax(first, last) + slack))
        return -1;
    cli_warn("withy: --at %s: the result holds nothing there; it is from %.9g to %.9g\n", a->at,
             first, last);
    return CLI_USAGE;
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
    } else if ((status = check_moment(&p, a)) >= 0) {
        /* said */
    } else if ((code = whole_begin(&target, a->output))) {
        status = cannot_write(a->output, strerror(code));
    } else {
        choose_duration(&p, a);
        status = make_film(&p, a, input, &target);
    }
    wy_atomic_file_drop(&target);
    plot_close(&p);
    return status;
}

int cmd_render(int argc, char **argv) {
    arguments a = {0};
    const cli_option option[] = {
        {"output", 'o', "FILE", "the film, .mp4 or .gif, or a picture, .png", .text = &a.output},
        {"fps", 0, "N", "frames per second; default 25", .text = &a.fps},
        {"seconds", 0, "S", "length of the film; default: real time, but 4 s to 20 s",
         .text = &a.seconds},
        {"at", 0, "T", "a picture of this time (or load factor); default: the last", .text = &a.at},
        {"camera", 0, "X,Y,Z", "where the camera is; default: all is seen", .text = &a.camera},
        {"look-at", 0, "X,Y,Z", "what it looks at", .text = &a.look_at},
        {"orbit", 0, "DEGREES", "the camera goes round the vertical by so much", .text = &a.orbit},
        {"transparent", 0, NULL, "a picture without a background", .flag = &a.transparent},
        {"flat", 0, NULL, "drawn by gnuplot, with axes, instead of shaded", .flag = &a.flat},
        {"plane", 0, "xy|xz|yz|3d", "the view of --flat; default: the plane of the motion, or 3d",
         .text = &a.plane},
        {"size", 0, "WxH", "of the film in pixels", .text = &a.size},
        {"dark", 0, NULL, "light on dark", .flag = &a.request.dark},
        {"json", 0, NULL, "print one JSON object", .flag = &a.json},
        {"quiet", 'q', NULL, "print nothing but errors", .flag = &a.quiet},
        {0}};
    const cli_usage usage = {
        "withy render FILE.h5 -o FILE.mp4|FILE.gif|FILE.png [options]",
        "Make a film or a picture of a result, with light and shadows; with --flat the shapes as "
        "lines,\nwith axes, the first shape dashed and the path of the far end.  Embree finds what "
        "is "
        "seen,\ngnuplot draws lines, ffmpeg writes the film.",
        "  withy run falling_rod -o fall.h5 && withy render fall.h5 -o fall.mp4\n"
        "  withy render fall.h5 -o fall.gif --seconds 8 --fps 15 --size 640x480\n"
        "  withy render fall.h5 -o fall.png --at 1 --transparent",
        option};
    cli_list rest;
    const char *input;
    int status = cli_parse(argc, argv, &usage, &rest);
    if (status >= 0) return status;
    if ((status = cli_one(&usage, &rest, "result", &input)) >= 0) return status;
    if ((status = read_arguments(&a)) >= 0) return status;
    if (!has_programs(a.flat)) return CLI_USAGE;
    if ((status = whole_apart(a.output, input)) >= 0) return status;
    return render(input, &a);
}
