"""Shared tables of starts: chains that differ only in base, tool or tolerances start from the same postures (configurations).

A table depends only on the joints from the first axis to the last and on the sampling ranges. It takes longer to make than ten
thousand solves and holds megabytes. Chains of a process that agree bitwise in these share one table, which is freed with the
last of them.
"""

from collections.abc import Sequence
from weakref import WeakValueDictionary

from limbik._core import Kernel, PoseSolver, SeedTable

TABLES: WeakValueDictionary[bytes, SeedTable] = WeakValueDictionary()


def seed_table(kernel: Kernel, low: Sequence[float], high: Sequence[float]) -> SeedTable | None:
    """Return the table for a chain, drawn between `low` and `high` (n,); None if the solver uses none.

    The first solve that needs it fills it. Two threads that request a new one at the same instant may get two, which
    costs time and changes no answer. There is no lock, because a forked process might inherit it locked.
    """
    if not PoseSolver.in_lanes(kernel):
        return None
    table = SeedTable(kernel, low, high)
    return TABLES.setdefault(table.key, table)
