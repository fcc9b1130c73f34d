import CLinux
import Linux

/// A folder that is removed at the end of a test.
public final class TemporaryFolder: Sendable {
  /// The path without a trailing slash.
  public let path: String

  /// The candidates: tmpfs and the disk.
  public static let filesystems: [String] = ["/dev/shm", "/var/tmp"].filter { (path: String) in
    access(path, W_OK) == 0
  }

  /// Creates a folder.
  public init(on filesystem: String = filesystems[0]) {
    var template = Array((filesystem + "/paraph-test-XXXXXX").utf8CString)
    guard mkdtemp(&template) != nil else {
      preconditionFailure("mkdtemp: \(Errno.current.text)")
    }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit { remove() }

  /// Removes the folder with its content.
  public func remove() {
    let parent = path.split(separator: "/").dropLast().joined(separator: "/")
    let name = path.split(separator: "/").last ?? ""
    do { try Folder("/" + parent).removeTree(String(name)) } catch { print("left behind: \(path)") }
  }
}
