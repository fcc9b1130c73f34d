# Completions of paraph for bash.

# The subcommands and options of a command.
_paraph_describe() {
  commands=() options=()
  case $1 in
    'paraph') commands=(ask back calibrate cancel compare contacts devices doctor front generate preview record render screenshot seal show sign spool status trace unseal verify watch help) options=('--version' '--verbose' '-h,--help') ;;
    'paraph ask') options=('--title:' '--language:' '--timeout:' '--socket:' '-h,--help') ;;
    'paraph back') options=('--socket:' '-h,--help') ;;
    'paraph calibrate') options=('-o,--output:' '--tolerance:' '-c,--config:' '-h,--help') ;;
    'paraph cancel') options=('--reference:' '--without-ink' '--socket:' '-h,--help') ;;
    'paraph compare') options=('-o,--output:' '--units-per-mm:' '-h,--help') ;;
    'paraph contacts') options=('--json' '-h,--help') ;;
    'paraph devices') options=('--json' '-c,--config:' '-h,--help') ;;
    'paraph doctor') options=('--json' '-c,--config:' '--handoff-config:' '-h,--help') ;;
    'paraph front') options=('--socket:' '-h,--help') ;;
    'paraph generate') options=('--template:' '-h,--help') ;;
    'paraph preview') options=('-o,--output:' '--title:' '--prompt:' '--message:' '--question:' '--choice:*' '--document:' '--page:' '--slide:' '--language:' '--cancellable' '--timeout:' '--pixels:' '--size:' '-c,--config:' '-h,--help') ;;
    'paraph record') options=('-o,--output:' '-c,--config:' '-h,--help') ;;
    'paraph render') options=('-o,--output:' '-m,--model:' '--dpi:' '--units-per-mm:' '--margin:' '--trim' '--no-trim' '--transparent' '--animate' '-h,--help') ;;
    'paraph screenshot') options=('-o,--output:' '--socket:' '-h,--help') ;;
    'paraph seal') commands=(new-key request self-sign) options=('-h,--help') ;;
    'paraph seal new-key') options=('--type:' '-o,--output:' '-h,--help') ;;
    'paraph seal request') options=('--key:' '--subject:' '-o,--output:' '-h,--help') ;;
    'paraph seal self-sign') options=('--key:' '--subject:' '--days:' '-o,--output:' '-h,--help') ;;
    'paraph show') options=('--title:' '--language:' '--timeout:' '--button' '--socket:' '-h,--help') ;;
    'paraph sign') options=('--reference:' '--title:' '--prompt:' '--document:' '--document-name:' '--early' '--language:' '--timeout:' '--cancellable' '-o,--output:*' '--json' '-v,--verbose' '--socket:' '-h,--help') ;;
    'paraph spool') commands=(list show retry flush drop erase export) options=('-h,--help') ;;
    'paraph spool list') options=('--json' '--spool:' '-h,--help') ;;
    'paraph spool show') options=('--json' '--spool:' '-h,--help') ;;
    'paraph spool retry') options=('--all' '--spool:' '-h,--help') ;;
    'paraph spool flush') options=('--spool:' '-h,--help') ;;
    'paraph spool drop') options=('--force' '--spool:' '-h,--help') ;;
    'paraph spool erase') options=('--spool:' '-h,--help') ;;
    'paraph spool export') options=('-o,--output:' '--all' '--spool:' '-h,--help') ;;
    'paraph status') options=('--json' '--socket:' '-h,--help') ;;
    'paraph trace') options=('-m,--model:' '--units-per-mm:' '-h,--help') ;;
    'paraph unseal') options=('--key:' '--certificate:' '-o,--output:' '-h,--help') ;;
    'paraph verify') options=('--certificate:' '--ca:' '--document:' '--timestamp-ca:' '--chain' '-h,--help') ;;
    'paraph watch') options=('--draw' '-c,--config:' '-h,--help') ;;
    'paraph help') commands=(ask back calibrate cancel compare contacts devices doctor front generate preview record render screenshot seal show sign spool status trace unseal verify watch) ;;
    'paraph help seal') commands=(new-key request self-sign) ;;
    'paraph help spool') commands=(list show retry flush drop erase export) ;;
  esac
}

