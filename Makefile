# `make demo` and `make test` install what they need.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Three workers for two processors: one of them waits, for a browser, a disk or another process.
PYTEST := $(BIN)/pytest -q -n 3
SOURCES := pyproject.toml
# Without bytecode each of the programs that the tests start compiles the package anew.
unexport PYTHONDONTWRITEBYTECODE
MATRIX := 3.12 3.13 3.14
MATRIX_TESTS := tests/rules/test_compiled.py tests/compilation

.PHONY: demo test test-long quick static lint types contracts kernels-chess kernels-morris docs test-package test-proxy compare languages test-interpreted test-matrix bench bench-games bench-store bench-edges bench-pursuit bench-scores bench-big bench-cluster bench-records bench-registry bench-endings bench-openspiel bench-serve browser screenshots format clean

demo: $(VENV)/.demo
	@$(BIN)/retrosolve solve examples/boards/caught.txt

test: $(VENV)/.test $(VENV)/.chess browser
	@$(MAKE) --no-print-directory -j2 --output-sync=target kernels-chess types contracts lint kernels-morris
	$(PYTEST) --dist worksteal

# Everything, and many more random subjects: run it before a release and after a change of what it tests.
test-long: $(VENV)/.test $(VENV)/.chess browser
	RETROSOLVE_LONG=1 $(PYTEST) --dist worksteal

# An answer within a minute: the laws, and the tests of the rooms in which something has changed (tests/rooms.py).
quick: $(VENV)/.test
	@$(MAKE) --no-print-directory static
	$(BIN)/pytest -q -n 2 --dist worksteal --hypothesis-profile quick --within 25 $$($(BIN)/python -m tests.rooms)

# What needs no test to run, side by side; the output of each comes whole.
static: $(VENV)/.test
	@$(MAKE) --no-print-directory -j2 --output-sync=target lint types contracts

lint: $(VENV)/.test
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/codespell src tests docs benchmarks examples *.md

types: $(VENV)/.test
	$(BIN)/mypy

contracts: $(VENV)/.test
	$(BIN)/lint-imports

# The largest kernels of the tests, compiled once beside the check of types and not by each of two workers.
kernels-chess: $(VENV)/.test
	@$(BIN)/retrosolve solve chess:KRK > /dev/null

kernels-morris: $(VENV)/.test
	@$(BIN)/retrosolve solve morris6:men=5 > /dev/null

# New sentences of the sources into the catalogues; translate them in the .po files, and run it again.
LANGUAGES := src/retrosolve/languages
languages: $(VENV)/.test
	$(BIN)/pybabel extract -F pyproject.toml -k mark --add-location=file --sort-output --no-wrap --project retrosolve --copyright-holder "The retrosolve authors" --msgid-bugs-address="" -o $(LANGUAGES)/retrosolve.pot .
	$(BIN)/pybabel update -D retrosolve -i $(LANGUAGES)/retrosolve.pot -d $(LANGUAGES) -N --no-wrap --ignore-obsolete
	$(BIN)/pybabel compile -D retrosolve -d $(LANGUAGES)

# Every kernel as plain Python on arrays: slow, and the same answers.
test-interpreted: $(VENV)/.test $(VENV)/.chess browser
	NUMBA_DISABLE_JIT=1 $(PYTEST)

# Compiled rules, the cache of kernels and threads, with each later Python that is installed.
test-matrix:
	@tested=0; for version in $(MATRIX); do \
	    python=; \
	    for found in python$$version $${PYENV_ROOT:-$$HOME/.pyenv}/versions/$$version*/bin/python; do \
	        test -z "$$python" && "$$found" -c "import sys; sys.exit('%d.%d' % sys.version_info[:2] != '$$version')" \
	            2>/dev/null && python=$$found; \
	    done; \
	    if test -z "$$python"; then \
	        echo "Python $$version was not found: nothing was tested with it"; continue; \
	    fi; \
	    echo "Python $$version: $$python"; \
	    test -x .venv-$$version/bin/python || "$$python" -m venv .venv-$$version || exit 1; \
	    .venv-$$version/bin/pip install -q --disable-pip-version-check -e '.[test]' || exit 1; \
	    .venv-$$version/bin/pytest -q -n 2 $(MATRIX_TESTS) || exit 1; \
	    tested=1; \
	done; test $$tested = 1 || { echo "none of Python $(MATRIX) was found"; exit 1; }

# Needs g++, 8 GB and about half an hour; leaves figures in benchmarks/results, of which the site makes its tables.
bench: $(VENV)/.bench
	$(BIN)/python benchmarks/graphs.py

# Whole games, the largest of 97 million positions: about ten minutes.
bench-games: $(VENV)/.core
	$(BIN)/python benchmarks/exploring.py
	$(BIN)/python benchmarks/two_workers.py clobber:5x4 --positions 1500000
	$(BIN)/python benchmarks/games.py

# Saving and probing a table of 10^8 indices: half a minute. Then the sizes of saved games: half an hour.
bench-store: $(VENV)/.core
	$(BIN)/python benchmarks/store.py
	$(BIN)/python benchmarks/packing.py

# A graph of 10^9 edges that stay on disk: about half an hour and 30 GB of disk where TMPDIR says.
bench-edges: $(VENV)/.core
	$(BIN)/python benchmarks/edges_on_disk.py

# Solving in partitions, by processes of a Ray cluster on this machine: about ten minutes.
bench-cluster: $(VENV)/.core
	@$(BIN)/pip install -q --disable-pip-version-check -e '.[ray]'
	$(BIN)/python benchmarks/cluster.py

