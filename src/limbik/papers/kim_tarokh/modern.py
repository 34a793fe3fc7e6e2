"""The paper's idea today: a table of postures beside the tables of cells, and what it is worth.

What the base and the wrist can do by themselves is taken out of a target first, cells learn by what they miss, and Newton's
method makes exact what the table offers: see `limbik.solvers.table.postures`. The Puma's table is held against the closed form,
Jaco 2's against a search from many starts; beside it Levenberg-Marquardt's method and BFGS, which the paper's "two to three
orders of magnitude" may have had in mind.
"""

import numpy as np
import numpy.typing as npt

from limbik._core import TableSolver
from limbik.formats.content.content import Content
from limbik.geometry.arrays import Array
from limbik.papers.claim import Claim, at_least, at_most
from limbik.papers.kim_tarokh.arms import chain
from limbik.papers.kim_tarokh.online import shortest
from limbik.papers.paper import Experiment, Findings, Setting
from limbik.robot.chain import Chain
from limbik.solvers.solver_set import solver_set
from limbik.solvers.table.build import build_table

# Postures shown, targets.
SHOWN = {"puma560": (500_000, 500_000), "jaco2": (4_000_000, 400_000)}
TARGETS, QUICK_TARGETS = 20_000, 2_000
SLOW_TARGETS, QUICK_SLOW = 200, 20
# Half the side of the cube that targets fill [m].
HALF = 0.9
# A candidate this near belongs to a posture [rad]; it is found when a step leaves this [m]. Postures this near are one [rad].
BELONGS, FOUND, SAME = 0.5, 0.02, 1e-4
PASSES, MANY_PASSES = 5, 50
# What a quick look-up may be off [m].
NEAR = 1e-3
PERCENT, MILLI, KB = 100.0, 1e3, 1e3


def measure(setting: Setting) -> Findings:
    """Make both tables, look targets up, and hold the answers against others'."""
    return Findings({**_puma(setting), **_jaco2(setting)})


def table_for(arm: Chain, setting: Setting) -> tuple[Content, TableSolver]:
    """Return a table and what solves by it."""
    content = build_table(arm, samples=setting.size(*SHOWN[arm.name]))
    finder = solver_set(arm.with_table(content).model).table
    assert finder is not None
    return content, finder


def _gaps(q: Array, one: Array) -> Array:
    return np.asarray(np.abs(np.remainder(q - one + np.pi, 2 * np.pi) - np.pi).max(axis=-1))


def _share_found(known: list[Array], given: list[Array]) -> float:
    """Return the share of known postures that are among the given ones [%]."""
    found = sum(bool(len(b) and _gaps(b, q).min() < SAME) for a, b in zip(known, given, strict=True) for q in a)
    return PERCENT * found / max(1, sum(len(a) for a in known))


def _rows(q: Array, count: npt.NDArray[np.int32]) -> list[Array]:
    return [q[k, : count[k]] for k in range(len(q))]


