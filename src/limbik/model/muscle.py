"""A muscle: its path on a mechanism, and the range of its length.

Its length is rest + the lengths of the straight segments between its points + radius * joint value for each of its pulleys. A
straight muscle has two points, its origin and its insertion; further points are via points between them. A muscle on pulleys
alone has no points.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Self

from limbik.errors import BadModel, LimbikError, shown, suggest
from limbik.geometry.arrays import LARGEST, number, vector
from limbik.model.joint import Joint, check_name
from limbik.model.mckibben import McKibben

Triple = tuple[float, float, float]


@dataclass(frozen=True)
class Attachment:
    """A point of a muscle, fixed on a link: xyz in that link's frame [m]."""

    link: str
    xyz: Triple = (0.0, 0.0, 0.0)

    def __post_init__(self) -> None:
        check_name(self.link, "a link that a muscle is attached to")
        x, y, z = vector(self.xyz, f"the point of a muscle on '{self.link}'").tolist()
        if max(map(abs, (x, y, z))) > LARGEST:
            raise BadModel(f"the point of a muscle on '{self.link}' lies too far away to compute with")
        object.__setattr__(self, "xyz", (x, y, z))

    @classmethod
    def of(cls, given: Any, muscle: str) -> Self:
        """Return the attachment of (link, xyz); an attachment is returned as it is. Raises BadModel."""
        if isinstance(given, cls):
            return given
        if isinstance(given, Mapping) or not isinstance(given, tuple | list) or len(given) != 2:
            raise BadModel(f"muscle '{muscle}' has the point {shown(given)}; write (link, (x, y, z))")
        try:
            return cls(*given)
        except BadModel:
            raise
        except LimbikError as error:
            raise BadModel(f"muscle '{muscle}': {error}") from None


@dataclass(frozen=True)
class Pulley:
    """A pulley on a joint: it lengthens the muscle by radius * joint value [m/rad; m/m for a prismatic joint]."""

    joint: str
    radius: float

    def __post_init__(self) -> None:
        check_name(self.joint, "a joint with a pulley")
        radius = number(self.radius, f"the radius of a pulley on '{self.joint}'")
        if not 0 < abs(radius) <= LARGEST:
            raise BadModel(f"a pulley on '{self.joint}' has the radius {radius:g}; it must be finite and not 0")
        object.__setattr__(self, "radius", radius)

    @classmethod
    def of(cls, given: Any, muscle: str) -> Self:
        """Return the pulley of (joint, radius); a pulley is returned as it is. Raises BadModel."""
        if isinstance(given, cls):
            return given
        if not isinstance(given, tuple | list) or len(given) != 2:
            raise BadModel(f"muscle '{muscle}' has the pulley {shown(given)}; write (joint, radius)")
        try:
            return cls(*given)
        except LimbikError as error:
            raise BadModel(f"muscle '{muscle}': {error}") from None


