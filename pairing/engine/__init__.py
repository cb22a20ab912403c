"""The engine: standard-library Python that speaks chess, and nothing else."""
