internal import CLinux
internal import Linux

/// The location of a secret outside of the configuration.
public enum Secret: Equatable, Sendable {
  /// A file.
  case file(String)
  /// A credential of the service (systemd.exec(5), LoadCredential=).
  case credential(String)
}

extension ValueType where Value == Secret {
  /// An absolute path, or "credential:NAME".
  static var secret: ValueType {
    ValueType { text throws(Refusal) in
      if let path = text.absolutePath { return .file(path) }
      let prefix = "credential:".utf8
      let name = text.utf8.dropFirst(prefix.count)
      if text.utf8.starts(with: prefix), !name.isEmpty,
        name.allSatisfy({ $0.isNameByte || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "_") }),
        name.first != UInt8(ascii: ".")
      {
        return .credential(String(Substring(name)))
      }
      throw Refusal("must be an absolute path or credential:NAME, not the secret itself")
    }
  }
}

/// The reason why a secret cannot be read, without the secret.
public struct SecretError: Error {
  /// One line with the path.
  public let text: String

  /// An error with one line.
  public init(text: String) { self.text = text }
}

extension Secret {
  private static let sizeLimit = 16384

  /// Reads the secret without its trailing line end.
  ///
  /// It is read for each delivery, so that the file can change. systemd copies a credential when the service
  /// starts.
  public func read() throws(SecretError) -> [UInt8] {
    let path = try path()
    do throws(Errno) {
      let file = try FileDescriptor(opening: path, O_RDONLY | O_NONBLOCK | O_NOCTTY)
      if case .file = self, try file.status().mode & 0o004 != 0 {
        throw Errno(0)
      }
      guard var bytes = try file.readAll(limit: Self.sizeLimit) else { throw Errno(EFBIG) }
      while let last = bytes.last, last == 10 || last == 13 { bytes.removeLast() }
      if bytes.isEmpty { throw Errno(ENODATA) }
      return bytes
    } catch {
      throw SecretError(
        text: error.rawValue == 0
          ? "\(path) is readable by all users: run chmod o-r" : "\(path): \(error.text)")
    }
  }

  /// Reads the secret as printable ASCII for a header.
  public func readText() throws(SecretError) -> String {
    let bytes = try read()
    guard bytes.allSatisfy({ $0 >= 0x20 && $0 < 0x7f }) else {
      throw SecretError(text: "\(try path()) is not a single line of ASCII")
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private func path() throws(SecretError) -> String {
    switch self {
    case .file(let path): return path
    case .credential(let name):
      guard let folder = unsafe getenv("CREDENTIALS_DIRECTORY") else {
        throw SecretError(
          text: "credential \(name): the service has no credentials (LoadCredential=)")
      }
      return unsafe String(cString: folder) + "/" + name
    }
  }
}
