# Completions of paraph-web for bash.

# The subcommands and options of a command.
_paraph_web_describe() {
  commands=() options=()
  case $1 in
    'paraph-web') options=('-c,--config:' '--check-config' '--version' '--verbose' '-h,--help') ;;
  esac
}

# The values of an option.
_paraph_web_value() {
  case $1 in
    'paraph-web -c' | 'paraph-web --config') _paraph_web_files ;;
  esac
}

# The values of an operand, by the number of operands before it.
_paraph_web_operand() {
  case $1 in

  esac
}

_paraph_web_words() {
  mapfile -t COMPREPLY < <(compgen -W "$*" -- "$current")
}

# Files with one of these suffixes, or all, and folders.
_paraph_web_files() {
  compopt -o filenames 2>/dev/null
  local suffix
  if (($# == 0)); then
    mapfile -t COMPREPLY < <(compgen -f -- "$current")
    return
  fi
  mapfile -t COMPREPLY < <(
    compgen -d -- "$current"
    for suffix in "$@"; do compgen -f -X "!*.$suffix" -- "$current"; done
  )
}

_paraph_web_folders() {
  compopt -o filenames 2>/dev/null
  mapfile -t COMPREPLY < <(compgen -d -- "$current")
}

_paraph_web() {
  local current=${COMP_WORDS[COMP_CWORD]} path='paraph-web' ended='' option='' operands=0
  local -a commands options names
  local word spec i
  COMPREPLY=()
  _paraph_web_describe "$path"
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=${COMP_WORDS[i]}
    if [[ -n $option ]]; then
      # Between "--option" and its value, "=" is a word of its own.
      [[ $word == = ]] || option=''
    elif [[ -z $ended && $word == -- ]]; then
      ended=yes
    elif [[ -z $ended && $word == -?* ]]; then
      # An option that cannot be repeated is not offered again.
      names=("${options[@]}")
      options=()
      for spec in "${names[@]}"; do
        if [[ ",${spec%%[:\*]*}," == *",$word,"* ]]; then
          [[ $spec == *:* ]] && option=$word
          [[ $spec == *\* ]] || continue
        fi
        options+=("$spec")
      done
    elif [[ " ${commands[*]} " == *" $word "* ]]; then
      path+=" $word"
      _paraph_web_describe "$path"
    else
      operands=$((operands + 1))
    fi
  done
  if [[ -n $option ]]; then
    [[ $current == = ]] && current=''
    _paraph_web_value "$path $option"
  elif [[ -z $ended && $current == -* ]]; then
    names=()
    for spec in "${options[@]}"; do
      spec=${spec%%[:\*]*}
      names+=(${spec//,/ })
    done
    _paraph_web_words "${names[@]}"
  elif ((${#commands[@]})); then
    _paraph_web_words "${commands[@]}"
  else
    _paraph_web_operand "$path $operands"
  fi
}

complete -F _paraph_web paraph-web
