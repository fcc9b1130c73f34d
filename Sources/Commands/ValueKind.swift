/// The values of an option or an operand, and how a shell completes them.
public struct ValueKind: Sendable {
  enum Form { case any, closed, open, printed, file, folder }

  let form: Form
  /// The words that a shell offers, the suffixes of files, or the command that prints the words.
  let words: [String]

  /// Any text; nothing is completed.
  public static var any: ValueKind { ValueKind(form: .any, words: []) }
  /// One of these words; another one is refused.
  public static func oneOf(_ words: [String]) -> ValueKind {
    ValueKind(form: .closed, words: words)
  }
  /// These words, or something else that the command examines.
  public static func words(_ words: [String]) -> ValueKind { ValueKind(form: .open, words: words) }
  /// The words of letters, digits and hyphens that a command prints, one per line; anything is taken.
  public static func words(printedBy command: String) -> ValueKind {
    // Other characters could have a meaning in the shell.
    ValueKind(form: .printed, words: ["\(command) | grep -x \"[0-9A-Za-z-]*\""])
  }
  /// A file with one of these suffixes (without a dot); any file where there are none.
  public static func file(_ suffixes: [String]) -> ValueKind {
    ValueKind(form: .file, words: suffixes)
  }
  /// A folder.
  public static var folder: ValueKind { ValueKind(form: .folder, words: []) }

  /// " One of: a, b.", or nothing where other words are taken too.
  var listed: String { form == .closed ? " One of: \(words.joined(separator: ", "))." : "" }
}
