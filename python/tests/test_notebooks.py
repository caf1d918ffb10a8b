"""Every notebook runs from its first cell to its last."""
import json
import pathlib

import pytest

FOLDER = pathlib.Path(__file__).parents[1] / "notebooks"


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.ipynb")), ids=lambda p: p.stem)
def test_a_notebook_runs(path):
    space = {"__name__": "__main__"}
    for cell in json.loads(path.read_text())["cells"]:
        if cell["cell_type"] == "code":
            exec(compile("".join(cell["source"]), str(path), "exec"), space)
