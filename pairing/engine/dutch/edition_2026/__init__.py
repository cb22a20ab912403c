"""The FIDE Dutch System in force from 1 February 2026 [C.04.3/2026]."""
