"""Nothing that a program or a person does to the package ends in a crash.  These tests also run under the address sanitizer."""
import gc
import itertools
import multiprocessing
import os
import pickle
import random
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import withy

ROD = dict(length=1, section=withy.circle(diameter=0.02), material=dict(young=1e8, shear=4e7, density=1000))


def cantilever(**more):
    table = dict(rod=ROD, ends=dict(start=withy.clamped()), gravity=[0, 0, -9.81], initial=dict(shape=withy.straight(along=[1, 0, 0])),
                 time=dict(stop=0.1, output=0.01), probes=dict(tip=dict(at=1, what="position")), method="director",
                 options=dict(n=4, dt=1e-3))
    return withy.Scene(**{**table, **more})


# ---- Ctrl-C --------------------------------------------------------------------------------------------------------

LONG = {
    "run": lambda scene: scene.set(**{"time.stop": 1e4}).run(),
    "static": lambda scene: scene.set(path={"from": 0, "to": 1, "steps": 200000}).static(),
    "sweep": lambda scene: scene.set(**{"time.stop": 5}).sweep({"rod.length": "0.9..1.1:1000"}, ["tip.z"], threads=2),
    "fit": lambda scene: scene.set(**{"time.stop": 20}).fit({"t": [10.0, 20.0], "tip.z": [0.0, 0.0]}, {"rod.material.young": (1e7, 1e9)}),
    "compare": lambda scene: scene.set(**{"time.stop": 50}).compare(["director", "kirchhoff"], budget=1e3),
}


def test_ctrl_c_stops_a_long_step_and_the_simulation_is_as_it_was():
    sim = cantilever().sim()
    sim.step(0.01)
    before = sim.hash
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        sim.advance(1e5)
    timer.join()
    assert sim.hash == before and sim.step(0.01).t == pytest.approx(0.02)


@pytest.mark.parametrize("study", LONG)
def test_ctrl_c_stops_every_study(study):
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    start = time.process_time()
    with pytest.raises(KeyboardInterrupt):
        LONG[study](cantilever())
    timer.join()
    assert time.process_time() - start < 20


# ---- functions of the scene ------------------------------------------------------------------------------------------

@pytest.mark.parametrize("raised", [RuntimeError, KeyboardInterrupt, SystemExit, MemoryError, RecursionError])
def test_what_a_function_raises_comes_through_a_step_and_the_simulation_is_as_it_was(raised):
    armed = []

    def wind(s, t):
        if armed:
            raise raised("no wind")
        return 0, 0.1, 0

    sim = cantilever(loads=[withy.distributed(force=wind)]).sim()
    sim.step(0.01)
    before = sim.hash
    armed.append(1)
    with pytest.raises(raised if raised in (KeyboardInterrupt, SystemExit) else withy.Error):
        sim.step(0.01)
    assert sim.hash == before
    armed.clear()
    assert sim.step(0.01).t == pytest.approx(0.02)


def test_a_function_that_asks_its_own_simulation_in_the_middle_of_a_step_is_refused():
    asks = {"look": lambda sim: sim.position, "step": lambda sim: sim.step(1e-3), "save": lambda sim: sim.save(), "fork": lambda sim: sim.fork(),
            "rest": lambda sim: sim.rest(), "linearise": lambda sim: sim.linearise(2)}
    for ask in asks.values():
        known = []

        def wind(s, t):
            if known:
                ask(known[0])
            return 0, 0.1, 0

        sim = cantilever(loads=[withy.distributed(force=wind)]).sim()
        known.append(sim)
        with pytest.raises(withy.Error, match="in the middle of a step"):
            sim.step(0.01)
        known.clear()
        sim.step(0.01)


def test_a_scene_that_is_solved_by_its_own_function_is_refused():
    known = []

    def wind(s, t):
        if known:
            known[0].run()
        return 0, 0.1, 0

    known_scene = cantilever(loads=[withy.distributed(force=wind)])
    known.append(known_scene)
    with pytest.raises(withy.Error, match="solved by another thread"):
        known_scene.run()


