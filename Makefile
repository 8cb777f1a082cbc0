# `make figures` and `make test` do all of their set-up; `make setup` is the set-up alone.
PYTHON ?= python3
VENV := .venv
READY := $(VENV)/.ready
CORES ?= all
PROFILE ?= quick

.PHONY: figures test test-slow test-slurm setup bench dictionary clean

figures: $(READY)
	$(VENV)/bin/ezdl run --profile $(PROFILE) --cores $(CORES) $(if $(IMAGES),--images "$(IMAGES)")

test: $(READY)
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/lint-imports
	$(VENV)/bin/snakefmt --check Snakefile
	$(VENV)/bin/snakemake --lint
	$(VENV)/bin/python -m pytest -n auto --dist worksteal -m "not slow"

# Tests that take long: kernels compiled afresh, the commands of docs/parts.md.
test-slow: $(READY)
	$(VENV)/bin/python -m pytest -n auto --dist worksteal -m slow

# The pipeline through real Slurm on this machine: see tests/slurm/one_machine.py.
test-slurm: $(READY)
	$(VENV)/bin/pip install --quiet --constraint config/constraints.txt --editable '.[slurm]'
	$(VENV)/bin/python tests/slurm/one_machine.py

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
	$(VENV)/bin/pip install --quiet --constraint config/constraints.txt --editable '.[test]'
	touch $@

clean:
	rm -rf $(VENV) .snakemake
