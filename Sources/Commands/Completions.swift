/// The completions of a program for a shell.
public enum Completions: String, CaseIterable, Sendable {
  /// GNU Bash 4.4 or newer.
  case bash
  /// The Z shell.
  case zsh
  /// The friendly interactive shell, 3.0 or newer.
  case fish

  /// The script.
  public func script(for program: Command) -> String {
    switch self {
    case .bash: BashCompletions(program).script
    case .zsh: ZshCompletions(program).script
    case .fish: FishCompletions(program).script
    }
  }
}

extension Command {
  /// A name for a shell's function.
  var functionName: String { name.split(separator: "-").joined(separator: "_") }

  /// This command and all below it, each with the names from the program to it.
  func all(_ path: [String]) -> [(path: [String], command: Command)] {
    [(path, self)] + subcommands.flatMap { $0.all(path + [$0.name]) }
  }
}

/// A text in single quotes, for every shell but fish.
func quoted(_ text: String) -> String {
  "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
    + "'"
}
