/* contact_book.c - the books of a contact of a point or knob: what a step loses and works, and the mark that it leaves.
 *
 * The push N over the step does the work - N (g+ - g-) on what touches, and the contact takes u+ - u-: what is left is lost in
 * damping.  A contact that lets go loses the energy of its tangential spring; a damped one may still overlap then, and no longer push.
 */
#include "method/director/contacts.h"

static double energy_change(const wy_touch_entry *x) {
    return wy_contact_law_energy(x->law, x->plus) - wy_contact_law_energy(x->law, x->minus);
}

void wy_touch_enter(wy_touch *touch, int dynamic, const wy_touch_entry *x, int *count) {
    wy_touch_now *now = touch->now;
    const double energy = dynamic ? energy_change(x) : 0;
    if (!x->acts) {
        now->lost += 0.5 * x->stick * v3_dot(x->before, x->before) - energy;
        return;
    }
    now->lost += x->lost - (dynamic ? x->push * (x->plus - x->minus) + energy : 0);
    now->work += dynamic ? v3_dot(x->force, x->shift) : 0;
    now->depth = wy_max(now->depth, -x->plus / x->size);
    if (*count < touch->plan.marks)
        touch->fresh[*count] = (wy_touch_mark){
            .a = x->a, .b = x->b, .gap = x->plus, .push = x->push, .z = x->z, .force = x->force};
    ++*count;
}
