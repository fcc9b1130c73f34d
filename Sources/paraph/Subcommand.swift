import Commands

/// What a subcommand's type has: its description, its options as values, and its work.
protocol Runnable {
  static var command: Command { get }
  init(_ arguments: Arguments) throws(UsageError)
  func run() throws(ToolError)
}

/// A subcommand of `paraph`.
struct Subcommand {
  let command: Command
  /// Empty unless it is a group.
  let subcommands: [Subcommand]
  /// Runs it; a group does nothing.
  let run: (Arguments) throws(ToolError) -> Void

  /// The subcommand that a type describes and runs.
  init<Type: Runnable>(_ type: Type.Type) {
    command = Type.command
    subcommands = []
    run = { (arguments: Arguments) throws(ToolError) in
      let runnable: Type
      do throws(UsageError) { runnable = try Type(arguments) } catch { throw ToolError(error) }
      try runnable.run()
    }
  }

  /// A group of subcommands.
  init(_ name: String, _ abstract: String, _ subcommands: [Subcommand]) {
    command = Command(name, abstract, subcommands: subcommands.map { $0.command })
    self.subcommands = subcommands
    run = { (_: Arguments) throws(ToolError) in }
  }
}
