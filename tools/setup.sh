#!/bin/sh
# Makes a fresh machine ready: `tools/setup.sh demo` for the demonstration, `test` for the suite.
# Installs only what is missing; as root from Debian's packages, otherwise it says which command to
# run and exits 5. Running it again changes nothing.
set -eu
what="${1:-demo}"

say() { printf 'setup: %s\n' "$*" >&2; }
has() { command -v "$1" >/dev/null 2>&1; }

if ! has cargo; then
    say "cargo is missing; install Rust 1.95 or later, then run this again"
    exit 5
fi

# Chromium: either flavor will do for the demonstration; some tests want the full browser.
if ! has chromium && ! has chromium-headless-shell; then
    packages="chromium chromium-headless-shell"
    if [ "$(id -u)" -eq 0 ] && has apt-get; then
        say "installing $packages from Debian's packages"
        apt-get update -qq
        # shellcheck disable=SC2086 # two words, two packages
        DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $packages
    else
        say "no Chromium was found; this installs it:"
        say "  sudo apt-get update && sudo apt-get install -y --no-install-recommends $packages"
        exit 5
    fi
fi

# nextest: the suite also runs without it, so a failed install is not the end.
if [ "$what" = test ] && ! cargo nextest --version >/dev/null 2>&1; then
    say "installing cargo-nextest; it is built from source, which takes some minutes"
    cargo install cargo-nextest --locked --quiet || say "not installed; \`cargo test\` will do"
fi
