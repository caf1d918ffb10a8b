/* test_note.c - notes as data: every row of note.inc is raised by a scene or says why not; identifiers and values. */
#include "base/note.h"
#include "fixture.h"
#include "withy/withy.h"

typedef struct raised {
    const char *id;
    enum { IS_RUN, IS_STATIC, IS_MODES } study;
    const char *text, *set[6];
    int error;          /* 1: with error bars */
    const char *reason; /* instead of a scene */
    const char *also;   /* another note that the scene raises */
} raised;

static const raised row[] = {
    {.id = "output_fitted",
     .study = IS_RUN,
     .text = "return { rod = { length = 1, stiffness = { bend = 1, twist = 1, stretch = 1e4, shear "
             "= 1e4 }, inertia = { mass = 1, rotary = 1e-3 } }, initial = { shape = straight { "
             "along = { 1, 0, 0 } } }, ends = { start = clamped {} }, time = { stop = 1, output = "
             "0.3 }, method=\"director\", options={dt=0.01} }"},
    {.id = "floor_surface",
     .study = IS_RUN,
     .text = "return { rod = { radius = 0.01, length = 1, stiffness = { bend = 1, twist = 1, "
             "stretch = 1e4, shear = 1e4 }, inertia = { mass = 1, rotary = 1e-3 } }, initial = { "
             "shape = straight { from = {0,0,1}, along = { 1, 0, 0 } } }, floor = { stiffness = "
             "1e3 }, time = { stop = 0.1 }, method=\"director\" }"},
    {.id = "method_chosen",
     .study = IS_RUN,
     .text = "return { rod = { length = 1, stiffness = { bend = 1, twist = 1, stretch = 1e4, shear "
             "= 1e4 }, inertia = { mass = 1, rotary = 1e-3 }, rest = curvature(function(s) return "
             "0, math.abs(s - 0.5) < 5e-4 and 6000 or 0, 0 end) }, ends = { start = clamped {} }, "
             "time = { stop = 1e-3 } }"},
    {.id = "step_fitted",
     .study = IS_RUN,
     .text = "return { rod = { length = 1, stiffness = { bend = 1, twist = 1, stretch = 1e4, shear "
             "= 1e4 }, inertia = { mass = 1, rotary = 1e-3 } }, initial = { shape = straight { "
             "along = { 1, 0, 0 } } }, ends = { start = clamped {} }, time = { stop = 1, output = "
             "0.5 }, method=\"director\", options={dt=0.3} }"},
    {.id = "probe_fast",
     .study = IS_RUN,
     .text = "return { rod = { length = 1, stiffness = { bend = 1, twist = 1, stretch = 1e4, shear "
             "= 1e4 }, inertia = { mass = 1, rotary = 1e-3 } }, initial = { shape = straight { "
             "along = { 1, 0, 0 } } }, ends = { start = clamped {} }, time = { stop = 0.1, output "
             "= 0.05 }, probes = { tip = { at = 1, what = \"position\", every = 1e-3 } }, "
             "method=\"director\", options={dt=0.05} }"},
    {.id = "material_fast",
     .study = IS_RUN,
     .text = "return { rod = { length = 1, section = circle { diameter = 1e-2 }, material = { "
             "young = 2e14, poisson = 0.3, density = 7800 } }, time = { stop = 0.1 } }"},
    {.id = "material_soft_dense",
     .study = IS_RUN,
     .text = "return { rod = { length = 1, section = circle { diameter = 1e-2 }, material = { "
             "young = 1e5, poisson = 0.3, density = 7800 } }, time = { stop = 0.1 } }"},
    {.id = "material_soft",
     .study = IS_RUN,
     .text = "return { rod = { length = 1, section = circle { diameter = 1e-2 }, material = { "
             "young = 1, poisson = 0.3, density = 1000 } }, time = { stop = 0.1 } }"},
    {.id = "material_units",
     .study = IS_RUN,
     .text = "return { rod = { length = 1, section = circle { diameter = 1e-2 }, material = { "
             "young = 200, poisson = 0.3, density = 7.8 } }, time = { stop = 0.1 } }"},
    {.id = "rod_thick",
     .study = IS_RUN,
     .text = "return { rod = { length = 1, section = circle { diameter = 0.9 }, material = { young "
             "= 2e11, poisson = 0.3, density = 7800 } }, time = { stop = 0.1 } }"},
    {.id = "rod_thin",
     .study = IS_RUN,
     .text = "return { rod = { length = 1, section = circle { diameter = 1e-8 }, material = { "
             "young = 2e11, poisson = 0.3, density = 7800 } }, time = { stop = 0.1 } }"},
    {.id = "damping_changed",
     .reason = "no scene raises it alone: a run that is resumed with another damping "
               "(study/run/checkpoint.c)"},
    {.id = "options_changed", .reason = "a run that is resumed with other options"},
    {.id = "notes_left_out", .reason = "there is no room for more"},
    {.id = "mesh_coarse",
     .study = IS_STATIC,
     .text = "local L = 8 * math.sqrt((math.pi * 20e-3)^2 + 6e-3^2) return { rod = { length = L, "
             "section = circle { diameter = 2e-3 }, material = { young = 206e9, shear = 79e9, "
             "density = 7850 }, rest = helix { radius = 10e-3, turns = 8 } }, ends = { start = "
             "clamped {}, finish = clamped { position = function(t) return 0, 0, 48e-3 - t * 1e-3 "
             "end } }, path = { from = 0, to = 1, steps = 1 } }",
     .set = {"method=kirchhoff"}},
    {.id = "step_long",
     .study = IS_RUN,
     .text = "return { rod = { length = 1, stiffness = { bend = 1, twist = 1, stretch = 400, shear "
             "= 150 }, inertia = { mass = 1, rotary = 2.5e-3 } }, initial = { shape = straight { "
             "along = { 1, 0, 0 } } }, ends = { start = clamped {} }, gravity = { 0, 0, -0.5 }, "
             "time = { stop = 12, output = 0.4 }, options = { n = 6, dt = 0.2 } }",
     .set = {"method=se3"}},
    {.id = "spin_fast",
     .study = IS_RUN,
     .text = "return { rod = { length = 1, stiffness = { bend = 1, twist = 0.8, stretch = 2900, "
             "shear = 1000 }, inertia = { mass = 1, rotary = { 3.4e-4, 3.4e-4, 6.8e-4 } } }, "
             "initial = { shape = straight { along = { 1, 0, 0 } }, velocity = { 0, 1, 0 } }, ends "
             "= { finish = free { moment = function(t) return math.min(1, 4 * t) * 0.4, 0, 0 end } "
             "}, time = { stop = 0.6, output = 0.1 }, options = { n = 16, dt = 5e-3 } }",
     .set = {"method=se3"}},
    {.id = "steps_cut", .reason = "a case with steps that are too long"},
    {.id = "rods_cross",
     .study = IS_RUN,
     .text =
         "local function rod(z, y, v) return { length = 1, section = circle { diameter = 0.02 }, "
         "material = { young = 1e7, poisson = 0.3, density = 1000 }, initial = { shape = straight "
         "{ from = y, along = z }, velocity = { 0, 0, v } } } end return { rods = { rod({ 1, 0, 0 "
         "}, { 0, 0, 0.1 }, -1), rod({ 0, 1, 0 }, { 0.5, -0.5, 0 }, 0) }, time = { stop = 0.15, "
         "output = 0.005 }, method = \"director\", options = { n = 10, dt = 0.005 } }"},
    {.id = "errors_unknown", .reason = "a run for error bars fails"},
    {.id = "branch_taken",
     .study = IS_STATIC,
     .text = "return { rod = { length = 1, stiffness = { bend = { 1, 1.1 }, twist = 1, stretch = "
             "1e4, shear = 1e4 }, inertia = { mass = 1, rotary = 1e-3 } }, initial = { shape = "
             "straight { along = { 0, 0, 1 } } }, ends = { start = clamped {}, finish = free { "
             "force = { 0, 0, -5 } } } }",
     .set = {"method=director"}},
    {.id = "found_by_rest",
     .reason = "load steps fail and the descent from the initial shape does not: which scenes do "
               "that changes with Newton's method"},
    {.id = "contact_by_rest", .reason = "as found_by_rest, with contact"},
    {.id = "heavy_loads",
     .study = IS_STATIC,
     .text = "return { rod = { length = 1, stiffness = { bend = { 1, 1.1 }, twist = 1, stretch = "
             "1e4, shear = 1e4 }, inertia = { mass = 1, rotary = 1e-3 } }, initial = { shape = "
             "straight { along = { 0, 0, 1 } } }, ends = { start = clamped {}, finish = free { "
             "force = { 0, 0, -30 } } }, options={n=4} }",
     .set = {"method=se3"}},
    {.id = "left_unstable",
     .study = IS_STATIC,
     .text =
         "return { rod = { length = 1, stiffness = { bend = 1, twist = 1, stretch = 1e4, shear = "
         "1e4 }, inertia = { mass = 1, rotary = 1e-3 } }, initial = { shape = straight { along = { "
         "0, 0, 1 } } }, ends = { start = pinned {}, finish = guided { force={0,0,-12} } } }",
     .set = {"method=kirchhoff", "options.n=10"}},
    {.id = "unstable",
     .reason = "an unstable equilibrium with no stable one next to it: which scenes have that "
               "changes with the search"},
    {.id = "critical_rough", .reason = "a branch point of a thin arch at which rounding decides"},
    {.id = "critical_unknown", .reason = "a critical factor that bisection loses"},
    {.id = "path_short",
     .reason = "arc length uses up path.steps; Newton's method decides how long the steps are"},
    {.id = "errors_arc",
     .study = IS_STATIC,
     .text = "return { rod = { length = 1, stiffness = { bend = 1, twist = 1, stretch = 1e4, shear "
             "= 1e4 }, inertia = { mass = 1, rotary = 1e-3 } }, initial = { shape = straight { "
             "along = { 1, 0, 0 } } }, ends = { start = clamped {}, finish = free { force = { 0, "
             "0, -1 } } }, path = { to = 1, steps = 50, arc_length = true } }",
     .error = 1},
    {.id = "stability_mesh",
     .study = IS_STATIC,
     .text = "return { rod = { length = 100, section = circle { diameter = 1e-4 }, material = { "
             "young = 2e11, poisson = 0.3, density = 7800 } }, initial = { shape = straight { "
             "along = { 1, 0, 0 } } }, ends = { start = clamped {} }, gravity = { 0, 0, -9.81 } }",
     .set = {"method=se3", "options.n=6"}},
    {.id = "stability_finer",
     .also = "stability_unknown",
     .study = IS_STATIC,
     .text = "return { rod = { length = 100, section = circle { diameter = 3e-4 }, material = { "
             "young = 2e11, poisson = 0.3, density = 7800 } }, initial = { shape = straight { "
             "along = { 1, 0, 0 } } }, ends = { start = clamped {} }, gravity = { 0, 0, -9.81 } }",
     .set = {"method=se3", "options.n=16"}},
    {.id = "stability_zigzag",
     .study = IS_STATIC,
     .text = "return { rod = { length = 0.50494, section = circle { diameter = 2e-3 }, material = "
             "{ young = 206e9, shear = 79e9, density = 7850 }, rest = helix { radius = 0.01, turns "
             "= 8 } }, ends = { start = clamped {}, finish = clamped { position = function(t) "
             "return 0, 0, 0.048 - t * 0.02 end } }, path = { from = 0, to = 1, steps = 1 }, "
             "method = \"cheb\", options = { n = 48 } }"},
    {.id = "stability_unknown", .reason = "by the scene of stability_finer"},
    {.id = "spring_hidden",
     .study = IS_STATIC,
     .text =
         "return { rod = { length = 1, stiffness = { bend = 1e10, twist = 1e10, stretch = 1e12, "
         "shear = 1e12 }, inertia = { mass = 1 } }, initial = { shape = straight {} }, ends = { "
         "start = pinned { spring_turn = 1e-2 } } }"},
    {.id = "contact_pinched", .reason = "an equilibrium that leans on one node"},
    {.id = "plane_only_path",
     .study = IS_STATIC,
     .text = "return { rod = { length = 1, stiffness = { bend = { 1, 1.1 }, twist = 1, stretch = "
             "1e4, shear = 1e4 }, inertia = { mass = 1, rotary = 1e-3 } }, initial = { shape = "
             "straight { along = { 0, 0, 1 } } }, ends = { start = clamped {}, finish = free { "
             "force = { 0, 0, -2.6 } } }, path = { steps = 2 }, options={n=16} }",
     .set = {"method=cheb"}},
    {.id = "plane_only",
     .study = IS_STATIC,
     .text = "return { rod = { length = 1, stiffness = { bend = { 1, 1.1 }, twist = 1, stretch = "
             "1e4, shear = 1e4 }, inertia = { mass = 1, rotary = 1e-3 } }, initial = { shape = "
             "straight { along = { 0, 0, 1 } } }, ends = { start = clamped {}, finish = free { "
             "force = { 0, 0, -2.6 } } }, options={n=16} }",
     .set = {"method=cheb"}},
    {.id = "mesh_angle",
     .study = IS_STATIC,
     .text = "return { rod = { length = 1, stiffness = { bend = 1, twist = 1, stretch = 1e4, shear "
             "= 1e4 }, inertia = { mass = 1, rotary = 1e-3 } }, initial = { shape = straight { "
             "along = { 1, 0, 0 } } }, ends = { start = clamped {}, finish = free { force = { 0, "
             "0, -1 } } }, path = { to = 1000, steps = 3, arc_length = true } }"},
    {.id = "residual_left", .reason = "an equilibrium of a rod too slender for its mesh"},
    {.id = "modes_damped", .reason = "modes whose damping hides their shapes"},
    {.id = "modes_unsettled",
     .study = IS_MODES,
     .text = "return { rod = { damping={bend=10,twist=10,stretch=1e3,shear=1e3}, length = 1, "
             "stiffness = { bend = 1, twist = 1, stretch = 1e4, shear = 1e4 }, inertia = { mass = "
             "1, rotary = 1e-3 } }, initial = { shape = straight { along = { 1, 0, 0 } } }, ends = "
             "{ start = clamped {} } }",
     .set = {"method=director", "options.n=4"}},
    {.id = "modes_rounded",
     .study = IS_MODES,
     .text = "return { rod = { length = 1, section = circle { diameter = 1e-5 }, material = { "
             "young = 2e11, poisson = 0.3, density = 7800 } }, initial = { shape = straight { from "
             "= { 0.1, 0.2, 0.3 }, along = { 1, 2, 3 } } }, ends = { start = clamped {}, finish = "
             "clamped {} } }",
     .set = {"method=director"}},
    {.id = "modes_missed", .reason = "a frame that turns so fast that the order of modes changes"},
    {.id = "modes_zigzag",
     .study = IS_MODES,
     .text = "return { rod = { length = 0.50494, section = circle { diameter = 2e-3 }, material = "
             "{ young = 206e9, shear = 79e9, density = 7850 }, rest = helix { radius = 0.01, turns "
             "= 8 } }, ends = { start = clamped {}, finish = clamped { position = function(t) "
             "return 0, 0, 0.048 - t * 0.02 end } }, path = { from = 0, to = 1, steps = 1 }, "
             "method = \"cheb\", options = { n = 48 } }"},
    {.id = "modes_grow_unsure", .reason = "modes grow, and two meshes disagree on the stability"},
    {.id = "modes_grow_some", .reason = "modes of the rod and of the mesh grow together"},
    {.id = "modes_grow",
     .study = IS_MODES,
     .text = "return { rod = { length = 1, stiffness = { bend = 1, twist = 1, stretch = 1e4, shear "
             "= 1e4 }, inertia = { mass = 1, rotary = 1e-3 } }, initial = { shape = straight { "
             "along = { 1, 0, 0 } } }, ends = { start = clamped {}, finish = free { force = { -30, "
             "0, 0 } } }, path = { to = 1, steps = 1 } }",
     .set = {"method=director"}},
    {.id = "cable_slack",
     .study = IS_STATIC,
     .text =
         "return { rod = { length = 1, kind = \"cable\", stiffness = { stretch = 1e4 }, inertia "
         "= { mass = 1 } }, ends = { start = pinned {}, finish = pinned { position = { 0.9, 0, 0 "
         "} } } }",
     .set = {"method=director"}},
    {.id = "cable_pressed",
     .study = IS_STATIC,
     .text =
         "return { rod = { length = 1, kind = \"cable\", compression = true, stiffness = { stretch "
         "= 1e4 }, inertia = { mass = 1 } }, ends = { start = pinned {}, finish = pinned { "
         "position "
         "= { 0.99, 0, 0 } } } }",
     .set = {"method=director"}},
    {.id = "fluid_missing",
     .study = IS_STATIC,
     .text =
         "return { rod = { length = 1, stiffness = { bend = 1 }, inertia = { mass = 1 } }, initial "
         "= { shape = straight { along = { 1, 0, 0 } } }, ends = { start = clamped {} }, medium = "
         "{ "
         "density = 1000 } }",
     .set = {"method=director"}},
    {.id = "fit_amplified", .reason = "a fit of a motion that amplifies changes"},
    {.id = "fit_rough", .reason = "a fit whose derivatives are not smooth"},
    {.id = "fit_error_none", .reason = "a fit without derivatives"},
    {.id = "fit_error_grain", .reason = "a fit of numbers in steps"},
    {.id = "fit_error_rough", .reason = "a fit with rough differences"},
    {.id = "fit_others", .reason = "a fit with parameters whose derivatives are taken otherwise"},
    {.id = "differences_taken", .reason = "a fit or design without exact derivatives"},
    {.id = "design_unfinished", .reason = "a design with few evaluations"},
    {.id = "design_lost", .reason = "a design whose derivatives fail"},
    {.id = "rigid_strains",
     .study = IS_STATIC,
     .text = "return { rod = { length = 1, stiffness = { bend = 1, twist = 1 }, inertia = { mass = "
             "1, rotary = 1e-3 } }, initial = { shape = straight { along = { 1, 0, 0 } } }, ends = "
             "{ start = clamped {} } }",
     .set = {"method=director"}},
    {.id = "inertia_raised",
     .study = IS_RUN,
     .text = "return { rod = { length = 1, stiffness = { bend = 1, twist = 1, stretch = 1e4, shear "
             "= 1e4 }, inertia = { mass = 1, rotary = 1e-12 } }, initial = { shape = straight { "
             "along = { 1, 0, 0 } } }, ends = { start = clamped {} }, time = { stop = 0.1 } }",
     .set = {"method=director"}},
    {.id = "mesh_taut",
     .study = IS_STATIC,
     .text =
         "return { rod = { length = 100, stiffness = { stretch = 1e7, bend = 0.8, twist = 1, shear "
         "= 4e6 }, inertia = { mass = 2 } }, gravity = { 0, 0, -9.81 }, initial = { shape = "
         "catenary { from = { 0, 0, 0 }, to = { 90, 0, 0 } } }, ends = { start = pinned {}, finish "
         "= pinned {} }, options = { n = 20 } }"},
    {.id = "mesh_tension", .reason = "a motion that its mesh hardly holds"},
    {.id = "layer_unresolved",
     .study = IS_STATIC,
     .text = "return { rod = { length = 0.65, stiffness = { stretch = 1e4, bend = 1e-6, twist = "
             "1e-6, shear = 4e3 }, inertia = { mass = 4e-4 } }, initial = { shape = straight { "
             "along = { 1, 0, 0 } } }, ends = { start = clamped {}, finish = clamped { position = "
             "{ 0.65455, 0, 0 } } }, options = { n = 8 } }"},
    {.id = "reaction_shared",
     .study = IS_STATIC,
     .text =
         "return { rods = { { length = 1, stiffness = { bend = 1, twist = 1, stretch = 1e4, shear "
         "= 1e4 }, inertia = { mass = 1, rotary = 1e-3 }, initial = { shape = straight { along = { "
         "1, 0, 0 } } }, ends = { start = clamped {} } }, { length = 1, stiffness = { bend = 1, "
         "twist = 1, stretch = 1e4, shear = 1e4 }, inertia = { mass = 1, rotary = 1e-3 }, initial "
         "= { shape = straight { along = { 1, 0, 0 } } }, ends = { start = clamped {} } } }, "
         "joints = { weld { parts = { \"rod\", \"rod2\" }, at = { 0, 0 } } }, gravity={0,0,-1} }",
     .set = {"method=director"}},
    {.id = "step_halved", .reason = "a case with steps that are too long"},
    {.id = "step_error_many", .reason = "automatic steps with a tolerance that takes too many"},
    {.id = "step_error_grows", .reason = "automatic steps of a chaotic motion"},
    {.id = "body_without_shape",
     .study = IS_RUN,
     .text = "return { bodies = { { mass = 1, inertia = { 1e-2, 1e-2, 1e-2 }, shape = sphere { "
             "diameter = 0.1 }, position = { 50, 0, 9 } }, { mass = 1, inertia = { 1e-2, 1e-2, "
             "1e-2 }, shape = nil, position = { 0, 0, 0.1 } } }, gravity = { 0, 0, -9.81 }, time = "
             "{ stop = 0.5 }, method = \"director\", options = { dt = 1e-2 }, obstacles = { plane "
             "{ stiffness = 1e5 } } }"},
    {.id = "obstacle_between_points",
     .study = IS_RUN,
     .text = "return { bodies = { { mass = 1, inertia = { 1e-2, 1e-2, 1e-2 }, shape = sphere { "
             "diameter = 0.1 }, position = { 50, 0, 9 } }, { mass = 1, inertia = { 1e-2, 1e-2, "
             "1e-2 }, shape = box { size = { 1, 1, 0.1 } }, position = { 0, 0, 0.1 } } }, gravity "
             "= { 0, 0, -9.81 }, time = { stop = 0.5 }, method = \"director\", options = { dt = "
             "1e-2 }, obstacles = { sphere { radius = 0.01, stiffness = 1e7 } } }"},
    {.id = "overlap_drawn",
     .study = IS_RUN,
     .text = "return { bodies = { { mass = 1, inertia = { 1e-2, 1e-2, 1e-2 }, shape = sphere { "
             "diameter = 0.1 }, position = { 50, 0, 9 } }, { mass = 1, inertia = { 1e-2, 1e-2, "
             "1e-2 }, shape = sphere { diameter = 0.1 }, position = { 0, 0, 0.1 } } }, gravity = { "
             "0, 0, -9.81 }, time = { stop = 0.5 }, method = \"director\", options = { dt = 1e-2 "
             "}, obstacles = { plane { stiffness = 1e6, point = { 0, 0, 0.06 } } } }"},
    {.id = "obstacle_between_nodes",
     .study = IS_RUN,
     .text = "return { rod = { length = 1, section = circle { diameter = 0.02 }, material = { "
             "young = 1e7, poisson = 0.3, density = 1000 } }, initial = { shape = straight { along "
             "= { 1, 0, 0 } } }, gravity={0,0,-1}, obstacles = { sphere { center = { 0.55, 0, -0.5 "
             "}, radius = 0.01, stiffness = 1e6 } }, time = { stop = 0.1 }, method=\"director\", "
             "options={n=10,dt=1e-2} }"},
    {.id = "contact_deep",
     .study = IS_RUN,
     .text = "return { bodies = { { mass = 1, inertia = { 1e-2, 1e-2, 1e-2 }, shape = sphere { "
             "diameter = 0.1 }, position = { 50, 0, 9 } }, { mass = 1, inertia = { 1e-2, 1e-2, "
             "1e-2 }, shape = box { size = { 0.1, 0.1, 0.1 } }, position = { 0, 0, 0.1 } } }, "
             "gravity = { 0, 0, -9.81 }, time = { stop = 0.5 }, method = \"director\", options = { "
             "dt = 1e-2 }, obstacles = { plane { stiffness = 1e2 } } }"},
    {.id = "contact_between_nodes",
     .study = IS_RUN,
     .text = "return { rod = { length = 1, section = circle { diameter = 0.02 }, material = { "
             "young = 1e7, poisson = 0.3, density = 1000 } }, initial = { shape = straight { "
             "from={0,0,0.1}, along = { 1, 0, 0 } }, velocity = { 0, 0, -2 } }, obstacles = { box "
             "{ center = { 0.55, 0, -0.5 }, size = { 0.6, 1, 0.6 }, frame = { 0.9238795325112867, "
             "0, 0.3826834323650898, 0 }, stiffness = 1e6 } }, time={stop=0.3}, "
             "method=\"director\", options={n=10,degree=1,dt=5e-3} }"},
    {.id = "friction_undamped",
     .study = IS_RUN,
     .text = "local r, g = 0.005, 9.81 local m = 1000 * math.pi * r * r return { rod = { length = "
             "0.2, section = circle { diameter = 2 * r }, material = { young = 1e7, shear = 1e7 / "
             "3, density = 1000 } }, gravity = { 0, 0, -g }, initial = { shape = straight { from = "
             "{ 0, 0, r - m * g / 1e6 }, along = { 1, 0, 0 } }, velocity = { 1, 0, 0 } }, "
             "obstacles = { plane { friction = 0.3, stiffness = 1e6 } }, time = { stop = 0.02 }, "
             "method = \"director\", options = { n = 10, degree = 1, dt = 1e-4 } }"},
    {.id = "contact_one_node", .reason = "a ring pressed between planes"},
    {.id = "step_auto",
     .study = IS_RUN,
     .text = "return { rod = { length = 1, stiffness = { bend = 1 }, inertia = { mass = 1 } }, "
             "initial = { shape = straight { along = { 1, 0, 0 } } }, ends = { start = clamped {} "
             "}, time = { stop = 0.1 } }",
     .set = {"method=elastica"}},
    {.id = "damping_turns",
     .study = IS_RUN,
     .text = "return { rod = { length = 1, stiffness = { bend = 1 }, inertia = { mass = 1 }, "
             "damping = { bend = 0.1, law = \"elastica\" } }, initial = { shape = straight { along "
             "= { 1, 0, 0 } } }, ends = { start = clamped {} }, time = { stop = 0.1 } }",
     .set = {"method=elastica"}},
    {.id = "without_stretch",
     .study = IS_RUN,
     .text = "return { rod = { length = 1, stiffness = { bend = 1, stretch = 1e4 }, inertia = { "
             "mass = 1 } }, initial = { shape = straight { along = { 1, 0, 0 } } }, ends = { start "
             "= clamped {} }, time = { stop = 0.1 } }",
     .set = {"method=elastica"}},
    {.id = "without_shear",
     .study = IS_RUN,
     .text = "return { rod = { length = 1, stiffness = { bend = 1, shear = 1e4 }, inertia = { mass "
             "= 1 } }, initial = { shape = straight { along = { 1, 0, 0 } } }, ends = { start = "
             "clamped {} }, time = { stop = 0.1 } }",
     .set = {"method=elastica"}},
    {.id = "shape_moved", .reason = "an initial shape that elastica must make inextensible"},
    {.id = "finish_drifts",
     .study = IS_RUN,
     .text = "return { rod = { length = 1, stiffness = { bend = 1, twist = 1, stretch = 1e4, shear "
             "= 1e4 }, inertia = { mass = 1, rotary = 1e-3 } }, initial = { shape = straight { "
             "along = { 1, 0, 0 } } }, ends = { start = clamped {}, finish = clamped {} }, time = "
             "{ stop = 0.1 } }",
     .set = {"method=se3"}},
    {.id = "start_mass",
     .study = IS_RUN,
     .text =
         "return { rod = { length = 1, stiffness = { bend = 1, twist = 1, stretch = 1e4, shear = "
         "1e4 }, inertia = { mass = 1, rotary = 1e-3 } }, initial = { shape = straight { along = { "
         "1, 0, 0 } } }, ends = { start = pinned { mass = 1 } }, time = { stop = 0.1 } }",
     .set = {"method=se3"}},
    {.id = "scheme_notes",
     .study = IS_RUN,
     .text =
         "return { rod = { length = 1, stiffness = { bend = 1, twist = 1, stretch = 1e4, shear = "
         "1e4 }, inertia = { mass = 1, rotary = 1e-3 } }, initial = { shape = straight { along = { "
         "1, 0, 0 } } }, ends = { start = clamped {} }, time = { stop = 0.1, output = 0.1 } }",
     .set = {"method=se3", "options.scheme=notes", "options.dt=0.1"}},
    {.id = "cell_unresolved",
     .study = IS_RUN,
     .text = "return { rod = { length = 1, stiffness = { bend = 1, twist = 1, stretch = 1e4, shear "
             "= 1e4 }, inertia = { mass = 1, rotary = 1e-3 } }, initial = { shape = straight { "
             "along = { 1, 0, 0 } } }, ends = { start = clamped {} }, time = { stop = 0.1 } }",
     .set = {"method=se3", "options.scheme=rk4", "options.n=10", "options.dt=1e-4"}},
    {.id = "shooting_grows",
     .study = IS_RUN,
     .text =
         "return { rod = { length = 1, stiffness = { bend = 1, twist = 1, stretch = 1e4, shear = "
         "1e4 }, inertia = { mass = 1, rotary = 1e-3 } }, initial = { shape = straight { along = { "
         "1, 0, 0 } } }, ends = { start = clamped {} }, time = { stop = 0.01, output = 0.01 } }",
     .set = {"method=se3", "options.scheme=notes", "options.dt=0.01"}},
    {.id = "modes_order",
     .study = IS_MODES,
     .text = "return { rod = { length = 1, stiffness = { bend = 1, twist = 1, stretch = 1e4, shear "
             "= 1e4 }, inertia = { mass = 1, rotary = 1e-3 } }, initial = { shape = straight { "
             "along = { 1, 0, 0 } } }, ends = { start = clamped {} } }",
     .set = {"method=se3", "options.scheme=rk4"}},
    {.id = "twist_rigid",
     .study = IS_RUN,
     .text = "return { rod = { length = 1, stiffness = { bend = 1 }, inertia = { mass = 1 } }, "
             "initial = { shape = straight { along = { 1, 0, 0 } } }, ends = { start = clamped {} "
             "}, time = { stop = 0.1 } }",
     .set = {"method=kirchhoff"}},
    {.id = "leaves_out",
     .study = IS_RUN,
     .text = "return { rod = { length = 1, stiffness = { bend = 1, twist = 1, stretch = 1e4, shear "
             "= 1e4 }, inertia = { mass = 1, rotary = 1e-3 } }, initial = { shape = straight { "
             "along = { 1, 0, 0 } } }, ends = { start = clamped {} }, time = { stop = 0.1 } }",
     .set = {"method=kirchhoff"}},
    {.id = "twist_instant",
     .study = IS_RUN,
     .text = "return { rod = { rest = curvature { 0, 1, 0 }, length = 1, stiffness = { bend = 1, "
             "twist = 1, stretch = 1e4, shear = 1e4 }, inertia = { mass = 1 } }, ends = { start = "
             "clamped {} }, time = { stop = 0.1 } }",
     .set = {"method=kirchhoff"}},
    {.id = "inertia_cents",
     .study = IS_RUN,
     .text =
         "return { rod = { length = 1, stiffness = { bend = 1, twist = 1, stretch = 1e4, shear = "
         "1e4 }, inertia = { mass = 1, rotary = 1e-2 } }, initial = { shape = straight { along = { "
         "1, 0, 0 } } }, ends={start=pinned{},finish=pinned{}}, time = { stop = 0.1 } }",
     .set = {"method=fdtd", "options.inertia=regularised"}},
    {.id = "step_limit",
     .study = IS_RUN,
     .text = "return { rod = { length = 1, stiffness = { bend = 1, twist = 1, stretch = 1e4, shear "
             "= 1e4 }, inertia = { mass = 1, rotary = 1e-3 } }, initial = { shape = straight { "
             "along = { 1, 0, 0 } } }, ends = { start = clamped {} }, time = { stop = 0.1 } }",
     .set = {"method=fdtd"}},
    {.id = "scheme_literal",
     .study = IS_RUN,
     .text =
         "return { rod = { length = 1, stiffness = { bend = 1, twist = 1, stretch = 1e4, shear = "
         "1e4 }, inertia = { mass = 1, rotary = 1e-3 } }, initial = { shape = straight { along = { "
         "1, 0, 0 } } }, ends={start=pinned{},finish=pinned{}}, time = { stop = 0.1 } }",
     .set = {"method=fdtd", "options.scheme=literal"}},
    {.id = "resolution_cheb",
     .study = IS_RUN,
     .text =
         "return { rod = { length = 1, stiffness = { bend = 1, twist = 1, stretch = 1e4, shear = "
         "1e4 }, inertia = { mass = 1, rotary = 1e-3 } }, initial = { shape = straight { along = { "
         "1, 0, 0 } } }, ends = { start = clamped {} }, gravity={0,0,-50}, time={stop=0.3} }",
     .set = {"method=cheb", "options.n=4"}},
    {.id = "step_unstable",
     .study = IS_RUN,
     .text = "return { rod = { length = 1, stiffness = { bend = 1, twist = 1, stretch = 1e4, shear "
             "= 1e4 }, inertia = { mass = 1, rotary = 1e-3 } }, initial = { shape = straight { "
             "along = { 1, 0, 0 } } }, ends = { start = clamped {} }, time = { stop = 0.1 } }",
     .set = {"method=cheb", "options.n=16", "options.integrator=rk4", "options.dt=0.05",
             "options.safe=false"}},
    {.id = "point_load_cheb",
     .study = IS_RUN,
     .text = "return { rod = { length = 1, stiffness = { bend = 1, twist = 1, stretch = 1e4, shear "
             "= 1e4 }, inertia = { mass = 1, rotary = 1e-3 } }, initial = { shape = straight { "
             "along = { 1, 0, 0 } } }, ends = { start = clamped {} }, loads = { point { at = 0.5, "
             "force = { 0, 0, -1 } } }, time = { stop = 0.1 } }",
     .set = {"method=cheb"}},
    {.id = "planar_motion",
     .study = IS_STATIC,
     .text =
         "return { rod = { length = 1, stiffness = { bend = 1, twist = 1, stretch = 1e4, shear = "
         "1e4 }, inertia = { mass = 1, rotary = 1e-3 } }, initial = { shape = straight { along = { "
         "1, 0, 0 } } }, ends = { start = clamped {}, finish = free { force = { 0, 0, -1 } } } }",
     .set = {"method=cheb", "options.space=planar"}},
};

