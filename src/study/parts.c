/* parts.c - the bodies and joints of a simulation, sampled as its rods are. */
#include "study/sim.h"

/* Eight contacts for every node. */
static int contact_room(const withy_sim *sim) {
    int nodes = 0;
    for (int i = 0; i < sim->problem.rod_count; i++)
        nodes += sim->method->nodes(sim->self, i, NULL);
    return 8 * nodes + 64;
}

withy_status wy_parts_make(withy_sim *sim, withy_error *err) {
    withy_parts *parts = &sim->parts;
    *parts = (withy_parts){.body_count = sim->problem.body_count,
                           .joint_count = sim->problem.joint_count,
                           .obstacle_count = sim->problem.obstacle_count};
    if (!sim->method->sample_parts)
        parts->body_count = parts->joint_count = parts->obstacle_count = 0;
    else if (sim->problem.contact.given || parts->obstacle_count > 0)
        parts->contact_room = contact_room(sim);
    const size_t bodies = (size_t)parts->body_count, joints = (size_t)parts->joint_count;
    const size_t obstacles = (size_t)parts->obstacle_count, room = (size_t)parts->contact_room;
    wy_allocator from = {.arena = &sim->arena};
    parts->body = wy_allocator_alloc(&from, bodies, sizeof *parts->body);
    parts->joint = wy_allocator_alloc(&from, joints, sizeof *parts->joint);
    parts->obstacle = wy_allocator_alloc(&from, obstacles, sizeof *parts->obstacle);
    parts->contacts = wy_allocator_alloc(&from, room, sizeof *parts->contacts);
    if (from.failed)
        return wy_no_memory(err, "no memory for %zu bodies and %zu joints", bodies, joints);
    return WITHY_OK;
}

/* Methods compute relative to the origin of the model. */
static void to_laboratory(vec3 origin, withy_parts *parts) {
    for (int i = 0; i < parts->body_count; i++)
        parts->body[i].position = v3_add(origin, parts->body[i].position);
    for (int i = 0; i < 2 * parts->joint_count; i++) {
        vec3 *place = &parts->joint[i / 2].place[i % 2];
        *place = v3_add(origin, *place);
    }
    for (int i = 0; i < parts->obstacle_count; i++)
        parts->obstacle[i].position = v3_add(origin, parts->obstacle[i].position);
    for (int i = 0; i < parts->contact_count; i++)
        parts->contacts[i].position = v3_add(origin, parts->contacts[i].position);
}

static int are_finite(const void *first, size_t bytes) {
    const double *x = first;
    double sum = 0;
    for (size_t i = 0; i < bytes / sizeof *x; i++)
        sum += x[i] * 0.0; /* NaN and infinity survive, others do not */
    return sum == 0.0;
}

const char *wy_parts_sample(withy_sim *sim) {
    withy_parts *parts = &sim->parts;
    if (!wy_sim_has_parts(sim)) return NULL;
    parts->t = wy_sim_now(sim), parts->step = sim->core->stats.steps;
    parts->contact_count = 0;
    sim->method->sample_parts(sim->self, parts);
    to_laboratory(wy_model_origin(sim->setup.model), parts);
    for (int i = 0; i < parts->contact_count; i++) parts->contacts[i].t = parts->t;
    if (!are_finite(parts->body, (size_t)parts->body_count * sizeof *parts->body)) return "a body";
    if (!are_finite(parts->joint, (size_t)parts->joint_count * sizeof *parts->joint))
        return "a joint";
    if (!are_finite(parts->obstacle, (size_t)parts->obstacle_count * sizeof *parts->obstacle))
        return "the force on an obstacle";
    for (int i = 0; i < parts->contact_count; i++)
        if (!isfinite(parts->contacts[i].gap + parts->contacts[i].push +
                      v3_norm(parts->contacts[i].force)))
            return "a contact";
    return NULL;
}

/* The next one of the list; NULL: it is full. */
static withy_part_report *add_part(withy_part_report *part, int *count, withy_probe_of of,
                                   const char *name, int number) {
    static const char *const kind[] = {"rod", "body", "joint", "obstacle"};
    if (*count == WITHY_REPORT_PARTS) return NULL;
    withy_part_report *one = &part[(*count)++];
    *one = (withy_part_report){.of = of};
    if (name && name[0])
        snprintf(one->name, sizeof one->name, "%s", name);
    else
        snprintf(one->name, sizeof one->name, "%s %d", kind[of], number + 1);
    return one;
}

int wy_sim_report_parts(const withy_sim *sim, withy_part_report part[WITHY_REPORT_PARTS]) {
    const withy_problem *p = &sim->problem;
    const withy_parts *now = &sim->parts;
    withy_part_report *one;
    int count = 0;
    for (int i = 0; i < p->rod_count; i++) {
        const withy_snapshot *snap = &sim->rod[i].snap;
        if (!(one = add_part(part, &count, WITHY_OF_ROD, p->rod[i].name, i))) return count;
        one->position[0] = snap->position[0];
        one->position[1] = snap->position[snap->count - 1];
        memcpy(one->reaction, snap->reaction, sizeof one->reaction);
        memcpy(one->reaction_moment, snap->reaction_moment, sizeof one->reaction_moment);
    }
    for (int i = 0; i < now->body_count; i++) {
        if (!(one = add_part(part, &count, WITHY_OF_BODY, p->body[i].name, i))) return count;
        one->position[0] = now->body[i].position;
    }
    for (int i = 0; i < now->joint_count; i++) {
        if (!(one = add_part(part, &count, WITHY_OF_JOINT, p->joint[i].name, i))) return count;
        memcpy(one->position, now->joint[i].place, sizeof one->position);
        one->reaction[0] = now->joint[i].force, one->reaction_moment[0] = now->joint[i].torque;
    }
    for (int i = 0; i < now->obstacle_count; i++) {
        if (!(one = add_part(part, &count, WITHY_OF_OBSTACLE, p->obstacle[i].name, i))) break;
        one->position[0] = now->obstacle[i].position, one->reaction[0] = now->obstacle[i].force;
    }
    return count;
}
