/* sbp.c - difference operators with summation by parts on a staggered grid.
 *
 * Interior coefficients: the standard staggered differences and midpoint interpolations of order
 * 2, 4, 6.  Closures of Q for order 4 and 6: the tables below (exact summation by
 * parts, exact for polynomials of degree 2 and 3 at the ends; the order-6 table comes from a
 * numerical optimisation that keeps the spectral radius below the interior one).  Entries below
 * 1e-12 of the optimiser are zero here, and the largest entry of a row closes its sum, so that a
 * shifted rod has exactly no strain.  The interpolation I is closed by Lagrange polynomials through
 * the first `order` halves; it need not sum by parts, because the scheme takes the exact gradient
 * of the energy it defines.
 */
#include "numeric/interpolate/sbp.h"

#include <math.h>

enum { MOST_ROWS = 6, MOST_COLS = 9 };

typedef struct closure {
    int rows, cols;
    double q[MOST_ROWS][MOST_COLS];
    double node[MOST_ROWS], half[MOST_ROWS];
} closure;

static const closure order2 = {1, 2, {{-1, 1}}, {0.5}, {1}};

static const closure order4 = {
    4,
    6,
    {{-1.0993626912008005, 1.1141545508619324, -0.02218778949170025, 0.0073959298305689425},
     {0.06385445615835983, -1.0406630843643792, 1.0406630843643883, -0.06385445615837287},
     {0.0506346221376682, -0.11023719974633073, -1.0406630843643867, 1.1419323286397192, -1.0 / 24},
     {-0.015126387095227387, 0.03674573324877653, 0.02218778949170025, -1.1271404689785822, 9.0 / 8,
      -1.0 / 24}},
    {0.38025546085198564, 1.1509002841107105, 0.9740997158892866, 0.9947445391480143},
    {1.0919667613702368, 0.8490997158892937, 1.0675669507773702, 0.9913665719630964}};

static const closure order6 = {
    6,
    9,
    {{-1.1278782135112686, 1.1057029760860406, 0.00828598776918349, 0.022659550757947455,
      -0.0028595927439682006, -0.005910708357923705},
     {0.08064113301797743, -0.9334348704854943, 0.9791098793974091, -0.11878971180082579,
      -0.027769053185748127, 0.020242623056692416},
     {0.07786828074356478, -0.27388107805063233, -0.9164259171999429, 1.0401059231457113,
      0.08836106913202657, -0.01602827777073689},
     {-0.026648244454581083, 0.09769320867516401, -0.08194717118251399, -0.9822600492964205,
      1.0537802443737352, -0.06530548811537723, 3.0 / 640},
     {-0.006077565682832048, 0.014599046431033103, -0.0025992853727132004, 0.03202090102688643,
      -1.1329913144650758, 1.1554648847293547, -25.0 / 384, 3.0 / 640},
     {0.0020946098871417185, -0.01067928265610546, 0.013576506588578174, 0.006263386166699067,
      0.02616614688902999, -1.148879700208676, 75.0 / 64, -25.0 / 384, 3.0 / 640}},
    {0.3574042521542539, 1.1831176281176685, 1.0420980770979813, 0.8259574784576176,
     1.118965705215639, 0.9724568589568763},
    {1.149261691132779, 0.6585526554472603, 1.2868877446611053, 0.9037372553388601,
     0.993009844552825, 1.0085508088672184}};

static const closure *closure_of(int order) {
    return order == 2 ? &order2 : order == 4 ? &order4 : &order6;
}

int wy_sbp_least_n(int order) {
    return order == 2 ? 4 : order == 4 ? 12 : 18;
}

/* Row j of the closure; the largest entry is what makes the row sum vanish. */
static double closed_entry(const closure *table, int j, int i) {
    if (i >= table->cols) return 0.0;
    int largest = 0;
    double others = 0.0;
    for (int k = 1; k < table->cols; k++)
        if (fabs(table->q[j][k]) > fabs(table->q[j][largest])) largest = k;
    if (i != largest) return table->q[j][i];
    for (int k = 0; k < table->cols; k++)
        if (k != largest) others += table->q[j][k];
    return -others;
}

double wy_sbp_q_entry(const wy_sbp *op, int j, int i) {
    const closure *table = closure_of(op->order);
    if (j < 0 || j >= op->n || i < 0 || i > op->n) return 0.0;
    if (j < table->rows) return closed_entry(table, j, i);
    if (op->n - 1 - j < table->rows) return -closed_entry(table, op->n - 1 - j, op->n - i);
    const int ahead = i - (j + 1), behind = j - i;
    if (ahead >= 0) return ahead < op->reach ? op->c[ahead] : 0.0;
    return behind < op->reach ? -op->c[behind] : 0.0;
}

/* Weight of half j in the Lagrange polynomial through halves 0 .. count-1, at node i. */
static double lagrange(int count, int i, int j) {
    double weight = 1.0;
    for (int k = 0; k < count; k++)
        if (k != j) weight *= (i - (k + 0.5)) / (double)(j - k);
    return weight;
}

double wy_sbp_i_entry(const wy_sbp *op, int i, int j) {
    if (j < 0 || j >= op->n || i < 0 || i > op->n) return 0.0;
    if (i < op->reach) return j < op->order ? lagrange(op->order, i, j) : 0.0;
    if (op->n - i < op->reach) {
        const int mirrored = op->n - 1 - j;
        return mirrored < op->order ? lagrange(op->order, op->n - i, mirrored) : 0.0;
    }
    const int ahead = j - i, behind = i - 1 - j;
    if (ahead >= 0) return ahead < op->reach ? op->e[ahead] : 0.0;
    return behind < op->reach ? op->e[behind] : 0.0;
}

