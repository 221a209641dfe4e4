#!/usr/bin/env bash
# Floors (docs/architecture.md): a file includes its own floor and those beneath it, nothing above.
set -eu
declare -A allowed=(
    [base]="base"
    [models]="models base"
    [isa]="isa models base"
    [ir]="ir base"
    [passes]="passes ir base"
    [codegen]="codegen passes ir isa models base builtin_texts.h"
    [pto]="pto isa models base"
    [sim]="sim isa models base"
    [litmus]="litmus sim isa models base"
    [bench]="bench litmus codegen passes ir pto sim isa models base build_id.h"
)
bad=0
for floor in "${!allowed[@]}"; do
    while IFS=: read -r file line text; do
        header=$(sed -E 's/.*"([^"]+)".*/\1/' <<<"$text")
        ok=0
        for entry in ${allowed[$floor]}; do
            [[ $header == "$entry" || $header == "$entry"/* ]] && ok=1
        done
        if [ $ok -eq 0 ]; then
            echo "$file:$line: the floor $floor must not include \"$header\""
            bad=1
        fi
    done < <(grep -n '^#include "' $(find "$floor" -name '*.[ch]'))
done
# What runs and what reports know nothing of the command line.
if grep -Hn '^#include "bench/cli/' $(find bench/campaign bench/report bench/plot -name '*.[ch]'); then
    echo "bench/campaign, bench/report and bench/plot must not include bench/cli"
    bad=1
fi
[ $bad -eq 0 ] && echo "floors: every include goes down"
exit $bad
