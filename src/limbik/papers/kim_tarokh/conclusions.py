"""The paper's sentences, judged by the measured values of all experiments."""

import math
from collections.abc import Mapping

from limbik.papers.kim_tarokh import (
    animation,
    arm,
    classification,
    full_tables,
    modern,
    no_closed_form,
    online,
    orientation,
    position,
    sizes,
    storage,
    whole,
)
from limbik.papers.kim_tarokh.printed import (
    ARM_TURN_MB,
    LOWEST_SUCCESS,
    NETWORK_PLACE_KB,
    NETWORK_STORAGE,
    NETWORK_TIME,
    NETWORK_TURN_MB,
    PLACE_KB,
    SHOULDERS,
    SLOWER,
    TIMES,
    TURN_MB,
    TWO_ORDERS,
)
from limbik.papers.verdict import Conclusion, Finding, Values

PERCENT = 100.0
# "Much higher off-line time" is at least this many times as long.
MUCH = 2.0
# "Several thousand" a second, read as low, middle and high.
SEVERAL = (2_000, 5_000, 9_999)
# A table that finds less than this share gives no answers whose time can be compared [%].
USEFUL = LOWEST_SUCCESS


def _recalls(values: Values) -> dict[str, float]:
    """Return the share of the true postures that each table of the paper's design finds [%]."""
    place, arms = values[position.EXPERIMENT.name], values[arm.EXPERIMENT.name]
    poses, free = values[full_tables.EXPERIMENT.name], values[no_closed_form.EXPERIMENT.name]
    recalls = {
        "Puma, position": min(place[f"even {k} success"] for k in range(1, 5)),
        "Puma, position as in the text": min(place[f"literal {k} success"] for k in range(1, 5)),
        "Puma, orientation": values[orientation.EXPERIMENT.name]["zyz all success"],
        "Puma, pose by whole tables": poses["pose found"],
        "Puma, pose by fully sampled cells": values[whole.EXPERIMENT.name]["cells found"],
        "arm, position": arms["6a all success"],
        "arm, orientation": arms["6b all success"],
        **{f"random 6R, {name}": free[f"{half} found"] for half, name in no_closed_form.NAMES.items()},
        **{f"random 6R, {name}, after Newton's method": free[f"{half} exact found"]
           for half, name in no_closed_form.NAMES.items()},
    }  # fmt: skip
    return {name: x for name, x in recalls.items() if math.isfinite(x)}


def _each(found: dict[str, float], unit: str = "", form: str = ".1f") -> str:
    return ", ".join(f"{name} {x:{form}}{unit}" for name, x in found.items())


def complete(values: Values) -> Finding:
    """Judge the abstract: the method provides all solutions."""
    recalls = _recalls(values)
    return Finding(
        f"True postures found: {_each(recalls, ' %', '.2f')}.", {name: x >= PERCENT for name, x in recalls.items()}
    )


def as_often(values: Values) -> Finding:
    """Judge section 5.1 for every table: success rates of 89 % and more."""
    recalls = _recalls(values)
    fewest = min(recalls, key=lambda name: recalls[name])
    return Finding(
        f"The lowest printed rate is {LOWEST_SUCCESS} %; {fewest} has {recalls[fewest]:.1f} %.",
        {name: x >= LOWEST_SUCCESS for name, x in recalls.items()},
    )


def _ratios(values: Values, model: str) -> dict[str, float]:
    """Return the time of the closed form over that of a table, by the condition of the measurement."""
    ways = full_tables.WAYS
    found = values[online.EXPERIMENT.name]
    out = {f"cells of the targets, {ways[way]}": found[f"ratio {model} {way}"] for way in ways}
    if model == "polynomial":
        full = values[full_tables.EXPERIMENT.name]
        out |= {f"whole tables, {cache} cache, {ways[way]}": full[f"{cache} {way} ratio"]
                for cache in full_tables.CACHES for way in ways}  # fmt: skip
    return out


