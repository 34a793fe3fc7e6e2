"""The examples of the pages on relaxation run and print what the pages show."""

import contextlib
import io
import re
from pathlib import Path

DOCS = Path(__file__).parents[3] / "docs"


def test_the_examples_of_the_page_print_what_it_shows():
    """Its pieces of Python run one after the other, as a reader would paste them."""
    known: dict = {}
    pieces = re.findall(r"```python\n(.*?)```\s*```\n(.*?)```", (DOCS / "relaxation.md").read_text(), re.S)
    assert len(pieces) == 9
    for code, output in pieces:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(code, "relaxation.md", "exec"), known)
        assert printed.getvalue() == output


def test_the_comparison_has_every_method_on_every_chain():
    text = (DOCS / "relaxation_compared.md").read_text()
    measured = text.split("<!-- measured -->")[1].split("<!-- end -->")[0]
    chains = (
        "planar3_cruse",
        "ur5",
        "panda",
        "human_arm_7",
        "planar, 10 limbs",
        "planar, 10 limbs, joints +-60°",
        "snake, 12 hinges",
    )
    for chain in chains:
        for method in ("mmc", "fabrik", "ccd", "marquardt", "lm"):
            assert measured.count(f"| {chain} | `{method}` |") == 2  # random targets, and the circle
    assert "python benchmarks/relaxation_compared.py" in text
