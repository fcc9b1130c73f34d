internal import CLinux

/// A NULL-terminated list of C strings that lives as long as this does: argv, envp.
@safe public final class CStrings {
  /// For the C library.
  public let pointers: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
  private let count: Int

  /// Copies the texts.
  public init(_ strings: [String]) {
    count = strings.count
    unsafe pointers = .allocate(capacity: strings.count + 1)
    for (index, string) in strings.enumerated() {
      unsafe (pointers + index).initialize(to: strdup(string))
    }
    unsafe (pointers + strings.count).initialize(to: nil)
  }

  /// The same, for `const char *const *`.
  public var constants: UnsafePointer<UnsafePointer<CChar>?> {
    unsafe UnsafeRawPointer(pointers).assumingMemoryBound(to: UnsafePointer<CChar>?.self)
  }

  deinit {
    for index in 0..<count { unsafe free(pointers[index]) }
    unsafe pointers.deallocate()
  }
}
