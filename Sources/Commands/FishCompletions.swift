/// Completions for fish.
struct FishCompletions {
  private let program: Command

  init(_ program: Command) { self.program = program }

  var script: String {
    let name = program.functionName
    return """
      # Completions of \(program.name) for fish.

      # Whether the words before the cursor name this command. Above the last subcommand no option takes a value.
      function __\(name)_at
        set -l path
        for word in (commandline -opc)[2..]
          if test (count $path) -eq (count $argv)
            break
          end
          string match -q -- '-*' $word; or set -a path $word
        end
        test "$path" = "$argv"
      end

      # Whether an option is given only by the word before the cursor, whose value is being completed, or not at all.
      function __\(name)_unused
        set -l words (commandline -opc)
        set -e words[-1]
        for word in $words
          contains -- (string split -m 1 = -- $word)[1] $argv; and return 1
        end
        true
      end

      complete -c \(program.name) -f
      \(program.all([program.name]).flatMap { lines($0.path, $0.command) }.joined(separator: "\n"))

      """
  }

  private func lines(_ path: [String], _ command: Command) -> [String] {
    let names = path.dropFirst().joined(separator: " ")
    // Words for a command with subcommands are offered only before a subcommand is given.
    let at = "__\(program.functionName)_at" + (names.isEmpty ? "" : " \(names)")
    let here =
      command.subcommands.isEmpty
      ? at
      : "\(at); and not __fish_seen_subcommand_from "
        + (command.subcommands.map { $0.name } + ["help"]).joined(separator: " ")
    let start = "complete -c \(program.name) -n "
    var lines = command.subcommands.map {
      "\(start)\(quoted(here)) -a \($0.name) -d \(quoted($0.abstract))"
    }
    if path.count == 1 && !lines.isEmpty {
      lines.append("\(start)\(quoted(here)) -a help -d 'Explain a command and its options.'")
      let all = command.subcommands.map { $0.name }.joined(separator: " ")
      lines.append("\(start)\(quoted("\(at) help")) -a \(quoted(all))")
    }
    lines += command.operands.compactMap { operand in
      action(operand.values).map { "\(start)\(quoted(here)) \($0) -d \(quoted(operand.help))" }
    }
    return lines
      + command.allOptions.map { option in
        let short = option.short.map { "-s \($0) " } ?? ""
        // A flag that was given is not offered again. An option that was given is not either, but
        // its value is.
        let unused =
          option.value == nil
          ? "not __fish_contains_opt \(short)\(option.name)"
          : "__\(program.functionName)_unused \(option.spellings.joined(separator: " "))"
        let condition = option.isRepeatable ? here : "\(here); and \(unused)"
        var line = "\(start)\(quoted(condition)) \(short)-l \(option.name)"
        if option.value != nil {
          let action = action(option.values)
          // With -r alone, fish offers all files too, and it refuses -x beside -F.
          line += (action == "-F" ? " -r" : " -x") + (action.map { " " + $0 } ?? "")
        }
        return line + " -d \(quoted(option.help))"
      }
  }

  private func action(_ values: ValueKind) -> String? {
    switch values.form {
    case .any: return nil
    case .closed, .open: return "-a \(quoted(values.words.joined(separator: " ")))"
    case .printed: return "-a \(quoted("(\(values.words.joined()))"))"
    case .file:
      if values.words.isEmpty { return "-F" }
      let suffixes = values.words.map { "." + $0 }.joined(separator: " ")
      return "-k -a \(quoted("(__fish_complete_suffix \(suffixes))"))"
    case .folder: return "-a '(__fish_complete_directories)'"
    }
  }

  /// fish escapes a quote within quotes by a backslash, and a backslash too.
  private func quoted(_ text: String) -> String {
    var result = "'"
    for character in text.unicodeScalars {
      if character == "'" || character == "\\" { result += "\\" }
      result.unicodeScalars.append(character)
    }
    return result + "'"
  }
}
