"""A robot without a closed form: "two to three orders of magnitude faster than other techniques" (section 5.1).

The paper names neither the robot nor the techniques. Here the robot is the Kinova Jaco 2, whose wrist is not spherical.
Cells divide the space of poses; only those of the targets are built, because a whole table would have millions. All
solutions of a target are found by a search from many starts, and Newton's method continues them through the cell. The
look-up is compared with one posture by Levenberg-Marquardt and all postures by the search, both exact to 1e-8 m. The
error of the table is printed.
"""

from time import perf_counter

import numpy as np

from limbik.papers.claim import Claim
from limbik.papers.kim_tarokh.arms import chain
from limbik.papers.kim_tarokh.online import MICROSECONDS, seconds, shortest
from limbik.papers.kim_tarokh.scores import angle_between
from limbik.papers.paper import Experiment, Findings, Setting
from limbik.solvers.table.cells.level import level_of
from limbik.solvers.table.cells.newton import around
from limbik.solvers.table.cells.opened import table_of
from limbik.solvers.table.cells.samples import by_solution
from limbik.solvers.table.cells.settings import first_grid, first_model, settings_for

TARGETS, QUICK_TARGETS = 100, 20
# Cells of 50 mm and 20 degrees: smaller than cells over positions, because solutions are less linear in whole poses.
CELLS = {"position_side": 0.05, "euler_side": np.radians(20), "model": "quadratic", "per_cell": 120}


def measure(setting: Setting) -> Findings:
    """Build the cells of random targets, look the targets up, and solve them."""
    arm = chain("jaco2")
    split, settings = settings_for(arm, CELLS)
    grid, model = first_grid(split, settings), first_model(split, settings)
    T = arm.forward(arm.sample(setting.rng(), setting.size(TARGETS, QUICK_TARGETS)))
    arm.solve_all(T[0])  # what is computed once per chain is not timed
    start = perf_counter()
    found = [arm.solve_all(pose).q for pose in T]
    by_search = (perf_counter() - start) / len(T) * MICROSECONDS
    q, label = np.concatenate(found), np.concatenate([np.arange(len(each)) for each in found])
    samples = around(q, label, split, grid, settings.convention, per_cell=settings.per_cell, seed=settings.seed)
    level = level_of(by_solution(samples, split.turning, model.least, settings.per_cell), grid, model)
    table = table_of(split, arm.model.kernel, level, None, settings.convention)
    postures, _, counts, _ = table.find(T)
    row, slot = np.nonzero(np.arange(postures.shape[1]) < counts[:, None])
    reached = arm.forward(postures[row, slot])
    look_up = float(seconds(table, T, None).sum())
    one = shortest(lambda: arm.solve_batch(T, method="lm", threads=1), len(T))
    return Findings(
        {
            "true": len(q) / len(T),
            "emitted": float(counts.mean()),
            "position": 1e3 * float(np.linalg.norm(reached[:, :3, 3] - T[row, :3, 3], axis=1).mean()),
            "orientation": float(np.degrees(angle_between(reached[:, :3, :3], T[row, :3, :3])).mean()),
            "look-up": look_up,
            "one": one,
            "all": by_search,
            "one ratio": one / look_up,
            "all ratio": by_search / look_up,
        }
    )


EXPERIMENT = Experiment(
    name="no closed form",
    claims=(
        Claim("true", "Jaco 2: postures per pose, by a search from many starts", "postures"),
        Claim("emitted", "Jaco 2: postures per pose, by the table", "postures"),
        Claim("position", "Jaco 2, quadratic, 50 mm and 20 deg: mean position error", "mm"),
        Claim("orientation", "Jaco 2, quadratic, 50 mm and 20 deg: mean orientation error", "deg"),
        Claim("look-up", "Jaco 2: look-up of all solutions", "us"),
        Claim("one", "Jaco 2: one posture by Levenberg-Marquardt, exact", "us"),
        Claim("all", "Jaco 2: all postures by a search from many starts, exact", "us"),
        Claim("one ratio", "Jaco 2: time of one exact posture / time of the look-up", "x"),
        Claim("all ratio", "Jaco 2: time of all exact postures / time of the look-up", "x", 100.0),
    ),
    measure=measure,
)