@dataclass(frozen=True)
class Muscle:
    """One muscle. path: its points from origin to insertion, (link, xyz) each. lower, upper: the range of its length [m].

    rest: the constant part of the length [m]. opposes: the names of its antagonists, which lengthen when it shortens.
    independent: whether it is one of the muscles whose lengths determine the posture (configuration). actuator: its drive.
    """

    name: str
    path: tuple[Attachment, ...] = ()
    pulleys: tuple[Pulley, ...] = ()
    rest: float = 0.0
    lower: float = 0.0
    upper: float = math.inf
    opposes: tuple[str, ...] = field(default=())
    independent: bool = False
    actuator: McKibben | None = None

    def __post_init__(self) -> None:
        if not check_name(self.name, "a muscle"):
            raise BadModel("a muscle has no name")
        object.__setattr__(self, "path", tuple(Attachment.of(p, self.name) for p in _listed(self, "path")))
        object.__setattr__(self, "pulleys", tuple(Pulley.of(p, self.name) for p in _listed(self, "pulleys")))
        object.__setattr__(self, "opposes", tuple(check_name(n, "a muscle") for n in _listed(self, "opposes")))
        for key in ("rest", "lower", "upper"):
            try:
                value = number(getattr(self, key), f"{key} of muscle '{self.name}'")
            except LimbikError as error:
                raise BadModel(str(error)) from None
            if math.isnan(value) or (abs(value) > LARGEST and not (key == "upper" and value == math.inf)):
                raise BadModel(f"muscle '{self.name}' has {key} = {value:g}, which is NaN or too large")
            object.__setattr__(self, key, value)
        if len(self.path) == 1 or not (self.path or self.pulleys):
            raise BadModel(
                f"muscle '{self.name}' has no path: give it an origin and an insertion, or a pulley; it has "
                f"{len(self.path)} point{'s' if len(self.path) != 1 else ''}"
            )
        if not 0 <= self.lower < self.upper:
            raise BadModel(
                f"muscle '{self.name}' has the range {self.lower:g} to {self.upper:g} m; the lower end must be 0 or more and "
                "below the upper one"
            )
        if not isinstance(self.independent, bool):
            raise BadModel(f"muscle '{self.name}': independent is {shown(self.independent)}; it is true or false")
        if self.actuator is not None and not isinstance(self.actuator, McKibben):
            raise BadModel(
                f"muscle '{self.name}' has the actuator {shown(self.actuator)}; it must be a McKibben or None"
            )

    @property
    def straight(self) -> bool:
        """Whether it is a single segment between two points, without pulleys."""
        return len(self.path) == 2 and not self.pulleys

    def scaled(self, factor: float, prismatic: Iterable[str] = ()) -> Self:
        """Return the muscle with every length multiplied. prismatic: names of prismatic joints; their pulleys keep the ratio."""
        prismatic = set(prismatic)
        return replace(
            self,
            path=tuple(Attachment(p.link, _times(p.xyz, factor)) for p in self.path),
            pulleys=tuple(p if p.joint in prismatic else Pulley(p.joint, p.radius * factor) for p in self.pulleys),
            rest=self.rest * factor,
            lower=self.lower * factor,
            upper=self.upper * factor,
            actuator=None if self.actuator is None else self.actuator.scaled(factor),
        )

    def with_frozen(self, values: Mapping[str, float], root: str) -> Self:
        """Return the muscle with joints fixed at these values [rad or m]: their pulleys become a part of its rest.

        A muscle without points that no joint moves any more gets a path of length 0 on the root link.
        """
        if not any(p.joint in values for p in self.pulleys):
            return self
        fixed = sum(p.radius * values[p.joint] for p in self.pulleys if p.joint in values)
        kept = tuple(p for p in self.pulleys if p.joint not in values)
        path = self.path or (() if kept else (Attachment(root),) * 2)
        return replace(self, rest=self.rest + fixed, pulleys=kept, path=path)


def _times(xyz: Triple, factor: float) -> Triple:
    x, y, z = xyz
    return x * factor, y * factor, z * factor


def _listed(muscle: Muscle, key: str) -> tuple[Any, ...]:
    given = getattr(muscle, key)
    if isinstance(given, str | bytes | Mapping) or not isinstance(given, Iterable):
        raise BadModel(f"muscle {shown(muscle.name)}: {key} is {shown(given)}; a list is needed")
    return tuple(given)


def check_muscles(
    mechanism: str, muscles: tuple[Muscle, ...], links: Iterable[str], joints: Mapping[str, Joint]
) -> None:
    """Raise BadModel for duplicate names, unknown links, joints and muscles, and pulleys on joints without a single axis."""
    names = [muscle.name for muscle in muscles]
    known = list(links)
    for k, muscle in enumerate(muscles):
        if muscle.name in names[:k]:
            raise BadModel(f"'{mechanism}' has two muscles named '{muscle.name}'; names must be unique")
        for point in muscle.path:
            if point.link not in known:
                raise BadModel(
                    f"muscle '{muscle.name}' is attached to the link {shown(point.link)}, which does not exist in '{mechanism}'; "
                    f"{suggest(point.link, known)}"
                )
        for pulley in muscle.pulleys:
            if pulley.joint not in joints:
                raise BadModel(
                    f"muscle '{muscle.name}' has a pulley on {shown(pulley.joint)}, which does not exist in '{mechanism}'; "
                    f"{suggest(pulley.joint, joints)}"
                )
            if joints[pulley.joint].kind.size != 1:
                raise BadModel(
                    f"muscle '{muscle.name}' has a pulley on '{pulley.joint}', which is {joints[pulley.joint].kind}; "
                    "a pulley needs a joint with one axis"
                )
        for other in muscle.opposes:
            if other == muscle.name:
                raise BadModel(
                    f"muscle '{muscle.name}' of '{mechanism}' opposes itself; leave its own name out of `opposes`"
                )
            if other not in names:
                raise BadModel(
                    f"muscle '{muscle.name}' opposes {shown(other)}, which is not a muscle of '{mechanism}'; "
                    f"{suggest(other, names)}"
                )
