"""The programs in docs/python.md and of the two READMEs run as they are written, one after the other."""
import pathlib
import re

import numpy as np
import pytest

import withy

TREE = pathlib.Path(__file__).parents[2]


def blocks(page):
    return re.findall(r"^```python\n(.*?)^```$", page.read_text(), re.M | re.S)


@pytest.mark.parametrize("page", ["docs/python.md", "docs/ensemble.md", "python/README.md", "README.md"])
def test_the_programs_of_a_page_run(page, tmp_path, monkeypatch):
    path = TREE / page
    if not path.is_file():
        pytest.skip("the page is not beside the package")
    monkeypatch.chdir(tmp_path)
    scene = re.search(r"^```lua\n(.*?)^```$", path.read_text(), re.M | re.S)
    if scene:  # the file that the page begins with, and the result of running it
        pathlib.Path("swing.lua").write_text(scene.group(1))
        withy.load("swing.lua").run(output="swing.h5")
    space = {"__name__": "__main__"}
    for number, block in enumerate(blocks(path), 1):
        try:
            exec(compile(block, f"{page}, program {number}", "exec"), space)
        except withy.Error as failure:
            if "NLopt" not in str(failure):
                raise
        except ImportError as failure:
            if failure.name not in ("matplotlib", "h5py"):
                raise
    if "result" in space:
        assert np.isfinite(space["result"].rod["position"]).all()


def test_the_examples_of_the_docstrings_name_what_there_is():
    for name in withy.__all__:
        assert hasattr(withy, name), name
