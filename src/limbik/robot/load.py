"""Load a name of the catalogue, a file, a text or a model in memory as a Chain or a Skeleton."""

from collections.abc import Mapping
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Any, TypedDict, Unpack, overload

import numpy as np

from limbik.errors import BadFile, BadOption, FileUnreadable, UnknownRobot, shown, suggest
from limbik.formats.bvh import read_bvh_mechanism
from limbik.formats.gltf import read_gltf_mechanism
from limbik.formats.mjcf import read_mjcf
from limbik.formats.pinocchio import is_pinocchio_model, read_pinocchio
from limbik.formats.source import LARGEST_FILE, exists, read_text
from limbik.formats.toml import read_toml
from limbik.formats.urdf import LOCKED, UNLIMITED, read_urdf
from limbik.formats.xacro import read_xacro
from limbik.formats.xml import root_tag
from limbik.model.catalog import CATALOGUE, FOLDER
from limbik.model.catalog.kinds import ChainName, SkeletonName
from limbik.model.ends import ends_of
from limbik.model.mechanism import Mechanism
from limbik.model.snapping import snapped
from limbik.model.units import metres_per
from limbik.robot.chain import Chain
from limbik.robot.kinematic_chain import check_ends
from limbik.robot.skeleton import Skeleton

# The suffixes of files that `load` reads.
SUFFIXES = (".urdf", ".xacro", ".xml", ".mjcf", ".toml", ".bvh", ".glb", ".gltf")
# Suffixes of files that also hold motion; their readers convert the unit.
FIGURES = {".bvh": read_bvh_mechanism, ".glb": read_gltf_mechanism, ".gltf": read_gltf_mechanism}


class LoadOptions(TypedDict, total=False):
    """The keyword-only options of `load`, for its overloads."""

    arguments: Mapping[str, str] | None
    snap: bool
    zero_limits: str | None


@overload
def load(
    source: ChainName, base: str | None = None, tip: str | None = None, unit: Any = None, **options: Unpack[LoadOptions]
) -> Chain: ...
@overload
def load(
    source: SkeletonName, base: str | None = None, tip: None = None, unit: Any = None, **options: Unpack[LoadOptions]
) -> Skeleton: ...
@overload
def load(source: Any, base: str | None, tip: str, unit: Any = None, **options: Unpack[LoadOptions]) -> Chain: ...
@overload
def load(
    source: Any, base: str | None = None, *, tip: str, unit: Any = None, **options: Unpack[LoadOptions]
) -> Chain: ...
@overload
def load(
    source: Any, base: str | None = None, tip: str | None = None, unit: Any = None, **options: Unpack[LoadOptions]
) -> Chain | Skeleton: ...
def load(
    source: Any, base: str | None = None, tip: str | None = None, unit: Any = None, *,
    arguments: Mapping[str, str] | None = None, snap: bool = False, zero_limits: str | None = None,
) -> Chain | Skeleton:  # fmt: skip
    """Return the robot or figure that `source` names or describes.

    source: a name of the catalogue ("panda"), a file (.urdf .xacro .xml .mjcf .toml .bvh .glb .gltf), a URDF text, a `Mechanism`,
    or a `pinocchio.Model`. base, tip: the end frames of the chain; without a tip the result is a Chain if the mechanism
    has one tip, else a Skeleton. `Chain.load` and `Skeleton.load` always return their own type. unit: the unit of length of the
    source ("mm" ..., or a number of metres); lengths are converted to metres. None: the unit of the format, else metres, and
    centimetres for .bvh. arguments: values for a xacro file's $(arg ...). snap: replace rotations within 0.001 rad of multiples
    of 45 degrees (1.5708, 1.571, 3.1416 ...) by exact ones, which gives many arms a closed form; `notes` reports the change.
    By default angles are not changed. zero_limits: the meaning of URDF limits that are both 0 or missing: "locked" at 0, as in
    the specification (None means this), or "unlimited", as some exporters intend; `notes` names such joints. Raises
    UnknownRobot, BadFile, FileUnreadable, BadModel, UnknownFrame, BadOption.
    """
    mechanism = load_mechanism(source, unit, arguments=arguments, snap=snap, zero_limits=zero_limits)
    if tip is not None:
        check_ends(mechanism, base, tip)
    if tip is not None or len(ends_of(mechanism)) == 1:
        return Chain(mechanism, base, tip)
    return Skeleton(mechanism, base)


def load_mechanism(
    source: Any,
    unit: Any = None,
    *,
    arguments: Mapping[str, str] | None = None,
    snap: bool = False,
    zero_limits: str | None = None,
) -> Mechanism:
    """Return the links and joints of a source, in metres. Arguments and errors: as in `load`."""
    if not isinstance(snap, bool | np.bool_):
        raise BadOption(f"snap={shown(snap)}: True makes rounded angles exact, False keeps them as they are")
    mechanism = read_mechanism(source, arguments, unit, zero_limits)
    factor = 1.0 if _figure_suffix(source) else metres_per(unit)
    if factor != 1.0:
        if _has_fixed_unit(source):
            raise BadOption(f"unit={unit!r}: {shown(source)} defines its own unit; use scaled() to change its size")
        mechanism = mechanism.scaled(factor)
    if not snap:
        return mechanism
    exact = snapped(mechanism)
    return replace(exact.mechanism, notes=(*mechanism.notes, exact.note)) if exact.turns else mechanism


