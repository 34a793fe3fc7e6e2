"""Tables of starts, shared: chains that differ in base, tool or tolerances alone start from the same postures.

A table depends on the joints between the first axis and the last and on the ranges that postures are drawn from, and on
nothing else. Making one takes longer than ten thousand solves and it holds megabytes, so the chains of a process that agree
in all of that, bit for bit, hold one together; it goes with the last of them.
"""

from collections.abc import Sequence
from weakref import WeakValueDictionary

from limbik._core import Kernel, PoseSolver, SeedTable

TABLES: WeakValueDictionary[bytes, SeedTable] = WeakValueDictionary()


def seed_table(kernel: Kernel, low: Sequence[float], high: Sequence[float]) -> SeedTable | None:
    """Return the table for a chain, drawn between `low` and `high` (n,); None where the solver takes none.

    It is filled by the first solve that needs it. Two threads that ask for a new one at the same instant may get two, which
    costs time and changes no answer; so there is no lock, which a forked process might find closed.
    """
    if not PoseSolver.in_lanes(kernel):
        return None
    table = SeedTable(kernel, low, high)
    return TABLES.setdefault(table.key, table)
