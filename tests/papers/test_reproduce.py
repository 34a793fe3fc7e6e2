"""`limbik reproduce`: claims are judged correctly, and the output has the documented form."""

import json
import math
import subprocess
import sys
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

import limbik as lk
from limbik.cli.reproduce_tables import grids
from limbik.papers.claim import Cell, Claim, at_least, at_most, exactly, within
from limbik.papers.paper import Experiment, Findings, Setting
from limbik.papers.registry import PAPERS, paper


def limbik(*arguments, cwd=None):
    program = Path(sys.executable).parent / "limbik"
    return subprocess.run(
        [str(program), *arguments], capture_output=True, text=True, check=False, cwd=cwd, timeout=1800
    )


@pytest.mark.parametrize(
    ("bar", "met", "missed"),
    [(at_most(2), 2, 2.1), (at_least(2), 2, 1.9), (exactly(8), 8, 7), (within(0.1, 5), 5.09, 5.2)],
)
def test_a_bar_divides(bar, met, missed):
    claim = Claim("x", "what", "unit", 5.0, bar)
    assert claim.judged(met).ok is True and claim.judged(missed).ok is False
    assert claim.judged(math.nan).ok is False and claim.judged(math.nan).ours is None


def test_a_claim_without_a_bar_is_only_shown():
    row = Claim("x", "what", "us").judged(3.0)
    assert row.as_json() == {
        "what": "what",
        "paper": None,
        "ours": 3.0,
        "unit": "us",
        "ok": None,
        "cause": None,
        "verdict": None,
    }


def test_an_experiment_measures_what_it_claims():
    lame = Experiment("lame", (Claim("x", "what", "us"),), lambda setting: Findings({"y": 1.0}))
    with pytest.raises(lk.LimbikError, match="x, y"):
        lame.run(Setting())


def test_every_paper_is_registered_under_its_name():
    for name in PAPERS:
        found = paper(name)
        whats = [c.what for s in found.sections for e in s.experiments for c in e.claims]
        assert found.name == name and len(set(whats)) == len(whats)


def test_an_unknown_paper_gets_one_line():
    done = limbik("reproduce", "chinn")
    assert done.returncode == 2 and "did you mean 'chin'" in done.stderr and done.stderr.count("\n") == 1
    with pytest.raises(lk.errors.UnknownPaper):
        paper("nobody")


def test_help_has_an_example():
    assert "limbik reproduce chin --quick" in limbik("reproduce", "--help").stdout


def test_json_has_the_promised_form(tmp_path):
    done = limbik("reproduce", "all", "--quick", "--json", cwd=tmp_path)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert [each["paper"] for each in lines] == list(PAPERS) and done.stderr == ""
    rows = [row for each in lines for row in each["rows"]]
    for row in rows:
        assert list(row) == ["what", "paper", "ours", "unit", "ok", "cause", "verdict"]
        assert row["ok"] in (True, False, None) and isinstance(row["ours"], float | int | None)
    assert done.returncode == int(any(row["ok"] is False and row["cause"] is None for row in rows))
    whats = [row["what"] for row in rows]
    assert len(set(whats)) == len(whats) and sum(what.startswith("verdict: ") for what in whats) >= 7
    assert not list(tmp_path.iterdir())


def test_tables_and_pictures_for_people(tmp_path):
    pytest.importorskip("matplotlib")
    done = limbik("reproduce", "chin", "--quick", cwd=tmp_path)
    assert "acceptance criteria met" in done.stdout and "Traceback" not in done.stderr
    drawn = {path.name for path in (tmp_path / "reproduced" / "chin").glob("*.png")}
    assert {"flexion.png", "abduction.png", "eight_postures.png", "figure_6_1.png", "figure_g_1.png"} <= drawn
    printed = " ".join(done.stdout.split())
    assert "2825 / " in printed and "Table C.2, target by target" in printed
    assert (
        printed.index("where results differ") < printed.index("verdicts - hypothesis 1") < printed.index("criteria met")
    )
    assert ": fails" in printed and ": depends (" in printed


def test_figures_with_a_place_in_a_table_are_shown_there():
    rows = [
        Claim(f"{line} {column}", f"{line}, {column}", "m", 2.5, at_most(3), Cell("T", line, column)).judged(ours)
        for line, column, ours in (("a", "x", 1.0), ("a", "y", 4.0), ("b", "y", math.nan))
    ]
    (table,) = grids([*rows, Claim("z", "z", "m").judged(1.0)])
    console = Console(width=100, file=StringIO())
    console.print(table)
    text = [" ".join(line.split()) for line in console.file.getvalue().splitlines()]
    assert text == ["T", "x y", "a 2.5 / 1 (<= 3) 2.5 / 4 (<= 3) MISSED", "b 2.5 / none (<= 3) MISSED"]


def test_an_out_that_is_a_file_gets_one_line(tmp_path):
    (tmp_path / "taken").write_text("")
    done = limbik("reproduce", "chin", "--quick", "--out", "taken", cwd=tmp_path)
    assert done.returncode == 2 and "cannot make the folder" in done.stderr and done.stderr.count("\n") == 1
