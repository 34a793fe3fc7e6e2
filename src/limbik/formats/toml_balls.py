"""The `[[ball]]` tables of a TOML file with `balls_of`: ball joints in place of the hinges of another file."""

from collections.abc import Mapping
from typing import Any

from limbik.errors import BadModel, LimbikError, shown
from limbik.formats.toml_values import angle, check_keys, tables, triple
from limbik.model.balls import Cone, with_balls
from limbik.model.mechanism import Mechanism

_BALL = {"frame", "axis", "middle", "swing", "twist"}


def read_balls(hinged: Mechanism, data: Mapping[str, Any], what: str) -> Mechanism:
    """Return a mechanism with the ball joints of a parsed file. Raises BadModel."""
    cones: dict[str, Cone] = {}
    for k, table in enumerate(tables(data, "ball", what) if "ball" in data else (), start=1):
        here = f"{what}, ball {shown(table.get('frame', k))}"
        check_keys(table, _BALL, here)
        frame = table.get("frame")
        if not isinstance(frame, str) or frame in cones:
            raise BadModel(f"{here} needs a frame = 'name', a different one for each ball")
        given = {key for key in _BALL if key in table or f"{key}_deg" in table}
        cones[frame] = Cone(
            axis=triple(table, "axis", here, [0, 0, 1]) if "axis" in given else None,
            middle=triple(table, "middle", here, [0, 0, 1]) if "middle" in given else None,
            swing=float(angle(table, "swing", here, 0.0)) if "swing" in given else None,
            twist=angle(table, "twist", here, [0.0, 0.0]) if "twist" in given else None,
        )
    try:
        return with_balls(hinged, cones or None)
    except BadModel:
        raise
    except LimbikError as error:
        raise BadModel(f"{what}: {error}") from None
