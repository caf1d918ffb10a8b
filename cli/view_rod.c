/* view_rod.c - one rod in the page of withy view: every snapshot is read once, and kept packed until all its quantities
 * are written. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lines.h"
#include "view.h"

enum { COLOURS = 16, SHAPES = 4 };

/* ---- colours: one number per station ------------------------------------------------------------------ */

static double norm_of(const withy_vec3 *a) {
    return sqrt(a->x * a->x + a->y * a->y + a->z * a->z);
}
static double curvature(const withy_snapshot *s, int i) {
    return hypot(s->bend[i].x, s->bend[i].y);
}
static double twist(const withy_snapshot *s, int i) {
    return s->bend[i].z;
}
static double touched(const withy_snapshot *s, int i) {
    return norm_of(&s->contact[i]);
}

static double moment(const withy_snapshot *s, int i) {
    return norm_of(&s->moment[i]);
}
static double speed(const withy_snapshot *s, int i) {
    return norm_of(&s->velocity[i]);
}
/* Of a mode, whose displacements have the place of the velocities. */
static double amplitude(const withy_snapshot *s, int i) {
    return hypot(norm_of(&s->velocity[i]), norm_of(&s->shift_im[i]));
}

static const struct {
    const char *name, *unit;
    unsigned have, without; /* bits of the snapshot */
    double (*of)(const withy_snapshot *s, int station);
} special[] = {
    {"curvature", "1/m", WITHY_HAVE_BEND, 0, curvature},
    {"twist", "1/m", WITHY_HAVE_BEND, 0, twist},
    {"contact", "N/m", WITHY_HAVE_CONTACT, 0, touched},
    {"moment", "N m", WITHY_HAVE_MOMENT, 0, moment},
    {"speed", "m/s", WITHY_HAVE_VELOCITY, WITHY_HAVE_MODE, speed},
    {"amplitude", "m", WITHY_HAVE_MODE, 0, amplitude},
};
enum { SPECIAL = sizeof special / sizeof *special };

/* Colour c: a special one, then the single numbers of the stations, such as tension and stress. */
typedef struct colour {
    const char *name, *unit;
    unsigned have, without;
    double (*of)(const withy_snapshot *s, int station);
    const withy_quantity *quantity;
} colour;

static int colour_at(int c, colour *out) {
    int count;
    const withy_quantity *q = withy_quantity_list(WITHY_OF_ROD, &count);
    if (c < SPECIAL) {
        *out = (colour){special[c].name,    special[c].unit, special[c].have,
                        special[c].without, special[c].of,   NULL};
        return 1;
    }
    for (int i = 0, left = c - SPECIAL; i < count; i++)
        if (q[i].size == 1 && left-- == 0) {
            *out = (colour){q[i].name, q[i].unit, q[i].have, 0, NULL, &q[i]};
            return 1;
        }
    return 0;
}

static double colour_of(int c, const withy_snapshot *s, int station) {
    colour one;
    if (!colour_at(c, &one)) return 0;
    return one.of ? one.of(s, station) : *withy_quantity_at(one.quantity, s, station);
}

/* ---- reading -------------------------------------------------------------------------------------------- */

/* The shown snapshots of a rod; what it does not have is NULL. */
typedef struct block {
    size_t frames, stations;
    unsigned have;
    float *position, *contact, *shape[SHAPES]; /* [frames][stations][3]       */
    float *colour[COLOURS];                    /* [frames][stations]          */
    int16_t *turn;                             /* [frames][stations][4]       */
    float *s;                                  /* [stations]                  */
} block;

static void drop(block *b) {
    free(b->position), free(b->contact), free(b->turn), free(b->s);
    for (int i = 0; i < SHAPES; i++) free(b->shape[i]);
    for (int i = 0; i < COLOURS; i++) free(b->colour[i]);
    *b = (block){0};
}

static int has_colour(const block *b, int c) {
    colour one;
    return colour_at(c, &one) && (b->have & one.have) == one.have && !(b->have & one.without);
}

static int take(block *b, const withy_snapshot *first, int64_t frames) {
    *b = (block){.frames = (size_t)frames, .stations = (size_t)first->count, .have = first->have};
    const size_t total = b->frames * b->stations;
    int ok = (b->position = calloc(3 * total, sizeof *b->position)) != NULL;
    ok &= (b->s = calloc(b->stations, sizeof *b->s)) != NULL;
    if (b->have & WITHY_HAVE_FRAME) ok &= (b->turn = calloc(4 * total, sizeof *b->turn)) != NULL;
    if (b->have & WITHY_HAVE_CONTACT)
        ok &= (b->contact = calloc(3 * total, sizeof *b->contact)) != NULL;
    for (int i = 0; i < SHAPES && (b->have & WITHY_HAVE_MODE); i++)
        ok &= (b->shape[i] = calloc(3 * total, sizeof **b->shape)) != NULL;
    for (int c = 0; c < COLOURS; c++)
        if (has_colour(b, c)) ok &= (b->colour[c] = calloc(total, sizeof **b->colour)) != NULL;
    for (size_t i = 0; ok && i < b->stations; i++) b->s[i] = (float)first->s[i];
    return ok;
}

static void put3(float *to, const double *x) {
    for (int c = 0; c < 3; c++) to[c] = x ? (float)x[c] : 0;
}

