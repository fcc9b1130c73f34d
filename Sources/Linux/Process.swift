internal import CLinux

/// This process.
public enum Process {
  /// Ends it with an exit code of sysexits.h, after `line` on standard error or `output` on standard
  /// output.
  public static func end(_ code: Int32, _ line: String = "", output: String = "") -> Never {
    if !line.isEmpty { StandardError.write(line + "\n") }
    if !output.isEmpty {
      let bytes = Array(output.utf8)
      _ = unsafe bytes.withUnsafeBytes { unsafe CLinux.write(1, $0.baseAddress, $0.count) }
    }
    exit(code)
  }

  /// The command line, the program's name first. From proc(5): Embedded Swift has no `CommandLine`.
  public static var arguments: [String] {
    guard let file = try? FileDescriptor(opening: "/proc/self/cmdline", O_RDONLY),
      let bytes = try? file.readAll(limit: 1 << 21)
    else { return [] }
    return bytes.split(separator: 0, omittingEmptySubsequences: false).dropLast()
      .map { String(decoding: $0, as: UTF8.self) }
  }

  /// Where the service manager lets this process keep files until it is stopped (RuntimeDirectory=);
  /// nil without a service manager. Of several, the first.
  public static var runtimeDirectory: String? {
    guard let value = unsafe getenv("RUNTIME_DIRECTORY") else { return nil }
    let first = unsafe Array(String(cString: value).utf8).prefix { $0 != UInt8(ascii: ":") }
    return first.isEmpty ? nil : String(decoding: first, as: UTF8.self)
  }

  /// Gives large blocks back to the kernel when they are freed. By itself glibc keeps more and more of
  /// them (M_MMAP_THRESHOLD in mallopt(3)), and a program stays as large as it once was.
  public static func returnFreedMemory() { mallopt(M_MMAP_THRESHOLD, 128 << 10) }

  /// The machine's host name, or "localhost".
  public static var hostName: String {
    var bytes = [CChar](repeating: 0, count: 256)
    guard unsafe gethostname(&bytes, 255) == 0, bytes[0] != 0 else { return "localhost" }
    return String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
