internal import CLinux

/// Reports changes of names in folders (inotify(7)).
///
/// The kernel can lose notices. A caller that needs all changes also scans the folders.
public struct Inotify: ~Copyable {
  private let descriptor: FileDescriptor
  private var buffer = [UInt8](repeating: 0, count: 65536)

  /// A `struct inotify_event` without its name.
  public struct Notice: Sendable {
    /// The watch descriptor; −1 after a queue overflow.
    public let watch: Int32
    /// The `IN_…` bits of the event.
    public let mask: UInt32

    /// Whether one of these bits is set.
    public func has(_ bits: Int32) -> Bool { mask & UInt32(bitPattern: bits) != 0 }
  }

  /// The descriptor for poll(2).
  public var number: Int32 { descriptor.number }

  /// Creates an instance without watches.
  public init() throws(Errno) {
    descriptor = FileDescriptor(
      owning: try Errno.check { inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC)) })
  }

  /// Adds a watch for the `IN_…` events of `mask` and returns its descriptor.
  public borrowing func watch(_ path: String, _ mask: UInt32) throws(Errno) -> Int32 {
    let number = number
    return try Errno.check { unsafe inotify_add_watch(number, path, mask) }
  }

  /// Removes a watch. A watch that the kernel has already removed is not an error.
  public borrowing func remove(_ watch: Int32) { _ = inotify_rm_watch(number, watch) }

  /// Calls `body` with each pending notice and its name. Allocates nothing.
  ///
  /// The name may be empty and need not be UTF-8.
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
