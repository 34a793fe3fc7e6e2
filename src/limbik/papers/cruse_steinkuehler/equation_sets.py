"""Other sets of equations than limbik's 83: the paper prints six, those of beta, and shows only how many there are of the others.

A set keeps the six equations of beta and some of the other 77. A variable's own value may be one more term of its mean. Regular
sets treat all parts of corners alike, and all corners but beta. `FOUND` was found by a search like that of search.py, of 13
minutes, which also accepted slightly worse sets at times, and judged sets by our nine points and two other sets of nine.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product

from limbik.papers.cruse_steinkuehler.arm import LENGTHS
from limbik.solvers.relaxation.angle_network import AngleNetwork
from limbik.solvers.relaxation.settings import Settings
from limbik.solvers.relaxation.triangles import Computation, Rule, Triangles, triangles

ALL = triangles(3)
PRINTED = "beta"
CORNERS = ("gamma", "delta", "eps")
PARTS = ("eps1", "beta1", "gamma1", "delta1", "eps2", "beta2", "gamma2", "delta2")
# An angle's six computations, from 0: the law of cosines (1), a sum (2), 180 degrees less the others directly, in all ways (3-6).
LAW, SUM, DIRECT, EVERY = (0,), (1,), (2,), (2, 3, 4, 5)
FORMS = (
    (LAW, SUM, EVERY),
    (LAW, SUM, DIRECT),
    (LAW, EVERY),
    (LAW, DIRECT),
    (LAW, SUM),
    (LAW,),
    (SUM, EVERY),
    (SUM, DIRECT),
)
DIRECTIONS = {"directly": (0,), "by parts": (1,), "in both ways": (0, 1)}


@dataclass(frozen=True)
class EquationSet:
    """Computations by their numbers among the 83, and the variables whose own value is a term of their mean."""

    kept: frozenset[int]
    own: frozenset[str] = frozenset()

    @property
    def sound(self) -> bool:
        """Whether every variable is computed, and beta by its six printed equations."""
        targets = {c.target for k, c in enumerate(ALL.computations) if k in self.kept}
        printed = {k for k, c in enumerate(ALL.computations) if c.target == PRINTED}
        return targets == set(ALL.variables) and printed <= self.kept and PRINTED not in self.own

    @cached_property
    def computations(self) -> tuple[Computation, ...]:
        """The computations, in the order of the network; a sum replaces a law of cosines whose sides are too short."""
        rows: list[Computation] = []
        for name in ALL.variables:
            mine = [c for k, c in enumerate(ALL.computations) if c.target == name and k in self.kept]
            sums = [k for k, c in enumerate(mine) if c.rule is Rule.LINEAR]
            instead = len(rows) + sums[0] if sums else -1
            rows += [replace(c, instead=instead) if c.rule is Rule.COSINE_ANGLE else c for c in mine]
            if name in self.own:
                rows.append(Computation(Rule.LINEAR, name, (name,), (1.0,)))
        return tuple(rows)

    def network(self, update: str = "parallel") -> AngleNetwork:
        """Return the network of the paper's arm with these computations."""
        made: Triangles = replace(ALL, computations=self.computations)
        return AngleNetwork(LENGTHS, Settings(update=update), made=made)


def of(names: dict[str, Iterable[int]], own: Iterable[str] = ()) -> EquationSet:
    """Return a set from the numbers of computations of each variable, counted from 0 among its own."""
    kept = set()
    for name in ALL.variables:
        mine = [k for k, c in enumerate(ALL.computations) if c.target == name]
        kept |= {mine[k] for k in names[name]}
    return EquationSet(frozenset(kept), frozenset(own))


EIGHTY_THREE = EquationSet(frozenset(range(len(ALL.computations))))


def regular() -> Iterator[EquationSet]:
    """Yield the regular sets."""
    ways = product(FORMS, FORMS, (True, False), DIRECTIONS.values(), (True, False), (False, True))
    for parts, corners, by_directions, directions, both_laws, own in ways:
        names: dict[str, Iterable[int]] = {PRINTED: range(6), "R": (0, 1)}
        names |= {name: [k for form in parts for k in form] for name in PARTS}
        names |= {name: [k for form in corners for k in form] for name in CORNERS}
        if by_directions:
            names["eps"] = [*names["eps"], 6]
        names |= {"alpha": directions, "rho": directions}
        # with one law only, each diagonal belongs to its triangle of two segments
        names |= {"D1": (0, 1) if both_laws else (1,), "D2": (0, 1) if both_laws else (0,)}
        yield of(names, (name for name in ALL.variables if own and name != PRINTED))


# By the numbers of each variable's own computations. It has no own values and uses 38 of the 83.
FOUND = of({
    "eps1": (0, 3, 4), "beta": (0, 1, 2, 3, 4, 5), "gamma1": (0, 2), "eps2": (0, 3, 4), "gamma2": (1, 2),
    "delta": (0, 1, 3), "beta2": (1, 3), "gamma": (0, 1, 3), "delta2": (0,), "eps": (6,), "beta1": (0, 2, 3),
    "delta1": (0, 1), "D2": (0,), "D1": (0, 1), "R": (1,), "alpha": (1,), "rho": (0, 1),
})  # fmt: skip
