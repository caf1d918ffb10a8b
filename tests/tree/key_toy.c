/* key_toy.c - a scene key by a field and a row: the state of a rod with one value is not that of a rod with another. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <withy/withy.h>

static withy_sim *sim_of(const withy_rod *rod, withy_error *err) {
    static withy_problem problem;
    withy_sim *sim = NULL;
    problem = withy_problem_default();
    problem.rod = rod;
    if (withy_sim_create(&problem, "director", NULL, 0, &sim, err)) puts(err->text);
    return sim;
}

int main(void) {
    withy_error err = {0};
    withy_rod rod[2] = {withy_rod_default(), withy_rod_default()};
    rod[1].toy = 1;
    withy_sim *one = sim_of(&rod[0], &err), *same = sim_of(&rod[0], &err),
              *other = sim_of(&rod[1], &err);
    const size_t size = one && same && other ? withy_sim_save_size(one) : 0;
    void *state = malloc(size);
    const int right = size && !withy_sim_save(one, state, size, &err) &&
                      !withy_sim_restore(same, state, size, &err) &&
                      withy_sim_restore(other, state, size, &err) == WITHY_BAD_INPUT;
    rod[1].toy = NAN; /* no number is in no range */
    const int refused = !sim_of(&rod[1], &err) && strstr(err.text, "rod.toy = nan: must be finite");
    puts(err.text);
    free(state), withy_sim_destroy(one), withy_sim_destroy(same), withy_sim_destroy(other);
    return !right || !refused;
}
