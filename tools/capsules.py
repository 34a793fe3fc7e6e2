"""Cover the meshes of a catalogue arm with capsules: `python -m tools.capsules panda` prints the [[shape]] tables.

`--link` chooses links; `--pays 0.98` gives them more and closer capsules, for links that pass each other closely.

One capsule: the direction u of its axis, a point c on the axis and its radius r determine the ends: a point at height s along
the axis and distance p from it is covered if an end lies beyond s - sqrt(r^2 - p^2). The search for u, c and r with the least
volume uses several starts. Several capsules: a part of the surface is cut in two by the plane that gives the least volume of the
capsules' union; this is repeated while it pays. Numbers are rounded to millimetres, the radius upwards, so that every point of
the mesh's surface is inside.
"""

import argparse
import math
from dataclasses import dataclass

import numpy as np
from cases.meshes import meshes_of
from scipy.optimize import minimize
from scipy.spatial import ConvexHull, QhullError

import limbik as lk
from limbik.geometry.se3 import onto_z

# Distance of the sample points of a surface [m]; also the overlap of the two parts of a cut.
SPACING = 0.005
# A further capsule must reduce the volume to this share, unless --pays is given; the most capsules of a link.
PAYS = 0.92
MOST = 4
# Cuts tried along each direction, and grid points along each side of the box in which volume is measured.
CUTS = 7
GRID = 26
# Normals through the edges of a cube: an elbow is best cut diagonally.
DIAGONALS = np.array([(1, 1, 0), (1, -1, 0), (1, 0, 1), (1, 0, -1), (0, 1, 1), (0, 1, -1)]) / math.sqrt(2)
# Digits after the point: millimetres.
DIGITS = 3


@dataclass(frozen=True, eq=False)
class Fit:
    """A capsule around some points."""

    start: np.ndarray
    end: np.ndarray
    radius: float

    @property
    def volume(self) -> float:
        """The volume [m^3]."""
        length = float(np.linalg.norm(self.end - self.start))
        return math.pi * self.radius**2 * length + 4 / 3 * math.pi * self.radius**3


def surface(triangles: np.ndarray) -> np.ndarray:
    """Return points on triangles (N, 3, 3), corners among them, at most SPACING apart."""
    longest = np.linalg.norm(triangles - np.roll(triangles, 1, axis=1), axis=2).max(axis=1)
    parts = np.maximum(1, np.ceil(longest / SPACING)).astype(int)
    points = [triangles.reshape(-1, 3)]
    for n in np.unique(parts):
        i, j = np.meshgrid(np.arange(n + 1), np.arange(n + 1), indexing="ij")
        weights = np.stack([i, j, n - i - j], axis=-1)[i + j <= n] / n
        points.append(np.einsum("wk,tkx->twx", weights, triangles[parts == n]).reshape(-1, 3))
    everything = np.concatenate(points)
    cells = np.unique((everything / (SPACING / 2)).round().astype(np.int64), axis=0, return_index=True)[1]
    return np.concatenate([everything[cells], everything[: len(triangles) * 3]])


def distance(points: np.ndarray, start: np.ndarray, end: np.ndarray) -> np.ndarray:
    """Return the distances of points from a segment."""
    along = end - start
    t = np.clip((points - start) @ along / max(float(along @ along), 1e-300), 0, 1)
    return np.linalg.norm(points - (start + t[:, None] * along), axis=1)


# ---- one capsule -----------------------------------------------------------------------------------------------------


def _along(points: np.ndarray, u: np.ndarray, c: np.ndarray, wider: float) -> Fit:
    """Return the capsule whose axis passes c along u; its radius is `wider` times the least."""
    across = onto_z(u)[:3, :3]
    relative = (points - c) @ across
    p = np.hypot(relative[:, 0], relative[:, 1])
    r = float(p.max()) * wider
    half_chord = np.sqrt(np.maximum(r * r - p * p, 0))
    low, high = float((relative[:, 2] + half_chord).min()), float((relative[:, 2] - half_chord).max())
    if low > high:
        low = high = (low + high) / 2
    return Fit(c + low * u, c + high * u, r)


def rough(points: np.ndarray) -> Fit:
    """Return a capsule around the points, accurate enough to choose a cut."""
    fits = []
    for axis in np.linalg.svd(points - points.mean(axis=0), full_matrices=False)[2]:
        axis = axis / np.linalg.norm(axis)
        across = onto_z(axis)[:3, :3]
        relative = points @ across
        c = across @ ((relative.min(axis=0) + relative.max(axis=0)) / 2)
        fits += [_along(points, axis, c, wider) for wider in (1.0, 1.1)]
    return min(fits, key=lambda fit: fit.volume)


