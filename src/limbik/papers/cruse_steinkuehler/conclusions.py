"""Sentences of the paper, judged by the measured values of its experiments."""

from limbik.papers.cruse_steinkuehler import (
    earlier_state,
    nine,
    random_problems,
    remedies,
    robustness,
    singular,
    standing,
    workspace,
)
from limbik.papers.cruse_steinkuehler.arm import PROBLEMS, STARTS
from limbik.papers.verdict import Conclusion, Figures, Finding, Holds

# The share of the targets that counts as "usually"; the shares of random problems that count as nearly all and as most [%].
USUALLY, NEARLY_ALL, MOST = 0.5, 99.0, 95.0
# The largest number of cycles in the paper.
LIMIT = 60


def _nine(figures: Figures, update: str, what: str) -> list[float]:
    found = figures[nine.EXPERIMENT.name]
    return [found[f"{update}, {problem}, {start}: {what}"] for problem in PROBLEMS for start in STARTS]


def _judged(fully: bool, partly: bool) -> Holds:
    return Holds.FULLY if fully else Holds.PARTLY if partly else Holds.NOT


def usually_thirty(figures: Figures) -> Finding:
    """ "Even for large step sizes at the input the system usually needs less than 30 cycles." """
    share = {
        update: sum(_nine(figures, update, "below 30")) / (9 * len(PROBLEMS) * len(STARTS)) for update in nine.UPDATES
    }
    sentence = ", ".join(
        f"{update}: {100 * s:.0f} % of the nine targets over all problems and starts" for update, s in share.items()
    )
    return Finding(
        _judged(min(share.values()) > USUALLY, max(share.values()) > USUALLY),
        f"reached in less than 30 cycles, {sentence}",
    )


def never_more_than_sixty(figures: Figures) -> Finding:
    """ "In no case was it found to need more than 60 cycles to approach the target point." """
    worst = {update: _nine(figures, update, "worst") for update in nine.UPDATES}
    within = {update: sum(w <= LIMIT for w in ws) for update, ws in worst.items()}
    count = len(PROBLEMS) * len(STARTS)
    sentence = ", ".join(
        f"{update} in {n} of {count} combinations of problem and start" for update, n in within.items()
    )
    holds = _judged(all(n == count for n in within.values()), any(n == count for n in within.values()))
    return Finding(holds, f"all nine targets are reached within {LIMIT} cycles: {sentence}")


def always_converges(figures: Figures) -> Finding:
    """ "In our experiments we never found the network not to converge." """
    found = figures[random_problems.EXPERIMENT.name]
    fails = {u: max(found[f"{u}, {p}: fails"] for p in PROBLEMS) for u in random_problems.UPDATES}
    never = sum(_nine(figures, "sequential", "never")), sum(_nine(figures, "parallel", "never"))
    both = found["bent both ways, principal"]
    sentence = (
        f"of the nine targets, over all problems and starts, {never[0]:.0f} (sequential) and {never[1]:.0f} (parallel) "
        f"are not reached; of the random problems of one kind up to {fails['sequential']:.2g} % (sequential) and "
        f"{fails['parallel']:.2g} % (parallel) are not solved, and of direct problems with joints that bend both ways "
        f"{both:.0f} %"
    )
    return Finding(_judged(max(fails.values()) == 0, never[0] == 0), sentence)


def independent_of_errors(figures: Figures) -> Finding:
    """ "The highly parallel structure makes the system rather independent of errors occurring within the system." """
    found = figures[robustness.EXPERIMENT.name]
    converged = {k: found[f"{k} removed: converged"] for k in robustness.REMOVED}
    given = ", ".join(f"{s:.0f} % without {k}" for k, s in converged.items())
    noise = found["83 noisy 0.05"]
    sentence = (
        f"inverse problems that converge without some of the 83 computations: {given}; noise of 0.05 on all computations "
        f"leaves an error of {noise:.2g} segments"
    )
    return Finding(_judged(converged[10] >= NEARLY_ALL and converged[20] >= NEARLY_ALL, converged[5] >= MOST), sentence)


