internal import CLinux
internal import Linux

/// Why a secret cannot be used; never the secret.
public struct SecretError: Error {
  /// One line, with the path.
  public let text: String

  /// An error of one line.
  public init(text: String) { self.text = text }
}

extension Secret {
  private static let sizeLimit = 16384

  /// The secret, without the line end that editors leave. It is read for each delivery, so that a file can
  /// change; systemd copies a credential once, when the service starts.
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
          ? "\(path) is readable for everybody: chmod o-r it" : "\(path): \(error.text)")
    }
  }

  /// The same as text that can stand in a header.
  public func readText() throws(SecretError) -> String {
    let bytes = try read()
    guard bytes.allSatisfy({ $0 >= 0x20 && $0 < 0x7f }) else {
      throw SecretError(text: "\(try path()) is not one line of ASCII")
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private func path() throws(SecretError) -> String {
    switch self {
    case .file(let path): return path
    case .credential(let name):
      guard let folder = unsafe getenv("CREDENTIALS_DIRECTORY") else {
        throw SecretError(text: "credential \(name): the service was given none (LoadCredential=)")
      }
      return unsafe String(cString: folder) + "/" + name
    }
  }
}
