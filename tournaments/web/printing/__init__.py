"""Paper: the page *Print & share*, and the lists as sheets, as a PDF file and as text."""
