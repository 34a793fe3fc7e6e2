"""The muscles of a TOML file: `[[muscle]]` tables, and `independent`, the muscles whose lengths determine the posture.

    [[muscle]]
    name = "biceps"
    origin = { link = "upper_arm", xyz = [0, 2, -7] }
    via = [{ link = "upper_arm", xyz = [0, 3, -20] }]
    insertion = { link = "forearm", xyz = [0, 2, -4] }
    pulley = [{ joint = "elbow", radius = 2 }]
    rest = 0
    lower = 23.5
    upper = 32.5
    opposes = ["triceps"]
    mckibben = { thread = 36, turns = 3, highest = 400000, hysteresis = 0.05, tendon = 0 }

Lengths are in the `unit` of the file, pressures in Pa. With `mckibben = {}`, the thread is chosen to fit the muscle's range.
"""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from limbik.errors import BadModel, LimbikError, shown, suggest
from limbik.formats.toml_values import check_keys, real, tables, triple, word
from limbik.model.mckibben import McKibben
from limbik.model.muscle import Attachment, Muscle, Pulley
from limbik.model.units import unit_factor

_MUSCLE = {"name", "origin", "via", "insertion", "pulley", "rest", "lower", "upper", "opposes", "mckibben"}
_FILE = {"name", "title", "source", "licence", "notes", "unit", "muscle", "independent"}
_ACTUATOR = {"thread", "turns", "highest", "hysteresis", "tendon"}


def read_muscle_file(path: Path, prismatic: frozenset[str] = frozenset()) -> tuple[Muscle, ...]:
    """Return the muscles of a file of muscles, or of a whole mechanism. Raises BadFile or BadModel.

    prismatic: as in `read_muscles`.
    """
    from limbik.formats.toml import parsed

    data = parsed(path)
    what = f"'{path.name}'"
    if not ("dh" in data or "joint" in data):
        check_keys(data, _FILE, what)
    if "muscle" not in data:
        raise BadModel(f"{what} has no muscles; write each under its own [[muscle]]")
    return read_muscles(data, what, unit_factor(data.get("unit", "m")), prismatic)


def read_muscles(
    data: Mapping[str, Any], what: str, length: float, prismatic: frozenset[str] = frozenset()
) -> tuple[Muscle, ...]:
    """Return the muscles of a parsed file, lengths in metres. prismatic: joints on which a pulley's radius is dimensionless.

    Raises BadModel.
    """
    muscles = [
        _muscle(table, f"{what}, muscle {shown(table.get('name', k))}", length, prismatic)
        for k, table in enumerate(tables(data, "muscle", what) if "muscle" in data else (), start=1)
    ]
    chosen = data.get("independent", [])
    names = [muscle.name for muscle in muscles]
    if not isinstance(chosen, list) or not all(isinstance(name, str) for name in chosen):
        raise BadModel(f"{what}: independent is {shown(chosen)}; give a list of names of muscles")
    for name in chosen:
        if name not in names:
            raise BadModel(f"{what} lists {shown(name)} as independent, but has no such muscle; {suggest(name, names)}")
    return tuple(replace(muscle, independent=muscle.name in chosen) for muscle in muscles)


def _muscle(table: Mapping[str, Any], what: str, length: float, prismatic: frozenset[str]) -> Muscle:
    """Return one muscle. `lower` and `upper` are lengths, so keys with `_deg` are errors."""
    for key in table:
        if key not in _MUSCLE:
            raise BadModel(f"{what} has the unknown key {shown(key)}; {suggest(key, sorted(_MUSCLE))}")
    name = word(table, "name", what, "")
    if not name:
        raise BadModel(f"{what} has no name")
    path = []
    if "origin" in table or "insertion" in table or "via" in table:
        for key in ("origin", "insertion"):
            if key not in table:
                raise BadModel(f"{what} has no {key}; a muscle with points has an origin and an insertion")
        via = _list(table, "via", what)
        path = [_point(p, what, length) for p in (table["origin"], *via, table["insertion"])]
    pulleys = [_pulley(p, what, length, prismatic) for p in _list(table, "pulley", what)]
    opposes = table.get("opposes", [])
    if not isinstance(opposes, list) or not all(isinstance(other, str) for other in opposes):
        raise BadModel(f"{what}: opposes is {shown(opposes)}; give a list of names of muscles")
    rest, lower = (real(table.get(key, 0.0), key, what) * length for key in ("rest", "lower"))
    upper = real(table.get("upper", float("inf")), "upper", what) * length
    try:
        muscle = Muscle(name, tuple(path), tuple(pulleys), rest, lower, upper, tuple(opposes))
        return replace(muscle, actuator=_actuator(table, muscle, what, length))
    except LimbikError as error:
        raise BadModel(_with_name(what, error)) from None


def _list(table: Mapping[str, Any], key: str, what: str) -> list[Any]:
    given = table.get(key, [])
    if isinstance(given, Mapping):
        given = [given]
    if not isinstance(given, list):
        raise BadModel(f"{what}: {key} is {shown(given)}; give a list of tables")
    return given


def _point(given: Any, what: str, length: float) -> Attachment:
    if not isinstance(given, Mapping) or not isinstance(given.get("link"), str) or "xyz" not in given:
        raise BadModel(f"{what}: a point is {shown(given)}; write {{ link = 'name', xyz = [x, y, z] }}")
    check_keys(given, ("link", "xyz"), what)
    x, y, z = (length * c for c in triple(given, "xyz", what, [0.0, 0.0, 0.0]))
    return Attachment(given["link"], (x, y, z))


def _pulley(given: Any, what: str, length: float, prismatic: frozenset[str]) -> Pulley:
    if not isinstance(given, Mapping) or not isinstance(given.get("joint"), str) or "radius" not in given:
        raise BadModel(f"{what}: a pulley is {shown(given)}; write {{ joint = 'name', radius = 0.03 }}")
    check_keys(given, ("joint", "radius"), what)
    try:
        return Pulley(
            given["joint"], real(given["radius"], "radius", what) * (1.0 if given["joint"] in prismatic else length)
        )
    except LimbikError as error:
        raise BadModel(_with_name(what, error)) from None


def _actuator(table: Mapping[str, Any], muscle: Muscle, what: str, length: float) -> McKibben | None:
    given = table.get("mckibben")
    if given is None:
        return None
    if not isinstance(given, Mapping):
        raise BadModel(
            f"{what}: mckibben is {shown(given)}; write {{ thread = 0.36, turns = 3 }}, or {{}} to fit the range"
        )
    check_keys(given, _ACTUATOR, what)
    values = {
        key: real(value, key, what) * (length if key in ("thread", "tendon") else 1.0) for key, value in given.items()
    }
    if "thread" in values:
        return McKibben(**{"turns": 3.0, **values})
    return McKibben.for_range(muscle.lower, muscle.upper, **values)


def _with_name(what: str, error: LimbikError) -> str:
    """Return an error message that begins with the muscle's name, once."""
    text = str(error)
    if text.startswith(what):
        return text
    file, _, name = what.rpartition(", muscle ")
    return f"{file}, {text}" if file and text.startswith(f"muscle {name}") else f"{what}: {text}"
