"""Retarget many clip files to one figure, in this process, several processes, or the workers of a cluster.

Each finished clip is a file, so an interrupted run can be resumed. Workers receive the bytes of a clip and return joint
values, so the workers of a cluster do not need access to the disk.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from limbik.errors import BadOption, FileUnwritable, LimbikError, one_line, shown
from limbik.formats.content.layout import Arrays
from limbik.formats.source import LARGEST_MOTION, read_bytes
from limbik.motion.clip import Clip
from limbik.motion.keeping import save_or_keep
from limbik.motion.retarget.retarget import retarget
from limbik.motion.saving import WRITERS, check_saving
from limbik.robot.load_clip import FIGURES, load_clip
from limbik.robot.skeleton import Skeleton
from limbik.solvers.building.executors import executor_for
from limbik.solvers.building.parts import claimed
from limbik.solvers.building.task import Task
from limbik.solvers.building.work import Progress, make_pieces

# The longest message about a failed clip [characters].
LONGEST = 500


@dataclass(frozen=True)
class Done:
    """The result of one clip. why: one or several sentences about the outcome.

    status: "done", "doubtful" (written, but bone directions differ from the source's or the hips' path is lost), "there" (the
    output existed and was kept) or "failed". ok: as `Retargeted.ok`. slide, hand_error: the largest [m]. reported: the number
    of hand errors and foot slides above the tolerance.
    """

    clip: str
    out: str
    status: str
    why: str = ""
    frames: int = 0
    slide: float = 0.0
    hand_error: float = 0.0
    reported: int = 0
    ok: bool = False


@dataclass(frozen=True)
class Retargeting:
    """The task for each clip. how: options of `retarget`; reading: options of `load_clip`."""

    clips: tuple[str, ...]
    figure: Skeleton
    how: Mapping[str, Any]
    reading: Mapping[str, Any]
    name: str = "retargeting"

    @property
    def pieces(self) -> int:
        """The number of clips."""
        return len(self.clips)

    def make(self, piece: int, before: Arrays) -> Arrays:
        """Retarget a clip; before: the bytes of its file. Failures are returned, not raised."""
        if "problem" in before:
            return {"problem": before["problem"]}
        with TemporaryDirectory(prefix="limbik_") as folder:
            file = Path(folder) / Path(self.clips[piece]).name
            try:
                file.write_bytes(before["data"].tobytes())
                clip = load_clip(file, **self.reading)
                result = retarget(clip, self.figure, **self.how)
            except LimbikError as error:
                return {"problem": _bytes(one_line(str(error).replace(str(file), self.clips[piece]), LONGEST))}
            except Exception as error:
                return {"problem": _bytes(one_line(f"{type(error).__name__}: {error}", LONGEST))}
        report = {
            "why": result.why,
            "frames": len(result),
            "slide": result.foot_slide,
            "hand_error": max((float(e.max()) for e in result.hand_error.values()), default=0.0),
            "reported": len(result.reported),
            "ok": result.ok,
            "status": "done" if result.faithful else "doubtful",
        }
        return {"q": np.array(result.q), "times": np.array(result.times), "report": _bytes(json.dumps(report))}


@dataclass(frozen=True)
class Files(Task):
    """The tasks and their outputs: joint values go to clip files, reports to temporary files beside them until all is done."""

    outs: tuple[str, ...] = ()
    saving: tuple[tuple[str, Any], ...] = ()
    todo: tuple[int, ...] = ()

    def keep(self, piece: int, arrays: Arrays) -> None:
        """Write the clip, then its report."""
        report = {name: value for name, value in arrays.items() if name in ("problem", "report")}
        if "q" in arrays:
            assert isinstance(self.stage, Retargeting)
            out = Path(self.outs[piece])
            try:
                out.parent.mkdir(parents=True, exist_ok=True)
                save_or_keep(Clip(self.stage.figure, arrays["q"], arrays["times"]).recording, out, **dict(self.saving))
            except (LimbikError, OSError) as error:
                report = {"problem": _bytes(one_line(error, LONGEST))}
        self.parts.keep(self.name(piece), report)

    def missing(self) -> list[int]:
        """Return the clips without results."""
        return list(self.todo)


def retarget_library(
    clips: Sequence[str | PathLike[str]],
    outs: Sequence[str | PathLike[str]],
    figure: Skeleton,
    *,
    workers: int | None = None,
    cluster: str | None = None,
    force: bool = False,
    progress: Progress | None = None,
    reading: Mapping[str, Any] | None = None,
    saving: Mapping[str, Any] | None = None,
    **how: Any,
) -> list[Done]:
    """Retarget motion files to files, one for each; a failed clip is reported and does not stop the others.

    outs: the output files (.bvh, .glb, .gltf, .csv, .npz); existing ones are kept unless `force`. workers: number of processes,
    default 1. cluster: "local", or the address of a dask scheduler (extra `cluster`). reading: options of `load_clip` (unit=,
    up= ...); saving: of `Clip.save`; how: of `retarget`. progress: called with the number of finished clips, the total, and the
    current stage. Raises BadOption, FileUnwritable, MissingExtra, WorkerLost.
    """
    if not isinstance(figure, Skeleton):
        raise BadOption(f"retarget_library needs a Skeleton as the target figure, not {shown(figure)}")
    sources, targets = _checked(clips, "clips", FIGURES), _checked(outs, "outs", WRITERS)
    if len(sources) != len(targets) or len(set(targets)) != len(targets):
        raise BadOption(f"{len(sources)} clips need as many distinct output files; got {len(set(targets))}")
    resolved = {Path(path).resolve() for path in sources}
    for out in targets:
        if Path(out).resolve() in resolved:
            raise BadOption(f"'{out}' is also a source; give another output file")
    if not sources:
        return []
    existing = {k for k, out in enumerate(targets) if not force and Path(out).exists()}
    todo = tuple(k for k in range(len(sources)) if k not in existing)
    rows = [Done(clip, out, "there") for clip, out in zip(sources, targets, strict=True)]
    if not todo:
        return rows
    stage = Retargeting(sources, figure, dict(how), dict(reading or {}))
    common = Path(targets[todo[0]]).parent
    for k in todo:
        _check_target(Path(targets[k]), dict(saving or {}))
    identity = {"figure": figure.fingerprint, "clips": list(sources), "outs": list(targets), "todo": list(todo)}
    with claimed(common / "retarget", identity, fresh=True) as parts, executor_for(workers, cluster) as executor:
        task = Files(stage, 0, parts, targets, tuple(sorted((saving or {}).items())), todo)
        make_pieces(task, executor, progress, lambda piece: _read(sources[piece]))
        for k in todo:
            report = parts.get(task.name(k))
            if "problem" in report:
                rows[k] = Done(sources[k], targets[k], "failed", report["problem"].tobytes().decode())
            else:
                rows[k] = Done(sources[k], targets[k], **json.loads(report["report"].tobytes()))
        parts.remove()
    return rows


def _checked(given: Any, what: str, known: Mapping[str, Any]) -> tuple[str, ...]:
    if isinstance(given, str | bytes | PathLike) or not isinstance(given, Sequence):
        raise BadOption(f"{what}={shown(given)} must be a list of paths")
    for path in given:
        if not isinstance(path, str | PathLike):
            raise BadOption(f"{what}: {shown(path)} is not a path")
        if Path(path).suffix.lower() not in known:
            raise BadOption(f"{what}: '{path}' must end in one of {', '.join(known)}")
    return tuple(str(path) for path in given)


def _check_target(out: Path, saving: dict[str, Any]) -> None:
    """Create the folder of a file and check that the file can be written. Raises FileUnwritable, BadFile, BadOption."""
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileUnwritable(f"cannot make the folder '{out.parent}': {one_line(error)}") from None
    check_saving(out, **saving)


def _read(path: str) -> Arrays:
    try:
        return {"data": np.frombuffer(read_bytes(Path(path), LARGEST_MOTION), np.uint8)}
    except LimbikError as error:
        return {"problem": _bytes(one_line(error, LONGEST))}


def _bytes(text: str) -> np.ndarray:
    return np.frombuffer(text.encode() or b" ", np.uint8)
