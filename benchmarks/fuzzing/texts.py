"""Slightly broken robot files: bytes, words, numbers, attributes or elements changed."""

import re
from collections.abc import Sequence
from typing import TypeVar

import numpy as np

T = TypeVar("T")

HAND_WRITTEN = (
    """<robot name="arm"><link name="a"><collision><origin xyz="0 0 0.1" rpy="0 1 0"/><geometry>
<cylinder radius="0.1" length="0.3"/></geometry></collision></link>
<link name="b"><collision><geometry><box size="0.1 0.2 0.3"/></geometry></collision></link><link name="c"/><link name="d"/>
<joint name="j1" type="revolute"><parent link="a"/><child link="b"/><origin xyz="0 0 0.3" rpy="0 0.5 0"/><axis xyz="0 0 1"/>
<limit lower="-1.5" upper="2" velocity="3" effort="10"/></joint>
<joint name="j2" type="prismatic"><parent link="b"/><child link="c"/><origin xyz="0.1 0 0"/><axis xyz="0 1 1"/>
<limit lower="-0.1" upper="0.2"/></joint>
<joint name="j3" type="continuous"><parent link="c"/><child link="d"/><axis xyz="1 0 0"/></joint></robot>""",
    """<?xml version="1.0" encoding="utf-8"?><!DOCTYPE robot><!-- a hand --><robot name="hand"><link name="palm"><inertial>
<origin xyz="0 0 1"/><mass value="0.4"/></inertial></link><link name="f1"/><link name="f2"/><link name="f3"/>
<joint name="m" type="revolute"><parent link="palm"/><child link="f1"/><limit lower="0" upper="1"/></joint>
<joint name="n" type="revolute"><parent link="palm"/><child link="f2"/><axis xyz="0 1 0"/><limit lower="0" upper="1"/>
<mimic joint="m" multiplier="-1.5" offset="0.1"/></joint>
<joint name="o" type="fixed"><parent link="f2"/><child link="f3"/><origin xyz="1 2 3" rpy="0.1 0.2 0.3"/></joint></robot>""",
    """<robot name="body"><link name="w"/><link name="h"/><link name="l"/><link name="r"/><link name="p"/>
<joint name="root" type="floating"><parent link="w"/><child link="h"/></joint>
<joint name="left" type="spherical"><parent link="h"/><child link="l"/><origin xyz="0 0.2 0"/></joint>
<joint name="right" type="planar"><parent link="h"/><child link="r"/><axis xyz="0 0 1"/></joint>
<joint name="slide" type="prismatic"><parent link="r"/><child link="p"/><limit lower="0" upper="0"/></joint></robot>""",
)

NASTY_WORDS = (
    "nan", "inf", "-inf", "1e999", "1e308", "-1e308", "1e-320", "0", "-0.0", "", " ", "abc", "1,2", "0x10", "1_0", "1e5",
    "9" * 400, "1e150", "-1e200", "3.141592653589793", "1.5707963267948966", "1.570796", "true", "0 0 0", "1 0", "\u00e9",
    "\u0000", "&#1;", "&amp;", "&bad;", "<", ">", '"', "'", "]]>", "<!--", "<![CDATA[", "revolute", "prismatic", "continuous",
    "fixed", "floating", "spherical", "planar", "ball", "world", "base", "[", "]", "{", "}", "=", "#",
    "\\u0001", "\\ud800", "[[joint]]",
    "[[dh]]", "mimic", "\ufeff", "\U0001f916",
)  # fmt: skip


def pick(rng: np.random.Generator, things: Sequence[T]) -> T:
    """Return one of some things."""
    return things[int(rng.integers(len(things)))]


def changed_number(rng: np.random.Generator, text: str) -> str:
    """Replace one number by another."""
    found = list(re.finditer(r"-?\d+\.?\d*(?:e-?\d+)?", text))
    if not found:
        return text
    match = pick(rng, found)
    number = float(match[0])
    new = pick(rng, (
        lambda: repr(-number), lambda: repr(number * 10 ** float(rng.uniform(-20, 20))), lambda: repr(number + 1e-12),
        lambda: repr(10 ** float(rng.uniform(-300, 300))), lambda: str(int(rng.integers(-5, 6))), lambda: pick(rng, NASTY_WORDS),
    ))()  # fmt: skip
    return text[: match.start()] + new + text[match.end() :]


def changed_characters(rng: np.random.Generator, text: str) -> str:
    """Delete, repeat, insert or replace a few characters."""
    at = int(rng.integers(len(text) + 1))
    length = int(rng.integers(1, 9))
    return pick(rng, (
        lambda: text[:at] + text[at + length :], lambda: text[:at] + text[at : at + length] * 2 + text[at + length :],
        lambda: text[:at] + chr(int(rng.integers(32, 127))) + text[at + 1 :],
        lambda: text[:at] + pick(rng, NASTY_WORDS) + text[at:], lambda: text[:at],
    ))()  # fmt: skip


def changed_words(rng: np.random.Generator, text: str) -> str:
    """Replace a word by another of the same text, or by a nasty one."""
    found = list(re.finditer(r"[\w.\-]+", text))
    if not found:
        return text
    match = pick(rng, found)
    new = pick(rng, found)[0] if rng.random() < 0.7 else pick(rng, NASTY_WORDS)
    return text[: match.start()] + new + text[match.end() :]


def changed_pieces(rng: np.random.Generator, text: str, pattern: str) -> str:
    """Delete, repeat or swap pieces that match a pattern: elements, attributes, tables, lines."""
    found = list(re.finditer(pattern, text, re.DOTALL))
    if not found:
        return text
    a, b = sorted((pick(rng, found), pick(rng, found)), key=lambda m: m.start())
    act = int(rng.integers(4))
    if act == 0:
        return text[: a.start()] + text[a.end() :]
    if act == 1:
        return text[: a.end()] + a[0] + text[a.end() :]
    if act == 2 or a.end() > b.start():
        return text[: b.start()] + a[0] + text[b.end() :]
    return text[: a.start()] + b[0] + text[a.end() : b.start()] + a[0] + text[b.end() :]


XML_PIECES = (
    r"<(link|joint)\b.*?(?:/>|</\1>)",
    r"<(?:origin|axis|limit|mimic|parent|child|sphere|box|cylinder)[^>]*/>",
    r'\b\w+="[^"]*"',
    r"<[^>]*>",
)
TOML_PIECES = (r"\[\[\w+\]\][^\[]*", r"[^\n]*\n", r"\[[^\]\n]*\]", r"\w+ = [^\n]*")


def mutated(rng: np.random.Generator, text: str, pieces: tuple[str, ...]) -> str:
    """Return the text with one to five changes."""
    for _ in range(int(rng.integers(1, 6))):
        act = rng.random()
        if act < 0.35:
            text = changed_number(rng, text)
        elif act < 0.5:
            text = changed_characters(rng, text)
        elif act < 0.7:
            text = changed_words(rng, text)
        else:
            text = changed_pieces(rng, text, pick(rng, pieces))
    return text
