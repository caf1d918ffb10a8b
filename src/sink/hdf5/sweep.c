/* sweep.c - the file of a sweep, written (see sink/sweep.h). */
#include "sink/sweep.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "sink/atomic_file.h"
#include "sink/hdf5/hdf5.h"
#include "sink/hdf5/store.h"
#include "sink/superblock.h"

struct wy_sweep_writer {
    char *path;
    wy_atomic_file place; /* of a new file                               */
    int descriptor;
    bool own; /* the descriptor is of a file that was there */
    int64_t count;
    int quantities;
    uint64_t status_at, state_at, message_at, check_at, quantity_at[WY_SWEEP_QUANTITIES];
};

/* ---- the empty file ------------------------------------------------------------------------------ */

static int make_over(hid_t file, const wy_sweep_head *h) {
    const hid_t group = wy_h5_group(file, "over", h->axes);
    int done = group < 0 ? -1 : 0;
    for (int i = 0; i < h->axes && done >= 0; i++) {
        const wy_column_info info = {h->path[i], "-", "varied", (int)h->count, 1, 0};
        done = wy_h5_make_list(group, &info, h->over + (size_t)i * (size_t)h->count);
    }
    if (group >= 0) H5Gclose(group);
    return done;
}

static int make_quantities(hid_t file, const wy_sweep_head *h) {
    const hid_t group = wy_h5_group(file, "want", h->quantities);
    int done = group < 0 ? -1 : 0;
    for (int i = 0; i < h->quantities && done >= 0; i++)
        done = wy_h5_make_place(group, h->requested[i], H5T_IEEE_F64LE, (hsize_t)h->count);
    if (group >= 0) H5Gclose(group);
    return done;
}

static int make_messages(hid_t file, hsize_t count) {
    const hid_t type = wy_h5_text_type(WY_SWEEP_MESSAGE);
    const int done = wy_h5_make_place(file, "message", type, count);
    H5Tclose(type);
    return done;
}

static int fill(hid_t file, const wy_sweep_head *h) {
    const hsize_t count = (hsize_t)h->count;
    const struct {
        const char *name, *text;
    } attribute[] = {{"format", "withy sweep 1"},
                     {"title", h->title},
                     {"version", withy_version()},
                     {"scene_name", h->scene_name},
                     {"kind", h->kind}};
    for (size_t i = 0; i < sizeof attribute / sizeof *attribute; i++)
        if (wy_h5_text(file, attribute[i].name, attribute[i].text) < 0) return -1;
    if (wy_h5_number(file, "grid", h->grid) < 0 || wy_h5_make_status(file) < 0) return -1;
    if (wy_h5_make_text(file, "plan", h->plan) < 0 || make_over(file, h) < 0) return -1;
    if (make_quantities(file, h) < 0 || make_messages(file, count) < 0) return -1;
    if (wy_h5_make_place(file, "state", H5T_STD_I64LE, count) < 0) return -1;
    return wy_h5_make_place(file, "check", H5T_IEEE_F64LE, count);
}

static int find_places(wy_sweep_writer *w, hid_t file, const wy_sweep_head *h) {
    w->status_at = wy_h5_place_at(file, "status"), w->state_at = wy_h5_place_at(file, "state");
    w->message_at = wy_h5_place_at(file, "message"), w->check_at = wy_h5_place_at(file, "check");
    int fine = w->status_at && w->state_at && w->message_at && w->check_at;
    for (int i = 0; i < h->quantities && fine; i++) {
        char name[WY_SWEEP_NAME + 8];
        snprintf(name, sizeof name, "want/%s", h->requested[i]);
        w->quantity_at[i] = wy_h5_place_at(file, name);
        fine = w->quantity_at[i] != 0;
    }
    return fine ? 0 : -1;
}

/* The image of the file in memory, and where everything is in it. */
static int build(wy_sweep_writer *w, const wy_sweep_head *h, wy_arena *arena, void **image,
                 size_t *size) {
    wy_h5_enter();
    const hid_t file = wy_h5_make_file(16);
    int done = file < 0 ? -1 : fill(file, h);
    if (done >= 0) done = wy_h5_copy_image(file, arena, image, size);
    if (done >= 0) done = find_places(w, file, h);
    if (file >= 0) H5Fclose(file);
    wy_h5_leave();
    if (done >= 0 && (*size < WY_SUPERBLOCK_SIZE || !wy_superblock_is(*image))) return -1;
    if (done >= 0) wy_superblock_set(*image, *size);
    return done;
}

/* ---- rows ---------------------------------------------------------------------------------------- */

static double sum_of(const wy_sweep_row *row, int quantities) {
    const double state = (double)row->state;
    uint64_t sum = wy_check_row(wy_check_bytes(row->message, strlen(row->message)), &state, 1);
    return wy_check_number(wy_check_row(sum, row->value, (size_t)quantities));
}

static int put(const wy_sweep_writer *w, const void *data, size_t size, uint64_t at) {
    return wy_bytes_put(w->descriptor, data, size, (off_t)at);
}

static bool get(const wy_sweep_writer *w, void *data, size_t size, uint64_t at) {
    return pread(w->descriptor, data, size, (off_t)at) == (ssize_t)size;
}

static withy_status put_row(wy_sweep_writer *w, int64_t member, const wy_sweep_row *row,
                            withy_error *err) {
    const uint64_t i = (uint64_t)member;
    const double check = sum_of(row, w->quantities);
    int code = 0;
    for (int k = 0; k < w->quantities && !code; k++)
        code = put(w, &row->value[k], sizeof(double), w->quantity_at[k] + 8 * i);
    if (!code) code = put(w, row->message, WY_SWEEP_MESSAGE, w->message_at + WY_SWEEP_MESSAGE * i);
    if (!code) code = put(w, &row->state, sizeof row->state, w->state_at + 8 * i);
    if (!code) code = put(w, &check, sizeof check, w->check_at + 8 * i);
    return code ? wy_cannot_write(w->path, code, err) : WITHY_OK;
}

