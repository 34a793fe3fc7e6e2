"""What a figure does with paths: several frames led along at once, each posture from the one before."""

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from limbik.errors import BadOption, shown
from limbik.motion.path import as_path
from limbik.robot.pursuing import Frozen, Pursuing
from limbik.solvers.answer import Status

if TYPE_CHECKING:
    from limbik.robot.followed import FollowedClip

# A part of the posture that moves farther from one frame to the next jumps [rad or m].
JUMP = 0.7
# Frames that one clip may have.
MOST_FRAMES = 200_000


class FigureFollowing(Pursuing):
    """The verb of a figure that is about paths."""

    def follow(
        self,
        paths: Mapping[str, Any],
        seed: Any = None,
        rate: float = 30.0,
        *,
        limits: bool = True,
        frozen: Frozen = None,
    ) -> "FollowedClip":
        """Return the motion that leads frames along their paths, {frame: Path}, a clip with `rate` frames a second.

        Each frame of the clip starts from the posture before, so what is not asked for stays where it is. A path that is over
        holds its end. The clip ends where the goals cannot be met together, or only by a jump, and says why. seed, limits and
        frozen: as in `solve`.
        """
        from limbik.robot.clip import checked_rate
        from limbik.robot.followed import FollowedClip, Outcome

        if not isinstance(paths, Mapping) or not paths:
            raise BadOption(f"a figure follows {{frame: Path}}, not {shown(paths)}")
        frequency = checked_rate(rate)
        ways = {frame: as_path(path, frequency) for frame, path in paths.items()}
        duration = max(way.duration for way in ways.values())
        if not duration * frequency < MOST_FRAMES:
            raise BadOption(f"{duration * frequency:.3g} frames are too many for one clip; follow the paths in parts")
        times = np.linspace(0.0, duration, max(math.ceil(duration * frequency - 1e-6), 1) + 1)
        targets = {frame: way.at(times) for frame, way in ways.items()}
        q: list[Any] = []
        errors: list[tuple[float, float]] = []
        outcome = Outcome(Status.SOLVED, f"followed {len(times)} frames", None, len(times))
        posture = seed
        for k, t in enumerate(times):
            answer = self._pursue(
                self._goals({f: Ts[k] for f, Ts in targets.items()}), posture, limits=limits, frozen=frozen
            )
            leapt = k > 0 and float(np.abs(self._kernel.difference(q[-1], answer.q)).max()) > JUMP
            if not answer.ok or leapt:
                where = f"frame {k} of {len(times)} (t = {t:.4g} s)"
                why = (
                    f"{where} cannot be reached without a jump" if leapt else f"{where} cannot be reached: {answer.why}"
                )
                status = Status.NOT_FOUND if answer.ok else answer.status
                outcome = Outcome(status, why, k, len(times))
                if k > 0:
                    break
            q.append(answer.q)
            errors.append((answer.position_error, answer.rotation_error))
            if outcome.failed is not None:
                break
            posture = answer.q
        apart = np.array(errors)
        figure: Any = self
        seen = times[: len(q)]
        return FollowedClip.made(
            figure, np.array(q), np.array(seen), np.array(seen), (apart[:, 0].copy(), apart[:, 1].copy()),
            np.full(len(q), -1), (), outcome,
        )  # fmt: skip
