"""The people who run a tournament: their roles, and how they sign in."""
