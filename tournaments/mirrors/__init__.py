"""Feature: the public pages of a tournament, signed, on a web space elsewhere."""
