"""An event of several tournaments, its sections: set it up, move players, see all at once."""
