import CLinux
import Linux

/// A folder for one test, removed at its end.
public final class TemporaryFolder: Sendable {
  /// Without a slash at its end.
  public let path: String

  /// tmpfs and the disk, where there are both.
  public static let filesystems: [String] = ["/dev/shm", "/var/tmp"].filter { (path: String) in
    access(path, W_OK) == 0
  }

  /// A new one.
  public init(on filesystem: String = filesystems[0]) {
    var template = Array((filesystem + "/paraph-test-XXXXXX").utf8CString)
    guard mkdtemp(&template) != nil else {
      preconditionFailure("mkdtemp: \(Errno.current.text)")
    }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit { remove() }

  /// Removes it with all that is in it.
  public func remove() {
    let parent = path.split(separator: "/").dropLast().joined(separator: "/")
    let name = path.split(separator: "/").last ?? ""
    do { try Folder("/" + parent).removeTree(String(name)) } catch { print("left behind: \(path)") }
  }
}
