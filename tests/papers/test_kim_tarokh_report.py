"""Kim and Tarokh's report: printed values are the paper's, bars are its figures or laws, verdicts follow from the values."""

import math
import re
from itertools import chain as joined
from itertools import pairwise
from threading import Thread
from time import perf_counter
from types import SimpleNamespace

import numpy as np
import pytest

from limbik.papers.kim_tarokh import animation, conclusions, full_tables, no_closed_form, printed, tables
from limbik.papers.kim_tarokh.arms import PUMA, chain
from limbik.papers.kim_tarokh.timing import in_turns, repeated
from limbik.papers.kim_tarokh.whole import matches
from limbik.papers.paper import Setting
from limbik.papers.registry import paper

CLAIMS = [claim for s in paper("kim_tarokh").sections for e in s.experiments for claim in e.claims]
# Numbers of the text: cells of the grids, cells with postures, of networks, solutions of the shoulder, storage.
TEXT = {129_654, 2_071_552, 8_785_920, 3400, 646, 4, 372, 340, 573, 605, 14.9, 1000, 24, 10}
TIME_UNITS = ("us", "ms", "s", "min")


def table_numbers():
    lines = joined.from_iterable(
        getattr(printed, f"TABLE_{name}") for name in ("2A", "2B", "3A", "3B", "6A", "6B", "7A", "7B")
    )
    found = {x for line in lines for x in (line.count, line.success, line.mean, line.deviation)}
    return found | {x for times in printed.TIMES.values() for x in times.values()}


def test_the_paper_column_holds_only_printed_numbers():
    known = table_numbers() | TEXT
    assert [claim.what for claim in CLAIMS if claim.paper is not None and claim.paper not in known] == []


def test_no_time_has_a_bar():
    assert [claim.what for claim in CLAIMS if claim.bar is not None and claim.unit in TIME_UNITS] == []


def test_bars_follow_from_the_printed_sample():
    line = printed.Line(400, 90.0, 2.0, 4.0)
    assert tables.mean_bar(line).high == pytest.approx(2.0 + 3 * 4.0 / 20)
    assert tables.success_bar(line).low == pytest.approx(90.0 - 3 * 30.0 / 20)
    assert tables.success_bar(printed.Line(400, None, 2.0, None)) is None
    assert tables.printed_mean((printed.Line(30, None, 1.0, None), printed.Line(10, None, 5.0, None))) == 2.0
    bars = {claim.key: claim.bar for claim in CLAIMS if re.fullmatch(r"(even|literal|network) \d mean", claim.key)}
    assert bars["literal 1 mean"] == bars["even 1 mean"] == tables.mean_bar(printed.TABLE_2A[0])


def test_most_rows_are_in_tables():
    assert sum(claim.cell is None for claim in CLAIMS) <= 45 < len(CLAIMS) / 8


def values(**changed):
    """Return 1 for every value of every experiment, but for some: experiment -> {key: value}."""
    found = {
        e.name: dict.fromkeys((c.key for c in e.claims), 1.0)
        for s in paper("kim_tarokh").sections
        for e in s.experiments
    }
    for name, keys in changed.items():
        found[name.replace("_", " ")] |= keys
    return found


def test_every_verdict_can_be_drawn_and_names_its_figures():
    drawn = [conclusion.drawn(values()) for conclusion in paper("kim_tarokh").conclusions]
    assert len(drawn) == len(conclusions.CONCLUSIONS) >= 12
    for verdict in drawn:
        assert re.search(r"\d", verdict.finding.sentence) and "nan" not in verdict.finding.sentence


def test_orders_of_magnitude_need_answers():
    fast = {f"{half} {key}": 500.0 for half in no_closed_form.RANGES for key in ("one ratio", "all ratio")}
    assert conclusions.orders(values(no_closed_form=fast)).share == 0.0
    useful = {f"{half} found": 95.0 for half in no_closed_form.RANGES}
    found = conclusions.orders(values(no_closed_form=fast | useful))
    assert found.verdict == "depends" and sum(found.readings.values()) == 6


def test_complete_means_every_posture():
    complete = dict.fromkeys(("60 found", "60 exact found"), 100.0)
    found = conclusions.complete(values(no_closed_form=complete | {"90 found": 99.99}))
    assert found.readings["random 6R, joints of +-60 deg"] and not found.readings["random 6R, joints of +-90 deg"]


def test_whole_tables_hold_fitted_records(tmp_path):
    settings = PUMA | {"per_cell": 60, "per_record": 60} | full_tables.COARSE
    built, sizes = full_tables.built(tmp_path, settings)
    rows = 156  # three joints with the 13 coefficients of model (7), four bytes each
    assert sizes["turn storage"] * 1e6 == rows * sizes["turn records"] and sizes["turn records"] > 1000
    T = chain("puma560").forward(chain("puma560").sample(np.random.default_rng(0), 200))
    q, _, counts, _ = built["halving"].find(T)
    given = np.arange(q.shape[1]) < counts[:, None]
    assert (np.abs(q[given]).max(axis=-1) > 0).all() and len(np.unique(q[given][:, 3:], axis=0)) == given.sum()
    index = built["index"].find(T)[0]
    np.testing.assert_array_equal(index, q)


