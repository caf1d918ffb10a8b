/* test_scene_messages.c - invalid scenes: one message each, compared word for word. */
#include "message/bad_scenes.h"

TEST(unknown_key_names_the_closest_one_or_lists_all) {
    static const bad_scene row[] = {
        {SCENE("tme = { stop = 1 },"), NULL,
         "bad.lua:4: unknown key \"tme\"; did you mean \"time\"?"},
        {ROD("colour = \"red\","), NULL,
         "bad.lua:4: unknown key \"rod.colour\"; known here: length, name, kind, compression, "
         "closed, excess, section, material, "
         "stiffness, inertia, damping, law, drag, fluid, viscous, magnet, radius, tension, rest, "
         "heat, initial, "
         "ends, loads"},
        {ROD("dampng = { bend = 1 },"), NULL,
         "bad.lua:4: unknown key \"rod.dampng\"; did you mean \"rod.damping\"?"},
        {SCENE("ends = { start = clamped {\n    positon = { 0, 0, 0 } } },"), NULL,
         "bad.lua:5: unknown key \"ends.start.positon\"; did you mean \"ends.start.position\"?"},
        {SCENE("ends = { start = clamped { force = { 0, 0, 1 } } },"), NULL,
         "bad.lua:4: ends.start.force: clamped takes no force; guided, roller and free do"},
        {SCENE("ends = { strat = free {} },"), NULL,
         "bad.lua:4: unknown key \"ends.strat\"; did you mean \"ends.start\"?"},
        {SCENE("initial = {\n    shape = straight { form = { 0, 0, 0 } },\n  },"), NULL,
         "bad.lua:5: unknown key \"initial.shape.form\"; did you mean \"initial.shape.from\"?"},
        {SCENE("[7] = true,"), NULL,
         "bad.lua:4: [7]: a value without a key; write key = value, and a number with a decimal "
         "point, "
         "not a comma (known here: title, rod, rods, initial, ends, loads, bodies, joints, floor, "
         "contact, obstacles, rotating, medium, field, gravity, time, path, probes, inputs, "
         "method, "
         "options)"},
        {SCENE("gravity = { 0, 0, -9.81 },\n  [true] = 1,"), NULL,
         "bad.lua:5: unknown key \"true\"; did you mean \"time\"?"},
        {SCENE("[\"\"] = 1,"), NULL,
         "bad.lua: unknown key \"(empty)\"; known here: title, rod, rods, initial, ends, loads, "
         "bodies, joints, floor, contact, obstacles, rotating, medium, field, gravity, time, path, "
         "probes, "
         "inputs, method, "
         "options"},
        {SCENE("[\"time\\0\"] = 1,"), NULL,
         "bad.lua: unknown key \"time?\"; did you mean \"time\"?"},
        {"local rod = {\n  length = 1,\n  widht = 2,\n}\nreturn { rod = rod, time = { stop = 1 } "
         "}\n",
         NULL,
         "bad.lua:3: unknown key \"rod.widht\"; known here: length, name, kind, compression, "
         "closed, excess, section, material, "
         "stiffness, inertia, damping, law, drag, fluid, viscous, magnet, radius, tension, rest, "
         "heat, initial, "
         "ends, loads"},
        {"local scene = {\n  rods = 1,\n  titel = \"x\",\n}\nreturn scene\n", NULL,
         "bad.lua:3: unknown key \"titel\"; did you mean \"title\"?"},
    };
    CHECK_BAD_SCENES(row);
}

