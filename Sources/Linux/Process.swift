internal import CLinux

/// This process.
public enum Process {
  /// Writes `line` to standard error or `output` to standard output, and exits.
  ///
  /// - Parameter code: The exit status, see sysexits.h.
  public static func end(_ code: Int32, _ line: String = "", output: String = "") -> Never {
    if !line.isEmpty { StandardError.write(line + "\n") }
    StandardError.write(output, to: 1)
    exit(code)
  }

  /// The command line, starting with the program's name.
  public static var arguments: [String] {
    // Embedded Swift has no `CommandLine`.
    guard let file = try? FileDescriptor(opening: "/proc/self/cmdline", O_RDONLY),
      let bytes = try? file.readAll(limit: 1 << 21)
    else { return [] }
    return bytes.split(separator: 0, omittingEmptySubsequences: false).dropLast()
      .map { String(decoding: $0, as: UTF8.self) }
  }

  /// The path of a program in the folder of this one.
  public static func path(besideThis name: String) -> String {
    let own = Folder.target(ofLink: "/proc/self/exe") ?? "/usr/bin/paraphd"
    let end = own.utf8.lastIndex(of: UInt8(ascii: "/")) ?? own.utf8.startIndex
    return String(Substring(own.utf8[..<end])) + "/" + name
  }

  /// The service's first runtime directory (RuntimeDirectory=); nil outside of a service.
  public static var runtimeDirectory: String? {
    guard let value = unsafe getenv("RUNTIME_DIRECTORY") else { return nil }
    let first = unsafe String(cString: value).utf8.prefix { $0 != UInt8(ascii: ":") }
    return first.isEmpty ? nil : String(Substring(first))
  }

  /// Makes glibc return freed blocks of 128 KiB or more to the kernel.
  ///
  /// By default glibc raises this threshold (M_MMAP_THRESHOLD in mallopt(3)) and retains memory.
  public static func returnFreedMemory() { mallopt(M_MMAP_THRESHOLD, 128 << 10) }

  /// Returns all freed memory to the kernel that glibc retains, of all threads; takes up to a millisecond.
  public static func trimMemory() { malloc_trim(0) }

  /// The host name, or "localhost" if it is unknown.
  public static var hostName: String {
    var bytes = [CChar](repeating: 0, count: 256)
    guard unsafe gethostname(&bytes, 255) == 0, bytes[0] != 0 else { return "localhost" }
    return String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

/// The kernel's random number generator (getrandom(2)).
public enum Randomness {
  /// Returns 64 random bits. Waits only for the kernel's first entropy after boot.
  public static func bits() throws(Errno) -> UInt64 {
    var bits: UInt64 = 0
    var count = 0
    while count != 8 { count = try Errno.checkCount { unsafe Int(getrandom(&bits, 8, 0)) } }
    return bits
  }
}
