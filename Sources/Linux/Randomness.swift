internal import CLinux

/// getrandom(2): the kernel's random numbers.
public enum Randomness {
  /// Sixty-four random bits. Waits only while a machine that just started gathers its first entropy.
  public static func bits() throws(Errno) -> UInt64 {
    var bits: UInt64 = 0
    var count = 0
    while count != 8 { count = try Errno.checkCount { unsafe Int(getrandom(&bits, 8, 0)) } }
    return bits
  }
}
