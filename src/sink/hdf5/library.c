/* library.c - one thread at a time, no printing, what went wrong, texts and numbers. */
#include <pthread.h>

#include "sink/hdf5/hdf5.h"

enum { TEXT_MOST = 32 * 1024 }; /* of an attribute */

static pthread_mutex_t equations = PTHREAD_MUTEX_INITIALIZER;
static H5E_auto2_t printer; /* the program's own, restored on leaving */
static void *printer_data;

void wy_h5_enter(void) {
    pthread_mutex_lock(&equations);
    H5dont_atexit(); /* all files are closed here; HDF5's own exit handler may print after a damaged file */
    H5Eget_auto2(H5E_DEFAULT, &printer, &printer_data);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}

void wy_h5_leave(void) {
    H5Eset_auto2(H5E_DEFAULT, printer, printer_data);
    pthread_mutex_unlock(&equations);
}

/* From where the library takes it.  Volatile: else the compiler finds that nothing is done with it, and leaves it out. */
bool wy_h5_has_room(size_t bytes) {
    void *volatile room = malloc(bytes);
    const bool there = room != NULL;
    free(room);
    return there;
}

typedef struct cause {
    char *text;
    size_t size;
    bool found;
} cause;

/* HDF5 puts the errno into its text: "..., errno = 28, error message = ...". */
static herr_t look(unsigned depth, const H5E_error2_t *error, void *context) {
    cause *c = context;
    const char *number = strstr(error->desc, "errno = ");
    if (number) {
        snprintf(c->text, c->size, "%s", strerror(atoi(number + 8)));
        c->found = true;
    } else if (depth == 0 && !c->found) {
        snprintf(c->text, c->size, "HDF5 reports \"%s\"", error->desc);
    }
    return 0;
}

void wy_h5_cause(char *text, size_t size, const char *otherwise) {
    snprintf(text, size, "%s", otherwise);
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, look, &(cause){text, size, false});
}

/* ---- attributes ------------------------------------------------------------------------------ */

/* `type` in the file, `memory` here. */
static int attribute(hid_t where, const char *name, hid_t type, hid_t memory, const void *value) {
    const hid_t space = H5Screate(H5S_SCALAR);
    const hid_t made = H5Acreate2(where, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    const int done = made < 0 ? -1 : H5Awrite(made, memory, value);
    if (made >= 0) H5Aclose(made);
    H5Sclose(space);
    return done;
}

hid_t wy_h5_text_type(size_t size) {
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, size > 0 ? size : 1);
    H5Tset_strpad(type, H5T_STR_NULLPAD);
    H5Tset_cset(type, H5T_CSET_UTF8);
    return type;
}

/* What fits into an attribute, which HDF5 limits to 64 KiB: whole characters of UTF-8. */
static size_t length_of(const char *text) {
    size_t length = strlen(text);
    if (length <= TEXT_MOST) return length;
    length = TEXT_MOST;
    while (length > 0 && ((unsigned char)text[length] & 0xc0) == 0x80) length--;
    return length;
}

int wy_h5_text(hid_t where, const char *name, const char *text) {
    if (!text) text = "";
    const hid_t type = wy_h5_text_type(length_of(text));
    const int done = attribute(where, name, type, type, text);
    H5Tclose(type);
    return done;
}

int wy_h5_number(hid_t where, const char *name, double value) {
    return attribute(where, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, &value);
}
