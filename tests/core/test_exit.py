"""A daemon thread that runs in the core when the interpreter ends does not crash the process."""

import subprocess
import sys

import pytest

# Calls repeated by a daemon thread; the program ends after one call, in the middle of another.
CALLS = {
    "solve_batch": "arm.solve_batch(Ts)",
    "solve_batch in one thread": "arm.solve_batch(Ts[:900], threads=1)",
    "solve_batch by steps of lm": "arm.solve_batch(Ts, method='lm')",
    "solve_all_batch": "arm.solve_all_batch(Ts)",
    "forward": "arm.forward(q)",
    "redundant arm": "iiwa.solve_batch(iiwa.forward(q7))",
    "goals": "arm.solve([lk.Position(None, (5.0, 0.0, 0.0))])",
    "table": "lk.build_table(lk.load('planar3_chin'), samples=2000)",
    "two bones": "lk.Limb(0.3, 0.25).solve_batch(Ts[:, :3, 3])",
    "perceptrons": "PerceptronKernel([2, 8, 2]).outputs(np.zeros(42), np.zeros((300000, 2)))",
    "training": "lk.train(lk.load('planar3_chin'), places=True, steps=50, examples=500)",
}
PROGRAM = """
import threading

import numpy as np

import limbik as lk
from limbik._core import PerceptronKernel

arm = lk.load("ur5")
iiwa = lk.load("iiwa7")
q7 = np.random.default_rng(0).uniform(-1.5, 1.5, (20000, 7))
q = np.random.default_rng(0).uniform(-2.0, 2.0, (50000, 6))
Ts = arm.forward(q)
again = threading.Event()


def work():
    while True:
        {call}
        again.set()


thread = threading.Thread(target=work, daemon=True)
thread.start()
while thread.is_alive() and not again.wait(0.1):
    pass
assert thread.is_alive()
"""


@pytest.mark.parametrize("name", CALLS)
def test_the_end_of_the_interpreter_is_the_end_of_the_process(name: str) -> None:
    program = PROGRAM.format(call=CALLS[name])
    for _ in range(3):  # each ends at another moment of the call
        run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=600)
        assert (run.returncode, run.stderr) == (0, "")


def test_work_at_exit_is_done_in_the_thread_that_ends_the_interpreter() -> None:
    program = """
import atexit, sys
def last():
    answers = arm.solve_batch(Ts)
    print(answers.ok.all(), arm.solve_batch(Ts[:900], threads=1).ok.all(), arm.forward(q).shape)
atexit.register(last)  # before limbik is imported: it runs after limbik's own hook
import limbik as lk, numpy as np
arm = lk.load("ur5")
iiwa = lk.load("iiwa7")
q7 = np.random.default_rng(0).uniform(-1.5, 1.5, (20000, 7))
q = np.random.default_rng(0).uniform(-2.0, 2.0, (5000, 6))
Ts = arm.forward(q)
"""
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=600)
    assert (run.returncode, run.stdout, run.stderr) == (0, "True True (5000, 4, 4)\n", "")
