"""Test the real server as ``./run`` starts it: over HTTP, with kills, restarts and load."""
