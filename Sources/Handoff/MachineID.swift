internal import CLinux
internal import Linux

/// A short identifier of this machine.
enum MachineID {
  /// Twelve hexadecimal digits from /etc/machine-id, which nobody can compute back (machine-id(5) asks for
  /// that); on a machine without one, the same until the program ends.
  static let text: String = {
    var bytes: [UInt8]?
    do throws(Errno) {
      bytes = try FileDescriptor(opening: "/etc/machine-id", O_RDONLY).readAll(limit: 4096)
    } catch { bytes = nil }
    guard let bytes, bytes.count >= 32 else {
      let random = (try? Randomness.bits()) ?? UInt64(bitPattern: MonotonicClock.now)
      return short(Array("\(random)".utf8))
    }
    return short(Array(bytes.prefix(32)))
  }()

  private static func short(_ bytes: [UInt8]) -> String {
    let digits = HMAC.text(of: Array("org.paraph.handoff".utf8), key: bytes)
    return String(decoding: digits.utf8.prefix(12), as: UTF8.self)
  }
}
