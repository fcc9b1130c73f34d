internal import JSON

/// The pad's own account of its state, by Varlink (org.paraph.Pad).
struct PadStatus: Equatable, Sendable {
  /// Its state, as Watch names it; "unknown" without a pad.
  var state = unknownState
  /// Whether it reads a touchscreen; nil: unknown.
  var touch: Bool?
  /// Whether it has a panel; nil: unknown.
  var panel: Bool?

  static let unknownState = "unknown"
  private static let stateLimit = 32

  /// The state in a reply of Watch; nil if it is not a valid name.
  static func state(in reply: JSONValue) -> String? {
    guard let text = reply["state"]?.text, !text.isEmpty, text.utf8.count <= stateLimit,
      // It becomes a label of the metrics.
      text.utf8.allSatisfy({
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) || $0 == UInt8(ascii: "_")
      })
    else { return nil }
    return text
  }

  /// Reads touchscreens and panel from a reply of GetInfo.
  mutating func read(info: JSONValue) {
    panel = info["panel"].map { !$0.isNull } ?? false
    touch = info["touchscreens"]?.elements?.contains { $0["in_use"]?.flag == true }
  }
}
