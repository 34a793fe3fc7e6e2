"""Write, or check, the stub of the compiled core: `python tools/stubs.py [--check]`.

The check also requires that the stubs of the core import nothing of limbik but the core. The import contracts of pyproject.toml
do not cover stubs.
"""

import argparse
import ast
import importlib
import subprocess
import sys
from pathlib import Path

from nanobind.stubgen import StubGen

import limbik._core as core

STUB = Path(__file__).parents[1] / "src/limbik/_core/__init__.pyi"
HEAD = '''"""The compiled core. Written by tools/stubs.py."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from limbik._core.status import Status as Status

Array = npt.NDArray[np.float64]

def build_info() -> dict[str, object]: ...

'''


def stub() -> str:
    """Return the text of the stub, made from the running module."""
    module = importlib.import_module(f"limbik._core._{core.LEVEL}")
    core.Answer.__module__ = core.Answers.__module__ = module.__name__  # elsewhere they have the package's name
    generator = StubGen(module)
    generator.put(module)
    lines = []
    for line in generator.get().splitlines():
        name = line.split(":")[0].split(" =")[0]
        if name in ("LEVEL", "COMPILER"):
            line = f"{name}: str"
        elif name == "WIDTH":
            line = "WIDTH: int"
        if not line.startswith(("import ", "from ")):
            lines.append(line)
    text = HEAD + "\n".join(lines).strip() + "\n"
    command = [sys.executable, "-m", "ruff", "format", "--stdin-filename", str(STUB), "-"]
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout


def imported(text: str) -> set[str]:
    """Return the modules of limbik outside the core that a stub in the core's folder imports."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = ["limbik", "limbik._core"][-node.level] if 0 < node.level < 3 else ""
            module = ".".join(part for part in (above, node.module) if part)
            names.update(f"{module}.{alias.name}" for alias in node.names)
    return {name for name in names if name.split(".")[0] == "limbik" and name.split(".")[1:2] != ["_core"]}


def main() -> int:
    """Write the stub; with --check only compare."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    if parser.parse_args().check:
        same = STUB.read_text() == stub()
        print("the stub is up to date" if same else "the stub is stale: run `make stubs`")
        upward = {path.name: names for path in STUB.parent.glob("*.pyi") if (names := imported(path.read_text()))}
        for name, names in upward.items():
            print(f"{name} imports {', '.join(sorted(names))}: the core imports nothing of limbik")
        return 0 if same and not upward else 1
    STUB.write_text(stub())
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
