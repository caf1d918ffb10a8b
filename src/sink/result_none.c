/* result_none.c - results in a build without HDF5: none can be opened. */
#ifndef WITHY_HAVE_LIB_HDF5

#include "base/base.h"
#include "withy/result.h"

withy_status withy_result_open(const char *path, withy_result **result, withy_error *err) {
    *result = NULL;
    return wy_fail(err, WITHY_MISSING,
                   "%s: not in this build: reading results needs HDF5, which was not there when "
                   "withy was configured (make setup installs it)",
                   path);
}

/* None of these can be reached without a result. */
void withy_result_close(withy_result *r) {
    (void)r;
}
const char *withy_result_text(const withy_result *r, const char *name) {
    (void)r, (void)name;
    return "";
}
int withy_result_rods(const withy_result *r) {
    (void)r;
    return 0;
}
int withy_result_rod_at(const withy_result *r, int rod, withy_result_rod *info) {
    (void)r, (void)rod, (void)info;
    return 0;
}
int64_t withy_result_count(const withy_result *r) {
    (void)r;
    return 0;
}
const withy_snapshot *withy_result_at(withy_result *r, int rod, int64_t k, withy_error *err) {
    (void)r, (void)rod, (void)k;
    wy_fail(err, WITHY_MISSING, "not in this build: HDF5");
    return NULL;
}
withy_status withy_result_times(withy_result *r, double *t, withy_error *err) {
    (void)r, (void)t;
    return wy_fail(err, WITHY_MISSING, "not in this build: HDF5");
}
int withy_result_ledger_at(const withy_result *r, int rod, int index, withy_result_entry *out) {
    (void)r, (void)rod, (void)index, (void)out;
    return 0;
}
withy_status withy_result_ledger_read(withy_result *r, int rod, const char *name, double *value,
                                      withy_error *err) {
    (void)r, (void)rod, (void)name, (void)value;
    return wy_fail(err, WITHY_MISSING, "not in this build: HDF5");
}
int withy_result_probe_at(const withy_result *r, int index, withy_result_probe *probe) {
    (void)r, (void)index, (void)probe;
    return 0;
}
withy_status withy_result_probe_read(withy_result *r, int index, double *t, double *value,
                                     withy_error *err) {
    (void)r, (void)index, (void)t, (void)value;
    return wy_fail(err, WITHY_MISSING, "not in this build: HDF5");
}

#else
typedef int wy_has_hdf5; /* an empty file is not C */
#endif
