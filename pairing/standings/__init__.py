"""Who stands where: scores, the tie-breaks of C.07, the ranking. Whole numbers only."""
