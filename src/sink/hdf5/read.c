/* read.c - result files read back, row by row (the contents are in layout.h, the format in store.h). */
#include "sink/hdf5/read.h"
#include "observe/observe.h"
#include "sink/hdf5/store.h"

/* ---- checksums --------------------------------------------------------------------------------- */

bool wy_sums_next(wy_sums *b, int64_t rows) {
    b->first += b->count;
    const uint64_t left = (uint64_t)rows - b->first;
    b->count = left < WY_SUMS ? left : WY_SUMS;
    memset(b->sum, 0, sizeof b->sum);
    return b->count > 0;
}

bool wy_sums_get(wy_store *store, const wy_rows *rows, wy_sums *b, double *out) {
    if (!wy_rows_get(store, rows, b->first, b->count, out)) return false;
    for (uint64_t i = 0; i < b->count; i++)
        b->sum[i] += wy_check_row(rows->seed, out + i * rows->size, (size_t)rows->size);
    return true;
}

bool wy_sums_check(wy_store *store, const wy_rows *check, const wy_sums *b, const char *what) {
    double requested[WY_SUMS];
    if (!check->there) return true;
    if (!wy_rows_get(store, check, b->first, b->count, requested)) return false;
    for (uint64_t i = 0; i < b->count; i++)
        if (requested[i] != wy_check_number(b->sum[i]))
            return wy_store_fail(store, "%s %llu has a wrong checksum: the file is damaged", what,
                                 (unsigned long long)(b->first + i + 1));
    return true;
}

/* ---- what is in it --------------------------------------------------------------------------- */

const char *withy_result_text(const withy_result *r, const char *name) {
    if (!r || !name) return "";
    for (int i = 0; i < WY_RESULT_TEXTS; i++)
        if (strcmp(wy_result_text_name[i], name) == 0) return r->text[i] ? r->text[i] : "";
    return "";
}

int withy_result_parameter(const withy_result *r, int index, withy_parameter *parameter) {
    if (!r || !parameter || index < 0 || index >= r->parameters) return 0;
    *parameter = r->parameter[index];
    return 1;
}

const void *wy_result_state(withy_result *r, size_t *size) {
    return wy_state_read(&r->file.root, &r->file.arena, size);
}

int withy_result_rods(const withy_result *r) {
    return r ? r->rods : 0;
}

int withy_result_rod_at(const withy_result *r, int rod, withy_result_rod *info) {
    if (!r || !info || rod < 0 || rod >= r->rods) return 0;
    *info = r->rod[rod].info;
    return 1;
}

int64_t withy_result_count(const withy_result *r) {
    return r ? r->count : 0;
}

static bool read_fields(withy_result *r, wy_rod_reader *rod, uint64_t k) {
    int fields;
    wy_sums b = {.first = k, .count = 1};
    const withy_quantity *quantity = withy_quantity_list(WITHY_OF_ROD, &fields);
    for (int i = 0; i < fields; i++)
        if (rod->field[i].there && !wy_sums_get(&r->file.store, &rod->field[i], &b,
                                                wy_quantity_array(&quantity[i], &rod->snap)))
            return false;
    return wy_sums_check(&r->file.store, &rod->field_check, &b, "row");
}

static bool read_ledger(withy_result *r, wy_rod_reader *rod, uint64_t k) {
    int entries;
    wy_sums b = {.first = k, .count = 1};
    double value[WY_QUANTITY_SIZE];
    const withy_quantity *entry = withy_quantity_list(WITHY_OF_LEDGER, &entries);
    for (int i = 0; i < entries; i++) {
        if (!rod->ledger[i].there) continue;
        if (!wy_sums_get(&r->file.store, &rod->ledger[i], &b, value)) return false;
        wy_quantity_put(&entry[i], &rod->snap, value);
    }
    return wy_sums_check(&r->file.store, &rod->ledger_check, &b, "row");
}

int withy_result_bodies(const withy_result *r) {
    return r ? r->parts.now.body_count : 0;
}

int withy_result_joints(const withy_result *r) {
    return r ? r->parts.now.joint_count : 0;
}

