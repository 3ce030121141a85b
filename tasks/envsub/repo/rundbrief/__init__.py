"""Circular letters: one template, many members."""
