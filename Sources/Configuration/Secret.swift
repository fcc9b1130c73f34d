/// Where a secret is: never in the configuration itself.
public enum Secret: Equatable, Sendable {
  /// A file whose content it is.
  case file(String)
  /// A credential that systemd hands to the service (systemd.exec(5), LoadCredential=).
  case credential(String)
}

extension ValueType where Value == Secret {
  /// An absolute path, or "credential:NAME".
  static var secret: ValueType {
    ValueType { text throws(Refusal) in
      let prefix = Array("credential:".utf8)
      let bytes = Array(text.utf8)
      if bytes.first == UInt8(ascii: "/") { return .file(text) }
      let name = bytes.dropFirst(prefix.count)
      if bytes.starts(with: prefix), !name.isEmpty,
        name.allSatisfy({ $0.isNameByte || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "_") }),
        name.first != UInt8(ascii: ".")
      {
        return .credential(String(decoding: name, as: UTF8.self))
      }
      throw Refusal("must be an absolute path or credential:NAME: secrets do not stand here")
    }
  }
}
