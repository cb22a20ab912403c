"""Pages: requests, forms and templates, a folder per feature."""
