"""A modern form of the paper's idea: a table of postures instead of cells with models.

Base and wrist are decoupled from the target first, cells are fitted to postures that the look-up misses, and Newton's
method refines the candidates of the table (see `limbik.solvers.table.postures`). The Puma's table is compared with the
closed form, that of the Jaco 2, which has none, with a search from many starts and with Levenberg-Marquardt. The bars are
the paper's figures for its own table of positions. Times are compared in turns, compiled against compiled.
"""

import numpy as np
import numpy.typing as npt

from limbik._core import TableSolver
from limbik.formats.content.content import Content
from limbik.geometry.arrays import Array
from limbik.papers.claim import Claim, at_least, at_most
from limbik.papers.kim_tarokh.arms import chain
from limbik.papers.kim_tarokh.printed import HIGHEST_SUCCESS, PLACE_KB, TABLE_2A
from limbik.papers.kim_tarokh.timing import in_turns
from limbik.papers.paper import Experiment, Findings, Setting
from limbik.robot.chain import Chain
from limbik.solvers.solver_set import solver_set
from limbik.solvers.table.build import build_table

# The number of sample postures, full and quick.
SAMPLES = {"puma560": (500_000, 500_000), "jaco2": (2_000_000, 400_000)}
TARGETS, QUICK_TARGETS = 20_000, 2_000
TIMED, SLOW = 1000, 200
# Half the side of the cube of the targets [m].
HALF = 0.9
# A candidate belongs to a posture within BELONGS [rad], and counts as found if its error after a step is below FOUND [m].
# Postures within SAME are equal [rad].
BELONGS, FOUND, SAME = 0.5, 0.02, 1e-4
PASSES = 15
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
    timed = T[:TIMED].copy()
    exact = arm.solve_all_batch(T)
    q, count, _ = finder.solve_all_batch(T, None, 1)
    T[:, :3, 3] = rng.uniform(-HALF, HALF, (len(T), 3))
    raw, stepped, solutions = _nearness(arm, finder, T[: len(T) // 2])
    times = in_turns(
        {
            "puma look-up": lambda: finder.look_up_batch(timed, 1, NEAR),
            "puma time": lambda: finder.solve_all_batch(timed, None, 1),
            "puma closed": lambda: arm.solve_all_batch(timed, threads=1),
        },
        len(timed),
        PASSES,
    )
    return {
        "puma storage": content.bytes / KB,
        "puma raw": MILLI * float(raw.mean()),
        "puma one": MILLI * float(stepped.mean()),
        "puma candidates": PERCENT * len(raw) / solutions,
        "puma found": _share_found(_rows(exact.q, exact.count), _rows(q, count)),
        **times,
        "puma ratio": times["puma closed"] / times["puma time"],
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
    few = T[:SLOW]
    times = in_turns(
        {
            "jaco time": lambda: finder.solve_all_batch(few, None, 1),
            "jaco lm": lambda: arm.solve_batch(few, method="lm", threads=1),
            "jaco search": lambda: arm.solve_all_batch(few, threads=1),
        },
        len(few),
        PASSES,
    )
    return {
        "jaco storage": content.bytes / KB,
        "jaco found": _share_found(_rows(searched.q, searched.count), _rows(q, count)),
        **times,
        "jaco lm ratio": times["jaco lm"] / times["jaco time"],
        "jaco search ratio": times["jaco search"] / times["jaco time"],
    }


BEST_MEAN = min(line.mean for line in TABLE_2A)
EXPERIMENT = Experiment(
    name="tables of postures",
    claims=(
        Claim("puma storage", "Puma, table of postures: storage", "KB", None, at_most(PLACE_KB)),
        Claim("puma raw", "Puma, table of postures: mean position error of the candidates", "mm", None, at_most(BEST_MEAN)),
        Claim("puma one", "Puma, table of postures: mean position error after one Newton step", "mm"),
        Claim("puma candidates", "Puma, table of postures: solutions with a candidate", "%", None,
              at_least(HIGHEST_SUCCESS)),
        Claim("puma found", "Puma, table of postures, exact: closed-form solutions found", "%", None,
              at_least(HIGHEST_SUCCESS)),
        Claim("puma look-up", "Puma, table of postures, one Newton step, checked: all solutions of a pose", "us"),
        Claim("puma time", "Puma, table of postures, exact and verified: all solutions of a pose", "us"),
        Claim("puma closed", "Puma, closed form in the same passes, verified: all solutions of a pose", "us"),
        Claim("puma ratio", "Puma: time of the closed form / time of the table of postures, both exact", "x"),
        Claim("jaco storage", "Jaco 2, table of postures: storage", "KB"),
        Claim("jaco found", "Jaco 2, table of postures, exact: solutions of a search from many starts found", "%"),
        Claim("jaco time", "Jaco 2, table of postures, exact and verified: all solutions of a pose", "us"),
        Claim("jaco lm", "Jaco 2, Levenberg-Marquardt in SIMD lanes: one solution", "us"),
        Claim("jaco search", "Jaco 2, a search from 256 starts: all solutions", "us"),
        Claim("jaco lm ratio", "Jaco 2: time of one solution by Levenberg-Marquardt / time of all by the table", "x"),
        Claim("jaco search ratio", "Jaco 2: time of all solutions by the search / time of all by the table", "x"),
    ),
    measure=measure,
    notes=(
        "the bars are the paper's figures for its table of positions: 372 KB, 2.80 mm and 99.3 %.",
    ),
)  # fmt: skip
