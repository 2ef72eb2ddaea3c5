#!/bin/sh
# Makes a fresh machine ready: `tools/setup.sh demo` for the demonstration, `test` for the suite,
# `bench` for the bench, `scoreboard` for the scoreboard.
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

# The pages of one corpus come as a Python package.
if [ "$what" = scoreboard ] && ! python3 -m pip --version >/dev/null 2>&1; then
    if [ "$(id -u)" -eq 0 ] && has apt-get; then
        say "installing python3-pip from Debian's packages"
        apt-get update -qq
        DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends python3-pip
    else
        say "pip was not found; this installs it:"
        say "  sudo apt-get update && sudo apt-get install -y --no-install-recommends python3-pip"
        exit 5
    fi
fi

# The bench is written in Node, and what it compares with are packages pinned by a lock file.
if [ "$what" = bench ] || [ "$what" = scoreboard ]; then
    if ! has node || ! has npm; then
        if [ "$(id -u)" -eq 0 ] && has apt-get; then
            say "installing nodejs and npm from Debian's packages"
            apt-get update -qq
            DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends nodejs npm
        else
            say "node and npm were not found; this installs them:"
            say "  sudo apt-get update && sudo apt-get install -y --no-install-recommends nodejs npm"
            exit 5
        fi
    fi
    if [ "$(node --version | sed 's/^v\([0-9]*\).*/\1/')" -lt 20 ]; then
        say "node 20 or later is needed, and this is $(node --version)"
        exit 5
    fi
    installed=bench/peers/node_modules/.package-lock.json
    if [ ! -e "$installed" ] || [ bench/peers/package-lock.json -nt "$installed" ]; then
        say "installing what the bench compares with"
        # No install scripts: they would download browsers, and the bench brings its own.
        npm ci --prefix bench/peers --ignore-scripts --no-audit --no-fund --loglevel=error ||
            say "not installed; the bench names what is missing"
    fi
fi

# Its other pages are built from the libraries they show.
if [ "$what" = scoreboard ]; then
    installed=bench/widgets/node_modules/.package-lock.json
    if [ ! -e "$installed" ] || [ bench/widgets/package-lock.json -nt "$installed" ]; then
        say "installing the libraries of the scoreboard's pages"
        npm ci --prefix bench/widgets --ignore-scripts --no-audit --no-fund --loglevel=error ||
            say "not installed; the scoreboard names what is missing"
    fi
fi
