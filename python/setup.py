"""The package is plain Python; what is built is the C library beside it, and the cases are copied from the tree."""
import os
import pathlib
import re
import shutil
import subprocess

from setuptools import setup
from setuptools.command.build_py import build_py
from wheel.bdist_wheel import bdist_wheel

TREE = pathlib.Path(__file__).resolve().parent.parent
VERSION = re.search(r'WITHY_VERSION "([^"]+)"', (TREE / "include/withy/base.h").read_text()).group(1)


def library():
    """$WITHY_LIBRARY, else that of the build, else one that is built now."""
    for place in (os.environ.get("WITHY_LIBRARY"), TREE / "build" / "libwithy.so"):
        if place and pathlib.Path(place).is_file():
            return place
    build = TREE / "build" / "python-library"
    subprocess.run(["cmake", "-S", TREE, "-B", build, "-DCMAKE_BUILD_TYPE=Release", "-DWITHY_PROGRAM=OFF", "-DWITHY_TESTS=OFF",
                    "-DWITHY_EXAMPLES=OFF"], check=True)
    subprocess.run(["cmake", "--build", build, "--target", "withy_shared", "--parallel"], check=True)
    return build / "libwithy.so"


class BuildWithLibrary(build_py):
    def run(self):
        super().run()
        target = pathlib.Path(self.build_lib) / "withy"
        shutil.copyfile(library(), target / "libwithy.so")
        program = os.environ.get("WITHY_PROGRAM") or TREE / "build" / "withy"
        if pathlib.Path(program).is_file():  # for the replay in notebooks
            (target / "bin").mkdir(exist_ok=True)
            shutil.copy(program, target / "bin" / "withy")
        for scene in sorted((TREE / "cases").glob("*/scene.lua")):
            folder = target / "cases" / scene.parent.name
            folder.mkdir(parents=True, exist_ok=True)
            for file in scene.parent.iterdir():  # a scene may read tables and meshes beside it
                if file.suffix in (".lua", ".csv", ".stl", ".obj"):
                    shutil.copyfile(file, folder / file.name)


class PlatformWheel(bdist_wheel):
    """Any Python 3, this platform only."""

    def finalize_options(self):
        super().finalize_options()
        self.root_is_pure = False

    def get_tag(self):
        return ("py3", "none", super().get_tag()[2])


setup(version=VERSION, cmdclass={"build_py": BuildWithLibrary, "bdist_wheel": PlatformWheel})
