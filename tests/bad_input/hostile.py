"""Shared by the tests of bad input: the check of a refusal, and the robots and texts that they break.

Misuse and broken input always raise an error of the family, in one sentence that names the cause. Unusual but valid input gives
the usual result, and nothing that belongs to the caller is changed or kept.
"""

import contextlib
import subprocess
import sys
import warnings

import numpy as np
import pytest

import limbik
from limbik import LimbikError
from limbik.model import Link

ARM = limbik.load("panda")
FIGURE = limbik.load("human")
FIRST = ARM.joint_names[0]
# A message longer than this is not a sentence.
LONGEST_MESSAGE = 700
# The screw of a revolute joint about z.
SCREW_Z = [0.0, 0.0, 1.0, 0.0, 0.0, 0.0]
# A whole number that no float can hold.
HUGE = 10**400
# Processor time and wall time after which a process counts as hanging [s]; test machines are busy.
CPU_LIMIT, TIMEOUT = 10, 300


@contextlib.contextmanager
def refused(kind, *words):
    """Expect an error of this class (or one of several) with a message of one short line that contains all the words."""
    with pytest.raises(LimbikError) as caught:
        yield
    message = str(caught.value)
    assert isinstance(caught.value, kind), f"{type(caught.value).__name__}: {message}"
    assert "\n" not in message, message
    assert len(message) <= LONGEST_MESSAGE, message[:200]
    for word in words:
        assert word.lower() in message.lower(), message


@contextlib.contextmanager
def warnings_off():
    """Ignore warnings, which the test settings turn into errors."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def run_apart(code):
    """Run Python code in a process of its own and return its output; fail if it crashes or hangs."""
    code = f"import resource\nresource.setrlimit(resource.RLIMIT_CPU, ({CPU_LIMIT}, {CPU_LIMIT}))\n{code}"
    try:
        done = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, timeout=TIMEOUT, check=False
        )
    except subprocess.TimeoutExpired:
        pytest.fail(f"still running after {TIMEOUT} s")
    assert done.returncode == 0, f"exit code {done.returncode}: {done.stderr[-500:]}"
    return done.stdout.strip()


def load_apart(path):
    """Load a file in a process of its own; return the error's name, or "loaded"."""
    return run_apart(f"""
import limbik
try:
    limbik.load({str(path)!r})
    print("loaded")
except limbik.LimbikError as error:
    print(type(error).__name__)
""")


VERBS = {
    "forward": lambda q: ARM.forward(q),
    "jacobian": lambda q: ARM.jacobian(q),
    "forward_jacobian": lambda q: ARM.forward_jacobian(q),
    "forward_all": lambda q: ARM.model.forward_all(q),
    "clamp": lambda q: ARM.clamp(q),
    "within_limits": lambda q: ARM.within_limits(q),
    "integrate q": lambda q: ARM.model.integrate(q, ARM.home),
    "integrate dq": lambda q: ARM.model.integrate(ARM.home, q),
    "difference q0": lambda q: ARM.model.difference(q, ARM.home),
    "difference q1": lambda q: ARM.model.difference(ARM.home, q),
}
POSTURES = ARM.sample(np.random.default_rng(20240607), 12)
LINKS = (Link("a"), Link("b"), Link("c"))


def joint(name="j", kind="revolute", parent="a", child="b", inside='<limit lower="-1" upper="1"/>'):
    return f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>{inside}</joint>'


def urdf(*parts, links="ab"):
    return '<robot name="r">' + "".join(f'<link name="{x}"/>' for x in links) + "".join(parts) + "</robot>"


def mjcf(body, before=""):
    first = '<joint name="j" axis="0 0 1"/><geom size=".1"/>'
    return f'<mujoco>{before}<worldbody><body name="b">{first}{body}</body></worldbody></mujoco>'


def xacro(inside):
    space = 'xmlns:xacro="http://www.ros.org/wiki/xacro"'
    return f'<robot name="r" {space}>{inside}<link name="a"/><link name="b"/>{joint()}</robot>'
