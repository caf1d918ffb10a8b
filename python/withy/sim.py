"""A simulation that is driven step by step: control, learning, live displays."""
from __future__ import annotations

import ctypes
import threading
from typing import Any, Iterator, MutableMapping, NamedTuple, Optional, Sequence

import numpy as np

from . import _library as c
from ._library import Array
from .fit import Slope, frequencies, slope
from .linear import Linear, linearise
from .result import Part, Parts

_advance, _time, _step = c.lib.withy_sim_advance, c.lib.withy_sim_time, c.lib.withy_sim_step
c.prototype("withy_sim_interrupt", None, [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p])
_FLAG = ctypes.cast(c.lib.withy_interrupt_flag, ctypes.c_void_p)
_MANY = 5000  # steps: longer calls are made so that Ctrl-C is handled meanwhile


class Inputs(MutableMapping[str, float]):
    """The named inputs of a simulation: sim.inputs["u1"] = 0.3 acts in every step from now on."""

    def __init__(self, sim: "Sim"):
        self._sim = sim
        self._names: list[str] = []
        while (name := c.lib.withy_sim_input_name(sim._pointer, len(self._names))) is not None:
            self._names.append(c.text(name))

    def __getitem__(self, key: str) -> float:
        value = ctypes.c_double()
        self._sim._check(c.lib.withy_sim_input_get(self._sim._pointer, key.encode(), ctypes.byref(value), self._sim._err_at))
        return value.value

    def __setitem__(self, key: str, value: float) -> None:
        self._sim._check(c.lib.withy_sim_input(self._sim._pointer, key.encode(), float(value), self._sim._err_at))

    def __delitem__(self, key: str) -> None:
        raise TypeError("an input cannot be removed")

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __repr__(self) -> str:
        return f"Inputs({dict(self)})"


class CEquilibrium(ctypes.Structure):
    _fields_ = [("factor", ctypes.c_double), ("iterations", ctypes.c_int), ("negative", ctypes.c_int), ("mark", ctypes.c_int),
                ("energy", ctypes.c_double), ("neutral", ctypes.c_int)]


class Equilibrium(NamedTuple):
    """unstable: unstable directions, 0 is stable, -1 not known; neutral: motions along which nothing resists; energy [J]."""
    factor: float
    unstable: int
    neutral: int
    energy: float


for _name in ("withy_sim_equilibrium", "withy_sim_rest"):
    c.prototype(_name, ctypes.c_int, [ctypes.c_void_p, ctypes.c_double, ctypes.POINTER(CEquilibrium), ctypes.POINTER(c.CError)])


