#!/usr/bin/env bash
# The manual page, made of what the program says of itself: fencebench help, and --help of each command.
# Usage: FENCEBENCH=build/fencebench manpage.sh > fencebench.1
set -eu
bench=${FENCEBENCH:-build/fencebench}

# Text as it is: no filling, and nothing in it is a request or an escape.
verbatim() {
    echo .nf
    sed -e 's/\\/\\e/g' -e 's/-/\\-/g' -e "s/^[.']/\\\\\&&/"
    echo .fi
}

version=$("$bench" --version)
echo ".TH FENCEBENCH 1 \"\" \"${version% (*}\""
cat <<'EOF'
.SH NAME
fencebench \- test bench for memory consistency on accelerators whose caches are not coherent
.SH SYNOPSIS
.B fencebench
.I COMMAND
[\fIOPTION\fR...] [\fIFILE\fR...]
.SH COMMANDS
EOF
"$bench" help | sed '1,2d' | verbatim
"$bench" help | sed -n 's/^  \([a-z]*\) .*/\1/p' | while read -r command; do
    echo ".SH ${command^^}"
    "$bench" "$command" --help | verbatim
done
cat <<'EOF'
.SH ENVIRONMENT
.TP
.B FENCEBENCH_MODELS
Folder with the machine contracts and toolchain profiles. Without it they are looked for beside the program, then under
its prefix in share/fencebench/models.
.SH FILES
Kernels, litmus tests, models and documents are installed in share/fencebench and share/doc/fencebench under the prefix.
EOF
