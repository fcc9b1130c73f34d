import CLibevdev
import CLinux
import Linux

/// An existing event device.
@safe struct EventNode: ~Copyable {
  private let path: String
  private let descriptor: FileDescriptor
  private let device: OpaquePointer

  init(_ path: String) throws(Failure) {
    let descriptor: FileDescriptor
    do throws(Errno) {
      descriptor = try FileDescriptor(opening: path, O_RDONLY | O_NONBLOCK)
    } catch { throw Failure("\(path): \(error.text)") }
    var device: OpaquePointer?
    let result = unsafe libevdev_new_from_fd(descriptor.number, &device)
    guard result == 0, let device = unsafe device else {
      throw Failure("\(path): \(Errno(-result).text)")
    }
    self.path = path
    self.descriptor = descriptor
    unsafe self.device = device
  }

  deinit { unsafe libevdev_free(device) }

  /// Grabs the device (EVIOCGRAB), prints "ready", and waits for a line or the end of the input.
  borrowing func hold() throws(Failure) {
    try check(unsafe libevdev_grab(device, LIBEVDEV_GRAB))
    let word = Array("ready\n".utf8)
    _ = unsafe write(1, word, word.count)
    var lines = Lines()
    while lines.next() == nil && !lines.isEnded { lines.receive() }
  }

  /// Sets an axis's maximum (EVIOCSABS), as udev does from its hardware database.
  borrowing func describe(_ axis: UInt32, upTo maximum: Int32) throws(Failure) {
    guard let known = unsafe libevdev_get_abs_info(device, axis) else {
      throw Failure("\(path): no axis \(axis)")
    }
    var range = unsafe known.pointee
    range.maximum = maximum
    try check(unsafe libevdev_kernel_set_abs_info(device, axis, &range))
  }

  private borrowing func check(_ result: Int32) throws(Failure) {
    if result != 0 { throw Failure("\(path): \(Errno(-result).text)") }
  }
}
