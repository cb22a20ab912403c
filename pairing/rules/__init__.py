"""The rules of C.04.2 as functions.

Each function returns :data:`~.verdict.ALLOWED` or a :class:`~.verdict.Refused` with its article.
"""
