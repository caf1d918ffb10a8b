/* search.c - the searches of a build without the libraries behind them. */
#include "numeric/search/search.h"

#ifndef WITHY_HAVE_LIB_NLOPT
wy_search_end wy_descend_find(wy_descend *descend, double *x) {
    (void)descend, (void)x;
    return WY_SEARCH_MISSING;
}
#endif

#ifndef WITHY_HAVE_LIB_CMINPACK
wy_search_end wy_least_squares(wy_least *least, double *x) {
    (void)least, (void)x;
    return WY_SEARCH_MISSING;
}
#endif
