#!/bin/sh
# Make the base image `agentbench-base:trixie` from Debian packages alone, without an image registry.
#
#   sandboxes/make-base-image.sh
#
# Needs root on Debian or a derivative (mmdebstrap is installed if it is missing). Takes packages from the
# machine's own Debian source. Does nothing if the image is there. Exit code 2, with one line, where it cannot help.
set -eu

SUITE=trixie
IMAGE=agentbench-base:$SUITE

give_up() {
    printf 'make-base-image: %s\n' "$*" >&2
    exit 2
}

update_lists() { # other sources may be out of reach; mmdebstrap and the source line below tell if ours is
    apt-get update -qq >/dev/null 2>&1 || true
}

install_mmdebstrap() {
    update_lists
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends mmdebstrap >/dev/null ||
        give_up "apt-get could not install mmdebstrap: see its message above"
}

debian_source() { # the address of the machine's own Debian archive
    apt-get indextargets --format '$(REPO_URI)' \
        'Created-By: Packages' 'Origin: Debian' 'Label: Debian' 'Component: main' | head -n 1
}

[ -z "$(docker images -q "$IMAGE")" ] || exit 0
[ "$(id -u)" = 0 ] || give_up "run it as root, or pull a base image instead (see sandboxes/Dockerfile)"
command -v apt-get >/dev/null || give_up "this is no Debian system: pull a base image instead (see sandboxes/Dockerfile)"
command -v mmdebstrap >/dev/null || install_mmdebstrap
[ -n "$(debian_source)" ] || update_lists
source=$(debian_source)
[ -n "$source" ] || give_up "found no Debian source in /etc/apt to take suite $SUITE from"

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# Documentation and package lists are left out: the image is exported and read by nobody.
mmdebstrap --quiet --variant=minbase \
    --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/man/*' \
    "$SUITE" "$folder/base.tar" "$source" ||
    give_up "mmdebstrap could not make a base of suite $SUITE: see its message above"
docker import "$folder/base.tar" "$IMAGE" >/dev/null
