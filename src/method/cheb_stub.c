#include "method/cheb.h"
withy_status wy_cheb_implicit_make(wy_cheb *x, wy_arena *arena, withy_error *err){(void)x;(void)arena;(void)err;return WITHY_OK;}
withy_status wy_cheb_implicit_step(wy_cheb *x, double t, double h, withy_error *err){(void)x;(void)t;(void)h;(void)err;return WITHY_OK;}
withy_status wy_cheb_adaptive_make(wy_cheb *x, wy_arena *arena, withy_error *err){(void)x;(void)arena;(void)err;return WITHY_OK;}
withy_status wy_cheb_adaptive_advance(wy_cheb *x, double t, withy_error *err){(void)x;(void)t;(void)err;return WITHY_OK;}
void wy_cheb_adaptive_free(wy_cheb *x){(void)x;}
