"""The solver, shared by the editions: candidates of a bracket as matchings of a graph."""