def _has_fixed_unit(source: Any) -> bool:
    """Return whether a source is always in metres: the catalogue and limbik's own files."""
    return isinstance(source, str | PathLike) and (source in CATALOGUE or str(source).lower().endswith(".toml"))


def _figure_suffix(source: Any) -> str:
    """Return the suffix of a motion file, or an empty string."""
    suffix = Path(source).suffix.lower() if isinstance(source, str | PathLike) and "\n" not in str(source) else ""
    return suffix if suffix in FIGURES else ""


def read_mechanism(
    source: Any, arguments: Mapping[str, str] | None = None, unit: Any = None, zero_limits: str | None = None
) -> Mechanism:
    """Return the links and joints of a source as data. unit: for motion files, which are converted to metres."""
    zero = _checked_zero_limits(zero_limits)
    if arguments is not None and not isinstance(arguments, Mapping):
        raise BadOption(f"arguments must be {{name: value}} for a .xacro file; got {shown(arguments)}")
    if arguments and not (isinstance(source, str | PathLike) and str(source).lower().endswith(".xacro")):
        raise BadOption("arguments= requires a .xacro file")
    if isinstance(source, bytes):
        source = source.decode("utf-8", "replace")
    if isinstance(source, str) and source.lstrip("\ufeff \t\r\n").startswith("<"):
        if len(source) > LARGEST_FILE:
            raise BadFile(
                f"the text has {len(source) / 2**20:.0f} MB; a robot description has less than {LARGEST_FILE // 2**20} MB"
            )
        return read_urdf(source.lstrip("\ufeff \t\r\n"), "the URDF text", zero)
    if zero_limits is not None and not _may_be_urdf(source):
        raise BadOption(f"zero_limits= applies to URDF and xacro; {shown(source)} is neither")
    if isinstance(source, Mechanism):
        return source
    if is_pinocchio_model(source):
        return read_pinocchio(source)
    if isinstance(source, str) and source in CATALOGUE:
        return read_toml(FOLDER / f"{source}.toml")
    if not isinstance(source, str | PathLike):
        raise BadOption(f"cannot load a {type(source).__name__}; give a name, a path, a URDF text or a pinocchio.Model")
    return _read_file(source, arguments, unit, zero)


def _checked_zero_limits(given: str | None) -> str:
    if given is None:
        return LOCKED
    if given not in (LOCKED, UNLIMITED):
        raise BadOption(f"zero_limits={shown(given)} is not known; use '{LOCKED}' or '{UNLIMITED}'")
    return given


def _may_be_urdf(source: Any) -> bool:
    """Return whether a source names a file that may hold URDF; the content of a .xml decides when it is read."""
    named = isinstance(source, str | PathLike) and source not in CATALOGUE
    return named and Path(str(source)).suffix.lower() in (".urdf", ".xacro", ".xml")


def _read_file(source: Any, arguments: Mapping[str, str] | None, unit: Any, zero: str) -> Mechanism:
    try:
        path = Path(source)
    except TypeError:
        raise BadOption(f"{shown(source)} is not a text path") from None
    suffix = path.suffix.lower()
    if not exists(path):
        if suffix in SUFFIXES or len(path.parts) > 1:
            raise FileUnreadable(f"the file {str(path)[:200]!r} does not exist; {_missing_file_hint(path)}")
        raise UnknownRobot(f"no robot {str(source)[:80]!r} in the catalogue; {suggest(str(source)[:80], CATALOGUE)}")
    if path.is_dir():
        raise BadFile(f"'{path}' is a directory; give the file inside it that describes the robot")
    if suffix in FIGURES:
        return FIGURES[suffix](path, unit)
    if suffix == ".xacro":
        return read_xacro(path, arguments, zero)
    if suffix == ".toml":
        return read_toml(path)
    if suffix in (".xml", ".mjcf"):
        text = read_text(path)
        return read_urdf(text, f"'{path}'", zero) if root_tag(text, f"'{path}'") == "robot" else read_mjcf(path)
    if suffix == ".urdf":
        return read_urdf(read_text(path), f"'{path}'", zero)
    raise BadFile(f"'{path}' ends in {suffix or 'nothing'!r}; limbik reads {', '.join(SUFFIXES)}")


def _missing_file_hint(path: Path) -> str:
    """Return a hint about a path that does not exist, as the end of a sentence."""
    if path.parts[0].startswith("~"):
        return f"'{path.parts[0]}' is not expanded to a home folder: pass pathlib.Path(...).expanduser()"
    if path.parts[0] == "package:":
        return "limbik.load takes a path, not a package:// address: give the file itself"
    here = f"the current folder is '{Path.cwd()}'"
    named = path.name.partition(".")[0]
    return f"{here}, and the catalogue has {named!r}: load({named!r})" if named in CATALOGUE else here
