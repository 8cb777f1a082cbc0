# `make figures` and `make test` install everything they need; `make setup` only installs.

# Python for the virtual environment; cores, profile and photographs for `make figures`.
PYTHON ?= python3
CORES ?= all
PROFILE ?= quick
IMAGES ?=

VENV := .venv
PINS := config/constraints.txt
READY := $(VENV)/.ready
RULES := Snakefile ezdl_cli/workflow
INSTALL := $(VENV)/bin/pip install --quiet --constraint $(PINS)
PYTEST := $(VENV)/bin/python -m pytest -n auto

.PHONY: figures test test-pythons format test-slow test-faults test-fuzz test-load test-slurm audit dist setup docs docs-serve bench dictionary clean

# All figures, the claims and the report, in results/$(PROFILE).
figures: $(READY)
	$(VENV)/bin/ezdl run --profile $(PROFILE) --cores $(CORES) $(if $(IMAGES),--images "$(IMAGES)")

test: $(READY)
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/lint-imports
	$(VENV)/bin/mypy
	$(VENV)/bin/snakefmt --check $(RULES)
	$(VENV)/bin/snakemake --lint
	$(PYTEST) --dist worksteal -m "not slow"

# The tests with each of these versions of Python that is installed.
PYTHONS ?= python3.11 python3.12 python3.13
test-pythons:
	@for python in $(PYTHONS); do \
	    if version=$$($$python -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null); then \
	        $(MAKE) test PYTHON=$$python VENV=.venv-$$version || exit 1; \
	    else echo "$$python is not installed"; fi; \
	done

format: $(READY)
	$(VENV)/bin/ruff check --fix .
	$(VENV)/bin/ruff format .
	$(VENV)/bin/snakefmt $(RULES)

# Slow tests: kernels compiled from scratch, and code blocks of the documentation.
test-slow: $(READY)
	$(PYTEST) --dist worksteal -m slow

# Kill commands repeatedly, fill disks, make folders read-only, limit memory. SEED selects the
# moments; the default differs from run to run.
SEED ?= $(shell date +%s)
test-faults: $(READY)
	EZDL_FAULT_SEED=$(SEED) $(PYTEST) --dist loadgroup tests/faults

# Damage FILES files at random. Those that are neither refused nor read properly are kept in
# results/fuzzing.
FILES ?= 12000
test-fuzz: $(READY)
	EZDL_FUZZ_FILES=$(FILES) EZDL_FUZZ_SEED=$(SEED) $(PYTEST) --dist worksteal tests/fuzzing

# The largest inputs: 2^30 entries, 10 million patches, 100 megapixels, 10 000 images. Needs 14 GiB
# of memory and 30 GiB of disk.
test-load: $(READY)
	$(VENV)/bin/python -m pytest tests/load

# The pipeline on a real Slurm cluster on this machine: see tests/slurm/one_machine.py.
test-slurm: $(READY)
	$(INSTALL) --build-constraint $(PINS) --editable '.[slurm]'
	$(VENV)/bin/python tests/slurm/one_machine.py

# Known vulnerabilities of the pinned versions, including those of all extras. --strict: fail if
# the service does not know a package. Only this target and those that install packages (setup,
# test-slurm, dist) use the network.
audit: $(READY)
	$(INSTALL) --build-constraint $(PINS) --editable '.[audit]'
	$(VENV)/bin/pip-audit --strict --no-deps --disable-pip --requirement $(PINS)

# The sdist and the wheel, in the folder dist.
dist: $(READY)
	$(INSTALL) --build-constraint $(PINS) --editable '.[release]'
	rm -rf dist
	$(VENV)/bin/python -m build --no-isolation
	$(VENV)/bin/twine check --strict dist/*

setup: $(READY)

# The documentation in build/site, offline; warnings are errors. `docs-serve` shows it in a browser
# and follows changes.
MKDOCS := NO_MKDOCS_2_WARNING=1 $(VENV)/bin/mkdocs
docs: $(READY)
	$(MKDOCS) build --strict

docs-serve: $(READY)
	$(MKDOCS) serve --livereload

# Measure speed and quality, write the dashboard and check for regressions. Fails if there is one;
# exit code 4 of the check (too few earlier runs to compare with) is not a failure.
HISTORY := results/bench/history.jsonl
bench: $(READY)
	mkdir -p $(dir $(HISTORY))
	$(VENV)/bin/ezdl bench run --history $(HISTORY)
	$(VENV)/bin/ezdl bench report $(dir $(HISTORY))report.html --history $(HISTORY)
	$(VENV)/bin/ezdl bench check --history $(HISTORY) || [ $$? = 4 ]

# Train the dictionary that ships with the package on the built-in photographs.
DEFAULT := ezdl_cli/dictionaries/default.npz
dictionary: $(READY)
	rm -rf data/default && mkdir -p data/default
	$(VENV)/bin/ezdl images builtin data/default/photos
	$(VENV)/bin/ezdl extract data/default/photos/train data/default/patches.npy --patch-size 8 --seed 0
	$(VENV)/bin/ezdl train ezdl data/default/patches.npy $(DEFAULT) --sparseness 0.99 --epochs 1000 --seed 0

# The virtual environment with pinned versions; installed again when a requirement changes.
$(READY): pyproject.toml $(PINS)
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "ezdl needs Python 3.11 or newer, not " + sys.version)'
	$(PYTHON) -m venv $(VENV)
	$(INSTALL) --upgrade pip
	$(INSTALL) --build-constraint $(PINS) --editable '.[test]'
	touch $@

# Remove the virtual environment and Snakemake's state, but no results.
clean:
	rm -rf $(VENV) .snakemake
