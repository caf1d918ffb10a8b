"""Thousands of rods of one scene that step together, each with its own actions.

    ens = withy.Ensemble(scene, 1024, actions=[withy.Action("bend1"), withy.Action("bend2")], observe=[("position", 0.4)], dt=0.02)
    obs = ens.reset()
    obs, failed = ens.step(actions)             # [1024, 2] -> [1024, 3], [1024]
    obs = ens.reset(failed)                     # those members only
"""
from __future__ import annotations

import ctypes
from typing import Any, Callable, NamedTuple, Optional, Sequence, Union

import numpy as np

from . import _library as c
from ._library import Array, InputError
from .env import Box
from .scene import Scene
from .sim import Sim

_STRAINS = ("shear1", "shear2", "stretch", "bend1", "bend2", "twist")
_PARTS = ("x", "y", "z", "turn.x", "turn.y", "turn.z")
_LOADS = ("force.x", "force.y", "force.z", "moment.x", "moment.y", "moment.z")
_OBSERVES = {"position": (0, 3), "frame": (1, 9), "velocity": (2, 3), "spin": (3, 3), "strain": (4, 6)}
_REST, _POSE, _LOAD, _INPUT = range(4)
_ENGINES = {"auto": 0, "vector": 1, "opencl": 2}


class Action(NamedTuple):
    """What an action of a member changes.

    name    "bend1", "bend2", "twist", "shear1", "shear2", "stretch": rest strains from s = start to s = end;
            "start.x", "start.turn.x", ...: where the start is held (a turn is 2 tan(phi/2) about the axis);
            "finish.force.z", "start.moment.x", ...: forces and moments on an end, laboratory; or a named input of the scene
    ramp    True: in a straight line from the last value to the new one; None: for poses
    """
    name: str
    start: float = 0.0
    end: float = 0.0
    ramp: Optional[bool] = None


class CAction(ctypes.Structure):
    _fields_ = [("on", ctypes.c_int), ("part", ctypes.c_int), ("ramp", ctypes.c_int), ("start", ctypes.c_double),
                ("end", ctypes.c_double), ("input", ctypes.c_char * 64)]


class CObserved(ctypes.Structure):
    _fields_ = [("what", ctypes.c_int), ("s", ctypes.c_double)]


class COptions(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("engine", ctypes.c_int), ("device", ctypes.c_int), ("threads", ctypes.c_int),
                ("action", ctypes.POINTER(CAction)), ("action_count", ctypes.c_int), ("observe", ctypes.POINTER(CObserved)),
                ("observe_count", ctypes.c_int)]


_P, _D, _I, _E = ctypes.c_void_p, ctypes.POINTER(ctypes.c_double), ctypes.POINTER(ctypes.c_int), ctypes.POINTER(c.CError)
_PROTOTYPES: list[tuple[str, Any, list[Any]]] = [
    ("default", COptions, []), ("create", ctypes.c_int, [_P, ctypes.c_int, ctypes.POINTER(COptions), ctypes.POINTER(_P), _E]),
    ("engine", ctypes.c_char_p, [_P]), ("width", ctypes.c_int, [_P]), ("seconds", ctypes.c_double, [_P]),
    ("step", ctypes.c_int, [_P, ctypes.c_double, _D, _D, _I, _E]), ("observe", ctypes.c_int, [_P, _D, _E]),
    ("failure", ctypes.c_int, [_P, ctypes.c_int, _E]), ("reset", ctypes.c_int, [_P, _I, ctypes.c_int, _E]),
    ("fork", ctypes.c_int, [_P, ctypes.c_int, ctypes.c_int, _E]),
    ("member", ctypes.c_int, [_P, ctypes.c_int, ctypes.POINTER(_P), _E]), ("put", ctypes.c_int, [_P, ctypes.c_int, _E]),
    ("destroy", None, [_P])]
for _name, _result, _arguments in _PROTOTYPES:
    c.prototype("withy_ensemble_" + _name, _result, _arguments)


