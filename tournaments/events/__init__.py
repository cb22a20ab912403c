"""An event of several tournaments, its sections:
set it up, move players, and see all sections at once.
"""
