# `make demo` and `make test` need python3 (3.11 or newer, with venv), make and git, and do the rest themselves.
# PYTHON=python3.12 chooses an interpreter; the environment stands in .venv.
PYTHON ?= python3
BIN := .venv/bin
STAMP := .venv/.installed
WORKERS ?= 2
# The LLM of `make local-model` and `make test-local`: smol, 0.5b or 1.5b.
MODEL ?= 0.5b
# The corpus of `make corpus`: how many groups, and the seed.
CORPUS ?= 1000
SEED ?= 0

.PHONY: help demo test test-extras local-model test-local lint laws bench corpus docs clean
.DEFAULT_GOAL := help

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):[^#]*## \(.*\)/make \1	\2/p' $(MAKEFILE_LIST) | expand -t 20

demo: $(STAMP) ## build groups from the shipped specifications, with their proofs, and show one
	@$(BIN)/python -m unco demo

test: lint ## lint, then every test but the laws and those of the extras
	@$(BIN)/pytest -n $(WORKERS) --dist loadgroup -m "not laws"

test-extras: $(STAMP) ## install the extras, and run the tests that need one
	@$(BIN)/python -m pip install -qq --disable-pip-version-check --root-user-action=ignore -e '.[dev,ray,cvc5,bench]'
	@$(BIN)/pytest -n 0 -m extras

local-model: $(STAMP) ## fetch the weights of a small LLM for tests, and check their hash
	@$(BIN)/python -m tests.local.fetch $(MODEL)

test-local: local-model ## drive drafting, rewording and validating with that LLM
	@$(BIN)/python -m pip install -qq --disable-pip-version-check --root-user-action=ignore -e '.[dev,local]'
	@UNCO_TEST_MODEL=$(MODEL) $(BIN)/pytest -n 0 -m local

lint: $(STAMP) ## style, strict types, direction of imports
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check --quiet || { echo "Run: .venv/bin/ruff format" >&2; exit 1; }
	@$(BIN)/mypy -p unco
	@$(BIN)/lint-imports --no-logo

laws: $(STAMP) ## the deeper property tests
	@$(BIN)/pytest -n $(WORKERS) --dist loadgroup -m laws --hypothesis-profile=laws

bench: $(STAMP) ## measure proofs, start-up, builds and memory
	@$(BIN)/python -m benchmarks

corpus: $(STAMP) ## make the dataset of 1,000 groups with its datasheet: CORPUS=N groups, SEED=N, in corpus/
	@$(BIN)/python -m unco corpus --groups $(CORPUS) --seed $(SEED) --workers $(WORKERS) --out corpus/$(CORPUS)-seed-$(SEED)

docs: $(STAMP) ## generate the reference pages from the code
	@$(BIN)/python docs/generate.py

clean: ## remove the environment and all that was built
	rm -rf .venv build dist unco.egg-info demo out .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# An environment of another interpreter, or one that was left half made, is made anew.
$(STAMP): pyproject.toml setup.py
	@command -v $(PYTHON) >/dev/null || { echo "unco needs Python 3.11 or newer, found no $(PYTHON). Set PYTHON=..." >&2; exit 1; }
	@$(PYTHON) -c 'import sys; v = sys.version.split()[0]; sys.exit(None if sys.version_info >= (3, 11) else f"unco needs Python 3.11 or newer, found {v}. Set PYTHON=...")'
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { echo "unco needs the venv module of $(PYTHON). On Debian: apt-get install python3-venv" >&2; exit 1; }
	@$(BIN)/python -c '' 2>/dev/null || $(PYTHON) -m venv --clear .venv
	@echo "Installing unco and its tools into .venv ..."
	@$(BIN)/python -m pip install -qq --disable-pip-version-check --root-user-action=ignore -e '.[dev]'
	@touch $@
