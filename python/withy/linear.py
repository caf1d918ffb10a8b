"""Small motions about an equilibrium as a linear system."""
from __future__ import annotations

from ctypes import POINTER, Structure, byref, c_char_p, c_double, c_int, c_void_p
from dataclasses import dataclass
from typing import Any

import numpy as np

from . import _library as c
from ._library import Array


class CLinear(Structure):
    _fields_ = [("states", c_int), ("inputs", c_int), ("outputs", c_int), ("a", POINTER(c_double)), ("b", POINTER(c_double)),
                ("c", POINTER(c_double)), ("d", POINTER(c_double)), ("u0", POINTER(c_double)), ("y0", POINTER(c_double)),
                ("input_name", POINTER(c_char_p)), ("output_name", POINTER(c_char_p))]


c.prototype("withy_sim_linearise", c_int, [c_void_p, c_int, POINTER(POINTER(CLinear)), POINTER(c.CError)])
c.prototype("withy_linear_free", None, [POINTER(CLinear)])


@dataclass(frozen=True)
class Linear:
    """x' = A x + B (u - u0), y - y0 = C x + D (u - u0).

    The state x holds the amplitudes of the lowest undamped modes [kg^1/2 m] and then their rates, u are the named inputs of the
    simulation, y its probes (position, velocity, spin).  D is what the modes that are left out contribute at rest, so that
    .gain, the answer to a constant input, is that of the whole mesh.
    """
    A: Array
    B: Array
    C: Array
    D: Array
    u0: Array
    y0: Array
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]

    @property
    def gain(self) -> Array:
        """D - C A^-1 B: outputs per constant input, once all motion has ended."""
        return np.asarray(self.D - self.C @ np.linalg.solve(self.A, self.B))

    @property
    def poles(self) -> Array:
        """Eigenvalues of A [1/s]: those of the modes; a positive real part grows."""
        return np.asarray(np.linalg.eigvals(self.A))

    def discrete(self, dt: float) -> tuple[Array, Array]:
        """(A, B) from one step of dt [s] to the next, for inputs that are constant in between."""
        n, m = self.B.shape
        both = np.zeros((n + m, n + m))
        both[:n, :n], both[:n, n:] = self.A * dt, self.B * dt
        power = _exponential(both)
        return power[:n, :n], power[:n, n:]

    def __repr__(self) -> str:
        return f"<withy.Linear: {len(self.A)} states, inputs {', '.join(self.inputs)}; outputs {', '.join(self.outputs)}>"


def _exponential(a: Array) -> Array:
    """By scaling, Taylor's series and squaring."""
    halvings = max(0, int(np.ceil(np.log2(max(float(np.abs(a).sum(axis=1).max()), 1e-300)))) + 2)
    a = a / 2.0 ** halvings
    term = out = np.eye(len(a))
    for k in range(1, 18):
        term = term @ a / k
        out = out + term
    for _ in range(halvings):
        out = out @ out
    return np.asarray(out)


def linearise(sim: Any, modes: int) -> Linear:
    """See Sim.linearise."""
    at = POINTER(CLinear)()
    sim._call(c.lib.withy_sim_linearise, modes, byref(at), sim._err_at)
    try:
        lin = at.contents
        n, m, p = lin.states, lin.inputs, lin.outputs

        def copy(pointer: Any, *shape: int) -> Array:
            return np.array(pointer[:int(np.prod(shape))], dtype=float).reshape(shape)

        names = (tuple(c.text(lin.input_name[i]) for i in range(m)), tuple(c.text(lin.output_name[i]) for i in range(p)))
        return Linear(copy(lin.a, n, n), copy(lin.b, n, m), copy(lin.c, p, n), copy(lin.d, p, m), copy(lin.u0, m), copy(lin.y0, p), *names)
    finally:
        c.lib.withy_linear_free(at)


__all__ = ["Linear"]
