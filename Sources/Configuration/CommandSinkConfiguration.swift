/// `type = command`: a program that is run for each signature.
public struct CommandSinkConfiguration: Equatable, Sendable {
  /// The program's path and its arguments; the item's folder comes after them.
  public var words: [String]
  /// For a run, in nanoseconds; then it is killed with all that it started.
  public var timeLimit: Int64

  init?(_ section: Section) {
    let words = section.required("command", .words)
    timeLimit = section.value("time-limit", .timeLimit, default: 60_000_000_000)
    guard let words else { return nil }
    self.words = words
  }
}

extension ValueType where Value == [String] {
  /// An absolute path and arguments between blanks.
  fileprivate static var words: ValueType {
    ValueType { text throws(Refusal) in
      let words = Words.cut(text)
      _ = try ValueType<String>.path.read(words.first ?? "")
      return words
    }
  }
}
