internal import CLinux
internal import Linux
internal import Web

/// The folder of the pages.
struct PageFolder {
  /// Errors of names of no file: any client can send them, and they say nothing about the folder.
  private static let missing = [ENOENT, ENOTDIR, ELOOP, ENAMETOOLONG]

  private let path: String

  init(_ path: String) { self.path = path }

  /// The content of a file; nil: it is missing, no file, or too large. The name is one that `Route` has checked.
  func content(of name: String) -> [UInt8]? {
    do throws(Errno) {
      let file = try FileDescriptor(opening: path + "/" + name, O_RDONLY | O_NONBLOCK | O_NOCTTY)
      guard try file.status().kind == .file else { return nil }
      return try file.readAll(limit: WebPage.sizeLimit, expected: 1 << 16)
    } catch {
      if !PageFolder.missing.contains(error.rawValue) {
        StandardError.log(.warning, "config: [web] pages: \(path)/\(name): \(error.text)")
      }
      return nil
    }
  }
}
