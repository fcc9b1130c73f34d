internal import CLinux

/// Owns an open file descriptor and closes it.
///
/// Frozen, because Embedded Swift rejects `discard self` in other public types.
@frozen public struct FileDescriptor: ~Copyable, Sendable {
  /// The descriptor's number. Never store it beyond the owner's life.
  public let number: Int32

  /// Takes ownership of an open descriptor.
  public init(owning number: Int32) { self.number = number }

  /// Opens a file (open(2)) with O_CLOEXEC and `flags`.
  public init(opening path: String, _ flags: Int32, mode: UInt32 = 0) throws(Errno) {
    number = try Errno.check { unsafe CLinux_open(path, flags | O_CLOEXEC, mode) }
  }

  /// Opens a file relative to a folder (openat(2)) with O_CLOEXEC and `flags`.
  public init(
    opening path: String, in folder: borrowing FileDescriptor, _ flags: Int32, mode: UInt32 = 0
  ) throws(Errno) {
    let folder = folder.number
    number = try Errno.check { unsafe CLinux_openat(folder, path, flags | O_CLOEXEC, mode) }
  }

  /// Creates an empty file in memory, which ends with its last descriptor (memfd_create(2)).
  ///
  /// - Parameter name: For debugging; it need not be unique.
  public init(memoryNamed name: String) throws(Errno) {
    number = try Errno.check { unsafe CLinux_createMemory(name) }
  }

  deinit { close(number) }

  /// Releases the number; the caller closes it.
  public consuming func release() -> Int32 {
    let number = number
    discard self
    return number
  }

  /// Reads into the front of `bytes` (read(2)). Returns the count; 0 at end of file.
  public borrowing func read(into bytes: inout MutableRawSpan) throws(Errno) -> Int {
    let number = number
    var failure: Errno?
    let count = unsafe bytes.withUnsafeMutableBytes { buffer in
      do throws(Errno) {
        return try Errno.checkCount {
          unsafe Int(CLinux.read(number, buffer.baseAddress, buffer.count))
        }
      } catch {
        failure = error
        return 0
      }
    }
    if let failure { throw failure }
    return count
  }

  /// Reads `count` bytes from a place of the file (pread(2)); fewer at its end.
  public borrowing func read(_ count: Int, at offset: Int) throws(Errno) -> [UInt8] {
    // The initialiser would write a count of 0 into the memory that all empty arrays share.
    guard count > 0 else { return [] }
    let number = number
    var failure: Errno?
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, done in
      do throws(Errno) {
        var last = 1
        while done < count, last > 0 {
          last = try Errno.checkCount {
            unsafe pread(
              number, buffer.baseAddress?.advanced(by: done), count - done, off_t(offset + done))
          }
          done += last
        }
      } catch { failure = error }
    }
    if let failure { throw failure }
    return bytes
  }

  /// Writes all bytes (write(2)).
  public borrowing func writeAll(_ bytes: RawSpan) throws(Errno) {
    let number = number
    var failure: Errno?
    unsafe bytes.withUnsafeBytes { buffer in
      var done = 0
      while done < buffer.count {
        do throws(Errno) {
          done += try Errno.checkCount {
            unsafe Int(
              CLinux.write(number, buffer.baseAddress?.advanced(by: done), buffer.count - done))
          }
        } catch {
          failure = error
          return
        }
      }
    }
    if let failure { throw failure }
  }

  /// Writes all bytes (write(2)).
  public borrowing func writeAll(_ bytes: [UInt8]) throws(Errno) {
    unsafe try writeAll(bytes.span.bytes)
  }

  /// Writes a text as UTF-8.
  public borrowing func writeAll(_ text: String) throws(Errno) {
    unsafe try writeAll(text.utf8Span.span.bytes)
  }

  /// Reads to the end of the file; nil if it is longer than `limit` bytes.
  ///
  /// - Parameter expected: The capacity in bytes to allocate at the start.
  public borrowing func readAll(limit: Int, expected: Int = 0) throws(Errno) -> [UInt8]? {
    var content: [UInt8] = []
    content.reserveCapacity(min(expected, limit))
    var chunk = [UInt8](repeating: 0, count: 65536)
    while true {
      var span = chunk.mutableSpan
      var bytes = unsafe span.mutableBytes
      let count = try read(into: &bytes)
      if count == 0 { return content }
      if content.count + count > limit { return nil }
      content.append(contentsOf: chunk[0..<count])
    }
  }

  /// Flushes the file to the disk (fsync(2)).
  public borrowing func sync() throws(Errno) {
    let number = number
    _ = try Errno.check { fsync(number) }
  }
}

extension FileDescriptor {
  /// Creates a Unix stream socket whose calls do not block.
  static func localSocket() throws(Errno) -> FileDescriptor {
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    return FileDescriptor(owning: try Errno.check { socket(AF_UNIX, kind, 0) })
  }

  /// Connects to the Unix stream socket at a path. Reads and writes do not block.
  public init(connectingTo path: String) throws(Errno) {
    let made = try FileDescriptor.localSocket()
    let number = made.number
    _ = try Errno.check { unsafe CLinux_connectUnix(number, path) }
    self = made
  }

  /// Sends without waiting and without SIGPIPE (send(2)). Returns the count; 0 if the buffer is full.
  public borrowing func send(_ bytes: RawSpan) throws(Errno) -> Int {
    let number = number
    var failure: Errno?
    let count = unsafe bytes.withUnsafeBytes { buffer in
      do throws(Errno) {
        return try Errno.checkCount {
          unsafe Int(
            CLinux.send(
              number, buffer.baseAddress, buffer.count,
              Int32(MSG_NOSIGNAL | MSG_DONTWAIT)))
        }
      } catch {
        failure = error
        return 0
      }
    }
    if let failure, failure.rawValue != EAGAIN { throw failure }
    return count
  }

  /// Whether the peer of a Unix stream socket has read, or that of a TCP socket has acknowledged, all sent bytes.
  ///
  /// Throws ECONNRESET if the peer closed the socket before it read all. The kernel sets this error before it
  /// frees the unread bytes (unix_release_sock of net/unix/af_unix.c). An empty queue without an error
  /// therefore means that the peer has read all.
  public borrowing func hasPeerReadAll() throws(Errno) -> Bool {
    let number = number
    let unread = try Errno.check { CLinux_unreadByPeer(number) }
    if unread > 0 { return false }
    let error = try Errno.check { CLinux_takeSocketError(number) }
    if error != 0 { throw Errno(error) }
    return true
  }
}
