/* units.c - a rod whose numbers belong to no material or no rod: most likely a unit is wrong.
 *
 * Only rods with section and material are looked at; stiffness and inertia given directly may have any
 * units.  The bounds are wide: what real materials do (rubber to diamond, foam to tungsten) and any set of
 * consistent units with metre and kilogram raise no note.
 */
#include "study/sim.h"

/* Along a rod of the softest gel and of diamond sound travels at 1 m/s and 18 km/s. */
static const double SLOWEST = 0.5, FASTEST = 3e4;
/* What is as dense as this is at least as hard as lead, where it is 1200 m/s. */
static const double DENSE = 2000, SLOWEST_DENSE = 10;
/* Young's modulus in GPa and density in g/cm^3. */
static const double GPA[2] = {10, 1000}, GRAM[2] = {1.5, 25};

static int within(double x, const double range[2]) {
    return x >= range[0] && x <= range[1];
}

static void note_material(const withy_rod *rod, int number, withy_notes *notes) {
    const double young = rod->material.young, density = rod->material.density;
    const double speed = sqrt(young / density);
    if (speed > FASTEST && density > 0.01)
        wy_note(notes, WY_NOTE(material_fast), number, young, density, speed);
    else if (speed < SLOWEST_DENSE && density >= DENSE)
        wy_note(notes, WY_NOTE(material_soft_dense), number, young, density);
    else if (speed < SLOWEST && density >= 100)
        wy_note(notes, WY_NOTE(material_soft), number, young, density);
    else if (within(young, GPA) && within(density, GRAM))
        wy_note(notes, WY_NOTE(material_units), number, young, density, 1e9 * young, 1e3 * density);
}

static void note_size(const withy_rod *rod, int number, withy_notes *notes) {
    const withy_section *section = &rod->section;
    const int two =
        section->kind == WITHY_SECTION_RECTANGLE || section->kind == WITHY_SECTION_ELLIPSE;
    if (section->a.call || section->b.call || !(section->a.value[0] > 0)) return;
    const double size = two ? fmax(section->a.value[0], section->b.value[0]) : section->a.value[0];
    const double ratio = rod->length / size;
    if (ratio < 2)
        wy_note(notes, WY_NOTE(rod_thick), number, rod->length, ratio, size);
    else if (ratio > 1e7)
        wy_note(notes, WY_NOTE(rod_thin), number, rod->length, ratio, size);
}

void wy_units_note(const withy_problem *problem, withy_notes *notes) {
    for (int i = 0; i < problem->rod_count; i++) {
        const withy_rod *rod = &problem->rod[i];
        if (rod->section.kind == WITHY_SECTION_NONE) continue;
        if (rod->material.density > 0 && rod->material.young > 0) note_material(rod, i + 1, notes);
        if (rod->section.kind != WITHY_SECTION_CUSTOM) note_size(rod, i + 1, notes);
    }
}
