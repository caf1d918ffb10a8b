"""Fits, derivatives and comparisons from Python."""
import numpy as np
import pytest

import withy

TEXT = """local p = params { young = 1.2e6, rho = 1100 }
return { rod = { length = 0.3, section = rectangle { width = 0.01, height = 0.012 }, material = { young = p.young, poisson = 0.45, density = p.rho },
                 damping = { time = 0.002 } },
  ends = { start = clamped {} }, gravity = { 0, 0, -9.81 }, initial = { shape = straight { along = { 1, 0, 0 } } },
  time = { stop = 0.2, output = 0.01 }, probes = { tip = { what = "position", at = 0.3, every = 0.01 } },
  method = "director", options = { n = 6, dt = 0.002 } }"""
UNDAMPED = TEXT.replace("damping = { time = 0.002 }", "")


def film(scene):
    probe = scene.run().probes["tip"]
    return {"t": probe.t[1:], "tip.x": probe.value[1:, 0], "tip.z": probe.value[1:, 2]}


def test_a_fit_finds_the_parameter_that_the_data_were_made_with():
    data = film(withy.loads(TEXT, young=1e6))
    fit = withy.loads(TEXT).fit(data, {"params.young": (1e5, 1e8)})
    assert fit.converged and fit.exact and fit.value["params.young"] == pytest.approx(1e6, rel=1e-6)
    assert fit.columns == ["tip.x", "tip.z"] and fit.axis == "t" and np.allclose(fit.model, data["tip.x"][:, None].repeat(2, 1) * [1, 0] +
                                                                                 data["tip.z"][:, None] * [0, 1], atol=1e-9)
    assert np.allclose(film(fit.scene)["tip.z"], data["tip.z"], atol=1e-9)


def test_standard_errors_are_those_of_the_noise(tmp_path):
    data = film(withy.loads(TEXT, young=1e6))
    noise = np.random.default_rng(1)
    for key in ("tip.x", "tip.z"):
        data[key] = data[key] + noise.normal(0, 1e-4, len(data[key]))
    path = tmp_path / "film.csv"
    np.savetxt(path, np.column_stack(list(data.values())), delimiter=",", header=",".join(data), comments="")
    fit = withy.loads(TEXT).fit(path, ["params.young"], sigma=1e-4)
    error = fit.error["params.young"]
    assert abs(fit.value["params.young"] - 1e6) < 4 * error and 1e-5 < error / 1e6 < 1e-2
    low, high = fit.interval["params.young"]
    assert low < fit.value["params.young"] < high and fit.correlation.shape == (1, 1)


def test_a_fit_takes_functions_of_python():
    rod = dict(length=0.3, section=withy.circle(diameter=0.01), material=dict(young=1e6, poisson=0.45, density=1100))
    table = dict(rod=rod, ends=dict(start=withy.clamped()), initial=dict(shape=withy.straight(along=[1, 0, 0])), method="director",
                 loads=[withy.distributed(force=lambda s, t: (0, 0, -0.1 * s))], options=dict(n=6, dt=0.01), time=dict(stop=1, output=0.5))
    shape = withy.Scene(**table).static().rod
    data = {"s": shape.s[1:], "z": shape.position[-1, 1:, 2]}
    fit = withy.Scene(**table).fit(data, {"rod.material.young": (1e5, 1e7, 3e6)})
    assert fit.value["rod.material.young"] == pytest.approx(1e6, rel=1e-6)


def test_differences_by_threads_find_the_same():
    data = film(withy.loads(TEXT, young=1e6))
    one, two = (withy.loads(TEXT).fit(data, {"params.young": (1e5, 1e8)}, differences=True, windows=1, threads=n) for n in (1, 2))
    assert not one.exact and one.value == two.value and one.value["params.young"] == pytest.approx(1e6, rel=1e-6)


@pytest.mark.parametrize("data, free, says", [
    ({"t": [0.1], "tip.x": [0.3]}, {}, "no parameter is named"),
    ({"t": [0.1, 0.2], "tip.x": [0.3]}, ["params.young"], "different lengths"),
    ({"t": [0.1], "nose.x": [0.3]}, {"params.young": (1e5, 1e7)}, "nose"),
    ({"t": [0.1], "tip.x": [0.3]}, ["params.yuong"], "params.yuong: the scene has no such parameter; it has .*young"),
    ({"t": [0.1], "tip.x": [0.3]}, {"rod.length": None}, "where does the fit start"),
])
def test_what_cannot_be_fitted_is_told_so(data, free, says):
    with pytest.raises(withy.InputError, match=says):
        withy.loads(TEXT).fit(data, free)


