"""Scenes: read from a file, or written in Python in the same words."""
from __future__ import annotations

import contextlib
import ctypes
import operator
import os
import pathlib
import threading
from typing import Any, Callable, Iterable, Iterator, Mapping, Optional, Sequence, Union

import numpy as np

from . import _library as c
from ._text import Constructed, write
from .adjoint import Gradient, Objective, Place, gradient
from .fit import Comparison, Fit, Free, compare, fit, gradient_sim
from .minimise import Minimum, minimise
from .result import Record, Result
from .sim import Sim
from .sweep import Sweep, sweep

Path = Union[str, "os.PathLike[str]"]


class State:
    """The section that a load acts on: position, velocity, spin (3 numbers each), frame (d1, d2, d3 as rows)."""

    __slots__ = ("position", "velocity", "spin", "frame")

    def __init__(self, numbers: list[float]):
        self.position, self.velocity, self.spin = (np.array(numbers[i:i + 3]) for i in (0, 3, 6))
        self.frame = np.array(numbers[9:18]).reshape(3, 3)


def _texts(values: Iterable[str]) -> Any:
    coded = [value.encode() for value in values]
    return (ctypes.c_char_p * max(1, len(coded)))(*coded)


def _override(key: str, value: Any) -> str:
    return f"{key}={write(value, [])}"


