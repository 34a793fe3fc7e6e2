"""Find retired words in the source, the tests and the documents: `python tools/retired_words.py`.

docs/glossary.md defines the words that limbik uses. Names of the public interface are not listed here, nor are common words
that are wrong only in some senses.
"""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
# Regular expressions of retired words, and the words to write instead.
RETIRED = {
    r"joints? (too many|to spare)": "redundant",
    r"comes? apart|take_apart|took apart": "decouples, decoupled",
    r"goes? (step by step|by steps)": "is iterative",
    r"weighed": "weighted",
    r"keeps? its word": "holds",
    r"(leads?|led) nowhere": "does not converge",
    r"\btold\b": "is reported, is observable",
    r"\bstands at\b": "is at",
    r"\bstands? (away|in the place)": "is away, replaces",
    r"the nearest postures?": "the closest configuration",
    r"\bPatience\b|\bBudget\b": "Deadline",
    r"\bTeacher\b|\bLessons\b|\bGrown\b|\bcrew\b": "TableBuilder, options, executor",
    r"\btaught\b|\bteachers?\b": "trained",
    r"\bwish(es|ed)?\b": "secondary objective, preference",
    r"\bleaps?\b|\bleapt\b": "jump, discontinuity",
    r"\bcarr(y|ies|ied) over\b": "transfer, transform",
    r"\bsliding joints?\b|\bslides and (balls|turns)\b|\bturns and slides\b": "prismatic, revolute",
    r"\blost way\b": "deviation",
    r"\bby turns\b": "alternately",
    r"\b(asked|posed|carrying)\.py\b": "validation, body_state, attachments",
    r"\b[Tt]ell whether\b": "return whether",
    r"LIMBIK_APART": "LIMBIK_NOINLINE",
}
PATTERNS = ("*.py", "*.pyi", "*.hpp", "*.cpp", "*.md", "*.toml", "*.sh", "*CMakeLists.txt", "Makefile")
# The records of changes and decisions contain old words, and so does this file.
LEFT_OUT = ("CHANGELOG.md", "docs/decisions/", "tools/retired_words.py")


def files() -> list[str]:
    """Return the files that are searched."""
    listed = subprocess.run(["git", "ls-files", *PATTERNS], cwd=ROOT, capture_output=True, text=True, check=True)
    return [name for name in listed.stdout.splitlines() if not name.startswith(LEFT_OUT)]


def findings(text: str) -> list[tuple[int, str, str]]:
    """Return (line, word, better word) for every retired word in a text."""
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        for pattern, better in RETIRED.items():
            found += [(number, match[0], better) for match in re.finditer(pattern, line)]
    return found


def main() -> int:
    """Print the findings; return 1 if there are any."""
    count = 0
    for name in files():
        path = ROOT / name
        for number, word, better in findings(path.read_text()) if path.exists() else ():
            print(f"{name}:{number}: '{word}': write '{better}'")
            count += 1
    print(f"{count} retired words")
    return int(count > 0)


if __name__ == "__main__":
    sys.exit(main())
