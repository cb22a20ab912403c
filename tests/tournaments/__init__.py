import pytest

# pytest then shows the two values of a failed assertion in these helpers.
pytest.register_assert_rewrite(
    f"{__name__}.agreement", f"{__name__}.arbiters", f"{__name__}.replay"
)
