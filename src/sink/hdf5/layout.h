/* layout.h - what is where in a result file.
 *
 * The file (shown by `h5dump -H`):
 *   /            attributes format, title, method, version, scene_name
 *   /status      text: "running", then "complete", "interrupted" or "failed: ..."
 *   /scene       text as solved          /notes   text: one per line
 *   /note_data   text: a line of data for each note, as withy_note_at reads it
 *   /params      attributes: name and value of each parameter; no group when there are none
 *   /options     attributes              /request attributes stop, output, stations
 *   /time /step  [snapshots]             how many snapshots there are: the length of time
 *   /rodI        s [stations], and per quantity [snapshots][stations][size]; attributes name, length,
 *                section, section_a, section_b, start, finish
 *   /ledger/rodI per entry [snapshots] or [snapshots][size]
 *   /bodies      name, shape: texts with a line for each body; mass, inertia, size [bodies * ...]; per quantity
 *                [snapshots][bodies][size]; kinetic, gravity [snapshots]
 *   /joints      name, kind: texts with a line for each joint; parts [2 joints]: rod i, -(body i), from 1, or
 *                0 for the ground; per quantity [snapshots][joints][size]; springs
 *                [snapshots]
 *   /obstacles   name, kind: texts with a line for each; size [13 obstacles]: radius, length, size, direction,
 *                frame, inside; per quantity [snapshots][obstacles][size]; where there are meshes: surface
 *                [5 obstacles]: first vertex, vertices, first triangle, triangles, triangles in the scene (all 0: no mesh),
 *                vertex [3 vertices]: in the axes `frame` of the obstacle, from its position, triangle [3 triangles]: its
 *                vertices, from 0, counted from the first of its surface, counterclockwise seen from outside; a surface of
 *                more than WY_H5_TRIANGLES is carried coarser, for drawing
 *   /tendons     name: a line for each; tendon [3 tendons]: rod i, points of its route, tendon that it continues or 0, from
 *                1; route [3 points]: s, x1, x2 at the ends of each and at the stations between; no group: there are none
 *   /contacts    a row for each contact of each snapshot: t, parts: rod i, and rod i, -(obstacle i) or -(2^20 + body i), from 1; s, s2,
 *                gap, push, friction, force, position
 *   /probes/NAME t [samples], value [samples][size]; attributes name, what, at, rod; of a body, joint or
 *                obstacle also of ("body", "joint", "obstacle") and part, counted from 1; of a rod as a whole
 *                of = "ledger" and part: the rod, 0: the scene
 *   /restart     of a run with checkpoints: state0, state1 (the newer one that is whole counts, store.h), hash: of
 *                that state; set: overrides of the scene; attribute source: bytes of /scene without them
 * Every row of a table has a checksum in a data set `check` next to it (/check for time and step); the other
 * data sets have it as an attribute (store.h).
 * Every data set has attributes unit and doc.  Quantities that a method does not compute are left out.
 */
#pragma once

/* "withy 1" (0.1.0, 0.2.0) had texts of variable length and no checksums. */
#define WY_H5_FORMAT "withy 2"
enum { WY_H5_TRIANGLES = 50000, WY_H5_SURFACE = 5, WY_H5_TENDON = 3 };
enum { WY_CONTACTS_BODY = 1 << 20 }; /* of parts of contacts */
/* Words of the file: groups, shapes of bodies (withy_body_shape), kinds of obstacles (withy_obstacle_kind). */
enum { WY_H5_SHAPES = 5, WY_H5_OBSTACLES = 7 };
extern const char *const wy_h5_parts_name[], *const wy_h5_shape[], *const wy_h5_obstacle[];
