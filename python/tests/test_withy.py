"""Each test proves the sentence that it is named after."""
import ctypes
import gc
import os
import pathlib
import pickle
import re
import signal
import threading
import time

import numpy as np
import pytest

import withy
from withy import _library as c
from withy import adjoint, fit, linear, minimise, sim, sweep

TREE = pathlib.Path(__file__).parents[2]
ROD = dict(length=1, section=withy.circle(diameter=0.02), material=dict(young=1e8, shear=4e7, density=1000))
STRAIGHT = dict(shape=withy.straight(along=[1, 0, 0]))


def cantilever(**more):
    table = dict(rod=ROD, ends=dict(start=withy.clamped()), gravity=[0, 0, -9.81], initial=STRAIGHT, time=dict(stop=0.1, output=0.01),
                 method="director", options=dict(n=8, dt=1e-3))
    return withy.Scene(**{**table, **more})


# ---- the binding ---------------------------------------------------------------------------------------------

@pytest.mark.parametrize("name, header, mirror", [("withy_stats", "sim", c.Stats), ("withy_run_setup", "scene", c.RunSetup),
                                                  ("withy_table", "record", c.Table), ("withy_host", "scene", c.Host),
                                                  ("withy_error", "base", c.CError), ("withy_notes", "note", c.CNotes), ("withy_sweep_setup", "sweep", sweep.Setup),
                                                  ("withy_sweep_report", "sweep", sweep.Report),
                                                  ("withy_sweep_column", "sweep", sweep.Column),
                                                  ("withy_linear", "linear", linear.CLinear),
                                                  ("withy_equilibrium", "study", sim.CEquilibrium), ("withy_mode", "study", fit.Mode),
                                                  ("withy_parameter", "problem", fit.Parameter), ("withy_fit_free", "fit", fit.CFree),
                                                  ("withy_scene_fit", "fit", fit.SceneFit), ("withy_fit_value", "fit", fit.FitValue),
                                                  ("withy_fit_result", "fit", fit.FitResult), ("withy_fit_curve", "fit", fit.FitCurve),
                                                  ("withy_option", "sim", fit.Option), ("withy_variation", "gradient", fit.Variation),
                                                  ("withy_slope", "gradient", fit.CSlope), ("withy_compare_run", "compare", fit.CompareRun),
                                                  ("withy_compare_method", "compare", fit.CompareMethod),
                                                  ("withy_compare_model", "compare", fit.CompareModel),
                                                  ("withy_compare_pair", "compare", fit.ComparePair),
                                                  ("withy_comparison", "compare", fit.CComparison),
                                                  ("withy_compare_setup", "compare", fit.CompareSetup),
                                                  ("withy_observation", "gradient", adjoint.Observation),
                                                  ("withy_field_slope", "gradient", adjoint.FieldSlope),
                                                  ("withy_node_slope", "gradient", adjoint.NodeSlope),
                                                  ("withy_sensitivity", "gradient", adjoint.CSensitivity),
                                                  ("withy_scene_minimise", "minimise", minimise.SceneMinimise),
                                                  ("withy_minimum", "minimise", minimise.CMinimum)])
def test_structures_have_the_fields_of_the_headers(name, header, mirror):
    text = (TREE / "include" / "withy" / f"{header}.h").read_text()
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    body = re.search(r"typedef struct %s \{(.*?)\n\} %s;" % (name, name), text, re.S).group(1)
    names = []
    for member in filter(str.strip, body.split(";")):
        pointer = re.search(r"\(\*(\w+)\)", member)
        names += [pointer.group(1)] if pointer else [re.sub(r"\[.*", "", n).split()[-1].lstrip("*") for n in member.split(",")]
    assert names == [field for field, _ in mirror._fields_]


def test_enumerations_are_those_of_the_headers():
    text = (TREE / "include" / "withy" / "record.h").read_text()
    names = re.findall(r"^    WITHY_RECORD_(\w+),", text, re.M)
    assert [getattr(c, name) for name in names[:-1]] == list(range(len(names) - 1))


# ---- scenes ----------------------------------------------------------------------------------------------------

@pytest.mark.parametrize("name", sorted(p.parent.name for p in TREE.glob("cases/*/scene.lua")))
def test_every_case_of_the_gallery_loads(name):
    withy.load(name).check()


