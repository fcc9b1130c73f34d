internal import CLinux

/// Counts the crashes that a piece of work caused, in a file.
///
/// A crash is a trap, the watchdog or memory exhaustion. Call `begin()` before the work. Call `clear()` after
/// the work succeeds or fails, and before the process exits by itself or on SIGTERM. An attempt that was
/// begun and not cleared counts as a crash. After three crashes, give up the work.
///
/// The record is a file of 39 bytes and is not synchronised: it outlives the process, and attempts before a
/// power cut do not count. Unreadable records count as no crash. Failed writes never stop the work.
public struct CrashCounter: Sendable {
  /// The crashes after which the work is given up.
  public static let limit = 3

  private let folder: String
  private let name: String
  private var record: CrashRecord

  /// Reads the record of a piece of work.
  ///
  /// - Parameters:
  ///   - folder: The folder's path. The boot must be known unless every boot empties the folder, as a
  ///     runtime directory.
  ///   - name: The record's file name, without slashes.
  ///   - boot: The boot's id; see `currentBoot`.
  public init(in folder: String, _ name: String, boot: String = CrashCounter.currentBoot) {
    self.folder = folder
    self.name = name
    record = CrashRecord(CrashCounter.read(folder, name), boot: boot)
  }

  /// The kernel's id of this boot, or "" if `/proc/sys` is hidden (ProcSubset=pid).
  public static var currentBoot: String {
    Folder.line(of: "/proc/sys/kernel/random/boot_id") ?? ""
  }

  /// The crashes of this boot, including the current attempt once it has begun.
  public var count: Int { record.count }

  /// Whether the limit is reached: give up the work instead of retrying it.
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
        // In place, since an existing file needs no free block of a full disk.
        try file.writeAll(bytes)
        let number = file.number
        _ = try Errno.check { ftruncate(number, off_t(bytes.count)) }
      }
    } catch {}
  }

  /// Ends the attempt and resets the count.
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

/// The number of attempts within one boot that crashed the process.
///
/// Its file format is the boot's id, a space, one digit and a newline. All records have the same size, so
/// that a record can be rewritten in place on a full disk.
public struct CrashRecord: Equatable, Sendable {
  /// The id of the boot: at most 36 bytes of printable ASCII without spaces.
  public let boot: String
  /// The number of crashes, 0...9.
  public private(set) var count: Int

  /// The size of a record in bytes.
  static let size = 36 + 3

  /// A record without crashes.
  public init(boot: String) {
    self.boot = CrashRecord.name(boot)
    count = 0
  }

  /// Parses a record. A damaged record, or one of another boot, has no crashes.
  public init(_ bytes: [UInt8], boot: String) {
    self.init(boot: boot)
    let digit = UInt8(ascii: "0")
    guard bytes.count == CrashRecord.size, let last = bytes.dropLast().last,
      (digit...digit + 9).contains(last)
    else { return }
    var same = self
    same.count = Int(last - digit)
    if same.bytes == bytes { self = same }
  }

  /// Adds a crash; the count stops at 9.
  public mutating func add() { count = min(count + 1, 9) }

  /// The record in its file format.
  public var bytes: [UInt8] {
    var bytes = Array(boot.utf8)
    bytes += Array(repeating: UInt8(ascii: "-"), count: CrashRecord.size - 3 - bytes.count)
    return bytes + [UInt8(ascii: " "), UInt8(ascii: "0") + UInt8(count), UInt8(ascii: "\n")]
  }

  private static func name(_ boot: String) -> String {
    let bytes = boot.utf8.prefix(size - 3).filter { 0x21...0x7e ~= $0 }
    return String(decoding: bytes, as: UTF8.self)
  }
}
