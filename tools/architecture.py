"""Draw the path of a target through limbik's code as docs/architecture.svg.

    python tools/architecture.py [--check]

Each box is a function of the code, with the first sentence of its docstring. An arrow requires that the body of the one function
names the other: a call that is gone breaks the script. --check compares with the file.
"""

import ast
import sys
from html import escape
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
SOURCE, PICTURE = ROOT / "src" / "limbik", ROOT / "docs" / "architecture.svg"


class Box(NamedTuple):
    """A function: its file under src/limbik, its name there, and the boxes that it calls, by number."""

    file: str
    name: str
    calls: tuple[int, ...]
    column: int
    row: int


BOXES = (
    Box("robot/chain.py", "Chain.solve", (1, 2), 0, 0),
    Box("robot/kinematic.py", "Kinematic._bind", (12,), 1, 0),
    Box("solvers/query.py", "make_query", (), 0, 1),
    Box("solvers/solve.py", "solve", (4, 5), 1, 1),
    Box("solvers/registry.py", "prepared", (), 2, 1),
    Box("solvers/solve.py", "choose", (6, 8), 1, 2),
    Box("solvers/solve.py", "_verified", (7, 9), 1, 3),
    Box("solvers/method.py", "Solver.candidates", (), 2, 3),
    Box("solvers/solve.py", "_without_solution", (10, 11), 0, 3),
    Box("solvers/check.py", "Check.answer", (13,), 1, 4),
    Box("solvers/method.py", "Solver.proof", (), 2, 4),
    Box("solvers/solver_set.py", "solver_set", (), 0, 4),
    Box("solvers/solve.py", "bind", (4,), 2, 0),
    Box("solvers/verify.py", "verification_of", (), 1, 5),
)
EXTRA = ((0, 3),)  # Chain.solve calls the dispatcher
WIDE, HIGH, ACROSS, DOWN, LEFT, TOP = 330, 84, 400, 130, 20, 20


def found(box: Box) -> ast.FunctionDef:
    """Return the function of a box. Raises LookupError if the code has none."""
    nodes: list[ast.stmt] = ast.parse((SOURCE / box.file).read_text()).body
    parts = box.name.split(".")
    for part in parts:
        fits = [n for n in nodes if isinstance(n, ast.FunctionDef | ast.ClassDef) and n.name == part]
        if not fits:
            raise LookupError(f"no {box.name} in {box.file}")
        node = fits[-1]  # after the overloads
        nodes = node.body
    assert isinstance(node, ast.FunctionDef)
    return node


def names(node: ast.AST) -> set[str]:
    """Return every name and attribute that a function mentions."""
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name)} | {
        n.attr for n in ast.walk(node) if isinstance(n, ast.Attribute)
    }


def check(caller: Box, callee: Box) -> None:
    """Raise LookupError if one function does not name the other, directly or in a private method of its class."""
    node, wanted = found(caller), callee.name.split(".")[-1]
    read = names(node)
    if "." in caller.name:
        owner = caller.name.split(".")[0]
        tree = ast.parse((SOURCE / caller.file).read_text())
        methods = next(n for n in tree.body if isinstance(n, ast.ClassDef) and n.name == owner).body
        for method in methods:
            if isinstance(method, ast.FunctionDef) and method.name in read and method.name.startswith("_"):
                read |= names(method)
    if wanted not in read:
        raise LookupError(f"{caller.name} in {caller.file} does not call {callee.name}: correct BOXES")


def sentence(box: Box) -> str:
    """Return the first sentence of a function's docstring."""
    text = ast.get_docstring(found(box)) or ""
    return text.split("\n")[0].split(". ")[0].rstrip(".")


def lines(text: str, most: int = 50) -> list[str]:
    """Return a text in at most three lines of bounded length."""
    out = [""]
    for word in text.split():
        if len(out[-1]) + len(word) + 1 > most:
            out.append("")
        out[-1] = f"{out[-1]} {word}".strip()
    return out[:3]


def middle(box: Box) -> tuple[int, int]:
    """Return the middle of a box."""
    return LEFT + ACROSS * box.column + WIDE // 2, TOP + DOWN * box.row + HIGH // 2


def edge(a: Box, b: Box) -> str:
    """Return the arrow from one box to another, between their sides or from bottom to top."""
    (x0, y0), (x1, y1) = middle(a), middle(b)
    if a.row == b.row:
        step = WIDE // 2 if x1 > x0 else -WIDE // 2
        x0, x1 = x0 + step, x1 - step
    else:
        y0, y1 = y0 + HIGH // 2, y1 - HIGH // 2
    return f'<path d="M{x0} {y0} L{x1} {y1}" marker-end="url(#tip)"/>'


def drawn() -> str:
    """Return the picture."""
    columns, rows = max(b.column for b in BOXES) + 1, max(b.row for b in BOXES) + 1
    width, height = 2 * LEFT + ACROSS * (columns - 1) + WIDE, 2 * TOP + DOWN * (rows - 1) + HIGH
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif">',
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto">',
        '<path d="M0 0 L8 4 L0 8 z" fill="#555"/></marker></defs>',
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
        '<g stroke="#555" stroke-width="1.5" fill="none">',
    ]
    arrows = [(k, other) for k, box in enumerate(BOXES) for other in box.calls]
    for one, other in [*arrows, *EXTRA]:
        check(BOXES[one], BOXES[other])
        out.append(edge(BOXES[one], BOXES[other]))
    out.append("</g>")
    for box in BOXES:
        x, y = LEFT + ACROSS * box.column, TOP + DOWN * box.row
        out.append(f'<rect x="{x}" y="{y}" width="{WIDE}" height="{HIGH}" rx="8" fill="#eef4fb" stroke="#2b6cb0"/>')
        out.append(f'<text x="{x + 12}" y="{y + 20}" font-size="14" font-weight="bold">{escape(box.name)}</text>')
        right = x + WIDE - 12
        out.append(
            f'<text x="{right}" y="{y + 20}" font-size="11" fill="#555" text-anchor="end">{escape(box.file)}</text>'
        )
        for k, line in enumerate(lines(sentence(box))):
            out.append(f'<text x="{x + 12}" y="{y + 40 + 15 * k}" font-size="12">{escape(line)}</text>')
    return "\n".join([*out, "</svg>"]) + "\n"


def main() -> int:
    """Write the picture, or compare it."""
    picture = drawn()
    if "--check" not in sys.argv:
        PICTURE.write_text(picture)
        return 0
    if not PICTURE.exists() or PICTURE.read_text() != picture:
        print("docs/architecture.svg is stale: run python tools/architecture.py")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
