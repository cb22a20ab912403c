"""The solver: candidates of a bracket as matchings of a graph;
the editions of the Dutch System share it.
"""
