"""Find retired words in the source and the documents: `python tools/retired_words.py`. The field's word stands beside each.

docs/glossary.md defines the words that limbik uses. A word that is a name of the public interface is not listed here.
"""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
# What is looked for, as an expression, and what to write.
RETIRED = {
    r"joints? too many": "redundant",
    r"comes? apart|take_apart|took apart": "decouples, decoupled",
    r"goes? (step by step|by steps)": "is iterative",
    r"weighed": "weighted",
    r"keeps? its word": "holds",
    r"led nowhere|leads nowhere": "did not converge",
    r"(is|are|was|were|be|being) told\b": "is reported, is observable",
    r"\btold apart": "distinguished",
    r"\bstands at\b": "is at",
    r"\bstands? (away|in the place)": "is away, replaces",
    r"the nearest postures?": "the closest configuration",
    r"\bPatience\b|\bBudget\b": "Deadline",
    r"\bTeacher\b|\bLessons\b|\bGrown\b|\bcrew\b": "TableBuilder, options, executor",
    r"LIMBIK_APART": "LIMBIK_NOINLINE",
}
PATTERNS = ("*.py", "*.hpp", "*.cpp", "*.md", "*.toml")
# The record of changes and decisions names old words; so does this file.
LEFT_OUT = ("CHANGELOG.md", "docs/decisions/", "tests/", "tools/retired_words.py")


def files() -> list[str]:
    """Return the files that are looked at."""
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
    """Print what was found; 1 where there is anything."""
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
