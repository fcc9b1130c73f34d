/// A command line's request to a program: run a command, or print a text.
public enum Invocation: Sendable {
  /// Run the command.
  case run(Arguments)
  /// Print this on standard output, and succeed.
  case print(String)
}

extension Command {
  /// Parses the words after the program's name, as GNU programs do: options may be abbreviated, stand after
  /// operands, and have their value behind "=".
  ///
  /// Not thread-safe: getopt_long(3) has global state.
  ///
  /// - Parameter versions: The lines that `--version --verbose` prints below the version.
  public func parse(
    _ words: [String], versions: () -> [String] = { [] }
  ) throws(UsageError) -> Invocation {
    try parse(words, [name], versions)
  }

  private func parse(
    _ words: [String], _ path: [String], _ versions: () -> [String]
  ) throws(UsageError) -> Invocation {
    let known = allOptions
    let scan = try OptionScan(words, known, stopsAtOperand: !subcommands.isEmpty, path)
    let isVerbose = version != nil && scan.options.contains { known[$0.index].name == "verbose" }
    for (index, _) in scan.options {
      let option = known[index].name
      if option == "help" { return .print(help(path)) }
      if option == "version", let version {
        let lines = isVerbose ? versions() : []
        return .print((["\(name) \(version)"] + lines).joined(separator: "\n") + "\n")
      }
    }
    if isVerbose { throw UsageError(path, "option '--verbose' needs '--version'") }
    if subcommands.isEmpty {
      let arguments = Arguments(
        path, scan.options.map { (known[$0.index].name, $0.value) }, scan.operands)
      try check(arguments)
      return .run(arguments)
    }
    guard let first = scan.operands.first else { return .print(help(path)) }
    let rest = Array(scan.operands.dropFirst())
    if first == "help" && path.count == 1 {
      let isAboutHelp = rest.count == 1 && ["help", "--help", "-h"].contains(rest[0])
      return .print(isAboutHelp ? help(path) : try help(on: rest, path))
    }
    return try named(first, path).parse(rest, path + [first], versions)
  }

  /// The help on a command below this one.
  private func help(on names: [String], _ path: [String]) throws(UsageError) -> String {
    guard let first = names.first else { return help(path) }
    return try named(first, path).help(on: Array(names.dropFirst()), path + [first])
  }

  private func named(_ name: String, _ path: [String]) throws(UsageError) -> Command {
    if let command = subcommand(name) { return command }
    if subcommands.isEmpty { throw UsageError(path, "unexpected argument '\(name)'") }
    let suggestion = Suggestion.text(name, subcommands.map { $0.name })
    throw UsageError(path, "unknown command '\(name)'\(suggestion)")
  }

  /// Checks options and operands against the command's description.
  private func check(_ arguments: Arguments) throws(UsageError) {
    for option in options {
      if option.isRequired { _ = try arguments.required(option.name) }
      for value in arguments.values(option.name) {
        try check(value, option.values, "option '--\(option.name)'", arguments)
      }
    }
    for (index, operand) in operands.enumerated() where operand.isRequired {
      if index >= arguments.operands.count { throw arguments.error("\(operand.name) is missing") }
    }
    for (index, word) in arguments.operands.enumerated() {
      guard let last = operands.last, index < operands.count || last.isRepeatable else {
        throw arguments.error("unexpected argument '\(word)'")
      }
      let operand = index < operands.count ? operands[index] : last
      try check(word, operand.values, operand.name, arguments)
    }
  }

  private func check(
    _ value: String, _ values: ValueKind, _ subject: String, _ arguments: Arguments
  ) throws(UsageError) {
    let words = values.words
    guard values.form == .closed, !words.contains(value) else { return }
    let suggestion = Suggestion.text(value, words)
    throw arguments.error(
      "\(subject) does not take '\(value)'\(suggestion): it is one of \(words.joined(separator: ", "))"
    )
  }
}
