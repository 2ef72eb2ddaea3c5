# The front door. On a fresh Debian machine with Rust and make, `make demo` and `make test` do all
# the set-up themselves. Each target that judges also writes its numbers to target/bars/<name>.json.

.DEFAULT_GOAL := help
.PHONY: help setup demo test check sabotage deny web clean

# The nextest profile of `make test`; see .config/nextest.toml.
PROFILE ?= default

# Chromium refuses to sandbox itself for root. Never inferred by the binary: said here, visibly.
NO_SANDBOX := $(shell [ "$$(id -u)" -eq 0 ] && echo --no-sandbox)

help: ## what there is to run
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/\1\t\2/p' $(MAKEFILE_LIST) | while IFS="$$(printf '\t')" \
		read -r name what; do printf '  make %-10s %s\n' "$$name" "$$what"; done

demo: ## build, then run the scripted goals against the demo application
	@sh tools/setup.sh demo
	cargo build --release --locked --package sidestick
	@mkdir -p target/bars
	$(or $(CARGO_TARGET_DIR),target)/release/sidestick demo $(NO_SANDBOX) --bars target/bars/demo.json

test: ## the whole suite: tidy, doc tests, every test of the workspace
	@sh tools/setup.sh test
	cargo xtask test $(PROFILE)

check: ## what a commit must pass: format, clippy, tidy, unit tests
	cargo xtask check

sabotage: ## break each invariant on purpose and see a test catch it
	@sh tools/setup.sh test
	cargo xtask sabotage

deny: ## licenses, bans, sources and advisories of every dependency
	cargo xtask licenses
	@if cargo deny --version >/dev/null 2>&1; then cargo deny check; \
	else echo 'cargo-deny is missing; `cargo install cargo-deny --locked` installs it' >&2; exit 5; fi

web: ## rebuild the page scripts; only needed after changing web/
	cargo xtask web

setup: ## install what `demo` and `test` need
	@sh tools/setup.sh test

clean: ## remove what was built
	cargo clean
