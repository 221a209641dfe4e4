#!/usr/bin/env bash
# Citations of facts (docs/facts/README.md): `hw-facts 1.2, H7`, `pypto-ops-facts 4.3 and 4.4`, `bugs A9`, and the columns
# "facts" and "bug entries" of tables. Each must have a heading on its page in docs/facts, an anchor in a table, or be an
# item of a numbered list (2.5: the fifth of section 2). A public report, `PTOAS#744`, must stand somewhere in docs/facts.
set -eu
cd "$(dirname "$0")/.."

# "page id" or "report repository#number", one a line. `#706` behind `PTOAS#730` is of that repository, or of the page's.
headings() {
    awk '{ page = FILENAME; gsub(/.*\/|\.md$/, "", page) }
         /^#+ / { section = $2; print page, section }
         /^[0-9]+\. / { print page, section "." $1 + 0 }
         { while (match($0, /<a id="[^"]+">/)) {
               print page, substr($0, RSTART + 7, RLENGTH - 9)
               $0 = substr($0, RSTART + RLENGTH) } }' docs/facts/*.md
    awk '{ while (match($0, /[A-Za-z0-9_.-]*#[0-9]+/)) {
               split(substr($0, RSTART, RLENGTH), part, "#")
               if (part[1])
                   repository = tolower(part[1])
               print "report", repository "#" part[2]
               if (FILENAME ~ /pypto/)
                   print "report", "pypto#" part[2]
               $0 = substr($0, RSTART + RLENGTH) } }' docs/facts/*.md
}

sources() {
    find . \( -path './build*' -o -path ./results -o -path ./.git \) -prune -o -type f \
        \( -name '*.[ch]' -o -name '*.md' -o -name '*.py' -o -name '*.model' -o -name '*.toolchain' -o -name '*.litmus' \
        -o -name '*.txt' -o -name '*.sh' -o -name Makefile \) -printf '%P\n' | sort
}

mapfile -t files < <(sources)
awk '
function wrong(text) { printf "%s:%d: %s\n", name, number, text; bad = 1 }
function look_up(page, id)
{
    count++
    if (!((page, id) in known))
        wrong(page " " id " is cited, and docs/facts/" page ".md has no such heading")
}
# What follows the name of a page: sections with ", ", "and", "to", "-" or "/" between.
function sections(page, rest)
{
    while (match(rest, /^([0-9]+(\.[0-9]+)*|[A-Z][0-9]+[a-z]?|Units)/)) {
        look_up(page, substr(rest, 1, RLENGTH))
        rest = substr(rest, RLENGTH + 1)
        if (!match(rest, /^(, | and | to |-|\/)/))
            break
        rest = substr(rest, RLENGTH + 1)
    }
}
# A citation may go on in the next line, behind what a comment begins with.
function citations(line, next_line,    text, at, page)
{
    sub(/^[ \t]*(\*|\/\/|#|")*[ \t]*/, "", next_line)
    text = line " " next_line
    for (at = 0; match(text, /([a-z][a-z-]*-facts (Units|[A-Z]?[0-9])|bugs [A-Z][0-9])/) && at + RSTART <= length(line);) {
        page = substr(text, RSTART, index(substr(text, RSTART), " ") - 1)
        at += RSTART + length(page)
        text = substr(text, RSTART + length(page) + 1)
        sections(page, text)
    }
    if (line ~ /(^|[^a-z-])facts [0-9]+\.[0-9]|-facts[`,]+ (Units|[A-Z]?[0-9])|(^|[^a-z.\/-])(hw|pypto|pypto-ops|pypto-front) [0-9]+\.[0-9]/)
        wrong("facts are cited as `hw-facts 1.2`, `pypto-ops-facts 4.1`: " line)
}
function reports(line,    cited)
{
    while (match(line, /[A-Za-z][A-Za-z0-9_.-]*#[0-9]+/)) {
        cited = substr(line, RSTART, RLENGTH)
        line = substr(line, RSTART + RLENGTH)
        if (cited !~ /\.md#/ && !(("report", tolower(cited)) in known))
            wrong("docs/facts does not know of " cited)
    }
}
# Columns of a table whose cells are sections: of the compiler page, of the reports.
function columns(line,    cell, n, i)
{
    if (line !~ /^\|/) { page_of[0] = 0; for (i in page_of) delete page_of[i]; return }
    n = split(line, cell, / *\| */)
    for (i = 2; i < n; i++)
        if (cell[i] == "facts") page_of[i] = "pypto-facts"
        else if (cell[i] == "bug entries") page_of[i] = "bugs"
        else if (i in page_of && cell[i] !~ /facts|^-+$/) {
            gsub(/ and | +/, ", ", cell[i]); gsub(/,,/, ",", cell[i])
            sections(page_of[i], cell[i])
        }
}
FILENAME == "-" { known[$1, $2] = 1; next }
function flush(next_line) { if (name) { citations(line, next_line); reports(line); columns(line) } }
FNR == 1 { flush(""); columns("") }
FNR > 1 { flush($0) }
{ line = $0; name = FILENAME; number = FNR }
END {
    flush("")
    if (!bad)
        printf "facts: %d citations, each has its heading\n", count
    exit bad
}' - "${files[@]}" < <(headings)
