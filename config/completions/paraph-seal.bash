# Completions of paraph-seal for bash.

# The subcommands and options of a command.
_paraph_seal_describe() {
  commands=() options=()
  case $1 in
    'paraph-seal') options=('--unseal' '--key:' '--certificate:' '--sign-key:' '--verify' '--content:' '--ca:' '--time:' '--new-key' '--type:' '--request' '--self-sign' '--subject:' '--days:' '--version' '--verbose' '-h,--help') ;;
  esac
}

# The values of an option.
_paraph_seal_value() {
  case $1 in
    'paraph-seal --key') _paraph_seal_files pem key ;;
    'paraph-seal --certificate') _paraph_seal_files pem crt ;;
    'paraph-seal --sign-key') _paraph_seal_files pem key ;;
    'paraph-seal --content') _paraph_seal_files json ;;
    'paraph-seal --ca') _paraph_seal_files pem crt ;;
    'paraph-seal --type') _paraph_seal_words ec rsa ;;
  esac
}

# The values of an operand, by the number of operands before it.
_paraph_seal_operand() {
  case $1 in

  esac
}

_paraph_seal_words() {
  mapfile -t COMPREPLY < <(compgen -W "$*" -- "$current")
}

# Files with one of these suffixes, or all, and folders.
_paraph_seal_files() {
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

_paraph_seal_folders() {
  compopt -o filenames 2>/dev/null
  mapfile -t COMPREPLY < <(compgen -d -- "$current")
}

_paraph_seal() {
  local current=${COMP_WORDS[COMP_CWORD]} path='paraph-seal' ended='' option='' operands=0
  local -a commands options names
  local word spec i
  COMPREPLY=()
  _paraph_seal_describe "$path"
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
      _paraph_seal_describe "$path"
    else
      operands=$((operands + 1))
    fi
  done
  if [[ -n $option ]]; then
    [[ $current == = ]] && current=''
    _paraph_seal_value "$path $option"
  elif [[ -z $ended && $current == -* ]]; then
    names=()
    for spec in "${options[@]}"; do
      spec=${spec%%[:\*]*}
      names+=(${spec//,/ })
    done
    _paraph_seal_words "${names[@]}"
  elif ((${#commands[@]})); then
    _paraph_seal_words "${commands[@]}"
  else
    _paraph_seal_operand "$path $operands"
  fi
}

complete -F _paraph_seal paraph-seal
