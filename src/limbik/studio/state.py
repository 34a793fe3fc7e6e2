"""All that a session can be in, as one immutable value: undo keeps these, project files hold one."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from limbik.studio.timeline import Timeline

Matrix = tuple[tuple[float, ...], ...]


@dataclass(frozen=True)
class State:
    """What is shown and can be undone.

    q: the posture. targets: where the gizmo of each frame stands, (4, 4) by rows; a frame that is not dragged has none and
    its gizmo follows the posture. pins: frames that stay where their target is while others are dragged, with the weights of
    position and rotation. pole, look_at: {frame: point}. method: who solves; None lets limbik choose. time: where the
    playhead stands [s].
    """

    q: tuple[float, ...]
    targets: Mapping[str, Matrix] = field(default_factory=dict)
    pins: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    look_at: Mapping[str, tuple[float, float, float]] = field(default_factory=dict)
    method: str | None = None
    limits: bool = True
    time: float = 0.0
    timeline: Timeline = field(default_factory=Timeline)

    def __post_init__(self) -> None:
        for name in ("targets", "pins", "look_at"):
            object.__setattr__(self, name, MappingProxyType(dict(getattr(self, name))))
