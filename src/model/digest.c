/* digest.c - a number that two descriptions of one problem share: by it a saved state is known. */
#include <string.h>

#include "model/model.h"

static void add(uint64_t *hash, const void *bytes, size_t size) {
    *hash = wy_hash(bytes, size, *hash);
}

static void add_number(uint64_t *hash, double value) {
    add(hash, &value, sizeof value);
}

/* Of a function it is known only that there is one. */
static void add_field(uint64_t *hash, const withy_field *field) {
    add_number(hash, field->size);
    add_number(hash, (field->call != NULL) + 2 * (field->see != NULL));
    for (int i = 0; i < field->size && !wy_field_varies(field); i++) {
        add_number(hash, field->value[i]);
        if (field->input[i]) add(hash, field->input[i], strlen(field->input[i]));
    }
    for (int i = 0; field->table && i < field->rows * (1 + field->size); i++)
        add_number(hash, field->table[i]);
}

static void add_fields(uint64_t *hash, int count, const withy_field *field) {
    for (int i = 0; i < count; i++) add_field(hash, &field[i]);
}

static void add_vector(uint64_t *hash, withy_vec3 v) {
    add_number(hash, v.x), add_number(hash, v.y), add_number(hash, v.z);
}

static void add_shape(uint64_t *hash, const withy_shape *shape) {
    const double number[] = {shape->kind, shape->radius, shape->pitch, shape->at, shape->height};
    add(hash, number, sizeof number);
    add_vector(hash, shape->from), add_vector(hash, shape->along);
    add_vector(hash, shape->normal), add_vector(hash, shape->direction);
    add_field(hash, &shape->position), add_field(hash, &shape->strain);
    add_vector(hash, shape->to);
    for (int i = 0; shape->point && i < shape->point_count; i++) add_vector(hash, shape->point[i]);
}

static void add_end(uint64_t *hash, const withy_end *end) {
    const double number[] = {end->kind,   end->follower,    end->mass,
                             end->spring, end->spring_turn, end->turn};
    const withy_field field[] = {end->position, end->tangent,  end->normal,   end->frame,
                                 end->force,    end->moment,   end->velocity, end->acceleration,
                                 end->spin,     end->spin_rate};
    add(hash, number, sizeof number);
    add_vector(hash, end->inertia), add_vector(hash, end->offset);
    add_vector(hash, end->along);
    add_fields(hash, sizeof field / sizeof *field, field);
}

static void add_loads(uint64_t *hash, int count, const withy_load *load) {
    for (const withy_load *at = load; at < load + count; at++) {
        const double number[] = {at->kind, at->follower, at->from, at->to};
        const withy_field field[] = {at->force, at->moment, at->route, at->tension,
                                     at->displacement};
        add(hash, number, sizeof number);
        add_fields(hash, sizeof field / sizeof *field, field);
    }
}

static void add_rod(uint64_t *hash, const withy_rod *rod) {
    const withy_section *section = &rod->section;
    const double number[] = {rod->length,         section->kind,           section->shear_factor,
                             rod->material.young, rod->material.shear,     rod->material.density,
                             rod->damping_time,   rod->damping_law,        rod->drag_linear,
                             rod->drag_quadratic, rod->drag_spin,          rod->tension,
                             rod->settled,        (double)rod->load_count, (double)rod->pull_count};
    const withy_field field[] = {section->a,       section->b,    section->area, section->second,
                                 section->torsion, rod->velocity, rod->spin,     rod->radius};
    add(hash, number, sizeof number);
    add_fields(hash, sizeof field / sizeof *field, field);
    add_fields(hash, WITHY_STRAINS, rod->stiffness);
    add_fields(hash, WITHY_INERTIAS, rod->inertia);
    add_fields(hash, WITHY_STRAINS, rod->damping);
    add_shape(hash, &rod->rest), add_shape(hash, &rod->initial);
    add_end(hash, &rod->end[0]), add_end(hash, &rod->end[1]);
    add_loads(hash, rod->load_count, rod->load);
    add_loads(hash, rod->pull_count, rod->pull);
}

