"""Parameters from data, exact derivatives, and agreement of methods: over withy/fit.h, withy/gradient.h and withy/compare.h."""
from __future__ import annotations

import ctypes
import math
import os
from ctypes import POINTER, Structure, byref, c_char, c_char_p, c_double, c_int, c_int64, c_size_t, c_uint, c_void_p
from typing import Any, Iterable, Mapping, NamedTuple, Optional, Sequence, Union

import numpy as np

from . import _library as c
from ._library import Array

NAME, MOST, LEVELS, WHAT = 64, 256, 11, 4
Free = Mapping[str, Optional[Sequence[Any]]]


class Parameter(Structure):
    _fields_ = [("name", c_char * NAME), ("value", c_double), ("given", c_double), ("min", c_double), ("max", c_double),
                ("unit", c_char * NAME), ("doc", c_char * 128)]


class CFree(Structure):
    _fields_ = [("name", c_char * NAME), ("value", c_double), ("low", c_double), ("high", c_double), ("log", c_int)]


Read = ctypes.CFUNCTYPE(c_int, c_void_p, POINTER(c_char_p), c_int, POINTER(c_void_p), POINTER(c.CError))
Stop = ctypes.CFUNCTYPE(c_int, c_void_p)
Best = ctypes.CFUNCTYPE(None, c_void_p, c_char_p)


class SceneFit(Structure):
    _fields_ = [("size", c_size_t), ("read", Read), ("stop", Stop), ("context", c_void_p), ("method", c_char_p), ("data", c_char_p),
                ("data_size", c_size_t), ("data_name", c_char_p), ("free", POINTER(CFree)), ("count", c_int), ("sigma", c_double),
                ("windows", c_int), ("differences", c_int), ("threads", c_int), ("best", Best), ("resume", c_char_p)]


class FitValue(Structure):
    _fields_ = [("value", c_double), ("error", c_double), ("low", c_double), ("high", c_double), ("bound", c_int), ("null", c_double)]


class FitResult(Structure):
    _fields_ = [("count", c_int), ("value", FitValue * MOST), ("correlation", POINTER(c_double)), ("condition", c_double), ("least", c_double),
                ("sum", c_double), ("scatter", c_double), ("runs", c_int), ("jacobians", c_int), ("converged", c_int),
                ("away", c_double), ("moved", c_int), ("readings", c_int)]


class FitCurve(Structure):
    _fields_ = [("rows", c_int), ("columns", c_int), ("axis", c_char_p), ("name", c_void_p), ("at", POINTER(c_double)),
                ("data", POINTER(c_double)), ("model", POINTER(c_double)), ("exact", c_int), ("negative", c_int), ("growth", c_double),
                ("notes", c.CNotes), ("memory", c_void_p)]


c.prototype("withy_scene_parameter", c_int, [c_void_p, c_int, POINTER(Parameter)])
c.prototype("withy_scene_fit_default", SceneFit, [])
c.prototype("withy_fit_of_scene", c_int, [POINTER(SceneFit), POINTER(FitResult), POINTER(FitCurve), POINTER(c.CError)])
c.prototype("withy_fit_free_result", None, [POINTER(FitResult)])
c.prototype("withy_fit_curve_free", None, [POINTER(FitCurve)])


def parameters(scene: Any) -> dict[str, Parameter]:
    """The params { ... } of a scene by name."""
    found: dict[str, Parameter] = {}
    while True:
        one = Parameter()
        if not c.lib.withy_scene_parameter(scene._pointer, len(found), byref(one)):
            return found
        found[c.text(one.name)] = one


# ---- fits ------------------------------------------------------------------------------------------------------

