import CLinux
import Linux

/// What tests need of the machine: for `.enabled(if:)`.
public enum TestMachine {
  /// Whether the tests are run by root.
  public static let isRoot = geteuid() == 0
  /// Whether another user can be taken.
  public static let canChangeUser = isRoot && Fixtures.exists("/usr/bin/setpriv")
  /// Whether there can be a network of its own.
  public static let canUnshare =
    isRoot && Fixtures.exists("/usr/bin/unshare") && Fixtures.exists("/usr/sbin/ip")
  /// Whether filesystems can be mounted.
  public static let canMount: Bool = {
    guard isRoot, let disk = try? Disk(tmpfs: "64k") else { return false }
    _ = consume disk
    return true
  }()
  /// Whether filesystems in files can be made and mounted.
  public static let canMountImages =
    canMount && Fixtures.exists("/usr/sbin/mkfs.ext4")
    && {
      guard let disk = try? Disk(ext4: "2M") else { return false }
      _ = consume disk
      return true
    }()
}

/// A small filesystem of its own; unmounted when it goes.
public final class Disk: Sendable {
  /// Where it is mounted.
  public let path: String
  private let folder = TemporaryFolder(on: TemporaryFolder.filesystems.last ?? "/tmp")

  /// Without a disk below; `size` as mount(8) reads it.
  public convenience init(tmpfs size: String) throws {
    try self.init(["-t", "tmpfs", "-o", "size=\(size),mode=770", "none"]) { _ in }
  }

  /// With inodes, blocks, and folders that grow block by block.
  public convenience init(ext4 size: String) throws {
    try self.init(["-t", "ext4", "-o", "loop"], image: "image") { folder in
      let made = try Programs.run(
        path: "/usr/sbin/mkfs.ext4", ["-q", "-m", "0", "-b", "4096", folder + "/image", size])
      if made.end != .exit(0) { throw SystemError("mkfs.ext4", folder, Errno(EIO)) }
    }
  }

  private init(
    _ arguments: [String], image: String? = nil, _ prepare: (String) throws -> Void
  ) throws {
    path = folder.path + "/disk"
    mkdir(path, 0o770)
    try prepare(folder.path)
    let source = image.map { [folder.path + "/" + $0] } ?? []
    let mounted = try Programs.run(path: "/bin/mount", arguments + source + [path])
    if mounted.end != .exit(0) { throw SystemError("mount", path, Errno(EPERM)) }
  }

  /// Changes an option.
  public func remount(_ option: String) throws {
    let result = try Programs.run(path: "/bin/mount", ["-o", "remount," + option, path])
    if result.end != .exit(0) { throw SystemError("mount", path, Errno(EPERM)) }
  }

  /// Fills it, but for some bytes.
  public func fill(leaving bytes: Int64) throws {
    let file = try FileDescriptor(opening: path + "/filler", O_WRONLY | O_CREAT, mode: 0o600)
    // Large pieces first: each asks how much is left.
    for size in [256 << 10, 4 << 10] {
      let piece = [UInt8](repeating: 1, count: size)
      while try Folder(path).freeSpace().bytes >= bytes + Int64(size) {
        do throws(Errno) {
          try file.writeAll(piece)
        } catch { break }
      }
    }
  }

  /// Makes room again.
  public func clear() { unlink(path + "/filler") }

  deinit { _ = try? Programs.run(path: "/bin/umount", ["-l", path]) }
}
