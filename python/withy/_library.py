"""The C library through ctypes: loading, prototypes, errors, and arrays that share its memory.

Nothing is computed here; every function of the package ends in one of these calls.
"""
from __future__ import annotations

import ctypes
import os
import pathlib
import re
from ctypes import POINTER, Structure, byref, c_char, c_char_p, c_double, c_int, c_int64, c_size_t, c_uint64, c_void_p
from typing import Any, Callable, Optional

import numpy as np

Array = np.ndarray[Any, np.dtype[Any]]
HERE = pathlib.Path(__file__).resolve().parent


def _load() -> ctypes.CDLL:
    """$WITHY_LIBRARY, else the library inside the package, of the source tree, or of the system."""
    tree = HERE.parent.parent / "build" / "libwithy.so"
    given = os.environ.get("WITHY_LIBRARY")
    places = [given] if given else [str(HERE / "libwithy.so"), str(tree)]
    path = os.environ.get("LD_LIBRARY_PATH")
    if not given and (not path or all(os.path.isabs(folder) for folder in re.split("[:;]", path))):
        places.append("libwithy.so.0.2")  # else the loader would look for it in the current folder
    reasons = []
    for place in places:
        try:
            return ctypes.CDLL(place)
        except OSError as reason:
            reasons.append(str(reason))
    raise ImportError("withy: the library libwithy.so is not found (make python builds it): " + "; ".join(reasons))


lib = _load()

# ---- structures: as in include/withy, compared with the headers by the tests ---------------------------

OK, BAD_INPUT, UNSUPPORTED, NO_CONVERGENCE, NO_MEMORY, IO, INTERRUPTED, MISSING = range(8)
STUDY, ROD, BODY, JOINT, PROBE, LEDGER, OBSTACLE = range(7)
RUN, STATIC, MODES = range(3)
SIX = (1 << 20) + 6  # WITHY_UP_TO + 6: six modes, or as many as there are


class CError(Structure):
    _fields_ = [("code", c_int), ("line", c_int), ("path", c_char * 256), ("text", c_char * 1024)]


class CNotes(Structure):
    _fields_ = [("text", c_char * 2048), ("data", c_char * 2048)]


class Table(Structure):
    _fields_ = [("name", c_char_p), ("unit", c_char_p), ("value", c_void_p), ("rows", c_int64), ("stations", c_int), ("size", c_int)]


HostCall = ctypes.CFUNCTYPE(c_int, c_void_p, c_int, POINTER(c_double), c_int, POINTER(c_double), POINTER(c_int), POINTER(CError))


class Host(Structure):
    _fields_ = [("call", HostCall), ("context", c_void_p)]


class RunSetup(Structure):
    _fields_ = [("method", c_char_p), ("output", POINTER(c_char_p)), ("output_count", c_int), ("progress", c_void_p),
                ("context", c_void_p), ("error", c_int), ("branch", c_int), ("record", c_void_p), ("checkpoint", c_double),
                ("resume", c_char_p), ("sample", c_void_p), ("sample_context", c_void_p)]


class Stats(Structure):
    """What a simulation has done so far (withy_stats in withy/sim.h)."""
    _fields_ = [("steps", c_int64), ("iterations", c_int64), ("halvings", c_int64), ("iterations_max", c_int), ("conserves", c_int),
                ("energy_start", c_double), ("energy_end", c_double), ("energy_drift", c_double), ("constraint_max", c_double),
                ("energy_off", c_double), ("energy_scale", c_double), ("energy_floor", c_double), ("energy_bound", c_double),
                ("accounted", c_int64)]

    def __repr__(self) -> str:
        return "Stats(" + ", ".join(f"{name}={getattr(self, name)}" for name, _ in self._fields_) + ")"


_PROTOTYPES: dict[str, tuple[Any, list[Any]]] = {
    "withy_version": (c_char_p, []),
    "withy_record_create": (c_void_p, []),
    "withy_record_destroy": (None, [c_void_p]),
    "withy_record_count": (c_int, [c_void_p, c_int]),
    "withy_record_name": (c_char_p, [c_void_p, c_int, c_int]),
    "withy_record_table": (c_int, [c_void_p, c_int, c_int, c_int, POINTER(Table)]),
    "withy_record_text": (c_char_p, [c_void_p, c_char_p]),
    "withy_record_read": (c_int, [c_void_p, c_char_p, POINTER(CError)]),
    "withy_scene_read": (c_int, [c_char_p, POINTER(c_char_p), c_int, POINTER(c_void_p), POINTER(CError)]),
    "withy_scene_read_host": (c_int, [c_char_p, c_size_t, c_char_p, POINTER(c_char_p), c_int, POINTER(Host), POINTER(c_void_p),
                                      POINTER(CError)]),
    "withy_scene_text": (c_char_p, [c_void_p]),
    "withy_scene_method": (c_char_p, [c_void_p]),
    "withy_scene_constructor": (c_char_p, [c_int]),
    "withy_scene_solve": (c_int, [c_void_p, c_int, c_int, POINTER(RunSetup), POINTER(CError)]),
    "withy_scene_sim": (c_int, [c_void_p, c_char_p, POINTER(c_void_p), POINTER(CError)]),
    "withy_scene_destroy": (None, [c_void_p]),
    "withy_check": (c_int, [c_void_p, c_char_p, POINTER(CError)]),
    "withy_sim_advance": (c_int, [c_void_p, c_double, POINTER(CError)]),
    "withy_sim_time": (c_double, [c_void_p]),
    "withy_sim_at_rest": (c_int, [c_void_p]),
    "withy_sim_step": (c_double, [c_void_p]),
    "withy_sim_method": (c_char_p, [c_void_p]),
    "withy_sim_notes": (POINTER(CNotes), [c_void_p]),
    "withy_status_name": (c_char_p, [c_int]),
    "withy_sim_stats": (Stats, [c_void_p]),
    "withy_sim_count": (c_int, [c_void_p, c_int]),
    "withy_sim_name": (c_char_p, [c_void_p, c_int, c_int]),
    "withy_sim_table": (c_int, [c_void_p, c_int, c_int, c_int, POINTER(Table)]),
    "withy_sim_input": (c_int, [c_void_p, c_char_p, c_double, POINTER(CError)]),
    "withy_sim_input_get": (c_int, [c_void_p, c_char_p, POINTER(c_double), POINTER(CError)]),
    "withy_sim_input_name": (c_char_p, [c_void_p, c_int]),
    "withy_sim_save_size": (c_size_t, [c_void_p]),
    "withy_sim_save": (c_int, [c_void_p, c_void_p, c_size_t, POINTER(CError)]),
    "withy_sim_restore": (c_int, [c_void_p, c_void_p, c_size_t, POINTER(CError)]),
    "withy_sim_hash": (c_uint64, [c_void_p]),
    "withy_sim_fork": (c_int, [c_void_p, POINTER(c_void_p), POINTER(CError)]),
    "withy_sim_destroy": (None, [c_void_p]),
}


