"""The command line: `snaptrim CATALOGUE POLICY [--now MOMENT] [--explain]`."""

import argparse
import sys
from datetime import datetime, timezone
from pathlib import Path

from snaptrim.catalogue import CatalogueError, read_catalogue, read_moment
from snaptrim.listing import explanation, names_to_prune
from snaptrim.policy import PolicyError, read_policy


def build_parser():
    parser = argparse.ArgumentParser(prog="snaptrim", description="Say which snapshots may go.")
    parser.add_argument("catalogue", type=Path)
    parser.add_argument("policy", type=Path)
    parser.add_argument("--now", type=read_moment, help="a moment such as 2026-01-05T03:00Z")
    parser.add_argument("--explain", action="store_true", help="say for every snapshot why it stays")
    return parser


def main(argv=None):
    """Run the command line and return its exit code."""
    options = build_parser().parse_args(argv)
    now = options.now or datetime.now(timezone.utc)
    try:
        snapshots = read_catalogue(options.catalogue.read_text(encoding="utf-8"))
        policy = read_policy(options.policy.read_text(encoding="utf-8"))
    except (OSError, CatalogueError, PolicyError) as error:
        print(f"snaptrim: {error}", file=sys.stderr)
        return 1
    output = explanation if options.explain else names_to_prune
    sys.stdout.write(output(snapshots, now, policy))
    return 0