def _slower(values: Values, model: str) -> Finding:
    ratios = _ratios(values, model)
    return Finding(
        f"The closed form takes {min(ratios.values()):.2f} to {max(ratios.values()):.2f} times as long as the table "
        f"({_each(ratios, form='.2f')}).",
        {name: x >= SLOWER[model] for name, x in ratios.items()},
    )


def ten_times(values: Values) -> Finding:
    """Judge section 5.1: the closed form is 10 times slower than the polynomial model."""
    return _slower(values, "polynomial")


def four_times(values: Values) -> Finding:
    """Judge section 5.1: the closed form is 4 times slower than the network model."""
    return _slower(values, "network")


def orders(values: Values) -> Finding:
    """Judge section 5.1: two to three orders of magnitude faster where there is no closed form."""
    free, postures = values[no_closed_form.EXPERIMENT.name], values[modern.EXPERIMENT.name]
    readings, ratios = {}, {}
    for half, name in no_closed_form.NAMES.items():
        for key, text, found in (
            ("one ratio", "one posture by Levenberg-Marquardt / look-up", "found"),
            ("all ratio", "all postures by a search / look-up", "found"),
            ("exact one ratio", "one posture by Levenberg-Marquardt / exact look-up", "exact found"),
            ("exact ratio", "all postures by a search / exact look-up", "exact found"),
        ):
            full = f"random 6R, {name}: {text}"
            ratios[full] = free[f"{half} {key}"]
            readings[full] = free[f"{half} {key}"] >= TWO_ORDERS and free[f"{half} {found}"] >= USEFUL
    for key, text in (
        ("jaco lm ratio", "one posture by Levenberg-Marquardt"),
        ("jaco search ratio", "all by a search"),
    ):
        full = f"Jaco 2: {text} / table of postures"
        ratios[full], readings[full] = postures[key], postures[key] >= TWO_ORDERS
    return Finding(
        f"A reading holds at a ratio of {TWO_ORDERS:.0f} if the table finds {USEFUL} % of the postures. "
        f"Exact look-ups end in Newton's method; the others are off by {free['60 position']:.0f} mm on average with joints of "
        f"+-60 deg. Ratios: {_each(ratios)}.",
        readings,
    )


def _pooled(found: Mapping[str, float], key: str) -> float:
    """Return the mean error over the four solutions of a table, weighted by their counts."""
    rows = [(found[f"{key} {k} count"], found[f"{key} {k} mean"]) for k in range(1, 5)]
    good = [(count, mean) for count, mean in rows if math.isfinite(mean)]
    return sum(count * mean for count, mean in good) / sum(count for count, _ in good)


def _pairs(values: Values) -> dict[str, tuple[float, float]]:
    """Return the mean errors of polynomials and of networks, by the pair of tables."""
    place, turn, arms = (values[each.EXPERIMENT.name] for each in (position, orientation, arm))
    cells = values[sizes.EXPERIMENT.name]
    return {
        "Puma, position, 100 mm and 200 mm": (_pooled(place, "even"), _pooled(place, "network")),
        "Puma, position, both 200 mm": (cells["linear 200 mean"], _pooled(place, "network")),
        "Puma, orientation": (turn["zyz all mean"], turn["network all mean"]),
        "arm, position": (arms["6a all mean"], arms["7a all mean"]),
        "arm, orientation": (arms["6b all mean"], arms["7b all mean"]),
    }


def more_accurate(values: Values) -> Finding:
    """Judge section 6: networks are somewhat more accurate."""
    pairs = _pairs(values)
    text = ", ".join(f"{name} {a:.2f} and {b:.2f}" for name, (a, b) in pairs.items())
    return Finding(
        f"Mean errors of polynomials and networks [mm or deg]: {text}.", {name: b < a for name, (a, b) in pairs.items()}
    )