class Scene:
    """A problem, its method and its options.

        rod = dict(length=1, section=withy.circle(diameter=0.02), material=dict(young=1e8, shear=4e7, density=1000))
        scene = withy.Scene(rod=rod, ends=dict(start=withy.clamped()), gravity=[0, 0, -9.81],
                            initial=dict(shape=withy.straight(along=[1, 0, 0])), time=dict(stop=1))
        result = scene.run()

    The words are those of docs/scene.md, and so are the messages (withy.Error).  Wherever a scene file takes a function of s and t,
    a Python function is taken; one of three parameters, f(s, t, state), gets the section it acts on.
    """

    def __init__(self, **table: Any):
        self._table = table
        self._functions: list[Callable[..., Any]] = []
        self._set: list[str] = []
        self._path: Optional[str] = None
        self._text = "return " + write(table, self._functions)
        self._open()

    @classmethod
    def _read(cls, path: Optional[Path], text: Optional[str], name: str, set: list[str]) -> "Scene":
        scene = cls.__new__(cls)
        scene._table, scene._functions, scene._set = {}, [], set
        scene._path, scene._text = (os.fspath(path) if path is not None else None), text or ""
        scene._open(name)
        return scene

    def _open(self, name: str = c.PYTHON) -> None:
        self._raised: Optional[BaseException] = None
        self._busy = threading.Lock()
        self._call = c.HostCall(self._host)
        self._c_host = c.Host(self._call, None)
        self._pointer: Optional[int] = None
        out, err = ctypes.c_void_p(), c.CError()
        code = self._read_into(self._set, ctypes.pointer(out), ctypes.pointer(err), name)
        if code:
            raise self._failure(code, err)
        self._pointer = out.value

    def _read_into(self, overrides: list[str], out: Any, err: Any, name: str = c.PYTHON) -> int:
        """The scene with these overrides, as the library reads it; its functions are those of this scene."""
        override = _texts(overrides)
        if self._path is not None:
            return int(c.lib.withy_scene_read(os.fsencode(self._path), override, len(overrides), out, err))
        text = self._text.encode()
        host = ctypes.byref(self._c_host) if self._functions else None
        return int(c.lib.withy_scene_read_host(text, len(text), name.encode(), override, len(overrides), host, out, err))

    def __del__(self, destroy: Any = c.lib.withy_scene_destroy) -> None:
        if getattr(self, "_pointer", None):
            destroy(self._pointer)
            self._pointer = None

    # ---- functions of Python, called by the library ----

    def _host(self, _context: Any, index: int, numbers: Any, count: int, out: Any, got: Any, err: Any) -> int:
        try:
            arguments: list[Any] = numbers[:count]
            if count > 2:
                arguments = [*arguments[:count - 18], State(arguments[count - 18:])]
            values = np.atleast_1d(np.asarray(self._functions[index - 1](*arguments), dtype=float)).ravel()
            if len(values) > 6:
                raise ValueError(f"returned {len(values)} numbers")
            for i, value in enumerate(values.tolist()):
                out[i] = value
            got[0] = len(values)
            return c.OK
        except BaseException as raised:  # it must not cross the C code; _failure raises it again
            self._raised = raised
            err[0].code, err[0].text = c.BAD_INPUT, f"{type(raised).__name__}: {raised}".encode()[:1000]
            return c.BAD_INPUT

    def _failure(self, code: int, err: c.CError) -> BaseException:
        raised, self._raised = self._raised, None
        if isinstance(raised, (KeyboardInterrupt, SystemExit)):
            return raised
        failure = c.failure(code, err)
        failure.__cause__ = raised
        return failure

    # ---- studies ----

    @contextlib.contextmanager
    def _alone(self) -> Iterator[None]:
        if not self._busy.acquire(blocking=False):
            raise c.InputError("the scene is being solved by another thread; give each thread its own", "")
        try:
            yield
        finally:
            self._busy.release()

    def _solve(self, task: int, count: int, method: Optional[str], output: Any, error: bool, branch: bool) -> Result:
        files = [os.fspath(p) for p in ([output] if isinstance(output, (str, os.PathLike)) else output or [])]
        record, stop, err, code = Record(), ctypes.c_int(0), c.CError(), [c.OK]
        setup = c.RunSetup(c.name_of(method), _texts(files), len(files), c.PROGRESS_FLAG,
                           ctypes.cast(ctypes.byref(stop), ctypes.c_void_p), int(error), int(branch), record.pointer)

        def work() -> None:
            code[0] = c.lib.withy_scene_solve(self._pointer, task, count, ctypes.byref(setup), ctypes.byref(err))

        with self._alone():
            _interruptible(work, stop)
        if code[0]:
            failure = self._failure(code[0], err)
            if isinstance(failure, c.NumericalError) and c.lib.withy_record_count(record.pointer, c.STUDY):
                failure.result = Result(record)  # type: ignore[attr-defined]
            raise failure
        return Result(record, write=lambda path: self._solve(task, count, method, path, error, branch))

    def run(self, method: Optional[str] = None, *, output: Any = None, error: bool = False) -> Result:
        """The motion from t = 0 to time.stop.  output: a file or files to write, too (.h5 .csv .pvd .wav).

        When the numerical solution fails, withy.NumericalError carries what there is as .result.
        """
        return self._solve(c.RUN, 0, method, output, error, False)

    def static(self, method: Optional[str] = None, *, output: Any = None, error: bool = False, branch: bool = False) -> Result:
        """The equilibrium, or the path of equilibria, under the loads; result.factor are the load factors."""
        return self._solve(c.STATIC, 0, method, output, error, branch)

    def modes(self, count: Optional[int] = None, method: Optional[str] = None, *, output: Any = None, error: bool = False) -> Result:
        """At least the lowest `count` modes about the equilibrium (None: 6, or all if there are fewer), and all that are unstable;
        result.frequency [Hz]."""
        return self._solve(c.MODES, c.SIX if count is None else operator.index(count), method, output, error, False)

    def sweep(self, over: dict[str, Any], want: Iterable[str] = (), *, kind: str = "run", sample: Optional[str] = None, modes: int = 0,
              method: Optional[str] = None, output: Optional[str] = None, resume: bool = False, threads: int = 0,
              engine: Optional[str] = None) -> Sweep:
        """One row per member of a grid, of all values of `over` or of a sample within their ranges; see docs/sweep.md.

            table = scene.sweep({"params.wire": np.linspace(1e-3, 3e-3, 32)}, ["finish.force"], kind="static")
            table["params.wire"], table["finish.force"]

        Values are a list or a range as on the command line, "1e-3..4e-3:32:log"; sample: "sobol:4096", "lhs:100".
        engine: who makes the steps of runs, "threads", "vector", "opencl"; None: in vectors where the method can.
        """
        return sweep(self, over, list(want), kind=kind, sample=sample, modes=modes, method=method, output=output, resume=resume,
                     threads=threads, engine=engine)

    def fit(self, data: Any, free: Union[Free, Iterable[str]], *, sigma: float = 0.0, windows: int = 4, method: Optional[str] = None,
            differences: bool = False, threads: int = 1) -> Fit:
        """The parameters with which the scene agrees best with measured data, and how well they are known; see docs/fit.md.

            fit = scene.fit({"t": t, "tip.x": x}, {"params.young": (1e5, 1e8)}, sigma=2e-4)
            fit.value["params.young"], fit.error["params.young"], fit.scene.run()

        data: a .csv file, or columns by name: t and components of probes (a motion), factor and the same (equilibria under that share of the
        loads), both with force.start.x, moment.finish.z of the supports; s and x, y, z of an equilibrium; or mode and frequency.
        free: (low, high) or (low, high, start) of each key; None or a list of names: as the params of the scene have it.
        sigma: standard deviation of every number, 0: from the misfit.  windows: of a motion, how often its data are halved at first.
        threads: for differences, where derivatives are not exact; 0: as many as there are processors.
        """
        return fit(self, data, free, sigma=sigma, windows=windows, method=method, differences=differences, threads=threads)

    def minimise(self, objective: str, free: Union[Free, Iterable[str]], subject: Sequence[str] = (), *, target: Any = None, run: bool = False,
                 method: Optional[str] = None, differences: bool = False, threads: int = 1, most: int = 0) -> Minimum:
        """The parameters for which an expression is least, within their ranges and under constraints; see docs/fit.md.

            best = scene.minimise("mass", {"params.wire": (1e-3, 4e-3)}, ["force.finish.z >= 12", "stress <= 4e8"])
            best.objective, best.value["params.wire"], best.numbers["stress"], best.scene.static()

        Numbers: params.NAME, mass, length, stress, miss (distance from a target shape), those of scene.sweep (finish.z, force.start.z, energy,
        frequency.1); run=True: those of the motion.  target: a table with s, x, y, z.  free: as of fit, with bounds.  Needs NLopt.
        """
        return minimise(self, objective, free, list(subject), target, run, method, differences, threads, most)

    def gradient(self, objective: Objective, at: Sequence[Place], by: Union[Mapping[str, float], Iterable[str]] = (), *,
                 static: bool = False, method: Optional[str] = None) -> Gradient:
        """A number J of positions of the rods, and its derivatives by everything, for about one more run.

            def miss(x):                                   # (observations, 3) [m]
                return ((x[0] - target) ** 2).sum(), 2 * (x - target)
            g = scene.gradient(miss, [(0.5, 1.0)], by=["params.young"])       # at t = 0.5 s, s = 1 m
            g.value, g.by["params.young"], g.sections["stiffness"][:, 3]      # dJ, also by EI1 of every stretch

        objective: positions -> J and its derivatives by them.  at: (t, s) of each on the first rod, or (t, s, rod) with rod = 0, 1, ...;
        times not falling; static=True: of the equilibrium.  by: names of params, or values of other keys.  Method director.
        """
        return gradient(self, objective, at, by, static, method)

    def compare(self, methods: Optional[Sequence[str]] = None, *, static: bool = False, accuracy: float = 2e-3, refine: int = 5,
                budget: float = 30.0) -> Comparison:
        """The same problem under several methods (None: all that can), each refined until its error is known: do they agree?

        accuracy: of the error bars, relative to the way travelled; refine: at most so many doublings of n; budget: processor time [s].
        """
        return compare(self, methods, static=static, accuracy=accuracy, refine=refine, budget=budget)

    def check(self, method: Optional[str] = None) -> None:
        """Raises withy.Error with the reason if the method cannot solve the scene."""
        err = c.CError()
        with self._alone():
            code = c.lib.withy_check(self._pointer, c.name_of(method), ctypes.byref(err))
        if code:
            raise self._failure(code, err)

    def sim(self, method: Optional[str] = None, *, by: Union[Mapping[str, float], Iterable[str], None] = None) -> Sim:
        """A simulation to be driven step by step.  It has a scene of its own, so that simulations can run in different threads.

        by: parameters by which it is differentiated exactly while it runs (sim.gradient): names of params, or values of other keys,
        by={"rod.material.young": 1e6}.  Method director; rods may be joined.
        """
        if by is not None:
            pointer, names, keep = gradient_sim(self, by, method)
            return Sim(keep[0], pointer, names, keep)
        scene = self._copy()
        out, err = ctypes.c_void_p(), c.CError()
        code = c.lib.withy_scene_sim(scene._pointer, c.name_of(method), ctypes.byref(out), ctypes.byref(err))
        if code:
            raise scene._failure(code, err)
        assert out.value
        return Sim(scene, out.value)

    # ---- copies ----

    def _copy(self, more: Iterable[str] = ()) -> "Scene":
        copy = Scene.__new__(Scene)
        copy._table, copy._functions, copy._path, copy._text = self._table, self._functions, self._path, self._text
        copy._set = [*self._set, *more]
        copy._open()
        return copy

    def __getstate__(self) -> Any:
        return self._table, self._functions, self._set, self._path, self._text

    def __setstate__(self, state: Any) -> None:
        self._table, self._functions, self._set, self._path, self._text = state
        self._open()

    def set(self, **values: Any) -> "Scene":
        """A changed copy: scene.set(**{"time.stop": 2, "options.n": 40}), as --set on the command line."""
        return self._copy(_override(key, value) for key, value in values.items())

    @property
    def text(self) -> str:
        """As solved, in the language of scene files."""
        return c.text(c.lib.withy_scene_text(self._pointer))

    @property
    def method(self) -> str:
        """That the scene names, or ""."""
        return c.text(c.lib.withy_scene_method(self._pointer))

    def __repr__(self) -> str:
        return f"<withy.Scene {self._path or ', '.join(self._table)}>"