# ---- memory ----------------------------------------------------------------------------------------------------------

TEXT = """local p = params { young = 1e6 }
return { rod = { length = 0.3, section = circle { diameter = 0.01 }, material = { young = p.young, poisson = 0.4, density = 1000 } },
  ends = { start = clamped {} }, gravity = { 0, 0, -9.81 }, initial = { shape = straight { along = { 1, 0, 0 } } },
  time = { stop = 0.02, output = 0.01 }, probes = { tip = { what = "position", at = 0.3 } }, method = "director", options = { n = 4, dt = 0.002 } }"""


def things():
    scene = withy.loads(TEXT)
    sim, slopes = scene.sim(), scene.sim(by=["params.young"])
    sim.rest()
    slopes.step(0.01)
    result = scene.run()
    return [scene, sim, slopes, result, sim.fork(), sim.rod, sim.position, result.rod["position"], sim.linearise(2), slopes.gradient(),
            scene.static().rod, sim.inputs, result.probes["tip"].value[1:]]


def test_everything_may_be_dropped_in_any_order():
    dice = random.Random(3)
    for _ in range(4):
        kept = things()
        dice.shuffle(kept)
        while kept:
            kept.pop()
            gc.collect(len(kept) % 3)
            for one in kept:
                if isinstance(one, np.ndarray):
                    assert np.isfinite(one).all()


def test_cycles_through_functions_are_collected():
    import weakref

    def make():
        holder = {}
        scene = cantilever(loads=[withy.distributed(force=lambda s, t: (0, 0.1 if holder else 0.2, 0))])
        holder["result"], holder["sim"], holder["scene"] = scene.run(), scene.sim(), scene
        return weakref.ref(scene), weakref.ref(holder["sim"])

    refs = list(itertools.chain.from_iterable(make() for _ in range(5)))
    gc.collect()
    assert not any(ref() for ref in refs)


# ---- threads and processes ---------------------------------------------------------------------------------------------

def test_two_threads_in_one_simulation_are_refused_or_take_turns():
    sim, wrong = cantilever(time=dict(stop=1e3)).sim(), []

    def work():
        for _ in range(300):
            try:
                sim.step(1e-3)
                sim.position[-1, 2]
            except withy.InputError as refused:
                assert "middle of a step" in str(refused) or "must not" in str(refused) or "before" in str(refused), str(refused)
            except BaseException as other:  # noqa: B036
                wrong.append(other)

    threads = [threading.Thread(target=work) for _ in range(3)]
    [t.start() for t in threads]
    [t.join() for t in threads]
    assert not wrong and np.isfinite(sim.position).all()


def last_height(scene):
    return float(scene.run().rod["position"][-1, -1, 2])


@pytest.mark.parametrize("way", ["fork", "spawn"])
def test_scenes_travel_to_other_processes(way):
    scenes = [withy.loads(TEXT, young=young) for young in (1e6, 2e6)]
    with multiprocessing.get_context(way).Pool(2) as pool:
        assert pool.map(last_height, scenes) == [last_height(scene) for scene in scenes]


def test_a_simulation_is_pickled_with_its_state():
    sim = cantilever().sim()
    sim.step(0.02)
    copy = pickle.loads(pickle.dumps(sim))
    assert copy.hash == sim.hash and copy.step(0.01).hash == sim.step(0.01).hash
    with pytest.raises(TypeError, match="derivatives"):
        pickle.dumps(withy.loads(TEXT).sim(by=["params.young"]))


