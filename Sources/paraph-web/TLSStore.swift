internal import CLinux
internal import Configuration
internal import Linux

/// The certificate and the key of the configuration. Reports when their files change.
struct TLSStore {
  /// What identifies the content of the two files.
  private struct Version: Equatable {
    let modified: [Int64]
    let inodes: [UInt64]
    let sizes: [Int64]
  }

  private static let sizeLimit = 1 << 16

  private let files: WebConfiguration.TLSFiles
  private var version: Version?

  init(_ files: WebConfiguration.TLSFiles) { self.files = files }

  /// The files if they have changed since the last call; nil: they have not.
  mutating func changed() throws(SystemError) -> TLSPair? {
    let status = [try FileStatus(of: files.certificate), try FileStatus(of: files.key)]
    let found = Version(
      modified: status.map { $0.modified }, inodes: status.map { $0.inode },
      sizes: status.map { $0.size })
    if found == version { return nil }
    version = found
    return TLSPair(
      certificate: try TLSStore.read(files.certificate), key: try TLSStore.read(files.key))
  }

  private static func read(_ path: String) throws(SystemError) -> [CChar] {
    try SystemError.naming("open", path) { () throws(Errno) in
      let file = try FileDescriptor(opening: path, O_RDONLY | O_NONBLOCK | O_NOCTTY)
      guard let bytes = try file.readAll(limit: sizeLimit) else { throw Errno(EFBIG) }
      if bytes.contains(0) { throw Errno(EINVAL) }
      return bytes.map { CChar(bitPattern: $0) } + [0]
    }
  }
}
