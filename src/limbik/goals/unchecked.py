"""What an answer about obstacles does not hold for: links whose shapes are not known, and pairs that are not looked at."""

from collections.abc import Sequence
from dataclasses import dataclass

# Names that a sentence lists before it counts the rest.
NAMED = 8


@dataclass(frozen=True)
class Unchecked:
    """The links and pairs of links that no answer about obstacles speaks of. False where there are none.

    unread: links whose collision geometry, or part of it, is not there or was not read. outside: links with shapes that hang
    on joints which are not part of the chain. pairs: links that touch in the home posture and are not kept from each other.
    still: links that do not move and obstacles that they are too near to in every posture, by number: no posture could
    change that.
    """

    unread: tuple[str, ...] = ()
    outside: tuple[str, ...] = ()
    pairs: tuple[tuple[str, str], ...] = ()
    still: tuple[tuple[str, int], ...] = ()

    @property
    def links(self) -> tuple[str, ...]:
        """All links that may meet an obstacle unseen."""
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


# What answers say that look at everything, or at no obstacle.
NOTHING = Unchecked()


def listed(names: tuple[str, ...]) -> str:
    """Return names in quotes, the first ones where there are many."""
    return named([f"'{name}'" for name in names])


def listed_pairs(pairs: tuple[tuple[str, str], ...]) -> str:
    """Return pairs of names, the first ones where there are many."""
    return named([f"'{a}' and '{b}'" for a, b in pairs], "; ")


def named(words: Sequence[str], between: str = ", ") -> str:
    """Return words one after the other, the first ones where there are many."""
    more = f" and {len(words) - NAMED} more" if len(words) > NAMED else ""
    return between.join(words[:NAMED]) + more