TEST(wrong_type_says_what_is_expected) {
    static const bad_scene row[] = {
        {ROD("tension = \"65\","), NULL, "bad.lua:4: rod.tension = \"65\": must be a number [N]"},
        {SCENE("gravity = 9.81,"), NULL,
         "bad.lua:4: gravity = 9.81: must be 3 numbers { x, y, z } [m/s^2]"},
        {SCENE("gravity = { 0, 0, \"down\" },"), NULL,
         "bad.lua:4: gravity = { ... }: must be 3 numbers { x, y, z } [m/s^2]"},
        {SCENE("gravity = { 0, 0 },"), NULL,
         "bad.lua:4: gravity = { 0, 0 }: must be 3 numbers { x, y, z } [m/s^2]"},
        {SCENE("title = 3,"), NULL, "bad.lua:4: title = 3: must be a string"},
        {SCENE("ends = clamped {},"), NULL,
         "bad.lua:4: ends = clamped { ... }: must be a table { start, finish }"},
        {SCENE("ends = { start = 3 },"), NULL,
         "bad.lua:4: ends.start = 3: must be clamped, pinned, guided, roller or free { ... }"},
        {SCENE("ends = { start = { position = { 0, 0, 0 } } },"), NULL,
         "bad.lua:4: ends.start = { ... }: must be clamped, pinned, guided, roller or free { ... "
         "}"},
        {SCENE("ends = { start = circle { diameter = 1 } },"), NULL,
         "bad.lua:4: ends.start = circle { ... }: must be clamped, pinned, guided, roller or free "
         "{ ... }"},
        {SCENE("ends = { start = straight },"), NULL,
         "bad.lua:4: ends.start = straight: must be clamped, pinned, guided, roller or free { ... "
         "}"},
        {BARE_ROD("section = { diameter = 1 }, " STEEL ","), NULL,
         "bad.lua:4: rod.section = { ... }: must be circle, tube, rectangle, ellipse or custom { "
         "... }"},
        {SCENE("loads = point { at = 1, force = { 0, 0, 1 } },"), NULL,
         "bad.lua:4: loads = point { ... }: must be a list { point { ... }, ... }"},
        {SCENE("loads = { { at = 1 } },"), NULL,
         "bad.lua:4: loads[1] = { ... }: must be distributed, point, muscle, chamber or tendon { "
         "... }"},
        {SCENE("loads = { first = point { at = 1, force = { 0, 0, 1 } } },"), NULL,
         "bad.lua:4: loads must be a list, numbered 1, 2, ... without gaps or names"},
        {SCENE("loads = { point { at = 1, force = { 0, 0, 1 }, follower = 1 } },"), NULL,
         "bad.lua:4: loads[1].follower = 1: must be true or false"},
        {SCENE("probes = { \"tip\" },"), NULL,
         "bad.lua:4: probes: every entry needs a name: name = ..."},
        {SCENE("probes = { tip = 2 },"), NULL,
         "bad.lua:4: probes.tip = 2: must be a table { ... }"},
        {SCENE("options = { n = {} },"), NULL,
         "bad.lua:4: options.n = { ... }: must be a finite number, a short text, true or false"},
        {SCENE("options = 3,"), NULL,
         "bad.lua:4: options = 3: must be a table { name = value, ... }"},
        {ROD("drag = 3,"), NULL,
         "bad.lua:4: rod.drag = 3: must be a table { linear, quadratic, spin }"},
        {ROD("drag = { linear = function(s) return 1 end },"), NULL,
         "bad.lua:4: rod.drag.linear = a function: must be a number >= 0 [N s/m^2]"},
        {ROD("rest = helix { radius = 0.1, pitch = 0.1, hand = \"up\" },"), NULL,
         "bad.lua:4: rod.rest.hand = \"up\": must be \"right\" or \"left\""},
    };
    CHECK_BAD_SCENES(row);
}

