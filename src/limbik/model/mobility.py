"""How many freedoms a mechanism of links and joints has: Gruebler's count in space.

m = 6 (links - joints - 1) + sum of the joints' freedoms, the ground counted as a link. Gini et al. print it as (1) with a
minus before the sum, 6 (5 - 7 - 1) - 21, which is -39; with the plus it is 3, as they say. Their count takes each of the
three muscles of the shoulder for a rod of fixed length between two balls, seven balls in all. It is not the shoulder that has
these three freedoms: each rod can spin about its own line, and nothing else moves. Counted as what they are, two links that
slide (8 links, 10 joints, 21 + 3 freedoms), there are 6: the three of the shoulder, and the three spins.
"""

from collections.abc import Iterable

from limbik.errors import BadOption, shown

# Freedoms of a body in space.
BODY = 6


def mobility(links: int, freedoms: Iterable[int]) -> int:
    """Return how many freedoms a mechanism has: links with the ground, and the freedoms of each joint. It may be negative."""
    each = list(freedoms)
    if isinstance(links, bool) or not isinstance(links, int) or links < 1:
        raise BadOption(f"links={shown(links)}: a mechanism has at least the ground")
    if not all(isinstance(f, int) and 0 <= f <= BODY for f in each):
        raise BadOption(f"a joint has 0 to {BODY} freedoms; got {shown(each)}")
    return BODY * (links - len(each) - 1) + sum(each)
