"""Solving in threads and forked workers, options by name, interrupts."""

import os
import pickle
import signal
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import limbik as lk


def test_python_threads_and_forked_workers_get_the_same_answers():
    arm = lk.load("kr6")
    T = arm.forward(arm.sample(np.random.default_rng(4), 400))
    expected = arm.solve_batch(T, threads=1).q
    fresh = pickle.loads(pickle.dumps(arm))  # its table is not built yet: the threads race for it
    with ThreadPoolExecutor(8) as pool:
        for q in pool.map(lambda _: fresh.solve_batch(T, threads=2).q, range(16)):
            assert np.array_equal(q, expected)
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        same = np.array_equal(arm.solve_batch(T, threads=2).q, expected)
        os.write(writer, b"y" if same else b"n")
        os._exit(0)
    os.waitpid(child, 0)
    assert os.read(reader, 1) == b"y"
    assert threading.active_count() < 20


def test_an_option_that_does_not_exist_is_named():
    arm = lk.load("ur5")
    with pytest.raises(TypeError, match=r"no option 'second'.*seconds"):
        arm.solve(arm.forward(arm.home), second=1.0)


def test_control_c_ends_a_long_batch():
    script = """
import signal, sys, threading, time
import limbik as lk, numpy as np
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may have disabled it for background processes
arm = lk.load('panda')
T = np.array(arm.forward(arm.home))
T[:3, 3] = [0, 0, .3]
Ts = np.broadcast_to(T, (2_000_000, 4, 4)).copy()
me = threading.get_ident()
def names(frame):
    return () if frame is None else (frame.f_code.co_name, *names(frame.f_back))
def report():
    while 'solve_batch' not in names(sys._current_frames()[me]):
        time.sleep(0.01)
    print('at work', flush=True)
threading.Thread(target=report, daemon=True).start()
arm.solve_batch(Ts)
print('done', flush=True)  # minutes later
"""
    process = subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None and process.stdout.readline() == "at work\n"
    process.send_signal(signal.SIGINT)
    out, errors = process.communicate(timeout=300)
    assert "KeyboardInterrupt" in errors and "done" not in out
