"""A modern form of the paper's idea: a table of postures instead of cells with models.

Base and wrist are decoupled from the target first, cells are fitted to postures that the look-up misses, and Newton's
method refines the candidates of the table (see `limbik.solvers.table.postures`). The Puma's table is compared with the
closed form, that of the Jaco 2 with a search from many starts. Levenberg-Marquardt and BFGS are timed too, because the
paper's "two to three orders of magnitude" may refer to such methods.
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

# The number of sample postures, full and quick.
SAMPLES = {"puma560": (500_000, 500_000), "jaco2": (4_000_000, 400_000)}
TARGETS, QUICK_TARGETS = 20_000, 2_000
SLOW_TARGETS, QUICK_SLOW = 200, 20
# Half the side of the cube of the targets [m].
HALF = 0.9
# A candidate belongs to a posture within BELONGS [rad], and counts as found if its error after a step is below FOUND [m].
# Postures within SAME are equal [rad].
BELONGS, FOUND, SAME = 0.5, 0.02, 1e-4
PASSES, MANY_PASSES = 5, 50
# The largest error of a quick look-up [m].
NEAR = 1e-3
PERCENT, MILLI, KB = 100.0, 1e3, 1e3


def measure(setting: Setting) -> Findings:
    """Build both tables, look targets up, and compare the answers with other methods."""
    return Findings({**_puma(setting), **_jaco2(setting)})


def table_for(arm: Chain, setting: Setting) -> tuple[Content, TableSolver]:
    """Return a table of postures and the solver that uses it."""
    content = build_table(arm, samples=setting.size(*SAMPLES[arm.name]))
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
    raw, stepped, solutions = _nearness(arm, finder, T[: len(T) // 2])
    return {
        "puma storage": content.bytes / KB,
        "puma raw": MILLI * float(raw.mean()),
        "puma one": MILLI * float(stepped.mean()),
        "puma candidates": PERCENT * len(raw) / solutions,
        "puma found": _share_found(_rows(exact.q, exact.count), _rows(q, count)),
        "puma look-up": shortest(lambda: finder.look_up_batch(T[:1000], 1, NEAR), min(1000, len(T)), MANY_PASSES),
        "puma time": shortest(lambda: finder.solve_all_batch(T[:1000], None, 1), min(1000, len(T)), PASSES),
        "puma closed": shortest(lambda: arm.solve_all_batch(T[:1000], threads=1), min(1000, len(T)), PASSES),
    }


def _nearness(arm: Chain, finder: TableSolver, T: Array) -> tuple[Array, Array, int]:
    """Return the position errors of candidates before and after a step [m], and the number of the closed form's postures."""
    exact = arm.solve_all_batch(T)
    raw, stepped, solutions = [], [], 0
    for target, known in zip(T, _rows(exact.q, exact.count), strict=True):
        if not len(known):
            continue
        solutions += len(known)
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
    return np.array(raw), np.array(stepped), solutions


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
        Claim("puma raw", "Puma, table of postures: mean position error of the candidates", "mm", None, at_most(0.3)),
        Claim("puma one", "Puma, table of postures: mean position error after one Newton step", "mm", None, at_most(0.005)),
        Claim("puma candidates", "Puma, table of postures: solutions with a candidate", "%", None, at_least(99.7)),
        Claim("puma found", "Puma, table of postures, exact: closed-form solutions found", "%", None, at_least(99.9)),
        Claim("puma look-up", "Puma, table of postures, one Newton step, checked: all solutions of a pose", "us"),
        Claim("puma time", "Puma, table of postures, exact and verified: all solutions of a pose", "us"),
        Claim("puma closed", "Puma, closed form in the same run, verified: all solutions of a pose", "us"),
        Claim("jaco storage", "Jaco 2, table of postures: storage", "KB"),
        Claim("jaco found", "Jaco 2, table of postures, exact: solutions of a search from many starts found", "%", None,
              at_least(99)),
        Claim("jaco time", "Jaco 2, table of postures, exact and verified: all solutions of a pose", "us"),
        Claim("jaco lm", "Jaco 2, Levenberg-Marquardt in SIMD lanes: one solution", "us"),
        Claim("jaco bfgs", "Jaco 2, BFGS: one solution", "us"),
        Claim("jaco search", "Jaco 2, a search from 256 starts: all solutions", "us"),
        Claim("jaco lm ratio", "Jaco 2: time of one solution by Levenberg-Marquardt / time of all by the table", "x"),
        Claim("jaco bfgs ratio", "Jaco 2: time of one solution by BFGS / time of all by the table", "x", 100.0,
              at_least(100)),
        Claim("jaco search ratio", "Jaco 2: time of all solutions by the search / time of all by the table", "x"),
    ),
    measure=measure,
    notes=(
        "two to three orders of magnitude: the table of postures is that much faster than BFGS in Python, although it gives all "
        "solutions, exact and verified; it is not that much faster than Levenberg-Marquardt in SIMD lanes.",
    ),
)  # fmt: skip
