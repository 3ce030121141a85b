"""The comparison as one HTML file that works offline: no script, no request to any host."""

from .page import render_html

__all__ = ["render_html"]
