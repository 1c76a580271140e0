# The book and its package.  `make help` lists what there is.
#
# Needs Python 3.11 or newer and nothing else: everything is installed in .venv.

PYTHON ?= python3
BIN := .venv/bin
SITE := _build/html
WORK := _build/work

# What the pages are made of.  A change in FRAME starts the build from an empty folder,
# since Sphinx does not see it; a change in PAGES rebuilds the pages that changed.
FRAME := _config.yml _toc.yml _ext _static $(wildcard _ext/*.py _static/*)
PAGES := $(wildcard chapters/*.*)

.DEFAULT_GOAL := help
.PHONY: help book test serve lab notebooks lint format bench clean

help:
	@echo 'make book        build the book: $(SITE)/index.html'
	@echo 'make test        build it, then prove it: package, notebooks, pages'
	@echo 'make serve       show the book on http://127.0.0.1:8000'
	@echo 'make lab         open the chapters in JupyterLab'
	@echo 'make notebooks   execute the notebooks that changed; ONLY="geometry" for some'
	@echo 'make lint        check the style; make format repairs what it can'
	@echo 'make bench       time mlcore against scikit-learn (three minutes)'
	@echo 'make clean       remove what was built'

book: $(SITE)/index.html
	@echo 'The book: $(SITE)/index.html'

test: book
	@echo 'Testing package, notebooks and pages (some minutes) ...'
	@$(BIN)/pytest -n 2 --dist loadfile --nbval --nbval-current-env \
		--nbval-cell-timeout=120 --nbval-sanitize-with tests/nbval.cfg tests chapters

serve: book
	@echo 'Serving on http://127.0.0.1:8000 (Ctrl-C stops) ...'
	@$(BIN)/python -m http.server 8000 --bind 127.0.0.1 --directory $(SITE)

lab: .venv/installed
	@echo 'Starting JupyterLab ...'
	@$(BIN)/jupyter lab chapters

notebooks: .venv/installed
	@$(BIN)/python tools/notebooks.py $(ONLY)

lint: .venv/installed
	@$(BIN)/ruff check . && $(BIN)/ruff format --check .

format: .venv/installed
	@$(BIN)/ruff check --fix . && $(BIN)/ruff format .

bench: .venv/installed
	@$(BIN)/python -m benchmarks

clean:
	rm -rf _build .pytest_cache .ruff_cache .hypothesis

# The environment, made once; again after a change of the pins.
.venv/installed: requirements.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
		echo 'Python 3.11 or newer is needed; $(PYTHON) is' \
			"$$($(PYTHON) --version 2>&1). Try: make PYTHON=python3.12" >&2; exit 1; }
	@echo 'Making .venv with the pinned packages (a minute or two, once) ...'
	@$(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install --disable-pip-version-check -r requirements.txt
	@touch $@

# A site is put in place only when it is whole: a failed build leaves the last one, and
# no half state either, or the next build would not see the warnings of unchanged pages.
# It is as old as the start of its build, so that what was edited meanwhile is newer.
$(SITE)/index.html: .venv/installed $(FRAME) $(PAGES)
	@echo 'Building the pages ...'
	@mkdir -p _build && touch _build/started
	@$(if $(filter $(FRAME) .venv/installed,$?),rm -rf $(WORK))
	@$(BIN)/jupyter-book build . --path-output $(WORK) -W -n --keep-going -q \
		>_build/log || { cat _build/log >&2; rm -rf $(WORK); \
		echo 'The book was not built; see above.' >&2; exit 1; }
	@rm -rf $(SITE).new && cp -R $(WORK)/_build/html $(SITE).new
	@rm -rf $(SITE) && mv $(SITE).new $(SITE) && touch -r _build/started $@
