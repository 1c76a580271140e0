# The book and its package.  `make help` lists the targets.
#
# Needs Python 3.11 or newer and nothing else: everything is installed into .venv.  With
# another Python: make test PART=package VENV=_build/python PYTHON=python3.14

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SITE := _build/html

# The workers take the test files, the slowest first (tests/conftest.py); the first worker
# that needs the book builds it.  One BLAS thread each: threads that share two cores wait for
# each other.
# A worker that is stopped because of a hanging test is not replaced, since the new one would
# run the same test.
PYTEST = OPENBLAS_NUM_THREADS=$${OPENBLAS_NUM_THREADS:-1} $(BIN)/pytest -n $(call quote,$(or $(JOBS),2)) \
	--dist loadscope --no-loadscope-reorder --max-worker-restart=0
NOTEBOOKS := --nbval --nbval-current-env --nbval-cell-timeout=120 \
	--nbval-sanitize-with tests/nbval.cfg

# Files are UTF-8, assertions are on, and compiled modules are kept (every notebook imports
# hundreds), whatever the user's settings are.
export PYTHONUTF8 := 1
unexport PYTHONOPTIMIZE PYTHONDONTWRITEBYTECODE

# These variables come from the command line only, never from the environment.
OPTIONS := ONLY EDITION PORT PART KERNEL JOBS FIX EXERCISES CHAPTERS SEED MINUTES STUDENTS NAME ANSWERS GUESSING
$(foreach option,$(OPTIONS),$(eval $(option) :=))

# What `make test PART=...` runs; without PART everything that is not slow.  PART=package is
# for the developer of a module: except in CI, it skips the notebooks that do not use it.
RUN := -m 'not slow' $(NOTEBOOKS) tests chapters
PACKAGE := -m 'not slow' $(NOTEBOOKS) tests/mlcore tests/halfspaces chapters
RUN-package := $(if $(CI),,-p tests.helpers.unchanged) $(PACKAGE)
RUN-site := -m 'not slow' tests/site tests/teaching
RUN-slow := -m slow tests

# OpenBLAS kernels that round differently, and the CPU features that NumPy must not use, so
# that the tests compute as on older processors.
KERNELS := Katmai Nehalem Sandybridge Haswell SkylakeX
DISABLED := X86_V3 X86_V4 AVX512_ICL AVX512_SPR

# $(call choose,VARIABLE,words): stop unless the variable is one of the words, or unset
choose = $(if $(filter-out $2,$($1))$(word 2,$($1)),$(error $1 must be unset or one of: $2; got '$($1)'))
$(call choose,PART,package site slow kernels)
$(call choose,EDITION,student)
$(call choose,KERNEL,$(KERNELS))
$(call choose,FIX,yes)

# $(call option,--flag,value): a flag with a quoted value for the shell, if there is a value
quote = '$(subst ','\'',$1)'
option = $(if $2,$1 $(call quote,$2))
quoted = $(foreach word,$1,$(call quote,$(word)))

.DEFAULT_GOAL := help
.PHONY: help book test notebooks lint lab serve pdf epub zip homework exam collect bench clean

help:
	@echo 'make book        build the book: $(SITE)/index.html; EDITION=student: no solutions'
	@echo 'make test        test package, notebooks and pages; PART=package or site for some,'
	@echo '                 PART=slow for slow tests, PART=kernels for other processors,'
	@echo '                 JOBS=4 for four tests at once, in place of two'
	@echo 'make notebooks   execute the notebooks that changed; ONLY="geometry" for some'
	@echo 'make lint        check style and types; FIX=yes fixes what it can'
	@echo 'make lab         open the chapters in JupyterLab; PORT=9000 for another port'
	@echo 'make serve       show the book on http://127.0.0.1:8000; PORT=9000 for another port'
	@echo 'make pdf         print the book: _build/halfspaces.pdf; ONLY="perceptron svm" for'
	@echo '                 some pages; EDITION=student'
	@echo 'make epub        the book for e-readers, which is also in the site; EDITION=student'
	@echo 'make zip         the site as one file; EDITION=student'
	@echo 'make homework    EXERCISES="perceptron.by_hand svm.slopes", for two graders;'
	@echo '                 STUDENTS=names.txt gives each student different numbers'
	@echo 'make exam        CHAPTERS="perceptron svm" MINUTES=60: a sheet and its key;'
	@echo '                 GUESSING=10: guessing earns 10% of the points or less, on average'
	@echo '                 homework, exam: NAME=may writes to a folder that ends with -may;'
	@echo '                 SEED=... gives the same numbers again'
	@echo 'make collect     ANSWERS=folder: grade the answers that students saved from the pages'
	@echo 'make bench       time mlcore against scikit-learn (a few minutes)'
	@echo 'make clean       remove everything that was built'

