"""Links with unknown collision shapes, and pairs of links that are not checked."""

from collections.abc import Sequence
from dataclasses import dataclass

# Largest number of names in a sentence.
NAMED = 8


@dataclass(frozen=True)
class Unchecked:
    """The links and pairs of links whose collisions are not checked. False if there are none.

    unread: links whose collision geometry is missing or was not read completely. outside: links with shapes that are
    moved by joints outside the chain. pairs: links that touch in the home posture (configuration). still: fixed links
    and the indices of obstacles that are too close to them in every posture.
    """

    unread: tuple[str, ...] = ()
    outside: tuple[str, ...] = ()
    pairs: tuple[tuple[str, str], ...] = ()
    still: tuple[tuple[str, int], ...] = ()

    @property
    def links(self) -> tuple[str, ...]:
        """All links that may collide unnoticed."""
        return tuple(dict.fromkeys((*self.unread, *self.outside)))

    def __bool__(self) -> bool:
        return bool(self.unread or self.outside or self.pairs or self.still)

    def __or__(self, other: "Unchecked") -> "Unchecked":
        return Unchecked(
            tuple(dict.fromkeys((*self.unread, *other.unread))),
            tuple(dict.fromkeys((*self.outside, *other.outside))),
            tuple(dict.fromkeys((*self.pairs, *other.pairs))),
            tuple(dict.fromkeys((*self.still, *other.still))),
        )

    def __str__(self) -> str:
        said = []
        if self.unread:
            said.append(f"{listed(self.unread)} (collision geometry not known)")
        if self.outside:
            said.append(f"{listed(self.outside)} (moved by joints outside this chain)")
        if self.pairs:
            said.append(f"{listed_pairs(self.pairs)} with each other (they touch at home)")
        if self.still:
            met = named([f"'{link}' and obstacle {k}" for link, k in self.still], "; ")
            said.append(f"{met} with each other (neither moves)")
        return f"not checked: {', '.join(said)}" if said else ""


# The value if everything is checked, or without obstacles.
NOTHING = Unchecked()


def listed(names: tuple[str, ...]) -> str:
    """Return names in quotes, truncated if there are many."""
    return named([f"'{name}'" for name in names])


def listed_pairs(pairs: tuple[tuple[str, str], ...]) -> str:
    """Return pairs of names, truncated if there are many."""
    return named([f"'{a}' and '{b}'" for a, b in pairs], "; ")


def named(words: Sequence[str], between: str = ", ") -> str:
    """Return words as a list, truncated if there are many."""
    more = f" and {len(words) - NAMED} more" if len(words) > NAMED else ""
    return between.join(words[:NAMED]) + more
