/* part_group.c - parts that joints tie together: what is measured by the same length (wy_part_groups). */
#include "method/director/network.h"

#include "model/network.h"

/* Of a body that no rod is tied to. */
static double body_reach(const withy_problem *problem, int body) {
    const vec3 i = problem->body[body].inertia;
    double reach = sqrt(wy_max(i.x, wy_max(i.y, i.z)) / problem->body[body].mass);
    for (int j = 0; j < 2 * problem->joint_count; j++) {
        const withy_place *place = &problem->joint[j / 2].place[j % 2];
        if (place->part == WITHY_PART_BODY && place->index == body)
            reach = wy_max(reach, v3_norm(place->at));
    }
    return reach;
}

static double least(double now, double rate) {
    return now > 0 ? wy_min(now, rate) : rate;
}

static void measure(const wy_network *net, int parts, wy_part_group *one) {
    const withy_problem *problem = net->rigid.plan.problem;
    for (int i = 0; i < net->plan.rods; i++) {
        wy_part_group *own = &one[net->group_of[i]];
        own->length = wy_max(own->length, net->rod[i].plan.whole);
        own->rate = least(own->rate, wy_director_unit(&net->rod[i]));
        own->frequency_square =
            least(own->frequency_square, wy_director_mass_frequency_square(&net->rod[i]));
    }
    for (int i = net->plan.rods; i < parts; i++) {
        wy_part_group *own = &one[net->group_of[i]];
        if (!(own->rate > 0))
            own->length = wy_max(own->length, body_reach(problem, i - net->plan.rods));
    }
    for (int g = 0; g < net->groups.count; g++)
        if (!(one[g].length > 0)) one[g].length = net->plan.length;
}

withy_status wy_groups_find(wy_network *net, withy_error *err) {
    const withy_problem *problem = net->rigid.plan.problem;
    const int parts = problem->rod_count + problem->body_count;
    wy_arena *arena = net->rigid.setup->arena;
    wy_part_group *one = wy_arena_alloc(arena, (size_t)parts + 1, sizeof *one);
    int *up = wy_arena_alloc(arena, (size_t)parts + 1, sizeof *up);
    net->group_of = wy_arena_alloc(arena, (size_t)parts + 1, sizeof *net->group_of);
    if (!one || !up || !net->group_of) return wy_network_no_memory(err);
    wy_parts_join(problem, up);
    for (int i = 0; i < parts; i++)
        if (up[i] == i) net->group_of[i] = net->groups.count++;
    for (int i = 0; i < parts; i++) net->group_of[i] = net->group_of[wy_part_root(up, i)];
    net->groups.one = one;
    measure(net, parts, one);
    return WITHY_OK;
}

double wy_body_group_length(const wy_network *net, int body) {
    return net->groups.one[net->group_of[net->plan.rods + body]].length;
}

int wy_rigid_group_parts(const wy_network *net, int c) {
    const wy_network_plan *plan = &net->plan;
    const int part = plan->rigid_group_part[plan->rigid_group_first[c]];
    return net
        ->group_of[part < plan->bodies ? plan->rods + part : plan->member[part - plan->bodies].rod];
}

withy_status wy_groups_make(wy_network *net, withy_error *err) {
    wy_arena *arena = net->rigid.setup->arena;
    const size_t nodes = (size_t)wy_network_free_nodes(net) + 1;
    int *of = wy_arena_alloc(arena, nodes, sizeof *of), k = 0;
    double *share = wy_arena_alloc(arena, nodes, sizeof *share);
    int *freedoms = wy_arena_alloc(arena, (size_t)net->groups.count + 1, sizeof *freedoms);
    if (!of || !share || !freedoms) return wy_network_no_memory(err);
    for (int c = 0; c < net->plan.rigid_groups; c++, k++)
        of[k] = wy_rigid_group_parts(net, c), share[k] = net->rigid.plan.mass[c].share;
    for (int i = 0; i < net->plan.rods; i++)
        for (int j = 0; j < net->rod[i].plan.node_count; j++) {
            if (wy_network_is_group_node(net, i, j)) continue;
            of[k] = net->group_of[i], share[k++] = net->rod[i].plan.mass[j].share;
        }
    for (int i = 0; i < k; i++) share[i] /= net->groups.one[of[i]].length;
    net->groups.of = of, net->groups.share = share, net->groups.freedoms = freedoms;
    return WITHY_OK;
}
