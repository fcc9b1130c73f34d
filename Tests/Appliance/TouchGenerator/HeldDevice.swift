import CLibevdev
import CLinux
import Linux

/// Somebody else's device, which this program may keep to itself (EVIOCGRAB) until it ends.
@safe struct HeldDevice: ~Copyable {
  private let descriptor: FileDescriptor
  private let device: OpaquePointer

  init(_ path: String, isGrabbed: Bool = true) throws(Failure) {
    let descriptor: FileDescriptor
    do throws(Errno) {
      descriptor = try FileDescriptor(opening: path, O_RDONLY | O_NONBLOCK)
    } catch { throw Failure("\(path): \(error.text)") }
    var device: OpaquePointer?
    var result = unsafe libevdev_new_from_fd(descriptor.number, &device)
    guard result == 0, let device = unsafe device else {
      throw Failure("\(path): \(Errno(-result).text)")
    }
    if isGrabbed { result = unsafe libevdev_grab(device, LIBEVDEV_GRAB) }
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

  /// Says how far an axis goes (EVIOCSABS), as udev does by its hardware database.
  borrowing func describe(_ axis: UInt32, upTo maximum: Int32) throws(Failure) {
    guard let known = unsafe libevdev_get_abs_info(device, axis) else {
      throw Failure("there is no axis \(axis)")
    }
    var range = unsafe known.pointee
    range.maximum = maximum
    let result = unsafe libevdev_kernel_set_abs_info(device, axis, &range)
    guard result == 0 else { throw Failure("EVIOCSABS: \(Errno(-result).text)") }
  }
}
