/* network.c - see network.h. */
#include "network.h"

#include <stdlib.h>
#include <string.h>

#include "cli.h"

/* Scalars that each kind keeps; a link with stiffness keeps none, a drive one more. */
static int constraints(const withy_joint *joint) {
    static const int kept[] = {
        [WITHY_JOINT_BALL] = 3,      [WITHY_JOINT_WELD] = 6,   [WITHY_JOINT_HINGE] = 5,
        [WITHY_JOINT_UNIVERSAL] = 4, [WITHY_JOINT_SLIDER] = 5, [WITHY_JOINT_CYLINDRICAL] = 4,
        [WITHY_JOINT_PLANAR] = 3,    [WITHY_JOINT_SPRING] = 0, [WITHY_JOINT_LINK] = 1};
    if (joint->kind == WITHY_JOINT_LINK && joint->spring > 0) return 0;
    return kept[joint->kind] + (joint->drive.size > 0);
}

/* Parts by number: rods, bodies, then the ground. */
static int part_of(const withy_problem *p, const withy_place *place) {
    if (place->part == WITHY_PART_GROUND) return p->rod_count + p->body_count;
    return place->part == WITHY_PART_ROD ? place->index : p->rod_count + place->index;
}

static int root_of(const int *up, int part) {
    while (up[part] != part) part = up[part];
    return part;
}

static int is_held(const withy_rod *rod) {
    int held = rod->end[0].spring > 0 || rod->end[1].spring > 0;
    for (int e = 0; e < 2; e++) held |= rod->end[e].kind != WITHY_END_FREE;
    return held;
}

/* Which parts hang together; a rod whose end is held hangs on the ground. */
static void join(const withy_problem *p, int *up) {
    const int ground = p->rod_count + p->body_count;
    for (int i = 0; i <= ground; i++) up[i] = i;
    for (int i = 0; i < p->rod_count; i++)
        if (is_held(&p->rod[i])) up[i] = ground;
    for (int i = 0; i < p->joint_count; i++) {
        const int a = root_of(up, part_of(p, &p->joint[i].place[0]));
        const int b = root_of(up, part_of(p, &p->joint[i].place[1]));
        up[a < b ? a : b] = a < b ? b : a; /* the ground, the largest, stays a root */
    }
}

static const char *name_of(const withy_problem *p, int part) {
    const char *name = part < p->rod_count ? p->rod[part].name : p->body[part - p->rod_count].name;
    return name ? name : part < p->rod_count ? "rod" : "body";
}

static void print_floating(const withy_problem *p) {
    enum { SHOWN = 6 };
    const int parts = p->rod_count + p->body_count;
    int *up = calloc((size_t)parts + 1, sizeof *up), loose = 0;
    if (!up) return;
    join(p, up);
    for (int i = 0; i < parts; i++) {
        if (root_of(up, i) == parts) continue;
        if (loose < SHOWN) cli_print("%s%s", loose ? ", " : "  held by nothing: ", name_of(p, i));
        loose++;
    }
    if (loose > SHOWN) cli_print(" and %d more", loose - SHOWN);
    if (loose)
        cli_print("; %s in flight, and withy static has no equilibrium of %s\n",
                  loose == 1 ? "it is" : "they are", loose == 1 ? "it" : "them");
    free(up);
}

/* Degrees of freedom at t = 0; -1: not known. */
static int freedoms_of(const withy_scene *scene) {
    int options, count;
    const withy_option *option = withy_scene_options(scene, &options);
    withy_sim *sim = NULL;
    if (withy_sim_create(withy_scene_problem(scene), withy_scene_method(scene), option, options,
                         &sim, NULL) != WITHY_OK)
        return -1;
    if (withy_sim_freedoms(sim, &count, NULL) != WITHY_OK) count = -1;
    withy_sim_destroy(sim);
    return count;
}

void cli_network(const withy_scene *scene) {
    const withy_problem *p = withy_scene_problem(scene);
    int kept = 0;
    if (p->body_count + p->joint_count == 0) return;
    for (int i = 0; i < p->joint_count; i++) kept += constraints(&p->joint[i]);
    cli_print("  %d bod%s, %d joint%s with %d constraint%s", p->body_count,
              p->body_count == 1 ? "y" : "ies", p->joint_count, p->joint_count == 1 ? "" : "s",
              kept, kept == 1 ? "" : "s");
    const int left = p->rod_count ? -1 : freedoms_of(scene);
    const int more = left - (6 * p->body_count - kept); /* than independent constraints would */
    if (left >= 0 && more > 0) cli_print(", %d of them redundant", more);
    if (left >= 0) cli_print(": %d degree%s of freedom left", left, left == 1 ? "" : "s");
    cli_print("\n");
    print_floating(p);
}
