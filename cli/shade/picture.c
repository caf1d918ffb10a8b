/* picture.c - camera, light and pixels.
 *
 * A point of colour c with normal n, seen by the light of a sun and of the sky over the ground, has
 *
 *   c ( sky (1 + n.z)/2 + ground (1 - n.z)/2 ) open  +  c sun max(n.l, 0) lit  +  a highlight            (1)
 *
 * lit: the share of the sun that nothing hides; open: that of the sky (Lambert's and Blinn's laws).  Under the lowest
 * point lies a floor that is seen only by the shadow on it.  A pixel is one ray where its neighbours show the
 * same thing in the same light, else samples^2.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "shade/vec.h"

enum { THREADS = 64, LAYERS = 8 };
static const double PI = 3.14159265358979323846, FIELD = 35; /* of view, upright [degrees] */
static const double SKIN = 1e-4; /* shadows begin so far from a surface, in sizes of the scene */

typedef struct colour {
    double r, g, b, a; /* linear light; a: how much of what is behind is hidden */
} colour;

/* As in withy view, light and dark; obstacles are seen through. */
static const struct {
    unsigned rgb[2];
    double hides;
} ink[SHADE_KINDS] = {
    [SHADE_ROD] = {{0x0b6e99, 0x5fb8dd}, 1},         [SHADE_BODY] = {{0x4a728f, 0x77abc6}, 1},
    [SHADE_JOINT] = {{0x37424d, 0xb9c4cf}, 1},       [SHADE_SUPPORT] = {{0x6b7683, 0x8e9aa6}, 1},
    [SHADE_OBSTACLE] = {{0x7f93a8, 0x7f93a8}, 0.35}, [SHADE_TENDON] = {{0xb8860b, 0xd9a520}, 1}};
static const unsigned PAPER[2] = {0xf7f8fa, 0x14181d};

typedef struct canvas {
    const shade_stage *stage;
    const shade_view *view;
    shade_vec eye, right, up, ahead, sun; /* right and up end at the edges of the picture */
    double floor;                         /* height of the floor; -1e30: none */
    colour *pixel;                        /* [height][width] */
    int *shown;                           /* [height][width] what is seen, and whether it is lit */
    int pass;
    atomic_int row;
} canvas;

static double linear_of(unsigned byte) {
    const double x = byte / 255.0;
    return x <= 0.04045 ? x / 12.92 : pow((x + 0.055) / 1.055, 2.4);
}

static colour colour_of(unsigned rgb) {
    return (colour){linear_of(rgb >> 16 & 255), linear_of(rgb >> 8 & 255), linear_of(rgb & 255), 1};
}

static unsigned char byte_of(double x) {
    const double y = x <= 0.0031308 ? 12.92 * x : 1.055 * pow(x, 1 / 2.4) - 0.055;
    return (unsigned char)fmin(255, fmax(0, 255 * y + 0.5));
}

void shade_colour(shade_kind kind, double rgba[4]) {
    const colour c = colour_of(ink[kind].rgb[0]);
    rgba[0] = c.r, rgba[1] = c.g, rgba[2] = c.b, rgba[3] = ink[kind].hides;
}

/* A number in [0, 1) that follows from where it is asked: the same picture each time. */
static double chance(unsigned *seed) {
    *seed = *seed * 1664525u + 1013904223u;
    unsigned x = *seed;
    x ^= x >> 16, x *= 0x7feb352du, x ^= x >> 15;
    return (x >> 8) / 16777216.0;
}

/* ---- light ----------------------------------------------------------------------------------------- */

static int is_lit(const canvas *c, shade_vec at, unsigned *seed) {
    shade_vec a, b, to = c->sun;
    if (c->view->soft) {
        const double turn = 2 * PI * chance(seed), off = 0.06 * sqrt(chance(seed));
        vec_across(c->sun, &a, &b);
        to = vec_unit(vec_axpy(vec_axpy(c->sun, off * cos(turn), a), off * sin(turn), b));
    }
    return !shade_rays_blocked(c->stage->rays, at, to, 1e30);
}

