#!/bin/sh
# Print a Python that is new enough and can make virtual environments; exit code 2, with one line, without one.
set -eu

for name in python3 python3.13 python3.12 python3.11 python3.14; do
    # A name on PATH may be a version manager's stub for a Python that is not there: run it.
    "$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || continue
    if "$name" -c 'import ensurepip, venv' 2>/dev/null; then
        echo "$name"
        exit 0
    fi
    without_venv=$name
done

if [ -n "${without_venv:-}" ]; then
    echo "find-python: $without_venv has no venv module: install it (Debian: apt-get install $without_venv-venv)" >&2
else
    echo "find-python: no Python >= 3.11 on PATH: install one (Debian 12 and newer: apt-get install python3 python3-venv)" >&2
fi
exit 2
