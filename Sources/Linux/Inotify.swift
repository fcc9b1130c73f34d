internal import CLinux

/// inotify(7): the kernel's notices about names in folders. They can be lost; who needs all scans too.
public struct Inotify: ~Copyable {
  private let descriptor: FileDescriptor
  private var buffer = [UInt8](repeating: 0, count: 65536)

  /// What happened, as the bits of `struct inotify_event`.
  public struct Notice: Sendable {
    /// Which watch; −1 for a lost queue.
    public let watch: Int32
    /// `IN_…`.
    public let mask: UInt32

    /// Whether one of these bits is set.
    public func has(_ bits: Int32) -> Bool { mask & UInt32(bitPattern: bits) != 0 }
  }

  /// For poll(2).
  public var number: Int32 { descriptor.number }

  /// Without watches.
  public init() throws(Errno) {
    descriptor = FileDescriptor(
      owning: try Errno.check { inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC)) })
  }

  /// inotify_add_watch(2): `mask` of `IN_…`. Returns the watch's number.
  public borrowing func watch(_ path: String, _ mask: UInt32) throws(Errno) -> Int32 {
    let number = number
    return try Errno.check { unsafe inotify_add_watch(number, path, mask) }
  }

  /// inotify_rm_watch(2); a watch that has ended by itself is no error.
  public borrowing func remove(_ watch: Int32) { _ = inotify_rm_watch(number, watch) }

  /// Calls `body` with every notice that waits and the name it is about, which may be empty and need
  /// not be UTF-8. Allocates nothing.
  public mutating func read(_ body: (Notice, Span<UInt8>) -> Void) throws(Errno) {
    while true {
      let count: Int
      do throws(Errno) {
        let number = number
        count = try Errno.checkCount {
          unsafe buffer.withUnsafeMutableBytes {
            unsafe CLinux.read(number, $0.baseAddress, $0.count)
          }
        }
      } catch {
        if error.rawValue == EAGAIN { return }
        throw error
      }
      if count == 0 { return }
      deliver(count, body)
    }
  }

  private borrowing func deliver(_ count: Int, _ body: (Notice, Span<UInt8>) -> Void) {
    unsafe buffer.withUnsafeBytes { bytes in
      let header = MemoryLayout<inotify_event>.size
      var place = 0
      while place + header <= count {
        let event = unsafe bytes.loadUnaligned(fromByteOffset: place, as: inotify_event.self)
        let padded = unsafe UnsafeRawBufferPointer(
          rebasing: bytes[(place + header)..<(place + header + Int(event.len))])
        let name = unsafe UnsafeRawBufferPointer(rebasing: padded.prefix { $0 != 0 })
        unsafe body(Notice(watch: event.wd, mask: event.mask), Span(_unsafeBytes: name))
        place += header + Int(event.len)
      }
    }
  }
}
