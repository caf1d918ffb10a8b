/* Every refusal of a method that names others names only methods that accept the whole scene: every second case, the others the next day, under
 * all methods. */
#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "network_problems.h"
#include "today.h"

static const char *const method[] = {"director", "elastica", "se3", "kirchhoff", "fdtd", "cheb"};
enum { METHODS = sizeof method / sizeof *method };

/* Is this method built here? */
static int is_here(const char *name) {
    withy_method_info info;
    for (int i = 0; withy_method_at(i, &info); i++)
        if (strcmp(info.name, name) == 0) return info.needs == NULL;
    return 0;
}

static int names_option(const char *text, const char *option) {
    const size_t length = strlen(option);
    for (const char *at = strstr(text, option); at; at = strstr(at + 1, option))
        if (!isalnum((unsigned char)at[length]) && at[length] != '_') return 1;
    return 0;
}

/* Does a method take the scene?  Whatever its reason is to refuse; but a step or a mesh of its own that does
 * not fit, of which the message names the option, is no refusal. */
static withy_status take(const withy_scene *scene, const char *name, withy_error *err) {
    withy_sim *sim = NULL;
    *err = (withy_error){0};
    withy_status status = withy_sim_create(withy_scene_problem(scene), name, NULL, 0, &sim, err);
    withy_sim_destroy(sim);
    const int own = names_option(err->text, "options.n") || names_option(err->text, "options.dt");
    return own ? WITHY_OK : status;
}

/* The methods that are named after the last "use ". */
static const char *advice_in(const char *text) {
    const char *last = NULL;
    for (const char *at = strstr(text, "use "); at; at = strstr(at + 1, "use ")) last = at;
    return last;
}

static int names(const char *advice, const char *name) {
    const char *at = strstr(advice, name);
    const size_t length = strlen(name);
    return at && (at[-1] == ' ' || at[-1] == ',') && (!at[length] || strchr(" ,.;", at[length]));
}

static int wrong;

/* Refusals that name a method; those that are wrong are counted. */
static int check_case(const char *file) {
    withy_error err = {0}, other;
    withy_scene *scene;
    int advised = 0;
    CHECK_OK(withy_scene_read(file, NULL, 0, &scene, &err));
    for (int m = 0; m < METHODS; m++) {
        if (!is_here(method[m]) || take(scene, method[m], &err) != WITHY_UNSUPPORTED) continue;
        const char *advice = advice_in(err.text);
        if (strstr(err.text, "no method")) printf("%s: %s\n", file, err.text);
        wrong += strstr(err.text, "no method") != NULL;
        for (int k = 0; advice && k < METHODS; k++) {
            if (!names(advice, method[k])) continue;
            const withy_status status = take(scene, method[k], &other);
            if (status != WITHY_OK)
                printf("%s: \"%s\", but %s says \"%s\"\n", file, err.text, method[k], other.text);
            wrong += status != WITHY_OK;
            advised++;
        }
    }
    withy_scene_destroy(scene);
    return advised;
}

enum { EVERY = SANITIZED ? 40 : 2 }; /* one case in so many, others every day */

TEST(every_method_that_a_refusal_names_accepts_the_whole_scene) {
    static const char folder[] = WITHY_SOURCE "/cases";
    DIR *cases = opendir(folder);
    int advised = 0, count = 0;
    CHECK(cases != NULL);
    for (struct dirent *entry; (entry = readdir(cases)) != NULL;) {
        char file[1024];
        snprintf(file, sizeof file, "%s/%s/scene.lua", folder, entry->d_name);
        FILE *there = fopen(file, "r");
        if (!there) continue;
        fclose(there);
        if (count++ % EVERY == today_from(0, EVERY, 1)) advised += check_case(file);
    }
    closedir(cases);
    CHECK(wrong == 0);
    CHECK(advised > 100 / EVERY);
}

TEST(a_part_that_nothing_holds_is_named_where_an_equilibrium_is_asked_for) {
    network_problem x;
    withy_option option[4];
    withy_error err = {0};
    withy_sim *sim = NULL;
    withy_equilibrium point;
    network_begin(&x);
    network_times(&x, 1, 1);
    x.problem.gravity = network_vec(0, 0, -9.81);
    network_rod(&x, network_vec(0, 0, 0), network_vec(1, 0, 0), 0.01, 1e9, 1000);
    x.rod[0].end[0].kind = WITHY_END_CLAMPED;
    network_rod(&x, network_vec(2, 0, 0), network_vec(3, 0, 0), 0.01, 1e9, 1000)->name = "beam";
    network_body(&x, 1, network_vec(1, 1, 1), network_vec(3, 0, 0));
    network_join(&x, WITHY_JOINT_BALL, on_rod(1, 1), on_body(0, 0, 0, 0));
    CHECK_OK(withy_sim_create(&x.problem, "director", option,
                              director_parse("n=2 dt=0.1", option, 4), &sim, &err));
    CHECK(withy_sim_rest(sim, 1, &point, &err) == WITHY_UNSUPPORTED);
    CHECK_TEXT(err.text,
               "director: rod \"beam\" is held by nothing: neither an end nor its joints lead "
               "to the ground, so its equilibrium is not unique; hold it, join it to a part "
               "that is held, or compute its motion from an initial shape "
               "(withy run)");
    withy_sim_destroy(sim);
}

RUN(test(every_method_that_a_refusal_names_accepts_the_whole_scene),
    test(a_part_that_nothing_holds_is_named_where_an_equilibrium_is_asked_for))
