"""The values that Guez and Ahmad print in their text; the paper has no tables, and the scan has captions without plots.

Not printed, with the assumptions in brackets: the split of 1.9 m (1.0 and 0.9), the number of examples (20 x 20,
uniform in r and phi, including both circles of singular postures), the number of epochs, the order of the examples
(random in each epoch), the initial weights (between -0.5 and 0.5), the scale of the inputs (-1 to 1) and of theta3 (a
whole turn). The experiment "what the text leaves open" varies the first three. The errors "in radians" of the sine are
those of a dimensionless number.

"The error in the position of the end effector ... w.r.t. the X-axis and Y-axis" can be a distance that is plotted over
X and over Y, as the captions and the plots of theta3 suggest, or the error in X and in Y. Errors are distances here;
where the answer could depend on it, the errors of the coordinates are judged too.
"""

# The mean and the largest error of the sine.
SINE_MEAN, SINE_MAX = 0.01, 0.25
# The position errors [% of the length of both links], and that length [m].
MEAN_PERCENT, MAX_PERCENT = 5.0, 10.0
LENGTH = 1.9
# The largest error of theta3, by its fixed angle [deg], in radians.
THIRD_MAX = {"90": 0.05, "0": 0.12}
# The Puma 560 "requires" so many multiplications, additions and calls of transcendental functions (Paul and Zhang's
# method).
PUMA_COUNTS = (37, 17, 12)
