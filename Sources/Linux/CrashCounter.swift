internal import CLinux

/// Counts the attempts at a piece of work that ended the process by a signal: a trap, the watchdog, memory
/// exhaustion. Three of them, and the work is to be set aside.
///
/// Call `begin()` before the work. Call `clear()` when it has succeeded or failed in an orderly way, and
/// before the process exits by itself or on SIGTERM. What only a signal can skip is the call of
/// `clear()`, so an attempt that was begun and not cleared was a crash.
///
/// The record is a file of 39 bytes. It is not synchronised: it outlives the process, and after a power cut
/// nothing may count anyway. Records that cannot be read count as none, and those that cannot be written
/// never stop the work.
public struct CrashCounter: Sendable {
  /// As many crashes as a piece of work may cause.
  public static let limit = 3

  private let folder: String
  private let name: String
  private var record: CrashRecord

  /// Reads the record of a piece of work.
  ///
  /// - Parameters:
  ///   - folder: The folder's path. On a disk the boot must be known; in a folder that a boot empties,
  ///     such as a runtime directory, it need not be.
  ///   - name: The record's file name, without slashes.
  ///   - boot: Names the boot; see `currentBoot`.
  public init(in folder: String, _ name: String, boot: String = CrashCounter.currentBoot) {
    self.folder = folder
    self.name = name
    record = CrashRecord(CrashCounter.read(folder, name), boot: boot)
  }

  /// The kernel's identity of this boot, or "" where the service manager hides `/proc/sys`
  /// (ProcSubset=pid).
  public static var currentBoot: String {
    Folder.line(of: "/proc/sys/kernel/random/boot_id") ?? ""
  }

  /// Crashes of this boot, the current attempt included once it has begun.
  public var count: Int { record.count }

  /// Whether the work has ended enough processes: set it aside instead of trying again.
  public var isExhausted: Bool { record.count >= CrashCounter.limit }

  /// Records an attempt.
  public mutating func begin() {
    record.add()
    let bytes = record.bytes
    do throws(SystemError) {
      let folder = try Folder(folder)
      let file = try SystemError.naming("open", name) { () throws(Errno) in
        try FileDescriptor(
          opening: name, in: folder.descriptor,
          O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, mode: 0o600)
      }
      try SystemError.naming("write", name) { () throws(Errno) in
        // In place: a record that exists needs no block of a full disk.
        try file.writeAll(bytes)
        let number = file.number
        _ = try Errno.check { ftruncate(number, off_t(bytes.count)) }
      }
    } catch {}
  }

  /// The attempt has ended by itself: nothing counts any longer.
  public mutating func clear() {
    record = CrashRecord(boot: record.boot)
    try? Folder(folder).remove(name)
  }

  private static func read(_ folder: String, _ name: String) -> [UInt8] {
    do throws(SystemError) {
      let file = try Folder(folder).openFile(name)
      let bytes = try SystemError.naming("read", name) { () throws(Errno) in
        try file.readAll(limit: CrashRecord.size)
      }
      return bytes ?? []
    } catch {
      return []
    }
  }
}
