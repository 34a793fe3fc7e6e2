"""Every script outside the package imports: otherwise a moved name would fail only during a measurement."""

import importlib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
# Libraries of the extra `bench`, which the tests do not need.
PEERS = {"eaik", "ik_geo", "ikpy", "py_opw_kinematics", "roboticstoolbox", "ssik", "trac_ik"}


def modules():
    """Return the modules of the folders outside the package."""
    files = [path for folder in ("benchmarks", "cases", "tools") for path in sorted((ROOT / folder).rglob("*.py"))]
    return [".".join(path.relative_to(ROOT).with_suffix("").parts) for path in files if path.stem != "__init__"]


@pytest.mark.parametrize("name", modules())
def test_a_script_imports(name):
    try:
        importlib.import_module(name)
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] not in PEERS:
            raise
        pytest.skip(f"{error.name} is not installed")
