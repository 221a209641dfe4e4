#!/usr/bin/env bash
# One invalidate behind a run of waits against one behind each wait: the generated family and the catalogue, compared
# under every contract. Prints a Markdown page.
set -eu
bench=${FENCEBENCH:-build/fencebench}

session() {
    echo '```'
    echo "\$ fencebench $*"
    "$bench" "$@" || [ $? -eq 1 ]
    echo '```'
}

cat << 'END'
# One invalidate behind a run of waits, or one behind each

Written by `make results`. [docs/litmus.md](../docs/litmus.md#both-forms-of-a-consume-side) says what is compared and what
the names mean, [docs/findings.md](../docs/findings.md#one-invalidate-for-a-run-of-waits) where the forms differ, and why.

## The generated family

END
session equiv --batching --summary
cat << 'END'

## The runs of waits in the catalogue

END
session equiv --batching --summary litmus/catalogue
