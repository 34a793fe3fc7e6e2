"""`limbik train`: train a network for a robot, with a progress bar; resumable."""

import json
from pathlib import Path
from time import perf_counter
from typing import Annotated, Any

import numpy as np
import typer

from limbik.cli.building import bar, resumable
from limbik.cli.one_arm import one_arm
from limbik.cli.options import AsJson, Base, Robot, Tip, Unit, ZeroLimits
from limbik.cli.table_build import settings_from_text
from limbik.errors import BadOption
from limbik.formats.content.content import Content
from limbik.robot.chain import Chain
from limbik.solvers.building.parts import check_place
from limbik.solvers.neural.settings import Settings
from limbik.solvers.neural.train import plan_for
from limbik.solvers.neural.training import train as train_plan

# The number of random targets that test the trained network.
TRIED = 2000

EXAMPLES = f"""Settings for --set, with their defaults: {", ".join(f"{k} ({v})" for k, v in Settings().as_json.items())}.

The validation error is the mean squared distance of the nearest head from held-out postures, relative to the joints' ranges.
Training stops early when it no longer decreases. Partial results are kept in F.parts/ until the network is written. After an
interruption, the same command resumes the training and writes the same file, byte for byte.

Examples:

  limbik train ur5 -o ur5.network

  limbik train cell.urdf --tip tool0 -o cell.network --set width=128 --set steps=50000

  limbik train panda -o panda.network --samples recorded.npz

  limbik train iiwa7 -o iiwa7.network --prefer manipulable

  limbik train planar3_guez -o planar.network --places --prefer manipulable
"""


def train(
    robot: Robot,
    out: Annotated[Path, typer.Option("--out", "-o", help="The file of the network: F.")],
    samples: Annotated[
        Path | None,
        typer.Option(help="Train on these examples: .npz with arrays T and q, or .csv with q and a pose per line."),
    ] = None,
    prefer: Annotated[str | None, typer.Option(help="Secondary objective of a redundant arm: 'manipulable'.")] = None,
    places: Annotated[bool, typer.Option("--places", help="Targets are positions; the orientation is free.")] = False,
    settings: Annotated[list[str] | None, typer.Option("--set", help="A setting, key=value.")] = None,
    base: Base = None,
    tip: Tip = None,
    unit: Unit = None,
    zero_limits: ZeroLimits = None,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Discard the partial results of an interrupted training.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Train a network on postures of a robot and write its weights to a file."""
    arm = one_arm(robot, base, tip, unit, zero_limits=zero_limits)
    start = perf_counter()
    for read in (Path(robot), samples):
        if read is not None and read.exists() and read.resolve() == out.resolve():
            raise BadOption(f"--out is '{read}', which is also an input: the network would overwrite it")
    check_place(out)
    with resumable(out), bar(last_only=True) as progress:
        plan = plan_for(arm, samples=samples, prefer=prefer, places=places, **settings_from_text(settings or []))
        content = train_plan(plan, out, fresh=fresh, progress=progress)
    facts: dict[str, Any] = {
        "file": str(out),
        "robot": content.robot,
        "bytes": out.stat().st_size,
        "seconds": round(perf_counter() - start, 3),
        "statistics": content.statistics,
        **({} if places else tried(arm, content)),
    }
    if as_json:
        print(json.dumps(facts))
        return
    print(
        f"{out}: {facts['bytes'] / 1000:.0f} KB, {facts['statistics']['steps']} steps in {facts['seconds']:.1f} s, "
        f"validation error {facts['statistics']['validation_error']:.3g}"
    )
    if not places:
        print(
            f"{facts['solved_by_network']:.1%} of {TRIED} random targets are solved from the network's seeds; mean steps per "
            f"target: {facts['steps_a_target']:.1f} (lm: {facts['steps_by_lm']:.1f}). Use it by solve(T, method='neural')"
        )


train.__doc__ = f"{train.__doc__}\n\n{EXAMPLES}"


def tried(arm: Chain, content: Content) -> dict[str, float]:
    """Return the success and the mean steps of a network on random targets."""
    with_network = arm.with_network(content)
    targets = arm.forward(arm.sample(np.random.default_rng(0), TRIED))
    found = with_network.solve_batch(targets, method="neural")
    baseline = with_network.solve_batch(targets, method="lm")
    return {
        "solved_by_network": float((found.ok & (found.attempt < 0)).mean()),
        "steps_a_target": float(found.steps.mean()),
        "steps_by_lm": float(baseline.steps.mean()),
    }