def test_a_whole_pose_table_knows_nothing_about_its_targets():
    cells = no_closed_form.Cells(0.3, 60, 40, 0.2)
    setting = SimpleNamespace(quick=True, size=lambda full, quick: 100, rng=lambda: np.random.default_rng(4))
    found = no_closed_form.judged(no_closed_form.random_arm(60), cells, setting)
    assert 20.0 < found["found"] < 100.0 and found["drawn"] >= 100_000
    assert found["exact found"] >= found["found"] / 2 and found["worst"] <= no_closed_form.VERIFIED


def test_a_random_arm_without_limits_has_an_even_number_of_postures():
    arm = no_closed_form.random_arm(180)
    assert np.isinf(arm.upper).all() and "no closed form" in str(arm.structure)
    counts = arm.solve_all_batch(arm.forward(arm.sample(np.random.default_rng(3), 200)), threads=2).count
    assert (counts % 2 == 0).mean() >= 0.99 and (counts >= 1).all()


class Spied:
    """The human arm, with the seeds and answers of its batches."""

    def __init__(self):
        self.arm, self.seeds, self.answers, self.targets = chain("human_arm_7"), [], [], []

    def __getattr__(self, name):
        return getattr(self.arm, name)

    def solve_batch(self, T, seeds, threads):
        found = self.arm.solve_batch(T, seeds, threads=threads)
        self.seeds.append(seeds)
        self.answers.append(found.q)
        self.targets.append(T)
        return found


def test_limbs_start_from_the_answers_of_the_previous_frame(monkeypatch):
    monkeypatch.setattr(animation, "CHARACTERS", 3)
    monkeypatch.setattr(animation, "PASSES", 1)
    spied = Spied()
    out = animation.frame_times(spied, np.random.default_rng(0), 4)
    starts = [key for key, _ in animation.STARTS]
    previous, home, off, answer = (
        np.arange(3) * len(starts) + starts.index(key) for key in ("previous", "home", "off", "answer")
    )
    for before, now in pairwise(previous):
        np.testing.assert_array_equal(spied.seeds[now], spied.answers[before])
    assert all(spied.seeds[k] is None for k in home)
    for k, (away, at) in enumerate(zip(off, answer, strict=True)):
        gap = np.abs(spied.seeds[away] - spied.seeds[at]).max()
        assert 0.05 < gap <= animation.OFF
        assert np.abs(spied.seeds[previous[k]] - spied.seeds[at]).max() > 1e-3
    assert out["previous ok"] == 100.0 and out["previous limbs"] > 0
    assert out["previous characters"] == pytest.approx(out["previous limbs"] / 240)


def test_the_swing_stays_inside_the_limits():
    arm = chain("human_arm_7")
    at = animation.swing(arm, np.random.default_rng(1), 20)
    assert all(((at(t) >= arm.lower) & (at(t) <= arm.upper)).all() for t in np.linspace(0, 5, 50))


def test_calls_take_turns():
    order = []
    times = in_turns({"a": lambda: order.append("a"), "b": lambda: order.append("b")}, 10, 3, warm=False)
    assert order == ["a", "b"] * 3 and set(times) == {"a", "b"} and min(times.values()) > 0
    in_turns({"c": lambda: order.append("c")}, 10, 2)
    assert order[6:] == ["c"] * 4
    assert len(repeated(np.zeros((300, 2)), 1000)) == 1200 and len(repeated(np.zeros((3000, 2)), 1000)) == 3000


def test_matches_are_those_of_a_plain_loop():
    rng = np.random.default_rng(5)
    q, known = rng.uniform(-4, 4, (30, 3, 2)), rng.uniform(-4, 4, (30, 4, 2))
    count, given = rng.integers(0, 4, 30).astype(np.int32), rng.integers(0, 5, 30).astype(np.int32)
    good, found = matches(q, count, known, given, 1.0)
    for n in range(30):
        near = [
            [
                a < count[n] and b < given[n]
                and all(abs(math.remainder(x - y, 2 * math.pi)) <= 1.0 for x, y in zip(q[n, a], known[n, b], strict=True))
                for b in range(4)
            ]
            for a in range(3)
        ]  # fmt: skip
        assert good[n].tolist() == [any(row) for row in near]
        assert found[n].tolist() == [any(column) for column in zip(*near, strict=True)]


def test_a_quick_run_leaves_out_what_larger_cells_do_not_show():
    quick = next(e for s in paper("kim_tarokh").sections for e in s.experiments if e.name == "animation")
    rows, _ = quick.run(Setting(quick=True))
    assert all(row.ok is not False for row in rows)


def test_work_on_other_threads_counts():
    def spin():
        end = perf_counter() + 0.05
        while perf_counter() < end:
            pass

    def elsewhere():
        worker = Thread(target=spin)
        worker.start()
        worker.join()

    times = in_turns({"elsewhere": elsewhere, "nothing": lambda: None}, 1, 1, warm=False)
    assert times["elsewhere"] > 100.0 * times["nothing"]
