# Two commands on a fresh machine: `make run` and `make test`. Everything that they need is installed into .venv.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
ALL := .[web,cluster,tune,envs,plots,docs,dev]
# Prints name==version for each name>=version.
define FLOORS
import re, tomllib; \
project = tomllib.load(open("pyproject.toml", "rb"))["project"]; \
needs = project["dependencies"] + project["optional-dependencies"]["web"]; \
print(*(re.sub(r">=([^,]+).*", r"==\1", need) for need in needs))
endef
PYTEST := $(BIN)/pytest -n logical --dist worksteal

.PHONY: setup run test test-kernels quick test-full test-floors lint serve bench docs notebooks dist clean

run: setup
	$(BIN)/handful reproduce --out report

# First everything is compiled, once and on all cores, beside lint; then the tests run on all cores, and the kernel tests
# beside them: once checking every index, once as plain Python.
test: setup
	@$(MAKE) --no-print-directory lint > $(VENV)/lint.log 2>&1 & lint=$$!; \
	$(BIN)/handful prepare; wait $$lint; failed=$$?; cat $(VENV)/lint.log; exit $$failed
	@$(MAKE) --no-print-directory test-kernels > $(VENV)/kernel-tests.log 2>&1 & kernels=$$!; \
	trap "kill $$kernels" INT TERM; \
	$(PYTEST) -m "not full" --durations=20; failed=$$?; \
	echo "Kernel tests:"; wait $$kernels || failed=1; cat $(VENV)/kernel-tests.log; exit $$failed

test-kernels: setup
	NUMBA_DISABLE_JIT=1 $(BIN)/pytest -p no:cacheprovider -m "kernel and not full" tests
	NUMBA_BOUNDSCHECK=1 $(BIN)/pytest -p no:cacheprovider -m "kernel and not full" tests

# For the loop of a person who edits: the rules, the solvers and the house, in less than a minute once all is compiled.
quick: setup
	$(PYTEST) -x -m "not full" tests/hanabi tests/rummy tests/test_house.py tests/test_jit.py tests/test_records.py \
		tests/test_one_import.py tests/bots/test_table_kernel.py tests/lab/test_simulate.py tests/cli/test_main.py

# Everything, the checks that take minutes included; Hypothesis draws other examples each time, from a seed that is shown.
test-full: setup lint
	$(BIN)/handful prepare
	@seed=$$(od -An -N4 -tu4 /dev/urandom | tr -d ' '); echo "Hypothesis: --hypothesis-seed=$$seed"; \
	HANDFUL_HYPOTHESIS=random $(PYTEST) --hypothesis-seed=$$seed

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: setup
	$(BIN)/handful bench --peers
	$(BIN)/python -m benchmarks.engine_speed

# The documentation as a site, in site/. It needs no network; a warning, a broken link or a page that is left out ends it.
# The variable: Material warns of a MkDocs 2 that pyproject.toml does not allow.
docs: setup
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict
	@echo "The documentation: site/index.html (to search in it: $(BIN)/python -m http.server --directory site)"

# The example notebooks, run again from the top and written with what they show.
notebooks: setup
	$(BIN)/python -m benchmarks.notebooks

serve: setup
	$(BIN)/handful serve

# The sources, a wheel for every machine, and one for this platform that has the kernels compiled for a common processor.
# The last must install into an empty environment, and compile nothing there.
dist: setup
	rm -rf dist build
	$(BIN)/python -m build
	HANDFUL_KERNEL_CACHE=build/compiled NUMBA_CPU_NAME=x86-64-v3 NUMBA_CPU_FEATURES= $(BIN)/handful prepare
	HANDFUL_COMPILED=build/compiled $(BIN)/python -m build --wheel
	rm -rf $(VENV)/empty && $(PYTHON) -m venv $(VENV)/empty
	$(VENV)/empty/bin/pip install --quiet "numba==$$($(BIN)/python -c 'import numba; print(numba.__version__)')" dist/*-cp*.whl
	cd $(VENV) && empty/bin/handful --version && HANDFUL_KERNEL_CACHE=unused-kernels empty/bin/handful simulate --games 100 --json
	test -z "$$(find $(VENV)/unused-kernels -type f)"

# The oldest versions that pyproject.toml allows, of what handful itself and its web lab need, all together.
test-floors:
	rm -rf $(VENV)/floors && $(PYTHON) -m venv $(VENV)/floors
	$(VENV)/floors/bin/pip install --quiet pytest httpx hypothesis $$($(PYTHON) -c '$(FLOORS)')
	PYTHONPATH=src $(VENV)/floors/bin/python -m handful simulate --games 10
	PYTHONPATH=src $(VENV)/floors/bin/python -m pytest -W ignore -p no:cacheprovider tests/test_jit.py tests/cli/test_main.py tests/web/test_guards.py

setup: $(STAMP)

# uv does it in a tenth of pip's time; where it is not to be had, or finds another index than pip, pip does it.
$(STAMP): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check uv && $(BIN)/uv pip install --quiet --python $(BIN)/python --editable "$(ALL)" \
		|| $(BIN)/pip install --quiet --disable-pip-version-check --editable "$(ALL)"
	@sh .ci/install-chromium || true
	$(BIN)/handful prepare
	@touch $(STAMP)

clean:
	rm -rf $(VENV) dist build report site .mypy_cache .pytest_cache .ruff_cache .hypothesis
