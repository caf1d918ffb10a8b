"""Python values as the text of a scene.

A scene is a table of numbers, words, tables, constructors such as circle { diameter = 1e-3 }, and functions.  Functions of Python
stay in Python: the text calls them by number, function(s, t) return host(3, s, t) end.
"""
from __future__ import annotations

import inspect
import re
from typing import Any, Callable, Mapping, Sequence

import numpy as np

_NAME = re.compile(r"[A-Za-z_][A-Za-z_0-9]*\Z")
_WORDS = set("and break do else elseif end false for function goto if in local nil not or repeat return then true until while".split())


class Constructed:
    """What a constructor of the scene language makes, such as circle(diameter=1e-3)."""

    __slots__ = ("name", "items", "value")

    def __init__(self, name: str, items: Sequence[Any], value: Mapping[str, Any]):
        self.name, self.items, self.value = name, tuple(items), dict(value)

    def __repr__(self) -> str:
        inside = [repr(v) for v in self.items] + [f"{k}={v!r}" for k, v in self.value.items()]
        return f"{self.name}({', '.join(inside)})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Constructed) and self.__reduce__() == other.__reduce__()

    def __reduce__(self) -> Any:
        return Constructed, (self.name, self.items, self.value)


def _number(value: float) -> str:
    if value != value:
        return "0/0"
    if value in (float("inf"), float("-inf")):
        return "1/0" if value > 0 else "-1/0"
    return repr(value)


def _quoted(value: str) -> str:
    escape = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\0": "\\0"}
    return '"' + "".join(escape.get(c, c) for c in value) + '"'


def _count(function: Callable[..., Any]) -> int:
    """How many of s, t, state it takes."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):  # one that is written in C
        return 1
    fixed = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD) and p.default is p.empty]
    return len(fixed)


def _key(name: Any) -> str:
    if isinstance(name, (int, np.integer)):
        return f"[{int(name)}]"
    word = str(name)
    return word if _NAME.match(word) and word not in _WORDS else f"[{_quoted(word)}]"


def write(value: Any, functions: list[Callable[..., Any]], depth: int = 0) -> str:
    """The text of a value; its functions are appended to the list."""
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    if isinstance(value, (float, np.floating)):
        return _number(float(value))
    if isinstance(value, str):
        return _quoted(value)
    if value is None:
        return "nil"
    if isinstance(value, Constructed) and len(value.items) == 1 and not value.value:
        return f"{value.name}({write(value.items[0], functions, depth)})"
    if isinstance(value, Constructed):
        return f"{value.name} {write({**dict(enumerate(value.items, 1)), **value.value}, functions, depth)}"
    if isinstance(value, Mapping):
        inside = [f"{_key(k)} = {write(v, functions, depth + 1)}" for k, v in value.items()]
        between = ",\n" + "  " * (depth + 1) if depth < 2 and len(inside) > 1 else ", "
        return "{ " + between.join(inside) + " }" if inside else "{}"
    if isinstance(value, np.ndarray):
        return write(value.tolist(), functions, depth)
    if isinstance(value, (list, tuple)):
        return "{ " + ", ".join(write(v, functions, depth + 1) for v in value) + " }" if value else "{}"
    if callable(value):
        functions.append(value)
        names = ", ".join(["s", "t", "state"][: max(1, min(3, _count(value)))])
        return f"function({names}) return host({len(functions)}, {names}) end"
    raise TypeError(f"a scene has no place for {type(value).__name__}: numbers, texts, lists, dicts, constructors and functions are allowed")
