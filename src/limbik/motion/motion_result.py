"""The base class of motion results: following, capture and retargeting return a clip with `ok` and `why`."""

from abc import abstractmethod
from dataclasses import dataclass
from os import PathLike
from typing import TYPE_CHECKING, Any, Self

from limbik.geometry.arrays import Array
from limbik.model.record import Record
from limbik.motion.clip import Clip

if TYPE_CHECKING:
    from limbik.robot.chain import Chain
    from limbik.robot.skeleton import Skeleton


@dataclass(frozen=True, eq=False, repr=False)
class MotionResult(Record):
    """A clip, whether it meets the query (`ok`), and the reason (`why`). Immutable.

    The methods of clips (`resampled`, `mirrored`, `plot` ...) are those of `clip`.
    """

    clip: Clip

    def __new__(cls, *args: Any, **parts: Any) -> Self:
        """Raise TypeError for the base class itself: it has no outcome."""
        if cls is MotionResult:
            raise TypeError("a MotionResult is made by follow, capture or retarget")
        return super().__new__(cls)

    @property
    @abstractmethod
    def ok(self) -> bool:
        """Whether the motion meets the query."""

    @property
    @abstractmethod
    def why(self) -> str:
        """The outcome in a few sentences."""

    @property
    def robot(self) -> "Chain | Skeleton":
        """The chain or skeleton of the clip."""
        return self.clip.robot

    @property
    def q(self) -> Array:
        """(frames, n) the configurations."""
        return self.clip.q

    @property
    def times(self) -> Array:
        """(frames,) the time of each frame [s]."""
        return self.clip.times

    @property
    def jumps(self) -> tuple[int, ...]:
        """The frames that start after a discontinuity."""
        return self.clip.jumps

    @property
    def duration(self) -> float:
        """The time from the first frame to the last [s]."""
        return self.clip.duration

    def forward(self, frame: str | None = None) -> Array:
        """Return the pose of a frame (of a chain: the tip by default) in every frame of the clip, (frames, 4, 4)."""
        return self.clip.forward(frame)

    def __len__(self) -> int:
        return len(self.clip)

    def __bool__(self) -> bool:
        return self.ok

    def save(self, path: str | PathLike[str], **options: Any) -> None:
        """Write the clip, as `Clip.save` does."""
        self.clip.save(path, **options)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} '{self.robot.name}': {len(self)} frames, {self.duration:.3f} s; {self.why}>"

    if not TYPE_CHECKING:  # for users only: type checkers must still report missing attributes

        def __getattr__(self, name: str) -> Any:
            """Raise an error that refers to `clip` for the methods of clips."""
            hint = f"; clips have it: use .clip.{name}" if not name.startswith("_") and hasattr(Clip, name) else ""
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'{hint}")


def clip_of(given: Any) -> Any:
    """Return the clip of a result; return anything else unchanged."""
    return given.clip if isinstance(given, MotionResult) else given
