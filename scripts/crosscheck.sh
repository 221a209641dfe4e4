#!/usr/bin/env bash
# Two engines, one semantics: the explorer, and spin on the Promela model of a test, must find the same final states.
#
#   scripts/crosscheck.sh                the catalogue under every model with an expectation, generated and random tests
#   scripts/crosscheck.sh FILE|DIR...    these tests, under MODELS
#   scripts/crosscheck.sh --self-test    breaks one rule of the Promela models at a time: each must be noticed
#
# Environment: FENCEBENCH; JOBS (2); MODELS; GENERATED, how many generated tests (500), and GENERATED_MODELS;
# RANDOM_TESTS, how many random tests (300), RANDOM_LITMUS, the program that writes them, and RANDOM_MODELS; DEPTH of
# pan's search at the most, MEMORY in MiB for one verifier; KEEP, a folder in which all files stay; PAN_CC, the compiler
# for pan (tcc where it is installed, which saves most of the time, else gcc -O0).
# Exit code: 0 equal, 1 different, 2 spin is missing, bad usage or input, 3 one of them hit a limit, the rest is equal.
set -u
export LC_ALL=C
models=${MODELS:-sc,a2a3,a2a3-blocking,a2a3-fifo,a2a3-evict,weakest}
generated_models=${GENERATED_MODELS:-a2a3,weakest}
random_models=${RANDOM_MODELS:-sc,a2a3,a2a3-blocking,a2a3-fifo,a2a3-evict,weakest}
export DEPTH=${DEPTH:-5000000} MEMORY=${MEMORY:-4096} JOBS=${JOBS:-2}
command -v tcc > /dev/null && default_cc=tcc || default_cc="gcc -O0"
export PAN_CC=${PAN_CC:-$default_cc}

# ---- one model ----

# Why the search of pan.log is no answer; nothing when it was complete.
incomplete() {
    if grep -q "max search depth too small" pan.log; then echo "depth $1 is too small"
    elif grep -qiE "out of memory|memory limit|-DMEMLIM bound" pan.log; then echo "$MEMORY MiB are too few"
    elif ! grep -q "errors: 0" pan.log || grep -q "Search not completed" pan.log; then
        echo "pan: $(grep -m1 '^pan' pan.log || echo no summary)"
    fi
}

search() {
    local depth why
    spin -a "$1" > spin.log 2>&1 && [ -f pan.c ] || { echo "spin: $(head -1 spin.log)"; return; }
    $PAN_CC -w -DSAFETY -DNOREDUCE -DPRINTF -DMEMLIM="$MEMORY" -o pan pan.c > cc.log 2>&1 ||
        { echo "$PAN_CC: $(head -1 cc.log)"; return; }
    for depth in 10000 "$DEPTH"; do
        ./pan -E -c0 -n -w18 -m"$depth" > pan.log 2>&1
        why=$(incomplete "$depth")
        case "$why" in depth*) ;; *) break ;; esac
    done
    echo "$why"
}

# DIR/NAME.MODEL.pml becomes DIR/NAME.MODEL.spin, in the form of explored(): states count only when the search was
# complete.
verify() {
    local key why scratch
    key=$(basename "$1" .pml)
    scratch=$(mktemp -d "${TMPDIR:-/tmp}/crosscheck.XXXXXX") && cd "$scratch" || exit 3
    why=$(search "$1")
    if [ -n "$why" ]; then
        printf '%s\tunknown\t%s\n' "$key" "$why"
    else
        sed -n "s/^final \([*:]\)>/$key\t\1\t/p; s/^ *\([0-9]*\) states, stored.*/$key\tsize\t\1/p" pan.log | sort -u
    fi > "${1%.pml}.spin"
    rm -rf "$scratch"
}
if [ "${1:-}" = --verify ]; then
    shift
    for model in "$@"; do verify "$model"; done
    exit 0
fi

if ! command -v spin > /dev/null || ! command -v "${PAN_CC%% *}" > /dev/null; then
    echo "crosscheck needs the Debian packages spin and gcc (or tcc): apt-get install spin gcc" >&2
    exit 2
