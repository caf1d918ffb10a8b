/* scene.c - a result becomes nodes of a glTF or USD file. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "gltf/gltf.h"

/* Times begin at 0 and rise; of a path, whose factor may go back, the points are equally far apart. */
static withy_status add_times(glb *g, withy_error *err) {
    static const double APART = 0.04; /* [s] of points of a path, and of modes */
    double *t = calloc((size_t)g->snapshots, sizeof *t);
    float *out = calloc((size_t)g->snapshots, sizeof *out);
    const withy_status status = t && out ? withy_result_times(g->result, t, err) : WITHY_NO_MEMORY;
    int rises = 1;
    for (int64_t k = 0; status == WITHY_OK && k < g->snapshots; k++) {
        out[k] = (float)(t[k] - t[0]);
        rises = rises && (k == 0 || out[k] > out[k - 1]);
    }
    for (int64_t k = 0; status == WITHY_OK && !rises && k < g->snapshots; k++)
        out[k] = (float)(APART * (double)k);
    if (status == WITHY_OK)
        g->times = glb_add_rows(g, out, GLB_FLOAT, 1, (int)g->snapshots, 0);
    else if (!t || !out)
        g->failed = 1;
    return free(t), free(out), g->failed ? WITHY_OK : status;
}

static withy_status fill(glb *g, withy_error *err) {
    shade_view box;
    withy_status status = WITHY_OK;
    int64_t *all = calloc((size_t)g->snapshots, sizeof *all);
    for (int64_t k = 0; all && k < g->snapshots; k++) all[k] = k;
    if (all) status = shade_box(g->result, all, (int)g->snapshots, &box, err);
    free(all);
    if (!all || status != WITHY_OK) return g->failed = !all, status;
    g->low = box.low, g->high = box.high;
    const double size = vec_length(vec_axpy(box.high, -1, box.low));
    g->size = size > 0 ? size : 1;
    status = add_times(g, err);
    if (status == WITHY_OK) status = gltf_rods(g, err);
    if (status == WITHY_OK) status = gltf_solids(g, err);
    return status;
}

static int cannot_write(const char *path, int code) {
    cli_warn("withy: %s: cannot be written: %s\n", path, strerror(code));
    return CLI_FAILED;
}

static int write_to(const glb *g, scene_writer *write, const char *path) {
    wy_atomic_file target = {0};
    int code = whole_begin(&target, path);
    if (!code) code = write(g, target.stream);
    if (!code) code = wy_atomic_file_keep(&target);
    wy_atomic_file_drop(&target);
    return code ? cannot_write(path, code) : CLI_OK;
}

int scene_export(withy_result *result, scene_writer *write, const char *path) {
    withy_error err = {0};
    glb g = {.result = result, .snapshots = withy_result_count(result)};
    int status = CLI_OK;
    if (g.snapshots == 0 || g.snapshots > INT32_MAX) {
        cli_warn("withy: the result holds %s\n",
                 g.snapshots ? "too many snapshots" : "no snapshot");
        status = CLI_USAGE;
    } else if (fill(&g, &err) != WITHY_OK) {
        status = cli_error(&err);
    } else if (g.failed) {
        status = cannot_write(path, ENOMEM);
    } else {
        status = write_to(&g, write, path);
    }
    return glb_free(&g), status;
}
