/* compare.h - the picture of a comparison. */
#pragma once

#include "withy/withy.h"

typedef struct compare_picture {
    const char *path; /* FILE.svg, FILE.png or FILE.pdf; NULL: none */
    int dark;
} compare_picture;

/* 0: it could not be drawn, and the reason is printed. */
int compare_draw(const withy_comparison *c, const char *scene, const compare_picture *picture);
