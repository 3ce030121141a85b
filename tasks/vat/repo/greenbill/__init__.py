"""Invoices of the nursery."""

__version__ = "0.9.0"
