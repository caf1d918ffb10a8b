"""Results: arrays that share the memory of the library."""
from __future__ import annotations

import ctypes
import html
import os
import shutil
import subprocess
import tempfile
from typing import Any, Callable, Iterator, Mapping, Optional

import numpy as np

from . import _library as c
from ._library import Array


class Record:
    """A withy_record, destroyed with its last array."""

    def __init__(self) -> None:
        self.pointer = c.lib.withy_record_create()
        if not self.pointer:
            raise MemoryError("withy: no memory for a result")

    def __del__(self, destroy: Any = c.lib.withy_record_destroy) -> None:
        if getattr(self, "pointer", None):
            destroy(self.pointer)
            self.pointer = None


class Arrays(Mapping[str, Array]):
    """Arrays by name; the error of a wrong name lists those that exist."""

    _values: dict[str, Array]

    def __getitem__(self, key: str) -> Array:
        try:
            return self._values[key][()]  # of a simulation, one number is a view too: it is copied now
        except KeyError:
            raise KeyError(f"{key!r}; there are {', '.join(self._values)}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)


class Part(Arrays):
    """A rod, a body, a joint or a probe: its arrays by name, part["position"] or part.position.

    Quantities of a rod have the shape (snapshots, stations, numbers), the others (snapshots, numbers); single numbers have no last axis.
    """

    def __init__(self, name: str, values: dict[str, Array], units: dict[str, str]):
        self.name, self._values, self.units = name, values, units

    def __getattr__(self, key: str) -> Array:
        if key.startswith("_"):
            raise AttributeError(key)
        try:
            return self._values[key][()]
        except KeyError:
            raise AttributeError(f"{key!r}; there are {', '.join(self._values)}") from None

    def __repr__(self) -> str:
        shapes = ", ".join(f"{k} {v.shape} [{self.units[k]}]" for k, v in self._values.items())
        return f"<{self.name or 'part'}: {shapes}>"

    def __reduce__(self) -> Any:
        return Part, (self.name, {k: np.array(v) for k, v in self._values.items()}, self.units)


def _part(record: Record, of: int, index: int) -> Part:
    table, values, units, number = c.Table(), {}, {}, 0
    while c.lib.withy_record_table(record.pointer, of, index, number, ctypes.byref(table)):
        name = c.text(table.name)
        values[name], units[name] = c.array(table, record), c.text(table.unit)
        if name == "s":
            values[name] = values[name][0]
        number += 1
    return Part(c.text(c.lib.withy_record_name(record.pointer, of, index)), values, units)


class Parts(Mapping[Any, Part]):
    """Parts by number or by name."""

    def __init__(self, parts: list[Part]):
        self._parts = parts

    def __getitem__(self, key: Any) -> Part:
        if isinstance(key, (int, np.integer)):
            return self._parts[key]
        for part in self._parts:
            if part.name == key:
                return part
        raise KeyError(f"{key!r}; there are {', '.join(p.name for p in self._parts)}")

    def __iter__(self) -> Iterator[Any]:
        return iter([p.name or i for i, p in enumerate(self._parts)])

    def __len__(self) -> int:
        return len(self._parts)

    def __repr__(self) -> str:
        return repr(self._parts)


Writer = Callable[[str], Any]  # solves the study again, with a result file


def _program() -> Optional[str]:
    """$WITHY_PROGRAM, else that of the package, of the source tree, or of the PATH."""
    given = os.environ.get("WITHY_PROGRAM")
    if given:
        return given
    for place in (c.HERE / "bin" / "withy", c.HERE.parent.parent / "build" / "withy"):
        if place.is_file():
            return str(place)
    absolute = [folder for folder in os.environ.get("PATH", "").split(os.pathsep) if os.path.isabs(folder)]
    return shutil.which("withy", path=os.pathsep.join(absolute))  # never that of the current folder


class Result:
    """What a run, a path of equilibria or a set of modes has given; every array is read-only and shares the library's memory.

    t        times [s]; of static() the load factors, of modes() the frequencies [Hz]
    rods     by number or name; rod is the first: result.rod["position"][-1, -1] is where its end was last
    bodies, joints, obstacles, probes    by number or name
    ledgers  of the rods: energies, momenta, reactions; ledger is that of the first
    method, status, title, scene    texts
    notes                           objects with .id, .text, .values (docs/notes.md)
    """

    def __init__(self, record: Optional[Record] = None, parts: Optional[dict[str, Any]] = None, write: Optional[Writer] = None):
        self._write = write
        if parts is not None:
            self.__dict__.update(parts)
            return
        assert record is not None
        lists = {name: Parts([_part(record, of, i) for i in range(c.lib.withy_record_count(record.pointer, of))])
                 for name, of in (("rods", c.ROD), ("bodies", c.BODY), ("joints", c.JOINT), ("probes", c.PROBE), ("ledgers", c.LEDGER),
                                  ("obstacles", c.OBSTACLE))}
        self.rods: Parts = lists["rods"]
        self.bodies: Parts = lists["bodies"]
        self.joints: Parts = lists["joints"]
        self.obstacles: Parts = lists["obstacles"]
        self.probes: Parts = lists["probes"]
        self.ledgers: Parts = lists["ledgers"]
        self.t: Array = _part(record, c.STUDY, 0)["t"]
        words = {name: c.text(c.lib.withy_record_text(record.pointer, name.encode()))
                 for name in ("method", "status", "title", "scene", "notes", "note_data", "axis")}
        self.method, self.status, self.title = words["method"], words["status"], words["title"]
        self.scene, self.axis = words["scene"], words["axis"]
        self.notes = c.notes_of(words["notes"], words["note_data"])

    @property
    def rod(self) -> Part:
        """The first."""
        return self.rods[0]

    @property
    def ledger(self) -> Part:
        """The first."""
        return self.ledgers[0]

    @property
    def frequency(self) -> Array:
        """Of modes(): [Hz]."""
        if not self.axis.startswith("frequency"):
            raise AttributeError(f"frequency: this result is over {self.axis}")
        return self.t

    @property
    def factor(self) -> Array:
        """Of static(): the load factors."""
        if self.axis != "load factor":
            raise AttributeError(f"factor: this result is over {self.axis}")
        return self.t

    def __reduce__(self) -> Any:
        copy = dict(self.__dict__, t=np.array(self.t), _write=None)
        return Result, (None, copy)

    def __repr__(self) -> str:
        return (f"<withy.Result {self.title!r} by {self.method}: {len(self.t)} snapshots over {self.axis}, {len(self.rods)} rods, "
                f"{len(self.bodies)} bodies, {len(self.joints)} joints, {len(self.probes)} probes; {self.status}>")

    def to_hdf5(self, path: "str | os.PathLike[str]") -> None:
        """Write the result file (.h5; also .csv, .pvd): the study is solved once more, which gives the same numbers, bit for bit."""
        if self._write is None:
            raise c.InputError("this result was read or unpickled: its study is not here to be solved again", "to_hdf5")
        self._write(os.fspath(path))

    def html(self) -> str:
        """A page with the 3-D replay (withy view), complete in itself."""
        program = _program()
        if program is None:
            raise c.InputError("the program withy is not found; put it into PATH, or name it by WITHY_PROGRAM", "html")
        with tempfile.TemporaryDirectory() as folder:
            result, page = os.path.join(folder, "result.h5"), os.path.join(folder, "page.html")
            self.to_hdf5(result)
            done = subprocess.run([program, "view", result, "-o", page], capture_output=True, text=True)
            if done.returncode:
                raise c.Error(done.stderr.strip().removeprefix("withy: "), "html")
            with open(page, encoding="utf-8") as file:
                return file.read()

    def _repr_html_(self) -> str:
        """In a notebook: the replay, or where it cannot be made, what there is in words."""
        try:
            page = html.escape(self.html(), quote=True)
        except c.Error:
            return html.escape(repr(self))
        return f'<iframe srcdoc="{page}" width="100%" height="520" style="border:0" sandbox="allow-scripts"></iframe>'

    def plot(self, axes: Any = None, rod: Any = None, plane: Optional[str] = None, count: int = 12) -> Any:
        """Draw `count` shapes with matplotlib; returns the axes.

        rod: number or name of one, None: all.  plane: "xz", two coordinates; None: the two in which they reach farthest.
        """
        if axes is None:
            import matplotlib.pyplot as plt  # type: ignore[import]

            axes = plt.gca()
        parts = [self.rods[rod]] if rod is not None else [self.rods[i] for i in range(len(self.rods))]
        if plane is None:
            everywhere = np.concatenate([part["position"].reshape(-1, 3) for part in parts])
            plane = "".join("xyz"[i] for i in sorted(np.argsort(np.ptp(everywhere, axis=0), kind="stable")[-2:]))
        if len(plane) != 2 or not set(plane) <= set("xyz"):
            raise c.InputError(f"plane = {plane!r}: two of x, y and z, such as 'xz'", "plane")
        x, y = ("xyz".index(letter) for letter in plane)
        shown = np.unique(np.linspace(0, len(self.t) - 1, count).astype(int))
        for k in shown:
            share = k / max(1, len(self.t) - 1)
            for part in parts:
                label = f"{self.t[k]:.3g}" if part is parts[0] else None
                axes.plot(part["position"][k, :, x], part["position"][k, :, y], color=(0.75 * (1 - share), 0.35 + 0.2 * share, 0.3 + 0.5 * share),
                          label=label)
        axes.set_xlabel(f"{plane[0]} [m]"), axes.set_ylabel(f"{plane[1]} [m]"), axes.set_aspect("equal", "datalim")
        axes.legend(title=self.axis, fontsize="small")
        return axes


def read(path: "str | os.PathLike[str]") -> Result:
    """A result from a file that withy wrote (.h5)."""
    record, err = Record(), c.CError()
    code = c.lib.withy_record_read(record.pointer, os.fsencode(path), ctypes.byref(err))
    if code:
        raise c.failure(code, err)
    return Result(record)
