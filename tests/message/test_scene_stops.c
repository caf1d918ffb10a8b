/* test_scene_stops.c - scenes that do not run, functions that fail, overrides that do not fit. */
#include "message/bad_scenes.h"

TEST(function_that_fails_is_named_with_its_arguments) {
    static const bad_scene row[] = {
        {SCENE("ends = { start = pinned { position = function(t) return 0, 0 end } },"), NULL,
         "bad.lua:4: ends.start.position at t = 0: the function returned 2 numbers; it must return "
         "3 numbers"},
        {SCENE("ends = { start = pinned { position = function(t) return { 0, 0, 0, 0 } end } },"),
         NULL,
         "bad.lua:4: ends.start.position at t = 0: the function returned 4 numbers; it must return "
         "3 numbers"},
        {SCENE("ends = { start = pinned { position = function(t) return 0, 0, \"up\" end } },"),
         NULL,
         "bad.lua:4: ends.start.position at t = 0: the function returned \"up\"; it must return 3 "
         "numbers"},
        {SCENE("ends = { start = pinned { position = function(t) return end } },"), NULL,
         "bad.lua:4: ends.start.position at t = 0: the function returned 0 numbers; it must return "
         "3 numbers"},
        {SCENE("ends = { start = pinned { position = function(t) return 0, 0, 1 / t end } },"),
         NULL,
         "bad.lua:4: ends.start.position at t = 0: the function returned inf; must be finite [m]"},
        {SCENE("ends = { start = pinned {\n    position = function(t)\n      return 0, 0, "
               "amplitude * t\n    end } },"),
         NULL,
         "bad.lua:6: ends.start.position at t = 0: attempt to use a nil value (global "
         "'amplitude'); "
         "nothing of this name is defined above, and a scene has only math, string, table and the "
         "constructors"},
        {SCENE("ends = { start = pinned { position = function(t) while true do end end } },"), NULL,
         "bad.lua:4: ends.start.position at t = 0: stopped after too many instructions; is "
         "there an endless loop?"},
        {SCENE("loads = { distributed { force = function(s, t) return 0, 0, 1 / (s - 2) end } },"),
         NULL,
         "bad.lua:4: loads[1].force at s = 2, t = 0: the function returned inf; must be finite "
         "[N/m]"},
        {BARE_ROD("stiffness = { bend = function(s) return 1 - s end }, inertia = { mass = 1 },"),
         NULL,
         "bad.lua:4: rod.stiffness.bend at s = 2: the function returned -1; must be > 0 [N m^2]"},
        {BARE_ROD("stiffness = { bend = function(s) return 1, 2, 3 end }, inertia = { mass = 1 },"),
         NULL,
         "bad.lua:4: rod.stiffness.bend at s = 0: the function returned 3 numbers; it must return "
         "1 or 2 numbers"},
        {BARE_ROD("stiffness = { bend = function(s) return 1 end }, inertia = { mass = 1, rotary = "
                  "function(s) return 1, 2 end },"),
         NULL,
         "bad.lua:4: rod.inertia.rotary at s = 0: the function returned 2 numbers; it must return "
         "1 or 3 numbers"},
        {ROD("rest = curvature(function(s) return s end),"), NULL,
         "bad.lua:4: rod.rest.strain at s = 0, t = 0: the function returned 1 number; it must "
         "return 3 "
         "numbers"},
        {ROD("rest = curve(function(s) return 2 * s, 0, 0 end),"), NULL,
         "bad.lua:4: rod.rest: the curve is not parametrised by arc length: it moves 2 per unit of "
         "s at s = 0; divide its parameter by that speed or change rod.length"},
        {SCENE("initial = { strain = function(s) return 1, 2, 3, 4 end },"), NULL,
         "bad.lua:4: initial.strain at s = 0, t = 0: the function returned 4 numbers; it must "
         "return 3 or "
         "6 numbers"},
        {SCENE("ends = { start = pinned { position = math.sin } },"), NULL,
         "bad.lua:4: ends.start.position at t = 0: the function returned 1 number; it must return "
         "3 numbers"},
    };
    CHECK_BAD_SCENES(row);
}

