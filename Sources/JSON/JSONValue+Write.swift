internal import CLibjansson
internal import CLinux

extension JSONValue {
  /// How JSON is laid out.
  public enum Layout: Sendable {
    /// Without any blank.
    case compact
    /// A line for each member, for people.
    case lines
  }

  /// UTF-8, without a line end. Members are in their order, or sorted by name. Numbers with a fraction
  /// have `digits` significant digits: 17 give every Double back, 9 every Float.
  public func bytes(
    _ layout: Layout = .compact, sorted: Bool = false, digits: Int = 17
  ) -> [UInt8] {
    var flags = Int(JSON_ENCODE_ANY) | (digits & 0x1f) << 11  // JSON_REAL_PRECISION
    flags |= layout == .compact ? Int(JSON_COMPACT) : 2  // JSON_INDENT(2)
    if sorted { flags |= Int(JSON_SORT_KEYS) }
    guard let text = unsafe json_dumps(json, flags) else { preconditionFailure("out of memory") }
    defer { unsafe free(text) }
    let count = unsafe strlen(text)
    return unsafe UnsafeBufferPointer(start: text, count: count).map { UInt8(bitPattern: $0) }
  }
}
