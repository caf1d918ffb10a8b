"""The examples of docs/pyelastica.md run, and their own assertions hold."""
import pathlib
import runpy
import sys

import pytest

FOLDER = pathlib.Path(__file__).parents[1] / "examples" / "pyelastica"


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.py")), ids=lambda p: p.stem)
def test_an_example_runs(path, monkeypatch):
    monkeypatch.setattr(sys, "argv", [str(path), "0.1", "8"])
    runpy.run_path(str(path), run_name="__main__")
