"""Every imported package is declared, with the oldest release that works."""

import ast
import sys
from pathlib import Path

import pytest
from tools.floors import PROJECT, pins

SOURCE = Path(__file__).parents[2] / "src" / "limbik"
# Distributions whose import name differs.
INSTALLED = {
    "PIL": "pillow",
    "distributed": "dask[distributed]",
    "eaik": "EAIK",
    "ik_geo": "ik-geo",
    "mpl_toolkits": "matplotlib",
    "pinocchio": "pin",
    "py_opw_kinematics": "py-opw-kinematics",
    "roboticstoolbox": "roboticstoolbox-python",
    "trac_ik": "pytracik",
}
FOR_USERS = ["xacro", "mjcf", "plot", "methods", "studio", "cluster"]


def imported() -> set[str]:
    found = set()
    for path in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Import):
                found |= {name.name.partition(".")[0] for name in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                found.add(node.module.partition(".")[0])
    return found - set(sys.stdlib_module_names) - {"limbik"}


def test_what_is_imported_is_declared() -> None:
    declared = {pin.partition("==")[0] for pin in pins(*FOR_USERS)}
    declared |= {need.partition(">=")[0].partition("[")[0] for need in PROJECT["optional-dependencies"]["bench"]}
    assert imported() >= {"numpy", "viser", "rich"}
    assert {INSTALLED.get(name, name) for name in imported()} <= declared


@pytest.mark.parametrize("extra", FOR_USERS)
def test_every_dependency_has_a_floor(extra: str) -> None:
    assert all("==" in pin for pin in pins(extra))
