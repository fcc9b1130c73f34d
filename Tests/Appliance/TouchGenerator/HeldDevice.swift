import CLibevdev
import CLinux
import Linux

/// Somebody else's device that this program keeps to itself (EVIOCGRAB) until it ends.
@safe struct HeldDevice: ~Copyable {
  private let descriptor: FileDescriptor
  private let device: OpaquePointer

  init(_ path: String) throws(Failure) {
    let descriptor: FileDescriptor
    do throws(Errno) {
      descriptor = try FileDescriptor(opening: path, O_RDONLY | O_NONBLOCK)
    } catch { throw Failure("\(path): \(error.text)") }
    var device: OpaquePointer?
    var result = unsafe libevdev_new_from_fd(descriptor.number, &device)
    guard result == 0, let device = unsafe device else {
      throw Failure("\(path): \(Errno(-result).text)")
    }
    result = unsafe libevdev_grab(device, LIBEVDEV_GRAB)
    guard result == 0 else {
      unsafe libevdev_free(device)
      throw Failure("\(path): \(Errno(-result).text)")
    }
    self.descriptor = descriptor
    unsafe self.device = device
  }

  deinit { unsafe libevdev_free(device) }

  /// Says so, and waits for a line or the end of the input.
  borrowing func hold() {
    let word = Array("ready\n".utf8)
    _ = unsafe write(1, word, word.count)
    var lines = Lines()
    while lines.next() == nil && !lines.isEnded { lines.receive() }
  }
}