/* Towards the sky, more often where it counts more; what is far hides nothing. */
static int is_open(const canvas *c, shade_vec at, shade_vec n, unsigned *seed) {
    shade_vec a, b;
    if (!c->view->soft) return 1;
    const double turn = 2 * PI * chance(seed), off = chance(seed);
    vec_across(n, &a, &b);
    const shade_vec to = vec_axpy(vec_axpy(vec_scale(sqrt(1 - off), n), sqrt(off) * cos(turn), a),
                                  sqrt(off) * sin(turn), b);
    return !shade_rays_blocked(c->stage->rays, at, to, 0.3);
}

/* (1) */
static colour lighten(const canvas *c, colour of, shade_vec n, shade_vec along, int lit, int open) {
    const double up = 0.5 * (1 + n.z), sky = (0.62 * up + 0.38 * (1 - up)) * (open ? 1 : 0.25);
    const double sun = lit ? 0.85 * fmax(0, vec_dot(n, c->sun)) : 0, all = sky + sun;
    const shade_vec half = vec_unit(vec_axpy(c->sun, -1, along));
    const double shine = lit ? 0.18 * pow(fmax(0, vec_dot(n, half)), 40) : 0;
    return (colour){all * of.r + shine, all * of.g + shine, all * of.b + shine, of.a};
}

/* ---- a ray ----------------------------------------------------------------------------------------- */

static void put_behind(colour *sum, colour next) { /* behind what there is */
    const double k = (1 - sum->a) * next.a;
    sum->r += k * next.r, sum->g += k * next.g, sum->b += k * next.b, sum->a += k;
}

/* The floor, as dark as it is in the shade, and fading away from the scene. */
static int put_floor(const canvas *c, shade_vec from, shade_vec along, double most, colour *sum,
                     unsigned *seed) {
    const double far = along.z < 0 ? (c->floor - from.z) / along.z : -1;
    if (!(far > 0) || far >= most) return 0;
    const shade_vec at = vec_axpy(from, far, along);
    const double away = hypot(at.x, at.y), near = fmax(0, 1 - away / 2.5);
    if (near == 0) return 0;
    const shade_vec over = vec_axpy(at, SKIN, vec(0, 0, 1));
    const int lit = is_lit(c, over, seed), open = is_open(c, over, vec(0, 0, 1), seed);
    put_behind(sum, (colour){0, 0, 0, near * ((lit ? 0 : 0.28) + (open ? 0 : 0.16))});
    return !lit;
}

/* Light along a ray; returns what is seen. */
static int shoot(const canvas *c, shade_vec along, colour *sum, unsigned *seed) {
    int met = 0;
    double from = 0;
    *sum = (colour){0, 0, 0, 0};
    for (int layer = 0; layer < LAYERS && sum->a < 0.99; layer++) {
        shade_hit hit;
        shade_rays_shoot(c->stage->rays, c->eye, along, from, &hit);
        if (hit.thing < 0) break;
        const shade_kind kind = c->stage->kind[hit.thing];
        const shade_vec at = vec_axpy(c->eye, hit.far, along);
        shade_vec n = vec_unit(hit.normal);
        if (vec_dot(n, along) > 0) n = vec_scale(-1, n);
        const shade_vec over = vec_axpy(at, SKIN, n);
        const int lit = vec_dot(n, c->sun) > 0 && is_lit(c, over, seed);
        colour of = colour_of(ink[kind].rgb[c->view->dark != 0]);
        of = lighten(c, of, n, along, lit, is_open(c, over, n, seed));
        of.a = ink[kind].hides;
        put_behind(sum, of);
        met = 31 * met + 2 * (hit.thing + 1) + lit;
        from = hit.far + SKIN;
        if (of.a >= 1) return met;
    }
    const int dark = put_floor(c, c->eye, along, 1e30, sum, seed);
    return 31 * met + dark;
}