enum { ROWS = sizeof row / sizeof *row };

/* Are the notes of a row among these? */
static int has(const withy_notes *notes, const raised *x) {
    withy_note note;
    int missing = 1 + (x->also != NULL);
    for (int i = 0; withy_note_at(notes->text, notes->data, i, &note); i++)
        missing -= strcmp(note.id, x->id) == 0 || (x->also && strcmp(note.id, x->also) == 0);
    return missing == 0;
}

/* Is the note among those of the study, or of its error bars? */
static int solves_with(const raised *x, withy_error *err) {
    static withy_report run;
    withy_static_report path;
    withy_mode *mode = NULL;
    int count = 0, found = 0;
    while (count < 6 && x->set[count]) count++;
    withy_scene *scene = scene_with(x->text, x->set, count);
    const withy_run_setup setup = {.error = x->error};
    if (x->study == IS_RUN) {
        (void)withy_run(scene, &setup, &run, err);
        found = has(&run.notes, x) || has(&run.error.notes, x);
    } else if (x->study == IS_STATIC) {
        (void)withy_static(scene, &setup, &path, err);
        found = has(&path.notes, x) || has(&path.error.notes, x);
        withy_static_free(&path);
    } else if (withy_modes(scene, 12, &setup, &mode, err) == WITHY_OK) {
        found = has(mode->notes, x);
        withy_modes_free(mode, mode->total);
    }
    withy_scene_destroy(scene);
    return found;
}

