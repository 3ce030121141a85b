"""Duty hours of ships' crews."""
