#!/bin/sh
# Write requirements.txt (what a user needs) and requirements-dev.txt (that, and the tests) from pyproject.toml.
#
#   scripts/lock.sh [--upgrade]
#
# One lock for all supported Pythons and systems, by markers. Pins that still fit are kept unless --upgrade is given.
set -eu

cd "$(dirname "$0")/.."
tools=build/lock
[ -x $tools/bin/uv ] || {
    "$(scripts/find-python.sh)" -m venv $tools
    $tools/bin/pip install --quiet uv
}

compile() { # compile OUTPUT OPTION...
    output=$1
    shift
    $tools/bin/uv pip compile --quiet --universal --python-version 3.11 --custom-compile-command "make lock" \
        --output-file "$output" "$@" pyproject.toml
}

compile requirements.txt "$@"
compile requirements-dev.txt --constraint requirements.txt --extra dev --extra model --extra viewer "$@"