def _action(action: Union[str, Action]) -> CAction:
    given = Action(action) if isinstance(action, str) else action
    end, _, rest = given.name.partition(".")
    ends = {"start": 0, "finish": 6}
    if given.name in _STRAINS:
        kind, part = _REST, _STRAINS.index(given.name)
    elif end in ends and rest in _PARTS:
        kind, part = _POSE, ends[end] + _PARTS.index(rest)
    elif end in ends and rest in _LOADS:
        kind, part = _LOAD, ends[end] + _LOADS.index(rest)
    else:
        return CAction(_INPUT, 0, 0, 0, 0, given.name.encode())
    ramp = kind == _POSE if given.ramp is None else given.ramp
    return CAction(kind, part, int(ramp), given.start, given.end, b"")


class _Borrowed(Sim):
    """The simulation that an ensemble lends: it is not ours to destroy."""

    def __del__(self, destroy: Any = None) -> None:
        self._pointer = 0


class Ensemble:
    """`count` members of one scene; every step is `dt` [s] long, a whole number of steps of the scene.

    actions    names or Action, in the order of the columns of what step takes
    observe    (what, s) with what = "position", "frame", "velocity", "spin", "strain", in the order of the columns of what it returns
    engine     "auto", "vector", "opencl"; threads: None: all

    What step and reset return is the same memory each time; copy what is to be kept.
    """

    def __init__(self, scene: Scene, count: int, *, dt: float, actions: Sequence[Union[str, Action]] = (),
                 observe: Sequence[tuple[str, float]] = (), engine: str = "auto", device: int = -1, threads: Optional[int] = None,
                 method: Optional[str] = None):
        if engine not in _ENGINES:
            raise InputError(f"engine = {engine!r}: must be one of {', '.join(_ENGINES)}", "engine")
        for what, _ in observe:
            if what not in _OBSERVES:
                raise InputError(f"observe: there is no {what!r}; there are {', '.join(_OBSERVES)}", "observe")
        self._scene, self._sim, self.dt, self.count = scene, scene.sim(method), float(dt), count
        self._pointer = ctypes.c_void_p()
        self._err = c.CError()
        options = c.lib.withy_ensemble_default()
        listed = (CAction * len(actions))(*[_action(a) for a in actions])
        watched = (CObserved * len(observe))(*[CObserved(_OBSERVES[what][0], s) for what, s in observe])
        options.engine, options.device, options.threads = _ENGINES[engine], device, threads or 0
        options.action, options.action_count = listed, len(actions)
        options.observe, options.observe_count = watched, len(observe)
        self._keep = (listed, watched)
        self._check(c.lib.withy_ensemble_create(self._sim._pointer, count, ctypes.byref(options), ctypes.byref(self._pointer),
                                                self._at))
        self.width, self.actions = int(c.lib.withy_ensemble_width(self._pointer)), len(actions)
        self._out = np.zeros((count, self.width))
        self._failed = np.zeros(count, np.intc)

    @property
    def _at(self) -> Any:
        return ctypes.byref(self._err)

    def __del__(self, destroy: Any = c.lib.withy_ensemble_destroy) -> None:
        if getattr(self, "_pointer", None):
            destroy(self._pointer)
            self._pointer = ctypes.c_void_p()

    def _check(self, code: int) -> None:
        if code:
            raise self._scene._failure(code, self._err)

    def _double(self, value: Array) -> Any:
        return value.ctypes.data_as(_D)

    @property
    def engine(self) -> str:
        """What makes the steps: "OpenCL on NVIDIA H200 (NVIDIA CUDA)", "vectors of eight rods, 2 threads", "one by one, ..."."""
        return c.text(c.lib.withy_ensemble_engine(self._pointer))

    @property
    def device_seconds(self) -> float:
        return float(c.lib.withy_ensemble_seconds(self._pointer))

    def step(self, actions: Any = None) -> tuple[Array, Array]:
        """Observations [count, width], and which members stand still [count]; actions [count, len(actions)], None: as before."""
        given = None
        if actions is not None:
            given = np.ascontiguousarray(actions, float)
            if given.shape != (self.count, self.actions):
                raise InputError(f"actions: has the shape {given.shape}; must be ({self.count}, {self.actions})", "actions")
        self._check(c.lib.withy_ensemble_step(self._pointer, self.dt, None if given is None else self._double(given),
                                              self._double(self._out), self._failed.ctypes.data_as(_I), self._at))
        return self._out, self._failed != 0

    def reset(self, members: Any = None) -> Array:
        """Members (a mask or numbers; None: all) back to the start; the observations of all."""
        at = np.arange(self.count) if members is None else np.asarray(members)
        at = np.flatnonzero(at) if at.dtype == bool else at
        listed = np.ascontiguousarray(at, np.intc)
        self._check(c.lib.withy_ensemble_reset(self._pointer, listed.ctypes.data_as(_I), len(listed), self._at))
        self._check(c.lib.withy_ensemble_observe(self._pointer, self._double(self._out), self._at))
        return self._out

    def fork(self, to: int, source: int) -> None:
        """Member `to` becomes what member `source` is."""
        self._check(c.lib.withy_ensemble_fork(self._pointer, to, source, self._at))

    def failure(self, member: int) -> Optional[str]:
        """Why a member stands still; None: it does not."""
        code = c.lib.withy_ensemble_failure(self._pointer, member, self._at)
        return c.text(self._err.text) if code else None

    def member(self, member: int) -> Sim:
        """A simulation in the state of a member, to be looked at or saved; the next call overwrites it."""
        sim = ctypes.c_void_p()
        self._check(c.lib.withy_ensemble_member(self._pointer, member, ctypes.byref(sim), self._at))
        assert sim.value
        return _Borrowed(self._scene, sim.value, (), self)

    def save(self, member: int) -> bytes:
        return self.member(member).save()

    def restore(self, member: int, state: bytes) -> None:
        """The state that save returned, of any member or simulation of the scene."""
        self.member(member).restore(state)
        self._check(c.lib.withy_ensemble_put(self._pointer, member, self._at))