TEST(value_out_of_range_says_the_range_and_the_unit) {
    static const bad_scene row[] = {
        {ROD("drag = { linear = -1 },"), NULL,
         "bad.lua:4: rod.drag.linear = -1: must be >= 0 [N s/m^2]"},
        {ROD("tension = 0 / 0,"), NULL, "bad.lua:4: rod.tension = nan: must be finite [N]"},
        {ROD("tension = math.huge,"), NULL, "bad.lua:4: rod.tension = inf: must be finite [N]"},
        {BARE_ROD("section = circle { diameter = -1e-3 }, " STEEL ","), NULL,
         "bad.lua:4: rod.section.diameter = -0.001: must be > 0 [m]"},
        {BARE_ROD("section = circle { diameter = 1e-3, shear_factor = 1.5 }, " STEEL ","), NULL,
         "bad.lua:4: rod.section.shear_factor = 1.5: must be > 0 and <= 1"},
        {BARE_ROD("section = tube { outer = 1, inner = 2 }, " STEEL ","), NULL,
         "bad.lua:4: rod.section.inner = 2: must be < outer = 1 [m]"},
        {BARE_ROD("section = circle { diameter = 1e-3 }, material = { young = 1, poisson = 0.6, "
                  "density = 1 },"),
         NULL, "bad.lua:4: rod.material.poisson = 0.6: must be > -1 and <= 0.5"},
        {BARE_ROD("stiffness = { bend = { 1, 0 } }, inertia = { mass = 1 },"), NULL,
         "bad.lua:4: rod.stiffness.bend = { 1, 0 }: must be > 0 [N m^2]; what has no bending "
         "stiffness is a cable: rod.kind = \"cable\""},
        {BARE_ROD("stiffness = { bend = 1 }, inertia = { mass = 0 },"), NULL,
         "bad.lua:4: rod.inertia.mass = 0: must be > 0 [kg/m]"},
        {"return {\n  rod = { length = -2, stiffness = { bend = 1 } },\n  time = { stop = 1 "
         "},\n}\n",
         NULL, "bad.lua:2: rod.length = -2: must be > 0 [m]"},
        {TIME("stop = 0"), NULL, "bad.lua:3: time.stop = 0: must be > 0 [s]"},
        {TIME("stop = 1, output = 2"), NULL,
         "bad.lua:3: time.output = 2: must be at most stop = 1 [s]"},
        {"return {\n  rod = { length = 2, stiffness = { bend = 1 }, inertia = { mass = 1 } },\n  "
         "time = {\n    stop = 1,\n    stations = 1,\n  },\n}\n",
         NULL, "bad.lua:5: time.stations = 1: must be 0 (the method's nodes) or at least 2"},
        {TIME("stop = 1, stations = 2.5"), NULL,
         "bad.lua:3: time.stations = 2.5: must be a whole number >= 0 and <= 1000000"},
        {SCENE("loads = { point { at = 3, force = { 0, 0, 1 } } },"), NULL,
         "bad.lua:4: loads[1].at = 3: must lie on the rod, 0 .. 2 [m]"},
        {SCENE("loads = {\n    point { at = 1, force = { 0, 0, 1 } },\n    distributed { from = 1, "
               "to = 0.5, force = { 0, 0, 1 } },\n  },"),
         NULL, "bad.lua:6: loads[2].to = 0.5: must be > from = 1 [m]"},
        {SCENE("initial = { shape = pluck { at = 2, height = 1, direction = { 1, 0, 0 } } },"),
         NULL, "bad.lua:4: initial.shape.at = 2: must lie between the ends of the rod, 0 .. 2 [m]"},
        {SCENE("initial = { shape = pluck { at = 1, height = 1, direction = { 1, 0, 1 } } },"),
         NULL, "bad.lua:4: initial.shape.direction must be across the rod; it has 0.707 along it"},
        {SCENE("initial = { shape = straight { along = { 0, 0, 0 } } },"), NULL,
         "bad.lua:4: initial.shape.along = { 0, 0, 0 }: must be 3 numbers { x, y, z }, not all "
         "zero"},
        {SCENE("probes = { tip = { at = 3 } },"), NULL,
         "bad.lua:4: probes.tip.at = 3: must lie on the rod, 0 .. 2 [m]"},
        {SCENE(
             "probes = {\n    root = { at = 0 },\n    tip = { at = 2, what = \"positon\" },\n  },"),
         NULL,
         "bad.lua:6: probes.tip.what = \"positon\": is not a quantity; did you mean \"position\"?"},
        {SCENE("probes = { tip = { at = 2, rod = 2 } },"), NULL,
         "bad.lua:4: probes.tip.rod = 2: there are rods 1 .. 1"},
        {SCENE("path = { steps = 0 },"), NULL,
         "bad.lua:4: path.steps = 0: must be >= 1 and <= 1000000"},
        {ROD("rest = helix { radius = 0.1, turns = 10 },"), NULL,
         "bad.lua:4: rod.rest.turns = 10: the rod is too short, each turn takes more than "
         "0.6283185307 [m]; at most 3.1831 turns"},
        {ROD("rest = helix { radius = 0.1, pitch = -0.1 },"), NULL,
         "bad.lua:4: rod.rest.pitch = -0.1: must be > 0 [m]"},
        {ROD("rest = helix { radius = 0.1, angle = 90 },"), NULL,
         "bad.lua:4: rod.rest.angle = 90: must be > 0 and < 1.570796327 [rad]"},
        {ROD("rest = pluck { at = 1, height = 1, direction = { 1, 0, 0 } },"), NULL,
         "bad.lua:4: rod.rest: pluck is for initial.shape only; a rest shape has no kink"},
    };
    CHECK_BAD_SCENES(row);
}

