/* head.c - a result file as it is before the first snapshot: texts, groups, empty
 * columns. */
#include "sink/hdf5/hdf5.h"

#include "observe/observe.h"
#include "sink/hdf5/store.h"
#include "sink/superblock.h"

enum { EXPECT_UNKNOWN = 1024, MEMORY_STEP = 64 * 1024, ROOT_LINKS = 16, GROUP_LINKS = 24 };

/* Arguments passed between the functions below. */
typedef struct builder {
    hid_t file;
    wy_h5_tables *tables;
    wy_arena *arena;
    const wy_sink_meta *meta;
} builder;

hid_t wy_h5_timeless(void) {
    const hid_t plan = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_obj_track_times(plan, 0);
    return plan;
}

/* ---- the parts that do not grow --------------------------------------------------------- */

/* A text with its room in bytes; `checked`: with its checksum. */
static int make_data(hid_t where, const char *name, const char *text, size_t room, bool checked) {
    const hid_t type = wy_h5_text_type(room), space = H5Screate(H5S_SCALAR);
    const hid_t plan = wy_h5_timeless();
    const hid_t data = H5Dcreate2(where, name, type, space, H5P_DEFAULT, plan, H5P_DEFAULT);
    H5Pclose(plan);
    int done = data < 0 ? -1 : H5Dwrite(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text);
    const double check = wy_check_number(wy_check_bytes(text, strlen(text)));
    if (done >= 0 && checked) done = wy_h5_number(data, WY_CHECK, check);
    if (data >= 0) H5Dclose(data);
    H5Sclose(space);
    H5Tclose(type);
    return done;
}

int wy_h5_make_text(hid_t where, const char *name, const char *text) {
    if (!text) text = "";
    return make_data(where, name, text, strlen(text), true);
}

int wy_h5_make_notes(hid_t file, const char *text, const char *data) {
    const int made = wy_h5_make_text(file, "notes", text);
    return made < 0 ? made : wy_h5_make_text(file, "note_data", data);
}

/* With room to spare and no checksum, so that it can be overwritten where it stands even when the disk
 * is full. */
int wy_h5_make_status(hid_t file) {
    static const char running[WY_H5_STATUS] = "running";
    return make_data(file, "status", running, sizeof running, false);
}

uint64_t wy_h5_place_at(hid_t file, const char *name) {
    const hid_t data = H5Dopen2(file, name, H5P_DEFAULT);
    if (data < 0) return 0;
    const haddr_t at = H5Dget_offset(data);
    H5Dclose(data);
    return at == HADDR_UNDEF ? 0 : at;
}