CASES = {
    "falling_rod": {"time.stop": 2}, "heavy_cantilever": {}, "flexible_pendulum": {"time.stop": 0.5}, "gripper": {"time.stop": 0.02},
    "four_bar": {"time.stop": 0.05}, "half_turn": {"time.stop": 2}, "violin_a_string": {"time.stop": 1e-3, "time.output": 1e-4}, "release": {"time.stop": 0.02},
}


@pytest.mark.parametrize("name", CASES)
def test_a_run_equals_what_the_file_of_the_same_run_holds(name, tmp_path):
    scene = withy.load(name, set=CASES[name])
    result = scene.run(output=tmp_path / "a.h5")
    again = withy.read(tmp_path / "a.h5")
    assert result.status == again.status == "complete"
    assert np.array_equal(result.t, again.t) and len(result.rods) == len(again.rods)
    for kind in ("rods", "ledgers", "bodies", "joints", "probes"):
        ours, theirs = getattr(result, kind), getattr(again, kind)
        assert list(ours) == list(theirs)
        for a, b in zip(ours._parts, theirs._parts):
            assert set(a) == set(b), (kind, a.name)
            for key in a:
                assert np.array_equal(a[key], b[key]), (kind, a.name, key)


def test_a_scene_in_python_equals_the_same_scene_as_text():
    text = """return { rod = { length = 1, section = circle { diameter = 0.02 }, material = { young = 1e8, shear = 4e7, density = 1000 } },
      ends = { start = clamped {} }, gravity = { 0, 0, -9.81 }, initial = { shape = straight { along = { 1, 0, 0 } } },
      time = { stop = 0.1, output = 0.01 }, method = "director", options = { n = 8, dt = 1e-3 } }"""
    ours, theirs = cantilever().run(), withy.loads(text).run()
    assert np.array_equal(ours.rod.position, theirs.rod.position) and np.array_equal(ours.ledger.kinetic, theirs.ledger.kinetic)


def test_a_function_of_python_equals_one_of_the_scene_language():
    load = withy.distributed(force=lambda s, t: (0, 0.5 * s * t, 0))
    text = cantilever().text.replace("method =", "loads = { distributed { force = function(s, t) return 0, 0.5 * s * t, 0 end } },\n method =")
    ours, theirs = cantilever(loads=[load]).run(), withy.loads(text).run()
    assert np.array_equal(ours.rod.position, theirs.rod.position)


def test_a_function_of_three_parameters_sees_the_section():
    seen = []

    def wind(s, t, state):
        seen.append(state)
        return -0.1 * state.velocity

    result = cantilever(loads=[withy.distributed(force=wind)]).run()
    assert result.ledger.work[-1] < cantilever().run().ledger.work[-1]
    assert np.allclose(seen[-1].frame @ seen[-1].frame.T, np.eye(3))


def test_parameters_of_a_scene_are_keywords():
    scene = withy.loads("local p = params { length = 1 } return { rod = { length = p.length, section = circle { diameter = 0.02 },"
                        " material = { young = 1e8, shear = 4e7, density = 1000 } }, ends = { start = clamped {} } }", length=2)
    assert scene.static().rod.s[-1] == 2


def test_statics_and_modes_are_those_of_a_cantilever():
    stiff = cantilever(gravity=[0, 0, 0], time=None, options=dict(n=16))
    area, second = np.pi * 0.01**2, np.pi / 4 * 0.01**4
    first = 1.875104068711961**2 / (2 * np.pi) * np.sqrt(1e8 * second / (1000 * area))
    assert stiff.modes(2).frequency[0] == pytest.approx(first, rel=1e-3)  # slender: shear and rotary inertia take 2e-4
    force = 1e-4
    tip = cantilever(gravity=[0, 0, 0], time=None, ends=dict(start=withy.clamped(), finish=withy.free(force=[0, 0, force]))).static()
    assert tip.rod.position[-1, -1, 2] == pytest.approx(force / (3 * 1e8 * second), rel=1e-3)


def test_time_is_kept_once_where_there_are_obstacles():
    floor = withy.plane(point=[0, 0, -0.05], normal=[0, 0, 1])
    result = cantilever(obstacles=[floor], contact=dict(stiffness=1e5)).run()
    assert len(result.t) == len(result.rod.position) == 11


