#!/bin/sh
# Make sure that a docker engine and its compose plug-in answer on this machine.
#
#   scripts/ensure-engine.sh
#
# Does nothing where they already do (Docker Desktop, an engine of the system, a remote DOCKER_HOST).
# On Debian, as root, it installs what is missing and starts a daemon without a bridge network: no
# container of this project has a network. Exit code 2, with one line, where it cannot help.
set -eu

MIN_ENGINE=24.0.6 # what Inspect asks for
MIN_COMPOSE=2.21.0
SUITE=trixie # the first Debian suite whose engine is new enough
SOURCE_FILE=/etc/apt/sources.list.d/agentbench-$SUITE.sources
PIN_FILE=/etc/apt/preferences.d/agentbench-$SUITE
KEYRING=/usr/share/keyrings/debian-archive-keyring.gpg
DAEMON_LOG=/var/log/agentbench-dockerd.log
DAEMON_PID=/var/run/docker.pid
CONTAINERD_PID=/var/run/docker/containerd/containerd.pid
START_SECONDS=60

say() { printf 'ensure-engine: %s\n' "$*" >&2; }

give_up() {
    say "$*"
    exit 2
}

at_least() { # at_least HAVE WANTED: is version HAVE new enough?
    [ -n "$1" ] && [ "$(printf '%s\n%s\n' "$2" "$1" | sort -V | head -n 1)" = "$2" ]
}

bounded() { # a dead DOCKER_HOST must not hang the set-up; macOS has no timeout command
    if command -v timeout >/dev/null; then timeout 20 "$@"; else "$@"; fi
}

engine_version() { bounded docker version --format '{{.Server.Version}}' 2>/dev/null || true; }

compose_version() { bounded docker compose version --short 2>/dev/null | sed 's/^v//' || true; }

engine_answers() { [ -n "$(engine_version)" ]; }

installed_version() { dockerd --version 2>/dev/null | sed 's/^Docker version \([^,]*\),.*/\1/' || true; }

installed_well() { # new enough on disk, whether it runs or not
    ! engine_answers && at_least "$(installed_version)" "$MIN_ENGINE" && at_least "$(compose_version)" "$MIN_COMPOSE"
}

all_well() { at_least "$(engine_version)" "$MIN_ENGINE" && at_least "$(compose_version)" "$MIN_COMPOSE"; }

what_is_missing() {
    engine=$(engine_version)
    compose=$(compose_version)
    if ! command -v docker >/dev/null; then
        echo "docker is not installed"
    elif [ -z "$engine" ]; then
        echo "the docker engine does not answer"
    elif ! at_least "$engine" "$MIN_ENGINE"; then
        echo "docker engine $engine is older than $MIN_ENGINE"
    elif [ -z "$compose" ]; then
        echo "the docker compose plug-in is missing"
    else
        echo "docker compose $compose is older than $MIN_COMPOSE"
    fi
}

refuse_without_permission() {
    [ "$(uname -s)" = Linux ] ||
        give_up "$(what_is_missing): start or install Docker Desktop (or another engine >= $MIN_ENGINE), then run this again"
    [ "$(id -u)" = 0 ] ||
        give_up "$(what_is_missing): start it, or install docker >= $MIN_ENGINE with compose >= $MIN_COMPOSE, or run scripts/ensure-engine.sh as root on Debian"
    [ -z "${DOCKER_HOST:-}" ] ||
        give_up "$(what_is_missing) at DOCKER_HOST=$DOCKER_HOST: start it there, or unset DOCKER_HOST"
}

refuse_without_debian() {
    grep -qs '^ID=debian$' /etc/os-release && command -v apt-get >/dev/null ||
        give_up "$(what_is_missing): install docker >= $MIN_ENGINE with compose >= $MIN_COMPOSE from your system's packages"
}

debian_candidate() { # the engine version that apt would install as things are, without epoch and revision
    apt-cache policy docker.io | sed -n 's/^ *Candidate: \([0-9]*:\)\{0,1\}\([0-9][0-9.]*\).*/\2/p'
}

add_newer_suite() { # a copy of the machine's own Debian source, for $SUITE, never preferred by itself
    origin=$(apt-get indextargets --format '$(REPO_URI)' \
        'Created-By: Packages' 'Origin: Debian' 'Label: Debian' 'Component: main' | head -n 1)
    [ -n "$origin" ] || give_up "found no Debian source in /etc/apt to take suite $SUITE from: install docker >= $MIN_ENGINE by hand"
    {
        printf 'Types: deb\nURIs: %s\nSuites: %s\nComponents: main\n' "$origin" "$SUITE"
        [ ! -r "$KEYRING" ] || printf 'Signed-By: %s\n' "$KEYRING"
    } >"$SOURCE_FILE"
    printf 'Package: *\nPin: release n=%s\nPin-Priority: 100\n' "$SUITE" >"$PIN_FILE"
}

apt_get() { # quiet, without questions, and patient with another apt at work
    DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=120 "$@" >/dev/null
}

update_lists() { # sources that have nothing to do with docker may be out of reach: judge by what is installed
    apt_get update 2>&1 || say "apt-get update reported errors; going on"
}

install_engine() {
    refuse_without_debian
    say "$(what_is_missing): installing it from Debian packages"
    update_lists
    target=
    if ! at_least "$(debian_candidate)" "$MIN_ENGINE"; then
        say "taking it from suite $SUITE, with the libraries it needs, libc6 among them ($SOURCE_FILE, never preferred otherwise)"
        add_newer_suite
        update_lists
        target="-t $SUITE"
    fi
    # shellcheck disable=SC2086 # $target is one option or none
    apt_get install -y --no-install-recommends $target docker.io docker-cli docker-compose docker-buildx iptables ||
        give_up "apt-get could not install docker.io, docker-cli, docker-compose and docker-buildx: see its message above"
}

runs() { # runs NAME PIDFILE: is the process of that file alive, and what it should be?
    [ -r "$2" ] && [ "$(cat "/proc/$(cat "$2")/comm" 2>/dev/null)" = "$1" ]
}

drop_stale_pid_files() { # a number that another process got since makes the daemon refuse to start
    runs dockerd "$DAEMON_PID" || rm -f "$DAEMON_PID"
    runs containerd "$CONTAINERD_PID" || rm -f "$CONTAINERD_PID"
}

launch_daemon() {
    if [ -d /run/systemd/system ]; then
        systemctl start docker || give_up "systemctl could not start docker: see systemctl status docker"
    elif ! runs dockerd "$DAEMON_PID"; then
        drop_stale_pid_files
        # Without a bridge it needs no firewall rules: no container of this project has a network.
        setsid nohup dockerd --iptables=false --ip6tables=false --bridge=none >"$DAEMON_LOG" 2>&1 </dev/null &
        daemon=$!
    fi
}

start_daemon() {
    say "starting the docker daemon"
    daemon=
    launch_daemon
    deadline=$(($(date +%s) + START_SECONDS))
    until engine_answers; do
        if [ -n "$daemon" ] && ! kill -0 "$daemon" 2>/dev/null; then
            give_up "dockerd ended at once, see $DAEMON_LOG: $(tail -n 1 "$DAEMON_LOG")"
        fi
        [ "$(date +%s)" -lt "$deadline" ] || give_up "the docker daemon did not answer within $START_SECONDS s: see $DAEMON_LOG"
        sleep 0.2
    done
}

all_well && exit 0
refuse_without_permission
installed_well || install_engine
engine_answers || start_daemon
all_well || give_up "$(what_is_missing), even after installing and starting it: restart the daemon, or update docker by hand"
say "docker engine $(engine_version), compose $(compose_version)"
