"""Actions on a round, and the queries they need: the Django part of pairing."""
