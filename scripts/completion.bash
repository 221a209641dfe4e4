# Completion of fencebench in bash: commands, options and models, as the installed program names them.
_fencebench()
{
    local current previous words
    COMPREPLY=()
    current=${COMP_WORDS[COMP_CWORD]}
    previous=${COMP_WORDS[COMP_CWORD - 1]}
    # Bash takes --model=NAME as three words.
    [ "$current" = "=" ] && current=
    [ "$previous" = "=" ] && previous=${COMP_WORDS[COMP_CWORD - 2]}
    if [ "$COMP_CWORD" -eq 1 ]; then
        words=$(fencebench help | sed -n 's/^  \([a-z]*\) .*/\1/p')
    elif [ "$previous" = --model ]; then
        words=$(fencebench models | sed -n -e '/^Toolchain/q' -e 's/^\([a-z][^ ]*\) .*/\1/p')
    elif [ "$previous" = --toolchain ]; then
        words=$(fencebench models | sed -n -e '1,/^Toolchain/d' -e 's/^\([a-z][^ ]*\) .*/\1/p')
    elif [[ $current == -* ]]; then
        words=$(fencebench "${COMP_WORDS[1]}" --help 2>/dev/null | grep -o -e '--[a-z-]*' | sort -u)
    else
        return
    fi
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
}
complete -o default -F _fencebench fencebench