def _interruptible(work: Callable[[], None], stop: ctypes.c_int) -> None:
    """Ctrl-C stops the work cleanly: it is done by a thread, since Python handles signals in its main thread only.

    Returns when the work has ended, whatever is raised meanwhile: the memory it uses belongs to the caller.  (Thread.join does not:
    after an interruption Python 3.11 takes a running thread for stopped.)
    """
    if threading.current_thread() is not threading.main_thread():
        return work()
    begun, ended = threading.Lock(), threading.Event()

    def body() -> None:
        if begun.acquire(False):
            try:
                work()
            except BaseException as reason:  # for the caller
                raised.append(reason)
            finally:
                ended.set()

    interrupted: Optional[BaseException] = None
    raised: list[BaseException] = []
    try:
        threading.Thread(target=body, name="withy", daemon=True).start()
    except BaseException as signal:  # before the work has begun, or after
        if begun.acquire(False):
            raise
        interrupted, stop.value = signal, 1
    while not ended.is_set():
        try:
            ended.wait()
        except BaseException as signal:  # KeyboardInterrupt, or what a handler raised
            interrupted, stop.value = signal, 1
    for reason in [interrupted] if interrupted else raised:
        raise reason


def _case(name: str) -> Optional[pathlib.Path]:
    for folder in (c.HERE / "cases", c.HERE.parent.parent / "cases"):
        if (folder / name / "scene.lua").is_file():
            return folder / name / "scene.lua"
    return None


def load(path: Path, *, set: Optional[dict[str, Any]] = None, **params: Any) -> Scene:
    """A scene from a file, or a case of the gallery by its name; params are those of the scene, set is --set of the command line.

        withy.load("scene.lua", wire=3e-3)
        withy.load("falling_rod", set={"time.stop": 1})
    """
    given = [_override(key, value) for key, value in (set or {}).items()]
    given += [_override(f"params.{key}", value) for key, value in params.items()]
    name = os.fspath(path)
    case = None if os.path.exists(name) or not isinstance(name, str) else _case(name)
    return Scene._read(case or path, None, name, given)


def loads(text: str, *, set: Optional[dict[str, Any]] = None, name: str = "text", **params: Any) -> Scene:
    """A scene from a text in the language of scene files."""
    given = [_override(key, value) for key, value in (set or {}).items()]
    given += [_override(f"params.{key}", value) for key, value in params.items()]
    return Scene._read(None, text, name, given)


__all__ = ["Constructed", "Scene", "State", "load", "loads"]
