import CLinux
import Linux

/// Counts the contacts that a touchscreen's node reports to this program.
struct ProbeTouches {
  private let descriptor: Int32
  /// The contacts that came down, and that were lifted.
  private(set) var count = 0, lifts = 0

  /// Opens a node.
  init?(_ path: String) {
    guard
      let file = try? FileDescriptor(opening: path, O_RDONLY | O_NONBLOCK)
    else { return nil }
    descriptor = file.release()
  }

  /// For poll(2).
  var number: Int32 { descriptor }

  /// Reads what there is; it counts or is forgotten.
  mutating func drain(counting: Bool) {
    var event = input_event()
    while unsafe read(descriptor, &event, MemoryLayout<input_event>.size)
      == MemoryLayout<input_event>.size
    {
      guard counting, Int32(event.type) == EV_ABS, Int32(event.code) == ABS_MT_TRACKING_ID else {
        continue
      }
      if event.value >= 0 { count += 1 } else { lifts += 1 }
    }
  }
}