fi
self=$(realpath "$0")
bench=$(realpath "${FENCEBENCH:-build/fencebench}")
[ -x "$bench" ] || { echo "crosscheck: no program $bench; run make first" >&2; exit 2; }
work=${KEEP:-$(mktemp -d "${TMPDIR:-/tmp}/crosscheck.XXXXXX")}
mkdir -p "$work" && work=$(realpath "$work") || exit 2
[ -n "${KEEP:-}" ] || trap 'rm -rf "$work"' EXIT

# ---- both engines on a set of tests ----

# A log of the explorer as lines "NAME.MODEL <tab> kind <tab> text": state, verdict, size (machine states), unknown.
explored() {
    awk -v OFS='\t' '
        /^Test /   { name = $2; left = 0; next }
        /^Model /  { model = $2; sub(/,$/, "", model); key = name "." model
                     if (/a limit was hit/) print key, "unknown", "the explorer hit a limit"
                     sub(/.*explored, /, ""); print key, "size", $1; next }
        /^States / { left = $2; next }
        left > 0   { print key, "state", $0; left--; next }
        /^Observation / { print key, "verdict", $3 }'
}

# run DIR MODELS FILES...
run_explorer() {
    local dir=$1 models=$2
    shift 2
    mkdir -p "$dir" && "$bench" litmus --emit=promela --model "$models" -o "$dir" "$@" || return 2
    "$bench" litmus --explore -j "$JOBS" --model "$models" "$@" > "$dir/log"
    [ $? -ne 2 ] || return 2
    explored < "$dir/log" > "$dir/explored"
}

run_spin() { find "$1" -name '*.pml' -print0 | sort -z | xargs -0 -r -n 16 -P "$JOBS" "$self" --verify; }

# compare DIR WHAT: prints each pair of test and model in which the answers differ, and a summary.
compare() {
    find "$1" -name '*.spin' -print0 | sort -z | xargs -0 -r cat > "$1/verified"
    awk -F '\t' -v what="$2" '
        FNR == NR { if ($2 == "state") { ours[$1, $3]; all[$1] = all[$1] "\n" $3 }
                    else if ($2 == "verdict") { mine[$1] = $3; keys[++n] = $1 }
                    else if ($2 == "size") machine += $3
                    else limit[$1] = $3
                    next }
        $2 == "*" || $2 == ":" { theirs[$1, $3]; found[$1] = found[$1] "\n" $3; $2 == "*" ? yes[$1]++ : no[$1]++; next }
        $2 == "size" { spin += $3; done[$1]; next }
        { limit[$1] = $3 }
        END {
            for (i = 1; i <= n; i++) {
                k = keys[i]
                if (!(k in done) && !(k in limit)) limit[k] = "no answer from spin"
                if (k in limit) { print k ": unknown, " limit[k]; unknown++; continue }
                verdict = yes[k] && no[k] ? "Sometimes" : yes[k] ? "Always" : no[k] ? "Never" : "Unknown"
                text = ""
                m = split(all[k], s, "\n")
                for (j = 2; j <= m; j++) if (!((k, s[j]) in theirs)) text = text "\n    only the explorer: " s[j]
                m = split(found[k], s, "\n")
                for (j = 2; j <= m; j++) if (!((k, s[j]) in ours)) text = text "\n    only spin: " s[j]
                if (text == "" && verdict == mine[k]) continue
                print k ": the explorer says " mine[k] ", spin says " verdict text
                differ++
            }
            printf "%s: %d pairs of test and model, %d differ, %d unknown (%d machine states explored, %d by spin)\n",
                   what, n, differ, unknown, machine, spin
            exit !n ? 2 : differ ? 1 : unknown ? 3 : 0
        }' "$1/explored" "$1/verified"
}

# check DIR WHAT MODELS FILES...
check() {
    local dir=$1 what=$2
    shift 2
    run_explorer "$dir" "$@" || return 2
    run_spin "$dir"
    compare "$dir" "$what"
}

# Bad usage is worse than a difference, a difference is worse than a limit.
worse() {
    local code
    for code in 2 1 3; do
        if [ "$1" -eq $code ] || [ "$2" -eq $code ]; then echo $code; return; fi
    done
    echo 0
}

# A contract that no shipped file has: st.dev on a path of its own.
register_writes() {
    printf '[model]\ninherit = a2a3\ndoc = st.dev apart\n[semantics]\nst_dev = register\n' > "$work/register.model"
    echo "$work/register.model"
}