static shade_vec along_pixel(const canvas *c, double x, double y) {
    const double u = 2 * x / c->view->width - 1, v = 1 - 2 * y / c->view->height;
    return vec_unit(vec_axpy(vec_axpy(c->ahead, u, c->right), v, c->up));
}

/* ---- pixels ------------------------------------------------------------------------------------------ */

static void look_once(canvas *c, int x, int y) {
    unsigned seed = (unsigned)(y * c->view->width + x) * 2654435761u + 1;
    const size_t at = (size_t)y * (size_t)c->view->width + (size_t)x;
    c->shown[at] = shoot(c, along_pixel(c, x + 0.5, y + 0.5), &c->pixel[at], &seed);
}

/* A soft picture is noise where one ray meets anything. */
static int is_plain(const canvas *c, int x, int y) {
    const int w = c->view->width, h = c->view->height;
    const int mine = c->shown[(size_t)y * (size_t)w + (size_t)x];
    const colour of = c->pixel[(size_t)y * (size_t)w + (size_t)x];
    if (c->view->soft && (mine || of.a > 0)) return 0;
    for (int j = -1; j <= 1; j++)
        for (int i = -1; i <= 1; i++) {
            const int u = x + i < 0 ? 0 : x + i >= w ? w - 1 : x + i;
            const int v = y + j < 0 ? 0 : y + j >= h ? h - 1 : y + j;
            if (c->shown[(size_t)v * (size_t)w + (size_t)u] != mine) return 0;
        }
    return 1;
}

static void look_closer(canvas *c, int x, int y) {
    const int n = c->view->samples;
    unsigned seed = (unsigned)(y * c->view->width + x) * 2654435761u + 7;
    colour sum = {0, 0, 0, 0}, one;
    if (n < 2 || is_plain(c, x, y)) return;
    for (int k = 0; k < n * n; k++) {
        const double u = (k % n + chance(&seed)) / n, v = (k / n + chance(&seed)) / n;
        shoot(c, along_pixel(c, x + u, y + v), &one, &seed);
        sum.r += one.r, sum.g += one.g, sum.b += one.b, sum.a += one.a;
    }
    const double k = 1.0 / (n * n);
    c->pixel[(size_t)y * (size_t)c->view->width + (size_t)x] =
        (colour){k * sum.r, k * sum.g, k * sum.b, k * sum.a};
}

static void *rows(void *context) {
    canvas *c = context;
    for (;;) {
        const int y = atomic_fetch_add(&c->row, 1);
        if (y >= c->view->height) return NULL;
        for (int x = 0; x < c->view->width; x++)
            c->pass ? look_closer(c, x, y) : look_once(c, x, y);
    }
}

static void all_rows(canvas *c, int pass) {
    pthread_t thread[THREADS];
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    int count = 0;
    c->pass = pass, atomic_store(&c->row, 0);
    while (count + 1 < cores && count < THREADS &&
           pthread_create(&thread[count], NULL, rows, c) == 0)
        count++;
    rows(c);
    while (count > 0) pthread_join(thread[--count], NULL);
}

/* Over the paper, or with the share that is hidden: straight, not multiplied into the colour. */
static void write_out(const canvas *c, unsigned char *rgba) {
    const colour paper = colour_of(PAPER[c->view->dark != 0]);
    for (int i = 0; i < c->view->width * c->view->height; i++) {
        const colour p = c->pixel[i];
        const double k = c->view->transparent ? 0 : 1 - p.a;
        const double whole = c->view->transparent && p.a > 0 ? 1 / p.a : 1;
        rgba[4 * i] = byte_of(whole * p.r + k * paper.r);
        rgba[4 * i + 1] = byte_of(whole * p.g + k * paper.g);
        rgba[4 * i + 2] = byte_of(whole * p.b + k * paper.b);
        rgba[4 * i + 3] = c->view->transparent ? (unsigned char)(255 * fmin(1, p.a) + 0.5) : 255;
    }
}

/* ---- camera ------------------------------------------------------------------------------------------- */