TEST(lists_that_are_too_long_say_how_long_they_may_be) {
    static const bad_scene row[] = {
        {"local l = {}\nfor i = 1, 2000 do l[i] = point { at = 0, force = { 0, 0, 1 } } "
         "end\n" SCENE("loads = l,"),
         NULL, "bad.lua:6: loads has 2000 entries; the most is 1000"},
        {"local l = {}\nfor i = 1, 1001 do l['n' .. i] = 1 end\n" SCENE("options = l,"), NULL,
         "bad.lua:6: options has 1001 entries; the most is 1000"},
        {SCENE("probes = { [string.rep('n', 64)] = { at = 0 } },"), NULL,
         "bad.lua:4: probes: a name must have 1 to 63 characters: \"nnnnnnnnnnnnnnnnnnnn...\""},
        {SCENE("options = { scheme = string.rep('n', 64) },"), NULL,
         "bad.lua:4: options.scheme = \"nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn...\": must be a "
         "finite "
         "number, a short text, true or false"},
    };
    CHECK_BAD_SCENES(row);
}

TEST(vector_that_is_not_unit_says_its_length) {
    static const bad_scene row[] = {
        {SCENE("ends = { start = clamped { tangent = { 0, 1, 1 } } },"), NULL,
         "bad.lua:4: ends.start.tangent = { 0, 1, 1 }: must have length 1, has 1.41421; divide it "
         "by its length"},
        {SCENE("ends = { start = clamped { frame = { 2, 0, 0, 0 } } },"), NULL,
         "bad.lua:4: ends.start.frame = { 2, 0, 0, 0 }: must have length 1, has 2; divide it by "
         "its length"},
        {SCENE("ends = { start = clamped {\n    position = { 0, 0, 0 },\n    tangent = function(t) "
               "return 0, 0, 2 + t end } },"),
         NULL,
         "bad.lua:6: ends.start.tangent at t = 0: the function returned a vector of length 2; it "
         "must have length 1, divide it by its length"},
        {SCENE("ends = { start = clamped { tangent = { 0, 0, 1 }, normal = { 0, 0, 1 } } },"), NULL,
         "bad.lua:4: ends.start.normal is along the tangent at t = 0; it must point across the "
         "rod"},
    };
    CHECK_BAD_SCENES(row);
}

TEST(missing_key_says_what_to_give) {
    static const bad_scene row[] = {
        {"return { time = { stop = 1 } }\n", NULL,
         "bad.lua: the scene needs rod, rods or bodies: rod = { length = 1, ... }; withy list "
         "cases "
         "falling_rod prints a scene to begin with"},
        {"return {\n  rod = { length = 2, stiffness = { bend = 1 }, inertia = { mass = 1 } },\n  "
         "time = {},\n}\n",
         NULL,
         "bad.lua:3: time.stop is missing: give a number > 0 [s] (last time; the first is 0)"},
        {"return {\n  rod = { length = 2, stiffness = { bend = 1 } },\n  path = { to = 1 },\n  "
         "time = { output = 1, stations = 161 },\n}\n",
         NULL,
         "bad.lua:4: time.stop is missing: give a number > 0 [s] (last time; the first is 0)"},
        {"return {\n  rod = { length = 2, stiffness = { bend = 1 } },\n  path = { to = 1 },\n  "
         "time = { stations = 1 },\n}\n",
         NULL, "bad.lua:4: time.stations = 1: must be 0 (the method's nodes) or at least 2"},
        {"return {\n  rod = { stiffness = { bend = 1 } },\n  time = { stop = 1 },\n}\n", NULL,
         "bad.lua:2: rod.length is missing: give a number > 0 [m] (length L at rest; can be "
         "left out if the shape is `through`, a helix with a height, or a `catenary` with a "
         "length)"},
        {BARE_ROD("section = circle { diameter = 1 },"), NULL,
         "bad.lua:4: rod has section but no material; give both: material = { young = 2e11, "
         "poisson "
         "= 0.3, density = 7800 }"},
        {BARE_ROD("section = circle {}, " STEEL ","), NULL,
         "bad.lua:4: rod.section.diameter is missing: give a number > 0 or a function of s [m] "
         "(diameter)"},
        {BARE_ROD("section = circle { diameter = 1 }, material = { young = 1, density = 1 },"),
         NULL, "bad.lua:4: rod.material needs shear or poisson: poisson = 0.3"},
        {BARE_ROD("inertia = { mass = 1 },"), NULL,
         "bad.lua:2: rod needs section or stiffness: section = circle { diameter = 1e-3 } and a "
         "material, or stiffness = { bend = 1 }"},
        {BARE_ROD("stiffness = { twist = 1 }, inertia = { mass = 1 },"), NULL,
         "bad.lua:2: rod: no bending stiffness is given; give rod.stiffness.bend, or rod.section "
         "and rod.material"},
        {BARE_ROD("stiffness = { bend = 1 },"), NULL,
         "bad.lua:2: rod: no mass is given; give rod.inertia.mass, or rod.section and "
         "rod.material"},
        {ROD("rest = helix { radius = 0.1 },"), NULL,
         "bad.lua:4: rod.rest needs pitch, angle or turns"},
        {ROD("rest = curve {},"), NULL,
         "bad.lua:4: rod.rest.position is missing: give 3 numbers { x, y, z } or a function of s "
         "[m] (r(s), a function of arc length)"},
        {SCENE("floor = {},"), NULL,
         "bad.lua:4: floor.stiffness is missing: give a number > 0 [N/m^2] (force per depth and "
         "length of rod)"},
        {SCENE("loads = { point { at = 1 } },"), NULL,
         "bad.lua:4: loads[1] needs force or moment: force = { 0, 0, -1 }"},
        {SCENE("loads = { tendon { route = { 0.01, 0 } } },"), NULL,
         "bad.lua:4: loads[1] needs tension, displacement or continues"},
        {SCENE("probes = { tip = { what = \"position\" } },"), NULL,
         "bad.lua:4: probes.tip.at is missing: give a number >= 0 [m] (arc length s, at most the "
         "length)"},
    };
    CHECK_BAD_SCENES(row);
}

