/// The generated parts of a program's manual page, for man(7).
///
/// A template holds what is written by hand. A line that is only a name between at signs is replaced: `@NAME@`,
/// `@SYNOPSIS@`, `@OPTIONS@`, `@COMMANDS@`, `@EXIT STATUS@` and `@EXAMPLES@` by that section, and `@VERSION@`,
/// anywhere, by the version.
public struct ManualPage {
  private let program: Command

  /// The page of a program.
  public init(_ program: Command) { self.program = program }

  /// The filled template.
  public func text(template: String) -> String {
    var lines: [String] = []
    for line in template.split(separator: "\n", omittingEmptySubsequences: false) {
      switch line {
      case "@NAME@": lines += name
      case "@SYNOPSIS@": lines += synopsis
      case "@OPTIONS@": lines += [".SH OPTIONS"] + options(of: program)
      case "@COMMANDS@": lines += commands
      case "@EXIT STATUS@": lines += [".SH EXIT STATUS"] + exitCodes(of: program)
      case "@EXAMPLES@": lines += examples
      default: lines.append(versioned(String(line)))
      }
    }
    return lines.joined(separator: "\n")
  }

  private func versioned(_ line: String) -> String {
    let parts = line.split(separator: "@", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[1] == "VERSION" else { return line }
    return parts[0] + (program.version ?? "") + parts[2]
  }

  private var name: [String] {
    // "Sign." in the list of all manual pages is "sign".
    let first = program.abstract.prefix(1).lowercased()
    let rest = program.abstract.dropFirst().prefix { $0 != "." }
    return [".SH NAME", "\(escaped(program.name)) \\- \(escaped(first + rest))"]
  }

  private var synopsis: [String] {
    let form =
      program.subcommands.isEmpty
      ? "[\\fIOPTION\\fR]..." : "\\fICOMMAND\\fR [\\fIOPTION\\fR]... [\\fIARGUMENT\\fR]..."
    return [".SH SYNOPSIS", "\\fB\(escaped(program.name))\\fR \(form)"]
  }

  private func options(of command: Command) -> [String] {
    command.allOptions.flatMap { option in
      let value = option.value.map { " \\fI\(escaped($0))\\fR" } ?? ""
      let long = "\\fB\(escaped("--" + option.name))\\fR\(value)"
      let short = option.shortSpelling.map { "\\fB\(escaped($0))\\fR, " } ?? ""
      return [".TP", short + long, line(option.fullHelp)]
    }
  }

  private var commands: [String] {
    [".SH COMMANDS"] + program.subcommands.flatMap { sections(of: $0, [program.name, $0.name]) }
  }

  private func sections(of command: Command, _ path: [String]) -> [String] {
    if !command.subcommands.isEmpty {
      return command.subcommands.flatMap { sections(of: $0, path + [$0.name]) }
    }
    var lines = [".SS \(escaped(command.usage(path)))", line(command.abstract)]
    for paragraph in command.discussion { lines += [".PP", line(paragraph)] }
    for operand in command.operands {
      lines += [".TP", "\\fI\(escaped(operand.name))\\fR", line(operand.fullHelp)]
    }
    lines += options(of: command)
    if !command.exitCodes.isEmpty { lines += [".PP", "Exit status:"] + exitCodes(of: command) }
    return lines
  }

  private func exitCodes(of command: Command) -> [String] {
    command.exitCodes.flatMap { [".TP 6", "\($0.code)", line($0.text)] }
  }

  /// The examples of the program and of all commands below it.
  private var examples: [String] {
    func all(_ command: Command) -> [Command.Example] {
      command.examples + command.subcommands.flatMap { all($0) }
    }
    let lines = all(program).flatMap { [".TP", "\\fB\(escaped($0.line))\\fR", line($0.text)] }
    return lines.isEmpty ? [] : [".SH EXAMPLES"] + lines
  }

  /// A line of text, which must not begin as a request does.
  private func line(_ text: String) -> String {
    let text = escaped(text)
    return text.hasPrefix(".") ? "\\&" + text : text
  }

  private func escaped(_ text: String) -> String {
    var result = ""
    for character in text.unicodeScalars {
      switch character {
      case "\\": result += "\\e"
      case "-": result += "\\-"
      case "\"": result += "\\(dq"
      // groff shows these as typographic characters, which no shell reads.
      case "'": result += "\\(aq"
      case "`": result += "\\(ga"
      case "~": result += "\\(ti"
      case "^": result += "\\(ha"
      default: result.unicodeScalars.append(character)
      }
    }
    return result
  }
}
