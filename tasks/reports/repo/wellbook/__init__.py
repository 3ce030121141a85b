"""Reports on the drinking water of the district, from the results of the laboratory's instruments."""

__version__ = "1.3.2"