# The values of an option.
_paraph_value() {
  case $1 in
    'paraph ask --socket') _paraph_files ;;
    'paraph back --socket') _paraph_files ;;
    'paraph calibrate -o' | 'paraph calibrate --output') _paraph_files rules ;;
    'paraph calibrate -c' | 'paraph calibrate --config') _paraph_files ;;
    'paraph cancel --socket') _paraph_files ;;
    'paraph compare -o' | 'paraph compare --output') _paraph_files png ;;
    'paraph devices -c' | 'paraph devices --config') _paraph_files ;;
    'paraph doctor -c' | 'paraph doctor --config') _paraph_files ;;
    'paraph doctor --handoff-config') _paraph_files ;;
    'paraph front --socket') _paraph_files ;;
    'paraph generate --template') _paraph_files in ;;
    'paraph preview -o' | 'paraph preview --output') _paraph_files png ;;
    'paraph preview --document') _paraph_files pdf png txt ;;
    'paraph preview --slide') _paraph_files png ;;
    'paraph preview -c' | 'paraph preview --config') _paraph_files ;;
    'paraph record -o' | 'paraph record --output') _paraph_files ;;
    'paraph record -c' | 'paraph record --config') _paraph_files ;;
    'paraph render -o' | 'paraph render --output') _paraph_files png svg inkml ;;
    'paraph render -m' | 'paraph render --model') _paraph_words default ductus uberSignature velocityStrip polyline ;;
    'paraph render --dpi') _paraph_words panel ;;
    'paraph screenshot -o' | 'paraph screenshot --output') _paraph_files png ;;
    'paraph screenshot --socket') _paraph_files ;;
    'paraph seal new-key --type') _paraph_words ec rsa ;;
    'paraph seal new-key -o' | 'paraph seal new-key --output') _paraph_files key pem ;;
    'paraph seal request --key') _paraph_files key pem ;;
    'paraph seal request -o' | 'paraph seal request --output') _paraph_files csr pem ;;
    'paraph seal self-sign --key') _paraph_files key pem ;;
    'paraph seal self-sign -o' | 'paraph seal self-sign --output') _paraph_files pem crt ;;
    'paraph show --socket') _paraph_files ;;
    'paraph sign --document') _paraph_files pdf png txt ;;
    'paraph sign -o' | 'paraph sign --output') _paraph_files png svg inkml json ;;
    'paraph sign --socket') _paraph_files ;;
    'paraph spool list --spool') _paraph_folders ;;
    'paraph spool show --spool') _paraph_folders ;;
    'paraph spool retry --spool') _paraph_folders ;;
    'paraph spool flush --spool') _paraph_folders ;;
    'paraph spool drop --spool') _paraph_folders ;;
    'paraph spool erase --spool') _paraph_folders ;;
    'paraph spool export -o' | 'paraph spool export --output') _paraph_folders ;;
    'paraph spool export --spool') _paraph_folders ;;
    'paraph status --socket') _paraph_files ;;
    'paraph trace -m' | 'paraph trace --model') _paraph_words default ductus uberSignature velocityStrip polyline ;;
    'paraph unseal --key') _paraph_files pem key ;;
    'paraph unseal --certificate') _paraph_files pem crt ;;
    'paraph unseal -o' | 'paraph unseal --output') _paraph_folders ;;
    'paraph verify --certificate') _paraph_files pem crt ;;
    'paraph verify --ca') _paraph_files pem crt ;;
    'paraph verify --document') _paraph_files ;;
    'paraph verify --timestamp-ca') _paraph_files pem crt ;;
    'paraph watch -c' | 'paraph watch --config') _paraph_files ;;
  esac
}

# The values of an operand, by the number of operands before it.
_paraph_operand() {
  case $1 in
    'paraph calibrate'' 0') _paraph_files ;;
    'paraph compare'' 0') _paraph_files ;;
    'paraph contacts'' 0') _paraph_files ;;
    'paraph generate'' 0') _paraph_words bash zsh fish man ;;
    'paraph generate'' 1') _paraph_words paraph paraphd paraph-handoff paraph-seal paraph-web ;;
    'paraph record'' 0') _paraph_files ;;
    'paraph render'' 0') _paraph_files ;;
    'paraph spool list'' '*) _paraph_words new failed delivered ;;
    'paraph spool show'' 0') _paraph_words $(paraph spool list 2>/dev/null | cut -f 4 | grep -x "[0-9A-Za-z-]*") ;;
    'paraph spool retry'' '*) _paraph_words $(paraph spool list failed 2>/dev/null | cut -f 4 | grep -x "[0-9A-Za-z-]*") ;;
    'paraph spool drop'' '*) _paraph_words $(paraph spool list 2>/dev/null | cut -f 4 | grep -x "[0-9A-Za-z-]*") ;;
    'paraph spool erase'' '*) _paraph_words $(paraph spool list 2>/dev/null | cut -f 4 | grep -x "[0-9A-Za-z-]*") ;;
    'paraph spool export'' '*) _paraph_words $(paraph spool list 2>/dev/null | cut -f 4 | grep -x "[0-9A-Za-z-]*") ;;
    'paraph trace'' 0') _paraph_files ;;
    'paraph unseal'' 0') _paraph_files cms ;;
    'paraph verify'' '*) _paraph_folders ;;
    'paraph watch'' 0') _paraph_files ;;
  esac
}

_paraph_words() {
  mapfile -t COMPREPLY < <(compgen -W "$*" -- "$current")
}

# Files with one of these suffixes, or all, and folders.
_paraph_files() {
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

_paraph_folders() {
  compopt -o filenames 2>/dev/null
  mapfile -t COMPREPLY < <(compgen -d -- "$current")
}

_paraph() {
  local current=${COMP_WORDS[COMP_CWORD]} path='paraph' ended='' option='' operands=0
  local -a commands options names
  local word spec i
  COMPREPLY=()
  _paraph_describe "$path"
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
      _paraph_describe "$path"
    else
      operands=$((operands + 1))
    fi
  done
  if [[ -n $option ]]; then
    [[ $current == = ]] && current=''
    _paraph_value "$path $option"
  elif [[ -z $ended && $current == -* ]]; then
    names=()
    for spec in "${options[@]}"; do
      spec=${spec%%[:\*]*}
      names+=(${spec//,/ })
    done
    _paraph_words "${names[@]}"
  elif ((${#commands[@]})); then
    _paraph_words "${commands[@]}"
  else
    _paraph_operand "$path $operands"
  fi
}

complete -F _paraph paraph
