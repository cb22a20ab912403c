"""The command line, one module per verb. Works in a Python without Django."""
