"""Rating change, initial ratings and title norms, by edition of the FIDE regulations.

Standard library only. Ratings are whole points, scores half points or hundredths of a game, changes
hundredths of a rating point.
"""
