/* in_folder.h - paths in the test's own `folder`, which stands before this is included; four of them hold at a time. */
#pragma once

#include <stdio.h>

static const char *in_folder(const char *name) {
    static char path[4][256];
    static int next;
    char *to = path[next++ % 4];
    snprintf(to, sizeof path[0], "%s/%s", folder, name);
    return to;
}
