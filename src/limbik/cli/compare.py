"""`limbik compare`: every method on the same targets of one robot, each answer verified.

Targets are poses of random postures inside the limits, so that each can be reached. All methods start from the same
postures: random ones, or some near the answer. A method that goes step by step has one attempt and stops when it is there;
`closed_form` and `lm` are run as `solve` runs them, `lm` with its table of starts. Success is a posture at the target inside
the limits, as for every answer.
"""

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from time import perf_counter
from typing import Annotated

import numpy as np
import typer
from rich.table import Table

from limbik.cli.compare_plots import draw_paths, draw_rows
from limbik.cli.console import plain_console, print_whole, watched
from limbik.cli.contest import PATIENCE
from limbik.errors import BadOption, LimbikError, suggest
from limbik.formats.source import need
from limbik.model.transform import Array
from limbik.robot.chain import Chain
from limbik.robot.load import load
from limbik.robot.stepping import goes_by_steps
from limbik.solvers.iterative.stepping import Task, run, steps_of
from limbik.solvers.registry import METHODS

# Where pictures go when --trace asks for them and --out does not say.
PICTURES = Path("compared")

EXAMPLES = """Examples:

  limbik compare panda                                       every method, random starts

  limbik compare puma560 --near 0.2 --targets 500            starts within 0.2 rad of the answer

  limbik compare cell.urdf --tip tool0 --methods lm,dls,ccd --json

  limbik compare scara --trace --out pictures                also draws the ways that the methods take
"""


@dataclass(frozen=True)
class Try:
    """What one method did with one target. steps and evaluations: None for methods that do not tell."""

    ok: bool
    seconds: float
    steps: int | None
    evaluations: int | None
    turn_deg: float
    slide_m: float


@dataclass(frozen=True)
class Row:
    """What one method did with all its targets: shares in per cent; of the solved, medians, and the largest joint jump."""

    method: str
    targets: int
    success: float
    steps: float | None
    evaluations: float | None
    median_ms: float
    p95_ms: float
    median_turn_deg: float | None
    largest_turn_deg: float | None
    largest_slide_m: float | None


