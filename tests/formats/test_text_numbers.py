"""Numbers parsed by the core: the nearest double, bit for bit; other text is refused."""

import numpy as np
import pytest

import limbik as lk
from limbik._core import euler_to_vectors, read_numbers, vectors_to_euler

LARGEST = 1e100
EDGES = ["-0", "0", "-0.0", "00012.5", "999999999999999", "9999999999999999", "123456789012345678901234567890", ".5", "5.",
         "0.000000000000001", "0.0000000000000001", "1e-400", "4.9e-324", "+1", "1E+5", "9007199254740993", "0.1", "-.25",
         "179769313486231570000", "1" + "0" * 60, "0." + "0" * 60 + "1"]  # fmt: skip


def read(text, columns=1, most=10**7):
    return read_numbers(text.encode(), 0, columns, most, LARGEST)


def test_every_way_of_writing_gives_the_nearest_double():
    rng = np.random.default_rng(1)
    sizes = rng.normal(size=60_000) * 10 ** rng.uniform(-12, 18, 60_000)
    ways = ("{:.6f}", "{!r}", "{:e}", "{:.12f}", "{:.0f}", "{:.0f}.", "{:.15g}", "{:.16g}", "{:+.4f}")
    words = [ways[rng.integers(len(ways))].format(float(x)) for x in sizes] + EDGES
    found, bad, surplus, _, _ = read("\n".join(words))
    expected = np.array([float(word) for word in words])
    assert bad == surplus == -1
    assert np.array_equal(found, expected) and np.array_equal(np.signbit(found), np.signbit(expected)), "seed 1"


WRONG = [".", "-", "+", "1.2.3", "--1", "1-", "+-1", "-+1", "0x10", "1e", "e5", "nan", "inf", "-inf", "1_0", "1,5", "1.#QNAN",
         "1e101", "\u0661", "1\0"]  # fmt: skip


@pytest.mark.parametrize("word", WRONG)
def test_what_is_no_number_is_pointed_at(word):
    assert read(f"1 2\n 3 {word} 5")[1] == 7


def test_rows_and_surplus_are_counted():
    assert read("1 2 3\n4 5 6\n", 3)[2:4] == (-1, -1)
    assert read("1 2 3\n\n\r\n4 5\n", 3)[3:] == (1, 2)
    assert read("1 2 3 4", 2, most=3)[2] == 6
    assert len(read("")[0]) == 0 and read(" \n\t")[1:4] == (-1, -1, -1)


def test_misuse_of_the_core_is_refused():
    with pytest.raises(lk.BadOption):
        read_numbers(b"1", 5, 1, 1, 1.0)
    with pytest.raises(lk.BadOption):
        euler_to_vectors(np.zeros((2, 3)), [0, 1, 3, 0, 1, 2, 0], 3, 1.0)
    with pytest.raises(lk.BadOption):
        euler_to_vectors(np.zeros((2, 3)), [0, 1, 2, 0, 1, 3, 0], 3, 1.0)
    with pytest.raises(lk.BadOption):
        euler_to_vectors(np.zeros((2, 3)), [0, 1, 2, 0, 1, 2, 1], 3, 1.0)
    with pytest.raises(lk.ShapeError):
        euler_to_vectors(np.zeros(3), [], 3, 1.0)
    with pytest.raises(lk.BadOption):
        vectors_to_euler(np.zeros((1, 1, 3)), np.zeros((1, 1, 3)), np.zeros((1, 1)), np.zeros((1, 3)), [0, 0, 1])
    with pytest.raises(lk.ShapeError):
        vectors_to_euler(np.zeros((1, 1, 3)), np.zeros((2, 1, 3)), np.zeros((1, 1)), np.zeros((1, 3)), [0, 1, 2])
