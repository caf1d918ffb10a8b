/* opened.c - opening and closing what is read. */
#include "sink/hdf5/opened.h"

#include <string.h>

withy_status wy_opened_damaged(const wy_opened *file, const char *what, withy_error *err) {
    return wy_fail(err, WITHY_IO, "%s: %s cannot be read: %s", file->path, what, file->store.why);
}

static withy_status open_root(wy_opened *file, withy_error *err) {
    WY_TRY(wy_store_open(&file->store, file->path, err));
    if (!wy_object_open(&file->root, &file->store, file->store.root))
        return wy_opened_damaged(file, "the file", err);
    return WITHY_OK;
}

withy_status wy_opened_read(const char *path, size_t size,
                            withy_status (*read)(void *reader, withy_error *err), void *reader,
                            withy_error *err) {
    wy_opened *file = wy_take(1, size);
    if (!file) return wy_fail(err, WITHY_NO_MEMORY, "%s: memory ran out", path);
    file->store.descriptor = -1;
    file->path = wy_arena_text(&file->arena, path);
    withy_status status = file->path ? open_root(file, err)
                                     : wy_fail(err, WITHY_NO_MEMORY, "%s: memory ran out", path);
    if (status == WITHY_OK) status = read(file, err);
    if (status != WITHY_OK) return wy_opened_free(file), status;
    memcpy(reader, &file, sizeof file); /* pointers to structs are alike */
    return WITHY_OK;
}

void wy_opened_free(void *reader) {
    wy_opened *file = reader;
    if (!file) return;
    wy_object_close(&file->root);
    wy_store_close(&file->store);
    wy_arena_free(&file->arena);
    wy_give(file);
}
