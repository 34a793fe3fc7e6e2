"""The core without Python: built, installed, found by CMake, used by programs; its answers equal Python's."""

import fcntl
import math
import os
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import limbik as lk

ROOT = Path(__file__).parents[2]
PROGRAMS = Path(__file__).parent / "cpp"
HALF, QUARTER = math.pi, math.pi / 2
# The arms of cpp/arms.cpp.
ARMS = {
    "ur5": lk.Chain.from_dh(
        [
            (0, QUARTER, 0.089159, 0),
            (-0.425, 0, 0, 0),
            (-0.39225, 0, 0, 0),
            (0, QUARTER, 0.10915, 0),
            (0, -QUARTER, 0.09465, 0),
            (0, 0, 0.0823, 0),
        ]
    ),
    "panda": lk.Chain.from_dh(
        [
            (0, 0, 0.333, 0, "revolute", -2.8973, 2.8973),
            (0, -QUARTER, 0, 0, "revolute", -1.7628, 1.7628),
            (0, QUARTER, 0.316, 0, "revolute", -2.8973, 2.8973),
            (0.0825, QUARTER, 0, 0, "revolute", -3.0718, -0.0698),
            (-0.0825, -QUARTER, 0.384, 0, "revolute", -2.8973, 2.8973),
            (0, QUARTER, 0, 0, "revolute", -0.0175, 3.7525),
            (0.088, QUARTER, 0, 0, "revolute", -2.8973, 2.8973),
        ],
        convention="modified",
    ),
    "iiwa": lk.Chain.from_dh(
        [
            (0, -QUARTER, 0.34, 0, "revolute", -2.96, 2.96),
            (0, QUARTER, 0, 0, "revolute", -2.09, 2.09),
            (0, QUARTER, 0.4, 0, "revolute", -2.96, 2.96),
            (0, -QUARTER, 0, 0, "revolute", -2.09, 2.09),
            (0, -QUARTER, 0.4, 0, "revolute", -2.96, 2.96),
            (0, QUARTER, 0, 0, "revolute", -2.09, 2.09),
            (0, 0, 0.126, 0, "revolute", -3.05, 3.05),
        ]
    ),
    "scara": lk.Chain.from_dh(
        [
            (0.4, 0, 0.3, 0, "revolute", -2.2, 2.2),
            (0.3, HALF, 0, 0, "revolute", -2.5, 2.5),
            (0, 0, 0, 0, "prismatic", 0, 0.2),
            (0, 0, 0.05, 0),
        ]
    ),
    "five": lk.Chain.from_dh(
        [
            (0.033, QUARTER, 0.147, 0, "revolute", -2.9, 2.9),
            (0.155, 0, 0, 0, "revolute", -1.1, 1.5),
            (0.135, 0, 0, 0, "revolute", -2.6, 2.5),
            (0, QUARTER, 0, QUARTER, "revolute", -1.7, 1.7),
            (0, 0, 0.2, 0, "revolute", -2.8, 2.8),
        ]
    ),
    "general": lk.Chain.from_dh(
        [
            (0.1, 1.1, 0.3, 0, "revolute", -3, 3),
            (0.4, 0.7, 0.1, 0.2, "revolute", -3, 3),
            (0.3, -0.9, 0.05, 0, "revolute", -3, 3),
            (0.1, 1.3, 0.4, 0, "revolute", -3, 3),
            (0.07, -1.2, 0.1, 0.3, "revolute", -3, 3),
            (0.05, 0.4, 0.1, 0, "revolute", -3, 3),
        ]
    ),
    "screws": lk.Chain.from_screws(
        [
            (0, 0, 1, 0, 0, 0),
            (0, 1, 0, -0.089, 0, 0),
            (0, 1, 0, -0.089, 0, 0.425),
            (0, 1, 0, -0.089, 0, 0.817),
            (0, 0, -1, -0.109, 0.817, 0),
            (0, 1, 0, 0.006, 0, 0.817),
        ],
        [[-1, 0, 0, 0.817], [0, 0, 1, 0.191], [0, 1, 0, -0.006], [0, 0, 0, 1]],
    ),
}
PUMA = [
    (0.0, 0.0, 0.0, 0.0, "revolute", math.radians(-160), math.radians(160)),
    (0.0, -math.pi / 2, 0.0, 0.0, "revolute", math.radians(-225), math.radians(45)),
    (0.4318, 0.0, 0.14909, 0.0, "revolute", math.radians(-45), math.radians(225)),
    (0.02032, -math.pi / 2, 0.43307, 0.0, "revolute", math.radians(-110), math.radians(170)),
    (0.0, math.pi / 2, 0.0, 0.0, "revolute", math.radians(-100), math.radians(100)),
    (0.0, -math.pi / 2, 0.0, 0.0, "revolute", math.radians(-266), math.radians(266)),
]
QUICK = ("-DCMAKE_CXX_FLAGS_RELEASE=-O1 -DLIMBIK_CALLS", "-DLIMBIK_ARCH=baseline")


