extension Command {
  /// The text of `--help`, in lines of at most 79 characters.
  ///
  /// - Parameter path: The names from the program to this command.
  public func help(_ path: [String]) -> String {
    var page = HelpPage()
    page.text("usage: \(usage(path))", indent: 7, first: 0)
    page.text(abstract)
    for paragraph in discussion {
      page.line("")
      page.text(paragraph)
    }
    if !operands.isEmpty { page.line("\nArguments:") }
    for operand in operands { page.row(operand.name, operand.fullHelp) }
    if !subcommands.isEmpty { page.line("\nCommands:") }
    for command in subcommands { page.row(command.name, command.abstract) }
    page.line("\nOptions:")
    for option in allOptions {
      let short = option.shortSpelling
      page.row((short == nil ? "    " : "\(short ?? ""), ") + option.longSpelling, option.fullHelp)
    }
    if !exitCodes.isEmpty { page.line("\nExit status:") }
    for code in exitCodes { page.row("\(code.code)", code.text, column: 7) }
    if !examples.isEmpty { page.line("\nExamples:") }
    for example in examples {
      page.line("  \(example.line)")
      page.text(example.text, indent: 6)
    }
    if !subcommands.isEmpty && path.count == 1 {
      page.line("\n'\(name) help COMMAND' explains a command and its options.")
    }
    return page.output
  }
}

/// Lines of help that are broken at blanks.
private struct HelpPage {
  private static let width = 79
  private(set) var output = ""

  mutating func line(_ text: String) { output += text + "\n" }

  /// A text whose lines begin at a column; the first one may begin elsewhere.
  mutating func text(_ text: String, indent: Int = 0, first: Int? = nil) {
    append(text, indent: indent, column: 0, padding: first ?? indent)
  }

  /// A name, and its text in a column of its own.
  mutating func row(_ name: String, _ text: String, column: Int = 26) {
    output += "  \(name)"
    let used = 2 + name.unicodeScalars.count
    let isLong = used > column - 2
    if isLong { output += "\n" }
    append(
      text, indent: column, column: isLong ? 0 : used, padding: isLong ? column : column - used)
  }

  private mutating func append(_ text: String, indent: Int, column: Int, padding: Int) {
    output += String(repeating: " ", count: padding)
    var column = column + padding
    var isFirst = true
    for word in text.utf8.split(separator: UInt8(ascii: " ")) {
      let word = String(decoding: word, as: UTF8.self)
      let count = word.unicodeScalars.count
      if !isFirst {
        if column + 1 + count > Self.width {
          output += "\n" + String(repeating: " ", count: indent)
          column = indent
        } else {
          output += " "
          column += 1
        }
      }
      output += word
      column += count
      isFirst = false
    }
    output += "\n"
  }
}