TEST(keys_that_exclude_each_other_are_reported_together) {
    static const bad_scene row[] = {
        {BARE_ROD("section = circle { diameter = 1 }, material = { young = 1, shear = 1, poisson = "
                  "0.3, density = 1 },"),
         NULL, "bad.lua:4: rod.material has both shear and poisson; keep one"},
        {ROD("material = { young = 1, shear = 1, density = 1 },"), NULL,
         "bad.lua:4: rod has material but no section; give both: section = circle { diameter = "
         "1e-3 "
         "}"},
        {ROD("rest = helix { radius = 0.1, pitch = 0.1, turns = 2 },"), NULL,
         "bad.lua:4: rod.rest has both pitch and turns; keep one"},
        {SCENE("ends = { start = clamped { tangent = { 0, 0, 1 }, frame = { 1, 0, 0, 0 } } },"),
         NULL, "bad.lua:4: ends.start has both tangent and frame; keep one"},
        {SCENE("ends = { start = guided { normal = { 1, 0, 0 } } },"), NULL,
         "bad.lua:4: ends.start has normal but no tangent; give both"},
        {SCENE("ends = { finish = free { offset = { 0, 0, 1 } } },"), NULL,
         "bad.lua:4: ends.finish has offset but no mass; give both"},
        {SCENE("initial = { shape = straight {}, strain = { 0, 0, 0 } },"), NULL,
         "bad.lua:4: initial has both shape and strain; keep one"},
        {SCENE("rods = { {} },"), NULL, "bad.lua:4: the scene has both rod and rods; keep one"},
        {ROD("ends = { start = free {} } },\n  ends = { start = free {},"), NULL,
         "bad.lua:5: ends and rod.ends are both given; keep one"},
        {"return {\n  rods = { { length = 1, stiffness = { bend = 1 }, inertia = { mass = 1 } } "
         "},\n  ends = { start = free {} },\n  time = { stop = 1 },\n}\n",
         NULL, "bad.lua:3: the scene has rods, so ends belongs inside each of them"},
        {"return {\n  rods = { { length = 1, stiffness = { bend = 1 }, inertia = { mass = 1 } },\n "
         "          { length = 0, stiffness = { bend = 1 } } },\n  time = { stop = 1 },\n}\n",
         NULL, "bad.lua:3: rods[2].length = 0: must be > 0 [m]"},
        {"return {\n  rods = {},\n  time = { stop = 1 },\n}\n", NULL,
         "bad.lua:2: rods is empty; it needs at least one rod"},
        {"return {\n  rods = { { length = 1, stiffness = { bend = 1 }, inertia = { mass = 1 } } "
         "},\n  joints = { { rods = { 1, 2 }, at = { 1, 0 } } },\n  time = { stop = 1 },\n}\n",
         NULL, "bad.lua:3: joints[1].rods names rod 2; there are rods 1 .. 1"},
        {"return {\n  rods = { { length = 1, stiffness = { bend = 1 }, inertia = { mass = 1 } } "
         "},\n  joints = { { rods = { 1, 1 }, at = { 0, 2 } } },\n  time = { stop = 1 },\n}\n",
         NULL, "bad.lua:3: joints[1].at = 2 is not on rod 1: it must be 0 .. 1 [m]"},
    };
    CHECK_BAD_SCENES(row);
}

