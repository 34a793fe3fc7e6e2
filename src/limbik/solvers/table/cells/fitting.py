"""Make the records of some cells: draw samples, assign them to solutions, fit a model to each solution."""

import numpy as np

from limbik.solvers.table.cells import coverage
from limbik.solvers.table.cells.classes import jacobians, linked
from limbik.solvers.table.cells.fuzzy import fuzzy
from limbik.solvers.table.cells.grid import Addresses
from limbik.solvers.table.cells.level import Level, level_of
from limbik.solvers.table.cells.newton import spread
from limbik.solvers.table.cells.samples import Samples, Whole, by_solution
from limbik.solvers.table.cells.sampling import Valid
from limbik.solvers.table.cells.settings import Settings, first_grid, first_model, turn_grid, turn_model
from limbik.solvers.table.cells.split import WRIST, Split

# Largest number of labels per cell: the core reads no more solutions, and further clusters are fragments.
MOST_KINDS = 16
# Largest number of samples per cell that are classified without a closed form: every pair is compared.
MOST_CLASSIFIED = 300


def labels_of(split: Split, samples: Samples, s: Settings) -> Whole:
    """Return the solution of each sample of the first level, by the method that the settings name."""
    if s.classes == "branches":
        return samples.label if (samples.label >= 0).all() else branches_of(split, samples)
    classify = linked if s.classes == "linkage" else fuzzy
    return classify(samples, split.turning[: split.joints], jacobians(split, samples.q))


def branches_of(split: Split, samples: Samples) -> Whole:
    """Return the branch of each sample: the label of the closed-form solution of its coordinates that equals it."""
    row, q, label = coverage.arm_postures(split, samples.u)
    gap = np.abs(np.exp(1j * q) - np.exp(1j * samples.q[row])).max(axis=1)
    order = np.lexsort((gap, row))
    first = np.unique(row[order], return_index=True)[1]
    out = np.zeros(len(samples), dtype=np.int64)
    out[row[order][first]] = label[order][first]
    return out


def place_level(
    split: Split, s: Settings, samples: Samples | None, addresses: Addresses, valid: Valid | None = None
) -> Level:
    """Return the first level over some cells. samples: random postures of these cells; None for even coverage."""
    grid, model = first_grid(split, s), first_model(split, s)
    if samples is None:
        samples = coverage.placed(split, grid, addresses, per_cell=s.per_cell, seed=s.seed, valid=valid)
    if s.classes != "branches":
        samples = samples.at_most(MOST_CLASSIFIED)
    samples = samples.labelled(labels_of(split, samples, s))
    if split.whole and s.coverage == "even":
        samples = spread(samples, split, grid, s.convention, s.seed)
    samples = samples.where(samples.label < MOST_KINDS)
    return level_of(by_solution(samples, split.turning[: split.joints], model.least, s.per_record), grid, model)


def turn_level(split: Split, s: Settings, addresses: Addresses, valid: Valid | None = None) -> Level:
    """Return the orientation level over some cells, evenly covered."""
    grid, model = turn_grid(split, s), turn_model(split, s)
    samples = coverage.turned(split, grid, addresses, s.convention, per_cell=s.per_cell, seed=s.seed, valid=valid)
    return level_of(by_solution(samples, split.turning[-WRIST:], model.least, s.per_record), grid, model)
