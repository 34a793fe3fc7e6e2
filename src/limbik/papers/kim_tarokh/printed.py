"""The printed tables of Kim and Tarokh, row by row.

Where text and tables contradict each other, the tables are used: the text has success rates of 89 to 100 % and errors of 1.8 mm
and 4.5 degrees where Table 2 has 95.7 to 99.3 %, 2.8 to 2.9 mm and 1.8 to 2.2 degrees. Column C of Table 3b repeats that of Table
2b, and column D of Table 7a repeats that of Table 6a; both are omitted here.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Line:
    """One row: valid configurations, success if printed [%], mean error and standard deviation if printed [mm or degrees]."""

    count: int
    success: float | None
    mean: float
    deviation: float | None


TABLE_2A = (
    Line(908, 99.3, 2.92, 2.37),
    Line(500, 98.6, 2.80, 2.17),
    Line(518, 98.6, 2.83, 2.36),
    Line(927, 99.2, 2.92, 2.41),
)
TABLE_3A = (
    Line(880, 91.6, 1.74, 1.31),
    Line(465, 89.1, 1.91, 1.32),
    Line(451, 91.1, 1.92, 1.42),
    Line(830, 94.0, 1.77, 1.36),
)
TABLE_2B = (
    Line(340, 97.3, 2.10, 2.92), Line(144, 97.3, 1.96, 2.45), Line(276, 96.2, 1.83, 2.15), Line(372, 97.4, 1.96, 2.34),
    Line(385, 98.2, 2.22, 2.73), Line(238, 96.0, 1.94, 2.62), Line(196, 97.1, 1.95, 2.88), Line(369, 95.7, 1.81, 2.38),
)  # fmt: skip
TABLE_3B = (
    Line(350, None, 1.75, 2.68), Line(160, None, 2.67, 2.54), Line(260, None, 3.09, 5.62), Line(813, None, 2.33, 3.71),
    Line(392, None, 3.62, 6.35), Line(205, None, 2.27, 2.94), Line(196, None, 4.41, 7.11), Line(368, None, 1.48, 1.89),
)  # fmt: skip
TABLE_6A = (
    Line(481, None, 1.97, 1.32),
    Line(89, None, 2.91, 2.16),
    Line(61, None, 2.45, 2.09),
    Line(41, None, 2.86, 2.07),
)
TABLE_7A = (
    Line(495, None, 0.87, None),
    Line(103, None, 1.66, None),
    Line(66, None, 1.47, None),
    Line(47, None, 1.48, None),
)
TABLE_6B = (
    Line(52, None, 2.41, 2.07), Line(12, None, 3.66, 2.90), Line(10, None, 3.63, 1.37), Line(3, None, 2.00, 1.38),
    Line(38, None, 2.89, 2.35), Line(9, None, 3.07, 2.99), Line(8, None, 3.52, 2.34), Line(6, None, 3.11, 1.13),
)  # fmt: skip
TABLE_7B = (
    Line(43, None, 1.14, 0.66), Line(10, None, 1.50, 1.82), Line(9, None, 1.68, 1.55), Line(1, None, 0.44, 0.0),
    Line(39, None, 1.60, 1.82), Line(9, None, 2.46, 3.07), Line(7, None, 2.53, 2.04), Line(5, None, 3.81, 2.82),
)  # fmt: skip

# Table 4 (Puma) and Table 8 (arm), all solutions of a posture, on a Pentium 4 of 3 GHz [us].
TIMES = {
    "puma": {"polynomial place": 0.54, "polynomial turn": 1.58, "network place": 2.16, "network turn": 4.66},
    "arm": {"polynomial place": 0.1, "polynomial turn": 0.3, "network place": 0.7, "network turn": 0.9},
}
# The closed form of the Puma on the same computer [us], and how much slower it is than each model (section 5.1).
CLOSED_FORM_TIME = 24.0
SLOWER = {"polynomial": 10.0, "network": 4.0}
# Networks over polynomials (section 5.1): time of a look-up and storage, as ranges.
NETWORK_TIME, NETWORK_STORAGE = (2.0, 3.0), (1.5, 1.7)
# Storage: of the Puma's tables, polynomial [KB, MB] and network, and the largest and actual storage of the arm's [MB].
PLACE_KB, TURN_MB, NETWORK_PLACE_KB, NETWORK_TURN_MB, ARM_PLACE_MB, ARM_TURN_MB = (
    372.0,
    340.0,
    573.0,
    605.0,
    14.9,
    1000.0,
)
# The lowest and the highest success rate of Tables 2 and 3 [%].
LOWEST_SUCCESS, HIGHEST_SUCCESS = 89.1, 99.3
# "Two to three orders of magnitude faster" (section 5.1).
TWO_ORDERS = 100.0
# The most postures of the shoulder at one place and inclination (section 3).
SHOULDERS = 4
