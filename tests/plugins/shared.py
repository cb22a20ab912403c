"""Find the material beside the checkout: rule texts, goldens and corpora in ``../shared``.

It is not part of the repository. If it is absent, a test that reads it is skipped, and the run
reports this in a line of its own. A folder of that name without :data:`MARKS` is somebody's own,
and counts as absent. With ``SWISS_REQUIRE_SHARED=1`` (CI) an absent folder stops the run instead.

A test uses the fixture ``shared`` (the folder), or is parametrised over its files::

    @pytest.mark.parametrize("path", shared_params("corpus/2026/*.trf"))
    def test_…(path: Path) -> None: ...
"""

import os
from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parents[3] / "shared"
MARKS = ("README.md", "golden", "corpus")
"""What is in the folder with the material."""
REASON = "../shared is absent, or has no test data (README.md, golden, corpus)"


def is_material(folder: Path) -> bool:
    """Return whether *folder* is there with the material of the tests."""
    return all((folder / name).exists() for name in MARKS)


HAS_SHARED = is_material(SHARED)


@pytest.fixture(scope="session")
def shared() -> Path:
    """Return the folder ``../shared``; skip the test if it does not exist."""
    if not HAS_SHARED:
        pytest.skip(REASON)
    return SHARED


def shared_params(pattern: str) -> list[object]:
    """Return one parameter per file of ``../shared`` that *pattern* matches, sorted by name,
    with its path as test id.

    If the folder is absent, return one parameter that skips. If it exists and no file matches,
    raise an error, because a test over no files would pass without checking anything.
    """
    if not HAS_SHARED:
        return [pytest.param(SHARED / pattern, id="absent", marks=pytest.mark.skip(reason=REASON))]
    paths = sorted(SHARED.glob(pattern))
    if not paths:
        message = f"no file matches ../shared/{pattern}"
        raise FileNotFoundError(message)
    return [pytest.param(path, id=str(path.relative_to(SHARED))) for path in paths]


def pytest_configure() -> None:
    if os.environ.get("SWISS_REQUIRE_SHARED") == "1" and not HAS_SHARED:
        message = (
            "SWISS_REQUIRE_SHARED=1, but there is no folder ../shared with test data beside "
            "this checkout."
        )
        raise pytest.UsageError(message)


def pytest_itemcollected(item: pytest.Item) -> None:
    if "shared" in getattr(item, "fixturenames", ()):
        item.add_marker("shared")
