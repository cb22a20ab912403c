"""The FIDE Dutch System before July 2017: a procedure; later editions use criteria instead.

The text (in force until 30 June 2017; cited as ``[C.04.3/pre2017 C10]``) gives the arbiter a
procedure step by step:

- ``field``: the players to pair, and their records (A2, A4, A7, A10, B1, B2);
- ``bracket``: a score bracket, P0, M0, X1, Z1 and homogeneous treatment (A3, A6, A8, C1);
- ``requirements``: the requirements of a pairing, and the order in which they are given up (B1-B6,
  C3, C10, D4);
- ``candidates``: the first pairing of a bracket that meets the best requirements possible (C4-C9,
  D1-D3);
- ``backtracking``: another pairing of the bracket before (C12, C13);
- ``procedure``: from the highest bracket to the lowest (C1, C13, C14);
- ``colours``: the allocation of White (E).
"""

NO_LEGAL_PAIRING = "C.04.3/pre2017 C13"
"""The article for a round that cannot be paired."""
