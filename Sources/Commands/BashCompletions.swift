/// Completions for bash, which need no other script.
struct BashCompletions {
  private let program: Command

  init(_ program: Command) { self.program = program }

  /// An option is a word "-o,--output" with ":" behind it if it takes a value, and "*" if it can be repeated.
  var script: String {
    let name = program.functionName
    let commands = program.all([program.name])
    return """
      # Completions of \(program.name) for bash.

      # The subcommands and options of a command.
      _\(name)_describe() {
        commands=() options=()
        case $1 in
      \((commands.map { describe($0.path, $0.command) } + help(commands)).joined(separator: "\n"))
        esac
      }

      # The values of an option.
      _\(name)_value() {
        case $1 in
      \(commands.flatMap { values($0.path, $0.command) }.joined(separator: "\n"))
        esac
      }

      # The values of an operand, by the number of operands before it.
      _\(name)_operand() {
        case $1 in
      \(commands.flatMap { operands($0.path, $0.command) }.joined(separator: "\n"))
        esac
      }

      _\(name)_words() {
        mapfile -t COMPREPLY < <(compgen -W "$*" -- "$current")
      }

      # Files with one of these suffixes, or all, and folders.
      _\(name)_files() {
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

      _\(name)_folders() {
        compopt -o filenames 2>/dev/null
        mapfile -t COMPREPLY < <(compgen -d -- "$current")
      }

      _\(name)() {
        local current=${COMP_WORDS[COMP_CWORD]} path=\(quoted(program.name)) ended='' option='' operands=0
        local -a commands options names
        local word spec i
        COMPREPLY=()
        _\(name)_describe "$path"
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
              if [[ ",${spec%%[:\\*]*}," == *",$word,"* ]]; then
                [[ $spec == *:* ]] && option=$word
                [[ $spec == *\\* ]] || continue
              fi
              options+=("$spec")
            done
          elif [[ " ${commands[*]} " == *" $word "* ]]; then
            path+=" $word"
            _\(name)_describe "$path"
          else
            operands=$((operands + 1))
          fi
        done
        if [[ -n $option ]]; then
          [[ $current == = ]] && current=''
          _\(name)_value "$path $option"
        elif [[ -z $ended && $current == -* ]]; then
          names=()
          for spec in "${options[@]}"; do
            spec=${spec%%[:\\*]*}
            names+=(${spec//,/ })
          done
          _\(name)_words "${names[@]}"
        elif ((${#commands[@]})); then
          _\(name)_words "${commands[@]}"
        else
          _\(name)_operand "$path $operands"
        fi
      }

      complete -F _\(name) \(program.name)

      """
  }

  private func describe(_ path: [String], _ command: Command) -> String {
    var commands = command.subcommands.map { $0.name }
    if path.count == 1 && !commands.isEmpty { commands.append("help") }
    let options = command.allOptions.map { option in
      quoted(
        option.spellings.joined(separator: ",") + (option.value == nil ? "" : ":")
          + (option.isRepeatable ? "*" : ""))
    }
    var line = "    \(quoted(path.joined(separator: " ")))) "
    if !commands.isEmpty { line += "commands=(\(commands.joined(separator: " "))) " }
    return line + "options=(\(options.joined(separator: " "))) ;;"
  }

  /// The commands that `help` explains.
  private func help(_ commands: [(path: [String], command: Command)]) -> [String] {
    commands.filter { !$0.command.subcommands.isEmpty }.map { path, command in
      let path = ([program.name, "help"] + path.dropFirst()).joined(separator: " ")
      let names = command.subcommands.map { $0.name }.joined(separator: " ")
      return "    \(quoted(path))) commands=(\(names)) ;;"
    }
  }

  private func values(_ path: [String], _ command: Command) -> [String] {
    command.options.compactMap { option in
      guard let action = action(option.values), option.value != nil else { return nil }
      let patterns = option.spellings.map { quoted((path + [$0]).joined(separator: " ")) }
      return "    \(patterns.joined(separator: " | "))) \(action) ;;"
    }
  }

  private func operands(_ path: [String], _ command: Command) -> [String] {
    command.operands.enumerated().compactMap { index, operand in
      guard let action = action(operand.values) else { return nil }
      let place = operand.isRepeatable ? "' '*" : "' \(index)'"
      return "    \(quoted(path.joined(separator: " ")))\(place)) \(action) ;;"
    }
  }

  private func action(_ values: ValueKind) -> String? {
    let name = program.functionName
    switch values.form {
    case .any: return nil
    case .closed, .open: return (["_\(name)_words"] + values.words).joined(separator: " ")
    case .printed: return "_\(name)_words $(\(values.words.joined()))"
    case .file: return (["_\(name)_files"] + values.words).joined(separator: " ")
    case .folder: return "_\(name)_folders"
    }
  }
}

extension Option {
  /// "-o" and "--output".
  var spellings: [String] { [shortSpelling, "--\(name)"].compactMap { $0 } }
}
