internal import CLinux
internal import Configuration
internal import Linux

/// The certificate and the key of the configuration. Reports when their files change.
struct TLSStore {
  /// The version of a file. The kernel sets the time with each change; programs may set st_mtim back.
  private struct Version: Equatable {
    let device: UInt64, inode: UInt64
    let size: Int64
    let seconds: Int64, nanoseconds: Int64

    init(of path: String) throws(SystemError) {
      var status = stat()
      _ = try SystemError.naming("stat", path) { () throws(Errno) in
        try Errno.check { unsafe stat(path, &status) }
      }
      (device, inode) = (UInt64(status.st_dev), UInt64(status.st_ino))
      size = Int64(status.st_size)
      (seconds, nanoseconds) = (Int64(status.st_ctim.tv_sec), Int64(status.st_ctim.tv_nsec))
    }
  }

  /// Says that libmicrohttpd refuses the files.
  static let mismatch = "[web] certificate and key are invalid, or do not match"

  /// Says why the files cannot be read.
  static func text(of error: SystemError) -> String {
    "[web] certificate or key: \(error.text)"
  }

  private static let sizeLimit = 1 << 16

  private let files: WebConfiguration.TLSFiles
  private var versions: [Version] = []

  init(_ files: WebConfiguration.TLSFiles) { self.files = files }

  /// The files if they have changed since they were read; nil: they have not.
  mutating func changed() throws(SystemError) -> TLSPair? {
    let found = [try Version(of: files.certificate), try Version(of: files.key)]
    if found == versions { return nil }
    let pair = TLSPair(
      certificate: try TLSStore.read(files.certificate), key: try TLSStore.read(files.key))
    versions = found
    return pair
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

/// A certificate with its key, in PEM, each with a NUL.
struct TLSPair {
  let certificate: [CChar]
  let key: [CChar]
}