def more_success(values: Values) -> Finding:
    """Judge section 5.1: success rates of networks are higher."""
    place, turn, arms = (values[each.EXPERIMENT.name] for each in (position, orientation, arm))
    pairs = {
        **{f"Puma, position, solution {k}": (place[f"even {k} success"], place[f"network {k} success"])
           for k in range(1, 5)},
        "Puma, orientation": (turn["zyz all success"], turn["network all success"]),
        "arm, position": (arms["6a all success"], arms["7a all success"]),
        "arm, orientation": (arms["6b all success"], arms["7b all success"]),
    }  # fmt: skip
    text = ", ".join(f"{name} {a:.1f} and {b:.1f}" for name, (a, b) in pairs.items())
    return Finding(
        f"Success of polynomials and networks [%]: {text}; the paper's own Tables 2a and 3a have 98.6 to 99.3 and 89.1 to "
        "94.0 %.",
        {name: b > a for name, (a, b) in pairs.items()},
    )


def larger(values: Values) -> Finding:
    """Judge section 5.1: networks need 1.5 to 1.7 times the storage."""
    place, kept = values[position.EXPERIMENT.name], values[storage.EXPERIMENT.name]
    ratios = {
        "Puma, orientation": kept["puma turn network"] / kept["puma turn polynomial"],
        "arm, orientation": kept["arm turn network"] / kept["arm turn polynomial"],
        "arm, position": kept["arm place network"] / kept["arm place polynomial"],
    }
    if math.isfinite(place["network storage"]):
        ratios["Puma, position, 200 mm and 100 mm"] = place["network storage"] / place["even storage"]
    low, high = NETWORK_STORAGE
    return Finding(
        f"Ratios: {_each(ratios, form='.2f')}; the paper's own figures give {NETWORK_PLACE_KB / PLACE_KB:.2f} for positions "
        f"and {NETWORK_TURN_MB / TURN_MB:.2f} for orientations.",
        {name: low <= x <= high for name, x in ratios.items()},
    )


def slower_online(values: Values) -> Finding:
    """Judge section 5.1: networks take two to three times as long online."""
    found = values[online.EXPERIMENT.name]
    parts = {"place": "position", "turn": "orientation", "halving": "pose"}
    ratios = {f"{arm_name}, {text}": found[f"{key} {part} ratio"]
              for key, arm_name in (("puma", "Puma"), ("arm", "arm")) for part, text in parts.items()}  # fmt: skip
    low, high = NETWORK_TIME
    own = {name: [TIMES[name][f"network {part}"] / TIMES[name][f"polynomial {part}"] for part in ("place", "turn")]
           for name in TIMES}  # fmt: skip
    return Finding(
        f"Ratios: {_each(ratios)}; Table 4 itself has {own['puma'][0]:.1f} and {own['puma'][1]:.1f}, Table 8 "
        f"{own['arm'][0]:.1f} and {own['arm'][1]:.1f}.",
        {name: low <= x <= high for name, x in ratios.items()},
    )


def slower_offline(values: Values) -> Finding:
    """Judge section 5.2: networks need a much higher off-line time."""
    place, turn = values[position.EXPERIMENT.name], values[orientation.EXPERIMENT.name]
    ratios = {
        "a cell, position, 200 mm and 100 mm": place["network cell time"] / place["even cell time"],
        "a cell, orientation": turn["network time"] / turn["zyz time"],
    }
    if math.isfinite(place["network time"]):
        ratios["the whole position table of the Puma"] = place["network time"] / place["even time"]
    return Finding(
        f"Times of networks over those of polynomials: {_each(ratios)}; much is {MUCH:.0f} times.",
        {name: x >= MUCH for name, x in ratios.items()},
    )


def fewer_cells(values: Values) -> Finding:
    """Judge section 4.1: fewer cells with a higher order give the same accuracy."""
    found = values[sizes.EXPERIMENT.name]
    small = found["linear 100 mean"]
    large = {f"{model}, {side} mm": f"{model} {side}" for model, side in (("quadratic", 200), ("cubic", 300))}
    text = ", ".join(
        f"{name} {found[f'{key} mean']:.2f} mm in {found[f'{key} storage']:.0f} KB" for name, key in large.items()
    )
    return Finding(
        f"Linear, 100 mm: {small:.2f} mm in {found['linear 100 storage']:.0f} KB; {text}.",
        {name: found[f"{key} mean"] <= small for name, key in large.items()},
    )


