"""Solutions separated without the closed form, and compared with it: random postures in random cells of the Puma and the arm.

Exact: one label per solution, without mixing. Merged: two solutions have one label, which makes both models wrong. Divided: one
solution has two labels, which costs a record and no accuracy.
"""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from limbik.geometry.arrays import Array
from limbik.papers.claim import Cell, Claim, exactly
from limbik.papers.kim_tarokh.arms import human_arm, puma
from limbik.papers.kim_tarokh.position import QUICK_SHARE, SHARE
from limbik.papers.paper import Experiment, Findings, Setting
from limbik.solvers.table.cells.classes import jacobians, linked, quality
from limbik.solvers.table.cells.coverage import placed
from limbik.solvers.table.cells.fitting import branches_of
from limbik.solvers.table.cells.fuzzy import fuzzy
from limbik.solvers.table.cells.samples import Samples, Whole
from limbik.solvers.table.cells.sampling import drawn
from limbik.solvers.table.cells.settings import first_grid
from limbik.solvers.table.cells.split import Split

CELLS, QUICK_CELLS = 1000, 80
SAMPLES = 150
PERCENT = 100.0
Classifier = Callable[[Samples, npt.NDArray[np.bool_], Array | None], Whole]
# The compared methods: key, name, function, and whether it gets the Jacobians.
METHODS: tuple[tuple[str, str, Classifier, bool], ...] = (
    ("linkage", "linkage, folds by the Jacobian", linked, True),
    ("distance", "linkage by distance alone", linked, False),
    ("fuzzy", "fuzzy c-means, sign of det J", fuzzy, True),
    ("plain fuzzy", "fuzzy c-means alone", fuzzy, False),
)
SIDES = (100, 200)
# A record of two solutions is wrong for both.
MERGED = exactly(0.0)


def puma_samples(side: int, cells: int, share: float, rng: np.random.Generator) -> tuple[Split, Samples]:
    """Return random postures in random cells with a side [mm], among the cells that random postures reach."""
    split, settings = puma(position_side=side / 1e3, per_cell=SAMPLES)
    samples, _ = drawn(split, first_grid(split, settings), per_cell=SAMPLES, share=share, seed=settings.seed + 1)
    occupied = np.unique(samples.address)
    chosen = rng.choice(occupied, min(cells, len(occupied)), replace=False)
    return split, samples.where(np.isin(samples.address, chosen))


def arm_samples(cells: int, rng: np.random.Generator) -> tuple[Split, Samples]:
    """Return postures of the arm with undirected v, in random occupied cells."""
    split, settings = human_arm(per_cell=SAMPLES)
    grid = first_grid(split, settings)
    q = split.model.sample(rng, 20 * cells)[:, : split.joints]
    u = split.place(q)
    addresses = np.unique(grid.address(u[grid.inside(u)]))
    return split, placed(split, grid, rng.permutation(addresses)[:cells], per_cell=SAMPLES, seed=settings.seed)


def shares(split: Split, samples: Samples, classify: Classifier, folds: bool) -> dict[str, float]:
    """Return the shares of exact, merged and divided cells of a method [%]."""
    truth = branches_of(split, samples) if (samples.label < 0).any() else samples.label
    J = jacobians(split, samples.q) if folds else None
    found = quality(classify(samples, split.turning[: split.joints], J), truth, samples.address)
    return {name: PERCENT * found[name] for name in ("exact", "merged", "divided")}


def measure(setting: Setting) -> Findings:
    """Classify samples of both arms, and compare with the closed form."""
    out: dict[str, float] = {}
    cells = setting.size(CELLS, QUICK_CELLS)
    for side in SIDES:
        split, samples = puma_samples(side, cells, QUICK_SHARE if setting.quick else SHARE, setting.rng())
        for key, _, classify, folds in METHODS:
            out |= {f"{key} {side} {name}": x for name, x in shares(split, samples, classify, folds).items()}
    split, samples = arm_samples(cells // 2, setting.rng())
    out |= {f"arm {name}": x for name, x in shares(split, samples, linked, True).items()}
    return Findings(out)


def _claims(key: str, what: str, judged: bool) -> tuple[Claim, ...]:
    def claim(name: str, text: str) -> Claim:
        bar = MERGED if judged and name == "merged" else None
        cell = Cell("solutions separated without the closed form, share of cells [%]", what, name)
        return Claim(f"{key} {name}", f"{what}: {text}", "%", None, bar, cell)

    return (
        claim("exact", "cells with exact labels"),
        claim("merged", "cells with merged solutions"),
        claim("divided", "cells with a divided solution"),
    )


EXPERIMENT = Experiment(
    name="classification",
    claims=(
        *(
            claim
            for side in SIDES
            for key, what, _, _ in METHODS
            for claim in _claims(f"{key} {side}", f"Puma, {side} mm, {what}", key == "linkage")
        ),
        *_claims("arm", "arm, v undirected, linkage, folds by the Jacobian", judged=True),
    ),
    measure=measure,
)