def _puma(setting: Setting) -> dict[str, float]:
    arm = chain("puma560")
    content, finder = table_for(arm, setting)
    rng = setting.rng()
    T = np.array(arm.forward(arm.sample(rng, setting.size(TARGETS, QUICK_TARGETS))))
    exact = arm.solve_all_batch(T)
    q, count, _ = finder.solve_all_batch(T, None, 1)
    T[:, :3, 3] = rng.uniform(-HALF, HALF, (len(T), 3))
    raw, stepped, asked = _nearness(arm, finder, T[: len(T) // 2])
    return {
        "puma storage": content.bytes / KB,
        "puma raw": MILLI * float(raw.mean()),
        "puma one": MILLI * float(stepped.mean()),
        "puma candidates": PERCENT * len(raw) / asked,
        "puma found": _share_found(_rows(exact.q, exact.count), _rows(q, count)),
        "puma look-up": shortest(lambda: finder.look_up_batch(T[:1000], 1, NEAR), min(1000, len(T)), MANY_PASSES),
        "puma time": shortest(lambda: finder.solve_all_batch(T[:1000], None, 1), min(1000, len(T)), PASSES),
        "puma closed": shortest(lambda: arm.solve_all_batch(T[:1000], threads=1), min(1000, len(T)), PASSES),
    }


def _nearness(arm: Chain, finder: TableSolver, T: Array) -> tuple[Array, Array, int]:
    """Return the position errors of candidates at the closed form's postures [m], as they are and after a step."""
    exact = arm.solve_all_batch(T)
    raw, stepped, asked = [], [], 0
    for target, known in zip(T, _rows(exact.q, exact.count), strict=True):
        if not len(known):
            continue
        asked += len(known)
        near, after = finder.look_up(target), finder.look_up_and_step(target)
        if not len(near):
            continue
        errors, then = (np.linalg.norm(arm.forward(each)[:, :3, 3] - target[:3, 3], axis=1) for each in (near, after))
        for q in known:
            gap = _gaps(near, q)
            k = int(gap.argmin())
            if gap[k] < BELONGS and then[k] < FOUND:
                raw.append(errors[k])
                stepped.append(then[k])
    return np.array(raw), np.array(stepped), asked


def _jaco2(setting: Setting) -> dict[str, float]:
    arm = chain("jaco2")
    content, finder = table_for(arm, setting)
    T = arm.forward(arm.sample(setting.rng(), setting.size(TARGETS, QUICK_TARGETS) // 10))
    searched = arm.solve_all_batch(T)
    q, count, _ = finder.solve_all_batch(T, None, 1)
    few = T[: setting.size(SLOW_TARGETS, QUICK_SLOW)]
    time = shortest(lambda: finder.solve_all_batch(T, None, 1), len(T), PASSES)
    one = shortest(lambda: arm.solve_batch(T, method="lm", threads=1), len(T), PASSES)
    bfgs = shortest(lambda: [arm.solve(target, method="bfgs") for target in few], len(few), 1)
    every = shortest(lambda: arm.solve_all_batch(T, threads=1), len(T), PASSES)
    return {
        "jaco storage": content.bytes / KB,
        "jaco found": _share_found(_rows(searched.q, searched.count), _rows(q, count)),
        "jaco time": time,
        "jaco lm": one,
        "jaco bfgs": bfgs,
        "jaco search": every,
        "jaco lm ratio": one / time,
        "jaco bfgs ratio": bfgs / time,
        "jaco search ratio": every / time,
    }


EXPERIMENT = Experiment(
    name="tables of postures",
    claims=(
        Claim("puma storage", "Puma, table of postures: storage", "KB", None, at_most(150)),
        Claim("puma raw", "Puma, table of postures: mean error of the candidates", "mm", None, at_most(0.3)),
        Claim("puma one", "Puma, table of postures: after one Newton step", "mm", None, at_most(0.005)),
        Claim("puma candidates", "Puma, table of postures: solutions with a candidate", "%", None, at_least(99.7)),
        Claim("puma found", "Puma, table of postures, exact: closed-form solutions found", "%", None, at_least(99.9)),
        Claim("puma look-up", "Puma, table of postures, one Newton step, checked: all solutions of a pose", "us"),
        Claim("puma time", "Puma, table of postures, exact and verified: all solutions of a pose", "us"),
        Claim("puma closed", "Puma, closed form in the same run, verified: all solutions of a pose", "us"),
        Claim("jaco storage", "Jaco 2, table of postures: storage", "KB"),
        Claim("jaco found", "Jaco 2, table of postures, exact: solutions of a search from many starts found", "%", None,
              at_least(99)),
        Claim("jaco time", "Jaco 2, table of postures, exact and verified: all solutions of a pose", "us"),
        Claim("jaco lm", "Jaco 2, Levenberg-Marquardt in lanes: one solution", "us"),
        Claim("jaco bfgs", "Jaco 2, BFGS: one solution", "us"),
        Claim("jaco search", "Jaco 2, a search from 256 starts: all solutions", "us"),
        Claim("jaco lm ratio", "Jaco 2: all solutions by the table are faster than one by Levenberg-Marquardt by", "x"),
        Claim("jaco bfgs ratio", "Jaco 2: all solutions by the table are faster than one by BFGS by", "x", 100.0,
              at_least(100)),
        Claim("jaco search ratio", "Jaco 2: all solutions by the table are faster than all by a search by", "x"),
    ),
    measure=measure,
    notes=(
        "Two to three orders of magnitude: the table of postures has them against BFGS run step by step, although it gives all "
        "solutions, exact and verified; not against Levenberg-Marquardt's method in lanes.",
    ),
)  # fmt: skip
