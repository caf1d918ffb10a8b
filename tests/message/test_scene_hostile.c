/* test_scene_hostile.c - scenes that are made to hang or to exhaust: each ends within seconds with a message,
 * also where the work hides inside one call, inside the parser, or in a function called during the run. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "check.h"
#include "machine_speed.h"
#include "withy/withy.h"

/* Processor time [s] in which a scene must end, times machine_speed(): 2 s, and what instrumentation adds. */
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
static const double MOST = 20;
#else
static const double MOST = 2;
#endif

static double seconds(void) {
    return (double)clock() / CLOCKS_PER_SEC;
}

static void ends(const char *text, size_t size, const char *message) {
    withy_scene *scene;
    withy_error err = {0};
    const double begun = seconds();
    const withy_status status =
        withy_scene_read_text(text, size, "hostile.lua", NULL, 0, &scene, &err);
    const double took = seconds() - begun;
    if (status == WITHY_OK) withy_scene_destroy(scene);
    if (status != WITHY_BAD_INPUT || !strstr(err.text, message))
        fail_msg("%.200s\n  got  \"%s\"\n  want \"%s\"", text, err.text, message);
    CHECK_BELOW(took, MOST * machine_speed());
}

#define LONG "local s = string.rep('x', 1000000) "
#define MEMORY "stopped, as it uses too much memory"
#define WORK "stopped after too many"

