"""The mobility of a mechanism: its degrees of freedom by Gruebler's formula in space.

m = 6 (links - joints - 1) + sum of the joints' degrees of freedom; the ground counts as a link. Gini et al. print it as (1) with
a minus before the sum, 6 (5 - 7 - 1) - 21, which is -39; with the plus it is 3, the value that they give. Their count models each
of the three muscles of the shoulder as a rod of fixed length between two ball joints, with seven ball joints in all. The three
degrees of freedom are then not those of the shoulder: each rod can spin about its own line, and nothing else moves. With each
muscle as two links and a prismatic joint (8 links, 10 joints, 21 + 3 degrees of freedom) there are 6: the three of the shoulder,
and the three spins.
"""

from collections.abc import Iterable

from limbik.errors import BadOption, shown

# The degrees of freedom of a free body in space.
BODY = 6


def mobility(links: int, freedoms: Iterable[int]) -> int:
    """Return the mobility of a mechanism; it may be negative.

    links: their number, with the ground. freedoms: the degrees of freedom of each joint. Raises BadOption.
    """
    each = list(freedoms)
    if isinstance(links, bool) or not isinstance(links, int) or links < 1:
        raise BadOption(f"links={shown(links)}: give a number of at least 1, which counts the ground")
    if not all(isinstance(f, int) and 0 <= f <= BODY for f in each):
        raise BadOption(f"a joint has 0 to {BODY} degrees of freedom; got {shown(each)}")
    return BODY * (links - len(each) - 1) + sum(each)
