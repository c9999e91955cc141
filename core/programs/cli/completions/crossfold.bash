# Completion of crossfold for bash. The program itself knows its commands: see core/programs/cli/commands.h.
_crossfold() {
  local cur=${COMP_WORDS[COMP_CWORD]} words=() word candidates
  # Bash takes a word like --seed=1 apart at the "="; here it is one word again.
  for word in "${COMP_WORDS[@]:1:COMP_CWORD}"; do
    if [[ ${#words[@]} -gt 0 && ( $word == = || ${words[-1]} == *= ) ]]; then
      words[-1]+=$word
    else
      words+=("$word")
    fi
  done
  candidates=$("$1" complete -- "${words[@]}" 2>/dev/null) || return
  [[ $cur == = ]] && cur=
  COMPREPLY=()
  if [[ $candidates == :files ]]; then
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -f -- "$cur")
  elif [[ -n $candidates ]]; then
    mapfile -t COMPREPLY <<<"$candidates"
    [[ ${words[-1]} == *=* ]] && COMPREPLY=("${COMPREPLY[@]#*=}")
  fi
}
complete -F _crossfold crossfold
