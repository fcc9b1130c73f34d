import CLinux
import Linux
import Testing

/// A folder of a test, gone with it.
struct TemporaryFolder: ~Copyable {
  let path: String

  init() throws {
    var template = Array("/tmp/paraph-display-XXXXXX".utf8CString)
    let made = template.withUnsafeMutableBufferPointer { buffer in
      buffer.baseAddress.flatMap { mkdtemp($0) } != nil
    }
    try #require(made)
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit { system("rm -r \(path)") }

  /// Makes a folder below, with those above it.
  func folder(_ name: String) { system("mkdir -p \(path)/\(name)") }

  /// Makes a file below, with its folder.
  func file(_ name: String, _ content: [UInt8]) throws {
    system("mkdir -p $(dirname \(path)/\(name))")
    let file = try FileDescriptor(opening: "\(path)/\(name)", O_WRONLY | O_CREAT, mode: 0o600)
    try file.writeAll(content.span.bytes)
  }

  func file(_ name: String, _ content: String) throws { try file(name, Array(content.utf8)) }

  /// Makes a symbolic link below, with its folder.
  func link(_ name: String, to target: String) {
    system("mkdir -p $(dirname \(path)/\(name))")
    symlink(target, "\(path)/\(name)")
  }
}
