# Two commands do everything on a machine with Python 3.11, make and a C library:
#   make serve      the game server with all it needs
#   make test       every check and test

PYTHON ?= $(firstword $(shell command -v python3.11 python3.12 python3))
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/installed
DEV := $(VENV)/installed-dev
RESEARCH := $(VENV)/installed-research
COMPILE := build/lock/bin/uv pip compile pyproject.toml --quiet --universal --fork-strategy fewest --python-version 3.11 \
           --generate-hashes --no-header --no-annotate

.DEFAULT_GOAL := help
.PHONY: help serve test lint bench lock openapi client

help: ## show this
	@sed -n 's/^\([a-z]*\):[^#]*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST)

serve: $(INSTALLED) ## run everything: Redis, API, workers, sweeper; Ctrl-C ends it
	@exec $(BIN)/clifftop serve

test: lint $(RESEARCH) ## every check and test
	@$(BIN)/python -m pytest

lint: $(DEV) ## style, types, and which package may import which
	@$(BIN)/ruff check --quiet .
	@$(BIN)/ruff format --quiet --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-logo

bench: $(RESEARCH) ## every figure, each beside the limit it is measured against; takes many hours
	@set -e; for file in $$(grep -l __main__ benchmarks/*.py); do \
	  name=$$(basename $$file .py); echo "== $$name"; $(BIN)/python -m benchmarks.$$name; \
	done

lock: ## resolve all dependencies anew
	@$(PYTHON) -m venv build/lock && build/lock/bin/pip install -qq uv
	@$(COMPILE) --upgrade --extra build --extra dev --output-file requirements.lock
	@$(COMPILE) --constraint requirements.lock --extra build --output-file requirements-run.lock
	@$(COMPILE) --constraint requirements.lock --extra bench --extra research --output-file requirements-research.lock

openapi: $(DEV) ## write openapi/openapi.json from the code
	@$(BIN)/python -m service.openapi

client: $(DEV) ## generate a Python client from openapi/openapi.json into build/clifftop_client
	@PATH=$(BIN):$$PATH $(BIN)/openapi-python-client generate --path openapi/openapi.json --meta none --overwrite \
	  --output-path build/clifftop_client

# What serving needs; then what checking and testing need besides; then what is compared with in tests and benchmarks.
$(INSTALLED): requirements-run.lock pyproject.toml
	@echo "installing into $(VENV) (once, a minute or so)"
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/pip install -qq --disable-pip-version-check --require-hashes -r requirements-run.lock
	@$(BIN)/pip install -qq --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

$(DEV): $(INSTALLED) requirements.lock
	@$(BIN)/pip install -qq --disable-pip-version-check --require-hashes -r requirements.lock
	@touch $@

$(RESEARCH): $(DEV) requirements-research.lock
	@$(BIN)/pip install -qq --disable-pip-version-check --require-hashes -r requirements-research.lock
	@touch $@
