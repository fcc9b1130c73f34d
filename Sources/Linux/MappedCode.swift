internal import CLinux

/// The code of this program and of its libraries, as far as it is mapped into memory.
public enum MappedCode {
  /// Lets go of all that was mapped so far. To be called when a program has started: a good part of what it
  /// ran, and of what the kernel mapped around that (`fault_around_bytes`), is not needed again. What is, comes
  /// back out of the page cache as it is called.
  public static func release() {
    guard let text = Folder.content(of: "/proc/self/maps", limit: 1 << 20) else { return }
    for line in text.split(separator: UInt8(ascii: "\n")) {
      guard let range = range(in: line) else { continue }
      // Not writable and of a file: nothing is lost that the file does not have.
      _ = unsafe madvise(
        UnsafeMutableRawPointer(bitPattern: range.lowerBound), range.count, MADV_DONTNEED)
    }
  }

  /// Where a line of proc_pid_maps(5) says that a file's code is; nil: something else.
  static func range(in line: ArraySlice<UInt8>) -> Range<UInt>? {
    var (start, end) = (UInt(0), UInt(0))
    guard unsafe CLinux_readCode(String(decoding: line, as: UTF8.self), &start, &end), start < end
    else { return nil }
    return start..<end
  }
}
