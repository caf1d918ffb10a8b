/* table.c - a simulation as it is now, in tables that point into it: nothing is copied. */
#include "study/sim.h"
#include "withy/record.h"

int withy_progress_flag(void *context, double t, double stop, int64_t step) {
    (void)t, (void)stop, (void)step;
    return context ? *(volatile const int *)context : 0;
}

int withy_sim_count(const withy_sim *sim, withy_record_of of) {
    if (!sim) return 0;
    const withy_problem *problem = &sim->problem;
    return of == WITHY_RECORD_ROD        ? problem->rod_count
           : of == WITHY_RECORD_BODY     ? problem->body_count
           : of == WITHY_RECORD_JOINT    ? problem->joint_count
           : of == WITHY_RECORD_OBSTACLE ? problem->obstacle_count
                                         : 0;
}

const char *withy_sim_name(const withy_sim *sim, withy_record_of of, int part) {
    const char *name = NULL;
    if (part >= 0 && part < withy_sim_count(sim, of))
        name = of == WITHY_RECORD_ROD     ? sim->problem.rod[part].name
               : of == WITHY_RECORD_BODY  ? sim->problem.body[part].name
               : of == WITHY_RECORD_JOINT ? sim->problem.joint[part].name
                                          : sim->problem.obstacle[part].name;
    return name ? name : "";
}

static int rod_table(withy_sim *sim, int rod, int index, withy_table *table) {
    const withy_snapshot *snap = withy_sim_sample(sim, rod);
    if (!snap) return 0;
    if (index == 0) {
        *table = (withy_table){"s", "m", snap->s, 1, snap->count, 1};
        return 1;
    }
    for (const withy_quantity *q = NULL; (q = wy_quantity_after(WITHY_OF_ROD, q)) != NULL;) {
        const double *value = withy_quantity_at(q, snap, 0);
        if (!value || --index > 0) continue;
        *table = (withy_table){q->name, q->unit, value, 1, snap->count, q->size};
        return 1;
    }
    return 0;
}

static int part_table(withy_sim *sim, int of, int part, int index, withy_table *table) {
    int count;
    const withy_quantity *q = withy_quantity_list(of, &count);
    const withy_parts *parts = withy_sim_parts(sim);
    if (!parts || index >= count) return 0;
    q += index;
    *table = (withy_table){q->name, q->unit, withy_quantity_of_part(q, parts, part), 1, 1, q->size};
    return 1;
}

int withy_sim_table(withy_sim *sim, withy_record_of of, int part, int index, withy_table *table) {
    if (!table || index < 0 || part < 0 || part >= withy_sim_count(sim, of)) return 0;
    if (of == WITHY_RECORD_ROD) return rod_table(sim, part, index, table);
    const int kind = of == WITHY_RECORD_BODY    ? WITHY_OF_BODY
                     : of == WITHY_RECORD_JOINT ? WITHY_OF_JOINT
                                                : WITHY_OF_OBSTACLE;
    return part_table(sim, kind, part, index, table);
}
