"""The application against a second computation:
``python -m tests.stress.second --events 2000 --seed 1``.

Random arbiters play events over HTTP. At every published state the numbers of the pages, of the CSV
files and of the API are compared with a computation from the exported report file and the record
file alone. Nothing here imports the program, except Django to start it: :mod:`.report_file` reads
the file with lines of its own, :mod:`.reckoning` and :mod:`.tie_breaks` follow the texts of FIDE.
"""