class Fit:
    """Estimates and how well they are known; everything by the name of the parameter.

    value, error     the estimate and its standard error (infinite: the data do not determine it)
    interval         (low, high), 95 %
    bound            -1, 1: it lies on its lower or upper bound; 0: inside
    correlation      (parameters, parameters), in the order of names
    condition        beyond 1e4 the data do not determine all parameters
    sum, scatter     sum of squares, and the standard deviation of the data
    at, data, model  the data next to the model at the estimate: (rows,), (rows, columns); columns are their names
    scene            with the estimates
    notes            objects with .id, .text, .values
    """

    def __init__(self, names: list[str], result: FitResult, curve: FitCurve, scene: Any):
        values = result.value[:result.count]
        self.names = names
        self.value = {n: v.value for n, v in zip(names, values)}
        self.error = {n: v.error for n, v in zip(names, values)}
        self.interval = {n: (v.low, v.high) for n, v in zip(names, values)}
        self.bound = {n: v.bound for n, v in zip(names, values)}
        self.correlation = np.array(result.correlation[:len(names) ** 2]).reshape(len(names), -1)
        self.condition, self.sum, self.scatter = result.condition, result.sum, result.scatter
        self.runs, self.converged, self.moved = result.runs, bool(result.converged), bool(result.moved)
        rows, columns = curve.rows, curve.columns
        labels = (c_char * NAME * columns).from_address(curve.name) if columns else []
        self.axis, self.columns = c.text(curve.axis), [c.text(bytes(label).split(b"\0")[0]) for label in labels]
        self.at = np.array(curve.at[:rows])
        self.data = np.array(curve.data[:rows * columns]).reshape(rows, columns)
        self.model = np.array(curve.model[:rows * columns]).reshape(rows, columns)
        self.exact, self.growth = bool(curve.exact), curve.growth
        self.notes = c.notes(curve.notes)
        self.scene = scene

    def __repr__(self) -> str:
        return "<withy.Fit: " + ", ".join(f"{n} = {v:.7g} +- {self.error[n]:.2g}" for n, v in self.value.items()) + ">"


def _free(scene: Any, free: Union[Free, Iterable[str]]) -> tuple[list[str], Any]:
    given: Free = free if isinstance(free, Mapping) else dict.fromkeys(free)
    if not given:
        raise c.InputError("free: no parameter is named; as in free={'params.young': (1e5, 1e8)}", "free")
    known = parameters(scene)
    out = (CFree * len(given))()
    for one, (name, limits) in zip(out, given.items()):
        own = known.get(name[7:]) if name.startswith("params.") else None
        if name.startswith("params.") and own is None:
            raise c.InputError(f"{name}: the scene has no such parameter; it has {', '.join(sorted(known)) or 'none'}", name)
        low, high, start = (own.min, own.max, own.value) if own else (-math.inf, math.inf, math.nan)
        if limits is not None:
            low, high = float(limits[0]), float(limits[1])
            start = float(limits[2]) if len(limits) > 2 else start
        log = low > 0 and high / low >= 10
        if math.isnan(start):
            start = math.sqrt(low * high) if log else 0.5 * (low + high)
        if not math.isfinite(start):
            raise c.InputError(f"{name}: where does the fit start? give (low, high) or (low, high, start)", name)
        one.name, one.value, one.low, one.high, one.log = name.encode(), start, low, high, int(log)
    return list(given), out


def _table(data: Any) -> tuple[bytes, str]:
    """The text of a table: of a file, or of columns by name."""
    if isinstance(data, (str, os.PathLike)):
        with open(data, "rb") as file:
            return file.read(), os.fspath(data)
    columns = {name: np.asarray(values, dtype=float).ravel() for name, values in data.items()}
    if len({len(values) for values in columns.values()}) != 1:
        raise c.InputError("data: the columns have different lengths: " + ", ".join(f"{n} {len(v)}" for n, v in columns.items()), "data")
    rows = zip(*(values.tolist() for values in columns.values()))
    return ("\n".join([",".join(columns), *(",".join(map(repr, row)) for row in rows)]) + "\n").encode(), "data"


def fit(scene: Any, data: Any, free: Union[Free, Iterable[str]], *, sigma: float = 0.0, windows: int = 4, method: Optional[str] = None,
        differences: bool = False, threads: int = 1) -> Fit:
    """See Scene.fit."""
    from .scene import _interruptible

    names, array = _free(scene, free)
    text, name = _table(data)
    flag, err, result, curve, code = c_int(0), c.CError(), FitResult(), FitCurve(), [c.OK]

    def read(_context: Any, override: Any, count: int, out: Any, err: Any) -> int:
        return int(scene._read_into([*scene._set, *(c.text(override[i]) for i in range(count))], out, err))

    setup: SceneFit = c.lib.withy_scene_fit_default()
    setup.read, setup.stop = Read(read), Stop(lambda _context: flag.value)
    setup.method, setup.data, setup.data_size, setup.data_name = c.name_of(method), text, len(text), name.encode()
    setup.free, setup.count, setup.sigma, setup.windows, setup.differences = array, len(names), sigma, windows, int(differences)
    setup.threads = threads

    def work() -> None:
        code[0] = c.lib.withy_fit_of_scene(byref(setup), byref(result), byref(curve), byref(err))

    try:
        with scene._alone():
            _interruptible(work, flag)
        if code[0]:
            raise scene._failure(code[0], err)
        best = {name: value.value for name, value in zip(names, result.value)}
        return Fit(names, result, curve, scene.set(**best))
    finally:
        c.lib.withy_fit_free_result(byref(result))
        c.lib.withy_fit_curve_free(byref(curve))


