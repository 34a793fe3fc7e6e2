"""Retired words are found where they are, and no file of the source has one."""

from tools import retired_words


def test_a_retired_word_is_found_with_its_line_and_a_better_one():
    text = "fine\nan arm with a joint too many comes apart\n"
    assert retired_words.findings(text) == [
        (2, "joint too many", "redundant"),
        (2, "comes apart", "decouples, decoupled"),
    ]


def test_no_file_has_one():
    assert len(retired_words.files()) > 500
    assert retired_words.main() == 0
