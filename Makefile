# `make figures` and `make test` do all of their set-up; `make setup` is the set-up alone.
PYTHON ?= python3
VENV := .venv
READY := $(VENV)/.ready
CORES ?= all
PROFILE ?= quick
# Without the warning of setuptools that an editable package is one.
INSTALL := PYTHONWARNINGS=ignore $(VENV)/bin/pip install --quiet --constraint config/constraints.txt

.PHONY: figures test test-slow test-faults test-fuzz test-load test-slurm audit setup bench dictionary clean

figures: $(READY)
	$(VENV)/bin/ezdl run --profile $(PROFILE) --cores $(CORES) $(if $(IMAGES),--images "$(IMAGES)")

test: $(READY)
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/lint-imports
	$(VENV)/bin/snakefmt --check Snakefile ezdl_cli/workflow
	$(VENV)/bin/snakemake --lint
	$(VENV)/bin/python -m pytest -n auto --dist worksteal -m "not slow"

# Tests that take long: kernels compiled afresh, the commands of docs/parts.md.
test-slow: $(READY)
	$(VENV)/bin/python -m pytest -n auto --dist worksteal -m slow

# Commands are killed again and again, disks are full, folders read-only, memory is short. SEED
# chooses other moments.
SEED ?= $(shell date +%s)
test-faults: $(READY)
	EZDL_FAULT_SEED=$(SEED) $(VENV)/bin/python -m pytest -n auto --dist loadgroup tests/faults

# So many damaged files, other ones each time; those that are not refused or used as they should be
# are kept in results/fuzzing.
FILES ?= 12000
test-fuzz: $(READY)
	EZDL_FUZZ_FILES=$(FILES) EZDL_FUZZ_SEED=$(SEED) $(VENV)/bin/python -m pytest -n auto --dist worksteal tests/fuzzing

# The largest things: 2^30 entries, 10 million patches, 100 megapixels, 10 000 pictures. 14 GiB of memory, 30 of disk.
test-load: $(READY)
	$(VENV)/bin/python -m pytest tests/load

# The pipeline through real Slurm on this machine: see tests/slurm/one_machine.py.
test-slurm: $(READY)
	$(INSTALL) --editable '.[slurm]'
	$(VENV)/bin/python tests/slurm/one_machine.py

# Known vulnerabilities of the pinned versions, those of all extras among them. This target, the set-up
# and that of test-slurm use the network; nothing else does. --strict: a package that the service does
# not know counts as a failure.
audit: $(READY)
	$(INSTALL) --editable '.[audit]'
	$(VENV)/bin/pip-audit --strict --no-deps --disable-pip --requirement config/constraints.txt

setup: $(READY)

# Speed and quality, what has become worse (code 3; 4: too few runs to tell), and a page of it.
HISTORY := results/bench/history.jsonl
bench: $(READY)
	mkdir -p $(dir $(HISTORY))
	$(VENV)/bin/ezdl bench run --history $(HISTORY)
	$(VENV)/bin/ezdl bench report $(dir $(HISTORY))report.html --history $(HISTORY)
	$(VENV)/bin/ezdl bench check --history $(HISTORY) || [ $$? = 4 ]

# The dictionary that ships with the package, from the built-in photographs.
DEFAULT := ezdl_cli/dictionaries/default.npz
dictionary: $(READY)
	rm -rf data/default && mkdir -p data/default
	$(VENV)/bin/ezdl images builtin data/default/photos
	$(VENV)/bin/ezdl extract data/default/photos/train data/default/patches.npy --patch-size 8 --seed 0
	$(VENV)/bin/ezdl train ezdl data/default/patches.npy $(DEFAULT) --sparseness 0.99 --epochs 1000 --seed 0

$(READY): pyproject.toml config/constraints.txt
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "ezdl needs Python 3.11 or newer, this is " + sys.version)'
	$(PYTHON) -m venv $(VENV)
	$(INSTALL) --upgrade pip setuptools
	$(INSTALL) --editable '.[test]'
	touch $@

clean:
	rm -rf $(VENV) .snakemake
