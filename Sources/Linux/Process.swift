internal import CLinux

/// This process.
public enum Process {
  /// Writes `line` to standard error or `output` to standard output, and exits.
  ///
  /// - Parameter code: The exit status, see sysexits.h; 74 (EX_IOERR) instead if `output` cannot be written.
  public static func end(_ code: Int32, _ line: String = "", output: String = "") -> Never {
    if !line.isEmpty { StandardError.write(line + "\n") }
    if output.isEmpty { exit(code) }
    let descriptor = FileDescriptor(owning: 1)
    do throws(Errno) {
      try descriptor.writeAll(output)
    } catch {
      StandardError.write("write to standard output: \(error.text)\n")
      exit(EX_IOERR)
    }
    exit(code)
  }

  /// Prepares a program for its work, and returns its command line, starting with the program's name.
  ///
  /// Ends it with 71 (EX_OSERR) if the command line cannot be read, and with 64 (EX_USAGE) if an argument is not UTF-8: a
  /// repaired path would name another file.
  ///
  /// - Parameter program: The program's name, for messages.
  public static func begin(_ program: String) -> [String] {
    fillStandardDescriptors()
    // Embedded Swift has no `CommandLine`.
    guard let file = try? FileDescriptor(opening: "/proc/self/cmdline", O_RDONLY),
      let bytes = try? file.readAll(limit: 1 << 21), !bytes.isEmpty
    else { end(EX_OSERR, "\(program): cannot read /proc/self/cmdline: is /proc mounted?") }
    var arguments: [String] = []
    for word in bytes.split(separator: 0, omittingEmptySubsequences: false).dropLast() {
      guard let argument = String(validating: word, as: UTF8.self) else {
        let repaired = String(decoding: word, as: UTF8.self).printable
        end(EX_USAGE, "\(program): the argument '\(repaired)' is not UTF-8")
      }
      arguments.append(argument)
    }
    return arguments
  }

  /// Opens standard input, output and error where the caller has closed them: another file would take the number, and
  /// receive what is printed. Reading and writing fail as with a closed descriptor.
  private static func fillStandardDescriptors() {
    var status = stat()
    for number: Int32 in 0...2 where unsafe fstat(number, &status) < 0 {
      // The kernel takes the lowest number that is free.
      _ = unsafe CLinux_open("/dev/null", number == 0 ? O_WRONLY : O_RDONLY, 0)
    }
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
