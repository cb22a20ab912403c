"""Feature: entries, byes, check-in and pairing numbers."""