# ---- errors ----------------------------------------------------------------------------------------------------

def test_errors_are_the_sentences_of_the_library_and_say_where():
    with pytest.raises(withy.InputError) as caught:
        cantilever(rod=dict(ROD, length=-1))
    error = caught.value
    assert (error.path, error.line, error.status) == ("rod.length", 0, "bad_input") and "must be > 0" in str(error)
    with pytest.raises(withy.InputError, match="did you mean"):
        cantilever(rod=dict(ROD, lenght=1))
    with pytest.raises(withy.Error, match="nothere.lua"):
        withy.load("nothere.lua")
    with pytest.raises(withy.MethodError):
        cantilever(gravity=[0, 0, 0]).set(**{"rod.section": withy.circle(diameter=0.02), "floor": dict(normal=[0, 0, 1], stiffness=1e3)}).run("elastica")
    with pytest.raises(AttributeError, match="did you mean 'circle'"):
        withy.circel
    with pytest.raises(TypeError, match="no place for object"):
        cantilever(rod=object())


def test_errors_of_a_file_have_its_line(tmp_path):
    (tmp_path / "bad.lua").write_text("return {\n  rods = {\n    { length = 1, section = circle { diameter = 1e-3 },\n"
                                      "      material = { young = -1, poisson = 0.3, density = 7800 } },\n  },\n}\n")
    with pytest.raises(withy.InputError) as caught:
        withy.load(tmp_path / "bad.lua")
    assert (caught.value.path, caught.value.line) == ("rods[1].material.young", 4)


def test_notes_have_identifiers_and_values():
    scene = cantilever(method="elastica", gravity=[0, 0, 0], time=dict(stop=0.1, output=0.03))
    note = next(note for note in scene.sim().notes if note.id == "output_fitted")
    assert note.values == dict(output=pytest.approx(0.025), given=0.03, stop=0.1) and str(note) == note.text and "time.output" in note.text
    result = scene.run()
    assert note in result.notes and pickle.loads(pickle.dumps(note)) == note


def test_an_exception_in_a_function_is_the_cause_of_the_error():
    def late(s, t):
        if t > 0.05:
            raise LookupError("no wind data")
        return 0, 0, 0

    scene = cantilever(loads=[withy.distributed(force=late)])
    with pytest.raises(withy.Error, match="LookupError: no wind data") as caught:
        scene.run()
    assert isinstance(caught.value.__cause__, LookupError)
    assert len(cantilever().run().t) == 11  # and the library goes on


@pytest.mark.parametrize("value", [float("nan"), "word", None, (1, 2, 3, 4, 5, 6, 7), [[1, 2], [3]]])
def test_a_function_that_returns_rubbish_is_refused(value):
    with pytest.raises(withy.Error):
        cantilever(loads=[withy.distributed(force=lambda s, t: value)]).run()


def test_errors_and_scenes_and_results_can_be_pickled():
    with pytest.raises(withy.Error) as caught:
        cantilever(rod=dict(ROD, length=-1))
    copy = pickle.loads(pickle.dumps(caught.value))
    assert str(copy) == str(caught.value) and copy.path == "rod.length" and copy.status == "bad_input"
    scene = pickle.loads(pickle.dumps(cantilever()))
    result = scene.run()
    again = pickle.loads(pickle.dumps(result))
    assert np.array_equal(again.rod.position, result.rod.position) and again.method == "director"


def test_ctrl_c_stops_a_run_at_once():
    scene = cantilever(time=dict(stop=1e6, output=1))
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
    start = time.process_time()  # of this process: a machine with other work to do is no slower by it
    with pytest.raises(KeyboardInterrupt):
        scene.run()
    assert time.process_time() - start < 5
    assert len(cantilever().run().t) == 11


# ---- memory ------------------------------------------------------------------------------------------------------

def test_arrays_share_the_memory_of_the_library_and_are_read_only():
    result = cantilever().run()
    table = c.Table()
    position = result.rod.position
    base = position
    while isinstance(base, np.ndarray):
        base = base.base
    owner = base.owner
    assert c.lib.withy_record_table(owner.pointer, c.ROD, 0, 0, ctypes.byref(table)) and table.name == b"position"
    assert position.ctypes.data == table.value
    with pytest.raises(ValueError):
        position[0, 0, 0] = 1


