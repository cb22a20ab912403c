"""Feature: the arbiter's desk and undo."""
