"""The sites of the long programs: those of the tests of the real server."""

from __future__ import annotations

from tests.live.conftest import database, operators, prepared, served, site

__all__ = ["database", "operators", "prepared", "served", "site"]
