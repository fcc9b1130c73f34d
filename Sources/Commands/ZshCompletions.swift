/// Completions for zsh, by its function _arguments.
struct ZshCompletions {
  private let program: Command

  init(_ program: Command) { self.program = program }

  var script: String {
    let commands = program.all([program.name])
    return "#compdef \(program.name)\n\n"
      + commands.map { function($0.path, $0.command) }.joined(separator: "\n")
        // Loaded by its name the file is the function's body; read by "source" it registers the function.
        + """

        if [[ $funcstack[1] == _\(program.name) ]]; then
          \(name([program.name])) "$@"
        else
          compdef \(name([program.name])) \(program.name)
        fi

        """
  }

  private func name(_ path: [String]) -> String {
    // The file's own name is "_" and the program's.
    "__" + path.joined(separator: "_").split(separator: "-").joined(separator: "_") + "_arguments"
  }

  private func function(_ path: [String], _ command: Command) -> String {
    var specs = command.allOptions.map { option($0) }
    specs += command.operands.map { operand($0) }
    var body = ""
    if command.subcommands.isEmpty {
      body = "  _arguments -s -S : \\\n    " + specs.joined(separator: " \\\n    ") + "\n"
    } else {
      specs += ["'(-): :->command'", "'(-)*:: :->arguments'"]
      body = """
          local context state state_descr line curcontext=$curcontext
          typeset -A opt_args
          _arguments -C -s -S : \\
            \(specs.joined(separator: " \\\n    ")) && return
          case $state in
            command)
              local -a commands=(
                \(commands(path, command).joined(separator: "\n        "))
              )
              _describe -t commands command commands
              ;;
            arguments)
              case $words[1] in
                \(calls(path, command).joined(separator: "\n        "))
              esac
              ;;
          esac

        """
    }
    return "\(name(path))() {\n\(body)}\n"
  }

  private func commands(_ path: [String], _ command: Command) -> [String] {
    let help = path.count == 1 ? [quoted("help:Explain a command and its options.")] : []
    return command.subcommands.map { quoted("\($0.name):\($0.abstract)") } + help
  }

  private func calls(_ path: [String], _ command: Command) -> [String] {
    let help =
      path.count == 1
      ? [
        "help) ((CURRENT == 2)) && compadd -- \(command.subcommands.map { $0.name }.joined(separator: " ")) ;;"
      ]
      : []
    return command.subcommands.map { "\($0.name)) \(name(path + [$0.name])) ;;" } + help
  }

  private func option(_ option: Option) -> String {
    let text = "[\(escaped(option.help))]"
    let exclusion = option.isRepeatable ? "'*'" : "'(\(option.spellings.joined(separator: " ")))'"
    var value = ""
    if let name = option.value { value = ":\(escaped(name)):\(action(option.values))" }
    let long = "--\(option.name)" + (option.value == nil ? "" : "=")
    guard let short = option.shortSpelling else {
      return option.isRepeatable
        ? quoted("*\(long)\(text)\(value)") : exclusion + quoted(long + text + value)
    }
    let names = "{\(short)\(option.value == nil ? "" : "+"),\(long)}"
    return exclusion + names + quoted(text + value)
  }

  private func operand(_ operand: Operand) -> String {
    let start =
      switch operand.count {
      case .one: ":"
      case .optional: "::"
      case .any, .several: "*:"
      }
    return quoted("\(start)\(escaped(operand.name)):\(action(operand.values))")
  }

  private func action(_ values: ValueKind) -> String {
    switch values.form {
    case .any: return " "
    case .closed, .open: return "(\(values.words.joined(separator: " ")))"
    case .printed: return "{compadd -- $(\(values.words.joined()))}"
    case .file:
      return values.words.isEmpty
        ? "_files" : "_files -g \"*.(\(values.words.joined(separator: "|")))\""
    case .folder: return "_files -/"
    }
  }

  /// Escapes the characters with a meaning in a specification.
  private func escaped(_ text: String) -> String {
    var result = ""
    for character in text.unicodeScalars {
      if character == ":" || character == "[" || character == "]" || character == "\\" {
        result += "\\"
      }
      result.unicodeScalars.append(character)
    }
    return result
  }
}
