/* stream.c - the box of what is shown, and pictures one after the other to ffmpeg. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lines.h"
#include "shade/vec.h"

static withy_status fail(withy_error *err, withy_status code, const char *text) {
    err->code = code;
    snprintf(err->text, sizeof err->text, "the picture: %s", text);
    return code;
}

/* ---- box -------------------------------------------------------------------------------------------- */

static void widen(shade_view *v, withy_vec3 r, double by) {
    v->low = vec(fmin(v->low.x, r.x - by), fmin(v->low.y, r.y - by), fmin(v->low.z, r.z - by));
    v->high = vec(fmax(v->high.x, r.x + by), fmax(v->high.y, r.y + by), fmax(v->high.z, r.z + by));
}

static withy_status widen_rods(withy_result *result, int64_t k, shade_view *v, withy_error *err) {
    withy_result_rod info;
    for (int rod = 0; rod < withy_result_rods(result); rod++) {
        const withy_snapshot *snap = withy_result_at(result, rod, k, err);
        if (!snap) return err->code;
        if (!(snap->have & WITHY_HAVE_POSITION))
            return fail(err, WITHY_BAD_INPUT, "the result holds no positions");
        const int known = withy_result_rod_at(result, rod, &info);
        const double by = known && strcmp(info.section, "none") != 0 ? info.a / 2 : 0;
        for (int i = 0; i < snap->count; i++) widen(v, snap->position[i], by);
    }
    return WITHY_OK;
}

static withy_status widen_bodies(withy_result *result, int64_t k, shade_view *v, withy_error *err) {
    withy_body body;
    const withy_parts *parts = withy_result_parts_at(result, k, err);
    if (!parts) return err->code;
    for (int i = 0; i < parts->body_count && withy_result_body_at(result, i, &body); i++) {
        double size[3];
        cli_body_size(&body, size);
        widen(v, parts->body[i].position, fmax(size[0], fmax(size[1], size[2])) / 2);
    }
    return WITHY_OK;
}

withy_status shade_box(withy_result *result, const int64_t *snapshot, int count, shade_view *view,
                       withy_error *err) {
    withy_status status = WITHY_OK;
    view->low = vec(1e300, 1e300, 1e300), view->high = vec(-1e300, -1e300, -1e300);
    for (int k = 0; k < count && status == WITHY_OK; k++) {
        if (k > 0 && snapshot[k] == snapshot[k - 1]) continue;
        status = widen_rods(result, snapshot[k], view, err);
        if (status == WITHY_OK && withy_result_bodies(result))
            status = widen_bodies(result, snapshot[k], view, err);
    }
    if (status == WITHY_OK && !(view->low.x <= view->high.x))
        return fail(err, WITHY_BAD_INPUT,
                    "the result holds no rods and no bodies: nothing to draw");
    return status;
}

/* ---- film -------------------------------------------------------------------------------------------- */

static withy_status draw_one(shade_stage *stage, const shade_film *film, shade_view *view, int k,
                             double turn, unsigned char *rgba, withy_error *err) {
    const int same = k > 0 && film->snapshot[k] == film->snapshot[k - 1];
    const double share = film->count > 1 ? k / (double)(film->count - 1) : 0;
    withy_status status = same ? WITHY_OK : shade_parts(stage, film->snapshot[k], err);
    if (status != WITHY_OK || (same && film->orbit == 0)) return status;
    view->turn = turn + share * film->orbit;
    return shade_picture(stage, view, rgba, err);
}

static withy_status draw_all(shade_stage *stage, const shade_film *film, shade_view *view,
                             unsigned char *rgba, FILE *out, withy_error *err) {
    const size_t size = (size_t)view->width * (size_t)view->height * 4;
    const double turn = view->turn;
    for (int k = 0; k < film->count; k++) {
        if (film->progress && film->progress(film->context, k, film->count, k))
            return fail(err, WITHY_INTERRUPTED, "stopped on request");
        const withy_status status = draw_one(stage, film, view, k, turn, rgba, err);
        if (status != WITHY_OK) return status;
        if (fwrite(rgba, 1, size, out) != size)
            return fail(err, WITHY_IO, "ffmpeg stopped (its message is above)");
    }
    return WITHY_OK;
}

static withy_status to_ffmpeg(shade_stage *stage, const shade_film *film, shade_view *view,
                              unsigned char *rgba, withy_error *err) {
    process ffmpeg;
    const process_setup setup = {film->ffmpeg, film->folder, -1, 1};
    if (!process_start(&ffmpeg, &setup)) return fail(err, WITHY_IO, strerror(errno));
    withy_status status = draw_all(stage, film, view, rgba, ffmpeg.in, err);
    if (!process_end(&ffmpeg) && status == WITHY_OK)
        status = fail(err, WITHY_IO, "ffmpeg failed (its message is above)");
    return status;
}

withy_status shade_film_draw(const shade_film *film, shade_view view, withy_error *err) {
    const withy_status status = shade_box(film->result, film->snapshot, film->count, &view, err);
    if (status != WITHY_OK) return status;
    const shade_vec extent = vec_axpy(view.high, -1, view.low);
    const double size = vec_length(extent);
    shade_stage stage = {.result = film->result,
                         .middle = vec_scale(0.5, vec_axpy(view.low, 1, view.high)),
                         .size = size > 0 ? size : 1,
                         .rays = shade_rays_open()};
    unsigned char *rgba = malloc((size_t)view.width * (size_t)view.height * 4);
    const withy_status drawn = stage.rays && rgba ? to_ffmpeg(&stage, film, &view, rgba, err)
                                                  : fail(err, WITHY_NO_MEMORY, "memory ran out");
    shade_rays_close(stage.rays);
    free(stage.kind), free(rgba);
    return drawn;
}
