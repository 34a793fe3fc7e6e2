"""The core without Python: built, installed, found by CMake, used by the example; its answers are Python's."""

import math
import os
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

import limbik as lk

ROOT = Path(__file__).parent.parent
ROWS = [
    (0.0, 0.0, 0.0, 0.0, "revolute", math.radians(-160), math.radians(160)),
    (0.0, -math.pi / 2, 0.0, 0.0, "revolute", math.radians(-225), math.radians(45)),
    (0.4318, 0.0, 0.14909, 0.0, "revolute", math.radians(-45), math.radians(225)),
    (0.02032, -math.pi / 2, 0.43307, 0.0, "revolute", math.radians(-110), math.radians(170)),
    (0.0, math.pi / 2, 0.0, 0.0, "revolute", math.radians(-100), math.radians(100)),
    (0.0, -math.pi / 2, 0.0, 0.0, "revolute", math.radians(-266), math.radians(266)),
]


def run(*command: object) -> str:
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-4000:]
    return done.stdout


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The core, compiled quickly and installed."""
    if shutil.which("cmake") is None or shutil.which(os.environ.get("CXX", "c++")) is None:
        pytest.skip("cmake or a C++ compiler is missing: the core without Python was NOT tested")
    folder = tmp_path_factory.mktemp("cpp")
    quick = "-DCMAKE_CXX_FLAGS_RELEASE=-O1 -DLIMBIK_CALLS"
    run("cmake", "-S", ROOT / "core", "-B", folder / "core", quick, "-DLIMBIK_ARCH=baseline")
    run("cmake", "--build", folder / "core", "-j", "2")
    run("cmake", "--install", folder / "core", "--prefix", folder / "prefix")
    return folder / "prefix"


def test_the_example_builds_against_the_installed_package_and_answers_as_python_does(installed, tmp_path):
    run("cmake", "-S", ROOT / "examples/cpp", "-B", tmp_path, f"-DCMAKE_PREFIX_PATH={installed}")
    run("cmake", "--build", tmp_path)
    lines = run(tmp_path / "reach").splitlines()
    arm = lk.Chain.from_dh(ROWS, convention="modified")
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


PROGRAM = """
#include <limbik/limbik.hpp>
#include <cstdio>
#include <stdexcept>
namespace lk = limbik::api;
template <class F> bool throws(F f) { try { f(); } catch (const std::invalid_argument&) { return true; } return false; }
int main() {
    const double inf = lk::UNLIMITED;
    // three axes along z: a planar arm, by screws
    const std::vector<lk::Screw> screws = {{{0, 0, 2}, {0, 0, 0}}, {{0, 0, 1}, {1, 0, 0}}, {{0, 0, 1}, {2, 0, 0}}};
    lk::Matrix tip = {1, 0, 0, 3, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    const auto arm = lk::Chain::from_screws(screws, tip);
    const std::vector<double> q = {0.2, 0.9, -0.4};
    const lk::Matrix T = arm.forward(q);
    bool good = arm.n() == 3 && arm.solve(T, q) && arm.solve_all(T).found.size() == 2 && arm.jacobian(q).size() == 18;
    // a rail of one metre: beyond it is outside the limits, not out of reach
    const auto rail = lk::Chain::from_dh({{0, 0, 0, 0, lk::Motion::prismatic, 0.0, 1.0}, {1.0, 0, 0, 0}});
    lk::Matrix far = rail.forward(std::vector<double>{0.5, 0.3});
    far[11] = 5.0;
    good = good && rail.solve(far).status == lk::Status::limits;
    good = good && rail.solve_batch(std::vector{far})[0].status == lk::Status::limits;
    good = good && rail.solve_batch({}).empty();
    lk::Matrix skewed = T;
    skewed[0] = 2.0;
    good = good && throws([&] { arm.solve(skewed); }) && throws([&] { arm.forward(std::vector<double>{1.0}); });
    good = good && throws([&] { arm.forward(std::vector<double>{inf, 0, 0}); }) && throws([&] { lk::Chain::from_dh({}); });
    good = good && throws([&] { lk::Chain::from_dh({{0, 0, 0, 0, lk::Motion::revolute, 1.0, -1.0}}); });
    good = good && throws([&] { lk::Chain::from_dh({{inf, 0, 0, 0}}); });
    const lk::Chain copy = arm;
    good = good && copy.solve(T, q).q == arm.solve(T, q).q && copy.solve_batch(std::vector{T, T})[1].q == arm.solve(T).q;
    std::puts(good ? "good" : "bad");
    return good ? 0 : 1;
}
"""


def test_screws_slides_and_misuse(installed, tmp_path):
    (tmp_path / "program.cpp").write_text(PROGRAM)
    (tmp_path / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.18...3.31)\nproject(program LANGUAGES CXX)\nfind_package(limbik 0.1 REQUIRED)\n"
        "add_executable(program program.cpp)\ntarget_link_libraries(program PRIVATE limbik::core)\n"
    )
    run("cmake", "-S", tmp_path, "-B", tmp_path / "build", f"-DCMAKE_PREFIX_PATH={installed}")
    run("cmake", "--build", tmp_path / "build")
    assert run(tmp_path / "build/program") == "good\n"
