# `make figures` and `make test` install everything they need; `make setup` only installs.

# Python for the virtual environment; cores, profile and photographs for `make figures`.
PYTHON ?= python3
CORES ?= all
PROFILE ?= quick
IMAGES ?=

VENV := .venv
READY := $(VENV)/.ready
RULES := Snakefile ezdl_cli/workflow
# Setuptools warns about editable packages; this one is editable on purpose.
INSTALL := PYTHONWARNINGS=ignore $(VENV)/bin/pip install --quiet --constraint config/constraints.txt
PYTEST := $(VENV)/bin/python -m pytest -n auto

.PHONY: figures test format test-slow test-faults test-fuzz test-load test-slurm audit setup bench dictionary clean

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

format: $(READY)
	$(VENV)/bin/ruff check --fix .
	$(VENV)/bin/ruff format .
	$(VENV)/bin/snakefmt $(RULES)

# Slow tests: kernels compiled from scratch, and the commands in docs/user_guide.md.
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
	$(INSTALL) --editable '.[slurm]'
	$(VENV)/bin/python tests/slurm/one_machine.py

# Known vulnerabilities of the pinned versions, including those of all extras. --strict: fail if
# the service does not know a package. Only this target, the installation and that of test-slurm
# use the network.
audit: $(READY)
	$(INSTALL) --editable '.[audit]'
	$(VENV)/bin/pip-audit --strict --no-deps --disable-pip --requirement config/constraints.txt

setup: $(READY)

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
$(READY): pyproject.toml config/constraints.txt
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "ezdl needs Python 3.11 or newer, not " + sys.version)'
	$(PYTHON) -m venv $(VENV)
	$(INSTALL) --upgrade pip setuptools
	$(INSTALL) --editable '.[test,pdf]'
	touch $@

# Remove the virtual environment and Snakemake's state, but no results.
clean:
	rm -rf $(VENV) .snakemake
