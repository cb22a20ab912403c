"""C.04.2 as policies: each answers :data:`~.verdict.ALLOWED` or a :class:`~.verdict.Refused` with its article."""