class Sim:
    """Made by Scene.sim().  While it steps other threads run; one simulation belongs to one thread at a time.

    The arrays of sim.rod and sim.bodies are views of the present state: they follow it at each refresh(), or whenever sim.position,
    sim.rod, sim.bodies or sim.joints is asked for.  Copy what is to be kept.
    """

    def __init__(self, scene: Any, pointer: int, by: Sequence[str] = (), keep: Any = None):
        self._scene, self._pointer, self._by, self._keep = scene, pointer, list(by), keep
        self._err = c.CError()
        self._err_at = ctypes.byref(self._err)
        self._rods: Optional[Parts] = None
        self._bodies: Optional[Parts] = None
        self._joints: Optional[Parts] = None
        self._lock = threading.Lock()
        self._static = True  # it may be an equilibrium, whose "time" is its load factor
        self.inputs = Inputs(self)

    def __del__(self, destroy: Any = c.lib.withy_sim_destroy) -> None:
        if getattr(self, "_pointer", None):
            destroy(self._pointer)
            self._pointer = 0

    def _check(self, code: int) -> None:
        if code:
            raise self._scene._failure(code, self._err)

    def _call(self, function: Any, *arguments: Any) -> None:
        """Nobody else may step or look at it meanwhile, not even a function of the scene that the step calls."""
        if not self._lock.acquire(False):
            raise c.InputError("the simulation is in the middle of a step: of another thread, or of the function that asks; "
                               "each thread needs a simulation of its own (fork)", "")
        try:
            code = function(self._pointer, *arguments)
        finally:
            self._lock.release()
        if code:
            raise self._scene._failure(code, self._err)

    def _call_long(self, function: Any, *arguments: Any) -> None:
        """The same; Ctrl-C stops it, and raises KeyboardInterrupt."""
        from .scene import _interruptible

        flag, failed = ctypes.c_int(0), []
        c.lib.withy_sim_interrupt(self._pointer, _FLAG, ctypes.cast(ctypes.byref(flag), ctypes.c_void_p))

        def work() -> None:
            try:
                self._call(function, *arguments)
            except BaseException as failure:
                failed.append(failure)

        try:
            _interruptible(work, flag)
        finally:
            c.lib.withy_sim_interrupt(self._pointer, None, None)
        if failed:
            raise failed[0]

    def _go(self, t: float, now: float) -> None:
        step = _step(self._pointer)
        if t - now <= _MANY * step:
            self._call(_advance, t, self._err_at)
        else:
            self._call_long(_advance, t, self._err_at)
        self._static = False

    # ---- going on ----

    def advance(self, t: float) -> "Sim":
        """Exactly to the time t [s]; on failure the simulation is as it was."""
        self._go(t, self.t if self._static else _time(self._pointer))
        return self

    def step(self, dt: float) -> "Sim":
        """By dt [s]; from an equilibrium the clock starts at 0."""
        now = self.t if self._static else _time(self._pointer)
        self._go(now + dt, now)
        return self

    def rest(self, factor: float = 1.0, *, stable: bool = True) -> Equilibrium:
        """To the equilibrium under `factor` times the constant loads, functions of time at t = factor.

        stable=False: on the branch of the load steps, also where it is unstable.  The next step starts the clock at 0 from there.
        """
        out = CEquilibrium()
        call = c.lib.withy_sim_rest if stable else c.lib.withy_sim_equilibrium
        self._static = True
        self._call_long(call, factor, ctypes.byref(out), self._err_at)
        return Equilibrium(out.factor, out.negative, out.neutral, out.energy)

    def linearise(self, modes: Optional[int] = None) -> Linear:
        """Small motions about the present equilibrium by its lowest modes (None: 6, or all if there are fewer): A, B, C, D from the
        named inputs to the probes.

            sim = scene.sim()
            sim.rest()
            lin = sim.linearise(8)
            ad, bd = lin.discrete(1e-3)
        """
        return linearise(self, c.SIX if modes is None else int(modes))

    def _parameter(self, name: Optional[str]) -> int:
        if not self._by:
            raise c.InputError("the simulation has no parameters; name them in scene.sim(by=[...])", "by")
        if name is None and len(self._by) == 1:
            return 0
        if name not in self._by:
            raise c.InputError(f"{name!r} is no parameter of the simulation; it has {', '.join(self._by)}", "by")
        return self._by.index(name)

    def gradient(self, by: Optional[str] = None) -> Slope:
        """Exact derivatives of the present motion or equilibrium by a parameter of scene.sim(by=[...]).

            sim = scene.sim(by=["params.young"])
            sim.advance(0.5)
            sim.gradient().position[-1]         # d r(L)/dE [m/Pa]
        """
        return slope(self, self._parameter(by))

    def frequencies(self, count: int = 6) -> Array:
        """Of at least the lowest `count` modes about the present equilibrium [Hz]."""
        return frequencies(self, int(count), None)[0]

    def frequency_gradient(self, count: int = 6, by: Optional[str] = None) -> tuple[Array, Array]:
        """These, and their derivatives by a parameter [Hz/unit]; undamped modes of simple frequency, at the nodes."""
        values, slopes = frequencies(self, int(count), self._parameter(by))
        assert slopes is not None
        return values, slopes

    @property
    def t(self) -> float:
        """[s]; 0 in an equilibrium."""
        return 0.0 if c.lib.withy_sim_at_rest(self._pointer) else float(c.lib.withy_sim_time(self._pointer))

    @property
    def method(self) -> str:
        """Its name."""
        return c.text(c.lib.withy_sim_method(self._pointer))

    @property
    def notes(self) -> list[c.Note]:
        """Notes of the method for the user: .id, .text, .values (docs/notes.md)."""
        return c.notes(c.lib.withy_sim_notes(self._pointer)[0])

    @property
    def stats(self) -> c.Stats:
        """Steps, iterations, energy and its drift so far."""
        return c.lib.withy_sim_stats(self._pointer)  # type: ignore[no-any-return]

    # ---- the state ----

    def _table(self, of: int, index: int, number: int, table: c.Table) -> bool:
        if not self._lock.acquire(False):
            raise c.InputError("the simulation is in the middle of a step: of another thread, or of the function that asks", "")
        try:
            return bool(c.lib.withy_sim_table(self._pointer, of, index, number, ctypes.byref(table)))
        finally:
            self._lock.release()

    def _parts(self, of: int) -> Parts:
        parts, table = [], c.Table()
        for index in range(c.lib.withy_sim_count(self._pointer, of)):
            values, units, number = {}, {}, 0
            while self._table(of, index, number, table):
                name = c.text(table.name)
                values[name], units[name] = c.array(table, self)[0, ...], c.text(table.unit)
                number += 1
            if not values:
                raise c.NumericalError("the state is not finite")
            parts.append(Part(c.text(c.lib.withy_sim_name(self._pointer, of, index)), values, units))
        return Parts(parts)

    def refresh(self) -> "Sim":
        """Bring the arrays that were handed out up to date, where they are."""
        table = c.Table()
        for of, parts in ((c.ROD, self._rods), (c.BODY, self._bodies)):
            for index in range(len(parts or ())):
                if not self._table(of, index, 0, table):
                    raise c.NumericalError("the state is not finite")
        return self

    @property
    def rods(self) -> Parts:
        """By number or name, up to date."""
        if self._rods is None:
            self._rods = self._parts(c.ROD)
        else:
            self.refresh()
        return self._rods

    @property
    def rod(self) -> Part:
        """The first."""
        return self.rods[0]

    @property
    def position(self) -> Array:
        """Of the first rod now, (stations, 3) [m]: a view."""
        return self.rod["position"]

    @property
    def bodies(self) -> Parts:
        """By number or name, up to date."""
        if self._bodies is None:
            self._bodies = self._parts(c.BODY)
        else:
            self.refresh()
        return self._bodies

    @property
    def joints(self) -> Parts:
        """By number or name, up to date."""
        if self._joints is None:
            self._joints = self._parts(c.JOINT)
        else:
            self._table(c.JOINT, 0, 0, c.Table())
        return self._joints

    def save(self) -> bytes:
        """Everything it remembers: restore(save()) continues bit for bit."""
        size = c.lib.withy_sim_save_size(self._pointer)
        memory = ctypes.create_string_buffer(size)
        self._call(c.lib.withy_sim_save, memory, size, self._err_at)
        return memory.raw

    def restore(self, state: bytes) -> "Sim":
        """The state that save() returned, of a simulation of the same scene."""
        if not isinstance(state, bytes):
            raise TypeError(f"a state is the bytes that save() returned, not {type(state).__name__}")
        self._static = True
        self._call(c.lib.withy_sim_restore, state, len(state), self._err_at)
        return self

    def __hash__(self) -> int:
        return id(self)

    @property
    def hash(self) -> int:
        """Equal for equal states."""
        return int(c.lib.withy_sim_hash(self._pointer))

    def fork(self) -> "Sim":
        """A second simulation in the same state; the two are then independent."""
        copy = ctypes.c_void_p()
        self._call(c.lib.withy_sim_fork, ctypes.byref(copy), self._err_at)
        assert copy.value
        return Sim(self._scene, copy.value, (), self._keep)

    def __reduce__(self) -> Any:
        if self._by:
            raise TypeError("a simulation with derivatives cannot be pickled; pickle its scene, and make another")
        return _again, (self._scene, self.method, self.save())

    def __repr__(self) -> str:
        return f"<withy.Sim by {self.method} at t = {self.t:g} s>"


def _again(scene: Any, method: str, state: bytes) -> Sim:
    """A simulation that was pickled."""
    sim: Sim = scene.sim(method)
    return sim.restore(state)
