"""Check the types of the documents' examples, as a user's `mypy --strict` does: `python tools/typed_documents.py`."""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import limbik

ROOT = Path(__file__).parents[1]
# Pages that show parts of files; the names they use are defined in those files.
FRAGMENTS = {"chin.md"}
# The types of each way to load a robot.
LOADING = """
from typing import assert_type

import limbik as lk

assert_type(lk.load("panda"), lk.Chain)
assert_type(lk.load("human"), lk.Skeleton)
assert_type(lk.load("human", tip="leftHand"), lk.Chain)
assert_type(lk.load("cell.urdf", tip="tool0"), lk.Chain)
assert_type(lk.load("cell.urdf", "base_link", "tool0", "mm"), lk.Chain)
assert_type(lk.load("cell.urdf"), lk.Chain | lk.Skeleton)
assert_type(lk.Chain.load("cell.urdf"), lk.Chain)
assert_type(lk.Skeleton.load("walk.bvh"), lk.Skeleton)
arm = lk.load("ur5").warm_up()
assert_type(arm, lk.Chain)
answer = arm.solve(lk.pose((0.4, 0.1, 0.3), xyzw=(1, 0, 0, 0)))
assert_type(answer, lk.Answer)
if not answer:
    print(answer.status, answer.why)
T = arm.forward(arm.home)
box = lk.Box(arm.home[:3], [1, 1, 1], T[:3, :3])
kept = arm.solve(T, obstacles=[box, lk.Sphere([9, 9, 9], 1)])
assert_type(kept, lk.GoalAnswer)
print(kept.unchecked.still, kept.proof, kept.hindered, kept.errors)
assert_type(arm.solve(T, obstacles=box, valid=lambda q: bool(q[0] > 0)), lk.GoalAnswer)
assert_type(arm.solve(T, frozen=["shoulder_pan_joint"]), lk.GoalAnswer)
assert_type(arm.solve(T, arm.home, frozen={"shoulder_pan_joint": 0.1}, obstacles=box), lk.GoalAnswer)
assert_type(arm.solve([lk.Position(None, (0.4, 0.1, 0.3))], seconds=0.1), lk.GoalAnswer)
assert_type(arm.solve(T, method="lm", position_tolerance=1e-6), lk.Answer)
print(lk.load("human").solve({"head": (0, 1.7, 0)}, frozen=["root"], obstacles=box).met)
"""
# A user's project: packages without types are ignored.
SETTINGS = "[mypy]\nstrict = True\n[mypy-matplotlib.*,scipy.*]\nignore_missing_imports = True\n"


def pages() -> dict[str, str]:
    """Return the Python code of each document by module name: its pieces in order, as a reader pastes them."""
    found = {"page_loading": LOADING}
    for page in [ROOT / "README.md", *sorted(ROOT.glob("docs/*.md")), *sorted(ROOT.glob("docs/papers/*.md"))]:
        pieces = re.findall(r"```python\n(.*?)```", page.read_text(), re.S)
        if pieces and page.name not in FRAGMENTS:
            found[f"page_{page.stem.lower()}"] = "\n".join(pieces)
    return found


def complaints(pages: dict[str, str]) -> list[str]:
    """Return mypy's errors about the pages. Raises RuntimeError if it did not run."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in pages.items():
            (Path(folder) / f"{name}.py").write_text(text)
        (Path(folder) / "mypy.ini").write_text(SETTINGS)
        home = Path(limbik.__file__).parents[1]
        path = {"MYPYPATH": str(home)} if home.name == "src" else {}  # an installed package is found by itself
        command = [sys.executable, "-m", "mypy", "--config-file", "mypy.ini", "--cache-dir", "cache"]
        run = subprocess.run(
            [*command, *(f"{name}.py" for name in pages)],
            cwd=folder,
            env={key: value for key, value in os.environ.items() if key != "PYTHONPATH"} | path,
            capture_output=True,
            text=True,
        )
    if "source file" not in run.stdout:
        raise RuntimeError(f"mypy did not run: {run.stdout}{run.stderr}")
    return [line for line in run.stdout.splitlines() if line.startswith("page_") and ": error:" in line]


def main() -> int:
    """Print the errors; return 1 if there are any."""
    shown = pages()
    found = complaints(shown)
    print("\n".join(found) or f"the examples of {len(shown) - 1} documents pass mypy --strict")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