# Awari to 16 seeds beside a C++ program: some minutes. Needs g++.
bench-scores: $(VENV)/.core
	$(BIN)/python benchmarks/scores.py

# The largest games, up to 446 million positions: about fifteen minutes.
bench-big: $(VENV)/.core
	$(BIN)/python benchmarks/big_games.py

# The records, into build/records; a run that was interrupted goes on. RECORDS="--only chess:4men" selects.
bench-records: $(VENV)/.core
	$(BIN)/python benchmarks/records.py --out build/records $(RECORDS)

# Counts and digests of the games above, for the registry: an hour. A run that was interrupted goes on.
bench-registry: $(VENV)/.core
	$(BIN)/python benchmarks/registry.py --out build/registry

# Chess endings of five men, some minutes each without pawns: what is there is not solved again.
bench-endings: $(VENV)/.core
	$(BIN)/python benchmarks/endings.py --out build/endings $(ENDINGS)

# Games of OpenSpiel at small sizes, and what its own solvers say: about half an hour.
bench-openspiel: $(BIN)/python
	@test -x .venv-open-spiel/bin/python || $(PYTHON) -m venv .venv-open-spiel
	@.venv-open-spiel/bin/pip install -q --disable-pip-version-check . open-spiel
	.venv-open-spiel/bin/python benchmarks/openspiel.py

# Teeko's pages for 50 clients at once; its table is solved once, which takes about five minutes.
bench-serve: $(VENV)/.core
	@$(BIN)/pip install -q --disable-pip-version-check -e '.[web]'
	$(BIN)/python benchmarks/serving.py
	$(BIN)/python benchmarks/serving.py mixed

# The browser in which the pages are tested, from the packages of the system.
browser:
	@for name in chromium chromium-browser google-chrome; do \
	    command -v $$name > /dev/null && exit; \
	done; { \
	    echo "The tests of the pages need Chromium: installing it with apt-get"; \
	    root=; test "$$(id -u)" = 0 || root=sudo; \
	    $$root apt-get update -qq && $$root apt-get install -y -qq chromium > /dev/null; \
	} || { echo "Chromium could not be installed: install chromium and run make again"; exit 1; }

# Pictures of the pages of the explorer, which the documentation shows.
screenshots: $(VENV)/.test browser
	$(BIN)/python -m tests.web.screenshots docs/pictures

# The site of the documentation in build/site, without a warning and without the network.
docs: $(VENV)/.test
	$(BIN)/python -m sphinx -b html -W --keep-going -q -d build/doctrees docs build/site
	@echo "The site is build/site/index.html"

# The package as others get it: wheel and sdist, each extra in an environment of its own, and a typed program.
test-package: $(VENV)/.test
	$(BIN)/python -m tests.package.clean_environments

# The page on putting the explorer on a server, tried with nginx, which comes from the packages of the system.
test-proxy: $(VENV)/.test browser
	@command -v nginx > /dev/null || { \
	    root=; test "$$(id -u)" = 0 || root=sudo; \
	    $$root apt-get update -qq && $$root apt-get install -y -qq nginx-light > /dev/null; \
	} || { echo "nginx could not be installed: install nginx and run make again"; exit 1; }
	$(BIN)/python -m tests.package.behind_nginx

# Known wrong answers of other programs, each installed in an environment of its own.
compare: $(BIN)/python
	@for pair in open-spiel:openspiel_key ggames:ggames_counter; do \
	    package=$${pair%%:*}; \
	    test -x .venv-$$package/bin/python || $(PYTHON) -m venv .venv-$$package || exit 1; \
	    .venv-$$package/bin/pip install -q --disable-pip-version-check . $$package || exit 1; \
	    .venv-$$package/bin/python examples/compare/$${pair##*:}.py || exit 1; \
	done

# Policeman and thief on boards of up to 200x200 cells; needs g++ and some minutes.
bench-pursuit: $(VENV)/.core
	$(BIN)/python benchmarks/pursuit.py

format: $(VENV)/.test
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

clean:
	rm -rf $(VENV) $(MATRIX:%=.venv-%) .venv-open-spiel .venv-ggames build .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache
	find src tests docs examples benchmarks -name __pycache__ -prune -exec rm -rf {} +

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed: make PYTHON=python3.12")'
	@$(PYTHON) -m venv $(VENV)

$(VENV)/.core: $(BIN)/python $(SOURCES)
	@$(BIN)/pip install -q --disable-pip-version-check -e .
	@touch $@

# With the explorer and the plots, which README shows.
$(VENV)/.demo: $(BIN)/python $(SOURCES)
	@$(BIN)/pip install -q --disable-pip-version-check -e '.[web,plots]'
	@touch $@ $(VENV)/.core

$(VENV)/.bench: $(BIN)/python $(SOURCES)
	@$(BIN)/pip install -q --disable-pip-version-check -e '.[bench]'
	@touch $@ $(VENV)/.core

$(VENV)/.test: $(BIN)/python $(SOURCES)
	@$(BIN)/pip install -q --disable-pip-version-check -e '.[test]'
	@touch $@ $(VENV)/.core $(VENV)/.demo

# The endgame tables that the tests compare with; without them these tests fail.
$(VENV)/.chess: tests/support/chess_data.py | $(VENV)/.test
	@$(BIN)/python -m tests.support.chess_data
	@touch $@