/* Links and attributes stay in the header of the group, however many, and keep their order. */
static void keep_inside(hid_t plan, int links) {
    enum { MOST = 65535, NAME = 12 };
    H5Pset_obj_track_times(plan, 0);
    H5Pset_link_phase_change(plan, MOST, 0);
    H5Pset_attr_phase_change(plan, MOST, 0);
    H5Pset_est_link_info(plan, links < MOST ? (unsigned)links : MOST, NAME);
    H5Pset_link_creation_order(plan, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
}

hid_t wy_h5_group(hid_t where, const char *name, int links) {
    const hid_t plan = H5Pcreate(H5P_GROUP_CREATE);
    keep_inside(plan, links);
    const hid_t group = H5Gcreate2(where, name, H5P_DEFAULT, plan, H5P_DEFAULT);
    H5Pclose(plan);
    return group;
}

static int put_option(hid_t group, const builder *b, int i) {
    return wy_h5_text(group, b->meta->option[i].name, b->meta->option[i].value);
}
static int put_parameter(hid_t group, const builder *b, int i) {
    return wy_h5_number(group, b->meta->parameter[i].name, b->meta->parameter[i].value);
}

/* A group of `count` attributes. */
static int make_list(const builder *b, const char *name, int count,
                     int (*put)(hid_t group, const builder *b, int i)) {
    const hid_t group = wy_h5_group(b->file, name, 0);
    int done = group < 0 ? -1 : 0;
    for (int i = 0; i < count && done >= 0; i++) done = put(group, b, i);
    if (group >= 0) H5Gclose(group);
    return done;
}

static int make_options(builder *b) {
    return make_list(b, "options", b->meta->option_count, put_option);
}

/* Files of problems without parameters have no such group. */
static int make_parameters(builder *b) {
    if (b->meta->parameter_count == 0) return 0;
    return make_list(b, "params", b->meta->parameter_count, put_parameter);
}

int wy_h5_make_place(hid_t where, const char *name, hid_t type, hsize_t count) {
    const hid_t plan = wy_h5_timeless(), space = H5Screate_simple(1, &count, NULL);
    H5Pset_alloc_time(plan, H5D_ALLOC_TIME_EARLY);
    const hid_t data = H5Dcreate2(where, name, type, space, H5P_DEFAULT, plan, H5P_DEFAULT);
    if (data >= 0) H5Dclose(data);
    H5Sclose(space);
    H5Pclose(plan);
    return data < 0 ? -1 : 0;
}

static int make_restart(builder *b) {
    static const char none[WY_H5_HASH] = "";
    const wy_sink_meta *meta = b->meta;
    if (meta->state_size == 0) return 0;
    const hid_t group = wy_h5_group(b->file, "restart", 4);
    const hsize_t words = wy_state_words(meta->state_size);
    int done = group < 0 ? -1 : wy_h5_number(group, "source", (double)meta->source);
    if (done >= 0) done = wy_h5_make_text(group, "set", meta->set);
    if (done >= 0) done = make_data(group, "hash", none, sizeof none, false);
    if (done >= 0) done = wy_h5_make_place(group, "state0", H5T_STD_I64LE, words);
    if (done >= 0) done = wy_h5_make_place(group, "state1", H5T_STD_I64LE, words);
    if (group >= 0) H5Gclose(group);
    return done;
}

static int make_request(builder *b) {
    const withy_request *request = &b->meta->request;
    const hid_t group = wy_h5_group(b->file, "request", 0);
    if (group < 0) return -1;
    int done = wy_h5_number(group, "stop", request->stop);
    if (done >= 0) done = wy_h5_number(group, "output", request->output);
    if (done >= 0) done = wy_h5_number(group, "stations", request->stations);
    H5Gclose(group);
    return done;
}

static int make_texts(builder *b) {
    const wy_sink_meta *meta = b->meta;
    const struct {
        const char *name, *text;
    } attribute[] = {{"format", WY_H5_FORMAT}, {"title", meta->title},
                     {"method", meta->method}, {"version", meta->version},
                     {"axis", meta->axis},     {"scene_name", meta->scene_name}};
    for (size_t i = 0; i < sizeof attribute / sizeof *attribute; i++)
        if (wy_h5_text(b->file, attribute[i].name, attribute[i].text) < 0) return -1;
    if (wy_h5_make_status(b->file) < 0) return -1;
    if (wy_h5_make_text(b->file, "scene", meta->scene_text) < 0) return -1;
    if (wy_h5_make_notes(b->file, meta->notes, meta->note_data) < 0) return -1;
    if (make_options(b) < 0 || make_parameters(b) < 0 || make_restart(b) < 0) return -1;
    return make_request(b);
}

/* ---- the parts that grow ---------------------------------------------------------------- */

/* How many rows to expect; only the sizes of chunks and buffers depend on it. */
static hsize_t expected(double stop, double every) {
    const double rows = every > 0 ? stop / every + 2 : EXPECT_UNKNOWN;
    return rows >= 1 && rows < EXPECT_UNKNOWN ? (hsize_t)rows : EXPECT_UNKNOWN;
}

static hsize_t expected_snapshots(const builder *b) {
    return expected(b->meta->request.stop, b->meta->request.output);
}

static int make_time(builder *b) {
    /* step first: what is added last is flushed last, and the length of time counts */
    static const wy_column_info column[] = {{"step", "-", "steps since the start", 1, 1, 1},
                                            {"time", "s", "time of the snapshots", 1, 1, 0}};
    wy_table *time = &b->tables->time;
    if (wy_table_open(time, b->arena, 2, expected_snapshots(b)) < 0) return -1;
    if (wy_table_check(time, b->arena, b->file) < 0) return -1;
    for (int i = 0; i < 2; i++)
        if (wy_table_add(time, b->arena, b->file, &column[i]) < 0) return -1;
    return wy_table_ready(time, b->arena);
}

int wy_h5_make_list(hid_t where, const wy_column_info *info, const double *value) {
    const hsize_t count = (hsize_t)(info->stations * info->size);
    const uint64_t seed = wy_check_bytes(info->name, strlen(info->name));
    const double check = wy_check_number(wy_check_row(seed, value, (size_t)count));
    const hid_t space = H5Screate_simple(1, &count, NULL);
    const hid_t plan = wy_h5_timeless();
    const hid_t data =
        H5Dcreate2(where, info->name, H5T_IEEE_F64LE, space, H5P_DEFAULT, plan, H5P_DEFAULT);
    H5Pclose(plan);
    int done = -1;
    if (data >= 0 && wy_h5_text(data, "unit", info->unit) >= 0 &&
        wy_h5_text(data, "doc", info->doc) >= 0)
        done = H5Dwrite(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, value);
    if (done >= 0) done = wy_h5_number(data, WY_CHECK, check);
    if (data >= 0) H5Dclose(data);
    H5Sclose(space);
    return done;
}

static int make_arc(hid_t group, const withy_snapshot *first) {
    const wy_column_info info = {"s", "m", "arc length of the stations", first->count, 1, 0};
    return wy_h5_make_list(group, &info, first->s);
}

/* The quantities of one kind that are there. */
static int add_columns(builder *b, wy_table *table, hid_t group, int of,
                       const withy_snapshot *first) {
    const int stations = of == WITHY_OF_ROD ? first->count : 1;
    if (wy_table_check(table, b->arena, group) < 0) return -1;
    for (const withy_quantity *q = NULL; (q = wy_quantity_after(of, q)) != NULL;) {
        if (!wy_quantity_in(q, first->have)) continue;
        const wy_column_info info = {q->name, q->unit, q->doc, stations, q->size, q->whole};
        if (wy_table_add(table, b->arena, group, &info) < 0) return -1;
    }
    return 0;
}

/* Length, section and ends, so that a rod can be drawn as thick as it is (the section at s = 0) and as it is held. */
static int make_section(hid_t group, const withy_rod *rod) {
    double a[WITHY_FIELD_MAX] = {0}, b[WITHY_FIELD_MAX] = {0};
    if (!rod) return 0;
    if (withy_field_at(&rod->section.a, 0, 0, a, NULL) != WITHY_OK) a[0] = 0;
    if (withy_field_at(&rod->section.b, 0, 0, b, NULL) != WITHY_OK) b[0] = 0;
    int done = wy_h5_number(group, "length", rod->length);
    if (done >= 0)
        done = wy_h5_text(group, "section", wy_constructor_name("section", (int)rod->section.kind));
    if (done >= 0) done = wy_h5_number(group, "section_a", a[0]);
    if (done >= 0) done = wy_h5_number(group, "section_b", b[0]);
    if (done >= 0)
        done = wy_h5_text(group, "start", wy_constructor_name("end", (int)rod->end[0].kind));
    return done < 0
               ? done
               : wy_h5_text(group, "finish", wy_constructor_name("end", (int)rod->end[1].kind));
}

static int fill_rod(builder *b, int rod, hid_t group, hid_t ledger, const withy_snapshot *first) {
    const char *const *name = b->meta->rod_name;
    wy_table *table = &b->tables->rod[rod];
    int fields, entries;
    withy_quantity_list(WITHY_OF_ROD, &fields), withy_quantity_list(WITHY_OF_LEDGER, &entries);
    b->tables->have[rod] = first->have;
    b->tables->count[rod] = first->count;
    if (wy_h5_text(group, "name", name ? name[rod] : NULL) < 0) return -1;
    if (make_section(group, b->meta->rod ? &b->meta->rod[rod] : NULL) < 0) return -1;
    if (make_arc(group, first) < 0) return -1;
    if (wy_table_open(table, b->arena, fields + entries, expected_snapshots(b)) < 0) return -1;
    if (add_columns(b, table, group, WITHY_OF_ROD, first) < 0) return -1;
    if (add_columns(b, table, ledger, WITHY_OF_LEDGER, first) < 0) return -1;
    return wy_table_ready(table, b->arena);
}

static int make_rods(builder *b, const withy_snapshot *const *first) {
    const hid_t ledgers = wy_h5_group(b->file, "ledger", b->tables->rod_count);
    int done = ledgers < 0 ? -1 : 0;
    for (int rod = 0; rod < b->tables->rod_count && done >= 0; rod++) {
        char name[32];
        snprintf(name, sizeof name, "rod%d", rod + 1);
        const hid_t group = wy_h5_group(b->file, name, GROUP_LINKS);
        const hid_t ledger = wy_h5_group(ledgers, name, GROUP_LINKS);
        done = group < 0 || ledger < 0 ? -1 : fill_rod(b, rod, group, ledger, first[rod]);
        if (ledger >= 0) H5Gclose(ledger);
        if (group >= 0) H5Gclose(group);
    }
    if (ledgers >= 0) H5Gclose(ledgers);
    return done;
}

/* A name may hold anything; a link in HDF5 may not hold a slash or be a dot, and two names that come
 * out the same ("a/b", "a_b") need two links.  The reader goes by the attribute. */
static void link_name(hid_t group, const char *name, int number, char *link) {
    snprintf(link, WITHY_NAME, "%s", *name && strcmp(name, ".") != 0 ? name : "_");
    for (char *c = link; *c; c++)
        if (*c == '/') *c = '_';
    for (int more = number; H5Lexists(group, link, H5P_DEFAULT) > 0; more++)
        snprintf(link, WITHY_NAME, "probe%d", more + 1);
}

static int fill_probe(builder *b, hid_t group, wy_table *table, const withy_probe *probe) {
    const withy_quantity *q = withy_quantity_find((int)probe->of, probe->what);
    if (!q) return -1;
    const wy_column_info value = {"value", q->unit, q->doc, 1, q->size, 0};
    const wy_column_info time = {"t", "s", "time of the samples", 1, 1, 0};
    const hsize_t expect = expected(b->meta->request.stop, probe->every);
    if (wy_h5_text(group, "name", probe->name) < 0) return -1;
    if (wy_h5_text(group, "what", probe->what) < 0) return -1;
    if (wy_h5_number(group, "at", probe->at) < 0) return -1;
    if (wy_h5_number(group, "rod", probe->rod + 1) < 0) return -1;
    if (probe->of != WITHY_OF_ROD) {
        if (wy_h5_text(group, "of", wy_part_noun[probe->of]) < 0) return -1;
        const int part = probe->of == WITHY_OF_LEDGER ? probe->rod : probe->index;
        if (wy_h5_number(group, "part", part + 1) < 0) return -1;
    }
    if (wy_table_open(table, b->arena, 2, expect) < 0) return -1;
    if (wy_table_check(table, b->arena, group) < 0) return -1;
    if (wy_table_add(table, b->arena, group, &value) < 0) return -1;
    if (wy_table_add(table, b->arena, group, &time) < 0) return -1;
    return wy_table_ready(table, b->arena);
}

static int make_probes(builder *b) {
    const withy_probe *probe = b->meta->request.probe;
    const hid_t all = wy_h5_group(b->file, "probes", b->tables->probe_count);
    int done = all < 0 ? -1 : 0;
    for (int i = 0; i < b->tables->probe_count && done >= 0; i++) {
        char link[WITHY_NAME];
        link_name(all, probe[i].name, i, link);
        const hid_t group = wy_h5_group(all, link, GROUP_LINKS);
        done = group < 0 ? -1 : fill_probe(b, group, &b->tables->probe[i], &probe[i]);
        if (group >= 0) H5Gclose(group);
    }
    if (all >= 0) H5Gclose(all);
    return done;
}

/* ---- the file in memory ----------------------------------------------------------------- */

/* A kill can cut a write where a page of the system ends, and nowhere else: a structure that lies within one page is the old one
 * or the new one. */
static int keep_in_pages(hid_t plan) {
    enum { PAGE = 4096 };
    const int done = H5Pset_file_space_strategy(plan, H5F_FSPACE_STRATEGY_PAGE, false, 1);
    return done < 0 ? done : H5Pset_file_space_page_size(plan, PAGE);
}

hid_t wy_h5_make_file(int rods) {
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS), plan = H5Pcreate(H5P_FILE_CREATE);
    keep_inside(plan, ROOT_LINKS + rods);
    hid_t file = -1;
    if (keep_in_pages(plan) >= 0 &&
        H5Pset_libver_bounds(access, WY_H5_LIBRARY, WY_H5_LIBRARY) >= 0 &&
        H5Pset_fclose_degree(access, H5F_CLOSE_STRONG) >= 0 &&
        H5Pset_fapl_core(access, MEMORY_STEP, 0) >= 0)
        file = H5Fcreate("withy-head", H5F_ACC_TRUNC, plan, access);
    H5Pclose(plan);
    H5Pclose(access);
    return file;
}