def no_singularities(figures: Figures) -> Finding:
    """ "It ... is not affected by the problems of singularities." """
    found = figures[singular.EXPERIMENT.name]
    cases = [f"to {name}" for name in singular.EDGES] + [
        f"from {n} to {R}" for n in singular.STRAIGHT for R in singular.WORK
    ]
    stuck = [case for case in cases if not found[case] < singular.CYCLES]
    exceptions = f"; not {', '.join(stuck)}" if stuck else ""
    sentence = f"the network converges in {len(cases) - len(stuck)} of {len(cases)} singular cases{exceptions}"
    return Finding(_judged(not stuck, len(stuck) < len(cases) / 2 and found["broken"] == 0), sentence)


def earlier_states_matter(figures: Figures) -> Finding:
    """ "In this case, the system finds a solution which is influenced by the earlier state of the system." """
    found = figures[earlier_state.EXPERIMENT.name]
    sentence = f"at the nine targets the postures from two starts differ by {found['least']:.0f} to {found['apart']:.0f} degrees"
    return Finding(_judged(found["least"] > 1, found["apart"] > 1), sentence)


def oscillations_cured(figures: Figures) -> Finding:
    """ "Oscillations ... might be overcome by using either a low-pass filter or ... every second time step." """
    found = figures[remedies.EXPERIMENT.name]
    rough = {output: found[f"parallel, {output}: rough"] for output in ("raw", "low_pass", "every_second")}
    less = {output: rough["raw"] / rough[output] for output in ("low_pass", "every_second")}
    sentence = (
        f"a low-pass filter reduces the roughness of the parallel network's angles by a factor of {less['low_pass']:.1f}, every "
        f"second step by {less['every_second']:.1f}; sequential updates alone reduce it by "
        f"{rough['raw'] / found['sequential, raw: rough']:.0f}"
    )
    return Finding(_judged(min(less.values()) > 2, max(less.values()) > 2), sentence)


def depends_on_place(figures: Figures) -> Finding:
    """ "The exact relaxation time seems to depend on ... the position of the target point ... (and) the starting position." """
    found = figures[workspace.EXPERIMENT.name]
    given = [
        f"{name} {found[f'sequential, {name}: median']:.0f} (below 30 for {found[f'sequential, {name}: below 30']:.0f} %)"
        for name, _ in workspace.STARTS
    ]
    medians = {found[f"sequential, {name}: median"] for name, _ in workspace.STARTS}
    shares = [found[f"sequential, {name}: below {workspace.USUAL}"] for name, _ in workspace.STARTS]
    by_place, by_start = min(shares) < MOST, len(medians) > 1
    sentence = f"median cycles over the workspace, sequential: {', '.join(given)}"
    return Finding(_judged(by_place and by_start, by_place or by_start), sentence)


def stands(figures: Figures) -> Finding:
    """ "Equilibrium control and control of leg movement ... can be solved by the same system." """
    found = figures[standing.EXPERIMENT.name]
    met = [found[f"{name}: met"] for name in standing.TASKS]
    step = max(found[f"{name}: step"] for name in standing.TASKS)
    sentence = (
        f"the network completes {min(met):.0f} % of all states; no joint moves by more than {step:.0f} degrees per step"
    )
    return Finding(_judged(min(met) == 100, max(met) == 100), sentence)


CONCLUSIONS = (
    Conclusion("the system usually needs less than 30 cycles", Holds.FULLY, usually_thirty),
    Conclusion("in no case does it need more than 60 cycles", Holds.FULLY, never_more_than_sixty),
    Conclusion("the network was never found not to converge", Holds.FULLY, always_converges),
    Conclusion("it is rather independent of errors within the system", Holds.FULLY, independent_of_errors),
    Conclusion("singularities do not affect it", Holds.FULLY, no_singularities),
    Conclusion("what the inputs leave free is influenced by the earlier state", Holds.FULLY, earlier_states_matter),
    Conclusion("a low-pass filter or every second step overcomes oscillations", Holds.FULLY, oscillations_cured),
    Conclusion(
        "the relaxation time depends on the position of the target and on the start", Holds.FULLY, depends_on_place
    ),
    Conclusion("the same system solves for height and displacement of a standing body", Holds.FULLY, stands),
)