TEST(every_note_is_raised_by_a_scene_or_says_why_not) {
    withy_note_kind kind;
    int raised_by_scene = 0;
    for (int i = 0; withy_note_kind_at(i, &kind); i++) {
        int k = 0;
        while (k < ROWS && strcmp(row[k].id, kind.id) != 0) k++;
        if (k == ROWS) fail_msg("%s: add a scene that raises it, or a reason", kind.id);
        withy_error err = {0};
        if (row[k].reason) continue;
        if (!solves_with(&row[k], &err)) fail_msg("%s is not raised: %s", kind.id, err.text);
        raised_by_scene++;
    }
    for (int k = 0; k < ROWS; k++) { /* and no row is of a note that is gone */
        int i = 0;
        while (withy_note_kind_at(i, &kind) && strcmp(kind.id, row[k].id) != 0) i++;
        if (!withy_note_kind_at(i, &kind)) fail_msg("there is no note %s", row[k].id);
    }
    printf("%d notes are raised by a scene, %d say why not\n", raised_by_scene,
           ROWS - raised_by_scene);
}

TEST(the_values_of_a_note_are_named_in_its_row) {
    static const struct {
        const char *id, *format, *values;
    } all[] = {
#define NOTE(id, text, values, meaning) {#id, text, values},
#include "base/note.inc"
#undef NOTE
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        int conversions = 0, names = 0;
        for (const char *at = all[i].format; *at; at++) {
            conversions += at[0] == '%' && at[1] != '%';
            at += at[0] == '%' && at[1] == '%';
        }
        for (const char *at = all[i].values; *at; at += strspn(at, " ")) {
            const size_t length = strcspn(at, " ");
            CHECK(length < sizeof((withy_note_value *)0)->name);
            at += length, names++;
        }
        if (names != conversions) fail_msg("%s: %d of %d values", all[i].id, names, conversions);
        CHECK(strlen(all[i].id) < sizeof((withy_note *)0)->id && names <= WITHY_NOTE_VALUES);
        CHECK(strlen(all[i].format) < sizeof((withy_note_kind *)0)->text / 2);
    }
}

