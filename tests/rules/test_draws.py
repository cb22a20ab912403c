"""Draws from a secret that the record commits to."""

from __future__ import annotations

import hashlib

from pairing.rules.draws import Draw, colour_of, commitment, seed_of

SECRETS = [hashlib.sha256(str(n).encode()).hexdigest() for n in range(2_000)]


def test_a_seed_is_what_anybody_computes() -> None:
    """Fixed values: the record of old tournaments must stay verifiable."""
    assert (
        commitment("secret") == "2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6a25fe97bf527a25b"
    )
    assert seed_of("secret", Draw.COLOUR, "4711") == "dcf8b2a03fab1026ecc46aa74d4e02ef"
    assert seed_of("secret", Draw.LOTS, "4711") != seed_of("secret", Draw.COLOUR, "4711")


def test_c04_3_5_1_both_colours_are_as_likely() -> None:
    drawn = [colour_of(seed_of(secret, Draw.COLOUR, "")) for secret in SECRETS]
    assert set(drawn) == {"w", "b"}
    assert 900 < drawn.count("w") < 1_100


def test_what_a_witness_names_changes_the_colour_for_half_of_the_secrets() -> None:
    changed = sum(
        colour_of(seed_of(secret, Draw.COLOUR, "1")) != colour_of(seed_of(secret, Draw.COLOUR, "2"))
        for secret in SECRETS
    )
    assert 900 < changed < 1_100


def test_an_even_first_digit_draws_white() -> None:
    """Fixed values: whoever checks a draw years later needs the same."""
    assert "".join(colour_of(f"{digit:x}ffff") for digit in range(16)) == "wb" * 8
