"""The screens of a hall."""
