/* search.h - how a search for a minimum ends (least.h, descend.h).  Room: src/numeric. */
#pragma once

typedef enum wy_search_end {
    WY_SEARCH_DONE,       /* a minimum, within the tolerance                  */
    WY_SEARCH_SLOW,       /* the evaluations were used up                     */
    WY_SEARCH_NOWHERE,    /* no value or no derivatives where it starts; of least squares, which
                           * need them at the answer too, no derivatives where it came to */
    WY_SEARCH_LOST,       /* no derivatives at a later point: x is the best one visited */
    WY_SEARCH_IMPOSSIBLE, /* the constraints are not met at any point visited */
    WY_SEARCH_STOPPED,    /* the model asked to stop: returned 2              */
    WY_SEARCH_MEMORY,
    WY_SEARCH_MISSING, /* the library is not in this build                 */
} wy_search_end;
