"""The FIDE Dutch System in force until 31 January 2026 [C.04.3/2017]."""

NO_LEGAL_PAIRING = "C.04.3 A.9"
"""The article for a round that cannot be paired."""
