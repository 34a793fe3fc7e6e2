"""The page about limbs prints what it says."""

import contextlib
import io
import re
from pathlib import Path

PAGE = Path(__file__).parents[3] / "docs" / "limbs.md"


def test_the_page_of_limbs_prints_what_it_says():
    known: dict = {}
    for code, output in re.findall(r"```python\n(.*?)```\s*(?:```\n(.*?)```)?", PAGE.read_text(), re.S):
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(code, PAGE.name, "exec"), known)
        assert printed.getvalue().rstrip() == output.rstrip()