static bool get_row(wy_sweep_writer *w, int64_t member, wy_sweep_row *row) {
    const uint64_t i = (uint64_t)member;
    double check;
    bool fine = get(w, &row->state, sizeof row->state, w->state_at + 8 * i) && row->state >= 1;
    fine = fine && get(w, row->message, WY_SWEEP_MESSAGE, w->message_at + WY_SWEEP_MESSAGE * i);
    for (int k = 0; k < w->quantities && fine; k++)
        fine = get(w, &row->value[k], sizeof(double), w->quantity_at[k] + 8 * i);
    fine = fine && get(w, &check, sizeof check, w->check_at + 8 * i);
    row->message[WY_SWEEP_MESSAGE - 1] = '\0';
    return fine && check == sum_of(row, w->quantities);
}

/* ---- opening and closing -------------------------------------------------------------------------- */

static withy_status another_plan(const char *path, const char *was, const char *now,
                                 withy_error *err) {
    wy_first_difference(&was, &now);
    return wy_bad_input(err,
                        "%s: is of another sweep: it has \"%.*s\", now it is \"%.*s\"; continue "
                        "with the same scene and options, or choose another file",
                        path, (int)wy_min(80, (double)strcspn(was, "\n")), was,
                        (int)wy_min(80, (double)strcspn(now, "\n")), now);
}

/* The file has the same plan, so that everything is where it would be in a new one. */
static withy_status go_on(wy_sweep_writer *w, const wy_sweep_head *h, size_t size, char *done,
                          withy_error *err) {
    withy_sweep_file *old;
    WY_TRY(withy_sweep_open(w->path, &old, err));
    const char *plan = withy_sweep_text(old, "plan");
    withy_status status =
        strcmp(plan, h->plan) == 0 ? WITHY_OK : another_plan(w->path, plan, h->plan, err);
    withy_sweep_close(old);
    WY_TRY(status);
    w->descriptor = open(w->path, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
    if (w->descriptor < 0) return wy_cannot_write(w->path, errno, err);
    w->own = true;
    if (flock(w->descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        return wy_cannot_write(w->path, EWOULDBLOCK, err);
    if (lseek(w->descriptor, 0, SEEK_END) != (off_t)size)
        return wy_fail(err, WITHY_IO, "%s: has another length than its plan needs: it is damaged",
                       w->path);
    wy_sweep_row row;
    for (int64_t i = 0; i < h->count; i++) done[i] = get_row(w, i, &row);
    const char running[16] = "running";
    const int code = put(w, running, sizeof running, w->status_at);
    return code ? wy_cannot_write(w->path, code, err) : WITHY_OK;
}

static withy_status begin(wy_sweep_writer *w, const void *image, size_t size, withy_error *err) {
    int code = wy_atomic_file_open(&w->place, w->path, true);
    if (code) return wy_cannot_write(w->path, code, err);
    w->descriptor = w->place.descriptor;
    flock(w->descriptor, LOCK_EX | LOCK_NB);
    code = put(w, image, size, 0);
    if (!code)
        code = w->place.is_new ? wy_atomic_file_show(&w->place) : wy_atomic_file_take(&w->place);
    if (!code) return WITHY_OK;
    wy_atomic_file_drop(&w->place);
    return wy_cannot_write(w->path, code, err);
}

static void drop(wy_sweep_writer *w) {
    if (w->own) close(w->descriptor);
    wy_free(w->path);
    wy_free(w);
}

static withy_status create(const char *path, const wy_sweep_head *h, bool resume, char *done,
                           wy_sweep_writer **writer, withy_error *err) {
    wy_arena arena = {0};
    void *image = NULL;
    size_t size = 0;
    wy_sweep_writer *w = wy_alloc(1, sizeof *w);
    *writer = NULL;
    if (!w || !(w->path = wy_alloc(strlen(path) + 1, 1))) {
        wy_free(w);
        return wy_no_memory(err, "%s: memory ran out", path);
    }
    memcpy(w->path, path, strlen(path) + 1);
    w->count = h->count, w->quantities = h->quantities, w->descriptor = -1;
    withy_status status = !wy_h5_has_room(WY_H5_ROOM)
                              ? wy_no_memory(err, "%s: memory ran out", path)
                          : build(w, h, &arena, &image, &size) < 0
                              ? wy_fail(err, WITHY_IO, "%s: cannot be made by HDF5", path)
                              : WITHY_OK;
    if (status == WITHY_OK)
        status = resume ? go_on(w, h, size, done, err) : begin(w, image, size, err);
    wy_arena_free(&arena);
    WY_HAND_OVER(status, w, drop, writer);
}

static withy_status finish(wy_sweep_writer *w, const char *status, withy_error *err) {
    char text[WY_H5_STATUS] = {0};
    snprintf(text, sizeof text, "%s", status);
    int code = put(w, text, sizeof text, w->status_at);
    if (w->own) {
        if (!code && fsync(w->descriptor) != 0 && errno != EINVAL) code = errno;
        if (!code) code = wy_atomic_file_guard(w->path, w->path, w->descriptor);
    } else if (code) {
        wy_atomic_file_leave(&w->place);
    } else {
        code = wy_atomic_file_keep(&w->place);
    }
    const withy_status done = code ? wy_cannot_write(w->path, code, err) : WITHY_OK;
    drop(w);
    return done;
}

const wy_sweep_writing wy_sweep_file = {create, put_row, get_row, finish};
