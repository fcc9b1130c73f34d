import CLinux
import Linux

/// The indented examples of a page in config/, so that tests run what the page says.
public struct DocumentedExamples: Sendable {
  /// The lines of each block, without its indentation.
  private let blocks: [[Substring]]

  /// Reads a page.
  public init(of page: String) throws {
    var blocks: [[Substring]] = [[]]
    let text = try Fixtures.text("\(Fixtures.root)/config/\(page)")
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("    ") {
        blocks[blocks.count - 1].append(line.dropFirst(4))
      } else if line.isEmpty {
        blocks[blocks.count - 1].append("")
      } else {
        blocks.append([])
      }
    }
    self.blocks = blocks
  }

  /// The only block with this text.
  public func block(_ text: String) throws -> String {
    try Self.only(blocks.map { $0.joined(separator: "\n") }, with: [text])
  }

  /// The only command with all of these words. Continued lines belong together, and those of a loop.
  public func command(_ words: String...) throws -> String {
    try Self.only(blocks.flatMap(Self.commands), with: words)
  }

  private static func only(_ texts: [String], with words: [String]) throws -> String {
    let found = texts.filter { text in words.allSatisfy { text.contains($0) } }
    guard found.count == 1, let text = found.first else {
      throw SystemError("find", "\(words): \(found.count) examples", Errno(ENOENT))
    }
    return text
  }

  private static func commands(in block: [Substring]) -> [String] {
    var commands: [String] = []
    var (isContinued, isLoop) = (false, false)
    for line in block {
      if isContinued || isLoop {
        commands[commands.count - 1] += "\n" + line
      } else {
        commands.append(String(line))
      }
      isContinued = line.hasSuffix("\\")
      isLoop = isLoop ? line != "done" : line.hasPrefix("for ")
    }
    return commands
  }

  /// Runs a command by the shell in a folder, where "paraph" is the built program.
  public static func run(_ command: String, in folder: String) throws -> Programs.Result {
    let own = Programs.path("paraph").split(separator: "/").dropLast().map { "/" + $0 }.joined()
    return try Programs.run(
      path: "/bin/sh", ["-c", "PATH='\(own)':$PATH; cd '\(folder)' || exit 99; \(command)"])
  }
}