int withy_result_body_at(const withy_result *r, int body, withy_body *info) {
    if (body < 0 || body >= withy_result_bodies(r) || !info) return 0;
    *info = r->parts.body[body];
    return 1;
}

int withy_result_joint_at(const withy_result *r, int joint, withy_joint *info) {
    if (joint < 0 || joint >= withy_result_joints(r) || !info) return 0;
    *info = r->parts.joint[joint];
    return 1;
}

static bool read_time(withy_result *r, wy_sums *b, double *t, double *step) {
    return wy_sums_get(&r->file.store, &r->step, b, step) &&
           wy_sums_get(&r->file.store, &r->time, b, t) &&
           wy_sums_check(&r->file.store, &r->check, b, "row");
}

const withy_snapshot *withy_result_at(withy_result *r, int rod, int64_t k, withy_error *err) {
    if (!r) {
        wy_bad_input(err, "withy_result_at: the argument result is NULL");
        return NULL;
    }
    if (rod < 0 || rod >= r->rods || k < 0 || k >= r->count) {
        wy_bad_input(
            err, "%s: snapshot %lld of rod %d was requested; it holds %lld snapshots of %d rods",
            r->file.path, (long long)k, rod + 1, (long long)r->count, r->rods);
        return NULL;
    }
    wy_rod_reader *from = &r->rod[rod];
    wy_sums row = {.first = (uint64_t)k, .count = 1};
    double step;
    if (!read_fields(r, from, (uint64_t)k) || !read_ledger(r, from, (uint64_t)k) ||
        !read_time(r, &row, &from->snap.t, &step)) {
        wy_opened_damaged(&r->file, "a snapshot", err);
        return NULL;
    }
    from->snap.step = fabs(step) < 9e18 ? (int64_t)step : 0; /* a number of any size may be there */
    return &from->snap;
}

const withy_parts *withy_result_parts_at(withy_result *r, int64_t k, withy_error *err) {
    const withy_parts *now = r ? &r->parts.now : NULL;
    if (!r || k < 0 || k >= r->count ||
        now->body_count + now->joint_count + now->obstacle_count + now->contact_room == 0) {
        wy_bad_input(
            err, "withy_result_parts_at: there is no snapshot %lld of bodies, joints or obstacles",
            (long long)k);
        return NULL;
    }
    wy_sums row = {.first = (uint64_t)k, .count = 1};
    double step;
    if (!wy_parts_read(&r->parts, (uint64_t)k) || !read_time(r, &row, &r->parts.now.t, &step)) {
        wy_opened_damaged(&r->file, "a snapshot of the bodies", err);
        return NULL;
    }
    if (!wy_contacts_of(&r->parts, (uint64_t)k, r->parts.now.t, &r->file.arena)) {
        wy_opened_damaged(&r->file, "contacts", err);
        return NULL;
    }
    r->parts.now.step = fabs(step) < 9e18 ? (int64_t)step : 0;
    return &r->parts.now;
}

int withy_result_obstacles(const withy_result *r) {
    return r ? r->parts.now.obstacle_count : 0;
}

int withy_result_obstacle_at(const withy_result *r, int obstacle, withy_obstacle *info) {
    if (!r || !info || obstacle < 0 || obstacle >= r->parts.now.obstacle_count) return 0;
    *info = r->parts.obstacle[obstacle];
    return 1;
}

int withy_result_tendons(const withy_result *r) {
    return r ? r->parts.tendon_count : 0;
}

int withy_result_tendon_at(const withy_result *r, int tendon, withy_result_tendon *info) {
    if (!r || !info || tendon < 0 || tendon >= r->parts.tendon_count) return 0;
    *info = r->parts.tendon[tendon];
    return 1;
}

int64_t withy_result_contacts(const withy_result *r) {
    return r ? (int64_t)r->parts.touches : 0;
}

withy_status withy_result_contact_read(withy_result *r, int64_t first, int64_t count,
                                       withy_contact_state *contacts, withy_error *err) {
    WY_NEED(r);
    if (count > 0) WY_NEED(contacts);
    if (first < 0 || count < 0 || (uint64_t)first + (uint64_t)count > r->parts.touches)
        return wy_bad_input(err, "%s: contacts %lld .. %lld were requested; it holds %lld",
                            r->file.path, (long long)first + 1, (long long)(first + count),
                            (long long)r->parts.touches);
    for (int64_t i = 0; i < count; i++)
        if (!wy_contacts_read(&r->parts, (uint64_t)(first + i), &contacts[i]))
            return wy_opened_damaged(&r->file, "a contact", err);
    return WITHY_OK;
}

