"""Triton's IR as text, read into objects."""