def test_the_gradient_of_two_rods_observes_the_second():
    text = """local p = params { k = { 0.5, 0.05, 5 } }
local function rod(name, x)
  return { name = name, length = 1, stiffness = { bend = 1, twist = 1 }, inertia = { mass = 1 }, initial = { shape = straight { from = { x, 0, 0 }, along = { 1, 0, 0 } } } }
end
return { rods = { rod("a", 0), rod("b", 1) }, gravity = { 0, 0, -1 }, method = "director", options = { n = 2, dt = 0.05 }, time = { stop = 1, output = 0.5 },
         joints = { hinge { parts = { "ground", "a" }, at = { { 0, 0, 0 }, 0 }, axis = { 0, 1, 0 } },
                    hinge { parts = { "a", "b" }, at = { 1, 0 }, axis = { 0, 1, 0 }, spring = p.k } } }"""
    def height(x):
        return x[0, 2], [[0, 0, 1]]

    def at(k, rod):
        return withy.loads(text, k=k).gradient(height, [(0.5, 1.0, rod)], by=["params.k"])

    for rod in (0, 1):
        slope = (at(0.501, rod).value - at(0.499, rod).value) / 0.002
        assert at(0.5, rod).by["params.k"] == pytest.approx(slope, rel=1e-4)
    assert at(0.5, 0).value != at(0.5, 1).value
    with pytest.raises(withy.InputError, match="on rod 2; 0 .. 1"):
        at(0.5, 2)


def test_where_a_load_moves_along_the_rod_only_its_ends_are_differentiated():
    text = """local p = params { at = { 0.45, 0.2, 0.8 } }
return { rod = { length = 1, stiffness = { bend = 1, twist = 1, stretch = 1e3, shear = 1e3 }, inertia = { mass = 1, rotary = 1e-3 } },
         initial = { shape = straight { along = { 1, 0, 0 } } }, ends = { start = clamped {} }, loads = { point { at = p.at, force = { 0, 0, -2 } } },
         time = { stop = 1, output = 0.5 }, method = "director", options = { n = 4, dt = 0.05 } }"""
    def height(x):
        return x[0, 2], [[0, 0, 1]]

    def at(where, s):
        return withy.loads(text, at=where).gradient(height, [(0, s)], by=["params.at"], static=True)

    slope = (at(0.4501, 1.0).value - at(0.4499, 1.0).value) / 0.0002
    assert at(0.45, 1.0).by["params.at"] == pytest.approx(slope, rel=1e-5)
    with pytest.raises(withy.Error, match="moves a joint or a load along rods.1., and the nodes"):
        at(0.45, 0.3)
    shape = withy.loads(text).static().rod
    fit = withy.loads(text).fit({"s": shape.s[1:], "z": shape.position[-1, 1:, 2]}, {"params.at": (0.3, 0.6, 0.5)})
    assert not fit.exact and fit.value["params.at"] == pytest.approx(0.45, abs=1e-4)


def test_an_exception_in_a_function_ends_a_fit():
    calls = []

    def fails(s, t):
        calls.append(s)
        if len(calls) > 100:
            raise RuntimeError("no wind")
        return 0, 0, -0.01

    rod = dict(length=0.3, section=withy.circle(diameter=0.01), material=dict(young=1e6, poisson=0.45, density=1100))
    scene = withy.Scene(rod=rod, ends=dict(start=withy.clamped()), initial=dict(shape=withy.straight(along=[1, 0, 0])), method="director",
                        options=dict(n=4, dt=0.01), loads=[withy.distributed(force=fails)], time=dict(stop=1, output=0.5))
    with pytest.raises(withy.Error, match="no wind") as raised:
        scene.fit({"s": [0.3], "z": [0.0]}, {"rod.material.young": (1e5, 1e7)})
    assert isinstance(raised.value.__cause__, RuntimeError)


# ---- gradients ---------------------------------------------------------------------------------------------------

def test_the_gradient_of_a_motion_is_the_limit_of_differences():
    sim = withy.loads(TEXT).sim(by=["params.young"])
    sim.advance(0.1)
    slope = sim.gradient()
    h, ends = 600.0, []
    for young in (1.2e6 + h, 1.2e6 - h):
        ends.append(withy.loads(TEXT, young=young).sim().advance(0.1).position.copy())
    assert np.allclose(slope.position, (ends[0] - ends[1]) / (2 * h), rtol=1e-5, atol=1e-15)
    assert slope.position.shape == sim.position.shape and slope.fault < 1e-6


