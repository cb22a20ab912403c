"""Copies of the whole site: make, check, restore, keep, and one event as one file."""