# Every k-th generated test, so that all families are there.
choose_generated() {
    "$bench" generate -o "$work/generated" > /dev/null || return 2
    find "$work/generated" -name '*.litmus' | sort | awk -v n="${GENERATED:-500}" '
        { name[NR] = $0 } END { for (i = 1; i <= NR; i++) if (int(i * n / NR) > int((i - 1) * n / NR)) print name[i] }'
}

# A test that no other core or message prolongs: its line is dirty when the run ends.
dirty_at_end() {
    printf 'GM dirty-at-end\n"The last step dirties a line"\n{ x }\nP0      ;\nst x, 1 ;\nexists (x=1)\n' > "$work/end.litmus"
    echo "$work/end.litmus"
}

# ---- self-test ----

# Rules of the Promela models and what sed does to break them: a comparison that notices none of them would be vacuous.
broken_rules() {
    cat << 'RULES'
dsb does not wait|/\/\* .*dsb \*\//,/;$/s/^( *)\(P.*_flying == 0\);/\1true;/
barrier all does not wait|/\/\* barrier all \*\//,/;$/s/^( *)\(P.*_queue == 0\);/\1true;/
dcci does nothing|/^active proctype P/,/^}/s/P[0-9a-z_]*_clean\(\);/skip;/
a wait sees what is not there|s/\(gm_[a-z0-9_]* >= 1\)/(true)/g
a fill ignores own messages in flight|s/\(P[0-9a-z_]*_valid \|\| P[0-9a-z_]*_flying == 0\)/(true)/
a write-back carries no neighbours|s/\?line_([a-z0-9_]*), gm_\1.*, gm_[a-z0-9_]*/?line_\1, gm_\1, _/
messages are delivered out of order|s/^(    :: d_step \{ P[0-9a-z_]*)\?/\1??/
lines stay where they are after the end|s/\); over = ENDED;/ \&\& !AT_END); over = ENDED;/
deadlocks look like ends|s/ ?deadlock=1;//
RULES
}

self_test() {
    local rule edit code=0 n=0 dir
    run_explorer "$work/sound" a2a3,weakest litmus/catalogue/h0[1-6]* litmus/catalogue/h20* "$(dirty_at_end)" ||
        return 2
    while IFS='|' read -r rule edit; do
        n=$((n + 1)) dir=$work/broken$n
        cp -r "$work/sound" "$dir"
        find "$dir" -name '*.pml' -exec sed -i -E "$edit" {} +
        # Models that the edit does not touch say nothing about it.
        find "$dir" -name '*.pml' | while read -r model; do
            ! cmp -s "$model" "$work/sound/$(basename "$model")" || rm "$model"
        done
        find "$dir" -name '*.pml' -exec basename {} .pml \; > "$dir/edited"
        awk -F '\t' 'FNR == NR { keep[$1]; next } $1 in keep' "$dir/edited" "$dir/explored" > "$dir/explored.edited"
        mv "$dir/explored.edited" "$dir/explored"
        run_spin "$dir"
        compare "$dir" "$rule" > "$dir/report"
        if [ $? -eq 1 ]; then echo "noticed: $(tail -1 "$dir/report")"
        else echo "NOT NOTICED: $(tail -1 "$dir/report")"; code=1; fi
    done < <(broken_rules)
    return $code
}

case "${1:-}" in
--self-test) self_test ;;
"")
    code=0
    check "$work/catalogue" catalogue "$models" litmus/catalogue || code=$?
    mapfile -t chosen < <(choose_generated)
    check "$work/chosen" "generated tests" "$generated_models" "${chosen[@]}"
    code=$(worse $code $?)
    mkdir -p "$work/random" && "${RANDOM_LITMUS:-build/random_litmus}" "${RANDOM_TESTS:-300}" "$work/random" || exit 2
    check "$work/random-checked" "random tests" "$random_models,$(register_writes)" "$work/random"
    exit "$(worse "$code" $?)"
    ;;
-*) echo "usage: scripts/crosscheck.sh [--self-test | FILE|DIR...]" >&2; exit 2 ;;
*) check "$work/given" "given tests" "$models" "$@" ;;
esac
