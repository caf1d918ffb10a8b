"""Equilibria, linear systems and controllers of live simulations."""
import numpy as np
import pytest

import withy

WIRE = dict(length=0.2, section=withy.circle(diameter=1e-3), material=dict(young=60e9, shear=23e9, density=6450),
            inertia=dict(mass=0.05, rotary=2e-6), damping=dict(time=0.005))


def robot(**more):
    table = dict(rod=WIRE, gravity=[0, 0, -9.81], initial=dict(shape=withy.straight(along=[0, 0, 1], normal=[1, 0, 0])),
                 ends=dict(start=withy.clamped(), finish=withy.free(mass=2e-3)),
                 loads=[withy.tendon(route=[8e-3, 0], tension=withy.input("pull"))], time=dict(stop=3, output=0.1),
                 probes=dict(tip=dict(at=0.2, what="position")), method="director", options=dict(n=8, dt=1e-3))
    return withy.Scene(**{**table, **more})


def at_rest(pull=2.0):
    sim = robot().sim()
    sim.inputs["pull"] = pull
    point = sim.rest()
    assert point.unstable == 0 and point.energy > 0
    return sim


def test_a_motion_that_starts_at_an_equilibrium_stays_there_and_its_clock_starts_at_zero():
    sim = at_rest()
    before = sim.position.copy()
    assert sim.t == 0
    copy, state = sim.fork(), sim.save()
    for one in (sim, copy, robot().sim().restore(state)):
        for _ in range(10):
            one.step(1e-3)
        assert one.t == pytest.approx(0.01) and np.abs(one.position - before).max() < 1e-9


def test_the_gain_of_a_linear_system_is_the_slope_of_the_equilibria():
    sim = at_rest()
    lin = sim.linearise(4)
    assert lin.inputs == ("pull",) and lin.outputs == ("tip.x", "tip.y", "tip.z") and lin.u0[0] == 2
    assert np.allclose(lin.y0, sim.position[-1], atol=1e-14)
    ends = []
    for pull in (2.001, 1.999):
        sim.inputs["pull"] = pull
        sim.rest()
        ends.append(sim.position[-1].copy())
    assert np.allclose(lin.gain[:, 0], (ends[0] - ends[1]) / 0.002, rtol=1e-5, atol=1e-9)


def test_the_poles_of_a_linear_system_are_the_modes():
    sim = at_rest(0.0)
    slowest = np.sort(np.abs(sim.linearise(12).poles.imag))
    modes = robot().modes(2)
    assert np.isclose(modes.frequency[0], slowest[slowest > 1][0] / (2 * np.pi), rtol=1e-4)


def test_a_step_of_a_linear_system_is_exact_for_any_dt():
    lin = at_rest().linearise(6)
    a1, b1 = lin.discrete(1e-3)
    a4, b4 = lin.discrete(4e-3)
    assert np.allclose(np.linalg.matrix_power(a1, 4), a4, atol=1e-11)
    assert np.allclose((np.eye(len(a1)) + a1 + a1 @ a1 + a1 @ a1 @ a1) @ b1, b4, atol=1e-11)


def test_a_small_step_is_predicted_and_the_error_falls_with_its_size():
    sim = at_rest()
    lin = sim.linearise(12)
    a, b = lin.discrete(1e-3)

    def error(size):
        run, x, worst, most = sim.fork(), np.zeros(len(a)), 0.0, 0.0
        run.inputs["pull"] = 2 + size
        for _ in range(100):
            run.step(1e-3)
            x = a @ x + b[:, 0] * size
            moved = run.position[-1] - lin.y0
            worst = max(worst, np.abs(moved - lin.C @ x - lin.D[:, 0] * size).max())
            most = max(most, np.abs(moved).max())
        return worst / most

    large, small = error(0.2), error(0.02)
    assert large < 0.1 and 7 < large / small < 13


def test_what_cannot_be_linear_is_told_so():
    sim = robot().sim()
    sim.inputs["pull"] = 1
    sim.step(0.05)
    with pytest.raises(withy.InputError, match="moves at"):
        sim.linearise()
    with pytest.raises(withy.MethodError, match='input "base" moves an end'):
        robot(loads=[], ends=dict(start=withy.clamped(position=[withy.input("base"), 0, 0]))).sim().linearise()
    with pytest.raises(withy.InputError, match="at least 1"):
        at_rest().linearise(0)
