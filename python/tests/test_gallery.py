"""Cases written in Python give the numbers of their scene files, bit for bit."""
import pathlib
import sys

import numpy as np
import pytest

import withy

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "examples"))
from gallery import SCENES  # noqa: E402

SHORTER = {"falling_rod": {"time.stop": 5}, "rotating_clamp": {"time.stop": 1}, "tendon_robot": {"time.stop": 0.1},
           "satellite": {"time.stop": 0.4}}


@pytest.mark.parametrize("make", SCENES, ids=lambda f: f.__name__)
def test_a_case_in_python_is_the_case(make):
    shorter = SHORTER.get(make.__name__, {})
    ours, theirs = make().set(**shorter), withy.load(make.__name__, set=shorter)
    solve = "static" if make.__name__ == "michell_ring" else "run"
    a, b = getattr(ours, solve)(), getattr(theirs, solve)()
    assert (a.status, a.title, a.method) == (b.status, b.title, b.method) and np.array_equal(a.t, b.t)
    for x, y in zip([*a.rods._parts, *a.bodies._parts, *a.probes._parts], [*b.rods._parts, *b.bodies._parts, *b.probes._parts]):
        for key in x:
            assert np.array_equal(x[key], y[key]), (x.name, key)
