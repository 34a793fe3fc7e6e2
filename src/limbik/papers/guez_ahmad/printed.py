"""The values that Guez and Ahmad print in their text; the paper has no tables.

Not printed, with the assumptions in brackets: the split of 1.9 m (1.0 and 0.9), the number of examples (20 x 20, uniform in r and
phi, including both circles of singular postures), the number of epochs, the order of the examples (random in each epoch), the
initial weights (between -0.5 and 0.5), the scale of the inputs (-1 to 1) and of theta3 (a whole turn). The errors "in radians" of
the sine are those of a dimensionless number. The paper's position errors are read off separate plots of X and Y; here they are
distances.
"""

# The mean and the largest error of the sine.
SINE_MEAN, SINE_MAX = 0.01, 0.25
# The position errors [% of the length of both links], and that length [m].
MEAN_PERCENT, MAX_PERCENT = 5.0, 10.0
LENGTH = 1.9
# The largest error of theta3, by its fixed angle [deg], in radians.
THIRD_MAX = {"90": 0.05, "0": 0.12}
# Paul and Zhang's closed form of the Puma 560: multiplications, additions, calls of transcendental functions.
PUMA_COUNTS = (37, 17, 12)
