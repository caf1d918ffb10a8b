/* withy/list.h - what this build can do: methods with their options, sinks, cases. */
#pragma once

#include "withy/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct withy_option_info {
    const char *name, *unit, *doc;
    char kind;         /* 'i' whole number, 'd' number, 'a' number or "auto", 'b' true or false,
                        * 'w' one of words                                                   */
    double value;      /* default (index into words for 'w')                                 */
    double min, max;   /* closed range of 'i', 'd', 'a'                                      */
    const char *words; /* "one|two|three" for 'w'                                            */
} withy_option_info;

typedef struct withy_method_info {
    const char *name, *summary, *source;
    const char *needs;                /* NULL, or the library this build lacks                   */
    const withy_option_info *options; /* ends with a row whose name is NULL                      */
    unsigned rigid; /* strains that the method leaves out: bits 1 << WITHY_SHEAR1 ... (problem.h) */
} withy_method_info;

typedef struct withy_sink_info {
    const char *name, *ending, *summary;
    const char *needs;
} withy_sink_info;

/* Fill *info for index 0, 1, ...; return 0 past the last. */
WITHY_API int withy_method_at(int index, withy_method_info *info);
WITHY_API int withy_sink_at(int index, withy_sink_info *info);

/* Something that a problem may ask for and not every method can do. */
typedef struct withy_feature_info {
    const char *words; /* "a floor"                                                              */
    unsigned methods;  /* bit 1 << i: the method withy_method_at(i) can                          */
} withy_feature_info;

/* First the kinds of study and of rod, then what a scene may ask for; return 0 past the last. */
WITHY_API int withy_feature_at(int index, withy_feature_info *info);

/* The entry of a list that a mistyped name was probably meant to be, or NULL; next(context, i) gives entry i,
 * or NULL past the last. */
WITHY_API const char *withy_closest(const char *name,
                                    const char *(*next)(const void *context, int index),
                                    const void *context);

#ifdef __cplusplus
}
#endif
