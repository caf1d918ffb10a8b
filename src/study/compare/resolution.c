/* resolution.c - see compare.h. */
#include "study/compare/compare.h"

void wy_resolution_of(const withy_study *study, wy_resolution *out) {
    for (out->count = 0; out->count < study->option_count && out->count < WY_RESOLUTION_OPTIONS;
         out->count++)
        out->option[out->count] = study->option[out->count];
}

void wy_resolution_set(wy_resolution *x, const char *name, double number, const char *word) {
    int i = 0;
    while (i < x->count && strcmp(x->option[i].name, name) != 0) i++;
    if (i == WY_RESOLUTION_OPTIONS) return;
    if (i == x->count) x->count++;
    x->option[i] = (withy_option){.number = number};
    snprintf(x->option[i].name, sizeof x->option[i].name, "%s", name);
    snprintf(x->option[i].word, sizeof x->option[i].word, "%s", word);
}

double wy_resolution_used(const withy_sim *sim, const char *option) {
    char name[WITHY_NAME], value[WITHY_NAME];
    for (int i = 0; withy_sim_option(sim, i, name, value, WITHY_NAME); i++)
        if (strcmp(name, option) == 0) return atof(value);
    return 0;
}
