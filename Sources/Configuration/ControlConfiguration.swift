internal import Linux

/// The section `[control]`: the socket for clients and its permissions.
public struct ControlConfiguration: Equatable, Sendable {
  /// The path of the socket for clients.
  public enum Socket: Equatable, Sendable {
    /// In the service's runtime directory; no socket outside of a service.
    case automatic
    /// At this path.
    case path(String)
    /// No socket.
    case none
  }

  /// The socket for clients.
  public var socket: Socket
  /// The permissions of the socket.
  public var mode: UInt32
  /// The owner and group of the socket, by name or id; nil: those of the service.
  public var owner: String?, group: String?
  /// The users that may call methods, besides root and the service's user; empty: all that can connect.
  public var users: [String]
  /// The user of paraph-web, which names the tokens of its clients, by name or id.
  public var webUser: String
  /// Whether clients can watch strokes while they are drawn.
  public var watchStrokes: Bool
  /// Whether clients can press the pad's buttons.
  public var pressButtons: Bool

  init(_ section: Section) {
    socket = section.value("socket", .socket, default: .automatic)
    mode = section.value("mode", .mode, default: 0o660)
    owner = section.value("owner", .text)
    group = section.value("group", .text)
    users = section.value("users", .words, default: [])
    webUser = section.value("web-user", .text, default: "paraph-web")
    watchStrokes = section.value("watch-strokes", .flag, default: false)
    pressButtons = section.value("press-buttons", .flag, default: false)
  }
}

extension ValueType where Value == ControlConfiguration.Socket {
  fileprivate static var socket: ValueType {
    ValueType { text throws(Refusal) in
      if text == "auto" { return .automatic }
      if text == "none" { return .none }
      // sun_path of unix(7) has 108 bytes with its NUL.
      if let path = text.absolutePath, path.utf8.count < 108 { return .path(path) }
      throw Refusal("must be auto, none or an absolute path below 108 bytes, not \"\(text)\"")
    }
  }
}

extension ValueType where Value == UInt32 {
  /// File permissions in octal digits.
  fileprivate static var mode: ValueType {
    ValueType { text throws(Refusal) in
      let isOctal = text.utf8.allSatisfy { $0.isDigit }
      if isOctal, let mode = UInt32(text, radix: 8), mode <= 0o777 { return mode }
      throw Refusal("must be permissions such as 0660, not \"\(text)\"")
    }
  }
}

extension ValueType where Value == [String] {
  /// Words separated by blanks.
  fileprivate static var words: ValueType {
    ValueType { text throws(Refusal) in Words.split(text) }
  }
}