static void keep_station(block *b, const withy_snapshot *s, int i, size_t at) {
    static const char *const shape[SHAPES] = {"velocity", "shift_im", "spin", "turn_im"};
    put3(b->position + 3 * at, &s->position[i].x);
    if (b->contact) put3(b->contact + 3 * at, &s->contact[i].x);
    for (int c = 0; c < 4 && b->turn; c++) {
        const double q[4] = {s->frame[i].w, s->frame[i].x, s->frame[i].y, s->frame[i].z};
        b->turn[4 * at + (size_t)c] = (int16_t)lrint(32767 * fmax(-1, fmin(1, q[c])));
    }
    for (int k = 0; k < SHAPES && b->shape[k]; k++)
        put3(b->shape[k] + 3 * at,
             withy_quantity_at(withy_quantity_find(WITHY_OF_ROD, shape[k]), s, i));
    for (int c = 0; c < COLOURS; c++)
        if (b->colour[c]) b->colour[c][at] = (float)colour_of(c, s, i);
}

static int read_block(view_run *r, int rod, block *b) {
    for (size_t k = 0; k < b->frames; k++) {
        const withy_snapshot *s = view_at(r, rod, (int64_t)k);
        if (!s) return 0;
        for (size_t i = 0; i < b->stations; i++) keep_station(b, s, (int)i, k * b->stations + i);
    }
    return 1;
}

/* ---- writing -------------------------------------------------------------------------------------------- */

static void put_blob(FILE *file, const char *key, const void *data, size_t size) {
    view_packer p = {.file = file};
    if (!data) return;
    fprintf(file, ",\"%s\":\"", key);
    view_bytes(&p, data, size);
    view_group(&p);
    fprintf(file, "\"");
}

/* Range first, then the values scaled to it. */
static void put_colour(const block *b, int c, FILE *file, int first) {
    const float *value = b->colour[c];
    colour one;
    if (!colour_at(c, &one)) return;
    const size_t total = b->frames * b->stations;
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < total; i++) low = fmin(low, value[i]), high = fmax(high, value[i]);
    fprintf(file, "%s{\"name\":\"%s\",\"unit\":\"%s\",\"low\":", first ? "" : ",", one.name,
            one.unit);
    json_figure(file, low);
    fprintf(file, ",\"high\":");
    json_figure(file, high);
    fprintf(file, ",\"value\":\"");
    view_packer p = {.file = file};
    for (size_t i = 0; i < total; i++) {
        const double part = high > low ? (value[i] - low) / (high - low) : 0.5;
        const uint16_t x = (uint16_t)lrint(65535 * fmax(0, fmin(1, part))); /* NaN: 1 */
        view_bytes(&p, &x, sizeof x);
    }
    view_group(&p);
    fprintf(file, "\"}");
}

static void put_block(const block *b, FILE *file) {
    static const char *const key[SHAPES] = {"shift", "shift_im", "turn", "turn_im"};
    const size_t total = b->frames * b->stations, triple = 3 * total * sizeof(float);
    put_blob(file, "position", b->position, triple);
    put_blob(file, "frame", b->turn, 4 * total * sizeof *b->turn);
    for (int i = 0; i < SHAPES; i++) put_blob(file, key[i], b->shape[i], triple);
    put_blob(file, "contact", b->contact, triple);
    put_blob(file, "s", b->contact ? b->s : NULL, b->stations * sizeof *b->s);
    fprintf(file, ",\"colours\":[");
    for (int c = 0, first = 1; c < COLOURS; c++)
        if (b->colour[c]) put_colour(b, c, file, first), first = 0;
    fprintf(file, "]");
}

static void put_info(view_run *r, int rod, const withy_result_rod *info, size_t stations,
                     FILE *file) {
    fprintf(file, "%s{\"name\":", rod ? "," : "");
    json_quoted(file, info->name);
    fprintf(file, ",\"count\":%d,\"section\":{\"kind\":", (int)stations);
    /* bodies have their shape; the line to a joint is only an arm */
    json_quoted(file, rod < withy_result_rods(r->result) ? info->section : "none");
    fprintf(file, ",\"a\":");
    json_figure(file, info->a);
    fprintf(file, ",\"b\":");
    json_figure(file, info->b);
    fprintf(file, "}");
}

static int no_positions(view_run *r, int rod) {
    r->err.code = WITHY_BAD_INPUT;
    snprintf(r->err.text, sizeof r->err.text, "%.800s: rod %d has no positions to show", r->path,
             rod + 1);
    return 0;
}

int view_rod(view_run *r, int rod, FILE *file) {
    withy_result_rod info;
    const withy_snapshot *first = view_at(r, rod, 0);
    block b = {0};
    if (!first || !cli_line_info(r->result, rod, &info)) return 0;
    if (!(first->have & WITHY_HAVE_POSITION)) return no_positions(r, rod);
    int ok = take(&b, first, r->shown) && read_block(r, rod, &b);
    if (ok) {
        put_info(r, rod, &info, b.stations, file);
        ok = rod >= withy_result_rods(r->result) || view_supports(r, rod, &info, file);
        put_block(&b, file);
        fprintf(file, "}");
    }
    drop(&b);
    return ok;
}

/* How many bytes one snapshot of all rods takes: 12 for the position, 8 for the frame, 2 per colour, 48 for the shape
 * of a mode, 12 for the force of contacts. */
double view_frame_bytes(view_run *r) {
    double bytes = 0;
    for (int rod = 0; rod < cli_arms(r->result); rod++) {
        const withy_snapshot *s = cli_line_at(r->result, rod, 0, &r->err);
        const double shape = s && (s->have & WITHY_HAVE_MODE) ? 48 : 0;
        const double push = s && (s->have & WITHY_HAVE_CONTACT) ? 12 : 0;
        const block b = {.have = s ? s->have : 0};
        double colours = 0;
        for (int c = 0; c < COLOURS; c++) colours += has_colour(&b, c);
        if (s) bytes += s->count * (12.0 + 8.0 + 2.0 * colours + shape + push);
    }
    return bytes;
}