def test_equilibria_and_frequencies_have_gradients():
    sim = withy.loads(UNDAMPED).sim(by={"rod.material.young": 1.2e6, "rod.material.density": 1100})
    sim.rest()
    slope = sim.gradient("rod.material.young")
    frequency, by_density = sim.frequency_gradient(2, "rod.material.density")
    found = []
    for rho in (1101, 1099):
        other = withy.loads(UNDAMPED, rho=rho).sim()
        other.rest()
        found.append(other.frequencies(2)[:2])
    assert np.allclose(by_density[:2], (found[0] - found[1]) / 2, rtol=1e-4)
    assert np.linalg.norm(slope.position[-1]) > 0 and len(frequency) >= 2
    with pytest.raises(withy.InputError, match="no parameter of the simulation"):
        sim.gradient("rod.length")


def test_the_gradient_backwards_is_the_limit_of_differences():
    target = np.array([0.2, 0.0, -0.2])

    def miss(x):
        return ((x - target) ** 2).sum(), 2 * (x - target)

    places = [(0.05, 0.15), (0.1, 0.3)]
    g = withy.loads(TEXT).gradient(miss, places, by=["params.young", "params.rho"])
    for name, h in (("young", 600.0), ("rho", 0.5)):
        found = []
        for sign in (1, -1):
            at = dict(young=1.2e6, rho=1100.0)
            at[name] += sign * h
            found.append(withy.loads(TEXT, **at).gradient(miss, places).value)
        assert g.by[f"params.{name}"] == pytest.approx((found[0] - found[1]) / (2 * h), rel=1e-4)
    bend = g.sections["stiffness"][:, 3:5].sum() + g.sections["stiffness"][:, 5].sum()
    assert np.isfinite(bend) and g.nodes["force"].shape == (len(g.nodes["s"]), 3) and g.fault < 1e-6
    assert withy.loads(TEXT).gradient(miss, [(0, 0.3)], by=["params.young"], static=True).by["params.young"] != 0


def test_an_exception_in_an_objective_is_the_cause_of_the_error():
    with pytest.raises(withy.InputError, match="no aim") as raised:
        withy.loads(TEXT).gradient(lambda x: 1 / 0 if len(x) > 9 else (_ for _ in ()).throw(ValueError("no aim")), [(0.1, 0.3)])
    assert isinstance(raised.value.__cause__, ValueError)


def test_a_simulation_without_parameters_has_no_gradient():
    with pytest.raises(withy.InputError, match="no parameters"):
        withy.loads(TEXT).sim().gradient()
    with pytest.raises(withy.InputError, match="has no params.yung"):
        withy.loads(TEXT).sim(by=["params.yung"])
    with pytest.raises(withy.MethodError, match="no exact derivatives"):
        withy.loads(TEXT).sim("cheb", by=["params.young"])


# ---- designs -----------------------------------------------------------------------------------------------------

def test_the_lightest_spring_that_pushes_hard_enough():
    scene = withy.load("spring_designer", press=0.01)
    force = abs(withy.load("spring_designer", press=0.01).static().ledger["reaction_finish"][-1, 2])
    try:
        best = scene.minimise("mass", {"params.wire": (1e-3, 4e-3)}, [f"abs(force.finish.z) >= {2 * force!r}"])
    except withy.Error as failure:
        if "NLopt" in str(failure):
            pytest.skip("built without NLopt")
        raise
    again = abs(best.scene.static().ledger["reaction_finish"][-1, 2])
    assert best.converged and again == pytest.approx(2 * force, rel=1e-4) and best.bound["params.wire"] == 0
    assert best.numbers["mass"] == pytest.approx(best.objective)


# ---- comparisons -------------------------------------------------------------------------------------------------

def test_methods_agree_within_their_error_bars():
    both = withy.load("heavy_cantilever").compare(["director", "kirchhoff"], static=True, accuracy=1e-2)
    assert both.agree and set(both.methods) == {"director", "kirchhoff"}
    one = both.methods["director"]
    assert one.known and one.finish.shape == (len(one.t), 3) and one.error["finish"].max() < 1e-2


def test_methods_that_cannot_are_refused_with_their_reason():
    network = withy.load("double_pendulum", set={"time.stop": 0.02, "time.output": 0.01}).compare(["director", "elastica"], refine=1)
    assert "elastica" in network.refused and network.refused["elastica"]
