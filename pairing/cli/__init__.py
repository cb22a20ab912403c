"""The command line, one module per verb. It runs without Django."""