TEST(scene_that_does_not_run_is_stopped_with_file_and_line) {
    static const bad_scene row[] = {
        {"return {\n  rod = { length = 1 \n  time = { stop = 1 },\n}\n", NULL,
         "bad.lua:3: '}' expected (to close '{' at line 2) near 'time'; is a comma missing before "
         "it?"},
        {"return {\n  ends = { start = clampd { position = { 0, 0, 0 } } },\n}\n", NULL,
         "bad.lua:2: attempt to use a nil value (global 'clampd'); did you mean \"clamped\"?"},
        {"return { time = { stop = os.time() } }\n", NULL,
         "bad.lua:1: attempt to use a nil value (global 'os'); a scene has no os; math.random "
         "gives the same numbers every time"},
        {"return {\n  rod = { damping = { stretch = strech_damp } },\n}\n", NULL,
         "bad.lua:2: attempt to use a nil value (global 'strech_damp'); nothing of this name is "
         "defined above, and a scene has only math, string, table and the constructors"},
        {"local a = inf\nreturn {}\n", NULL,
         "bad.lua:1: attempt to use a nil value (global 'inf'); did you mean \"link\"?"},
        {"local x = nil + 1\nreturn {}\n", NULL,
         "bad.lua:1: attempt to perform arithmetic on a nil value"},
        {"return {\n  ends = { start = clamped(3) },\n}\n", NULL,
         "bad.lua:2: clamped takes a table: clamped { ... }"},
        {"return {\n  ends = { start = clamped({}, {}) },\n}\n", NULL,
         "bad.lua:2: clamped takes one table: clamped { ... }"},
        {"", NULL, "bad.lua: returns nothing; a scene must end with return { ... }"},
        {"return 3\n", NULL, "bad.lua: returns 3; a scene must end with return { ... }"},
        {"return clamped {}\n", NULL,
         "bad.lua: returns clamped { ... }; a scene must end with return { ... }"},
        {"error('too long')\n", NULL, "bad.lua:1: too long"},
        {"error({})\n", NULL, "bad.lua: raised an error that is not a string"},
        {"error('plain', 0)\n", NULL, "bad.lua: plain"},
        {"\x1bLua", NULL, "bad.lua: is compiled Lua; a scene must be text"},
        {"local n = 0\nwhile true do\n  n = n + 1\nend\n", NULL,
         "bad.lua:3: stopped after too many instructions; is there an endless loop?"},
        {"local t = {}\nfor i = 1, 1e9 do\n  t[i] = { i }\nend\n", NULL,
         "bad.lua:3: stopped, as it uses too much memory; is there an endless loop?"},
        {"local s = string.rep('x', 999999)\nwhile true do\n  local longer = s .. 'y'\nend\n", NULL,
         "bad.lua:3: stopped, as it uses too much memory; is there an endless loop?"},
        {"local s = string.rep('x', 1000000)\ns = s .. s\n", NULL,
         "bad.lua:2: stopped, as it uses too much memory; is there an endless loop?"},
        {"local s = string.rep('x', 999999)\nlocal a, b = s .. 'y', s .. 'y'\nwhile a == b "
         "do\nend\n",
         NULL,
         "bad.lua:3: stopped after too many seconds; does a loop do too much, or is the text too "
         "long?"},
        {"local s = string.rep('', 1e15)\n", NULL,
         "bad.lua:1: string.rep: the result may have at most 1000000 characters"},
        {"local s = ('x'):find('x')\n", NULL,
         "bad.lua:1: attempt to call a nil value (method 'find'); string has only byte, char, "
         "format, len, lower, rep, reverse, sub and upper here"},
        {"local function f() return f() + 1 end\nf()\n", NULL,
         "bad.lua:1: stopped, as it uses too much memory; is there an endless loop?"},
    };
    CHECK_BAD_SCENES(row);
}

