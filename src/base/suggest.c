/* suggest.c - the closest known name, for "did you mean". */
#include <ctype.h>

#include "base/base.h"
#include "withy/list.h"

enum { LONGEST = 64 };

/* Levenshtein distance, letters compared without case; two rows of the usual table. */
static int distance(const char *a, const char *b) {
    const int m = (int)strlen(a), n = (int)strlen(b);
    if (m > LONGEST || n > LONGEST) return LONGEST;
    int row[LONGEST + 1];
    for (int j = 0; j <= n; j++) row[j] = j;
    for (int i = 1; i <= m; i++) {
        int diagonal = row[0];
        row[0] = i;
        for (int j = 1; j <= n; j++) {
            const int same = tolower((unsigned char)a[i - 1]) == tolower((unsigned char)b[j - 1]);
            const int swap = diagonal + !same;
            diagonal = row[j];
            const int insert = row[j - 1] + 1, drop = row[j] + 1;
            row[j] = swap < insert ? swap : insert;
            if (drop < row[j]) row[j] = drop;
        }
    }
    return row[n];
}

const char *wy_suggest(const char *name, const char *(*next)(const void *context, int index),
                       const void *context) {
    const int length = (int)strlen(name);
    const int allowed = length < 3 ? 1 : length < 6 ? 2 : 3;
    const char *best = NULL;
    int least = allowed + 1;
    for (int i = 0;; i++) {
        const char *candidate = next(context, i);
        if (!candidate) return best;
        const int d = distance(name, candidate);
        if (d < least) least = d, best = candidate;
    }
}

const char *withy_closest(const char *name, const char *(*next)(const void *context, int index),
                          const void *context) {
    return name && next ? wy_suggest(name, next, context) : NULL;
}

const char *wy_did_you_mean(const char *suggestion, char *buffer, size_t size) {
    if (!suggestion) return "";
    snprintf(buffer, size, "; did you mean \"%s\"?", suggestion);
    return buffer;
}

const char *wy_did_you_mean_or(const char *suggestion, char *buffer, size_t size) {
    return suggestion ? wy_did_you_mean(suggestion, buffer, size) : ";";
}

void wy_first_difference(const char **a, const char **b) {
    while (**a && **b) {
        const size_t m = strcspn(*a, "\n"), n = strcspn(*b, "\n");
        if (m != n || memcmp(*a, *b, m) != 0) break;
        *a += m + ((*a)[m] == '\n'), *b += n + ((*b)[n] == '\n');
    }
}
