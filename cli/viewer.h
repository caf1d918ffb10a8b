/* viewer.h - the page of the 3-D replay, embedded at build time when npm could build it. */
#pragma once

const char *viewer_page(void); /* a text with "@DATA@" in it; NULL: not in this build */
