internal import CLinux

/// The owner of an open file: closed when it goes. (Frozen: Embedded Swift refuses `discard self` otherwise.)
@frozen public struct FileDescriptor: ~Copyable, Sendable {
  /// The number, for calls that borrow it. Never store it beyond the owner's life.
  public let number: Int32

  /// Takes over an open descriptor.
  public init(owning number: Int32) { self.number = number }

  /// open(2). `flags` get O_CLOEXEC added.
  public init(opening path: String, _ flags: Int32, mode: UInt32 = 0) throws(Errno) {
    number = try Errno.check { unsafe CLinux_open(path, flags | O_CLOEXEC, mode) }
  }

  /// openat(2) below an open folder.
  public init(
    opening path: String, in folder: borrowing FileDescriptor, _ flags: Int32, mode: UInt32 = 0
  ) throws(Errno) {
    let folder = folder.number
    number = try Errno.check { unsafe CLinux_openat(folder, path, flags | O_CLOEXEC, mode) }
  }

  deinit { close(number) }

  /// Gives the number away; the caller closes it.
  public consuming func release() -> Int32 {
    let number = number
    discard self
    return number
  }

  /// read(2): fills `bytes` from the front. Returns how many; 0 at the end of the file.
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

  /// write(2) until everything is written.
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

  /// write(2) until everything is written.
  public borrowing func writeAll(_ bytes: [UInt8]) throws(Errno) {
    unsafe try writeAll(bytes.span.bytes)
  }

  /// Writes the UTF-8 of a text.
  public borrowing func writeAll(_ text: String) throws(Errno) { try writeAll(Array(text.utf8)) }

  /// Everything up to the end of the file, at most `limit` bytes; nil if there is more. `expected`: as many bytes
  /// are allocated at once, instead of up to twice as many step by step.
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

  /// fsync(2).
  public borrowing func sync() throws(Errno) {
    let number = number
    _ = try Errno.check { fsync(number) }
  }
}