TEST(a_note_is_text_and_values_once) {
    withy_notes notes = {{0}, {0}};
    withy_note note;
    for (int k = 0; k < 2; k++)
        wy_note(&notes, WY_NOTE(step_fitted), 0.1, 1.0 / 3, "time.output\tor\nmore", 2.0);
    CHECK(withy_note_at(notes.text, notes.data, 0, &note));
    CHECK(!withy_note_at(notes.text, notes.data, 1, &note));
    CHECK(withy_note_at(notes.text, notes.data, 0, &note));
    CHECK_TEXT(note.id, "step_fitted");
    CHECK_TEXT(note.text, "options.dt is 0.1 instead of 0.333333333, so that whole steps fill "
                          "time.output or more = 2");
    CHECK(note.count == 4 && note.value[1].number == 1.0 / 3 && !note.value[1].is_text);
    CHECK_TEXT(note.value[1].name, "given");
    CHECK(note.value[2].is_text);
    CHECK_TEXT(note.value[2].text, "time.output or more");
    wy_note(&notes, WY_NOTE(steps_cut), 12345678901LL, 0.5);
    CHECK(withy_note_at(notes.text, notes.data, 1, &note) && note.value[0].number == 12345678901.0);
    CHECK(wy_note_has(&notes, WY_NOTE_step_fitted) && wy_note_valid(&notes));
    wy_note_drop(&notes, WY_NOTE_step_fitted);
    CHECK(!wy_note_has(&notes, WY_NOTE_step_fitted) && wy_note_has(&notes, WY_NOTE_steps_cut));
}

