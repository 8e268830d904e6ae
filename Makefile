# The commands of the project; each one makes the environment it needs.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: demo test fuzz fuzz-same browser lint docs clean

demo: $(VENV)/.installed
	$(BIN)/mathonet discover lorenz --out runs/lorenz

test: $(VENV)/.installed-dev
	$(BIN)/python -m pytest -n 2 --dist loadfile

# Odd files, options and folders, and the property tests, all from a new seed; failures are shrunk and kept.
FUZZ_SEED ?= $(shell date +%s)
FUZZ_SECONDS ?= 600
fuzz: $(VENV)/.installed-dev
	$(BIN)/python -m tests.fuzz --seconds $(FUZZ_SECONDS) --seed $(FUZZ_SEED) --processes 2 --keep
	MATHONET_HYPOTHESIS=random $(BIN)/python -m pytest -n 2 --dist loadfile -m "hypothesis and not slow"

# The same cases on every machine, about a minute of them on two cores.
fuzz-same: $(VENV)/.installed-dev
	$(BIN)/python -m tests.fuzz --cases 800 --seed 0 --processes 2

# The report in a real browser: needs chromium.
browser: $(VENV)/.installed-dev
	$(BIN)/python -m pytest -m browser

lint: $(VENV)/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/pyright --pythonpath $(BIN)/python
	$(BIN)/lint-imports

# The tutorials run, and print what they say, before the pages are built.
docs: $(VENV)/.installed-docs
	$(BIN)/python -m pytest -n 2 -m slow tests/test_readme.py tests/test_site.py
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

clean:
	rm -rf $(VENV) build dist site runs .pytest_cache .ruff_cache .hypothesis .import_linter_cache
	find mathonet tests -type d -name __pycache__ -prune -exec rm -rf {} +

$(BIN)/python:
	@command -v $(PYTHON) >/dev/null || { \
		echo "mathonet needs Python 3.11 or newer, and '$(PYTHON)' was not found. Try: make PYTHON=/path/to/python3.11"; \
		exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "mathonet needs Python 3.11 or newer, and '$(PYTHON)' is $$($(PYTHON) --version 2>&1). Try: make PYTHON=python3.12"; \
		exit 1; }
	$(PYTHON) -m venv $(VENV)

# Order-only on the interpreter: its timestamp says nothing about what is installed.
$(VENV)/.installed: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet -e .
	touch $@

$(VENV)/.installed-dev: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet -e '.[dev]'
	touch $(VENV)/.installed $@

$(VENV)/.installed-docs: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet -e '.[dev,docs]'
	touch $(VENV)/.installed $(VENV)/.installed-dev $@
