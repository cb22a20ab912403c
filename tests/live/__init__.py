"""Test the real server as ``./run`` starts it, and what the long programs of tests/stress share."""
