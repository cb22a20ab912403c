"""Texts that count as a reason."""

import pytest

from pairing.rules.reasons import is_reason


@pytest.mark.parametrize("text", ["", " ", ".", "---", "ok", "12345", " a b "])
def test_a_reason_has_words(text):
    assert not is_reason(text)


@pytest.mark.parametrize("text", ["flu", "§ 7.3 of the regulations", "Грипп", "病気欠席"])
def test_three_letters_of_any_script_are_enough(text):
    assert is_reason(text)
