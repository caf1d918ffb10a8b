"""Ensembles: what a member does is what a simulation alone does, and environments start anew by themselves."""
import numpy as np
import pytest

import withy

ROD = dict(length=0.4, section=withy.circle(diameter=0.02), material=dict(young=1e6, poisson=0.5, density=1000), damping=dict(time=5e-3))


def arm(**more):
    table = dict(rod=ROD, gravity=[0, 0, -9.81], initial=dict(shape=withy.straight(along=[0, 0, -1], normal=[1, 0, 0])),
                 ends=dict(start=withy.clamped()), time=dict(stop=10, output=0.05), method="director",
                 options=dict(n=8, degree=1, dt=5e-3))
    return withy.Scene(**{**table, **more})


def ensemble(count=12, **more):
    return withy.Ensemble(arm(), count, dt=0.05, engine="vector", observe=[("position", 0.4), ("velocity", 0.4)], **more)


def test_a_force_on_the_tip_of_a_member_is_that_of_the_scene():
    all = ensemble(actions=["finish.force.x", "finish.force.y"])
    all.reset()
    force = np.zeros((12, 2))
    force[:, 0] = 0.01 * np.arange(12)
    for _ in range(4):
        seen, failed = all.step(force)
    assert not failed.any() and seen.shape == (12, 6)
    sim = arm(ends=dict(start=withy.clamped(), finish=withy.free(force=[0.07, 0, 0]))).sim()
    sim.step(0.2)
    assert np.abs(seen[7, :3] - sim.position[-1]).max() < 1e-12
    assert np.abs(all.member(7).position - sim.position).max() < 1e-12
    assert np.ptp(seen[:, 0]) > 0.05


def test_members_are_reset_forked_and_saved():
    all = ensemble(actions=["bend1"])
    start = all.reset().copy()
    first = all.step(np.ones((12, 1)))[0].copy()
    again = all.reset(np.arange(12) == 3)
    assert (again[3] == start[3]).all() and (again[4] == first[4]).all()
    all.fork(5, 3)
    state = all.save(4)
    all.restore(6, state)
    seen, _ = all.step(np.ones((12, 1)))
    assert (seen[3] == first[3]).all() and np.abs(seen[5] - seen[3]).max() < 1e-12
    assert np.abs(seen[6] - seen[4]).max() < 1e-10


def test_an_environment_starts_anew_where_an_episode_is_over_or_failed():
    env = withy.EnsembleEnv(ensemble(actions=["bend1", "bend2"]), reward=lambda seen, action: -seen[:, 2], horizon=5, low=-1000, high=1000,
                            lost=-9)
    first, _ = env.reset()
    action = np.zeros((12, 2))
    action[4] = 900, -900
    lost = []
    for step in range(1, 6):
        seen, reward, over, cut, info = env.step(action)
        lost += np.flatnonzero(over).tolist()
        if over[4]:
            assert reward[4] == -9 and "degrees" in info["failure"][4] or "convergence" in info["failure"][4]
            assert (seen[4] == first[4]).all()
    assert lost and set(lost) == {4} and cut[[0, 1, 11]].all()
    assert (seen[0] == first[0]).all() and (info["final_obs"][0] != first[0]).any() and info["_final_obs"][0]


def test_other_scenes_are_stepped_one_by_one_and_what_is_wrong_is_a_sentence():
    pulled = arm(options=dict(n=4, dt=5e-3), ends=dict(start=withy.clamped(), finish=withy.free(force=[withy.input("u"), 0, 0])))
    all = withy.Ensemble(pulled, 3, dt=0.05, actions=["u"], observe=[("position", 0.4)])
    assert all.engine.startswith("one by one")
    seen, _ = all.step([[0.0], [0.02], [0.04]])
    assert seen[2, 0] > seen[1, 0] > seen[0, 0]
    with pytest.raises(withy.MethodError, match="options.degree"):
        withy.Ensemble(pulled, 3, dt=0.05, engine="vector")
    with pytest.raises(withy.InputError, match="shape"):
        all.step([[0.0, 1.0]])
    with pytest.raises(withy.InputError, match="there is no 'place'"):
        withy.Ensemble(pulled, 3, dt=0.05, observe=[("place", 0.1)])
