/* opened.c - opening and closing what is read. */
#include "sink/hdf5/store.h"

withy_status wy_opened_damaged(const wy_opened *file, const char *what, withy_error *err) {
    return wy_fail(err, WITHY_IO, "%s: %s cannot be read: %s", file->path, what, file->store.why);
}

static withy_status open_root(wy_opened *file, withy_error *err) {
    WY_TRY(wy_store_open(&file->store, file->path, err));
    if (!wy_object_open(&file->root, &file->store, file->store.root))
        return wy_opened_damaged(file, "the file", err);
    return WITHY_OK;
}

static withy_status fill(wy_opened *file, const char *path,
                         withy_status (*read)(void *reader, withy_error *err), withy_error *err) {
    file->store.descriptor = -1;
    file->path = wy_arena_text(&file->arena, path);
    if (!file->path) return wy_no_memory(err, "%s: memory ran out", path);
    WY_TRY(open_root(file, err));
    return read(file, err);
}

/* Pointers to structs are alike: that of the caller is set as bytes. */
withy_status wy_opened_read(const char *who, const char *path, size_t size,
                            withy_status (*read)(void *reader, withy_error *err), void *result,
                            withy_error *err) {
    wy_opened *file = NULL;
    if (!result) return wy_bad_input(err, "%s: the place for the result is NULL", who);
    memcpy(result, &file, sizeof file);
    if (!path) return wy_bad_input(err, "%s: the argument path is NULL", who);
    file = wy_alloc(1, size);
    if (!file) return wy_no_memory(err, "%s: memory ran out", path);
    const withy_status status = fill(file, path, read, err);
    if (status != WITHY_OK) return wy_opened_free(file), status;
    memcpy(result, &file, sizeof file);
    return WITHY_OK;
}

void wy_opened_free(void *reader) {
    wy_opened *file = reader;
    if (!file) return;
    wy_object_close(&file->root);
    wy_store_close(&file->store);
    wy_arena_free(&file->arena);
    wy_free(file);
}