withy_status withy_result_times(withy_result *r, double *t, withy_error *err) {
    WY_NEED(r, t);
    double step[WY_SUMS];
    for (wy_sums b = {0}; wy_sums_next(&b, r->count);)
        if (!read_time(r, &b, t + b.first, step)) return wy_opened_damaged(&r->file, "time", err);
    return WITHY_OK;
}

int withy_result_ledger_at(const withy_result *r, int rod, int index, withy_result_entry *out) {
    if (!r || !out) return 0;
    int count;
    const withy_quantity *entry = withy_quantity_list(WITHY_OF_LEDGER, &count);
    if (rod < 0 || rod >= r->rods || index < 0) return 0;
    for (int i = 0; i < count; i++) {
        if (!r->rod[rod].ledger[i].there || index-- > 0) continue;
        *out = (withy_result_entry){entry[i].name, entry[i].unit, entry[i].doc, entry[i].size};
        return 1;
    }
    return 0;
}

/* One entry can only be checked with the others of its row. */
static bool check_ledger(withy_result *r, wy_rod_reader *rod) {
    int entries;
    double value[WY_SUMS * WY_QUANTITY_SIZE];
    withy_quantity_list(WITHY_OF_LEDGER, &entries);
    if (rod->ledger_good || !rod->ledger_check.there) return true;
    for (wy_sums b = {0}; wy_sums_next(&b, r->count);) {
        for (int i = 0; i < entries; i++)
            if (rod->ledger[i].there && !wy_sums_get(&r->file.store, &rod->ledger[i], &b, value))
                return false;
        if (!wy_sums_check(&r->file.store, &rod->ledger_check, &b, "row")) return false;
    }
    rod->ledger_good = true;
    return true;
}

withy_status withy_result_ledger_read(withy_result *r, int rod, const char *name, double *value,
                                      withy_error *err) {
    WY_NEED(r, name, value);
    int count;
    const withy_quantity *entry = withy_quantity_list(WITHY_OF_LEDGER, &count);
    for (int i = 0; rod >= 0 && rod < r->rods && i < count; i++) {
        const wy_rows *rows = &r->rod[rod].ledger[i];
        if (strcmp(entry[i].name, name) != 0 || !rows->there) continue;
        if (check_ledger(r, &r->rod[rod]) &&
            wy_rows_get(&r->file.store, rows, 0, (uint64_t)r->count, value))
            return WITHY_OK;
        return wy_opened_damaged(&r->file, name, err);
    }
    return wy_fail(err, WITHY_MISSING, "%s: holds no %s of rod %d", r->file.path, name, rod + 1);
}

int withy_result_probe_at(const withy_result *r, int index, withy_result_probe *probe) {
    if (!r || !probe || index < 0 || index >= r->probes) return 0;
    *probe = r->probe[index].info;
    return 1;
}

static bool read_samples(withy_result *r, const wy_probe_reader *probe, double *t, double *value) {
    for (wy_sums b = {0}; wy_sums_next(&b, probe->info.count);)
        if (!wy_sums_get(&r->file.store, &probe->value, &b,
                         value + b.first * (uint64_t)probe->info.size) ||
            !wy_sums_get(&r->file.store, &probe->time, &b, t + b.first) ||
            !wy_sums_check(&r->file.store, &probe->check, &b, "row"))
            return false;
    return true;
}

withy_status withy_result_probe_read(withy_result *r, int index, double *t, double *value,
                                     withy_error *err) {
    WY_NEED(r, t, value);
    if (index < 0 || index >= r->probes)
        return wy_bad_input(err, "%s: has %d probes, number %d was requested", r->file.path,
                            r->probes, index + 1);
    const wy_probe_reader *probe = &r->probe[index];
    return read_samples(r, probe, t, value) ? WITHY_OK
                                            : wy_opened_damaged(&r->file, probe->info.name, err);
}
