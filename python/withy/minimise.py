"""Design: parameters for which a number is least, within bounds and under constraints (withy/minimise.h)."""
from __future__ import annotations

from ctypes import POINTER, Structure, byref, c_char, c_char_p, c_double, c_int, c_size_t
from typing import Any, Iterable, Optional, Sequence, Union

from . import _library as c
from .fit import MOST, Best, CFree, Free, Read, Stop, _free, _table

NUMBERS = 24


class SceneMinimise(Structure):
    _fields_ = [("size", c_size_t), ("read", Read), ("stop", Stop), ("context", c.c_void_p), ("method", c_char_p), ("objective", c_char_p),
                ("subject", POINTER(c_char_p)), ("subject_count", c_int), ("free", POINTER(CFree)), ("count", c_int), ("target", c_char_p),
                ("target_size", c_size_t), ("target_name", c_char_p), ("run", c_int), ("differences", c_int), ("threads", c_int), ("most", c_int), ("best", Best),
                ("resume", c_char_p), ("derive", c_int)]


class CMinimum(Structure):
    _fields_ = [("count", c_int), ("p", c_double * MOST), ("bound", c_int * MOST), ("value", c_double), ("first", c_double),
                ("violation", c_double), ("runs", c_int), ("slopes", c_int), ("converged", c_int), ("numbers", c_int),
                ("name", c_char * 128 * NUMBERS), ("number", c_double * NUMBERS), ("number_first", c_double * NUMBERS), ("exact", c_int),
                ("negative", c_int), ("notes", c.CNotes), ("readings", c_int), ("slope", c_double * MOST), ("slope_error", c_double * MOST)]


c.prototype("withy_scene_minimise_default", SceneMinimise, [])
c.prototype("withy_minimise_scene", c_int, [POINTER(SceneMinimise), POINTER(CMinimum), POINTER(c.CError)])


class Minimum:
    """The design that was found.

    objective, first        the number at the minimum, and where the search started
    value, bound       the parameters by name; bound -1, 1: on the lower or upper bound, 0: inside
    numbers            what occurs in the expressions, at the minimum; numbers_first: at the start
    violation          of the constraints, the largest
    converged, runs    False: see the notes
    scene              with these parameters
    notes              objects with .id, .text, .values
    """

    def __init__(self, names: list[str], of: CMinimum, scene: Any):
        labels = [c.text(bytes(of.name[i]).split(b"\0")[0]) for i in range(of.numbers)]
        self.objective, self.first, self.violation = of.value, of.first, of.violation
        self.value, self.bound = dict(zip(names, of.p)), dict(zip(names, of.bound))
        self.numbers, self.numbers_first = dict(zip(labels, of.number)), dict(zip(labels, of.number_first))
        self.converged, self.runs, self.exact, self.unstable = bool(of.converged), of.runs, bool(of.exact), of.negative
        self.notes = c.notes(of.notes)
        self.scene = scene

    def __repr__(self) -> str:
        return f"<withy.Minimum: {self.objective:.7g}, at first {self.first:.7g}; " + ", ".join(f"{n} = {v:.6g}" for n, v in self.value.items()) + ">"


def minimise(scene: Any, objective: str, free: Union[Free, Iterable[str]], subject: Sequence[str], target: Any, run: bool, method: Optional[str],
             differences: bool, threads: int, most: int) -> Minimum:
    """See Scene.minimise."""
    from .scene import _interruptible, _texts

    names, array = _free(scene, free)
    table, name = _table(target) if target is not None else (None, "")
    flag, err, found, code = c_int(0), c.CError(), CMinimum(), [c.OK]

    def read(_context: Any, override: Any, count: int, out: Any, err: Any) -> int:
        return int(scene._read_into([*scene._set, *(c.text(override[i]) for i in range(count))], out, err))

    setup: SceneMinimise = c.lib.withy_scene_minimise_default()
    setup.read, setup.stop = Read(read), Stop(lambda _context: flag.value)
    setup.method, setup.objective = c.name_of(method), objective.encode()
    setup.subject, setup.subject_count = _texts(subject), len(subject)
    setup.free, setup.count = array, len(names)
    if table is not None:
        setup.target, setup.target_size, setup.target_name = table, len(table), name.encode()
    setup.run, setup.differences, setup.threads, setup.most = int(run), int(differences), threads, most

    def work() -> None:
        code[0] = c.lib.withy_minimise_scene(byref(setup), byref(found), byref(err))

    with scene._alone():
        _interruptible(work, flag)
    if code[0]:
        raise scene._failure(code[0], err)
    return Minimum(names, found, scene.set(**dict(zip(names, found.p))))


__all__ = ["Minimum"]
