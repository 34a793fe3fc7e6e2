"""Appendix A of the thesis, symbolically: every entry is right as printed, or listed as an erratum with the right entry."""

import pytest

from limbik.papers.chin import appendix_a

sympy = pytest.importorskip("sympy")

T1, T2, T3, T4, T5, T6 = ANGLES = sympy.symbols("t1:7", real=True)
D3, D4 = sympy.symbols("d3 d4", positive=True)


def rotation(axis, angle, back=0):
    """A rotation about a coordinate axis with a translation along -y, as section 5.1.2 prints A1 to A6."""
    a, b = {"x": (1, 2), "y": (2, 0), "z": (0, 1)}[axis]
    A = sympy.eye(4)
    A[a, a] = A[b, b] = sympy.cos(angle)
    A[b, a], A[a, b] = sympy.sin(angle), -sympy.sin(angle)
    A[1, 3] = -back
    return A


A1, A2, A3, A4, A5, A6 = (rotation(*row) for row in (
    ("z", T1), ("x", T2), ("x", T3, D3), ("y", T4), ("x", T5, D4), ("z", T6)))  # fmt: skip
# T with free entries for the right sides of A.1 and A.2 and the left side of A.3; products of the A for the other sides
POSE = sympy.Matrix(4, 4, lambda r, c: sympy.Symbol("NOAP"[c] + "xyz"[r]) if r < 3 else int(c == 3))
SIDES = {
    "R_Left": A2 * A3 * A4 * A5 * A6,
    "R_Right": A1.inv() * POSE,
    "S_Lft": A3 * A4 * A5 * A6,
    "S_Rgt": A2.inv() * A1.inv() * POSE,
    "Q_Lft": A4.inv() * A3.inv() * A2.inv() * A1.inv() * POSE,
    "Q_Rgt": A5 * A6,
}
NAMES = {f"{f[0].upper()}{k}": getattr(sympy, f)(t) for k, t in enumerate(ANGLES, 1) for f in ("cos", "sin")}
NAMES |= {"C23": sympy.cos(T2 + T3), "S23": sympy.sin(T2 + T3), "d3": D3, "d4": D4}
NAMES |= {str(symbol): symbol for symbol in POSE.free_symbols}


def is_entry(text, entry):
    """Whether a text is the entry of its matrix, for all angles, lengths and poses."""
    exact = SIDES[entry.matrix][entry.row - 1, entry.column - 1]
    difference = sympy.sympify(text, locals=NAMES) - exact
    return sympy.simplify(sympy.expand(sympy.expand_trig(difference))) == 0


@pytest.mark.parametrize("entry", list(appendix_a.entries()), ids=lambda e: f"{e.matrix}[{e.row},{e.column}]")
def test_an_entry_is_right_or_an_erratum(entry):
    erratum = (entry.matrix, entry.row, entry.column) in appendix_a.ERRATA
    assert is_entry(entry.printed, entry) is not erratum
    assert is_entry(entry.right, entry)


def test_the_numbers_agree_with_the_symbols(rng):
    """The experiment evaluates the texts at random angles; it finds the same errata."""
    q = rng.uniform(-3, 3, 6)
    wrong = {place for place, off in appendix_a.differences(q, corrected=False).items() if off > 1e-9}
    assert wrong == set(appendix_a.ERRATA)
    assert max(appendix_a.differences(q, corrected=True).values()) < 1e-12


def test_the_closed_form_follows_from_the_corrected_entries():
    """(5.6), (5.14), (5.17) and step 6 of explicit.py are entries of Appendix A that are equal on both sides."""
    pairs = {("R_Left", "R_Right"): [(1, 4), (2, 4), (3, 4)], ("S_Lft", "S_Rgt"): [(2, 4), (3, 4)],
             ("Q_Lft", "Q_Rgt"): [(1, 3), (1, 1), (1, 2), (2, 3), (3, 3)]}  # fmt: skip
    product = A1 * A2 * A3 * A4 * A5 * A6
    values = {symbol: product[r, c] for c in range(4) for r, symbol in enumerate(POSE[:3, c])}
    by_place = {(e.matrix, e.row, e.column): e.right for e in appendix_a.entries()}
    at = dict(zip((*ANGLES, D3, D4), (0.3, -0.4, 0.7, 0.5, 0.6, -0.2, 50, 60), strict=True))
    for (left, right), places in pairs.items():
        for row, column in places:
            sides = [sympy.sympify(by_place[m, row, column], locals=NAMES).subs(values).subs(at) for m in (left, right)]
            assert abs(float(sides[0] - sides[1])) < 1e-12
