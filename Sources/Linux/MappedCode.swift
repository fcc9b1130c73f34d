internal import CLinux

/// The code of this program and of its libraries, as far as it is mapped into memory.
public enum MappedCode {
  /// Lets go of all that was mapped so far. To be called when a program has started: a good part of what it
  /// ran, and of what the kernel mapped around that (`fault_around_bytes`), is not needed again. What is, comes
  /// back out of the page cache as it is called.
  public static func release() {
    guard let file = try? FileDescriptor(opening: "/proc/self/maps", O_RDONLY),
      let text = try? file.readAll(limit: 1 << 20)
    else { return }
    for line in text.split(separator: UInt8(ascii: "\n")) {
      guard let range = range(in: line) else { continue }
      // Not writable and of a file: nothing is lost that the file does not have.
      _ = unsafe madvise(
        UnsafeMutableRawPointer(bitPattern: range.lowerBound), range.count, MADV_DONTNEED)
    }
  }

  /// Where a line of proc_pid_maps(5) says that a file's code is; nil: something else.
  static func range(in line: ArraySlice<UInt8>) -> Range<UInt>? {
    let fields = line.split(separator: UInt8(ascii: " "), maxSplits: 5)
    guard fields.count == 6, fields[1].elementsEqual("r-xp".utf8),
      fields[5].contains(UInt8(ascii: "/"))
    else { return nil }
    let ends = fields[0].split(separator: UInt8(ascii: "-"))
    guard ends.count == 2, let start = number(ends[0]), let end = number(ends[1]), start < end
    else { return nil }
    return start..<end
  }

  private static func number(_ digits: ArraySlice<UInt8>) -> UInt? {
    UInt(String(decoding: digits, as: UTF8.self), radix: 16)
  }
}
