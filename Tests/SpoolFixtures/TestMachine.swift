import CLinux
import Linux

/// Requirements of tests, for `.enabled(if:)`.
public enum TestMachine {
  /// Whether root runs the tests.
  public static let isRoot = geteuid() == 0
  /// Whether programs can run as another user.
  public static let canChangeUser = isRoot && Fixtures.exists("/usr/bin/setpriv")
  /// Whether network namespaces are available.
  public static let canUnshare =
    isRoot && Fixtures.exists("/usr/bin/unshare") && Fixtures.exists("/usr/sbin/ip")
  /// Whether filesystems can be mounted.
  public static let canMount: Bool = {
    guard isRoot, let disk = try? Disk(tmpfs: "64k") else { return false }
    _ = consume disk
    return true
  }()
  /// Whether filesystems in image files can be created and mounted.
  public static let canMountImages =
    canMount && Fixtures.exists("/usr/sbin/mkfs.ext4")
    && {
      guard let disk = try? Disk(ext4: "2M") else { return false }
      _ = consume disk
      return true
    }()
}

/// A small filesystem, which is unmounted by the deinitialiser.
public final class Disk: Sendable {
  /// The mount point.
  public let path: String
  private let folder = TemporaryFolder(on: TemporaryFolder.filesystems.last ?? "/tmp")

  /// Mounts a tmpfs. `size` has the format of mount(8).
  public convenience init(tmpfs size: String) throws {
    try self.init(["-t", "tmpfs", "-o", "size=\(size),mode=770", "none"]) { _ in }
  }

  /// Mounts an ext4 image, whose folders grow by blocks.
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

  /// Changes a mount option.
  public func remount(_ option: String) throws {
    let result = try Programs.run(path: "/bin/mount", ["-o", "remount," + option, path])
    if result.end != .exit(0) { throw SystemError("mount", path, Errno(EPERM)) }
  }

  /// Fills the filesystem, except for some bytes.
  public func fill(leaving bytes: Int64) throws {
    let file = try FileDescriptor(opening: path + "/filler", O_WRONLY | O_CREAT, mode: 0o600)
    // Large pieces first, because each one queries the free space.
    for size in [256 << 10, 4 << 10] {
      let piece = [UInt8](repeating: 1, count: size)
      while try Folder(path).freeSpace().bytes >= bytes + Int64(size) {
        do throws(Errno) {
          try file.writeAll(piece)
        } catch { break }
      }
    }
  }

  /// Removes what `fill` wrote.
  public func clear() {
    // A program that a test beside this one starts may hold the file for a moment, and with it its space.
    truncate(path + "/filler", 0)
    unlink(path + "/filler")
  }

  deinit { _ = try? Programs.run(path: "/bin/umount", ["-l", path]) }
}