def run(*command: object, given: str | None = None) -> str:
    parts = [str(part) for part in command]
    done = subprocess.run(parts, input=given, capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-4000:]
    return done.stdout


def once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], None]) -> Path:
    """Return a folder that the first of the test processes fills, once."""
    root = factory.getbasetemp()
    folder = (root.parent if "PYTEST_XDIST_WORKER" in os.environ else root) / name
    folder.mkdir(exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "made").exists():
            make(folder)
            (folder / "made").touch()
    return folder


def build(folder: Path, where: str, *programs: Path) -> None:
    """Build programs of the tests in a folder. where: the CMake option with limbik's location."""
    names = ";".join(str(path) for path in programs)
    run("cmake", "-S", PROGRAMS, "-B", folder, where, f"-DPROGRAMS={names}", *QUICK)
    run("cmake", "--build", folder, "-j", "2")


@pytest.fixture(scope="module")
def prefixes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Return the prefixes of the core, compiled quickly and installed as a static and as a shared library."""
    if shutil.which("cmake") is None or shutil.which(os.environ.get("CXX", "c++")) is None:
        pytest.skip("cmake or a C++ compiler is missing: the core without Python was NOT tested")

    def make(folder: Path) -> None:
        for kind, shared in (("static", "OFF"), ("shared", "ON")):
            run("cmake", "-S", ROOT / "core", "-B", folder / "core", *QUICK, f"-DBUILD_SHARED_LIBS={shared}")
            run("cmake", "--build", folder / "core", "-j", "2")
            run("cmake", "--install", folder / "core", "--prefix", folder / kind)

    folder = once(tmp_path_factory, "cpp_core", make)
    return {kind: folder / kind for kind in ("static", "shared")}


@pytest.fixture(scope="module")
def built(prefixes, tmp_path_factory) -> Path:
    """Return the folder of all test programs and of that of docs/cpp.md, linked to the static library."""

    def make(folder: Path) -> None:
        shown = folder / "shown.cpp"
        shown.write_text(re.search(r"```cpp\n(#include.*?)```", (ROOT / "docs/cpp.md").read_text(), re.S).group(1))
        build(folder, f"-DCMAKE_PREFIX_PATH={prefixes['static']}", shown, *sorted(PROGRAMS.glob("*.cpp")))

    return once(tmp_path_factory, "cpp_programs", make)


def test_the_example_builds_against_the_installed_package_and_answers_as_python_does(prefixes, tmp_path):
    run("cmake", "-S", ROOT / "examples/cpp", "-B", tmp_path, f"-DCMAKE_PREFIX_PATH={prefixes['static']}")
    run("cmake", "--build", tmp_path)
    lines = run(tmp_path / "reach").splitlines()
    arm = lk.Chain.from_dh(PUMA, convention="modified")
    q = np.array([0.3, -1.1, 0.4, 0.2, 0.7, -0.5])
    T = arm.forward(q)
    one, every = arm.solve(T, q), arm.solve_all(T)
    assert lines[0] == f"joints 6, closed form 1, reach {arm.reach:.6f} m"
    assert lines[1] == f"{one.status}, branch {one.branch}"
    numbers = [np.array(line.split()[1:], float) for line in lines if line.startswith(("solve ", "all "))]
    assert np.abs(numbers[0] - one.q).max() < 1e-9
    assert lines[3] == f"{len(every)} configurations, complete {int(every.complete)}"
    assert len(numbers) == 1 + len(every) and np.abs(np.array(numbers[1:]) - every.q).max() < 1e-9
    far = T.copy()
    far[0, 3] += 10
    away = arm.solve(far)
    assert f"{away.status}, {away.position_error:.6f} m away" in lines and lines[-1] == "batch: 100 of 100 solved"


def targets_of(arm: lk.Chain, rng: np.random.Generator) -> np.ndarray:
    """Return targets inside the limits, except two far out of reach and two that need joints outside their limits."""
    T = arm.forward(arm.sample(rng, 20))
    T[:2, :3, 3] += 2 * arm.reach
    T[2:4] = arm.forward(np.where(np.isfinite(arm.upper), arm.upper + 0.2, 0.3) + rng.uniform(0, 0.1, (2, arm.n)))
    return T


@pytest.mark.parametrize("name", ARMS)
def test_arms_of_many_kinds_answer_as_python_does(name, built, rng):
    arm = ARMS[name]
    Ts = targets_of(arm, rng)
    given = f"{name} {len(Ts)}\n" + "\n".join(" ".join(f"{x:.17g}" for x in T.ravel()) for T in Ts)
    lines = iter(run(built / "arms", given=given).splitlines())
    reach, *home = map(float, next(lines).split())
    assert abs(reach - arm.reach) < 1e-12 and home == arm.home.tolist()

    def agree(line: str, answer: lk.Answer) -> None:
        status, branch, family, closed, error, *numbers = line.split()
        assert status == str(answer.status) and bool(int(closed)) == (answer.method == "closed_form")
        q = np.array(numbers, float)
        assert ((arm.lower <= q) & (q <= arm.upper)).all()
        assert abs(np.linalg.norm((arm.forward(q) - answer.target)[:3, 3]) - float(error)) < 1e-12 * (1 + float(error))
        # the closest configuration to an unreachable target is the result of a search
        assert abs(float(error) - answer.position_error) < 1e-3 * arm.reach
        if status == "SOLVED":
            assert bool(int(family)) == answer.family
        if status == "SOLVED" and arm.redundancy is None:  # a redundant arm may have two equally close ones
            assert int(branch) == (-1 if answer.branch is None else answer.branch)
            assert answer.method != "closed_form" or np.abs(q - answer.q).max() < 1e-8

    statuses = set()
    for T in Ts:
        agree(next(lines), arm.solve(T))
        every = arm.solve_all(T)
        status, count, complete = next(lines).split()
        statuses.add(status)
        assert (status, bool(int(complete))) == (str(every.status), every.complete)
        rows = [next(lines) for _ in range(int(count))]
        if name == "general":  # from many starts: rounding may lose one
            assert abs(len(rows) - len(every)) <= 1 and (len(rows) > 1 or len(every) < 3)
        else:
            assert len(rows) == len(every)
            for row, answer in zip(rows, every, strict=True):
                agree(row, answer)
    assert next(lines, None) is None and "SOLVED" in statuses and len(statuses) > 1


def test_the_laws_of_the_facade(built):
    assert run(built / "laws") == "done\n"


def test_misuse_is_refused_with_a_reason(built):
    printed = dict(line.split(": ", 1) for line in run(built / "misuse").splitlines())
    accepted = {what for what, why in printed.items() if why == "accepted"}
    assert accepted == {"one value", "no targets", "less than no threads"}
    numbers = "holds NaN, infinity or a number too large to compute with"
    for what, why in {
        "NaN in a row": f"row 2 {numbers}",
        "a large row": f"row 1 {numbers}",
        "limits reversed": "row 1 has a lower limit above its upper one",
        "no value": "row 1 has limits that allow no value",
        "no axis": "screw 1 has no axis",
        "an infinite point": f"screw 1 {numbers}",
        "a tip that is scaled": "T_base_tip is not a rotation and a translation",
        "a target with NaN": f"the target {numbers}",
        "a target that is scaled": "the target is not a rotation and a translation",
        "a target without its last row": "the target must end in the row 0 0 0 1",
        "a row of a batch": f"target 2 {numbers}",
        "a short seed of nothing": "the seed has 1 numbers; the chain has 3 joints",
        "an infinite q": f"q {numbers}",
    }.items():
        assert printed[what].startswith(f"limbik: {why}"), what


def test_other_programs_run(built):
    for program in ("no_exceptions", "kernels"):
        run(built / program)
    assert run(built / "shown").splitlines()[0].split()[:2] == ["0.300", "-1.100"]


def test_a_shared_library_and_a_part_of_a_project(prefixes, tmp_path):
    build(tmp_path / "shared", f"-DCMAKE_PREFIX_PATH={prefixes['shared']}", PROGRAMS / "laws.cpp")
    build(tmp_path / "part", f"-DLIMBIK_SOURCE={ROOT / 'core'}", PROGRAMS / "laws.cpp")
    for kind in ("shared", "part"):
        assert run(tmp_path / kind / "laws") == "done\n"
    assert list((prefixes["shared"] / "lib").glob("liblimbik.so*")) or list(
        prefixes["shared"].glob("lib*/*/liblimbik.so")
    )
    # a project that includes limbik does not install limbik by default
    assert "LIMBIK_INSTALL:BOOL=OFF" in (tmp_path / "part/CMakeCache.txt").read_text()


def test_installed_headers_define_no_macro_but_their_own(prefixes):
    headers = sorted((prefixes["static"] / "include/limbik").rglob("*.hpp"))
    assert len(headers) > 100 and not any(path.parent.name in ("bindings", "tests") for path in headers)
    defined = {name for path in headers for name in re.findall(r"^\s*#\s*define\s+(\w+)", path.read_text(), re.M)}
    assert defined and {name for name in defined if not name.startswith("LIMBIK_")} == set()
    assert "#define" not in (prefixes["static"] / "include/limbik/limbik.hpp").read_text()
