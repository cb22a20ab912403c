"""The FIDE tournament report file (TRF): read, written, and turned into what the engine pairs."""
