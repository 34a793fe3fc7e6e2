"""The thesis' tables of counts: 6.1 to 6.8, and C.1 and C.2, which list the ten targets of 6.1 and 6.2.

Errata. Table 6.1 prints 18.5 for BROYDN, but the mean of its column in C.1 is 16.7; all other means agree. FLETCHER's evaluations
are 100 at every target: an upper bound, so it had not converged. Table 6.6 has 44.5 evaluations for 44.7 iterations of FRPRM,
which is impossible. In Tables 6.7 and 6.8 the rows of FRPRM and FLETCHER seem to be swapped: elsewhere 100 is FLETCHER's number.
"""

# Iterations, target by target (Table C.1). The thesis prints no column for PRAXIS.
TABLE_C_1 = {
    "NEWTON": (4, 3, 3, 4, 3, 3, 3, 3, 3, 3),
    "BFGS": (8, 6, 10, 9, 13, 9, 9, 9, 10, 12),
    "POWELL": (23, 8, 10, 16, 8, 9, 11, 12, 9, 9),
    "FRPRM": (10, 41, 13, 13, 12, 11, 11, 10, 10, 10),
    "FLETCHER": (25, 19, 17, 15, 13, 14, 15, 14, 13, 14),
    "BROYDN": (14, 18, 13, 17, 16, 16, 20, 18, 19, 16),
}
# Evaluations, target by target (Table C.2).
TABLE_C_2 = {
    "NEWTON": (34, 22, 22, 31, 22, 22, 22, 22, 22, 22),
    "BFGS": (73, 48, 61, 47, 104, 56, 54, 54, 58, 84),
    "POWELL": (2825, 1010, 1257, 2118, 912, 1018, 1374, 1528, 1119, 1124),
    "FRPRM": (267, 856, 231, 247, 222, 202, 210, 185, 193, 178),
    "PRAXIS": (265, 279, 271, 264, 262, 267, 262, 256, 263, 252),
    "FLETCHER": (100,) * 10,
    "BROYDN": (55, 64, 41, 65, 67, 67, 83, 74, 81, 66),
}

# Mean iterations and evaluations by residual: Tables 6.1 and 6.2, then 6.3 and 6.4.
SIX_JOINTS = {
    4: {
        "NEWTON": (3.2, 24.1),
        "BFGS": (9.5, 63.9),
        "POWELL": (11.5, 1428.5),
        "FRPRM": (14.1, 279.1),
        "PRAXIS": (14.9, 264.1),
        "FLETCHER": (15.9, 100.0),
        "BROYDN": (18.5, 66.3),
    },
    200: {
        "NEWTON": (12.1, 112.5),
        "BFGS": (8.2, 76.6),
        "POWELL": (11.5, 1392.5),
        "PRAXIS": (15.7, 274.6),
        "FLETCHER": (14.9, 100.0),
    },
}
# The same for eight joints (Tables 6.5 and 6.6) and three (6.7 and 6.8), residual 4.
OTHER_CHAINS = {
    8: {"BFGS": (3.7, 43.4), "FLETCHER": (18.0, 99.7), "FRPRM": (44.7, 44.5)},
    3: {"BFGS": (2.6, 23.3), "FLETCHER": (18.0, 58.8), "FRPRM": (13.8, 100.0)},
}
# "at least 200 iterations" of Newton's method by the pseudoinverse on the chain with three joints (section 5.2.4).
PSEUDOINVERSE_ITERATIONS = 200.0
