"""The Double-Swiss Pairing System [C.04.5]: every pairing is a match of two games."""