double wy_sbp_node_weight(const wy_sbp *op, int i) {
    const closure *table = closure_of(op->order);
    const int from_end = i < op->n - i ? i : op->n - i;
    return from_end < table->rows ? table->node[from_end] : 1.0;
}

double wy_sbp_half_weight(const wy_sbp *op, int j) {
    const closure *table = closure_of(op->order);
    const int from_end = j < op->n - 1 - j ? j : op->n - 1 - j;
    return from_end < table->rows ? table->half[from_end] : 1.0;
}

static double qt_entry(const wy_sbp *op, int i, int j) {
    return wy_sbp_q_entry(op, j, i);
}
static double it_entry(const wy_sbp *op, int j, int i) {
    return wy_sbp_i_entry(op, i, j);
}

/* Left (end = 0) or right block of an operator with `rows` rows and `cols` columns in all. */
static void make_block(const wy_sbp *op, double (*entry)(const wy_sbp *, int, int), int rows,
                       int cols, int end, wy_sbp_block *block) {
    block->cols = WY_SBP_COLS < cols ? WY_SBP_COLS : cols;
    const int row0 = end ? rows - WY_SBP_ROWS : 0, col0 = end ? cols - block->cols : 0;
    for (int c = 0; c < block->cols; c++)
        for (int r = 0; r < WY_SBP_ROWS; r++) block->m[c][r] = entry(op, row0 + r, col0 + c);
    /* columns that no row needs cost time: drop them from the far side */
    int used = block->cols;
    for (; used > 1; used--) {
        const int c = end ? block->cols - used : used - 1;
        int needed = 0;
        for (int r = 0; r < WY_SBP_ROWS; r++) needed |= block->m[c][r] != 0.0;
        if (needed) break;
    }
    if (end)
        for (int c = 0; c < used; c++)
            for (int r = 0; r < WY_SBP_ROWS; r++)
                block->m[c][r] = block->m[block->cols - used + c][r];
    block->cols = used;
}

/* ---- rows ------------------------------------------------------------------------------------ */

static void make_row(const wy_sbp *op, double (*entry)(const wy_sbp *, int, int), int row,
                     int columns, int at, wy_sbp_rows *rows) {
    int first = row - WY_SBP_REACH > 0 ? row - WY_SBP_REACH : 0;
    int last = row + WY_SBP_REACH < columns - 1 ? row + WY_SBP_REACH : columns - 1;
    while (first < last && entry(op, row, first) == 0.0) first++;
    while (last > first && entry(op, row, last) == 0.0) last--;
    rows->first[at] = first, rows->used[at] = last - first + 1;
    for (int c = first; c <= last; c++) rows->weight[at][c - first] = entry(op, row, c);
}

static void make_rows(const wy_sbp *op, double (*entry)(const wy_sbp *, int, int), int count,
                      int columns, wy_sbp_rows *rows) {
    rows->count = count;
    for (int i = 0; i <= WY_SBP_EDGE && i < count; i++) make_row(op, entry, i, columns, i, rows);
    for (int i = 0; i < WY_SBP_EDGE && i < count; i++)
        make_row(op, entry, count - 1 - i, columns, 2 * WY_SBP_EDGE - i, rows);
}

wy_sbp_row wy_sbp_row_of(const wy_sbp_rows *rows, int i) {
    const int after = rows->count - 1 - i, middle = i > WY_SBP_EDGE && after >= WY_SBP_EDGE;
    const int at = i <= WY_SBP_EDGE ? i : middle ? WY_SBP_EDGE : 2 * WY_SBP_EDGE - after;
    return (wy_sbp_row){rows->first[at] + (middle ? i - WY_SBP_EDGE : 0), rows->used[at],
                        rows->weight[at]};
}

void wy_sbp_make(int order, int n, wy_sbp *op) {
    static const double c[3][3] = {{1}, {9.0 / 8, -1.0 / 24}, {75.0 / 64, -25.0 / 384, 3.0 / 640}};
    static const double e[3][3] = {
        {0.5}, {9.0 / 16, -1.0 / 16}, {150.0 / 256, -25.0 / 256, 3.0 / 256}};
    *op = (wy_sbp){.order = order, .n = n, .reach = order / 2};
    op->rows = order == 2 ? 0 : closure_of(order)->rows;
    for (int l = 0; l < op->reach; l++) {
        op->c[l] = c[op->reach - 1][l], op->e[l] = e[op->reach - 1][l];
        op->sigma += 2.0 * fabs(op->c[l]);
    }
    for (int end = 0; end < 2 && order > 2; end++) {
        make_block(op, wy_sbp_q_entry, n, n + 1, end, &op->q[end]);
        make_block(op, qt_entry, n + 1, n, end, &op->qt[end]);
        make_block(op, wy_sbp_i_entry, n + 1, n, end, &op->i[end]);
        make_block(op, it_entry, n, n + 1, end, &op->it[end]);
    }
    make_rows(op, wy_sbp_q_entry, n, n + 1, &op->row_q);
    make_rows(op, qt_entry, n + 1, n, &op->row_qt);
    make_rows(op, wy_sbp_i_entry, n + 1, n, &op->row_i);
    make_rows(op, it_entry, n, n + 1, &op->row_it);
}
