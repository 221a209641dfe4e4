#!/usr/bin/env bash
# Installs into an empty folder, uses the installed program away from the sources, and uninstalls: nothing may be left.
set -eu
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
prefix=/opt/fencebench
fail() { echo "install-check: $*" >&2; exit 1; }

make install DESTDIR="$root" PREFIX=$prefix > /dev/null
bin=$root$prefix/bin share=$root$prefix/share
! readelf -S "$bin/fencebench" | grep -q '\.debug_info' || fail "the program carries debug information"
(
    cd /
    unset FENCEBENCH_MODELS
    PATH=$bin:$PATH
    fencebench explore -P 2 "$share/fencebench/kernels/put_ring.py" | grep -q ' clean$' || fail "put_ring is not proved"
    fencebench litmus "$share/fencebench/litmus/catalogue/h01-stale-line" > /dev/null || fail "the catalogue does not run"

    # What bash shows behind the words given, the last of which is being typed.
    source "$share/bash-completion/completions/fencebench"
    offers() {
        COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
        _fencebench
        echo "${COMPREPLY[*]}"
    }
    expect() {
        local want=$1
        shift
        [ "$(offers "$@")" = "$want" ] || fail "completion of '$*' is '$(offers "$@")', not '$want'"
    }
    expect "sweep" fencebench swe
    expect "--toolchain" fencebench check --tool
    expect "a2a3-blocking" fencebench check --model = a2a3-b
    expect "proposed proposed-drain" fencebench check --toolchain = prop
    expect "" fencebench check kernel
)
fencebench_commands=$("$bin/fencebench" help | sed -n 's/^  \([a-z]*\) .*/\1/p')
for command in $fencebench_commands; do
    grep -q "^\.SH ${command^^}$" "$share/man/man1/fencebench.1" || fail "the manual page lacks $command"
done
make uninstall DESTDIR="$root" PREFIX=$prefix > /dev/null
[ -z "$(find "$root" -type f)" ] || fail "left behind: $(find "$root" -type f)"
echo "install, use and uninstall: ok"
