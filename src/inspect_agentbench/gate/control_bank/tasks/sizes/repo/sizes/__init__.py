"""Sizes of files, added up."""
