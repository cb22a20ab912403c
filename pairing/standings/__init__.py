"""Compute the standings: scores, the tie-breaks of C.07 and the ranking, in whole numbers."""
