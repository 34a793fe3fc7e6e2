"""Small cells with simple models beside large cells with rich models, and the number of neurons of a network.

"The same accuracy can be obtained by reducing the number of cells but increasing the order of the model" (section 4.1). All
values are for the Puma's position and all solutions together. Only the cells of the targets are built; the storage of the whole
table follows from the number of cells that random postures reach.
"""

from typing import Any

import numpy as np

from limbik.papers.claim import Cell, Claim
from limbik.papers.kim_tarokh.arms import places, puma
from limbik.papers.kim_tarokh.scores import of_places
from limbik.papers.paper import SEED, Experiment, Findings, Setting
from limbik.solvers.table.cells.fitting import place_level
from limbik.solvers.table.cells.settings import Settings, first_grid
from limbik.solvers.table.cells.split import Split

TARGETS, QUICK_TARGETS = 2000, 100
NEURON_TARGETS, QUICK_NEURON_TARGETS = 400, 40
NEURONS, QUICK_NEURONS = (2, 3, 4, 5, 6, 8), (3, 5, 8)
SIDES = (100, 150, 200, 300)
MODELS = ("linear", "quadratic", "cubic")
KILOBYTE = 1e3
# The number of random postures by which occupied cells are counted.
SCOUTS = 300_000


def mean_error(setting: Setting, targets: int, **changed: Any) -> tuple[float, float, float]:
    """Return the mean error of all solutions [mm], the success [%] and the storage of the whole table [KB]."""
    split, settings = puma(**changed)
    truth = places(split, settings, setting.rng(), targets)
    addresses = np.unique(first_grid(split, settings).address(truth.u))
    level = place_level(split, settings, None, addresses)
    score = of_places(split, level.compiled(), truth)
    share = len(addresses) / occupied(split, settings)
    return score.mean, score.success, level.record_bytes / KILOBYTE / share


def occupied(split: Split, settings: Settings) -> int:
    """Return the number of cells that random postures reach."""
    u = split.place(split.model.sample(np.random.default_rng(SEED), SCOUTS)[:, : split.joints])
    return len(np.unique(first_grid(split, settings).address(u)))


def measure(setting: Setting) -> Findings:
    """Build each table for the cells of some targets, and score it."""
    out: dict[str, float] = {}
    for side in SIDES:
        for model in MODELS:
            found = mean_error(setting, setting.size(TARGETS, QUICK_TARGETS), position_side=side / 1e3, model=model)
            out |= dict(zip((f"{model} {side} {what}" for what in ("mean", "success", "storage")), found, strict=True))
    for hidden in NEURONS:
        key = f"N {hidden}"
        if setting.quick and hidden not in QUICK_NEURONS:
            out[key] = np.nan
            continue
        targets = setting.size(NEURON_TARGETS, QUICK_NEURON_TARGETS)
        out[key] = mean_error(setting, targets, position_side=0.2, model="network", hidden=hidden)[0]
    return Findings(out)


def _claims(side: int, model: str) -> tuple[Claim, ...]:
    def claim(name: str, text: str, unit: str) -> Claim:
        cell = Cell(
            "Puma, position: size of the cells and order of the model", f"{side} mm, {model}", f"{name} [{unit}]"
        )
        return Claim(f"{model} {side} {name}", f"{side} mm, {model}: {text}", unit, None, None, cell)

    return (claim("mean", "mean error", "mm"), claim("success", "success", "%"), claim("storage", "storage", "KB"))


def _neurons(hidden: int) -> Claim:
    cell = Cell("Puma, position: networks in cells of 200 mm", f"N = {hidden}", "mean [mm]")
    return Claim(f"N {hidden}", f"200 mm, network N = {hidden}: mean error", "mm", None, None, cell)


EXPERIMENT = Experiment(
    name="cell size, order, neurons",
    claims=(
        *(claim for side in SIDES for model in MODELS for claim in _claims(side, model)),
        *(_neurons(hidden) for hidden in NEURONS),
    ),
    measure=measure,
)
