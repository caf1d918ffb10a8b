/* table.c - columns that grow together in an HDF5 file. */
#include "sink/hdf5/hdf5.h"

#include "sink/hdf5/store.h"

/* A chunk is the unit of allocation and of rewriting; a block is what waits in memory. */
enum { CHUNK_BYTES = 256 * 1024, CHUNK_ROWS = 1024, BLOCK_BYTES = 1024 * 1024, BLOCK_ROWS = 1024 };

static hsize_t rows_in(size_t bytes, size_t row, hsize_t most) {
    const hsize_t rows = bytes / row;
    return rows < 1 ? 1 : rows > most ? most : rows;
}

int wy_table_open(wy_table *table, wy_arena *arena, int room, hsize_t expect) {
    *table = (wy_table){.room = room, .expect = expect < 1 ? 1 : expect};
    table->column = wy_arena_alloc(arena, (size_t)room, sizeof *table->column);
    return table->column ? 0 : -1;
}

/* Rows without limit, one chunk a block of whole rows; never filled, since no row is published
 * before it is written. */
static hid_t create(wy_column *column, hid_t group, const wy_column_info *info,
                    hsize_t chunk_rows) {
    hsize_t most[WY_H5_RANK], chunk[WY_H5_RANK];
    memcpy(most, column->shape, sizeof most);
    memcpy(chunk, column->shape, sizeof chunk);
    most[0] = H5S_UNLIMITED;
    chunk[0] = chunk_rows;
    const hid_t plan = H5Pcreate(H5P_DATASET_CREATE);
    const hid_t space = H5Screate_simple(column->rank, column->shape, most);
    hid_t data = -1;
    if (H5Pset_chunk(plan, column->rank, chunk) >= 0 &&
        H5Pset_fill_time(plan, H5D_FILL_TIME_NEVER) >= 0)
        data = H5Dcreate2(group, info->name, info->whole ? H5T_STD_I64LE : H5T_IEEE_F64LE, space,
                          H5P_DEFAULT, plan, H5P_DEFAULT);
    H5Sclose(space);
    H5Pclose(plan);
    return data;
}

/* Where the data set is, so that it can be found again in the file on disk. */
static char *path_of(hid_t data, wy_arena *arena) {
    char path[256];
    const ssize_t length = H5Iget_name(data, path, sizeof path);
    return length > 0 && length < (ssize_t)sizeof path ? wy_arena_text(arena, path) : NULL;
}

static int describe(wy_column *column, const wy_table *table, wy_arena *arena, hid_t group,
                    const wy_column_info *info) {
    const size_t row = sizeof(double) * (size_t)info->stations * (size_t)info->size;
    const hsize_t most = table->expect < CHUNK_ROWS ? table->expect : CHUNK_ROWS;
    const hsize_t chunk_rows = rows_in(CHUNK_BYTES, row, most);
    *column = (wy_column){.size = info->stations * info->size, .rank = 1};
    column->seed = wy_check_bytes(info->name, strlen(info->name));
    if (info->stations > 1) column->shape[column->rank++] = (hsize_t)info->stations;
    if (info->size > 1) column->shape[column->rank++] = (hsize_t)info->size;
    const hid_t data = create(column, group, info, chunk_rows);
    if (data < 0) return -1;
    column->path = path_of(data, arena);
    int done = column->path ? wy_h5_text(data, "unit", info->unit) : -1;
    if (done >= 0) done = wy_h5_text(data, "doc", info->doc);
    H5Dclose(data);
    return done;
}

int wy_table_add(wy_table *table, wy_arena *arena, hid_t group, const wy_column_info *info) {
    return describe(&table->column[table->count++], table, arena, group, info);
}

int wy_table_check(wy_table *table, wy_arena *arena, hid_t group) {
    static const wy_column_info info = {WY_CHECK, "-", "checksum of the row", 1, 1, 1};
    wy_table_sum *sum = &table->sum[table->sums++];
    sum->from = table->count;
    return describe(&sum->column, table, arena, group, &info);
}

/* Checksums come first: they are on disk before the rows are counted. */
static wy_column *column_at(wy_table *table, int index) {
    return index < table->sums ? &table->sum[index].column : &table->column[index - table->sums];
}

static int columns(const wy_table *table) {
    return table->sums + table->count;
}

int wy_table_attach(wy_table *table, hid_t file) {
    for (int i = 0; i < columns(table); i++) {
        wy_column *column = column_at(table, i);
        column->data = H5Dopen2(file, column->path, H5P_DEFAULT);
        if (column->data < 0) return -1;
    }
    return 0;
}

int wy_table_ready(wy_table *table, wy_arena *arena) {
    size_t row = 0;
    for (int i = 0; i < columns(table); i++)
        row += sizeof(double) * (size_t)column_at(table, i)->size;
    const hsize_t most = table->expect < BLOCK_ROWS ? table->expect : BLOCK_ROWS;
    table->block = (int)rows_in(BLOCK_BYTES, row, most);
    for (int i = 0; i < columns(table); i++) {
        wy_column *column = column_at(table, i);
        column->stage =
            wy_arena_alloc(arena, (size_t)table->block * (size_t)column->size, sizeof(double));
        if (!column->stage) return -1;
    }
    return 0;
}

static int push(wy_column *column, hsize_t rows, hsize_t more) {
    hsize_t start[WY_H5_RANK] = {rows}, count[WY_H5_RANK];
    column->shape[0] = rows + more;
    if (H5Dset_extent(column->data, column->shape) < 0) return -1;
    memcpy(count, column->shape, sizeof count);
    count[0] = more;
    const hid_t file = H5Screate_simple(column->rank, column->shape, NULL);
    const hid_t memory = H5Screate_simple(column->rank, count, NULL);
    int done = -1;
    if (H5Sselect_hyperslab(file, H5S_SELECT_SET, start, NULL, count, NULL) >= 0)
        done = H5Dwrite(column->data, H5T_NATIVE_DOUBLE, memory, file, H5P_DEFAULT, column->stage);
    H5Sclose(memory);
    H5Sclose(file);
    return done;
}

/* Of the rows that wait. */
static void sum_up(wy_table *table, int which) {
    const wy_table_sum *sum = &table->sum[which];
    const int to = which + 1 < table->sums ? table->sum[which + 1].from : table->count;
    for (int row = 0; row < table->staged; row++) {
        uint64_t total = 0;
        for (int i = sum->from; i < to; i++) {
            const wy_column *c = &table->column[i];
            const size_t size = (size_t)c->size;
            total += wy_check_row(c->seed, c->stage + (size_t)row * size, size);
        }
        sum->column.stage[row] = wy_check_number(total);
    }
}

int wy_table_push(wy_table *table) {
    if (table->staged == 0) return 0;
    for (int i = 0; i < table->sums; i++) sum_up(table, i);
    for (int i = 0; i < columns(table); i++)
        if (push(column_at(table, i), table->rows, (hsize_t)table->staged) < 0) return -1;
    table->rows += (hsize_t)table->staged;
    table->staged = 0;
    return 0;
}

int wy_table_flush(wy_table *table) {
    if (wy_table_push(table) < 0) return -1;
    for (int i = 0; i < columns(table); i++)
        if (H5Dflush(column_at(table, i)->data) < 0) return -1;
    return 0;
}