def test_arrays_outlive_results_scenes_and_simulations_in_any_order():
    kept = []
    for _ in range(20):
        scene = cantilever()
        result, sim = scene.run(), scene.sim()
        kept += [result.rod.position, sim.position, result.probes]
        del scene
        gc.collect()
        sim.step(0.01)
        del sim, result
    gc.collect()
    assert all(np.isfinite(x).all() for x in kept if isinstance(x, np.ndarray))


def test_a_result_is_written_and_shown_afterwards(tmp_path):
    result = cantilever().run()
    result.to_hdf5(tmp_path / "a.h5")
    assert np.array_equal(withy.read(tmp_path / "a.h5").rod.position, result.rod.position)
    shown = result._repr_html_()
    assert shown.startswith("<iframe srcdoc=") or "director" in shown
    with pytest.raises(withy.Error, match="solved again"):
        withy.read(tmp_path / "a.h5").to_hdf5(tmp_path / "b.h5")


class Paper:
    """Axes that remember what is drawn on them."""

    def __init__(self):
        self.lines, self.words = [], []

    def plot(self, x, y, color, label):
        self.lines.append((np.array(x), np.array(y), label))

    def __getattr__(self, name):
        return lambda *text, **more: self.words.append((name, *text))


def test_a_plot_shows_the_shapes_in_the_plane_in_which_they_move():
    result = cantilever().run()
    paper = result.plot(Paper(), count=3)
    assert [label for _, _, label in paper.lines] == ["0", "0.05", "0.1"] and ("set_ylabel", "z [m]") in paper.words
    assert np.array_equal(paper.lines[-1][1], result.rod["position"][-1, :, 2])
    assert len(withy.load("gripper", set={"time.stop": 0.02}).run().plot(Paper(), count=1).lines) == 3
    with pytest.raises(withy.InputError, match="two of x, y and z"):
        result.plot(Paper(), plane="xw")


def test_a_plot_is_drawn_by_matplotlib(tmp_path):
    pytest.importorskip("matplotlib").use("Agg")
    axes = cantilever().run().plot()
    axes.figure.savefig(tmp_path / "a.png")
    assert (tmp_path / "a.png").stat().st_size > 5000


# ---- simulations ---------------------------------------------------------------------------------------------------

def test_a_simulation_steps_to_where_a_run_ends():
    scene = cantilever()
    sim, result = scene.sim(), scene.run()
    for k in range(10):
        sim.step(0.01)
    assert sim.t == pytest.approx(0.1) and np.allclose(sim.position, result.rod.position[-1], atol=1e-12)


def test_position_is_a_view_of_the_state():
    sim = cantilever().sim()
    held = sim.position
    start = held.copy()
    address = held.ctypes.data
    sim.step(0.05).refresh()
    assert held.ctypes.data == address == sim.position.ctypes.data and not np.array_equal(held, start)


def test_single_numbers_of_joints_follow_the_state_and_are_kept():
    text = """return { bodies = { { name = "b", mass = 1, inertia = { 1, 1, 1 }, position = { 1, 0, 0 } } },
      joints = { hinge { parts = { "ground", "b" }, at = { { 0, 0, 0 }, { -1, 0, 0 } }, axis = { 0, 1, 0 } } },
      gravity = { 0, 0, -9.81 }, time = { stop = 1 }, options = { dt = 0.01 } }"""
    sim, kept = withy.loads(text).sim(), []
    for i in range(3):
        sim.advance(0.1 * (i + 1))
        kept.append(sim.joints[0].angle)
        fresh = withy.loads(text).sim().advance(0.1 * (i + 1))
        assert sim.joints[0]["angle"] == pytest.approx(fresh.joints[0].angle, rel=1e-9)
    assert 0 < kept[0] < kept[1] < kept[2]


def test_saving_and_forking_go_on_bit_for_bit():
    sim = cantilever().sim().advance(0.03)
    state, fork = sim.save(), sim.fork()
    a = sim.advance(0.06).position.copy()
    b = fork.advance(0.06).position.copy()
    assert sim.hash == fork.hash
    d = sim.restore(state).advance(0.06).position.copy()
    assert np.array_equal(a, b) and np.array_equal(a, d)


