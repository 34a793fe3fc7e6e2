"""`capture`: the motion of a figure from markers, with its bone lengths, marker offsets and a summary."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from limbik.errors import BadModel, BadOption, UnknownFrame, shown, suggest
from limbik.geometry.arrays import Array, number
from limbik.model.humanoid import humanoid
from limbik.model.marker_set import MarkerSet
from limbik.model.markers import Markers
from limbik.model.ranges import Mask
from limbik.model.robots import is_robot, of_the_same_kind
from limbik.motion.capture.body import Body
from limbik.motion.capture.captured import Captured
from limbik.motion.capture.estimate import Estimate
from limbik.motion.capture.estimate import estimate as fitted
from limbik.motion.capture.sizing import EstimateOptions
from limbik.motion.capture.summary import summary_of, suspicious
from limbik.motion.capture.swapped_sides import swapped_sides
from limbik.motion.clip import Clip
from limbik.motion.sides import counterparts

if TYPE_CHECKING:
    from limbik.robot.chain import Chain
    from limbik.robot.skeleton import Skeleton

# The values of `estimate`.
ESTIMATED = ("lengths", "offsets")


def capture(
    markers: Markers,
    figure: "Skeleton | Chain",
    marker_set: Any = None,
    *,
    estimate: Iterable[str] = ESTIMATED,
    smoothing: float | str | None = "auto",
    symmetric: bool = False,
) -> Captured:
    """Return the motion of a figure from markers, with constant fitted bone lengths.

    marker_set: a MarkerSet, or {marker: frame} or {marker: (frame, offset)}; None reads it from the markers' names. Markers
    that it does not name are ignored. estimate: "lengths" fits a factor for each bone; "offsets" also fits the given offsets,
    starting from them (unknown offsets are always fitted). smoothing: "auto" chooses a cutoff for each joint; a number is the
    cutoff frequency [Hz]; None disables smoothing. symmetric: left and right bones have the same length.

    Frames in which the markers do not determine the posture are filled and flagged: see `bridged`, `doubtful` and `why`. Raises
    BadOption, UnknownFrame, ShapeError and other errors for invalid markers and frames.
    """
    if not isinstance(markers, Markers):
        raise BadOption(
            f"capture takes Markers, not {shown(markers)}; make them with Markers(names, positions, rate=...)"
        )
    if not is_robot(figure):
        raise BadOption(f"capture takes a Skeleton or Chain, not {shown(figure)}; load one with limbik.load")
    wanted = _checked_estimate(estimate)
    places, ignored = _places(markers, figure, marker_set)
    used = markers.only(places.places)
    _check_visible(used)
    offsets = np.array([(0.0, 0.0, 0.0) if o is None else o for o in places.offsets.values()])
    known = np.array([o is not None for o in places.offsets.values()])
    body = Body(
        figure.model.mechanism,
        figure.base,
        None if figure.model.is_tree else figure.model.tip,
        tuple(places.frames.values()),
        offsets,
    )
    groups = _groups(body, symmetric) if "lengths" in wanted else np.zeros((len(body.bones), 0))
    free = np.ones(len(known), dtype=bool) if "offsets" in wanted else ~known
    options = EstimateOptions(groups, known, free, _cutoff(smoothing, used))
    points = np.array(used.positions)
    found = fitted(body, points, np.array(used.times), options)
    swapped = swapped_sides(body, points, options, used.names) if suspicious(found) else ()
    return _captured(figure, used, places, ignored, options, found, swapped)


def _captured(
    figure: "Skeleton | Chain",
    markers: Markers,
    places: MarkerSet,
    ignored: list[str],
    options: EstimateOptions,
    found: Estimate,
    swapped: tuple[str, ...],
) -> Captured:
    body = found.body
    robot = of_the_same_kind(figure, body.mechanism)
    modelled = body.positions(found.q)
    positions = np.where((markers.missing | found.outliers)[..., None], modelled, markers.positions)
    names = np.array(robot.joint_names)[found.absent]
    why = summary_of(markers, found, options, ignored, [str(name) for name in names], swapped)
    return Captured(
        Clip(robot, found.q, markers.times),
        summary=why,
        marker_error=found.far,
        filled=Markers(markers.names, positions, markers.times),
        marker_set=MarkerSet(
            {name: (frame, body.offsets[k].tolist()) for k, (name, frame) in enumerate(places.frames.items())}
        ),
        lengths={bone.name: float(np.linalg.norm(bone.origin[:3, 3])) for bone in body.bones},
        length_error=dict(zip((bone.name for bone in body.bones), found.deviations.tolist(), strict=True)),
        place_error=dict(found.place_error),
        noise=float(found.sigma),
        frame_error=found.doubt.error,
        bridged=found.doubt.bridged,
        doubtful=found.doubt.frames,
        rejected=found.outliers,
    )


def _checked_estimate(given: Any) -> tuple[str, ...]:
    wanted = (given,) if isinstance(given, str) else tuple(given) if isinstance(given, Iterable) else (given,)
    for one in wanted:
        if one not in ESTIMATED:
            raise BadOption(f"estimate={shown(given)}: choose from {' and '.join(map(repr, ESTIMATED))}")
    return wanted


def _cutoff(given: Any, markers: Markers) -> float | str | None:
    """Return the cutoff as a fraction of the frame rate."""
    if given is None or given == "auto":
        return given  # type: ignore[no-any-return]
    cutoff = number(given, "smoothing: 'auto', None or a cutoff in Hz")
    if not 0 < cutoff < np.inf:
        raise BadOption(f"smoothing={shown(given)}: give 'auto', None, or a cutoff above 0 Hz")
    return min(cutoff / markers.frame_rate, 0.5) if len(markers) > 1 else None


def _segments(figure: "Skeleton | Chain") -> list[str]:
    """Return the frames that marker names may refer to, without links between the hinges of one joint (`leftUpperArm_1`).

    Such links coincide with the next joint's origin, and their names (segment and number) often resemble marker names.
    """
    children: dict[str, list[tuple[str, bool]]] = {}
    for joint in figure.model.mechanism.joints:
        children.setdefault(joint.parent, []).append((joint.child, not joint.origin[:3, 3].any()))

    def is_inner(frame: str) -> bool:
        stem, _, number = frame.rpartition("_")
        at = frame
        while number.isdigit() and len(children.get(at, ())) == 1 and children[at][0][1]:
            at = children[at][0][0]
            if at == stem:
                return True
        return False

    return [frame for frame in figure.frames if not is_inner(frame)]


def _places(markers: Markers, figure: "Skeleton | Chain", given: Any) -> tuple[MarkerSet, list[str]]:
    """Return the marker set of the known markers, and the names of the ignored ones. Raises BadOption, UnknownFrame."""
    if given is None:
        places = MarkerSet.named(markers.names, _segments(figure), humanoid(figure))
    else:
        places = given if isinstance(given, MarkerSet) else MarkerSet(given)
    for name, frame in places.frames.items():
        if frame not in figure.frames:
            raise UnknownFrame(
                f"marker '{name}' is on the frame '{frame}', which is not in '{figure.name}'; "
                f"{suggest(frame, figure.frames)}"
            )
    kept = {name: places.places[name] for name in markers.names if name in places.places}
    if not kept:
        raise BadOption(
            f"none of the markers is in the marker set; {suggest(next(iter(places.places)), markers.names)}"
        )
    return MarkerSet(kept), [name for name in markers.names if name not in kept]


def _check_visible(markers: Markers) -> None:
    """Raise BadOption if a marker is never visible, or too few are."""
    lost: Mask = np.asarray(markers.missing.all(axis=0))
    if lost.any():
        names = [name for name, gone in zip(markers.names, lost, strict=True) if gone]
        raise BadOption(
            f"marker '{names[0]}' is missing in every frame"
            + (f" (and {len(names) - 1} more)" if len(names) > 1 else "")
            + f"; leave it out: markers.without({names[:3]})"
        )
    if len(markers.names) < 3:
        raise BadOption(f"{len(markers.names)} markers do not determine a posture; at least 3 are needed")
    if (~markers.missing).sum(axis=1).max() < 3:
        raise BadOption("no frame has 3 visible markers, so no posture can be determined")


def _groups(body: Body, symmetric: bool) -> Array:
    """Return the groups of bones with a common factor, (bones, groups)."""
    if not isinstance(symmetric, bool):
        raise BadOption(f"symmetric={shown(symmetric)} must be True or False")
    names = [bone.name for bone in body.bones]
    if not names:
        raise BadModel(f"'{body.mechanism.name}' has no bones to estimate; pass estimate=('offsets',)")
    if not symmetric:
        return np.eye(len(names))
    partner = counterparts(names)
    first = list(dict.fromkeys(min(name, partner[name]) for name in names))
    return np.array([[float(min(name, partner[name]) == one) for one in first] for name in names])
