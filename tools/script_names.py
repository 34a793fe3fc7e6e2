"""Check the names in scripts outside the package, also inside functions: `python tools/script_names.py`.

mypy reads benchmarks, cases, examples and tools. Only errors that would fail at run time are reported: names, attributes and
modules that do not exist, and arguments that a function does not take. Other code is checked by tests; these scripts mostly
run when somebody measures.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
# Each group is checked by itself: the examples import each other by bare names.
GROUPS = (("benchmarks", "cases", "tools"), ("examples",))
CODES = ("attr-defined", "call-arg", "import-not-found", "name-defined")
# Libraries that the extra `lint` does not install.
OTHERS = ("matplotlib", "mujoco", "pinocchio", "pink", "PIL", "playwright", "pybvh", "pymotion", "roboticstoolbox", "scipy",
          "toppra", "viser")  # fmt: skip


def complaints(folders: tuple[str, ...]) -> list[str]:
    """Return mypy's errors with one of CODES in some folders. Raises RuntimeError if it did not run."""
    command = [sys.executable, "-m", "mypy", "--config-file=", "--follow-imports=silent", "--check-untyped-defs"]
    search_path = os.pathsep.join(
        ("src", ".", "tests", "tests/studio", *(("examples",) if "examples" in folders else ()))
    )
    done = subprocess.run(
        [*command, "--explicit-package-bases", *folders],
        cwd=ROOT,
        env=os.environ | {"MYPYPATH": search_path},
        capture_output=True,
        text=True,
        check=False,
    )
    if "source file" not in done.stdout:
        raise RuntimeError(f"mypy did not run: {done.stdout}{done.stderr}")
    missing = re.compile(rf'module named "({"|".join(OTHERS)})[."]')
    return [line for line in done.stdout.splitlines() if line.endswith(tuple(f"[{code}]" for code in CODES))
            and not missing.search(line)]  # fmt: skip


def main() -> int:
    """Print the errors; return 1 if there are any."""
    found = [line for folders in GROUPS for line in complaints(folders)]
    print("\n".join(found) or "the names in benchmarks, cases, examples and tools exist")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
