# make setup   a virtual environment, the docker engine and the sandbox image; a second run does nothing
# make demo    one episode of the scripted model through the real path (MODEL=ollama/… for a real one)
# make test    set-up for development, lint, all tests (ARGS="tests/engine -k image" for some)
# make lint    ruff and mypy
# make lock    pin the dependencies again (UPGRADE=--upgrade to take newer ones)
# make clean   remove the virtual environment and caches

.DEFAULT_GOAL := help
.PHONY: help setup setup-dev venv engine image demo test lint format lock clean
.NOTPARALLEL:
.DELETE_ON_ERROR:

BIN := .venv/bin
MODEL ?=
ARGS ?=
UPGRADE ?=

# A stamp carries the content of what was installed in its name: a changed lock is a new stamp.
content = $(shell cat $(1) pyproject.toml 2>/dev/null | cksum | tr ' ' '-')
RUNTIME := .venv/stamps/runtime-$(call content,requirements.txt)
DEVELOPMENT := .venv/stamps/development-$(call content,requirements-dev.txt)

help:
	@sed -n 's/^# //p' $(firstword $(MAKEFILE_LIST))

setup: $(RUNTIME) image

setup-dev: $(DEVELOPMENT) image

venv: $(BIN)/python

$(BIN)/python:
	@python=$$(scripts/find-python.sh) && $$python -m venv .venv

$(RUNTIME): | $(BIN)/python
	@$(call install,requirements.txt)

$(DEVELOPMENT): | $(BIN)/python
	@$(call install,requirements-dev.txt)

define install
echo "installing $(1)" && \
$(BIN)/pip install --quiet --disable-pip-version-check -r $(1) && \
$(BIN)/pip install --quiet --disable-pip-version-check --no-deps -e . && \
mkdir -p $(@D) && touch $@
endef

engine:
	@scripts/ensure-engine.sh

# Asked each time and cheap: the image may have been removed, or its Dockerfile changed.
image: engine | installed
	@$(BIN)/python -m inspect_agentbench.engine

.PHONY: installed
installed:
	@test -e $(RUNTIME) || test -e $(DEVELOPMENT) || $(MAKE) --no-print-directory $(RUNTIME)

demo: setup
	@$(BIN)/agentbench demo $(if $(MODEL),--model $(MODEL))

lint: $(DEVELOPMENT)
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check
	@$(BIN)/mypy

format: $(DEVELOPMENT)
	@$(BIN)/ruff format
	@$(BIN)/ruff check --fix

test: setup-dev lint
	@$(BIN)/pytest $(ARGS)

lock:
	@scripts/lock.sh $(UPGRADE)

clean:
	rm -rf .venv build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
