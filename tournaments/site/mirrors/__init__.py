"""Feature: the public pages of a tournament or an event, signed, on a web space elsewhere."""
