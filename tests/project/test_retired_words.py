"""Retired words are found with their line, and no file of the repository has one."""

from tools import retired_words


def test_a_retired_word_is_found_with_its_line_and_a_better_one():
    redundant, decouples = "joint too" + " many", "comes" + " apart"  # in two parts, because this file is searched too
    text = f"fine\nan arm with a {redundant} {decouples}\n"
    assert retired_words.findings(text) == [(2, redundant, "redundant"), (2, decouples, "decouples, decoupled")]


def test_no_file_has_one():
    assert len(retired_words.files()) > 500
    assert retired_words.main() == 0