# ---- gradients -------------------------------------------------------------------------------------------------

class Option(Structure):
    _fields_ = [("name", c_char * NAME), ("number", c_double), ("word", c_char * NAME)]


class Variation(Structure):
    _fields_ = [("size", c_size_t), ("name", c_char * NAME), ("step", c_double), ("at", c_void_p * 4)]


class CSlope(Structure):
    _fields_ = [("count", c_int), ("s", POINTER(c_double)), ("position", POINTER(c_double)), ("turn", POINTER(c_double)), ("grown", c_double),
                ("fault", c_double)]


class Mode(Structure):
    _fields_ = [("frequency", c_double), ("damping", c_double), ("count", c_int), ("s", c_void_p), ("position", c_void_p), ("shift", c_void_p),
                ("turn", c_void_p), ("frequency_error", c_double), ("damping_error", c_double), ("shift_im", c_void_p), ("turn_im", c_void_p),
                ("growth", c_double), ("kind", c_int), ("total", c_int), ("growth_error", c_double), ("method", c_char_p), ("notes", POINTER(c.CNotes)),
                ("rod", c_void_p)]


c.prototype("withy_scene_problem", c_void_p, [c_void_p])
c.prototype("withy_scene_options", c_void_p, [c_void_p, POINTER(c_int)])
c.prototype("withy_gradient_create", c_int, [c_void_p, c_char_p, c_void_p, c_int, POINTER(Variation), c_int, POINTER(c_void_p),
                                             POINTER(c.CError)])
c.prototype("withy_sim_gradient", c_int, [c_void_p, c_int, POINTER(CSlope), POINTER(c.CError)])
c.prototype("withy_sim_modes", c_int, [c_void_p, c_int, POINTER(POINTER(Mode)), POINTER(c.CError)])
c.prototype("withy_modes_free", None, [POINTER(Mode), c_int])
c.prototype("withy_sim_mode_gradient", c_int, [c_void_p, POINTER(Mode), c_int, POINTER(c_double), POINTER(c.CError)])


class Slope(NamedTuple):
    """Derivatives of the first rod by one parameter, per its unit.

    s [m], position (stations, 3) [m/unit], turn (stations, 3), the rotation of the frame [rad/unit]; grown: the largest |d position| so far;
    fault: beyond 1e-6 digits were lost.
    """
    s: Array
    position: Array
    turn: Array
    grown: float
    fault: float


def _values(scene: Any, by: Union[Mapping[str, float], Iterable[str]]) -> dict[str, float]:
    if isinstance(by, Mapping):
        return {name: float(value) for name, value in by.items()}
    known, values = parameters(scene), {}
    for name in by:
        own = known.get(name[7:]) if name.startswith("params.") else None
        if own is None:
            raise c.InputError(f"by: the scene has no {name}; it has {', '.join('params.' + n for n in known) or 'no params'}; "
                               f"of another key give the value, by={{{name!r}: ...}}", "by")
        values[name] = own.value
    return values


def variations(scene: Any, by: Union[Mapping[str, float], Iterable[str]]) -> tuple[dict[str, float], Any, list[Any], Any]:
    """Values, the scene with them, the scenes around it, which must live as long as what is made of them, and the array for C."""
    values = _values(scene, by)
    base = scene.set(**values) if values else scene._copy()
    keep, array = [base], (Variation * max(1, len(values)))()
    for one, (name, value) in zip(array, values.items()):
        step = 1e-3 * abs(value) or 1e-3
        one.size, one.name, one.step = ctypes.sizeof(Variation), name.encode(), step
        for i, k in enumerate((-2, -1, 1, 2)):
            keep.append(base.set(**{name: value + k * step}))
            one.at[i] = c.lib.withy_scene_problem(keep[-1]._pointer)
    return values, base, keep, array


