"""The printed values: Tables 2 and 3, the circles, the times, the scatter. Lengths are in cm.

Errata. (1) has a minus before its sum, which makes -39; with a plus it is the 3 of the text; and it has seven joints, not
six. (3) L_Bl is L_Bi. (4) the first row is (cos b, 0, sin b, 0). (9) must have H_0,1', with gamma. The elbow's angle is theta
in (7) and nu in (9) to (11). (12): the second line has the deltoid's insertion 3 (x, y, z) and its length Lde, not (x, y, z)
and Ldo; the radius of the third is |A_pe - Os| = 5, not |Os - Ope| = 20. (13): "x.3" is 3 x. (14) omits a factor after a
stray "cdot", and Lpc and Lpe are one length. (15) prints (-sin b cos a, -cos a, -cos b sin a, 1) for u = (-sin b cos a,
sin a, -cos b cos a). Table 2: 3.2 s / 0.00029 s is 11,034, not 110,034. The "variance" of Figure 13 is in mm, the unit of a
standard deviation, and is read as one.
"""

# Table 2: the time [s] and the final error of each method (the unit of the error is not printed); the relative times that
# follow (printed: 110,034 and 8,620).
TABLE_2 = {"Fsolve PCG": (3.2, 1e-8), "Fsolve LM": (2.5, 1e-2), "closed form": (0.00029, 1e-8)}
RELATIVE = {name: seconds / TABLE_2["closed form"][0] for name, (seconds, _) in TABLE_2.items()}
# Table 3: the error of the modified and of the classical gradient.
TABLE_3 = {"P1": ((-10.0, 20.0, 15.0), 1.0e-5, 0.0864), "P2": ((10.0, 25.0, -25.0), 3.3e-5, 0.0246)}
# Section 5: circles parallel to the y-z plane.
DIAMETER = 12.0
CENTRES = ((-5.0, 20.0, -30.0), (-5.0, 40.0, -30.0), (-5.0, 50.0, -30.0))
LAPS = 4
LINE_STEP = 2.5
# The steps of Figure 11 and section 6, and the desired precision.
STEPS, WANTED = (3, 7, 11), 1.0
# The shortest time of a circle of the robot [s]: there "some small delay in the output from the inverse kinematics" began.
LEAST = 3.0
# Section 4, (17): eta, and the part of the former distance below which a decrease is "more than the 10%".
VELOCITY, MUCH_BETTER = {"much": 1.3, "little": 1.1, "worse": 0.5}, 0.9
# Section 6: "it calls the direct kinematics 4 times [...] at every step".
CALLS = 4
# Figure 13: x, y, z [mm], from 200 points.
SCATTER, POINTS = (4.7, 5.61, 4.49), 200
# Figure 10: iterations of the descent.
ITERATIONS = 20
