#!/usr/bin/env bash
# Puts generated text into documents: between "<!-- begin FILE -->" and "<!-- end FILE -->" stands FILE, as a code
# block, or as it is when its name ends in .md. Usage: embed.sh DOCUMENT...
set -eu
for document in "$@"; do
    awk '
        function show(file,    line, fence) {
            fence = (file ~ /\.md$/) ? "" : "```"
            if (fence != "") print fence
            while ((getline line < file) > 0) print line
            close(file)
            if (fence != "") print fence
        }
        /^<!-- begin .* -->$/ { print; show($3); skipping = 1; next }
        /^<!-- end .* -->$/   { skipping = 0 }
        !skipping
    ' "$document" > "$document.tmp"
    mv "$document.tmp" "$document"
done
