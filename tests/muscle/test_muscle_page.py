"""The page about muscles: its pieces of Python print what it says, its piece of TOML is read, its table lists the methods."""

import contextlib
import io
import re
from pathlib import Path

import limbik as lk

PAGE = Path(__file__).parents[2] / "docs" / "muscles.md"


def test_the_page_of_muscles_prints_what_it_says():
    known: dict = {}
    for code, output in re.findall(r"```python\n(.*?)```\s*(?:```\n(.*?)```)?", PAGE.read_text(), re.S):
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(code, PAGE.name, "exec"), known)
        assert printed.getvalue() == output


def test_the_example_of_a_file_is_read(tmp_path):
    (text,) = re.findall(r"```toml\n(.*?)```", PAGE.read_text(), re.S)
    path = tmp_path / "muscles.toml"
    path.write_text(text)
    arm = lk.load("maximum_one").with_muscles(path)
    assert arm.muscles.names == ("biceps", "triceps") and arm.muscles[1].actuator.hysteresis == 0.02


def test_the_page_names_every_method_and_verb():
    text = PAGE.read_text()
    assert all(f"`{name}`" in text for name in lk.muscle.MUSCLE_METHODS)
    for verb in re.findall(r"^\| `(\w+)\(", text, re.M):
        assert hasattr(lk.muscle.MuscleArm, verb) or hasattr(lk, verb), verb
