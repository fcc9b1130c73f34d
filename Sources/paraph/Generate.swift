import CLinux
import Commands
import Configuration
import Linux

struct Generate: Runnable {
  static var command: Command {
    Command(
      "generate", "Generate a program's completions or manual page.",
      discussion: [
        "For packagers: prints the file to standard output. The packages and 'make install' install all of "
          + "these files."
      ],
      options: [
        Option(
          "template", value: "FILE", values: .file(["in"]),
          "Insert the generated sections of a manual page into FILE.")
      ],
      operands: [
        Operand(
          "FORMAT", count: .one, values: .oneOf(formats),
          "A shell's completions, or man for the manual page."),
        Operand(
          "PROGRAM", count: .optional,
          values: .oneOf(["paraph", "paraphd", "paraph-handoff", "paraph-seal", "paraph-web"]),
          "The program; without one, paraph."),
      ],
      examples: [
        Command.Example(
          "paraph generate bash > ~/.local/share/bash-completion/completions/paraph",
          "Complete the options of paraph in bash.")
      ],
      exitCodes: [
        Command.ExitCode(66, "The template does not exist.")
      ])
  }

  private static var formats: [String] { Completions.allCases.map { $0.rawValue } + ["man"] }

  private let program: Command
  private let shell: Completions?
  private let template: String?

  init(_ arguments: Arguments) throws(UsageError) {
    shell = Completions(rawValue: arguments.operands.first ?? "")
    switch arguments.operands.last {
    case "paraphd": program = DaemonArguments.pad
    case "paraph-handoff": program = DaemonArguments.handoff
    case "paraph-seal": program = DaemonArguments.seal
    case "paraph-web": program = DaemonArguments.web
    default: program = ParaphCommand.command
    }
    template = arguments.value("template")
    if shell == nil && template == nil {
      throw arguments.error("a manual page needs the option '--template'")
    }
    if shell != nil && template != nil {
      throw arguments.error("option '--template' is for manual pages only")
    }
  }

  func run() throws(ToolError) {
    var output = StandardOutput()
    if let shell {
      try output.write(shell.script(for: program))
    } else if let template {
      try output.write(ManualPage(program).text(template: try Self.text(of: template)))
    }
    try output.flush()
  }

  private static func text(of path: String) throws(ToolError) -> String {
    let bytes: [UInt8]?
    do throws(Errno) {
      bytes = try FileDescriptor(opening: path, O_RDONLY).readAll(limit: 1 << 20)
    } catch { throw ToolError(.noInput, SystemError("read", path, error).text) }
    guard let bytes else { throw ToolError(.data, "\(path): larger than 1 MiB") }
    return String(decoding: bytes, as: UTF8.self)
  }
}