int wy_h5_copy_image(hid_t file, wy_arena *arena, void **image, size_t *size) {
    if (H5Fflush(file, H5F_SCOPE_GLOBAL) < 0) return -1;
    const ssize_t bytes = H5Fget_file_image(file, NULL, 0);
    if (bytes <= 0) return -1;
    *size = (size_t)bytes;
    *image = wy_arena_alloc(arena, *size, 1);
    if (!*image || H5Fget_file_image(file, *image, *size) != bytes) return -1;
    wy_superblock_clear_times(*image, *size);
    return 0;
}

static bool take(wy_h5_tables *tables, wy_arena *arena, const wy_sink_meta *meta) {
    const size_t rods = (size_t)meta->rod_count;
    tables->rod_count = meta->rod_count;
    tables->probe_count = meta->request.probe_count;
    tables->all_count = meta->rod_count + WY_H5_PARTS + 1 + meta->request.probe_count;
    tables->all = wy_arena_alloc(arena, (size_t)tables->all_count, sizeof *tables->all);
    if (!tables->all) return false;
    tables->rod = tables->all, tables->part = tables->rod + rods;
    tables->contacts = tables->part + WY_H5_PARTS, tables->probe = tables->contacts + 1;
    tables->have = wy_arena_alloc(arena, rods, sizeof *tables->have);
    tables->count = wy_arena_alloc(arena, rods, sizeof *tables->count);
    return tables->have && tables->count;
}

int wy_h5_head(wy_h5_tables *tables, wy_arena *arena, const wy_sink_meta *meta,
               const withy_snapshot *const *first, void **image, size_t *size) {
    builder b = {.tables = tables, .arena = arena, .meta = meta};
    if (!take(tables, arena, meta)) return -1;
    b.file = wy_h5_make_file(meta->rod_count);
    if (b.file < 0) return -1;
    int done = make_texts(&b);
    if (done >= 0) done = make_rods(&b, first);
    const wy_h5_place place = {b.file, arena, expected_snapshots(&b)};
    if (done >= 0) done = wy_h5_parts(tables, &place, meta);
    if (done >= 0) done = wy_h5_tendons(&place, meta, first);
    if (done >= 0) done = make_probes(&b);
    if (done >= 0) done = make_time(&b);
    if (done >= 0) done = wy_h5_copy_image(b.file, arena, image, size);
    H5Fclose(b.file);
    return done;
}
