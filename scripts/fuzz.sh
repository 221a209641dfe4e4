#!/usr/bin/env bash
# Each target of tests/fuzz/targets.c for FUZZ_SECONDS: from its small corpus and the files of the repository.
# What libFuzzer learns stays under FOUND; an input that breaks a reader is kept there as crash-* and fails the run.
set -eu
fuzzer=${FUZZER:-build/fuzzer}
found=${FOUND:-build/fuzz}
seconds=${FUZZ_SECONDS:-60}

seeds() {
    case $1 in
    ir) echo tests/cases/parse/program_*.before.py kernels/*.py ;;
    litmus) echo litmus/bench/*.litmus litmus/catalogue/*/*.litmus ;;
    pto) echo tests/files/pto/*.pto ;;
    machine) echo models/machines/*.model ;;
    toolchain) echo models/toolchains/*.toolchain ;;
    esac
}

for target in ${FUZZ_TARGETS:-ir litmus pto machine toolchain}; do
    mkdir -p "$found/$target/learnt" "$found/$target/seeds"
    for file in $(seeds "$target"); do
        cp "$file" "$found/$target/seeds/"
    done
    echo "== $target: $seconds seconds"
    FUZZ_TARGET=$target "$fuzzer" -max_total_time="$seconds" -timeout=10 -max_len=65536 -print_funcs=0 -print_final_stats=1 \
        -verbosity=0 -artifact_prefix="$found/$target/" \
        "$found/$target/learnt" "tests/fuzz/corpus/$target" "$found/$target/seeds"
done
echo "nothing found"
