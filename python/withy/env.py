"""The interface that reinforcement-learning libraries expect, without depending on one.

    env = withy.Env(withy.load("tendon_robot"), dt=0.01, horizon=100,
                    reward=lambda sim, action: -np.linalg.norm(sim.position[-1] - target))
    observation, info = env.reset(seed=1)
    observation, reward, terminated, truncated, info = env.step([0.3, 0.0])
"""
from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any, Callable, Optional, Sequence

import numpy as np

from ._library import Array, InputError, NumericalError
from .scene import Scene
from .sim import Sim

Observe = Callable[[Sim], Array]
Reward = Callable[[Sim, Array], float]


class Box:
    """Actions or observations: real numbers between low and high (arrays of one shape)."""

    def __init__(self, low: Any, high: Any):
        self.low, self.high = np.broadcast_arrays(np.asarray(low, float), np.asarray(high, float))
        self.shape, self.dtype = self.low.shape, np.dtype(float)

    def sample(self, generator: Optional[np.random.Generator] = None) -> Array:
        return (generator or np.random.default_rng()).uniform(self.low, self.high)

    def contains(self, value: Any) -> bool:
        value = np.asarray(value, float)
        return bool(value.shape == self.shape and (value >= self.low).all() and (value <= self.high).all())

    def __repr__(self) -> str:
        return f"Box({self.low}, {self.high})"


def ends(sim: Sim) -> Array:
    """The usual observation: position and velocity of the last station of every rod, and the inputs."""
    rods = [np.concatenate([rod["position"][-1], rod["velocity"][-1]]) for rod in sim.rods._parts]
    return np.concatenate([*rods, np.array(list(sim.inputs.values()), float)])


class Env:
    """A scene with named inputs as actions: every step holds them for dt [s].

    low, high    range of the actions, one number or one for each input (order of env.names)
    horizon      steps after which an episode is truncated
    observe      sim -> numbers; default: last stations and inputs
    reward       (sim, action) -> number
    terminated   sim -> true when the episode is over

    An episode whose numerical solution fails is terminated; info["failure"] is the message.
    """

    metadata: dict[str, Any] = {"render_modes": []}

    def __init__(self, scene: Scene, *, dt: float, reward: Reward, horizon: int = 200, low: Any = -1.0, high: Any = 1.0,
                 observe: Observe = ends, terminated: Optional[Callable[[Sim], bool]] = None, method: Optional[str] = None):
        if not dt > 0:
            raise InputError(f"dt = {dt}: must be > 0 [s]", "dt")
        self.sim = scene.sim(method)
        self.names = list(self.sim.inputs)
        if not self.names:
            raise InputError('the scene has no inputs: give a load or a tendon as input "u1"', "inputs")
        self._start = self.sim.save()
        self.dt, self.horizon = dt, horizon
        self._observe, self._reward, self._terminated = observe, reward, terminated
        self.action_space = Box(np.broadcast_to(low, len(self.names)), np.broadcast_to(high, len(self.names)))
        count = len(observe(self.sim))
        self.observation_space = Box(np.full(count, -np.inf), np.full(count, np.inf))
        self.generator = np.random.default_rng()
        self.steps = 0

    def reset(self, *, seed: Optional[int] = None, options: Optional[dict[str, Any]] = None) -> tuple[Array, dict[str, Any]]:
        if seed is not None:
            self.generator = np.random.default_rng(seed)
        self.sim.restore(self._start)
        self.steps = 0
        return np.array(self._observe(self.sim)), {"t": self.sim.t}

    def step(self, action: Any) -> tuple[Array, float, bool, bool, dict[str, Any]]:
        values = np.asarray(action, float)
        values = np.full(len(self.names), values) if values.ndim == 0 else values.ravel()  # one number: for all inputs
        if values.size != len(self.names):
            raise InputError(f"action: has {values.size} numbers; give one for each input, {', '.join(self.names)}", "action")
        values = np.clip(values, self.action_space.low, self.action_space.high)
        for name, value in zip(self.names, values.tolist()):
            self.sim.inputs[name] = value
        self.steps += 1
        try:
            self.sim.step(self.dt)
        except NumericalError as failure:
            return np.array(self._observe(self.sim)), 0.0, True, False, {"t": self.sim.t, "failure": str(failure)}
        over = bool(self._terminated(self.sim)) if self._terminated else False
        reward = float(self._reward(self.sim, values))
        return np.array(self._observe(self.sim)), reward, over, self.steps >= self.horizon, {"t": self.sim.t}

    def close(self) -> None:
        pass


class VectorEnv:
    """Several environments side by side, stepped by threads; make() gives each."""

    def __init__(self, make: Callable[[], Env], count: int, threads: Optional[int] = None):
        if count < 1:
            raise InputError(f"count = {count}: at least one environment is needed", "count")
        self.envs = [make() for _ in range(count)]
        self.num_envs = count
        self.single_action_space = self.envs[0].action_space
        self.single_observation_space = self.envs[0].observation_space
        self._pool = ThreadPoolExecutor(threads)

    def reset(self, *, seed: Optional[int] = None, options: Optional[dict[str, Any]] = None) -> tuple[Array, dict[str, Any]]:
        seeds: Sequence[Optional[int]] = [None if seed is None else seed + i for i in range(self.num_envs)]
        done = [env.reset(seed=s, options=options) for env, s in zip(self.envs, seeds)]
        return np.stack([x for x, _ in done]), {"infos": [info for _, info in done]}

    def step(self, actions: Any) -> tuple[Array, Array, Array, Array, dict[str, Any]]:
        """An environment whose episode is over starts anew; its last observation is in infos[i]["final_observation"]."""

        actions = list(actions)
        if len(actions) != self.num_envs:
            raise InputError(f"actions: {len(actions)} are given for {self.num_envs} environments; give each one", "actions")

        def one(pair: tuple[Env, Any]) -> tuple[Array, float, bool, bool, dict[str, Any]]:
            env, action = pair
            observation, reward, over, cut, info = env.step(action)
            if over or cut:
                info["final_observation"] = observation
                observation, _ = env.reset()
            return observation, reward, over, cut, info

        done = list(self._pool.map(one, zip(self.envs, actions)))
        observation, reward, over, cut, infos = zip(*done)
        return np.stack(observation), np.array(reward), np.array(over), np.array(cut), {"infos": list(infos)}

    def close(self) -> None:
        self._pool.shutdown()
