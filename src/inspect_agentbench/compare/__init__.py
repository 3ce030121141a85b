"""Comparing arms: integer counts in, verdicts, tables and a report out. Knows neither docker nor Inspect."""
