# Everything that people and CI do with this product. `make` alone lists it.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
RUN := PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python
STAMPS := var/stamps
# One more than cores: many tests wait for a server, a browser or a clock.
WORKERS ?= $(shell cores=$$(nproc); echo $$(( cores < 6 ? cores + 1 : 6 )))
# Tests have restaurants and menus of their own: the shop changes its own at will.
test screens bench simulate drill week: export DATA_DIR = $(CURDIR)/tests/data

.DEFAULT_GOAL := help
.PHONY: help run dev build migrate ops test check lock sbom format screens bench simulate drill week mutate voices new-screen new-room reflex-check clean

help:
	@echo "make run     set everything up, build, and serve the product at http://localhost:3000"
	@echo "make test    every test, with the browsers and servers that they need"
	@echo "make dev     serve with hot reload, for people who write screens"
	@echo "make new-screen ROOM=ordering NAME=favourites  add a screen: page, state, test, navigation"
	@echo "make new-room NAME=loyalty AFTER=ordering  add a room for a capability, with its wiring and its place in the order"
	@echo "make check   formatters, linters, types, import rules, oldest browsers, licences and known weaknesses of packages"
	@echo "make screens every screen in every state, five widths, light and dark: var/screens/index.html"
	@echo "make ops     the operator's command line, like: make ops ARGS=\"close 3\""
	@echo "make bench   the benchmarks: one table, and JSON under var/bench/; ARGS=--keep also writes docs/benchmarks.md, --peers compares with other shops, --scaling predicts larger universities"
	@echo "make lock    pin all packages with their hashes, from pyproject.toml; UPGRADE=--upgrade takes newer ones"
	@echo "make sbom    the list of the product's packages as CycloneDX JSON: var/sbom/"
	@echo "make simulate  a lunch hour at accelerated time, then its audit: var/simulation/report.html"
	@echo "make drill   lose a host with its database during a lunch hour, restore it, and report what was lost"
	@echo "make week    a week of the business at the desk, and again by ops: figures against the ledger, minutes of both"
	@echo "make voices  render the calls of Listen to TARA again; needs espeak-ng and ffmpeg"
	@echo "make reflex-check VERSION=0.10.0  build and try the product with another release of Reflex, in an environment of its own"
	@echo "make mutate  change the rules in thousands of places, and see which change no test notices"

$(STAMPS)/python: requirements.txt
	@mkdir -p $(STAMPS)
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --no-deps -r requirements.txt
	@touch $@

# Tests, checks and tools; `make run` needs none of them.
$(STAMPS)/python_dev: $(STAMPS)/python requirements-dev.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --no-deps -r requirements-dev.txt
	@touch $@

# What one test compares our own Cashfree with.
$(STAMPS)/cashfree_models: $(STAMPS)/python_dev tests/cashfree_models/requirements.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --no-deps --upgrade \
		--target .cache/cashfree_models -r tests/cashfree_models/requirements.txt
	@touch $@

