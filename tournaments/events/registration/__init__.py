"""Public registration: set up by the arbiters, filled in by visitors, accepted row by row."""
