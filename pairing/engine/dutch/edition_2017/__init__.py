"""The FIDE Dutch System in force until 31 January 2026 [C.04.3/2017]."""
