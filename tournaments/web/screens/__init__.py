"""The screens of a hall: their pages, and the page of the arbiters."""
