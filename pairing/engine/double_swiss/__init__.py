"""The Double-Swiss Pairing System [C.04.5]: every pairing is a match of two games."""

NO_LEGAL_PAIRING = "C.04.5 3.3.3"
"""The article for a round that cannot be paired."""