def prototype(name: str, result: Any, arguments: list[Any]) -> None:
    function = getattr(lib, name)
    function.restype, function.argtypes = result, arguments


for _name, (_result, _arguments) in _PROTOTYPES.items():
    prototype(_name, _result, _arguments)

PROGRESS_FLAG = ctypes.cast(lib.withy_progress_flag, c_void_p).value


def text(value: Optional[bytes]) -> str:
    return value.decode("utf-8", "replace") if value else ""


def name_of(method: Optional[str]) -> Optional[bytes]:
    """Of a method, for C; None: that of the scene."""
    if method is not None and not isinstance(method, str):
        raise TypeError(f"method: a method is named by a text, not {type(method).__name__}")
    return method.encode() if method else None


# ---- errors ----------------------------------------------------------------------------------------------

class Error(Exception):
    """One message: where, what, what is allowed, what to do.

    path: the key of the scene that it is about ("rods[1].ends.start.tangent"), or "".
    line: that of the key in the scene file, or 0.
    status: the kind of failure, a name such as "bad_input" or "no_convergence".
    """

    def __init__(self, message: str, path: str = "", line: int = 0, status: str = ""):
        super().__init__(message)
        self.path, self.line, self.status = path, line, status

    def __reduce__(self) -> Any:
        return type(self), (self.args[0], self.path, self.line, self.status)


class InputError(Error, ValueError):
    """The scene, an option or an argument is not valid."""


class MethodError(Error, ValueError):
    """The method cannot express this scene."""


class NumericalError(Error, ArithmeticError):
    """The numerical solution failed; what was found until then is in the result, if there is one."""


_CLASSES: dict[int, type[Error]] = {BAD_INPUT: InputError, UNSUPPORTED: MethodError, NO_CONVERGENCE: NumericalError}
PYTHON = "Scene"  # the name of a scene without a file, in messages of the library


def failure(code: int, err: CError) -> Error:
    message, line = text(err.text), int(err.line)
    if code == NO_MEMORY:
        raise MemoryError(message)
    for place in (f"{PYTHON}:{line}: ", f"{PYTHON}: "):
        if message.startswith(place):  # lines of the text that we wrote mean nothing to the reader
            message, line = message[len(place):], 0
    return _CLASSES.get(code, Error)(message, text(err.path), line, text(lib.withy_status_name(code)))


# ---- notes -----------------------------------------------------------------------------------------------

class Note:
    """What to know about a result: id ("step_fitted", see docs/notes.md), text, and values by name.  str(note) is the text."""

    __slots__ = ("id", "text", "values")

    def __init__(self, id: str, text: str, values: dict[str, "float | str"]):
        self.id, self.text, self.values = id, text, values

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Note({self.id!r}, {self.text!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Note) and (self.id, self.text, self.values) == (other.id, other.text, other.values)

    def __reduce__(self) -> Any:
        return Note, (self.id, self.text, self.values)


def notes_of(messages: str, data: str) -> list[Note]:
    """Of withy_notes: a line of text and one of data for each."""
    notes = []
    for message, line in zip(messages.splitlines(), data.splitlines()):
        id, *values = line.split("\t")
        pairs = (value.partition("=") for value in values)
        notes.append(Note(id, message, {name: value[1:] if value.startswith("'") else float(value) for name, _, value in pairs}))
    return notes


def notes(of: CNotes) -> list[Note]:
    return notes_of(text(of.text), text(of.data))


# ---- arrays ----------------------------------------------------------------------------------------------

def array(table: Table, owner: Any) -> Array:
    """The numbers of a table where they are; the array keeps their owner alive, and is read-only."""
    shape: list[int] = [table.rows]
    if table.stations > 1 or table.name in (b"s", b"position", b"frame"):
        shape.append(table.stations)
    shape.append(table.size)
    if table.size == 1:
        shape.pop()
    count = table.rows * table.stations * table.size
    if not table.value or not count:
        return np.zeros(shape)
    memory = (c_double * count).from_address(table.value)
    memory.owner = owner
    view = np.frombuffer(memory, dtype=np.float64).reshape(shape)
    view.flags.writeable = False
    return view


__all__ = ["lib", "byref", "c_void_p", "c_double", "c_int", "c_char_p"]