TEST(notes_beyond_the_room_are_left_out_and_a_note_says_so) {
    withy_notes notes = {{0}, {0}}, other = {{0}, {0}};
    for (int k = 0; k < 1000; k++) wy_note(&notes, WY_NOTE(step_auto), "toy", (double)k);
    CHECK(wy_note_has(&notes, WY_NOTE_notes_left_out) && wy_note_valid(&notes));
    wy_note_join(&other, &notes), wy_note_join(&other, &notes);
    CHECK_TEXT(other.text, notes.text);
    CHECK_TEXT(other.data, notes.data);
}

/* They may be of a file. */
TEST(damaged_notes_are_found_and_read_without_harm) {
    withy_notes good = {{0}, {0}}, bad;
    withy_note note;
    uint64_t seed = 5;
    wy_note(&good, WY_NOTE(step_fitted), 0.1, 0.3, "time.output", 2.0);
    wy_note(&good, WY_NOTE(steps_cut), 3LL, 0.5);
    for (int k = 0; k < 20000; k++) {
        bad = good;
        for (int i = 0; i < 3; i++)
            ((char *)&bad)[(size_t)random_between(&seed, 0, i ? 400 : sizeof bad)] =
                (char)random_between(&seed, -128, 128);
        bad.text[sizeof bad.text - 1] = bad.data[sizeof bad.data - 1] = '\0';
        for (int i = 0; withy_note_at(bad.text, bad.data, i, &note); i++)
            CHECK(note.count >= 0 && note.count <= WITHY_NOTE_VALUES);
        (void)wy_note_valid(&bad);
    }
    memset(&bad, 'a', sizeof bad);
    CHECK(!wy_note_valid(&bad));
    bad = good, strcat(bad.data, "one more\n");
    CHECK(!wy_note_valid(&bad));
}

RUN(test(every_note_is_raised_by_a_scene_or_says_why_not),
    test(the_values_of_a_note_are_named_in_its_row), test(a_note_is_text_and_values_once),
    test(notes_beyond_the_room_are_left_out_and_a_note_says_so),
    test(damaged_notes_are_found_and_read_without_harm))
