"""The core as one translation unit: a name that two headers or two files define does not compile.

Compiled separately, each file sees one definition, the linker keeps either of them, and the module is wrong without a warning.
"""

import shutil
import subprocess
import sysconfig
from pathlib import Path

import numpy as np
import pytest

CORE = Path(__file__).parents[2] / "core"
COMPILER = shutil.which("c++") or shutil.which("g++") or shutil.which("clang++")
FLAGS = ["-std=gnu++20", "-fsyntax-only", "-fvisibility=hidden", "-Wall", "-Wextra", "-Werror", "-x", "c++", "-"]

pytestmark = pytest.mark.skipif(COMPILER is None, reason="no C++ compiler")


def compiled(files: list[Path], *options: str) -> str:
    """Return the compiler's errors about files that are included in order, or ""."""
    assert COMPILER is not None and len(files) > 5
    unit = "".join(f'#include "{file}"\n' for file in files)
    run = subprocess.run([COMPILER, *options, *FLAGS], input=unit, capture_output=True, text=True, check=False)
    return "" if run.returncode == 0 else run.stderr[:4000]


@pytest.mark.parametrize("backwards", [False, True])
def test_headers_define_each_name_once(backwards: bool) -> None:
    folders = (path for path in CORE.glob("*/*.hpp") if path.parent.name not in ("bindings", "tests"))
    headers = sorted([*CORE.glob("*.hpp"), *folders], reverse=backwards)
    assert len(headers) > 100
    assert compiled(headers) == ""


def test_files_of_the_module_define_each_name_once() -> None:
    nanobind = pytest.importorskip("nanobind")
    first = CORE / "bindings" / "module.cpp"  # it imports NumPy for all
    files = [first, *sorted(file for file in CORE.glob("bindings/*.cpp") if file != first)]
    folders = [sysconfig.get_path("include"), np.get_include(), nanobind.include_dir()]
    options = [*(f"-isystem{folder}" for folder in folders), "-DLIMBIK_MODULE=_base", '-DLIMBIK_LEVEL="base"']
    assert compiled(files, *options) == ""
