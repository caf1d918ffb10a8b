/* viewer.c - embed the page; WITHY_VIEWER is its path when it has been built. */
#include "viewer.h"

#include <stddef.h>

#ifdef WITHY_VIEWER
__asm__(".section .rodata\n"
        ".global withy_viewer_page\n"
        "withy_viewer_page:\n"
        ".incbin \"" WITHY_VIEWER "\"\n"
        ".byte 0\n"
        ".previous\n");
extern const char withy_viewer_page[];
#endif

const char *viewer_page(void) {
#ifdef WITHY_VIEWER
    return withy_viewer_page;
#else
    return NULL;
#endif
}
