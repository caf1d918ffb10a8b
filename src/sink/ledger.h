/* ledger.h - the numbers of a snapshot that belong to the rod as a whole, as a table.
 *
 * Every sink and the reader walk this one list, so that a new number is one new row.
 */
#pragma once

#include "base/base.h"
#include "withy/snapshot.h"

enum { WY_LEDGER_SIZE = 3 }; /* most numbers in one entry */

typedef struct wy_ledger {
    const char *name, *unit, *doc;
    int size;      /* numbers: 1 or 3                         */
    unsigned have; /* the bit that must be set; 0: always     */
    size_t offset; /* into withy_snapshot                     */
    int whole;     /* 1: an int there, a whole number in files */
} wy_ledger;

const wy_ledger *wy_ledger_list(int *count);

static inline bool wy_ledger_in(const wy_ledger *entry, unsigned have) {
    return (have & entry->have) == entry->have;
}

void wy_ledger_get(const wy_ledger *entry, const withy_snapshot *snap, double *out);
void wy_ledger_put(const wy_ledger *entry, withy_snapshot *snap, const double *in);
