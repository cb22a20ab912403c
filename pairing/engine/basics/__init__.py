"""The rules that every Swiss system shares: C.04.1 and the parts of C.04.2 that a pairing needs."""