def compare(
    robot: Annotated[str, typer.Argument(help="A name of the catalogue or a file.")],
    base: Annotated[str | None, typer.Option(help="Frame to start from.")] = None,
    tip: Annotated[str | None, typer.Option(help="Frame to bring to the targets.")] = None,
    unit: Annotated[str, typer.Option(help="What lengths in the robot's file are written in.")] = "m",
    targets: Annotated[int, typer.Option(help="How many targets.")] = 100,
    seed: Annotated[int, typer.Option(help="Which random targets and starts.")] = 0,
    methods: Annotated[str | None, typer.Option(help="Names separated by commas; default: all that apply.")] = None,
    near: Annotated[
        float | None, typer.Option(help="Start within so many radians (half spans for slides) of the answer.")
    ] = None,
    trace: Annotated[
        bool, typer.Option("--trace", help="Draw the ways to one target, in joint and task space.")
    ] = False,
    out: Annotated[Path | None, typer.Option(help="Folder for pictures (.png).")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Compare the methods on one robot: success, steps, evaluations, time, joint jumps."""
    if targets < 1:
        raise BadOption(f"--targets {targets}: at least one is needed")
    if seed < 0:
        raise BadOption(f"--seed {seed}: it must not be below 0")
    if near is not None and not 0 <= near < np.inf:
        raise BadOption(f"--near {near:g}: give radians, 0 or more")
    names = _chosen(methods)
    if trace or out is not None:
        need("matplotlib", "plot", "drawing")
    arm = load(robot, base, tip, unit)
    if not isinstance(arm, Chain):
        raise BadOption(f"'{arm.name}' has several tips; name one: --tip {arm.tips[0]}")
    if arm.n == 0:
        raise BadOption(f"'{arm.name}' has no joint that moves between '{arm.base}' and '{arm.tip}'")
    truth, starts = problems(arm, targets, seed, near)
    fit, left_out = applicable(arm, names, truth[0])
    rows = measure(arm, fit, truth, starts)
    pictures = _draw(arm, rows, fit, truth, starts, near, trace, out) if trace or out is not None else []
    if as_json:
        facts = {"robot": arm.name, "targets": targets, "seed": seed, "near": near}
        print(json.dumps({**facts, "rows": [asdict(row) for row in rows], "left_out": left_out, "pictures": pictures}))
        return
    _print(arm, rows, left_out, targets, near)
    for picture in pictures:
        print(f"drawn: {picture}")


compare.__doc__ = f"{compare.__doc__}\n\n{EXAMPLES}"


def _chosen(text: str | None) -> list[str]:
    if text is None:
        return list(METHODS)
    names = list(dict.fromkeys(name.strip() for name in text.split(",") if name.strip()))
    if not names:
        raise BadOption("--methods is empty; give names separated by commas, or leave it out for all")
    for name in names:
        if name not in METHODS:
            raise BadOption(f"no method {name!r}; {suggest(name, METHODS).replace('it has', 'there are', 1)}")
    return names


def problems(arm: Chain, count: int, seed: int, near: float | None) -> tuple[Array, Array]:
    """Return (count, n) postures whose poses are the targets, and (count, n) starts, all inside the limits."""
    rng = np.random.default_rng(seed)
    truth = arm.sample(rng, count)
    if near is None:
        return truth, arm.sample(rng, count)
    step = rng.uniform(-near, near, truth.shape)
    for v in arm._compiled.variables:
        if v.joint.kind.size == 1 and not v.joint.kind.turns:
            step[:, v.first] *= arm._plans.subject.length
    return truth, arm.clamp(arm.integrate(truth, step))


def applicable(arm: Chain, names: list[str], q: Array) -> tuple[list[str], dict[str, str]]:
    """Return the methods that take poses of this arm, and for the others a sentence that says why not."""
    fit, left_out = [], {}
    for name in names:
        try:
            if not {"Pose", "*"} & set(METHODS[name].goals):
                raise BadOption(f"it takes {' or '.join(METHODS[name].goals)} goals, no poses")
            if goes_by_steps(name):
                arm._task(arm.forward(q), True, None, None)
                steps_of(name)
            else:
                arm.solve(arm.forward(q), seed=q, method=name)
        except LimbikError as error:
            left_out[name] = str(error)
        else:
            fit.append(name)
    return fit, left_out


def measure(arm: Chain, names: list[str], truth: Array, starts: Array) -> list[Row]:
    """Return a row for each method, the most successful first, then the fastest."""
    poses = arm.forward(truth)
    tries: dict[str, list[Try]] = {name: [] for name in names}
    spent = dict.fromkeys(names, 0.0)
    work = [(name, k) for name in names for k in range(len(truth))]
    for name, k in watched(work, f"{len(names)} methods, {len(truth)} targets"):
        if spent[name] <= PATIENCE:
            tries[name].append(_try(arm, name, poses[k], starts[k]))
            spent[name] += tries[name][-1].seconds
    rows = [_row(name, done) for name, done in tries.items()]
    return sorted(rows, key=lambda row: (-row.success, row.median_ms))


def _try(arm: Chain, name: str, T: Array, start: Array) -> Try:
    if not goes_by_steps(name):
        begun = perf_counter()
        answer = arm.solve(T, seed=start, method=name)
        seconds = perf_counter() - begun
        return Try(bool(answer.ok), seconds, None, None, *_jump(arm, answer.q, start))
    task = arm._task(T, True, None, None)
    begun = perf_counter()
    ok, q, steps, evaluations = attempt(task, name, start)
    return Try(ok, perf_counter() - begun, steps, evaluations, *_jump(arm, q, start))


def attempt(task: Task, name: str, start: Array) -> tuple[bool, Array, int, int]:
    """Run a method once, until it is there or gives up; return (ok, q, steps, evaluations of the hand and its Jacobian)."""
    steps, settings = steps_of(name)
    problem = task.problem()
    q, taken = start, 0
    for k, x in enumerate(run(problem, steps, settings, problem.x(start))):
        q, taken = task.settled(problem.q(x), start), k
        if task.reached(q):
            return True, q, taken, problem.evaluations + problem.jacobians
    return False, q, taken, problem.evaluations + problem.jacobians


def _jump(arm: Chain, q: Array, start: Array) -> tuple[float, float]:
    """Return the largest joint difference: degrees of joints that turn, metres of those that slide."""
    turn = slide = 0.0
    gap = np.abs(arm.difference(start, q))
    for v in arm._compiled.variables:
        largest = float(gap[v.first : v.first + v.joint.kind.size].max())
        if v.joint.kind.size == 1 and not v.joint.kind.turns:
            slide = max(slide, largest)
        else:
            turn = max(turn, float(np.degrees(largest)))
    return turn, slide


def _row(name: str, tries: list[Try]) -> Row:
    solved = [t for t in tries if t.ok]
    times = np.array([t.seconds for t in tries]) * 1e3
    told = [t for t in solved if t.steps is not None]
    return Row(
        method=name,
        targets=len(tries),
        success=100.0 * len(solved) / len(tries),
        steps=float(np.median([t.steps for t in told])) if told else None,
        evaluations=float(np.median([t.evaluations for t in told])) if told else None,
        median_ms=float(np.median(times)),
        p95_ms=float(np.percentile(times, 95)),
        median_turn_deg=float(np.median([t.turn_deg for t in solved])) if solved else None,
        largest_turn_deg=max(t.turn_deg for t in solved) if solved else None,
        largest_slide_m=max(t.slide_m for t in solved) if solved else None,
    )


def _print(arm: Chain, rows: list[Row], left_out: dict[str, str], targets: int, near: float | None) -> None:
    console = plain_console()
    start = "random starts" if near is None else f"starts within {near:g} rad of the answer"
    console.print(f"{arm.name}: {targets} targets, {start}", style="bold")
    slides = any(v.joint.kind.size == 1 and not v.joint.kind.turns for v in arm._compiled.variables)
    columns = ["method", "solved %", "steps", "evaluations", "median ms", "p95 ms", "jump deg", "largest"]
    columns += ["slide m"] if slides else []
    columns += ["what it is"]
    table = Table(box=None, header_style="bold")
    for column in columns:
        table.add_column(column, justify="left" if column in ("method", "what it is") else "right")
    for row in rows:
        share = f"{row.success:.1f}" + ("" if row.targets == targets else f" of {row.targets}")
        cells = [row.method, share, _number(row.steps, ".0f"), _number(row.evaluations, ".0f")]
        cells += [f"{row.median_ms:.3g}", f"{row.p95_ms:.3g}"]
        cells += [_number(row.median_turn_deg, ".0f"), _number(row.largest_turn_deg, ".0f")]
        cells += [_number(row.largest_slide_m, ".3g")] if slides else []
        table.add_row(*cells, METHODS[row.method].title)
    print_whole(console, table)
    for name, why in left_out.items():
        console.print(f"left out: {name}: {why}")
    console.print(
        "One attempt each from the start; closed_form and lm as solve runs them. Steps, evaluations (of the hand and of its "
        "Jacobian) and jumps are medians of the solved; times are of all."
    )


def _number(x: float | None, form: str) -> str:
    return "" if x is None else format(x, form)


def _draw(
    arm: Chain,
    rows: list[Row],
    names: list[str],
    truth: Array,
    starts: Array,
    near: float | None,
    trace: bool,
    out: Path | None,
) -> list[str]:
    folder = PICTURES if out is None else out
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadOption(f"--out {folder}: {error.strerror or error}; give a folder that can be written to") from None
    stem = "".join(c if c.isalnum() or c in "-_" else "_" for c in arm.name)
    start = "random starts" if near is None else f"starts within {near:g} rad"
    made = [folder / f"{stem}_methods.png"]
    draw_rows([(r.method, r.success, r.median_ms) for r in rows], f"{arm.name}: {start}", made[0])
    if trace:
        stepping = [name for name in names if goes_by_steps(name)]
        if not stepping:
            raise BadOption("--trace draws methods that go step by step, and none of those chosen does")
        paths = {name: arm.trace(arm.forward(truth[0]), starts[0], name) for name in stepping}
        made.append(folder / f"{stem}_paths.png")
        draw_paths(arm, paths, truth[0], made[1])
    return [str(path) for path in made]