def test_inputs_act_from_the_next_step():
    scene = cantilever(gravity=[0, 0, 0], loads=[withy.point(at=1, force=[0, 0, withy.input("u1")])])
    sim = scene.sim()
    assert dict(sim.inputs) == {"u1": 0.0}
    sim.inputs["u1"] = 0.3
    assert sim.inputs["u1"] == 0.3 and sim.step(0.05).position[-1, 2] > 0
    with pytest.raises(withy.Error, match="u2"):
        sim.inputs["u2"] = 1


def test_simulations_run_in_threads():
    sims = [cantilever().sim() for _ in range(4)]
    threads = [threading.Thread(target=lambda s=s: [s.step(1e-3) for _ in range(50)]) for s in sims]
    [t.start() for t in threads], [t.join() for t in threads]
    assert all(np.array_equal(s.position, sims[0].position) for s in sims)


def test_a_child_after_fork_computes_on():
    sim = cantilever().sim().step(0.01)
    child = os.fork()
    if child == 0:
        try:
            ok = np.isfinite(sim.step(0.01).position).all() and len(cantilever().run().t) == 11
        finally:
            os._exit(0 if ok else 1)
    assert os.waitpid(child, 0)[1] == 0


# ---- sweeps ------------------------------------------------------------------------------------------------------

def test_a_sweep_has_the_numbers_of_its_members(tmp_path):
    wires = [1e-3, 2e-3, 3e-3]
    scene = withy.load("spring_designer", press=0.01)
    table = scene.sweep({"params.wire": wires}, ["force.finish.z"], kind="static", threads=2)
    assert table.over == ["params.wire"] and np.array_equal(table["params.wire"], wires) and not table.failures
    alone = [withy.load("spring_designer", press=0.01, wire=w).static().ledger["reaction_finish"][-1, 2] for w in wires]
    assert np.array_equal(table["force.finish.z"], alone)


def test_members_that_fail_have_a_sentence():
    table = withy.load("spring_designer", press=0.01).sweep({"params.wire": [1e-3, 9.0]}, ["force.finish.z"], kind="static")
    assert list(table.failures) == [1] and "wire" in table.failures[1] and np.isnan(table["force.finish.z"][1])
    with pytest.raises(withy.Error, match="functions of Python"):
        cantilever(loads=[withy.distributed(force=lambda s, t: (0, 0, 0))]).sweep({"rod.length": [1, 2]})
    with pytest.raises(withy.InputError, match="every member .* did you mean"):  # a mistake of all members is one
        cantilever().sweep({"rod.lenght": [1, 2]}, ["finish.z"])


# ---- learning ----------------------------------------------------------------------------------------------------

def lifted(**more):
    scene = cantilever(gravity=[0, 0, 0], rod=dict(ROD, damping=dict(time=0.01)), options=dict(n=4, dt=0.01),
                       loads=[withy.point(at=1, force=[0, 0, withy.input("u1")])])
    return withy.Env(scene, dt=0.01, horizon=20, low=-0.5, high=0.5, reward=lambda sim, action: float(sim.position[-1, 2]), **more)


def test_an_environment_repeats_itself_after_reset():
    env = lifted()
    rounds = []
    for _ in range(2):
        first, _ = env.reset(seed=3)
        steps = [env.step(env.action_space.sample(env.generator)) for _ in range(20)]
        rounds.append((first, np.array([s[0] for s in steps]), [s[1] for s in steps]))
        assert [s[3] for s in steps] == [False] * 19 + [True]
    assert all(np.array_equal(a, b) for a, b in zip(*rounds))


def test_environments_side_by_side_equal_one_alone():
    one, many = lifted(), withy.VectorEnv(lifted, 3, threads=2)
    one.reset(), many.reset()
    for k in range(5):
        action = [0.1 * k]
        alone = one.step(action)
        seen, reward, *_ = many.step([action] * 3)
        assert all(np.array_equal(x, alone[0]) for x in seen) and np.array_equal(reward, [alone[1]] * 3)
    many.close()
