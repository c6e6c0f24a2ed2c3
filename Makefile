# The doors of the repository. Each works from nothing but Python 3.11 and make: the first use creates
# .venv and installs what the door needs, later uses find it there.

.DEFAULT_GOAL := help
.NOTPARALLEL:  # one environment, one pip at a time
.PHONY: help demo test test-all test-adapters test-pymc test-site test-versions endurance mutants lint format contents sample docs site gallery \
	coverage coverage-run coverage-report bench dist clean

VENV := .venv
BIN := $(VENV)/bin
PACKAGES := chainrules_core chainrules_testutils chainrules

# Tests run in as many processes as there are processors. Some tests run in one, which starts sooner. `UNTIL` is the
# time after which no test begins, in seconds since 1970; with `PART=1/2` half of the tests run.
PYTEST := pytest $(or $(ARGS),-n auto --dist loadfile) $(UNTIL:%=--until %) $(PART:%=--part %)
# All tests, or the sample of `make test` and one share of the others: `make test-all SHARE=2/5`.
SHARES := $(SHARE:%=--sample --share %)

# What needs a framework: the tests and the pages that say so, and programs that numba compiles.
FRAMEWORKS := autograd|dask|distributed|jax|mygrad|pytensor|torch
ADAPTERS = $(shell grep -rlE 'importorskip."($(FRAMEWORKS))[".]' tests --include='test_*.py') \
	$(shell grep -rl 'installed."' README.md docs --include='*.md') chainrules/adapters tests/examples/test_influenza.py \
	tests/chainrules/ad/recording/test_native.py

# How tests are run; `make coverage` counts lines meanwhile.
RUN := -m

# The first interpreter that can do the job; `make PYTHON=/path/to/python3.12 test` chooses another.
PYTHON ?= $(shell for python in python3.11 python3 python3.12 python3.13 python; do \
	$$python -c 'import sys, ensurepip, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
	&& echo $$python && break; done)

# Tests start processes by the hundred: each takes the modules as an earlier one has compiled them.
unexport PYTHONDONTWRITEBYTECODE

# One thread for each process: there are as many of them as processors, and waiting threads take time from others.
test test-all test-adapters test-pymc coverage-run sample: export OPENBLAS_NUM_THREADS := 1

help:  ## this list
	@sed -nE 's/^([a-z-]+):.*##/make \1 \t/p' $(MAKEFILE_LIST) | expand -t 22

demo: $(VENV)/.has-demo  ## fit a model on real data with a gradient that runs through one's own rule
	$(BIN)/python examples/digits.py $(ARGS)

test: $(VENV)/.has-test  ## run a fixed sample of the tests; `make test ARGS="-k thunk"` runs all that have the word
	$(BIN)/python $(RUN) $(PYTEST) $(if $(ARGS),,--sample)

test-all: $(VENV)/.has-test  ## run all tests; `make test-all SHARE=2/5` runs the sample and a fifth of the others
	$(BIN)/python $(RUN) $(PYTEST) $(SHARES)

test-adapters: $(VENV)-adapters/.has-adapters  ## run what needs PyTorch, JAX, autograd, PyTensor, mygrad or Dask
	$(VENV)-adapters/bin/python $(RUN) $(PYTEST) $(SHARES) $(if $(ARGS),,$(ADAPTERS))

test-pymc: $(VENV)-pymc/.has-pymc  ## run what needs PyMC, and the bridge to the oldest PyTensor, which it brings
	$(VENV)-pymc/bin/python -m $(PYTEST) $(if $(ARGS),,tests/examples/test_influenza_pymc.py tests/chainrules/adapters/pytensor)

test-versions: dist  ## run what versions can break on the oldest ones and on every Python that is found
	$(BIN)/python .ci/test_versions.py

endurance: $(VENV)/.has-test  ## run the tests of memory, threads, processes and depth, with a million operations in a row
	OPERATIONS=1000000 $(BIN)/python -m pytest tests/test_endurance.py $(ARGS)

mutants: $(VENV)/.has-test  ## make random mistakes in the packages, and see whether tests notice; ARGS="--seed 7"
	$(BIN)/python -m tests.mutants $(ARGS)

lint: $(VENV)/.has-lint  ## check style, formatting and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: $(VENV)/.has-lint  ## mend what `make lint` can mend by itself
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

contents: $(VENV)/.has-test  ## write down which file has the rules of which function, after a rule came or went
	$(BIN)/python -m docs.rule_files

sample: $(VENV)/.has-coverage  ## write down which tests `make test` needs to reach all rules and lines, after a rule came or went
	$(BIN)/python -m $(PYTEST) -p tests.sampling -p tests.reached

docs: $(VENV)/.has-docs  ## write the generated pages, and execute every code block, docstrings included
	$(BIN)/python -m docs
	$(BIN)/python -m pytest $(wildcard *.md docs) $(PACKAGES) $(ARGS)

site: $(VENV)/.has-site  ## build the site of the documentation into site/
	$(BIN)/python -m sphinx -j 2 -W --keep-going -q -E docs site
	@echo "site/index.html"

test-site: site $(VENV)/.has-browser  ## open the built site in Debian's Chromium, with packages chromium and chromium-driver
	SITE=site $(BIN)/python -m pytest tests/test_site_in_a_browser.py $(ARGS)

gallery: $(VENV)/.has-demo  ## run the programs whose pictures the README shows, and write these pictures
	$(BIN)/python -m docs.gallery

coverage: coverage-run coverage-report  ## run all tests, and fail if they miss more lines and branches than they may

coverage-run: $(VENV)/.has-coverage $(VENV)-adapters/.has-adapters
	$(BIN)/coverage erase
	$(MAKE) test-all RUN="-m coverage run -m"
	$(MAKE) test-adapters RUN="-m coverage run -m"

# All tests miss nothing of core and of the testers. The sample and a share of the other cases may miss some of it.
coverage-report:
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage report --include="chainrules_core/*,chainrules_testutils/*" --fail-under=$(if $(SHARE),98,100)
	$(BIN)/coverage report --include="chainrules/*" --fail-under=$(if $(SHARE),98,99)

bench: $(VENV)/.has-bench  ## measure this project beside its peers, which it installs (large), and write docs/benchmarks.md
	$(BIN)/python -m benchmarks --page $(ARGS)

dist: $(VENV)/.has-dist  ## build a wheel and an sdist of each package into dist/
	rm -rf dist
	set -e; for package in $(PACKAGES); do $(BIN)/python -m build --outdir dist $$package; done

clean:  ## remove the environment, the builds and the caches
	rm -rf $(VENV) $(VENV)-adapters $(VENV)-pymc $(VENV)-newer dist site htmlcov .coverage .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# One stamp for each dependency group of pyproject.toml.
$(VENV)/.has-%: $(VENV)/.has-pip pyproject.toml $(PACKAGES:%=%/pyproject.toml)
	@echo "Installing what 'make $*' needs into $(VENV), once: a minute or two, on a slow connection ten"
	$(BIN)/python -m pip install --disable-pip-version-check $(PACKAGES:%=-e %) --group $*
	@touch $@

# The frameworks have an environment of their own, so that all other tests run without them.
$(VENV)-adapters/.has-adapters $(VENV)-pymc/.has-pymc: pyproject.toml $(PACKAGES:%=%/pyproject.toml)
	$(MAKE) VENV=$(@D) $@

# `--group` needs pip 25.1, which is younger than Python 3.11.
$(VENV)/.has-pip:
	@test -n "$(PYTHON)" || { echo "No Python 3.11 or newer on the PATH: make PYTHON=/path/to/python" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade "pip>=25.1"
	@touch $@
