/* verify_contact_tangle.c - many random tangles and fast crossings: nothing is lost, nothing passes through. */
#include "contact_family.h"
#include "verify_contact.h"

void study_tangles(verify_log *log) {
    enum { TANGLES = 500, CROSSINGS = 1000 };
    tangle_tally sum = {0};
    withy_error err = {0};
    int through = 0;
    double drift = 0;
    for (int k = 0; k < TANGLES; k++)
        if (tangle_run(k, &sum, &err) != WITHY_OK) {
            verify_failed(log, "500 tangles", &err);
            return;
        }
    verify_below(log, "500 random tangles: without numbers", "", sum.lost, 0, "");
    verify_below(log, "energy of those that go to their end", "", sum.drift, 1e-10, "");
    verify_below(log, "stopped without saying when and which rods", "", sum.mute, 0, sum.text);
    verify_below(log, "stopped", "", sum.stopped, TANGLES / 10, sum.text);
    verify_below(log, "deepest overlap over the radii", "", sum.deepest, 0.7,
                 "axes never come nearer than 0.3 of the radii");
    if (crossings_run(CROSSINGS, 7, 5e-3, &through, &drift, &err) != WITHY_OK) {
        verify_failed(log, "1000 crossings", &err);
        return;
    }
    verify_below(log, "1000 random crossings, 50 mm in a step: pass through", "", through, 0, "");
    verify_below(log, "their energy", "", drift, 2e-11, "");
}