def clusters(values: Values) -> Finding:
    """Judge section 6: a classification isolates the solutions; the paper does not print its own."""
    found = values[classification.EXPERIMENT.name]
    merged = {
        f"{name}, {side} mm": found[f"{key} {side} merged"]
        for side in classification.SIDES
        for key, name, _, _ in classification.METHODS
    }
    return Finding(
        f"Cells in which two solutions have one label: {_each(merged, ' %')}.",
        {name: x == 0.0 for name, x in merged.items()},
    )


def no_form(values: Values) -> Finding:
    """Judge section 5.2: there is no closed form solution for the arm."""
    share = values[animation.EXPERIMENT.name]["recovered"]
    return Finding(
        f"With pose and inclination given, limbik's closed form finds {share:.2f} % of random postures again.",
        {"inclination given": share < PERCENT},
    )


def shoulders(values: Values) -> Finding:
    """Judge section 3: four postures of the shoulder reach a position at an inclination, and no more."""
    found = values[arm.EXPERIMENT.name]
    counts = {f"v {name}": found[name] for name in ("undirected", "directed")}
    return Finding(f"Most postures: {_each(counts, form='.0f')}.", {name: x == SHOULDERS for name, x in counts.items()})


def thousands(values: Values) -> Finding:
    """Judge section 6: several thousand solutions a second for a 7-DOF limb."""
    found = values[animation.EXPERIMENT.name]
    rates = {text: found[f"{key} limbs"] for key, text in animation.STARTS if key in ("previous", "home")}
    return Finding(
        f"Exact limbs per second by the closed form, one thread: {_each(rates, form=',.0f')}; a limb from the true posture "
        f"itself takes {found['answer ratio']:.2f} times the time from the previous frame's answer.",
        {f"{least:,} from {text}": x >= least for least in SEVERAL for text, x in rates.items()},
    )


def modest(values: Values) -> Finding:
    """Judge section 5.2: the arm's storage is not much higher than the Puma's."""
    kept = values[storage.EXPERIMENT.name]
    ratios = {f"{n} samples in a cell": kept[f"arm {key} polynomial"] / kept[f"puma {key} polynomial"]
              for n, key in ((200, "turn"), (50, "fewer"))}  # fmt: skip
    return Finding(
        f"Orientation table of the arm over that of the Puma: {_each(ratios, form='.2f')}; the printed sizes give "
        f"{ARM_TURN_MB / TURN_MB:.1f}, which is taken as not much higher.",
        {name: x <= ARM_TURN_MB / TURN_MB for name, x in ratios.items()},
    )


CONCLUSIONS = (
    Conclusion("the method is complete: it provides all solutions", complete),
    Conclusion("it finds at least 89 % of the solutions that exist", as_often),
    Conclusion("the closed form is 10 times slower than the polynomial model", ten_times),
    Conclusion("the closed form is 4 times slower than the network model", four_times),
    Conclusion("without a closed form, the method is two to three orders of magnitude faster", orders),
    Conclusion("several thousand solutions a second for a 7-DOF limb are readily achieved", thousands),
    Conclusion("networks are somewhat more accurate than polynomials", more_accurate),
    Conclusion("networks have higher success rates than polynomials", more_success),
    Conclusion("networks need 1.5 to 1.7 times the storage of polynomials", larger),
    Conclusion("networks take two to three times as long online", slower_online),
    Conclusion("networks need a much higher off-line time", slower_offline),
    Conclusion("fewer cells with models of a higher order give the same accuracy", fewer_cells),
    Conclusion("a classification isolates the solutions of every cell", clusters),
    Conclusion("four postures of the shoulder reach one position and inclination", shoulders),
    Conclusion("there is no closed form for the arm", no_form),
    Conclusion("the arm's storage is not much higher than the Puma's", modest),
)
