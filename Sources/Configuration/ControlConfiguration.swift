/// Where programs reach the pad, and who may.
public struct ControlConfiguration: Equatable, Sendable {
  /// The socket that programs connect to.
  public enum Socket: Equatable, Sendable {
    /// In the service's runtime directory; none where there is no service manager.
    case automatic
    /// There.
    case path(String)
    /// Nowhere.
    case none
  }

  /// The socket that programs connect to.
  public var socket: Socket
  /// Its permissions.
  public var mode: UInt32
  /// Its owner and group, by name or number; nil: those of the service.
  public var owner: String?, group: String?
  /// Who may do anything besides root and the service's own user; empty: whoever can connect.
  public var users: [String]
  /// Whether strokes can be watched as they are drawn.
  public var watchStrokes: Bool

  init(_ section: Section) {
    socket = section.value("socket", .socket, default: .automatic)
    mode = section.value("mode", .mode, default: 0o660)
    owner = section.value("owner", .text)
    group = section.value("group", .text)
    users = section.value("users", .words, default: [])
    watchStrokes = section.value("watch-strokes", .flag, default: false)
  }
}

extension ValueType where Value == ControlConfiguration.Socket {
  fileprivate static var socket: ValueType {
    ValueType { text throws(Refusal) in
      if text == "auto" { return .automatic }
      if text == "none" { return .none }
      // sun_path of unix(7) has 108 bytes with its NUL.
      if text.isAbsolute, text.utf8.count < 108 { return .path(text) }
      throw Refusal("must be auto, none or an absolute path below 108 bytes, not \"\(text)\"")
    }
  }
}

extension ValueType where Value == UInt32 {
  /// Permissions, in octal digits.
  fileprivate static var mode: ValueType {
    ValueType { text throws(Refusal) in
      let digits = Array(text.utf8)
      // Ten octal digits fit into 32 bits.
      if (1...10).contains(digits.count), digits.allSatisfy({ (0x30...0x37).contains($0) }) {
        let mode = digits.reduce(0) { $0 << 3 | UInt32($1 - 0x30) }
        if mode <= 0o777 { return mode }
      }
      throw Refusal("must be permissions such as 0660, not \"\(text)\"")
    }
  }
}

extension ValueType where Value == [String] {
  /// Words between blanks.
  fileprivate static var words: ValueType {
    ValueType { text throws(Refusal) in Words.cut(text) }
  }
}