# Keeps the versions of dependencies; UPGRADE=--upgrade takes the newest ones.
lock: export UV_CUSTOM_COMPILE_COMMAND = make lock
lock: LOCK = $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url $(UPGRADE)
lock: $(STAMPS)/python_dev
	$(LOCK) pyproject.toml --output-file requirements.txt
	$(LOCK) --group dev --constraint requirements.txt --no-emit-package pip --output-file requirements-dev.txt
	$(LOCK) --group cashfree-models --no-deps --output-file tests/cashfree_models/requirements.txt
	$(LOCK) --group voices --output-file tools/voices/requirements.txt
	@for peer in bench/peers/*/requirements.txt; do $(BIN)/uv pip compile --quiet --python-version 3.11.5 \
		--generate-hashes --no-emit-index-url --no-deps --no-annotate $$peer --output-file $$peer || exit 1; done
	@$(MAKE) --no-print-directory $(STAMPS)/python_dev
	@$(RUN) -m tools.licences --write

sbom: $(STAMPS)/python_dev
	@$(RUN) -m tools.sbom

# Builds nothing while the pages are made of what there is.
build: $(STAMPS)/python
	@mkdir -p var
	@$(RUN) -m campus_app.build

migrate: $(STAMPS)/python
	@$(RUN) -m campus_app.migrate

run: build migrate
	@exec env PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python -m campus_app.serve

dev: migrate
	@exec env PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python -m campus_app.develop

ops: migrate
	@$(RUN) -m campus_app.ops $(ARGS)

# These tests need no built pages, so that they start at once, and while the build fails.
WITHOUT_PAGES := $(addsuffix %,$(addprefix tests/,kit tools voice_site) $(addprefix tests/campus_app/, \
	catalogue kitchen notifications ordering shared shell))
SELECTED = $(filter tests/%,$(TESTS))
PAGES = $(if $(SELECTED),$(if $(filter-out $(WITHOUT_PAGES),$(SELECTED)),build),build)
test: $(PAGES) $(STAMPS)/cashfree_models
	@$(RUN) -m tests.helpers.ensure_programs
	@PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python -m pytest --numprocesses $(WORKERS) --dist worksteal $(TESTS)

check: $(STAMPS)/python_dev build
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/pyright
	$(BIN)/lint-imports --cache-dir .cache/imports
	$(BIN)/python -m pip check
	@$(RUN) -m campus_app.ops check-menus
	@$(RUN) -m tools.rooms
	@$(RUN) -m tools.browser_checks
	@$(RUN) -m tools.licences
	@$(RUN) tools/audit.py

# Needs no build: it has a tree, an environment and a build of its own, in var/reflex_check/.
reflex-check: $(STAMPS)/python_dev
	@$(RUN) -m tests.helpers.ensure_programs
	@$(RUN) -m tools.reflex_check $(VERSION)

# The room of a new screen, where none is named.
new-screen: ROOM ?= ordering
new-screen: $(STAMPS)/python_dev
	@$(RUN) -m tools.new_screen $(ROOM) $(NAME)

new-room: $(STAMPS)/python_dev
	@$(RUN) -m tools.new_room $(NAME) $(AFTER)

format: $(STAMPS)/python_dev
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

# The tests that look for barriers go through every state; they leave pictures on the way.
screens: export SCREENS = $(CURDIR)/var/screens
screens: $(STAMPS)/python_dev build
	@$(RUN) -m tests.helpers.ensure_programs
	@rm -rf var/screens && mkdir -p var/screens
	@PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python -m pytest --numprocesses $(WORKERS) \
		--dist worksteal -k "accessible or receipt or touch" tests/e2e
	@$(RUN) -m tests.e2e.screenshots

bench: $(STAMPS)/python_dev build
	@$(RUN) -m tests.helpers.ensure_programs
	@PYTHONPATH=. $(RUN) bench/run.py $(ARGS)

simulate: $(STAMPS)/python_dev build
	@$(RUN) -m tests.helpers.ensure_programs
	@$(RUN) -m tools.simulation.run $(ARGS)

drill: $(STAMPS)/python_dev build
	@$(RUN) -m tests.helpers.ensure_programs
	@$(RUN) -m tools.simulation.drill

week: $(STAMPS)/python_dev build
	@$(RUN) -m tests.helpers.ensure_programs
	@$(RUN) -m tools.week.run

# One after another: tests that wait for a clock are not to be held up. What was tried is kept in
# mutants/; MUTANTS="campus_app.ordering.rules.bill.*" tries these alone, and anew.
mutate: $(STAMPS)/python_dev
	@PATH="$(CURDIR)/$(BIN):$$PATH" nice -n 10 $(BIN)/mutmut run --max-children 1 $(MUTANTS)
	@$(RUN) tools/mutants.py

# An environment of its own: neither the product nor its tests need a voice model.
voices: $(STAMPS)/python
	@test -x .cache/voices/venv/bin/python || $(PYTHON) -m venv .cache/voices/venv
	.cache/voices/venv/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes --no-deps -r tools/voices/requirements.txt
	@PATH="$(CURDIR)/$(BIN):$$PATH" .cache/voices/venv/bin/python -m tools.voices.render
	@.cache/voices/venv/bin/python -m tools.voices.measure

clean:
	rm -rf .web .cache var mutants $(VENV)
