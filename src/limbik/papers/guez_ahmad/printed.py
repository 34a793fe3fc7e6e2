"""What Guez and Ahmad print. They give no tables: these are the figures of their text.

What they leave open, and what is taken here: the split of 1.9 m (1.0 and 0.9), how many examples (20 x 20, evenly along r and
phi, both circles of singular postures included), how many epochs, the order of the examples (drawn anew), the weights to
begin with (between -0.5 and 0.5), the scale of inputs (-1 to 1) and of theta3 (a whole turn). Their errors "in radians" of
the sine are those of a plain number. Their position errors are read off plots of X and Y apart; here they are distances.
"""

# The angle of a sine, and its errors.
SINE_MEAN, SINE_MAX = 0.01, 0.25
# The error of the place, as a share of the two links together, and in metres.
MEAN_PERCENT, MAX_PERCENT = 5.0, 10.0
LENGTH = 1.9
# The largest error of theta3 by the angle that it is held at ("pi/2" and "0") [rad].
THIRD_MAX = {"90": 0.05, "0": 0.12}
# Paul and Zhang's closed form of the Puma 560: multiplications, additions, calls of transcendental functions.
PUMA_COUNTS = (37, 17, 12)