def around(points: np.ndarray) -> Fit:
    """Return a small capsule that contains the points."""
    hull = _corners(points)
    centre = (hull.min(axis=0) + hull.max(axis=0)) / 2
    size = float(np.ptp(hull, axis=0).max())
    simplex = np.vstack([np.zeros(5), np.diag([0.3, 0.3, 0.2 * size, 0.2 * size, 0.1])])

    def fit(x: np.ndarray, axis: np.ndarray) -> Fit:
        u = onto_z(axis)[:3, :3] @ np.array([math.sin(x[0]), math.sin(x[1]), 1.0])
        u /= np.linalg.norm(u)
        return _along(hull, u, centre + onto_z(u)[:3, :2] @ x[2:4], 1 + abs(x[4]))

    fits = [rough(hull)]
    for axis in (*np.linalg.svd(hull - centre, full_matrices=False)[2], *np.eye(3)):
        axis = axis / np.linalg.norm(axis)
        options = {"maxfev": 500, "initial_simplex": simplex, "xatol": 1e-5, "fatol": 1e-9}
        found = minimize(lambda x, a=axis: fit(x, a).volume, np.zeros(5), method="Nelder-Mead", options=options)
        fits.append(fit(found.x, axis))
    return min(fits, key=lambda fit: fit.volume)


def _corners(points: np.ndarray) -> np.ndarray:
    try:
        return points[ConvexHull(points).vertices]
    except QhullError:
        return points


# ---- several ---------------------------------------------------------------------------------------------------------


def union_volume(fits: list[Fit], points: np.ndarray) -> float:
    """Return the volume of the union of capsules [m^3], inside the points' box enlarged by a quarter of its longest side."""
    low, high = points.min(axis=0), points.max(axis=0)
    half = (high - low) / 2 + 0.25 * float((high - low).max())
    steps = [np.linspace(-h, h, GRID) for h in half]
    grid = np.stack(np.meshgrid(*steps, indexing="ij"), axis=-1).reshape(-1, 3) + (low + high) / 2
    inside = np.any([distance(grid, fit.start, fit.end) <= fit.radius for fit in fits], axis=0)
    return float(inside.mean() * np.prod(2 * half))


def cut(points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the two parts of a surface whose capsules have the least volume."""
    centre = points.mean(axis=0)
    best: tuple[float, np.ndarray, np.ndarray] | None = None
    for n in (*np.linalg.svd(points - centre, full_matrices=False)[2], *np.eye(3), *DIAGONALS):
        heights = (points - centre) @ n
        for height in np.linspace(heights.min(), heights.max(), CUTS + 2)[1:-1]:
            low, high = points[heights <= height + SPACING], points[heights >= height - SPACING]
            taken = union_volume([rough(low), rough(high)], points)
            if best is None or taken < best[0]:
                best = taken, low, high
    assert best is not None
    return best[1], best[2]


def cover(points: np.ndarray, pays: float = PAYS) -> list[Fit]:
    """Return capsules that contain the points of a surface; a further one is added only if it reduces the volume enough."""
    parts = [(points, around(points))]
    taken = union_volume([parts[0][1]], points)
    while len(parts) < MOST:
        options = []
        for k, (part, _) in enumerate(parts):
            split = [(half, around(half)) for half in cut(part)]
            rest = parts[:k] + parts[k + 1 :]
            options.append((union_volume([fit for _, fit in rest + split], points), rest + split))
        least, changed = min(options, key=lambda option: option[0])
        if least > pays * taken:
            break
        taken, parts = least, changed
    return [fit for _, fit in parts]


def rounded(fits: list[Fit], points: np.ndarray) -> list[lk.Capsule | lk.Sphere]:
    """Return capsules in whole millimetres that still contain the points."""
    ends = [(f.start.round(DIGITS), f.end.round(DIGITS)) for f in fits]
    away = np.stack([distance(points, *pair) for pair in ends])
    mine = np.argmin(away - np.array([[f.radius] for f in fits]), axis=0)
    shapes: list[lk.Capsule | lk.Sphere] = []
    for k, (start, end) in enumerate(ends):
        radius = math.ceil(away[k, mine == k].max() * 10**DIGITS - 1e-6) / 10**DIGITS
        same = np.array_equal(start, end)
        shapes.append(lk.Sphere(start, radius) if same else lk.Capsule(start, end, radius))
    return shapes


def tables(link: str, shapes: list[lk.Capsule | lk.Sphere]) -> str:
    """Return the [[shape]] tables of a link."""
    text = ""
    for shape in shapes:
        round_ = isinstance(shape, lk.Sphere)
        points = {"centre": shape.centre} if round_ else {"start": shape.start, "end": shape.end}
        lines = [f"{key} = [{', '.join(f'{x:g}' for x in point)}]" for key, point in points.items()]
        text += "\n".join(["\n[[shape]]", f'link = "{link}"', *lines, f"radius = {shape.radius:g}", ""])
    return text


def main() -> None:
    """Print the tables of an arm."""
    parser = argparse.ArgumentParser(description="Cover the meshes of a catalogue arm with capsules.")
    parser.add_argument("arm")
    parser.add_argument("--link", action="append", help="only this link; may be repeated")
    parser.add_argument(
        "--pays", type=float, default=PAYS, help="share of the volume that a further capsule must leave"
    )
    options = parser.parse_args()
    meshes = meshes_of(options.arm)
    for link in (link.name for link in lk.load(options.arm).model.mechanism.links if link.name in meshes):
        if options.link is None or link in options.link:
            points = surface(meshes[link])
            print(tables(link, rounded(cover(points, options.pays), points)), end="", flush=True)


if __name__ == "__main__":
    main()
