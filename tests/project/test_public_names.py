"""Public names: each exists, is visible to type checkers, and has an example; importing limbik imports no family."""

import ast
import doctest
import importlib
import re
import subprocess
import sys
from pathlib import Path

import pytest

import limbik as lk

MODULES = ("", "formats", "geometry", "model", "motion", "muscle", "posing", "relaxation", "two_bone")


def loaded(name):
    return importlib.import_module(f"limbik.{name}" if name else "limbik")


def declared(module):
    """Return {name: module} of the imports under TYPE_CHECKING."""
    tree = ast.parse(Path(module.__file__).read_text())
    (block,) = (node for node in tree.body if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING")
    return {name.name: node.module for node in block.body for name in node.names}


@pytest.mark.parametrize("name", MODULES)
def test_names_exist_are_sorted_and_are_declared_where_they_are_found(name):
    module = loaded(name)
    assert module.__all__ == sorted(module.__all__, key=lambda n: (not n.isupper(), n))
    assert set(module.__all__) <= set(dir(module))
    for public in module.__all__:
        assert getattr(module, public) is not None
    found = {n: f"limbik.{home}" for n, home in module.HOMES.items()}
    assert {n: home for n, home in declared(module).items() if home != "limbik"} == found
    if name:
        assert set(module.__all__) == set(module.HOMES)
    with pytest.raises(AttributeError, match="no_such_name"):
        _ = module.no_such_name


@pytest.mark.parametrize("name", (*MODULES, "methods", "collision"))
def test_a_module_shows_a_line_of_use_that_runs(name):
    module = loaded(name)
    assert ">>>" in module.__doc__
    ran = doctest.run_docstring_examples(module.__doc__, {}, name=name or "limbik")
    assert ran is None
    test = doctest.DocTestParser().get_doctest(module.__doc__, {}, name or "limbik", module.__file__, 0)
    assert doctest.DocTestRunner(verbose=False).run(test).failed == 0


def test_a_name_that_has_moved_is_named():
    for name, place in lk.MOVED.items():
        with pytest.raises(AttributeError, match=re.escape(place)):
            getattr(lk, name)
        module, _, public = place.rpartition(".")
        assert hasattr(importlib.import_module(module), public)


def test_families_are_imported_when_they_are_used():
    code = (
        "import sys, limbik as lk; first = set(sys.modules); arm = lk.load('ur5'); arm.solve(arm.forward(arm.home + 0.1));"
        "print(*sorted(first)); print(*sorted(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    first, then = (line.split() for line in done.stdout.splitlines())
    assert {m for m in first if m.startswith("limbik")} == {"limbik", "limbik.lazy"}
    families = ("motion.follow", "motion.capture", "motion.retarget", "muscle", "solvers.relaxation", "solvers.neural",
                "solvers.table.cells", "papers", "studio", "cli", "plots", "posing")  # fmt: skip
    assert not [m for m in then for family in families if m.startswith(f"limbik.{family}")]


def test_what_imports_the_core_gives_it_its_readers_and_sentences():
    code = """
import importlib, os, sys, limbik
for home in sorted({*limbik.HOMES.values()} - {"_core"}):
    child = os.fork()
    if not child:
        importlib.import_module(f"limbik.{home}")
        reads = "limbik._core" not in sys.modules or "limbik.geometry.se3" in sys.modules
        explains = "limbik.solvers.solve" not in sys.modules or "limbik.solvers.answer" in sys.modules
        os._exit(not (reads and explains))
    if os.waitpid(child, 0)[1]:
        print(home)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not done.stdout, done.stdout