book: $(VENV)/installed
	@$(BIN)/python -m sitebuild.build $(call option,--edition,$(EDITION))

zip: book
	@$(BIN)/python -m sitebuild.build --zip $(call option,--edition,$(EDITION))

# Needs Chromium.
pdf: $(VENV)/installed
	@$(BIN)/python -m sitebuild.pdf $(call option,--edition,$(EDITION)) $(call quoted,$(ONLY))

epub: book
	@ls _build/$(if $(EDITION),student/)html/downloads/halfspaces.epub

ifeq ($(PART),kernels)
test: $(addprefix kernel-,$(or $(KERNEL),$(KERNELS)))
else
test: $(VENV)/installed
	@$(PYTEST) $(RUN$(if $(PART),-$(PART)))
endif

# `make -k` continues after a failure.
kernel-Haswell: DISABLED := X86_V4 AVX512_ICL AVX512_SPR
kernel-SkylakeX: DISABLED :=
# Two threads round differently; with this timeout they do not spin while they wait.
kernel-Haswell: export OPENBLAS_NUM_THREADS := 2
kernel-Haswell: export OPENBLAS_THREAD_TIMEOUT := 4
$(KERNELS:%=kernel-%): kernel-%: $(VENV)/installed
	@export OPENBLAS_CORETYPE=$* NPY_DISABLE_CPU_FEATURES='$(DISABLED)'; \
	if [ "$$($(BIN)/python tests/helpers/blas_kernel.py)" = $* ]; then $(PYTEST) $(PACKAGE); \
	else echo 'This processor cannot run the kernel $*.'; fi

notebooks: $(VENV)/installed
	@$(BIN)/python -m sitebuild.notebooks $(call quoted,$(ONLY))

lint: $(VENV)/installed
	@$(if $(FIX),$(BIN)/ruff check --fix . && $(BIN)/ruff format .)
	@$(BIN)/ruff check . && $(BIN)/ruff format --check . && $(BIN)/mypy

lab: $(VENV)/installed
	@echo 'Starting JupyterLab ...'
	@$(BIN)/python -m sitebuild.lab.start $(call option,--port,$(PORT)) chapters

serve: book
	@$(BIN)/python -m sitebuild.serve $(call option,--port,$(PORT))

homework: $(VENV)/installed
	@$(BIN)/python -m teaching.homework $(call quoted,$(EXERCISES)) $(call option,--seed,$(SEED)) \
		$(call option,--students,$(STUDENTS)) $(call option,--name,$(NAME))

exam: $(VENV)/installed
	@$(BIN)/python -m teaching.exam $(call quoted,$(CHAPTERS)) $(call option,--seed,$(SEED)) \
		$(call option,--minutes,$(MINUTES)) $(call option,--guessing,$(GUESSING)) $(call option,--name,$(NAME))

collect: $(VENV)/installed
	@$(BIN)/python -m teaching.collect $(call option,--,$(ANSWERS))

bench: $(VENV)/installed
	@$(BIN)/python benchmarks/speed.py

clean:
	rm -rf _build build dist *.egg-info .pytest_cache .ruff_cache .hypothesis

# The environment, made once, and again when the pins change.  The pins are complete, so pip
# does not resolve dependencies; modules are compiled on first use.
$(VENV)/installed: requirements.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
		echo 'Python 3.11 or newer is needed; $(PYTHON) is' \
			"$$($(PYTHON) --version 2>&1). Try: make PYTHON=python3.12" >&2; exit 1; }
	@echo 'Installing the pinned packages into $(VENV) (a minute or two, once) ...'
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --disable-pip-version-check --require-hashes --no-deps \
		--no-compile -r requirements.txt
	@$(BIN)/python -m pip install --disable-pip-version-check --no-deps \
		--no-build-isolation -e .
	@touch $@
