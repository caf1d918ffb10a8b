/* wall.h - elapsed time. */
#pragma once

double wy_wall_clock(void); /* since an arbitrary moment [s] */
