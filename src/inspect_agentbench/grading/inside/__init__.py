"""What runs in rooms and judges, by value: standard library only, Python 3.11 and newer.

Nothing of this package is installed there. `sources.program` joins some of these modules into one text for
`python3 -c`, in which their relative imports work.
"""
