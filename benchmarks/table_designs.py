"""Compare the settings of tables of postures (configurations): `python benchmarks/table_designs.py`.

For each setting: memory, build time, candidates per target and their error, share of postures found, and the time of all
postures of a target. Decision 11 is based on this comparison.
"""

from time import perf_counter

import numpy as np
from rich.console import Console
from rich.table import Table

import limbik as lk
from limbik.solvers.solver_set import solver_set

ROWS = {
    "puma560": (
        {"bins": 8, "order": 0, "deepest": 0},
        {"bins": 16, "order": 0, "deepest": 0},
        {"bins": 4, "order": 1, "deepest": 6},
        {"bins": 4, "order": 2, "deepest": 6},
        {"bins": 4, "order": 2, "deepest": 6, "tolerance": 2e-4},
    ),
    "jaco2": (
        {"bins": 4, "order": 0},
        {"bins": 6, "order": 0},
        {"bins": 8, "order": 0},
        {"bins": 10, "order": 0},
        {"bins": 8, "order": 1},
        {"bins": 6, "order": 2},
    ),
}
TARGETS = 20_000
SAME = 1e-5


def main() -> None:
    """Build the tables and print the comparison."""
    console = Console(width=140)
    for name, settings in ROWS.items():
        arm = lk.load(name)
        q = arm.sample(np.random.default_rng(7), TARGETS)
        T = arm.forward(q)
        shown = Table(
            "settings", "KB", "built [s]", "candidates", "error [mm]", "found [%]", "us a target", title=name, box=None
        )
        for setting in settings:
            start = perf_counter()
            content = lk.build_table(arm, **setting)
            built = perf_counter() - start
            finder = solver_set(arm.with_table(content).model).table
            finder.solve_all_batch(T[:1000], None, 1)
            start = perf_counter()
            answers, _, _ = finder.solve_all_batch(T, q, 1)
            spent = (perf_counter() - start) / TARGETS
            gap = np.abs(np.remainder(answers - q[:, None] + np.pi, 2 * np.pi) - np.pi).max(axis=2)
            found = np.nanmin(np.where(np.isnan(gap), 9.0, gap), axis=1) < SAME
            errors = content.statistics["position error of candidates [m]"]
            middle = np.sqrt(np.array(errors["edges"][1:]) * np.maximum(errors["edges"][:-1], 1e-6))
            typical = middle[np.searchsorted(np.cumsum(errors["counts"]), 0.5 * sum(errors["counts"]))]
            shown.add_row(
                ", ".join(f"{k} {v}" for k, v in setting.items()), f"{content.bytes / 1e3:.0f}", f"{built:.1f}",
                f"{content.statistics['candidates of a target']:.1f}", f"about {typical * 1e3:.2g}", f"{100 * found.mean():.3f}",
                f"{spent * 1e6:.2f}",
            )  # fmt: skip
        console.print(shown)


if __name__ == "__main__":
    main()
