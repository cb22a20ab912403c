"""The FIDE Dutch System as it stood before July 2017: a procedure, where its successors are criteria.

The text (in force until 30 June 2017; cited as ``[C.04.3/pre2017 C10]``) tells the arbiter what to do step by step:

- ``field``: who is to be paired, and what their rounds say (A2, A4, A7, A10, B1, B2);
- ``bracket``: a score bracket, P0, M0, X1, Z1 and homogeneous treatment (A3, A6, A8, C1);
- ``requirements``: what can be asked of a pairing and in which order it is given up (B1-B6, C3, C10, D4);
- ``candidates``: the first pairing of a bracket that meets the best requirements that any can (C4-C9, D1-D3);
- ``backtracking``: another pairing of the bracket before (C12, C13);
- ``procedure``: from the highest bracket to the lowest (C1, C13, C14);
- ``colours``: who has White (E).
"""
