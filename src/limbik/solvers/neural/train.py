"""Training of a network from Python: `train`."""

from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from limbik.errors import BadOption, shown
from limbik.formats.content.content import Content
from limbik.model.robots import is_arm
from limbik.solvers.building.parts import check_place
from limbik.solvers.building.work import Progress
from limbik.solvers.neural.choosing import Objective, chosen, objective_named
from limbik.solvers.neural.content import scale_of
from limbik.solvers.neural.example_file import read_examples
from limbik.solvers.neural.examples import Drawn, Examples, kept
from limbik.solvers.neural.settings import settings_from
from limbik.solvers.neural.training import Plan, Training, run
from limbik.solvers.neural.training import train as train_plan

if TYPE_CHECKING:
    from limbik.robot.chain import Chain


def train(
    arm: "Chain",
    path: str | PathLike[str] | None = None,
    *,
    samples: Any = None,
    prefer: str | Objective | None = None,
    places: bool = False,
    fresh: bool = False,
    progress: Progress | None = None,
    **settings: Any,
) -> Content:
    """Train a network on the configurations (postures) of a chain, for `arm.with_network`.

    path: the output file; the same call resumes an interrupted training and gives the same bytes. None trains in memory.
    samples: examples instead of random postures: a file (.npz with arrays T and q, or .csv), or a pair (targets (N, 4, 4),
    postures (N, n)). prefer: a secondary objective for the postures of a redundant arm: "manipulable", or a function of q,
    (k, n) -> (k,), which is maximised locally. places: targets are positions (N, 3), without orientation. progress: called with
    the finished steps, the number of steps, and a status text. settings: heads, width, layers, steps, batch, rate, check,
    patience, seed, examples (see `limbik train --help`). Raises BadOption, BadFile, FileUnreadable, FileUnwritable.
    """
    if progress is not None and not callable(progress):
        raise BadOption(f"progress={shown(progress)} is not a function of (done, total, stage)")
    if path is not None:
        if not isinstance(path, str | PathLike):
            raise BadOption(f"path={shown(path)}: the name of a file, or None")
        check_place(Path(path))
    plan = plan_for(arm, samples=samples, prefer=prefer, places=places, **settings)
    if path is not None:
        return train_plan(plan, path, fresh=fresh, progress=progress)
    training = Training(plan)
    run(training, progress)
    return training.content()


def plan_for(
    arm: "Chain", *, samples: Any = None, prefer: str | Objective | None = None, places: bool = False, **settings: Any
) -> Plan:
    """Return the plan of a training. Raises BadOption, BadFile, FileUnreadable, ShapeError."""
    if not is_arm(arm):
        raise BadOption(
            f"a network is for a chain; got {shown(arm)}: name a tip, as in load(..., tip=...), or take skeleton.chain(tip)"
        )
    if not isinstance(places, bool):
        raise BadOption(f"places={shown(places)}: True for a network of positions, False for one of poses")
    chosen_settings = settings_from(settings)
    drawn = Drawn(arm.model, scale_of(arm.model))
    source: Examples = drawn
    notes: dict[str, Any] = {}
    if samples is not None and prefer is not None:
        raise BadOption("samples= gives postures and prefer= chooses them: give one of them")
    plan = Plan(arm.model, source, chosen_settings, places)  # a robot without moving joints is refused before any work
    if samples is not None:
        source = _given(arm, samples, places)
    elif prefer is not None:
        name, function = objective_named(arm.model, prefer, places=places)
        source = chosen(arm.model, drawn, function, name, chosen_settings, places=places)
        notes["prefer"] = name
    sided = prefer is not None and not isinstance(prefer, str)  # the value of a function may depend on the side
    return Plan(plan.model, source, chosen_settings, places, sided, notes)


def _given(arm: "Chain", samples: Any, places: bool) -> Examples:
    if isinstance(samples, str | PathLike):
        return read_examples(arm.model, Path(samples), places=places)
    if isinstance(samples, Mapping) and set(samples) == {"T", "q"}:
        samples = samples["T"], samples["q"]
    try:
        T, q = samples
    except (TypeError, ValueError):
        raise BadOption("samples= takes a file, or a pair: targets (N, 4, 4) and postures (N, n)") from None
    return kept(arm.model, T, q, places=places)
