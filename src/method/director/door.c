/* door.c - the equations door of director: that of one rod, or that of a network. */
#include "method/director/network.h"

static const wy_door *of(const void *self) {
    return ((const wy_director *)self)->network ? &wy_network_door : &wy_director_rod_door;
}

static wy_layout layout(const void *self) {
    return of(self)->layout(self);
}
static withy_status open(void *self, withy_error *err) {
    return of(self)->open(self, err);
}
static withy_status load(void *self, double factor, double t, double part, withy_error *err) {
    return of(self)->load(self, factor, t, part, err);
}
static withy_status pull(void *self, int on, withy_error *err) {
    return of(self)->pull(self, on, err);
}
static void hold(void *self) {
    of(self)->hold(self);
}
static void begin(void *self) {
    of(self)->begin(self);
}
static withy_status residual(void *self, double *r, withy_error *err) {
    return of(self)->residual(self, r, err);
}
static withy_status factor(void *self, double shift, int *negative, withy_error *err) {
    return of(self)->factor(self, shift, negative, err);
}
static void solve(void *self, double *b) {
    of(self)->solve(self, b);
}
static withy_status newton(void *self, double shift, int again, double *change, int *negative,
                           withy_error *err) {
    return of(self)->newton(self, shift, again, change, negative, err);
}
static void mass(const void *self, const double *v, double *mv) {
    of(self)->mass(self, v, mv);
}
static void weigh(void *self, int on) {
    of(self)->weigh(self, on);
}
/* A network keeps its elimination. */
static withy_status exact(void *self, withy_error *err) {
    return of(self)->exact ? of(self)->exact(self, err) : WITHY_OK;
}
static void damping(const void *self, const double *v, double *cv) {
    of(self)->damping(self, v, cv);
}
static void move(void *self, const double *change, double share) {
    of(self)->move(self, change, share);
}
static int kinks(const void *self) {
    return of(self)->kinks && of(self)->kinks(self);
}
static double bound(void *self, const double *change, double share) {
    return of(self)->bound ? of(self)->bound(self, change, share) : share;
}
static int switched(void *self) {
    return of(self)->switched && of(self)->switched(self);
}
static double strain(const void *self, double *s) {
    return of(self)->strain(self, s);
}
static double energy(const void *self) {
    return of(self)->energy(self);
}
static int potential(const void *self) {
    return of(self)->potential(self);
}
static double rate(const void *self) {
    return of(self)->rate(self);
}
static double quotient(const void *self, const double *v, double *terms, double *round) {
    return of(self)->quotient(self, v, terms, round);
}
static void shape(const void *self, const double *v, withy_mode *mode) {
    of(self)->shape(self, v, mode);
}
static withy_status settle(void *self, double factor, withy_error *err) {
    return of(self)->settle(self, factor, err);
}
static withy_status let_go(void *self, int moving, withy_error *err) {
    return of(self)->let_go(self, moving, err);
}

const wy_door wy_director_door = {
    WY_DOOR_COMMON,       .open = open,   .begin = begin,     .newton = newton,     .mass = mass,
    .weigh = weigh,       .exact = exact, .damping = damping, .strain = strain,     .folds = 2,
    .quotient = quotient, .shape = shape, .kinks = kinks,     .switched = switched, .bound = bound,
};
