#!/usr/bin/env bash
# The publish recipe, explored: which store is seen by a peer after a wait, with which markers, under which contract.
# Prints a Markdown table. Every row is a litmus test of its own, written below; the verdicts are the explorer's.
set -eu
bench=${FENCEBENCH:-build/fencebench}
models=(sc a2a3 a2a3-blocking a2a3-fifo a2a3-evict weakest)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

declare -A stores=(
    [scalar]="st x, 1" [bypass]="st.dev x, 1" [dma-own]="mte3 x, 1"
    [scalar-peer]="st x@1, 1" [bypass-peer]="st.dev x@1, 1" [dma-peer]="mte3 x@1, 1"
)
declare -A texts=(
    [scalar]='`st` own window' [bypass]='`st.dev` own window' [dma-own]='`mte3` own window'
    [scalar-peer]='`st` peer' [bypass-peer]='`st.dev` peer' [dma-peer]='`mte3` peer'
)
declare -A markers=(
    [0-none]="" [1-clean]="dcci L" [2-drain]="barrier all" [3-dsb]="dsb" [4-drain-dsb]="barrier all;dsb"
    [5-clean-dsb]="dcci L;dsb" [6-all]="dcci L;barrier all;dsb" [7-wrong-order]="dsb;barrier all;dcci L"
)

# One test: P0 stores, applies the markers and notifies; P1 has the line cached, waits, invalidates and reads. A store into
# the producer's own window is read there by DMA, one into the peer's window by a cached load.
write_test() {
    local name=$1 store=$2 list=$3 line=x read="mte2 t0, x@0" atom="1:t0=0" rows
    case $store in *@1*) line=x@1 read="ld r0, x" atom="1:r0=0" ;; esac
    IFS=';' read -r -a rows <<< "${list//L/$line}"
    local left=("$store" "${rows[@]}" "notify.add s@1, 1") right=("ld r9, x" "wait s >= 1" "dcci all" "$read")
    {
        echo "GM $name"
        echo "{ x; s; ranks = 2 }"
        echo "P0 | P1 ;"
        for ((i = 0; i < ${#left[@]} || i < ${#right[@]}; i++)); do
            echo "${left[i]:-} | ${right[i]:-} ;"
        done
        echo "exists ($atom)"
    } > "$dir/$name.litmus"
}

for store in "${!stores[@]}"; do
    for marker in "${!markers[@]}"; do
        write_test "$store-$marker" "${stores[$store]}" "${markers[$marker]}"
    done
done

header="| store | markers before the notify |"
rule="|---|---|"
for model in "${models[@]}"; do
    header+=" $model |"
    rule+="---|"
    "$bench" litmus "$dir" --explore --model "$model" --kinds > "$dir/$model.kinds"
done
echo "$header"
echo "$rule"
for store in scalar bypass dma-own scalar-peer bypass-peer dma-peer; do
    for marker in $(printf '%s\n' "${!markers[@]}" | LC_ALL=C sort); do
        text=${markers[$marker]//;/, }
        row="| ${texts[$store]} | ${text:-none} |"
        for model in "${models[@]}"; do
            row+=" $(awk -v name="$store-$marker" '$1 == name { print $2 }' "$dir/$model.kinds") |"
        done
        echo "${row//L/x}"
    done
done
