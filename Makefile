# Everything that a person or CI does with this repository. `make` alone prints the list.
SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
SEALBOOK := $(BIN)/sealbook
INSTALLED := $(VENV)/.installed
# The HTML validator of the tests comes from npm, by its lock file; where there is no npm those tests skip.
VALIDATOR := tests/standards/node_modules/.installed
# The agent program of the tests, likewise. Its scripts are not run: what counts is the program of this machine.
AGENT := tests/agents/node_modules/.installed
JOBS ?= 2
# CI sets this to a program that cuts the network for whatever the tests start.
OFFLINE ?=
# Options of the benchmarks, such as BENCH=--quick.
BENCH ?=
# The study whose subjects the tests run.
TESTED_STUDY := coordination-recovery
PUBLISHED := $(wildcard manifests/*/evidence/*/ manifests/*/decisions/*/)

# $(call step,NAME,COMMAND): say what runs, run it, say how long it took.
step = @echo "── $(1)"; start=$$SECONDS; $(2); echo "   $$((SECONDS - start)) s"

# Published runs and decisions on them, by coreutils alone and then by the program.
verify = for run in $(PUBLISHED); do (cd "$$run" && sha256sum --strict --quiet -c SHA256SUMS); done; \
	$(if $(PUBLISHED),$(SEALBOOK) verify $(PUBLISHED),echo "   nothing published yet")

.PHONY: help setup site serve test check check-long bench fix golden schema rules rules-record clean

help: ## Print this list
	@awk -F ':.*## ' '/^## /{printf "\n%s\n", substr($$0, 4)} \
		/^[a-z-]+:.*## /{printf "  make %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

## Use it

setup: $(INSTALLED) $(VALIDATOR) $(AGENT) ## Create the virtual environment and install the program with its development tools

$(INSTALLED): pyproject.toml
	@echo "── set up $(VENV)"
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install -qq --disable-pip-version-check --editable '.[dev]'
	@touch $@

$(VALIDATOR): tests/standards/package-lock.json
	@if command -v npm >/dev/null; then \
		echo "── set up the HTML validator"; \
		npm ci --prefix tests/standards --ignore-scripts --no-audit --no-fund --loglevel error >/dev/null \
			&& touch $@ || echo "   npm could not install it: the tests of valid HTML skip"; \
	fi

$(AGENT): tests/agents/package-lock.json
	@if command -v npm >/dev/null; then \
		echo "── set up the agent program of the tests"; \
		npm ci --prefix tests/agents --ignore-scripts --no-audit --no-fund --loglevel error >/dev/null \
			&& touch $@ || echo "   npm could not install it: the tests of a real agent skip"; \
	fi

site: $(INSTALLED) ## Run the quick studies for real, seal them, build the site and verify everything
	@studies="$$($(SEALBOOK) studies --quick)"; \
	for study in $$studies; do \
		echo "── $$study"; \
		$(SEALBOOK) prepare "$$study"; \
		$(SEALBOOK) run "$$study" --quick; \
	done
	$(call step,build,$(SEALBOOK) build --strict)
	$(call step,verify,$(SEALBOOK) verify . site)
	$(call step,check the site,$(SEALBOOK) check --strict)
	@echo; echo "Open $(CURDIR)/site/index.html"

serve: $(INSTALLED) ## Preview on 127.0.0.1 and reload the page when a source changes
	@$(SEALBOOK) serve

## Work on it

test: $(INSTALLED) $(VALIDATOR) $(AGENT) ## Run the tests, without the long ones
	@$(SEALBOOK) prepare $(TESTED_STUDY)
	@$(OFFLINE) $(BIN)/python -m pytest -q -n $(JOBS) --dist worksteal -m "not long"

check: $(INSTALLED) ## Run all that CI demands, the cheapest first
	$(call step,format,$(BIN)/ruff format --check --quiet .)
	$(call step,lint,$(BIN)/ruff check --quiet --output-format concise .)
	$(call step,directions of import,$(BIN)/lint-imports --no-logo)
	$(call step,types,$(BIN)/mypy)
	$(call step,tests,$(MAKE) test)
	$(call step,schemas,$(SEALBOOK) schema --check)
	$(call step,texts and pages,$(SEALBOOK) check --strict)
	$(call step,documented commands,$(BIN)/python -m tests.tools.documented_commands)
	$(call step,two builds,$(BIN)/python -m tests.tools.two_builds)
	$(call step,published runs,$(verify))
	$(call step,wheel,$(BIN)/python -m tests.tools.wheel_smoke)

check-long: $(INSTALLED) $(VALIDATOR) $(AGENT) ## Run the exhaustive batteries
	@$(SEALBOOK) prepare $(TESTED_STUDY)
	@$(OFFLINE) $(BIN)/python -m pytest -q -n $(JOBS) --dist worksteal -m long
	$(call step,attacks on the sandbox,$(OFFLINE) $(SEALBOOK) doctor)

bench: $(INSTALLED) ## Measure builds, tables and search against a peer and floors; fails if a stated ratio is missed
	@$(BIN)/python -c "import benchexec" 2>/dev/null \
		|| $(BIN)/python -m pip install -qq --disable-pip-version-check --editable '.[bench]'
	@$(BIN)/python -m tests.bench $(BENCH)

fix: $(INSTALLED) ## Format, and mend what the linter can mend
	@$(BIN)/ruff check --fix --quiet . || true
	@$(BIN)/ruff format --quiet .
	@$(BIN)/ruff check --output-format concise .

golden: $(INSTALLED) ## Accept the present output as the expected output, and show what changed
	@test -z "$${CI:-}" || { echo "expected output is never updated in CI"; exit 2; }
	@SEALBOOK_GOLDEN=update $(BIN)/python -m pytest -q -n $(JOBS) -m golden || test $$? -eq 5
	@git status --short tests/goldens; git diff --stat tests/goldens

schema: $(INSTALLED) ## Write the JSON Schemas of the evidence again
	@$(SEALBOOK) schema

rules: $(INSTALLED) ## Print every rule with the tests that prove it and their last result
	@$(BIN)/python -m tests.tools.rules

rules-record: $(INSTALLED) ## Run the tests that prove a rule and record the results in docs/rules-record.json
	@$(SEALBOOK) prepare $(TESTED_STUDY)
	@$(BIN)/python -m tests.tools.rules --record

clean: ## Remove what can be made again; runs in .sealbook/ stay
	@rm -rf $(VENV) $(dir $(VALIDATOR) $(AGENT)) dist build tests/actual .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	@find . -name __pycache__ -type d -not -path './.git/*' -prune -exec rm -rf {} +
	@git clean -Xfdq site 2>/dev/null || true