TEST(override_is_named_as_it_was_written) {
    static const bad_scene row[] = {
        {SCENE(""), "time.stop=-1", "--set time.stop=-1: must be > 0 [s]"},
        {SCENE(""), "time.stop=\"soon\"", "--set time.stop=\"soon\": must be a number > 0 [s]"},
        {SCENE(""), "time.stp=1",
         "--set time.stp=1: unknown key \"time.stp\"; did you mean \"time.stop\"?"},
        {SCENE(""), "rod={}",
         "--set rod={}: rod needs section or stiffness: section = circle { diameter = 1e-3 } and a "
         "material, or stiffness = { bend = 1 }"},
        {SCENE(""), "rod={length=-1}",
         "--set rod={length=-1}: rod needs section or stiffness: section = circle { diameter = "
         "1e-3 } "
         "and a material, or stiffness = { bend = 1 }"},
        {SCENE(""), "rod.length.x=1", "--set rod.length.x=1: the scene has 2 there, not a table"},
        {SCENE(""), "time.stop", "--set time.stop: must be path=value, e.g. time.stop=20"},
        {SCENE(""), "time..stop=1", "--set time..stop=1: must be path=value, e.g. time.stop=20"},
        {SCENE(""), "loads[1=1", "--set loads[1=1: must be path=value, e.g. time.stop=20"},
        {SCENE(""), "loads[a]=1", "--set loads[a]=1: must be path=value, e.g. time.stop=20"},
        {SCENE(""), "loads[1]x=1", "--set loads[1]x=1: must be path=value, e.g. time.stop=20"},
        {SCENE("loads = { point { at = 1, force = { 0, 0, 1 } } },"), "loads[1].at=3",
         "--set loads[1].at=3: must lie on the rod, 0 .. 2 [m]"},
        {SCENE(""), "=1", "--set =1: must be path=value, e.g. time.stop=20"},
        {SCENE(""), "time.stop=1 +", "--set time.stop=1 +: unexpected symbol near <eof>"},
        {SCENE(""), "time.stop=1 + nil",
         "--set time.stop=1 + nil: attempt to perform arithmetic on a nil value"},
        {SCENE(""), "time.stop=later", "--set time.stop=later: must be a number > 0 [s]"},
        {SCENE(""), "time.stop=nil",
         "--set time.stop=nil: time.stop is missing: give a number > 0 [s] (last time; the first "
         "is 0)"},
        {SCENE(""), "ends.finish.force={0,0,1}",
         "--set ends.finish.force={0,0,1}: ends.finish = { ... }: must be clamped, pinned, guided, "
         "roller or free { ... }"},
        {SCENE(""), "ends.start=hinged",
         "--set ends.start=hinged: must be clamped, pinned, guided, roller or free { ... }"},
        {SCENE(""), "loads.2.force={0,0,1}",
         "--set loads.2.force={0,0,1}: loads must be a list, numbered 1, 2, ... without gaps or "
         "names"},
        {SCENE(""), "rod.stiffness.bend=function(s) return -1 end",
         "--set rod.stiffness.bend=function(s) return -1 end: rod.stiffness.bend at s = 0: the "
         "function returned -1; must be > 0 [N m^2]"},
        {SCENE(""), "options.n=0/0",
         "--set options.n=0/0: must be a finite number, a short text, true or false"},
        {SCENE(""), "title={}", "--set title={}: must be a string"},
        {SCENE(""), "title=(function() local s = 'x' while true do s = s .. s end end)()",
         "--set title=(function() local s = 'x' while true do s = s .. s end: stopped, as it uses "
         "too "
         "much memory"},
        {SCENE(""), "time.stop=(function() while true do end end)()",
         "--set time.stop=(function() while true do end end)(): stopped after too many "
         "instructions; is there an endless loop?"},
    };
    CHECK_BAD_SCENES(row);
}

RUN(test(function_that_fails_is_named_with_its_arguments),
    test(scene_that_does_not_run_is_stopped_with_file_and_line),
    test(override_is_named_as_it_was_written))
