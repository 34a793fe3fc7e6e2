"""The paper's sentences on networks (results, features, discussion), judged by the values of all experiments."""

from limbik.papers.guez_ahmad import verdicts_features as features
from limbik.papers.guez_ahmad import verdicts_learning as learning
from limbik.papers.guez_ahmad import verdicts_solving as solving
from limbik.papers.verdict import Conclusion

CONCLUSIONS = (
    Conclusion("the sine is learnt with an average error below 0.01 and a maximum of 0.25", learning.the_sine),
    Conclusion(
        "inverse kinematics is learnt fairly well, 5 % on average and 10 % at most, with three joints too",
        learning.learned,
    ),
    Conclusion("one network has the average of 5 % and the maximum of 10 %", learning.together),
    Conclusion(
        "the third angle has a negligible positive average error, and at most 0.05 and 0.12 rad", learning.third_angle
    ),
    Conclusion("found over desired angles is a line that flattens at the edges", learning.flattened),
    Conclusion("the error increases when theta2 is near 0, a singular posture", learning.singular),
    Conclusion("feature i, examples may eliminate programming", features.no_programming),
    Conclusion("feature ii, after training the time is independent of the number of dof", features.any_freedom),
    Conclusion("feature iii, it generalises from a scarce set of examples", features.generalises),
    Conclusion("feature iv, it adapts to changes within the system", features.adapts),
    Conclusion("feature v, fault tolerance", features.tolerates),
    Conclusion("as a first guess it cuts the iterations to only a very few", solving.few_iterations),
    Conclusion("with local differential methods it gives a full accurate solution", solving.accurate),
    Conclusion("its solution is approximate, but fast", solving.fast),
    Conclusion("it may not seem suitable for arms with a closed form", solving.not_for_closed_forms),
    Conclusion("it is a good initial estimate for iterative methods", solving.good_estimate),
    Conclusion("refined, it needs minimal processing within each control cycle", solving.control_cycle),
)
