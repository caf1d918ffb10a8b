"""Sweeps: many members of one scene, by threads, one row each."""
from __future__ import annotations

import ctypes
import os
import tempfile
from ctypes import POINTER, Structure, byref, c_char, c_char_p, c_double, c_int, c_int64, c_void_p
from typing import Any, Mapping, Optional, Sequence, Union

import numpy as np

from . import _library as c
from ._library import Array
from .result import Arrays

Range = Union[str, Sequence[float], Array]
Progress = ctypes.CFUNCTYPE(c_int, c_void_p, c_int64, c_int64, c_int64)
KINDS = {"run": 0, "static": 1, "modes": 2}


class Setup(Structure):
    _fields_ = [("scene", c_char_p), ("text", c_char_p), ("set", POINTER(c_char_p)), ("set_count", c_int), ("over", POINTER(c_char_p)),
                ("over_count", c_int), ("sample", c_char_p), ("requested", POINTER(c_char_p)), ("requested_count", c_int), ("kind", c_int),
                ("modes", c_int), ("method", c_char_p), ("output", c_char_p), ("results", c_char_p), ("resume", c_int), ("threads", c_int),
                ("progress", Progress), ("context", c_void_p), ("engine", c_char_p)]


class Report(Structure):
    _fields_ = [("total", c_int64), ("done", c_int64), ("failed", c_int64), ("before", c_int64), ("first", c_int64),
                ("message", c_char * 1024), ("elapsed", c_double), ("rank", c_int), ("ranks", c_int), ("engine", c_char * 300)]


class Column(Structure):
    _fields_ = [("name", c_char * 128), ("unit", c_char * 64), ("over", c_int), ("value", c_void_p)]


c.prototype("withy_sweep", c_int, [POINTER(Setup), POINTER(Report), POINTER(c.CError)])
c.prototype("withy_sweep_open", c_int, [c_char_p, POINTER(c_void_p), POINTER(c.CError)])
c.prototype("withy_sweep_close", None, [c_void_p])
c.prototype("withy_sweep_count", c_int64, [c_void_p])
c.prototype("withy_sweep_column_at", c_int, [c_void_p, c_int, POINTER(Column)])
c.prototype("withy_sweep_status", c_int, [c_void_p, c_int64, POINTER(c_char_p)])


class Sweep(Arrays):
    """The columns of a sweep by name, one number per member: first what was varied (.over), then what was recorded.

    Members that failed are not a number; sweep.failures has their messages by member.
    """

    def __init__(self, path: str):
        file, err, column, message = c_void_p(), c.CError(), Column(), c_char_p()
        code = c.lib.withy_sweep_open(os.fsencode(path), byref(file), byref(err))
        if code:
            raise c.failure(code, err)
        try:
            count = c.lib.withy_sweep_count(file)
            self._values = {}
            self.over: list[str] = []
            while c.lib.withy_sweep_column_at(file, len(self._values), byref(column)):
                name = c.text(column.name)
                self._values[name] = np.ctypeslib.as_array((c_double * count).from_address(column.value)).copy()
                self.over += [name] if column.over else []
            self.failures: dict[int, str] = {}
            for member in range(count):
                if c.lib.withy_sweep_status(file, member, byref(message)) > 0:
                    self.failures[member] = c.text(message.value)
            self.count = int(count)
        finally:
            c.lib.withy_sweep_close(file)

    def __repr__(self) -> str:
        return f"<withy.Sweep: {self.count} members over {', '.join(self.over)}; {', '.join(self)}; {len(self.failures)} failed>"


def _range(key: str, values: Range) -> str:
    if isinstance(values, str):
        return f"{key}={values}"
    return f"{key}=" + ",".join(repr(float(value)) for value in values)


def sweep(scene: Any, over: Mapping[str, Range], want: Sequence[str] = (), *, kind: str = "run", sample: Optional[str] = None,
          modes: int = 0, method: Optional[str] = None, output: Optional[str] = None, resume: bool = False, threads: int = 0,
          engine: Optional[str] = None) -> Sweep:
    """See Scene.sweep."""
    if scene._functions:
        raise c.InputError("a sweep reads its scene anew for each member: functions of Python cannot follow; write them in the language "
                           "of scene files, or loop over withy.Scene", "over")
    if kind not in KINDS:
        raise c.InputError(f"kind = {kind!r}: must be one of {', '.join(KINDS)}", "kind")
    texts = [scene._set, [_range(k, v) for k, v in over.items()], list(want)]
    lists = [(c_char_p * max(1, len(t)))(*(x.encode() for x in t)) for t in texts]
    flag = c_int(0)
    progress = Progress(lambda context, done, failed, total: flag.value)
    report, err = Report(), c.CError()
    with tempfile.TemporaryDirectory() as folder:
        path = os.fspath(output) if output else os.path.join(folder, "sweep.h5")
        name, text = (os.fsencode(scene._path), None) if scene._path is not None else (c.PYTHON.encode(), scene._text.encode())
        setup = Setup(name, text, lists[0], len(texts[0]), lists[1], len(texts[1]), sample.encode() if sample else None, lists[2],
                      len(texts[2]), KINDS[kind], modes, c.name_of(method), os.fsencode(path), None, int(resume), threads,
                      progress, None, engine.encode() if engine else None)
        code = [c.OK]

        def work() -> None:
            code[0] = c.lib.withy_sweep(byref(setup), byref(report), byref(err))

        from .scene import _interruptible

        _interruptible(work, flag)
        if code[0]:
            raise c.failure(code[0], err)
        return Sweep(path)