def gradient_sim(scene: Any, by: Union[Mapping[str, float], Iterable[str]], method: Optional[str]) -> tuple[int, list[str], list[Any]]:
    """The pointer of the simulation, the names of its parameters, and what must live as long as it."""
    values, base, keep, array = variations(scene, by)
    if not values:
        raise c.InputError("by: no parameter is named; as in by=['params.young']", "by")
    count, out, err = c_int(), c_void_p(), c.CError()
    options = c.lib.withy_scene_options(base._pointer, byref(count))
    called = method or base.method or None
    code = c.lib.withy_gradient_create(c.lib.withy_scene_problem(base._pointer), c.name_of(called), options, count,
                                       array, len(values), byref(out), byref(err))
    if code:
        raise base._failure(code, err)
    assert out.value
    return out.value, list(values), keep


def slope(sim: Any, number: int) -> Slope:
    out = CSlope()
    sim._call(c.lib.withy_sim_gradient, number, byref(out), sim._err_at)
    n = out.count
    return Slope(np.array(out.s[:n]), np.array(out.position[:3 * n]).reshape(n, 3), np.array(out.turn[:3 * n]).reshape(n, 3), out.grown, out.fault)


def frequencies(sim: Any, count: int, number: Optional[int]) -> tuple[Array, Optional[Array]]:
    """Frequencies of the modes about the present equilibrium [Hz], and their derivatives by a parameter."""
    mode = POINTER(Mode)()
    sim._call(c.lib.withy_sim_modes, count, byref(mode), sim._err_at)
    try:
        total = mode[0].total
        values = np.array([mode[i].frequency for i in range(total)])
        if number is None:
            return values, None
        slopes = (c_double * total)()
        sim._call(c.lib.withy_sim_mode_gradient, mode, number, slopes, sim._err_at)
        return values, np.array(slopes[:])
    finally:
        c.lib.withy_modes_free(mode, mode[0].total)


# ---- comparisons -----------------------------------------------------------------------------------------------

class CompareRun(Structure):
    _fields_ = [("level", c_int), ("automatic", c_int), ("n", c_int), ("dt", c_double), ("tol", c_double), ("elapsed", c_double),
                ("node_steps", c_double), ("count", c_int), ("t", POINTER(c_double)), ("at", POINTER(c_double) * WHAT), ("have", c_uint),
                ("notes", c.CNotes), ("steps", c_int64), ("used", c_double), ("energy", c_double), ("negative", c_int),
                ("step_error", POINTER(c_double) * 2)]


class CompareMethod(Structure):
    _fields_ = [("name", c_char * NAME), ("rigid", c_uint), ("levels", c_int), ("automatic", c_int), ("known", c_int), ("order", c_double),
                ("run", CompareRun * LEVELS), ("error", POINTER(c_double) * WHAT), ("largest", c_double * WHAT), ("skipped", c_char * 1024),
                ("formal", c_int), ("base_n", c_int), ("base_dt", c_double), ("base_tol", c_double)]


class CompareModel(Structure):
    _fields_ = [("left_out", c_uint), ("known", c_int), ("found_with", c_char * NAME), ("shift", POINTER(c_double) * WHAT),
                ("error", POINTER(c_double) * WHAT), ("largest", c_double * WHAT)]


class ComparePair(Structure):
    _fields_ = [("a", c_int), ("b", c_int), ("what", c_int), ("t", c_double), ("distance", c_double), ("allowed", c_double), ("known", c_int),
                ("agree", c_int), ("apart", c_int)]


class CComparison(Structure):
    _fields_ = [("statics", c_int), ("length", c_double), ("travel", c_double), ("count", c_int), ("refused_count", c_int),
                ("method", POINTER(CompareMethod)), ("refused", POINTER(CompareMethod)), ("model", CompareModel), ("pair_count", c_int),
                ("disagreements", c_int), ("pair", POINTER(ComparePair)), ("model_error", c.CError)]


Study = ctypes.CFUNCTYPE(c_int, c_void_p, c_char_p, c_void_p, POINTER(c.CError))
Before = ctypes.CFUNCTYPE(c_int, c_void_p, c_char_p, c_int, c_int)


class CompareSetup(Structure):
    _fields_ = [("study", Study), ("method", POINTER(c_char_p)), ("method_count", c_int), ("refine", c_int), ("accuracy", c_double),
                ("statics", c_int), ("progress", Before), ("context", c_void_p), ("budget", c_double)]


c.prototype("withy_compare", c_int, [POINTER(CompareSetup), POINTER(POINTER(CComparison)), POINTER(c.CError)])
c.prototype("withy_comparison_free", None, [POINTER(CComparison)])
c.prototype("withy_compare_name", c_char_p, [c_int])
c.prototype("withy_scene_study", c_int, [c_void_p, c_char_p, c_void_p, c_void_p, POINTER(c.CError)])


