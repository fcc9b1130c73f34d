internal import CLinux

/// Notifies systemd of the service's state (sd_notify(3)).
///
/// Sends nothing if `NOTIFY_SOCKET` is not set.
public struct ServiceManager: ~Copyable {
  private let socket: FileDescriptor?
  private var address = sockaddr_un()
  private var addressLength: socklen_t = 0
  /// The watchdog's interval in nanoseconds; nil without a watchdog.
  public let watchdog: Int64?

  /// Reads the environment variables of the service manager.
  public init() {
    watchdog = ServiceManager.environment("WATCHDOG_USEC").flatMap { Int64($0) }
      .flatMap { $0 > 0 ? $0 * 1000 : nil }
    guard let path = ServiceManager.environment("NOTIFY_SOCKET") else {
      socket = nil
      return
    }
    var bytes = Array(path.utf8)
    // An abstract socket's name starts with "@" in the variable and with NUL in the address.
    if bytes.first == UInt8(ascii: "@") { bytes[0] = 0 }
    let room = MemoryLayout.size(ofValue: address.sun_path)
    guard bytes.count < room else {
      socket = nil
      return
    }
    let number = CLinux.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard number >= 0 else {
      socket = nil
      return
    }
    socket = FileDescriptor(owning: number)
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
    addressLength = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count)
  }

  /// Sends lines such as "READY=1" or "STATUS=waiting for a panel".
  ///
  /// Ignores send errors: the watchdog acts if the service manager hears nothing.
  public mutating func notify(_ lines: String) {
    let number: Int32
    switch socket {
    case .some(let socket): number = socket.number
    case .none: return
    }
    let bytes = lines.utf8Span.span
    let length = addressLength
    _ = unsafe withUnsafePointer(to: &address) { address in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        unsafe bytes.withUnsafeBytes {
          unsafe CLinux_sendTo(number, $0.baseAddress, $0.count, address, length)
        }
      }
    }
  }

  private static func environment(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    return unsafe String(cString: value)
  }
}
