internal import CLinux

/// The versions of the compiler and the C library of this program.
public enum BuildVersions {
  /// One line for each: the compiler that built the program, and the loaded C library.
  public static var lines: [String] {
    // The compiler's Clang is built with it from one source, whose commit it names.
    [unsafe "Swift compiler with \(String(cString: CLinux_compiler()))", cLibrary]
  }

  private static var cLibrary: String {
    // "glibc 2.36". A longer text is cut, and ends with NUL.
    var text = [UInt8](repeating: 0, count: 64)
    let length = unsafe text.withUnsafeMutableBytes { buffer in
      unsafe confstr(
        Int32(_CS_GNU_LIBC_VERSION), buffer.baseAddress?.assumingMemoryBound(to: CChar.self),
        buffer.count)
    }
    guard length > 0 else { return "C library of unknown version" }
    return String(decoding: text.prefix { $0 != 0 }, as: UTF8.self)
  }
}