/* From where all corners of the box are seen, as withy view does it; a motion in a plane is seen across it. */
static shade_vec chosen_direction(const shade_view *v, double size) {
    const double extent[3] = {v->high.x - v->low.x, v->high.y - v->low.y, v->high.z - v->low.z};
    int flat = 0;
    for (int i = 1; i < 3; i++)
        if (extent[i] < extent[flat]) flat = i;
    if (extent[flat] >= 1e-3 * size) return vec_unit(vec(0.9, -1.3, 0.7));
    return vec_unit(flat == 0   ? vec(1.6, -0.25, 0.2)
                    : flat == 1 ? vec(0.25, -1.6, 0.2)
                                : vec(0.25, -0.25, 1.6));
}

static double far_enough(const canvas *c, shade_vec middle, shade_vec towards, shade_vec right,
                         shade_vec up) {
    const shade_view *v = c->view;
    const double tall = tan(FIELD * PI / 360), wide = tall * v->width / v->height;
    double far = 0;
    for (int i = 0; i < 8; i++) {
        const shade_vec corner = vec(i & 1 ? v->high.x : v->low.x, i & 2 ? v->high.y : v->low.y,
                                     i & 4 ? v->high.z : v->low.z);
        const shade_vec r = vec_scale(1 / c->stage->size, vec_axpy(corner, -1, middle));
        far = fmax(far, vec_dot(r, towards) + 1.15 * fmax(fabs(vec_dot(r, right)) / wide,
                                                          fabs(vec_dot(r, up)) / tall));
    }
    return far > 0 ? far : 1;
}

static void place_camera(canvas *c) {
    const shade_view *v = c->view;
    const shade_stage *x = c->stage;
    shade_vec towards = vec_axpy(v->from, -1, v->at), target = v->at, right, up;
    const double own = vec_length(towards) / x->size;
    const double tall = tan(FIELD * PI / 360), wide = tall * v->width / v->height;
    if (!(own > 0)) towards = chosen_direction(v, x->size), target = x->middle;
    towards = vec_unit(towards);
    towards = vec(cos(v->turn) * towards.x - sin(v->turn) * towards.y,
                  sin(v->turn) * towards.x + cos(v->turn) * towards.y, towards.z);
    right = vec_unit(vec_cross(vec(0, 0, 1), towards));
    if (vec_length(right) == 0) right = vec(1, 0, 0);
    up = vec_cross(towards, right);
    const double far = own > 0 ? own : far_enough(c, target, towards, right, up);
    c->eye = vec_axpy(vec_scale(1 / x->size, vec_axpy(target, -1, x->middle)), far, towards);
    c->ahead = vec_scale(-1, towards), c->right = vec_scale(wide, right),
    c->up = vec_scale(tall, up);
}

static double floor_of(const shade_stage *x, const shade_view *v, shade_vec eye) {
    const double floor = (v->low.z - x->middle.z) / x->size - 0.004;
    for (int i = 0; i < x->things; i++)
        if (x->kind[i] == SHADE_OBSTACLE) return -1e30; /* what it stands on is there */
    return eye.z > floor ? floor : -1e30;
}

withy_status shade_picture(const shade_stage *stage, const shade_view *view, unsigned char *rgba,
                           withy_error *err) {
    const size_t count = (size_t)view->width * (size_t)view->height;
    canvas c = {.stage = stage, .view = view, .sun = vec_unit(vec(1, -2, 3))};
    c.pixel = malloc(count * sizeof *c.pixel), c.shown = malloc(count * sizeof *c.shown);
    if (!c.pixel || !c.shown) {
        free(c.pixel), free(c.shown);
        err->code = WITHY_NO_MEMORY;
        snprintf(err->text, sizeof err->text, "memory ran out for a picture of %d x %d",
                 view->width, view->height);
        return WITHY_NO_MEMORY;
    }
    place_camera(&c);
    c.floor = floor_of(stage, view, c.eye);
    all_rows(&c, 0);
    if (view->samples > 1) all_rows(&c, 1);
    write_out(&c, rgba);
    free(c.pixel), free(c.shown);
    return WITHY_OK;
}