@pytest.mark.parametrize("end", ["pass", "sys.exit(0)", "raise SystemExit", "del sim, scene"])
def test_a_program_may_end_while_a_thread_computes(end):
    program = f"""
import sys, threading, time
import withy
scene = withy.loads('''{TEXT}''')
sim = scene.sim()
def work():
    mine = withy.loads('''{TEXT}''').set(**{{"time.stop": 1e4}})
    mine.run()
threading.Thread(target=work, daemon=True).start()
threading.Thread(target=lambda: [withy.loads('''{TEXT}''').sim().advance(1) for _ in range(10**6)], daemon=True).start()
time.sleep(0.2)
{end}
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, timeout=900, text=True,
                          env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)})
    assert done.returncode == 0, done.stderr


# ---- rubbish ---------------------------------------------------------------------------------------------------------

def test_rubbish_is_refused_with_a_sentence(tmp_path):
    sim = cantilever().sim()
    for bad in (float("nan"), float("inf"), -1.0):
        with pytest.raises(withy.Error):
            sim.step(bad)
    for state in (b"", b"rubbish", sim.save()[:-1], bytes(len(sim.save()))):
        with pytest.raises(withy.Error):
            sim.restore(state)
    with pytest.raises(withy.Error):
        sim.inputs["none"] = 1
    with pytest.raises((withy.Error, TypeError, ValueError)):
        sim.linearise("many")
    rubbish = tmp_path / "a.h5"
    rubbish.write_bytes(bytes(range(256)) * 20)
    with pytest.raises(withy.Error):
        withy.read(rubbish)
    with pytest.raises(withy.Error):
        withy.load(tmp_path)
    for text in ("", "return 1", "return {}", "\0", "return {" * 300, "while true do end"):
        with pytest.raises(withy.Error):
            withy.loads(text)
    ring = {}
    ring["rod"] = ring
    with pytest.raises((withy.Error, RecursionError)):
        withy.Scene(**ring)
    with pytest.raises((withy.Error, TypeError)):
        withy.Scene(rod=object())
    assert sim.step(0.01).t == pytest.approx(0.01)


def test_a_wrong_type_is_told_to_the_caller_and_not_lost_in_a_thread(capfd):
    scene = cantilever()
    assert len(scene.modes().frequency) == len(scene.modes(None).frequency) == 6  # or as many as there are
    for count in ("x", 2.5, [1], object()):
        with pytest.raises(TypeError):
            scene.modes(count)
    for method in (5, b"director", ["director"], np.zeros(2)):
        for study in (scene.run, scene.static, scene.sim, scene.check):
            with pytest.raises(TypeError, match="named by a text"):
                study(method)
    for state in (None, [1], np.zeros(3), "x"):
        with pytest.raises(TypeError):
            scene.sim().restore(state)
    assert capfd.readouterr().err == ""  # no traceback of a thread


def test_actions_that_do_not_fit_are_refused():
    scene = cantilever(loads=[withy.point(at=1, force=[0, 0, withy.input("u1")])])

    def make():
        return withy.Env(scene, dt=1e-3, reward=lambda sim, action: 0.0)

    with pytest.raises(withy.InputError, match="has 2 numbers"):
        make().step([0.1, 0.2])
    with pytest.raises(withy.InputError, match="has 0 numbers"):
        make().step([])
    with pytest.raises(withy.InputError):
        make().step([float("nan")])
    with pytest.raises(withy.InputError, match="at least one"):
        withy.VectorEnv(make, 0)
    many = withy.VectorEnv(make, 3, threads=1)
    with pytest.raises(withy.InputError, match="2 are given for 3"):
        many.step([[0.1], [0.2]])
    assert many.step([[0.1], [0.2], [0.3]])[0].shape[0] == 3
    assert many.step([u] for u in (0.1, 0.2, 0.3))[0].shape[0] == 3
    many.close()


def test_one_number_is_the_action_of_every_input():
    loads = [withy.point(at=s, force=[0, 0, withy.input(name)]) for s, name in ((0.5, "u1"), (1, "u2"))]
    scene, taken = cantilever(loads=loads), []
    env = withy.Env(scene, dt=1e-3, reward=lambda sim, action: taken.append(action.tolist()) or 0.0)
    env.step(0.25)
    env.step([0.1, 0.2])
    assert taken == [[0.25, 0.25], [0.1, 0.2]]
    with pytest.raises(withy.InputError, match="has 1 numbers"):
        env.step([0.25])
