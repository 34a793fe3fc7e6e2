"""Judges of the paper's discussion: the network as a first guess, its time, and where it pays."""

from limbik.papers.guez_ahmad import refinement, speed
from limbik.papers.guez_ahmad.printed import PUMA_COUNTS
from limbik.papers.guez_ahmad.refinement import FIXED, METHODS, NETWORKS, RANDOM
from limbik.papers.guez_ahmad.speed import BOTH, CLOSED, CYCLES, FORM, NETWORK, SEEDS, TITLES
from limbik.papers.verdict import Finding, Values

# The largest number of steps that counts as "only a very few".
VERY_FEW = 3.0
# A time counts as less or more than another from this ratio on.
CLEARLY = 1.1
# Initial guesses for an iteration that knows nothing about the target, and that of a control cycle.
IGNORANT, NEARBY = ("from home", "from the middle"), tuple(f"from {cycle:g} rad" for cycle in CYCLES)
GUESS = "from the network"


def few_iterations(values: Values) -> Finding:
    """Judge the discussion: a good initial guess cuts the number of iterations to only a very few."""
    found = values[refinement.EXPERIMENT.name]
    readings = {}
    for name in NETWORKS:
        for method in METHODS:
            reached = found[f"{name} {method} failed"] == 0
            for key, text in (("steps", "mean"), ("most", "most")):
                steps, fixed = found[f"{name} {method} {key}"], found[f"{FIXED} {method} {key}"]
                readings[f"{name}, {method}, {text} steps"] = reached and steps <= VERY_FEW and steps < fixed
    parts = "; ".join(
        f"{name} {found[f'{name} Newton steps']:.2f} and {found[f'{name} Newton most']:.0f} (fails at "
        f"{found[f'{name} Newton failed']:.2g} %)"
        for name in (*NETWORKS, FIXED, RANDOM)
    )
    return Finding(f"Newton's mean and most steps to 1e-6 m: {parts}. Very few means at most {VERY_FEW:g}.", readings)


def accurate(values: Values) -> Finding:
    """Judge abstract and discussion: with local differential methods it provides a full accurate solution."""
    found = values[refinement.EXPERIMENT.name]
    failed, by_method = {}, {method: set[float]() for method in METHODS}
    for name in NETWORKS:
        for method in METHODS:
            for key, text in (("failed", ""), ("worst failed", ", worst start")):
                share = found[f"{name} {method} {key}"]
                failed[f"{name}, {method}{text}"] = share
                by_method[method].add(share)
    shares = ", ".join(f"{method} {min(each):.2g} to {max(each):.2g} %" for method, each in by_method.items())
    branch = min(found[f"{name} Newton branch"] for name in NETWORKS)
    return Finding(
        f"Targets that are not reached to 1e-6 m in {refinement.MOST_STEPS} steps from a network's answer: "
        f"{shares}. Of those reached by Newton's method, at least {branch:.1f} % end on the trained branch.",
        {name: share == 0 for name, share in failed.items()},
    )


def fast(values: Values) -> Finding:
    """Judge the discussion: an approximate, but fast solution."""
    found = values[speed.EXPERIMENT.name]
    readings: dict[str, bool] = {}
    parts = []
    for title in TITLES:
        exact = (*(name for name in SEEDS if name != GUESS), *((FORM,) if title in CLOSED else ()))
        ratios = {name: found[f"{title} {NETWORK} over {name}"] for name in exact}
        readings |= {
            f"{title}, time on this machine, {SEEDS.get(name, name)}": CLEARLY * part <= 1
            for name, part in ratios.items()
        }
        parts.append(
            f"{title}: " + ", ".join(f"{part:.2g} of {SEEDS.get(name, name)}" for name, part in ratios.items())
        )
    products, functions = found["Puma 560 products"], found["Puma 560 functions"]
    readings["Puma 560, multiplications"] = products <= PUMA_COUNTS[0]
    readings["Puma 560, transcendental functions"] = functions <= PUMA_COUNTS[2]
    return Finding(
        f"The time of the network's answer. {'; '.join(parts)}. For the Puma 560 the network has {products:.0f} "
        f"multiplications and {functions:.0f} tanh; the closed form that the paper cites has {PUMA_COUNTS[0]} and "
        f"{PUMA_COUNTS[2]}.",
        readings,
    )


def not_for_closed_forms(values: Values) -> Finding:
    """Judge the discussion: it may not seem suitable where closed forms exist."""
    found = values[speed.EXPERIMENT.name]
    ratios = {title: found[f"{title} {BOTH} over {FORM}"] for title in CLOSED}
    return Finding(
        "Time of one exact posture by the network and LM from its answer, relative to the faster of limbik's two "
        f"calls of the closed form: {', '.join(f'{title} {part:.2g} times' for title, part in ratios.items())}.",
        {f"{title}, time on this machine": part >= CLEARLY for title, part in ratios.items()},
    )


def good_estimate(values: Values) -> Finding:
    """Judge the discussion: it can serve as a good initial estimate for iterative methods."""
    return _against(values, IGNORANT)


def control_cycle(values: Values) -> Finding:
    """Judge abstract and discussion: minimal processing within each control cycle, where the last posture is known."""
    return _against(values, NEARBY)


def _against(values: Values, seeds: tuple[str, ...]) -> Finding:
    """Compare LM from the network's answer with LM from other seeds: steps, and the time with the network's own."""
    found = values[speed.EXPERIMENT.name]
    readings, parts = {}, []
    for title in TITLES:
        for seed in seeds:
            time, where = found[f"{title} {BOTH} over {seed}"], f"{title}, against {SEEDS[seed]}"
            for key, text in (("steps", "mean steps"), ("most", "most steps")):
                readings[f"{where}, {text}"] = found[f"{title} {GUESS} {key}"] < found[f"{title} {seed} {key}"]
            readings[f"{where}, time with the network's own on this machine"] = CLEARLY * time <= 1
            parts.append(
                f"{where}: {found[f'{title} {GUESS} steps']:.1f} steps instead of "
                f"{found[f'{title} {seed} steps']:.1f}, at most {found[f'{title} {GUESS} most']:.0f} instead of "
                f"{found[f'{title} {seed} most']:.0f}, {time:.2g} of the time"
            )
    return Finding(
        f"{'; '.join(parts)}. The time includes the network's, and counts as less from a factor of {CLEARLY:g} on.",
        readings,
    )