class EnsembleEnv:
    """An ensemble as a vectorised environment, after the conventions of gymnasium.

        env = EnsembleEnv(ens, reward=lambda obs, action: -np.linalg.norm(obs[:, :3] - target, axis=1), horizon=50)
        obs, info = env.reset()
        obs, reward, terminated, truncated, info = env.step(actions)

    Members whose episode is over (failed, terminated, or after `horizon` steps) start anew at once; their last observations are
    info["final_obs"] where info["_final_obs"].  A member that fails has the reward `lost`.
    """

    metadata: dict[str, Any] = {"render_modes": [], "autoreset_mode": "SameStep"}

    def __init__(self, ensemble: Ensemble, *, reward: Callable[[Array, Array], Array], horizon: int = 200, low: Any = -1.0,
                 high: Any = 1.0, terminated: Optional[Callable[[Array], Array]] = None, lost: float = 0.0):
        self.ensemble, self.num_envs, self.horizon, self.lost = ensemble, ensemble.count, horizon, lost
        self._reward, self._terminated = reward, terminated
        wide = np.full(ensemble.width, np.inf)
        self.single_observation_space = Box(-wide, wide)
        self.single_action_space = Box(np.broadcast_to(low, ensemble.actions), np.broadcast_to(high, ensemble.actions))
        self.steps = np.zeros(ensemble.count, int)

    def reset(self, *, seed: Optional[int] = None, options: Optional[dict[str, Any]] = None) -> tuple[Array, dict[str, Any]]:
        self.steps[:] = 0
        return self.ensemble.reset().copy(), {}

    def step(self, actions: Any) -> tuple[Array, Array, Array, Array, dict[str, Any]]:
        space = self.single_action_space
        values = np.clip(np.asarray(actions, float), space.low, space.high)
        obs, failed = self.ensemble.step(values)
        obs = obs.copy()
        self.steps += 1
        reward = np.where(failed, self.lost, self._reward(obs, values))
        over = failed | (np.asarray(self._terminated(obs), bool) if self._terminated else False)
        cut = (self.steps >= self.horizon) & ~over
        done = over | cut
        info: dict[str, Any] = {}
        if done.any():
            info = {"final_obs": obs, "_final_obs": done,
                    "failure": {int(i): self.ensemble.failure(int(i)) for i in np.flatnonzero(failed)}}
            obs = self.ensemble.reset(done).copy()
            self.steps[done] = 0
        return obs, reward, over, cut, info

    def close(self) -> None:
        pass
