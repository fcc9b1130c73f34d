internal import CLinux

/// A netlink(7) socket that only listens to what the kernel tells of its own accord.
struct NetlinkSocket: ~Copyable {
  private let descriptor: FileDescriptor
  private var buffer = [UInt8](repeating: 0, count: 32768)

  /// For poll(2).
  var number: Int32 { descriptor.number }

  /// Listens to groups of a protocol from here on. A sandbox may forbid it: EAFNOSUPPORT or EPERM.
  init(protocol protocolNumber: Int32, groups: UInt32) throws(Errno) {
    let socket = FileDescriptor(
      owning: try Errno.check { CLinux_socket(AF_NETLINK, protocolNumber) })
    let number = socket.number
    _ = try Errno.check { CLinux_bindNetlink(number, groups) }
    descriptor = socket
  }

  /// Reads all that waits. True if one of the messages is as wanted, or if some were lost because they
  /// were not read in time.
  mutating func take(where isWanted: (ArraySlice<UInt8>) -> Bool) -> Bool {
    var isFound = false
    while true {
      let number = number
      let count = unsafe buffer.withUnsafeMutableBufferPointer {
        unsafe CLinux_receiveFromKernel(number, $0.baseAddress, $0.count)
      }
      let errno = Errno.current
      if count >= 0 {
        isFound = isWanted(buffer[0..<count]) || isFound
      } else if errno.rawValue == ENOBUFS {
        isFound = true
      } else if errno.rawValue != EINTR {
        return isFound
      }
    }
  }
}
