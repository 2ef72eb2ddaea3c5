# The front door. On a fresh Debian machine with Rust and make, `make demo` and `make test` do all
# the set-up themselves. Each target that judges also writes its numbers to target/bars/<name>.json.

.DEFAULT_GOAL := help
.PHONY: help setup demo test check sabotage bench scoreboard soak faults takeover fuzz deny web clean

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

bench: ## measure the release build beside the raw protocol and the peers; OPTIONS=--quick
	@sh tools/setup.sh bench
	cargo build --release --locked --package sidestick
	cargo xtask bench $(OPTIONS)

scoreboard: ## what the tools say beside what the pages say; writes docs/scoreboard.md; OPTIONS=--quick
	@sh tools/setup.sh scoreboard
	cargo build --release --locked --package sidestick
	node bench/scoreboard.mjs --sidestick $(or $(CARGO_TARGET_DIR),target)/release/sidestick $(OPTIONS)

# How long `make soak` acts, and how many browsers it opens and closes meanwhile.
# Then ACTS random acts on a page that re-orders, renders itself anew and goes elsewhere under them.
MINUTES ?= 60
OPENS ?= 100
ACTS ?= 10000

soak: ## act on changing pages for MINUTES=60, OPENS=100 browsers beside it; OPTIONS=
	@sh tools/setup.sh bench
	cargo build --release --locked --package sidestick
	node bench/soak.mjs --minutes $(MINUTES) --opens $(OPENS) \
		--sidestick $(or $(CARGO_TARGET_DIR),target)/release/sidestick $(OPTIONS)
	node bench/scoreboard.mjs --only random --acts $(ACTS) --tools sidestick \
		--sidestick $(or $(CARGO_TARGET_DIR),target)/release/sidestick --out target/bars/random.json

# The ways in which `make faults` fails each message: some of crates/cli/tests/e2e/faults.rs.
KINDS ?= all

faults: ## fail every message to the browser, each alone, in every way: KINDS=fail,close-at
	@sh tools/setup.sh test
	cargo xtask faults $(KINDS)

# How often `make takeover` takes over.
ROUNDS ?= 1000

takeover: ## take over an act in flight ROUNDS=1000 times and judge the order on the wire
	@sh tools/setup.sh test
	SIDESTICK_TAKEOVERS=$(ROUNDS) cargo test --package sidestick-browser --test it -- \
		--nocapture --exact takeover::whoever_takes_over_has_the_last_word

fuzz: ## feed T=redactor (a name in fuzz/fuzz_targets) what libFuzzer finds, for TIME=60 seconds
	@if ! cargo +nightly fuzz --version >/dev/null 2>&1; then \
	echo 'nightly Rust or cargo-fuzz is missing; `rustup toolchain install nightly` and' \
	'`cargo install cargo-fuzz --locked` install them' >&2; exit 5; fi
	@mkdir -p fuzz/corpus/$(or $(T),redactor)
	cargo +nightly fuzz run $(or $(T),redactor) fuzz/corpus/$(or $(T),redactor) \
		fixtures/fuzz/$(or $(T),redactor) -- -max_total_time=$(or $(TIME),60) -timeout=10 \
		-max_len=32768

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