static void add_joint(uint64_t *hash, const withy_joint *joint) {
    const double number[] = {joint->kind,     joint->spring,  joint->rest,
                             joint->damping,  joint->limited, joint->limit[0],
                             joint->limit[1], joint->length,  joint->limit_stiffness};
    const withy_vec3 vector[] = {joint->axis, joint->axis2,           joint->stretch,
                                 joint->turn, joint->stretch_damping, joint->turn_damping};
    add(hash, number, sizeof number);
    add(hash, vector, sizeof vector);
    add_field(hash, &joint->drive), add_field(hash, &joint->effort);
    for (int i = 0; i < 2; i++) {
        const withy_place *place = &joint->place[i];
        add_number(hash, place->part), add_number(hash, place->index), add_number(hash, place->s);
        add_vector(hash, place->at), add_field(hash, &place->path);
    }
}

static void add_body(uint64_t *hash, const withy_body *body) {
    const withy_vec3 vector[] = {body->inertia, body->position, body->velocity, body->spin};
    add_number(hash, body->mass), add_number(hash, body->load_count);
    add(hash, vector, sizeof vector), add(hash, &body->frame, sizeof body->frame);
    for (int i = 0; i < body->load_count; i++) {
        add_vector(hash, body->load[i].at), add_number(hash, body->load[i].follower);
        add_field(hash, &body->load[i].force), add_field(hash, &body->load[i].moment);
    }
}

/* Of a distance function it is known only that there is one. */
static void add_obstacle(uint64_t *hash, const withy_obstacle *at) {
    const double number[] = {at->kind,         at->inside,      at->radius,      at->length,
                             at->own_friction, at->friction[0], at->friction[1], at->friction[2],
                             at->stiffness,    at->own_damping, at->damping,     at->frame.w,
                             at->frame.x,      at->frame.y,     at->frame.z};
    add(hash, number, sizeof number);
    add_vector(hash, at->along), add_vector(hash, at->size), add_field(hash, &at->point);
    if (at->vertex_count > 0) add(hash, at->vertex, (size_t)at->vertex_count * sizeof *at->vertex);
    if (at->triangle_count > 0)
        add(hash, at->triangle, (size_t)at->triangle_count * sizeof *at->triangle);
}

static void add_contact(uint64_t *hash, const withy_contact *at) {
    const double number[] = {at->given,       at->no_self,     at->no_rods,     at->no_bodies,
                             at->law,         at->stiffness,   at->pair,        at->gap,
                             at->friction[0], at->friction[1], at->friction[2], at->damping,
                             at->exclude};
    add(hash, number, sizeof number);
}

uint64_t wy_problem_digest(const withy_problem *problem) {
    uint64_t hash = 0;
    const withy_floor *floor = &problem->floor;
    add_number(&hash, problem->rod_count);
    add_vector(&hash, problem->gravity);
    add_number(&hash, floor->given);
    if (floor->given) {
        add_vector(&hash, floor->point), add_vector(&hash, floor->normal);
        add_number(&hash, floor->stiffness), add_number(&hash, floor->damping);
    }
    add_number(&hash, problem->rotating.given);
    if (problem->rotating.given)
        add_vector(&hash, problem->rotating.spin), add_vector(&hash, problem->rotating.about);
    for (int i = 0; i < problem->rod_count; i++) add_rod(&hash, &problem->rod[i]);
    for (int i = 0; i < problem->joint_count; i++) add_joint(&hash, &problem->joint[i]);
    for (int i = 0; i < problem->body_count; i++) add_body(&hash, &problem->body[i]);
    if (problem->contact.given) add_contact(&hash, &problem->contact);
    for (int i = 0; i < problem->obstacle_count; i++) add_obstacle(&hash, &problem->obstacle[i]);
    return hash;
}