TEST(shapes_by_points_say_what_they_need) {
    static const bad_scene row[] = {
        {SCENE("initial = { shape = catenary { to = { 1, 0, 0 } } },"), NULL,
         "bad.lua: there is no gravity, in whose direction a catenary hangs; give gravity, or "
         "catenary { direction = ... }"},
        {SCENE("gravity = { 0, 0, -1 }, initial = { shape = catenary {} },"), NULL,
         "bad.lua:4: initial.shape.to is missing: give 3 numbers { x, y, z } [m] (where it ends), "
         "or "
         "the position of ends.finish"},
        {SCENE("gravity = { 0, 0, -1 }, initial = { shape = catenary { to = { 1, 0, 0 }, length = "
               "3 } "
               "},"),
         NULL,
         "bad.lua:4: initial.shape.length = 3: must be rod.length = 2 [m]; leave out one of them"},
        {SCENE("gravity = { 0, 0, -1 }, initial = { shape = catenary { to = { 3, 0, 0 } } },"),
         NULL,
         "bad.lua:4: initial.shape: from and to are 3 m apart and the rod is 2 m long; a catenary "
         "needs a rod that is longer than that"},
        {SCENE("initial = { shape = through { { 0, 0, 0 }, { 1, 0 } } },"), NULL,
         "bad.lua:4: initial.shape.points[2] = { 1, 0 }: must be 3 numbers { x, y, z } [m]"},
        {SCENE("initial = { shape = through { { 0, 0, 0 }, { 1, 0, 0 } } },"), NULL,
         "bad.lua:4: initial.shape: the curve through the points is 1 m long and rod.length = 2; "
         "set "
         "rod.length to that (a scene may leave it out) or change the points"},
        {SCENE("ends = { start = clamped { turn = \"loose\" } },"), NULL,
         "bad.lua:4: ends.start.turn = \"loose\": must be \"held\" or \"free\""},
        {SCENE("ends = { start = clamped { turn = \"free\", frame = { 1, 0, 0, 0 } } },"), NULL,
         "bad.lua:4: ends.start: turn = \"free\" lets the section turn about the tangent and frame "
         "says how it is turned; keep one"},
    };
    CHECK_BAD_SCENES(row);
}

TEST(a_text_with_a_zero_byte_is_not_cut_in_silence) {
    static const bad_scene row[] = {
        {SCENE("title = \"a\\0b\","), NULL,
         "bad.lua:4: title = \"a\": must not contain a zero byte, which ends a string"},
        {SCENE("probes = { [\"a\\0b\"] = { at = 1 } },"), NULL,
         "bad.lua:4: probes: a name must not contain a zero byte: \"a...\""},
        {SCENE("options = { mode = \"a\\0b\" },"), NULL,
         "bad.lua:4: options.mode = \"a\": must be a finite number, a short text, true or false"},
        {SCENE("ends = { start = clamped { turn = \"free\\0x\" } },"), NULL,
         "bad.lua:4: ends.start.turn = \"free\": must not contain a zero byte, which ends a "
         "string"},
        {SCENE("ends = { start = \"free\\0x\" },"), NULL,
         "bad.lua:4: ends.start = \"free\": must not contain a zero byte, which ends a string"},
        {SCENE("[\"title\\0x\"] = \"a\","), NULL,
         "bad.lua: unknown key \"title?\"; did you mean \"title\"?"},
    };
    CHECK_BAD_SCENES(row);
}

RUN(test(unknown_key_names_the_closest_one_or_lists_all), test(wrong_type_says_what_is_expected),
    test(value_out_of_range_says_the_range_and_the_unit),
    test(lists_that_are_too_long_say_how_long_they_may_be),
    test(vector_that_is_not_unit_says_its_length), test(missing_key_says_what_to_give),
    test(keys_that_exclude_each_other_are_reported_together),
    test(a_text_with_a_zero_byte_is_not_cut_in_silence), test(shapes_by_points_say_what_they_need))
