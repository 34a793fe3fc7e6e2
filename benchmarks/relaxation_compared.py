"""MMC beside FABRIK, CCD and Levenberg-Marquardt on the same chains: `python benchmarks/relaxation_compared.py`.

Writes the tables of docs/relaxation_compared.md, between its marks, and the picture beside them. Three experiments:
  hinges    chains of revolute joints, random targets for the tip from random starts: success, steps, time, joint travel
  a circle  the tip follows a circle, each frame starts from the one before: joint travel and jerk
  balls     chains of free segments in space, described by points alone: cycles of MMC beside rounds of FABRIK

Times are those of one machine. lm and the point form of MMC run in the core, the other methods in Python with NumPy: compare
steps, success and motion rather than times.
"""

import argparse
import math
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

import matplotlib
import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

import limbik as lk
from benchmarks.measurement import SEED
from limbik.papers.cruse_steinkuehler.forms import fabrik_rounds

matplotlib.use("Agg")
from matplotlib import pyplot

ROOT = Path(__file__).parents[1]
PAGE, PICTURE = ROOT / "docs" / "relaxation_compared.md", ROOT / "docs" / "pictures" / "relaxation_compared.png"
METHODS = ("mmc", "fabrik", "ccd", "marquardt", "lm")
TARGETS, FRAMES, BALLS = 200, 200, 200
# A solve tries no further start after this time [s].
TIME_LIMIT = 0.25
COLOURS = dict(zip(METHODS, ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#7f7f7f"), strict=True))
BEGIN, END = "<!-- measured -->", "<!-- end -->"


def planar(n: int, limit: float | None = None) -> lk.Chain:
    """Return a planar arm of n segments of length 1 / n. limit: of all joints but the first [rad]."""
    rows = [(1.0 / n, 0, 0, 0, *(() if limit is None or k == 0 else ("revolute", -limit, limit))) for k in range(n)]
    return lk.Chain.from_dh(rows, name=f"planar{n}")


def snake(n: int) -> lk.Chain:
    """Return an arm in space whose joint axes alternate between two directions."""
    rows = [(1.0 / n, math.pi / 2 * (1 if k % 2 else -1), 0, 0, "revolute", -1.6, 1.6) for k in range(n)]
    return lk.Chain.from_dh(rows, name=f"snake{n}")


def chains() -> dict[str, lk.Chain]:
    """Return the chains of revolute joints by name."""
    named = {name: lk.load(name) for name in ("planar3_cruse", "ur5", "panda", "human_arm_7")}
    made = {
        "planar, 10 limbs": planar(10),
        "planar, 10 limbs, joints +-60°": planar(10, math.radians(60)),
        "snake, 12 hinges": snake(12),
    }
    return {name: chain for name, chain in (named | made).items() if isinstance(chain, lk.Chain)}


@dataclass(frozen=True)
class Row:
    """One method on one chain: targets reached [%], and medians over them: steps, time, joint travel [rad]."""

    reached: float
    steps: float
    microseconds: float
    travel: float


def hinges(chain: lk.Chain, method: str) -> Row:
    """Solve for random positions of the tip from random starts. Only the first attempt counts."""
    rng = np.random.default_rng(SEED)
    reached, steps, times, travel = 0, [], [], []
    for _ in range(TARGETS):
        target, start = chain.forward(chain.sample(rng))[:3, 3], chain.sample(rng)
        goal = lk.Position(None, target)
        before = perf_counter()
        answer = chain.solve(goal, seed=start, method=method, seconds=TIME_LIMIT)
        taken = perf_counter() - before
        if answer.ok and answer.attempt == 0:
            reached += 1
            times.append(taken * 1e6)
            travel.append(float(np.abs(chain.model.difference(start, answer.q)).sum()))
            steps.append(_steps(chain, goal, start, method, answer))
    return Row(100.0 * reached / TARGETS, *(float(np.median(x)) if x else math.nan for x in (steps, times, travel)))


def _steps(
    chain: lk.Chain, goal: lk.Position, start: np.ndarray, method: str, answer: lk.Answer | lk.GoalAnswer
) -> float:
    """Return the steps of an attempt: for mmc its cycles; NaN for lm, which has no trace."""
    if method == "mmc":
        found = re.search(r"(\d+) cycles", answer.why)
        return float(found[1]) if found else 0.0
    return math.nan if method == "lm" else float(len(lk.methods.trace(chain, goal, start, method)))


def circle(chain: lk.Chain, method: str) -> tuple[float, float, float]:
    """Follow a circle, and return the frames reached [%], the joints' travel [rad] and their jerk [rad / frame^3, rms]."""
    start = chain.clamp(np.full(chain.n, 0.35) * np.where(np.arange(chain.n) % 2, 1, -1) + chain.home)
    centre = chain.forward(start)[:3, 3]
    toward = -centre / np.linalg.norm(centre)
    side = np.cross([0.0, 0.0, 1.0], toward)
    side = side / np.linalg.norm(side)
    radius = 0.12 * chain.reach
    q, reached, postures = start, 0, []
    for t in np.linspace(0.0, 2.0 * math.pi, FRAMES + 1)[1:]:
        point = centre + radius * (1.0 - math.cos(t)) * toward + radius * math.sin(t) * side
        answer = chain.solve(lk.Position(None, point), seed=q, method=method, seconds=TIME_LIMIT)
        reached += answer.ok
        q = answer.q
        postures.append(q)
    trajectory = np.array(postures)
    jerk = np.diff(trajectory, 3, axis=0)
    return 100.0 * reached / FRAMES, float(np.abs(np.diff(trajectory, axis=0)).sum()), float(np.sqrt(np.mean(jerk**2)))


def balls(n: int) -> dict[str, tuple[float, float, float]]:
    """Return reached [%], median cycles or rounds, and time in the core [us], for n free segments of length 1 in space."""
    form = lk.relaxation.PointForm.chain([1.0] * n)
    near = 0.01 * n / 3
    rng = np.random.default_rng(SEED)
    problems = [(form.sample(rng)[-1], form.sample(rng)) for _ in range(BALLS)]
    runs: dict[str, Callable[[np.ndarray, np.ndarray], float]] = {
        "MMC, omega = 1": lambda t, s: _cycles(
            form.relax(t, s, tolerance=near, omega=1.0, cycles=20000, attempts=1, finish=False)
        ),
        "MMC, own step": lambda t, s: _cycles(form.relax(t, s, tolerance=near, cycles=20000, attempts=1, finish=False)),
        "FABRIK": lambda t, s: fabrik_rounds(s, t, near),
    }
    found = {}
    for name, run in runs.items():
        before = perf_counter()
        counts = np.array([run(*problem) for problem in problems])
        taken = (perf_counter() - before) / len(problems) * 1e6
        finished = counts[np.isfinite(counts)]
        found[name] = (
            100.0 * len(finished) / len(counts),
            float(np.median(finished)),
            taken if name != "FABRIK" else math.nan,
        )
    return found


def _cycles(done: lk.relaxation.Relaxed) -> float:
    return float(done.cycles) if done.ok else math.inf


def table(head: tuple[str, ...], rows: list[tuple[object, ...]]) -> str:
    """Return a Markdown table."""
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join([*lines, *("| " + " | ".join(_shown(x) for x in row) + " |" for row in rows)])


def _shown(x: object) -> str:
    if not isinstance(x, float):
        return str(x)
    return "" if math.isnan(x) else f"{x:.0f}" if abs(x) >= 100 or x == round(x) else f"{x:.3g}"


def draw(measured: dict[str, dict[str, Row]], followed: dict[str, dict[str, tuple[float, float, float]]]) -> None:
    """Draw success and steps on hinges, travel and jerk on the circle."""
    figure, panels = pyplot.subplots(2, 2, figsize=(10.5, 7.2), layout="constrained")
    names = list(measured)
    place = np.arange(len(names))
    wide = 0.8 / len(METHODS)
    for k, method in enumerate(METHODS):
        at = place + (k - (len(METHODS) - 1) / 2) * wide
        style = {"color": COLOURS[method], "label": method}
        panels[0, 0].barh(at, [measured[n][method].reached for n in names], wide, **style)
        panels[0, 1].barh(at, [measured[n][method].travel for n in names], wide, **style)
        panels[1, 0].barh(at, [followed[n][method][1] for n in names], wide, **style)
        panels[1, 1].barh(at, [max(followed[n][method][2], 1e-8) for n in names], wide, **style)
    titles = ("reached from one start [%]", "joint travel to a random target, median [rad]",
              "joint travel along a circle, all joints [rad]", "jerk along the circle, rms [rad / frame³]")  # fmt: skip
    for panel, title in zip(panels.flat, titles, strict=True):
        panel.set_yticks(place, names)
        panel.invert_yaxis()
        panel.set_title(title, fontsize=10)
        panel.grid(axis="x", color="#dddddd")
        panel.set_axisbelow(True)
        panel.spines[["top", "right"]].set_visible(False)
    for panel in panels[1]:
        panel.set_xscale("log")
    for panel in panels[:, 1]:
        panel.set_yticklabels([])
    figure.legend(
        *panels[0, 0].get_legend_handles_labels(), loc="outside upper center", ncols=len(METHODS), frameon=False
    )
    from PIL import Image

    figure.set_dpi(90)
    figure.canvas.draw()
    pixels = np.asarray(figure.canvas.buffer_rgba())  # type: ignore[attr-defined]
    Image.fromarray(pixels).convert("RGB").quantize(64).save(PICTURE, optimize=True)
    pyplot.close(figure)


def page() -> str:
    """Measure everything and return the tables."""
    measured = {name: {m: hinges(chain, m) for m in METHODS} for name, chain in chains().items()}
    followed = {name: {m: circle(chain, m) for m in METHODS} for name, chain in chains().items()}
    draw(measured, followed)
    parts = ["### Hinges: a random target from a random start", ""]
    rows: list[tuple[object, ...]] = []
    for name, by_method in measured.items():
        for method, row in by_method.items():
            rows.append((name, f"`{method}`", row.reached, row.steps, row.microseconds, row.travel))
    head = (
        "chain",
        "method",
        "reached from one start [%]",
        "steps, median",
        "time, median [us]",
        "joint travel, median [rad]",
    )
    parts += [table(head, rows), "", "### A circle: each frame from the one before", ""]
    rows = [(name, f"`{m}`", *values) for name, by in followed.items() for m, values in by.items()]
    parts += [
        table(("chain", "method", "frames reached [%]", "joint travel [rad]", "jerk, rms [rad / frame³]"), rows),
        "",
    ]
    rows = [(f"{n} limbs", method, *values) for n in (3, 7, 10, 20, 50) for method, values in balls(n).items()]
    parts += ["### Balls: free limbs in space", ""]
    parts += [table(("chain", "method", "reached [%]", "cycles or rounds, median", "time [us]"), rows)]
    return "\n".join(parts)


def main() -> int:
    """Measure, and write the page's tables and picture."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--print", action="store_true", help="print the tables; do not change the page")
    shown = page()
    if parser.parse_args().print:
        print(shown)
        return 0
    text = PAGE.read_text()
    before, rest = text.split(BEGIN)
    after = rest.split(END)[1]
    PAGE.write_text(f"{before}{BEGIN}\n{shown}\n{END}{after}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
