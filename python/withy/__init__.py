"""withy: slender elastic rods from Python.

    import withy
    result = withy.load("falling_rod").run()
    print(result.rod["position"][-1, -1])       # where the free end was at last [m]

Scene, load, loads    a scene written in Python, of a file, of a text
Scene.run, .static, .modes -> Result, whose arrays share the memory of the library
Scene.sweep -> Sweep  many members of one scene, by threads
Scene.fit -> Fit, Scene.compare -> Comparison
Scene.sim -> Sim, stepped from Python
read                  a result file
circle, clamped, ...  the constructors of the scene language (docs/scene.md)
Env, VectorEnv        reset and step, for learning
Ensemble, EnsembleEnv thousands of rods that step together
Error                 every failure: one message, .path, .line and .status
"""
from __future__ import annotations

import difflib
from typing import Any, Callable

from . import _library
from ._library import Error, InputError, MethodError, Note, NumericalError
from ._text import Constructed
from .adjoint import Gradient
from .ensemble import Action, Ensemble, EnsembleEnv
from .env import Box, Env, VectorEnv
from .fit import Comparison, Fit, Slope
from .linear import Linear
from .minimise import Minimum
from .result import Part, Parts, Result, read
from .scene import Scene, State, load, loads
from .sim import Equilibrium, Sim
from .sweep import Sweep

__version__ = _library.text(_library.lib.withy_version())


def _constructors() -> list[str]:
    names: list[str] = []
    while (name := _library.lib.withy_scene_constructor(len(names))) is not None:
        names.append(_library.text(name))
    return names


constructors = _constructors()


def __getattr__(name: str) -> Callable[..., Constructed]:
    """A constructor of the scene language."""
    if name not in constructors:
        near = difflib.get_close_matches(name, [*constructors, *__all__], 1)
        raise AttributeError(f"module 'withy' has no {name!r}" + (f"; did you mean {near[0]!r}?" if near else ""))

    def construct(*items: Any, **value: Any) -> Constructed:
        return Constructed(name, items, value)

    construct.__name__ = construct.__qualname__ = name
    construct.__doc__ = f"{name} {{ ... }} of the scene language, see docs/scene.md"
    globals()[name] = construct
    return construct


def __dir__() -> list[str]:
    return sorted({*globals(), *constructors})


__all__ = ["Action", "Box", "Comparison", "Constructed", "Ensemble", "EnsembleEnv", "Env", "Equilibrium", "Error", "Fit", "Gradient", "InputError", "Linear", "MethodError", "Minimum", "Note", "NumericalError", "Part", "Parts", "Result", "Scene", "Sim", "Slope", "State", "Sweep",
           "VectorEnv", "constructors", "load", "loads", "read"]
