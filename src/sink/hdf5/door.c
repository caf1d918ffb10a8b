/* door.c - one thread at a time, no printing, what went wrong, texts and numbers. */
#ifdef WITHY_HAVE_LIB_HDF5

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sink/hdf5/hdf5.h"

static pthread_mutex_t door = PTHREAD_MUTEX_INITIALIZER;
static H5E_auto2_t printer; /* the program's own, restored on leaving */
static void *printer_data;

void wy_h5_enter(void) {
    pthread_mutex_lock(&door);
    H5dont_atexit(); /* all files are closed here; HDF5's own exit handler may print after a damaged file */
    H5Eget_auto2(H5E_DEFAULT, &printer, &printer_data);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}

void wy_h5_leave(void) {
    H5Eset_auto2(H5E_DEFAULT, printer, printer_data);
    pthread_mutex_unlock(&door);
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

static int attribute(hid_t where, const char *name, hid_t type, const void *value) {
    const hid_t space = H5Screate(H5S_SCALAR);
    const hid_t made = H5Acreate2(where, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    const int done = made < 0 ? -1 : H5Awrite(made, type, value);
    if (made >= 0) H5Aclose(made);
    H5Sclose(space);
    return done;
}

hid_t wy_h5_text_type(void) {
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, H5T_VARIABLE);
    H5Tset_cset(type, H5T_CSET_UTF8);
    return type;
}

int wy_h5_text(hid_t where, const char *name, const char *text) {
    const hid_t type = wy_h5_text_type();
    if (!text) text = "";
    const int done = attribute(where, name, type, &text);
    H5Tclose(type);
    return done;
}

int wy_h5_number(hid_t where, const char *name, double value) {
    return attribute(where, name, H5T_NATIVE_DOUBLE, &value);
}

/* ---- and back -------------------------------------------------------------------------------- */

enum { TEXT_MOST = 16 * 1024 * 1024 }; /* longer: damaged */

/* Of a scalar text, fixed or variable in length; read(): from an attribute or a data set. */
static char *text_of(hid_t from, hid_t type, herr_t (*read)(hid_t, hid_t, void *),
                     wy_arena *arena) {
    const size_t size = H5Tget_size(type);
    char *text = NULL;
    if (H5Tget_class(type) != H5T_STRING || size > TEXT_MOST) return NULL;
    if (H5Tis_variable_str(type) > 0) {
        char *found = NULL;
        if (read(from, type, &found) < 0 || !found) return NULL;
        text = wy_arena_text(arena, found);
        H5free_memory(found);
    } else {
        text = wy_arena_take(arena, size + 1, 1);
        if (text && read(from, type, text) < 0) text = NULL;
    }
    return text;
}

static herr_t read_attribute(hid_t from, hid_t type, void *out) {
    return H5Aread(from, type, out);
}

static herr_t read_data(hid_t from, hid_t type, void *out) {
    return H5Dread(from, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, out);
}

static bool is_scalar(hid_t space) {
    const bool scalar = H5Sget_simple_extent_type(space) == H5S_SCALAR;
    H5Sclose(space);
    return scalar;
}

char *wy_h5_get_text(hid_t where, const char *name, wy_arena *arena) {
    if (H5Aexists(where, name) <= 0) return NULL;
    const hid_t from = H5Aopen(where, name, H5P_DEFAULT), type = H5Aget_type(from);
    char *text = is_scalar(H5Aget_space(from)) ? text_of(from, type, read_attribute, arena) : NULL;
    H5Tclose(type);
    H5Aclose(from);
    return text;
}

char *wy_h5_get_data_text(hid_t where, const char *name, wy_arena *arena) {
    if (H5Lexists(where, name, H5P_DEFAULT) <= 0) return NULL;
    const hid_t from = H5Dopen2(where, name, H5P_DEFAULT), type = H5Dget_type(from);
    char *text = is_scalar(H5Dget_space(from)) ? text_of(from, type, read_data, arena) : NULL;
    H5Tclose(type);
    H5Dclose(from);
    return text;
}

double wy_h5_get_number(hid_t where, const char *name) {
    double value = 0;
    if (H5Aexists(where, name) <= 0) return 0;
    const hid_t from = H5Aopen(where, name, H5P_DEFAULT);
    if (is_scalar(H5Aget_space(from)) && H5Aread(from, H5T_NATIVE_DOUBLE, &value) < 0) value = 0;
    H5Aclose(from);
    return value;
}

#else
typedef int wy_no_hdf5_door; /* an empty file is not C */
#endif
