# The book and its package.  `make help` lists what there is.
#
# Needs Python 3.11 or newer and nothing else: everything is installed in .venv; another
# Python beside it: make test PART=package VENV=_build/python PYTHON=python3.14

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
unexport ONLY EDITION PORT PART KERNEL FIX VENV

# What `make test PART=...` runs; without PART all but what takes long.
RUN := -m 'not slow' $(NOTEBOOKS) tests chapters
RUN-package := -m 'not slow' $(NOTEBOOKS) tests/mlcore tests/halfspaces chapters
RUN-site := -m 'not slow' tests/site tests/teaching
RUN-slow := -m slow tests
ifeq ($(filter package site slow kernels,$(PART)),$(PART))
else
$(error PART is package, site, slow or kernels, or not given; not $(PART))
endif

# As processors with other kernels of BLAS compute, which lack instructions that NumPy uses,
# too.  OpenBLAS has more kernels for x86-64, but none that rounds in yet another way.
KERNELS := Katmai Nehalem Sandybridge Haswell SkylakeX
LACKS := X86_V3 X86_V4 AVX512_ICL AVX512_SPR

.DEFAULT_GOAL := help
.PHONY: help book test notebooks lint lab serve pdf zip homework exam collect bench clean

help:
	@echo 'make book        build the book: $(SITE)/index.html; EDITION=student: no solutions'
	@echo 'make test        prove package, notebooks and pages; PART=package or site for one,'
	@echo '                 PART=slow for what takes long, PART=kernels for other processors'
	@echo 'make notebooks   execute the notebooks that changed; ONLY="geometry" for some'
	@echo 'make lint        check style and types; FIX=yes repairs what it can'
	@echo 'make lab         open the chapters in JupyterLab; PORT=9000 for another port'
	@echo 'make serve       show the book on http://127.0.0.1:8000; PORT=9000 for another'
	@echo 'make pdf         print the book: _build/halfspaces.pdf; ONLY="perceptron svm" for'
	@echo '                 some pages; EDITION=student too'
	@echo 'make zip         the site as one file; EDITION=student too'
	@echo 'make homework    EXERCISES="perceptron.by_hand svm.slopes" SEED=7, for two graders;'
	@echo '                 STUDENTS=names.txt gives each other numbers'
	@echo 'make exam        CHAPTERS="perceptron svm" SEED=3 MINUTES=60: a sheet and its key'
	@echo '                 both: NAME=may keeps the last ones, beside it'
	@echo 'make collect     ANSWERS=folder: judges what students saved on the first page'
	@echo 'make bench       time mlcore beside scikit-learn (a few minutes)'
	@echo 'make clean       remove what was built'

book: $(VENV)/installed
	@$(BIN)/python -m sitebuild.build $(EDITION)

zip: book
	@$(BIN)/python -m sitebuild.build --zip $(EDITION)

# With Chromium; a failure leaves the last one.
pdf: $(VENV)/installed
	@$(BIN)/python -m sitebuild.pdf '$(EDITION)' $(ONLY)

ifeq ($(PART),kernels)
$(if $(filter-out $(KERNELS),$(KERNEL)),$(error KERNEL is one of $(KERNELS); not $(KERNEL)))
test: $(addprefix kernel-,$(or $(KERNEL),$(KERNELS)))
else
test: $(if $(filter package,$(PART)),$(VENV)/installed,book)
	@$(PYTEST) $(RUN$(if $(PART),-$(PART)))
endif

# `make -k` goes on after a failure.
kernel-Haswell: LACKS := X86_V4 AVX512_ICL AVX512_SPR
kernel-SkylakeX: LACKS :=
kernel-Haswell: export OPENBLAS_NUM_THREADS := 2
$(KERNELS:%=kernel-%): kernel-%: $(VENV)/installed
	@export OPENBLAS_CORETYPE=$* NPY_DISABLE_CPU_FEATURES='$(LACKS)'; \
	if [ "$$($(BIN)/python tests/helpers/kernels.py)" = $* ]; then $(PYTEST) $(RUN-package); \
	else echo 'This processor has no kernel $*.'; fi

notebooks: $(VENV)/installed
	@$(BIN)/python -m sitebuild.notebooks $(ONLY)

lint: $(VENV)/installed
	@$(if $(FIX),$(BIN)/ruff check --fix . && $(BIN)/ruff format .)
	@$(BIN)/ruff check . && $(BIN)/ruff format --check . && $(BIN)/mypy

lab: $(VENV)/installed
	@echo 'Starting JupyterLab ...'
	@$(BIN)/python -m sitebuild.lab.start chapters $(if $(PORT),--port=$(PORT))

# To this machine alone.
serve: book
	@$(BIN)/python -c 'import socket; socket.create_server(("127.0.0.1", $(or $(PORT),8000)))' \
		2>/dev/null || { echo 'Port $(or $(PORT),8000) is taken, or is no port:' \
			'give another one, as in make serve PORT=9009.' >&2; exit 1; }
	@$(BIN)/python -m http.server $(or $(PORT),8000) --bind 127.0.0.1 --directory $(SITE)

homework exam collect: $(VENV)/installed
	@ANSWERS='$(ANSWERS)' EXERCISES='$(EXERCISES)' CHAPTERS='$(CHAPTERS)' SEED='$(SEED)' MINUTES='$(MINUTES)' \
		STUDENTS='$(STUDENTS)' NAME='$(NAME)' $(BIN)/python -m teaching.$@

bench: $(VENV)/installed
	@$(BIN)/python benchmarks/speed.py

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
