# The two main commands: `make demo` shows what limbik does, `make test` tests an installed wheel.
# Everything is installed into .venv. Outside the checkout only missing system packages are installed, and only as root.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check -q
SECONDS ?= 60
SOLVES ?= 10000000
# Instruction levels of the wheel: native (the best of this machine) or all. `pip install` builds all.
LEVELS ?= native
export CMAKE_ARGS := $(CMAKE_ARGS) -DLIMBIK_LEVELS=$(LEVELS)

SOURCES := $(shell find core src -type f -not -name '*.pyc') CMakeLists.txt pyproject.toml README.md LICENSE

# Install the built wheel with some extras; an installed wheel of the same version is replaced.
comma := ,
define installed
$(PIP) install "$$(ls dist/*.whl)[$(1)]"
	$(PIP) install --force-reinstall --no-deps dist/*.whl
endef

.PHONY: demo test floors figures readme bench soak dev hooks lint core-test sanitize sanitize-short portable stubs clean compiler doctest browser \
  validator wheel

demo: wheel
	$(call installed,plot$(comma)studio)
	$(BIN)/python examples/demo.py --out pictures

test: wheel browser validator
	$(call installed,test)
	$(BIN)/python -m pytest -n auto

# Test the oldest supported releases of the dependencies (pyproject.toml): the README, the shell and part of the tests.
FLOOR_EXTRAS := xacro mjcf plot methods studio cluster
FLOOR_TESTS := tests/project/test_docs.py tests/cli/test_cli.py tests/motion tests/solvers/iterative tests/formats \
  tests/studio/test_gate.py tests/studio/test_page_parts.py

floors: wheel
	$(PYTHON) -m venv --clear $(VENV)/floors
	$(VENV)/floors/bin/python -m pip --disable-pip-version-check -q install dist/*.whl \
	  $$($(PYTHON) tools/floors.py $(FLOOR_EXTRAS)) pytest hypothesis mpmath
	$(VENV)/floors/bin/python -m pytest $(FLOOR_TESTS)

# Measure every published number at full size: JSON into figures/, tables on the screen.
figures: wheel validator
	$(call installed,test$(comma)bench)
	$(BIN)/python benchmarks/figures.py --out figures

# The Khronos glTF validator, a test oracle. Without Node.js the tests that need it are skipped with a message.
validator: $(BIN)/python
	@if command -v npm >/dev/null; then npm install --silent --no-audit --no-fund --prefix $(VENV)/node gltf-validator || true; \
	else echo "npm is missing: tests with the Khronos glTF validator are skipped"; fi

# Write the README's tables from the last results of `make figures`.
readme:
	$(BIN)/python tools/readme.py figures

bench: wheel
	$(call installed,bench)
	$(BIN)/limbik bench fk
	$(BIN)/limbik bench solve
	$(BIN)/limbik bench all

# Test the installed wheel with random broken input for SECONDS, then with SOLVES solves in one process and in many.
soak: wheel
	$(call installed,test)
	$(BIN)/python benchmarks/fuzz.py --seconds $(SECONDS) --seed $$(date +%s)
	$(BIN)/python benchmarks/endurance.py --solves $(SOLVES)

# Install limbik in place, for development.
dev: $(BIN)/python compiler
	$(PIP) install "scikit-build-core>=0.10" "nanobind>=2.4" "numpy>=2.0"
	$(PIP) install --no-build-isolation -e ".[test,lint]"

# Install the quick checks that run before every commit.
hooks: $(BIN)/python
	$(PIP) install "pre-commit>=4"
	$(BIN)/pre-commit install

lint: wheel
	$(call installed,lint)
	$(BIN)/python -m ruff check .
	$(BIN)/python -m ruff format --check .
	$(BIN)/python -m mypy
	$(BIN)/python tools/typed_documents.py
	$(BIN)/python tools/script_names.py
	PYTHONPATH=src $(BIN)/lint-imports --no-cache
	$(BIN)/python tools/stubs.py --check
	$(BIN)/clang-format --dry-run -Werror $$(git ls-files 'core/*.hpp' 'core/*.cpp' 'examples/*.cpp' 'tests/*.cpp')
	$(BIN)/python tools/core_headers.py
	$(BIN)/python tools/private_names.py
	$(BIN)/python tools/retired_words.py
	$(BIN)/python tools/architecture.py --check

# Run the core's tests with this machine's compiler, without sanitizers.
core-test: compiler doctest
	cmake -S core/tests -B build/core-tests
	cmake --build build/core-tests --parallel
	ctest --test-dir build/core-tests --output-on-failure

# Run the core's tests under address, undefined-behaviour and thread sanitizers: at every level, or in a minute.
sanitize: compiler doctest
	bash core/tests/run.sh --seconds $(SECONDS)

sanitize-short: compiler doctest
	bash core/tests/run.sh --short --seconds 2

# Run the same tests with clang, and for aarch64 in an emulator; without sanitizers.
portable: compiler doctest
	@missing=""; for pair in clang++:clang aarch64-linux-gnu-g++:g++-aarch64-linux-gnu qemu-aarch64:qemu-user; do \
	  command -v $${pair%%:*} >/dev/null || missing="$$missing $${pair#*:}"; done; \
	if [ -n "$$missing" ]; then \
	  if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then apt-get update -q && apt-get install -qy $$missing; \
	  else echo "Tests that need these are SKIPPED: install them (sudo apt-get install$$missing)"; fi; fi
	bash core/tests/run.sh --portable --seconds 5

# Write the stub of the compiled core from the installed module.
stubs: dev
	$(BIN)/python tools/stubs.py

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "limbik needs Python 3.11 or later; '$(PYTHON)' is older: make PYTHON=python3.12"; exit 1; }
	$(PYTHON) -m venv $(VENV)

compiler:
	@command -v c++ >/dev/null || { \
	  if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then apt-get update -q && apt-get install -qy g++; \
	  else echo "limbik needs a C++20 compiler: install g++ (for example: sudo apt-get install g++)"; exit 1; fi; }

# CMake and doctest, which the core's tests need.
doctest:
	@{ command -v cmake && echo '#include <doctest/doctest.h>' | c++ -E -x c++ -; } >/dev/null 2>&1 || { \
	  if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then apt-get update -q && apt-get install -qy cmake doctest-dev; \
	  else echo "The core's tests need CMake and doctest: sudo apt-get install cmake doctest-dev"; exit 1; fi; }

# Chromium, which the studio's browser tests need; without it they are skipped with a message.
browser:
	@command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null || { \
	  if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	    apt-get update -q && apt-get install -qy --no-install-recommends chromium || echo "chromium could not be installed"; \
	  else echo "The studio's browser tests will be SKIPPED: install chromium (sudo apt-get install chromium)"; fi; }

# The wheel, built again if a source file is newer.
wheel: dist/built

dist/built: $(SOURCES) | $(BIN)/python compiler
	rm -rf dist
	$(PIP) wheel --no-deps -w dist .
	touch dist/built

clean:
	rm -rf build dist $(VENV) figures pictures reproduced
