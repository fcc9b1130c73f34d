import CLinux
import Linux

/// The commands of a page in config/, so that tests run what the page says.
public struct DocumentedCommands: Sendable {
  /// The lines of indented blocks. Continued lines are joined, and a loop is one command.
  private var commands: [String] = []

  /// Reads a page.
  public init(of page: String) throws {
    let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    let text = String(
      decoding: try Fixtures.read("\(root)/config/\(page)"), as: UTF8.self)
    var (isContinued, isLoop) = (false, false)
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      guard line.hasPrefix("    ") else {
        (isContinued, isLoop) = (false, false)
        continue
      }
      if isContinued || isLoop {
        commands[commands.count - 1] += "\n" + line
      } else {
        commands.append(String(line.drop { $0 == " " }))
      }
      isContinued = line.hasSuffix("\\")
      isLoop = isLoop ? line.drop { $0 == " " } != "done" : line.hasPrefix("    for ")
    }
  }

  /// The only command with all of these words.
  public func command(_ words: String...) throws -> String {
    let found = commands.filter { command in
      words.allSatisfy { command.contains($0) }
    }
    guard found.count == 1, let command = found.first else {
      throw SystemError(
        "find", "\(words): \(found.count) commands", Errno(ENOENT))
    }
    return command
  }

  /// Runs a command by the shell in a folder, where "paraph" is the built program.
  public static func run(_ command: String, in folder: String) throws -> Programs.Result {
    let own = Programs.path("paraph").split(separator: "/").dropLast().map { "/" + $0 }.joined()
    return try Programs.run(
      path: "/bin/sh", ["-c", "PATH='\(own)':$PATH; cd '\(folder)' || exit 99; \(command)"])
  }
}