class Compared:
    """One method of a comparison at its finest level.

    t, finish, middle, force, moment    where recorded: (times,), (times, 3) [m] [m] [N] [N m]
    error                               error bars by name: (times,); infinite: not known
    n, dt, order, used                  resolution, observed order, processor time [s]
    """

    def __init__(self, of: CompareMethod):
        run = of.run[of.levels - 1]
        count = run.count
        self.name, self.levels, self.known, self.order = c.text(of.name), of.levels, bool(of.known), of.order
        self.n, self.dt, self.used = run.n, run.dt, run.used
        self.t = np.array(run.t[:count])
        self.error: dict[str, Array] = {}
        self._values: dict[str, Array] = {}
        for i in range(WHAT):
            name = c.text(c.lib.withy_compare_name(i))
            if run.have >> i & 1:
                self._values[name] = np.array(run.at[i][:3 * count]).reshape(count, 3)
                self.error[name] = np.array(of.error[i][:count]) if of.error[i] else np.full(count, np.inf)

    def __getattr__(self, name: str) -> Array:
        if name.startswith("_") or name not in self._values:
            raise AttributeError(name)
        return self._values[name]

    def __repr__(self) -> str:
        bars = ", ".join(f"{name} +- {bar.max():.2g}" for name, bar in self.error.items())
        return f"<{self.name}: n = {self.n}, {bars}>"


class Pair(NamedTuple):
    """Two methods where they are worst in one observable: distance and the sum of their error bars."""
    a: str
    b: str
    what: str
    t: float
    distance: float
    allowed: float
    known: bool
    agree: bool


class Comparison:
    """methods by name, refused with their reasons, pairs; agree: all pairs agree within error bars that are known."""

    def __init__(self, of: CComparison):
        self.methods = {one.name: one for one in (Compared(of.method[i]) for i in range(of.count))}
        self.refused = {c.text(of.refused[i].name): c.text(of.refused[i].skipped) for i in range(of.refused_count)}
        names = list(self.methods)
        self.pairs = [Pair(names[p.a], names[p.b], c.text(c.lib.withy_compare_name(p.what)), p.t, p.distance, p.allowed, bool(p.known),
                           bool(p.agree)) for p in (of.pair[i] for i in range(of.pair_count))]
        self.disagreements, self.travel = of.disagreements, of.travel

    @property
    def agree(self) -> bool:
        """All pairs, within bars that are known."""
        return bool(self.pairs) and not self.disagreements

    def __repr__(self) -> str:
        return f"<withy.Comparison of {', '.join(self.methods)}: {self.disagreements} of {len(self.pairs)} pairs do not agree or are not known>"


def compare(scene: Any, methods: Optional[Sequence[str]], *, static: bool, accuracy: float, refine: int, budget: float) -> Comparison:
    """See Scene.compare."""
    from .scene import _interruptible, _texts

    flag, err, out, code = c_int(0), c.CError(), POINTER(CComparison)(), [c.OK]
    keep: dict[Optional[bytes], tuple[Any, Any]] = {}

    def study(_context: Any, method: Optional[bytes], to: Any, err: Any) -> int:
        try:  # each method has a scene and options of its own
            if method not in keep:
                keep[method] = scene._copy(), (Option * 64)()
        except c.Error as failure:
            err[0].code, err[0].text = c.BAD_INPUT, str(failure).encode()[:1000]
            return c.BAD_INPUT
        copy, options = keep[method]
        return int(c.lib.withy_scene_study(copy._pointer, method, options, to, err))

    setup = CompareSetup(study=Study(study), refine=refine, accuracy=accuracy, statics=int(static), budget=budget,
                         progress=Before(lambda _context, method, level, stiffer: flag.value))
    if methods:
        setup.method, setup.method_count = _texts(methods), len(methods)

    def work() -> None:
        code[0] = c.lib.withy_compare(byref(setup), byref(out), byref(err))

    with scene._alone():
        _interruptible(work, flag)
    if code[0]:
        raise next((copy._failure(code[0], err) for copy, _ in keep.values() if copy._raised), scene._failure(code[0], err))
    try:
        return Comparison(out.contents)
    finally:
        c.lib.withy_comparison_free(out)


__all__ = ["Comparison", "Fit", "Pair", "Slope"]
