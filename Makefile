# The book and its package.  `make help` lists what there is.
#
# Needs Python 3.11 or newer and nothing else: everything is installed in .venv; another
# Python beside it: make test-package VENV=_build/python PYTHON=python3.14

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SITE := _build/html

# Two workers, a whole file or notebook each time; the longest first, see tests/conftest.py.
# BLAS has one thread in each: two that share two cores wait for each other.  A worker
# that a hanging test has ended is not replaced: the next would run the same test.
PYTEST := OPENBLAS_NUM_THREADS=$${OPENBLAS_NUM_THREADS:-1} $(BIN)/pytest -n 2 \
	--dist loadfile --no-loadscope-reorder --max-worker-restart=0
NOTEBOOKS := --nbval --nbval-current-env --nbval-cell-timeout=120 \
	--nbval-sanitize-with tests/nbval.cfg

# Files are UTF-8 and assertions count, whatever the user's settings say.
export PYTHONUTF8 := 1
unexport PYTHONOPTIMIZE

# What is said to this make is not said to another one that a command starts.
MAKEOVERRIDES :=
unexport ONLY SEED MINUTES EDITION PORT KERNEL VENV

.DEFAULT_GOAL := help
.PHONY: help book pdf zip slides test test-all test-slow test-package test-kernels
.PHONY: serve lab fuzz
.PHONY: notebooks lint format bench wheel clean pins

help:
	@echo 'make book        build the book: $(SITE)/index.html'
	@echo 'make pdf         print it: _build/halfspaces.pdf; EDITION=student too'
	@echo 'make zip         the site as one file; EDITION=student leaves out the solutions'
	@echo 'make slides      slides of a chapter, for a lecture: ONLY="perceptron"'
	@echo 'make test        build it, then prove it: package, notebooks, pages'
	@echo 'make test-all    and what takes long: wide grids, phones, other processors'
	@echo 'make test-package     without the site: package and notebooks'
	@echo 'make test-kernels     the same as other processors; KERNEL="Haswell" for one'
	@echo 'make fuzz        nasty arguments for ten minutes: right answers, or named errors?'
	@echo 'make serve       show the book on http://127.0.0.1:8000; PORT=9000 for another'
	@echo 'make lab         open the chapters in JupyterLab; PORT=9000 for another port'
	@echo 'make notebooks   execute the notebooks that changed; ONLY="geometry" for some'
	@echo 'make lint        check style and types; make format repairs what it can'
	@echo 'make bench       time mlcore against scikit-learn (five minutes)'
	@echo 'make pins        requirements.txt from requirements.in, after a change there'
	@echo 'make wheel       the package as wheel and sdist, in dist'
	@echo 'make clean       remove what was built'

book: $(VENV)/installed
	@$(BIN)/python tools/build.py $(EDITION)

zip: book
	@$(BIN)/python tools/zip_site.py $(EDITION)

slides: book
	@$(BIN)/python tools/slides.py $(ONLY)

# With Chromium; a failure leaves the last one.
pdf: book
	@$(BIN)/python tools/pdf.py $(EDITION)

test: book
	@echo 'Testing package, notebooks and pages (six to eight minutes) ...'
	@$(BIN)/python tools/chromium.py
	@$(PYTEST) -m 'not slow' $(NOTEBOOKS) tests chapters

test-all: test test-slow test-kernels

# Wide grids, pages on a phone in the dark.
test-slow: book
	@echo 'Testing what takes long (several minutes) ...'
	@$(PYTEST) -m slow tests

# Without a browser, and without building books.
test-package: $(VENV)/installed
	@$(PYTEST) -m 'not slow and not site' $(NOTEBOOKS) tests chapters

# With each kernel of BLAS that the processor has; where it lacks the newest one, with
# noise in the data, too.  KERNEL: all, today (another one each day), noise, or a name.
test-kernels: $(VENV)/installed
	@$(BIN)/python tests/helpers/kernels.py $(or $(KERNEL),all) $(MAKE) test-package

# Public functions, then checkers of exercises; SEED and ONLY="svm.soft_margin" repeat.
fuzz: $(VENV)/installed
	@OPENBLAS_NUM_THREADS=1 $(BIN)/python tools/fuzz.py --minutes $(or $(MINUTES),10) \
		$(if $(SEED),--seed $(SEED)) $(ONLY)

serve: book
	@$(BIN)/python tools/serve.py $(or $(PORT),8000)

lab: $(VENV)/installed
	@echo 'Starting JupyterLab ...'
	@$(BIN)/python tools/lab/start.py chapters $(if $(PORT),--port=$(PORT))

notebooks: $(VENV)/installed
	@$(BIN)/python tools/notebooks.py $(ONLY)

lint: $(VENV)/installed
	@$(BIN)/ruff check . && $(BIN)/ruff format --check . && $(BIN)/mypy

format: $(VENV)/installed
	@$(BIN)/ruff check --fix . && $(BIN)/ruff format .

bench: $(VENV)/installed
	@$(BIN)/python -m benchmarks

wheel: $(VENV)/installed
	@$(BIN)/python tools/pack.py

clean:
	rm -rf _build build dist *.egg-info .pytest_cache .ruff_cache .hypothesis

# The environment, made once; again after a change of the pins.  They are complete, so
# pip need not look up what they pull in; modules are compiled when they are first used.
$(VENV)/installed: requirements.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
		echo 'Python 3.11 or newer is needed; $(PYTHON) is' \
			"$$($(PYTHON) --version 2>&1). Try: make PYTHON=python3.12" >&2; exit 1; }
	@echo 'Making $(VENV) with the pinned packages (a minute or two, once) ...'
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --disable-pip-version-check --require-hashes --no-deps \
		--no-compile -r requirements.txt
	@$(BIN)/python -m pip install --disable-pip-version-check --no-deps \
		--no-build-isolation -e .
	@touch $@

# Universal: for every system and Python; versions that still fit stay as they are.
pins:
	@$(PYTHON) -m venv _build/pins && _build/pins/bin/pip install -q uv
	@_build/pins/bin/uv pip compile -q --universal --python-version 3.11 --no-annotate \
		--generate-hashes --no-emit-index-url --custom-compile-command 'make pins' \
		requirements.in -o requirements.txt