TEST(work_inside_library_calls_counts) {
    static const char *const row[][2] = {
        {LONG "local t = {} for i = 1, 1e5 do t[i] = s end table.sort(t)", WORK},
        {"local t = {} for i = 1, 1e5 do t[i] = i % 7 end "
         "table.sort(t, function() return true end) table.sort(t, function() error('x') end)",
         "x"},
        {"local function f() table.sort({ 2, 1 }, f) end f()", "stack overflow"},
        {LONG "while true do local x = s < s end", WORK},
        {LONG "while true do local x = s:lower() end", ""},
        {LONG "while true do local x = s:format(s, s) end", WORK},
        {LONG "while true do local x = string.format('%s%s', s, s) end", MEMORY},
        {LONG "while true do local x = s:reverse():upper():sub(2, -2) end", ""},
        {LONG "while true do local x = s:byte(1, -1) end", ""},
        {LONG "local t = {} for i = 1, 1e4 do t[i] = s end while true do table.concat(t) end", ""},
        {"local t = {} for i = 1, 1e5 do t[i] = 'xxxxxxxxxx' end while true do table.concat(t, "
         "'y') "
         "end",
         ""},
        {"local t = {} for i = 1, 3e5 do t[i] = i end while true do table.insert(t, 1, 0) end",
         WORK},
        {"local t = {} for i = 1, 1e5 do t[i] = i end while true do select('#', table.unpack(t)) "
         "end",
         WORK},
        {"while true do local x = ('x'):rep(1e9) end", "at most 1000000 characters"},
        {"while true do local x = (''):rep(1e15) end", "at most 1000000 characters"},
        {"local s = 'x' while true do s = s .. s end", MEMORY},
        {"local t = {} while true do t = { t } end", ""},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        ends(row[i][0], strlen(row[i][0]), row[i][1]);
}

TEST(what_reaches_outside_or_beyond_the_bounds_is_not_there) {
    static const char *const name[] = {"load",         "loadstring",      "dofile",
                                       "loadfile",     "require",         "io",
                                       "os",           "debug",           "package",
                                       "coroutine",    "pcall",           "xpcall",
                                       "setmetatable", "getmetatable",    "collectgarbage",
                                       "rawset",       "rawget",          "utf8",
                                       "string.find",  "string.gsub",     "string.gmatch",
                                       "string.match", "string.dump",     "string.pack",
                                       "table.move",   "math.randomseed", "warn",
                                       "print"};
    for (size_t i = 0; i < sizeof name / sizeof *name; i++) {
        char text[160];
        snprintf(text, sizeof text, "if %s == nil then error('not there') end return {}", name[i]);
        const int is_field = strchr(name[i], '.') != NULL;
        ends(text, strlen(text), is_field ? "not there" : "attempt to use a nil value");
    }
}

/* The parser takes the square of these. */
TEST(a_text_on_which_the_parser_would_take_minutes_is_stopped) {
    static const char *const row[][3] = {{"local x if x then ", "elseif x then ", "end return {}"}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const size_t most = 4 << 20, unit = strlen(row[i][1]);
        char *text = malloc(most);
        size_t size = (size_t)snprintf(text, most, "%s", row[i][0]);
        for (; size + unit + 64 < most; size += unit) memcpy(text + size, row[i][1], unit);
        size += (size_t)snprintf(text + size, most - size, "%s", row[i][2]);
        ends(text, size, WORK);
        free(text);
    }
}

/* ---- functions called during the run --------------------------------------------------------------- */

#define ROD                                                                                        \
    " return { rod = { length = 1, section = circle { diameter = 0.02 }, material = { young = "    \
    "1e7, "                                                                                        \
    "shear = 4e6, density = 1000 } }, initial = { shape = straight { from = { 0, 0, 0 }, along = " \
    "{ 1, 0, 0 } } }, ends = { start = clamped {} }, loads = { point { at = 1, force = f } }, "    \
    "time = { stop = 10 }, method = 'director', options = { n = 4, dt = 0.01 } }"
/* Innocent when it is tried. */
#define FUNCTION(before, body)                                                                     \
    before " local calls = 0 local function f(t) calls = calls + 1 if t > 0.05 then " body         \
           " end return 0, 0, 0 end" ROD

static void run_ends(const char *text, const char *message) {
    withy_scene *scene;
    withy_error err = {0};
    withy_report report;
    CHECK_OK(withy_scene_read_text(text, strlen(text), "hostile.lua", NULL, 0, &scene, &err));
    const double begun = seconds();
    const withy_status status = withy_run(scene, &(withy_run_setup){0}, &report, &err);
    const double took = seconds() - begun;
    withy_scene_destroy(scene);
    if (status != WITHY_BAD_INPUT || !strstr(err.text, message))
        fail_msg("%.200s\n  got  \"%s\"\n  want \"%s\"", text, err.text, message);
    CHECK(strstr(err.text, "hostile.lua:1:") && strstr(err.text, "loads[1].force at t = "));
    CHECK_BELOW(took, MOST * machine_speed());
}

TEST(functions_called_during_the_run_have_the_same_limits) {
    static const char *const row[][2] = {
        {FUNCTION("", "while true do end"), WORK},
        {FUNCTION(LONG "local list = {} for i = 1, 1e4 do list[i] = s end", "table.sort(list)"),
         WORK},
        {FUNCTION(LONG, "while true do local x = s .. calls end"), ""},
        {FUNCTION(LONG, "while s == s do local x = s < s end"), WORK},
        {FUNCTION("local kept = {}", "for i = 1, 1e4 do kept[#kept + 1] = { i } end"), MEMORY},
        {FUNCTION("", "for i = 1, 2e5 do calls = calls + 1 end"),
         "the functions of the scene take too long"},
        {FUNCTION("local function g() return g() + 1 end", "g()"), "stopped"},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) run_ends(row[i][0], row[i][1]);
}

static int stop_soon(void *context, double t, double stop, int64_t step) {
    (void)t, (void)stop;
    *(int *)context += step < 0;
    return *(int *)context > 1;
}

TEST(a_function_that_takes_long_hears_a_request_to_stop) {
    static const char text[] = FUNCTION("", "for i = 1, 15000 do calls = calls + 1 end");
    static const char *const method[] = {"director", "se3",  "kirchhoff",
                                         "elastica", "fdtd", "cheb"};
    for (size_t i = 0; i < sizeof method / sizeof *method; i++) {
        char set[64];
        const char *const override[] = {set, "time.stop=1e4", "options.dt=1e-4"};
        int within = 0;
        withy_scene *scene;
        withy_error err = {0};
        withy_report report;
        snprintf(set, sizeof set, "method='%s'", method[i]);
        CHECK_OK(
            withy_scene_read_text(text, strlen(text), "hostile.lua", override, 3, &scene, &err));
        const withy_run_setup setup = {.progress = stop_soon, .context = &within};
        const withy_status status = withy_run(scene, &setup, &report, &err);
        if (status != WITHY_INTERRUPTED) fail_msg("%s: %s", method[i], err.text);
        CHECK(strstr(err.text, "stopped on request"));
        CHECK(within >= 1);
        withy_scene_destroy(scene);
    }
}

RUN(test(work_inside_library_calls_counts),
    test(what_reaches_outside_or_beyond_the_bounds_is_not_there),
    test(a_text_on_which_the_parser_would_take_minutes_is_stopped),
    test(functions_called_during_the_run_have_the_same_limits),
    test(a_function_that_takes_long_hears_a_request_to_stop))
