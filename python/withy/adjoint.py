"""One number by many parameters: derivatives backwards (withy/gradient.h)."""
from __future__ import annotations

import ctypes
from ctypes import POINTER, Structure, byref, c_char_p, c_double, c_int, c_void_p
from typing import Any, Callable, Iterable, Mapping, NamedTuple, Optional, Sequence, Union

import numpy as np

from . import _library as c
from ._library import Array
from .fit import Variation, variations

Objective = Callable[[Array], tuple[float, Any]]
Place = Union[tuple[float, float], tuple[float, float, int]]  # t, s and which rod


class Observation(Structure):
    _fields_ = [("t", c_double), ("s", c_double), ("rod", c_int)]


class FieldSlope(Structure):
    _fields_ = [("s", c_double), ("length", c_double), ("stiffness", c_double * 6), ("damping", c_double * 6), ("rest", c_double * 6)]


class NodeSlope(Structure):
    _fields_ = [("s", c_double), ("mass", c_double), ("force", c_double * 3), ("position", c_double * 3), ("turn", c_double * 3),
                ("velocity", c_double * 3), ("spin", c_double * 3)]


class CSensitivity(Structure):
    _fields_ = [("points", c_int), ("nodes", c_int), ("point", POINTER(FieldSlope)), ("node", POINTER(NodeSlope)), ("fault", c_double)]


Call = ctypes.CFUNCTYPE(c_int, c_void_p, c_int, POINTER(c_double), POINTER(c_double), POINTER(c_double), POINTER(c.CError))

c.prototype("withy_adjoint_create", c_int, [c_void_p, c_char_p, c_void_p, c_int, POINTER(Variation), c_int, POINTER(c_void_p),
                                            POINTER(c.CError)])
c.prototype("withy_sim_adjoint", c_int, [c_void_p, POINTER(Observation), c_int, Call, c_void_p, POINTER(c_double), POINTER(c_double),
                                         POINTER(c.CError)])
c.prototype("withy_sim_sensitivity", c_int, [c_void_p, POINTER(CSensitivity), POINTER(c.CError)])


class Gradient(NamedTuple):
    """J and its derivatives, each per unit of what it is by.

    value      J
    by         of the parameters, by name
    sections   of stretches of the rod: s, length (stretches,); stiffness, damping, rest (stretches, 6), in the order shear1, shear2,
               stretch, bend1, bend2, twist
    nodes      s, mass (nodes,); force, position, turn, velocity, spin (nodes, 3): by a constant force on the node, and by how it starts
    fault      beyond 1e-6 digits were lost
    """
    value: float
    by: dict[str, float]
    sections: dict[str, Array]
    nodes: dict[str, Array]
    fault: float


def _columns(items: Any, count: int, kind: type[Structure]) -> dict[str, Array]:
    rows = [items[i] for i in range(count)]
    return {name: np.array([getattr(row, name) if of is c_double else list(getattr(row, name)) for row in rows])
            for name, of, *_ in kind._fields_}


def _objective(call: Objective, raised: list[BaseException]) -> Any:
    def work(_context: Any, count: int, position: Any, value: Any, slope: Any, err: Any) -> int:
        try:
            found, by = call(np.array(position[:3 * count]).reshape(count, 3))
            numbers = np.asarray(by, dtype=float).reshape(3 * count)
            value[0] = float(found)
            for i, number in enumerate(numbers.tolist()):
                slope[i] = number
            return c.OK
        except BaseException as reason:  # it must not cross the C code
            raised.append(reason)
            err[0].code, err[0].text = c.BAD_INPUT, f"the objective: {type(reason).__name__}: {reason}".encode()[:1000]
            return c.BAD_INPUT

    return Call(work)


def gradient(scene: Any, objective: Objective, at: Sequence[Place], by: Union[Mapping[str, float], Iterable[str]],
             static: bool, method: Optional[str]) -> Gradient:
    """See Scene.gradient."""
    values, base, keep, array = variations(scene, by)
    out, err, count = c_void_p(), c.CError(), c_int()
    options, called = c.lib.withy_scene_options(base._pointer, byref(count)), method or base.method or None
    code = c.lib.withy_adjoint_create(c.lib.withy_scene_problem(base._pointer), c.name_of(called), options, count, array,
                                      len(values), byref(out), byref(err))
    if code:
        raise base._failure(code, err)
    from .sim import Sim

    assert out.value
    sim = Sim(base, out.value, list(values), keep)
    if static:
        sim.rest()
    raised: list[BaseException] = []
    places = (Observation * len(at))(*(Observation(*place) for place in at))
    value, slopes, found = c_double(), (c_double * max(1, len(values)))(), CSensitivity()
    try:
        sim._call(c.lib.withy_sim_adjoint, places, len(at), _objective(objective, raised), None, byref(value), slopes, sim._err_at)
    except c.Error as failure:
        if raised and isinstance(raised[0], (KeyboardInterrupt, SystemExit)):
            raise raised[0]
        raise failure from (raised[0] if raised else failure.__cause__)
    sim._call(c.lib.withy_sim_sensitivity, byref(found), sim._err_at)
    return Gradient(value.value, dict(zip(values, slopes)), _columns(found.point, found.points, FieldSlope),
                    _columns(found.node, found.nodes, NodeSlope), found.fault)


__all__ = ["Gradient"]
