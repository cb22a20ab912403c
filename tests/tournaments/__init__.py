import pytest

# Whoever calls these sees what differs.
pytest.register_assert_rewrite(f"{__name__}.agreement", f"{__name__}.arbiters", f"{__name__}.replay")
