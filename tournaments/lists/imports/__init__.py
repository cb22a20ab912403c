"""Feature: entry lists and tournaments from files."""
