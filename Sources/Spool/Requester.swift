public import JSON

/// The client that asked for a signature: its user is certain, and its program is what the program calls itself.
public struct Requester: Equatable, Sendable {
  /// The id of its user, from the kernel.
  public var uid: UInt32
  /// The name of that user in the pad's /etc/passwd; nil: it has none there, or it is not looked up yet.
  public var user: String?
  /// The name of the program as the kernel has it, which the program can change; nil: unknown.
  public var program: String?
  /// The name of the web client's token, from paraph-web; nil: none.
  public var token: String?

  /// The limit of each name, in bytes.
  public static let nameLimit = 255

  /// A client of this user.
  public init(uid: UInt32, user: String? = nil, program: String? = nil, token: String? = nil) {
    (self.uid, self.user, self.program, self.token) = (uid, user, program, token)
  }

  /// The member uid, and those of user, program and token that are known.
  public var json: JSONValue {
    var members: [(String, JSONValue)] = [("uid", .integer(Int64(uid)))]
    for (name, text) in [("user", user), ("program", program), ("token", token)] {
      // Readers would refuse a longer one.
      if let text, text.utf8.count <= Self.nameLimit { members.append((name, .text(text))) }
    }
    return .object(members)
  }

  /// Parses what `json` returns, from an untrusted file; nil if it is something else.
  public init?(_ json: JSONValue) {
    guard let uid = json["uid"]?.integer.flatMap({ UInt32(exactly: $0) }) else { return nil }
    self.init(uid: uid)
    func name(_ name: String) -> (isValid: Bool, text: String?) {
      guard let member = json[name], !member.isNull else { return (true, nil) }
      let text = member.text.flatMap { $0.utf8.count <= Self.nameLimit ? $0 : nil }
      return (text != nil, text)
    }
    let names = (name("user"), name("program"), name("token"))
    guard names.0.isValid, names.1.isValid, names.2.isValid else { return nil }
    (user, program, token) = (names.0.text, names.1.text, names.2.text)
  }
}
