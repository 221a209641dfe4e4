#!/usr/bin/env bash
# Floors (docs/architecture.md): a file includes its own floor and those beneath it, nothing above.
set -eu
declare -A allowed=(
    [base]="base"
    [ir]="ir base"
    [models]="models base"
    [sim]="sim models base"
    [passes]="passes sim/program.h ir models base"
    [litmus]="litmus passes sim ir models base"
    [bench]="bench litmus passes sim ir models base build_id.h"
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
    done < <(grep -n '^#include "' "$floor"/*.[ch])
done
[ $bad -eq 0 ] && echo "floors: every include goes down"
exit $bad
