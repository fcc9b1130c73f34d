/// A DRM_EVENT_FLIP_COMPLETE.
struct FlipEvent: Equatable {
  /// What the commit was given, to tell a late event of a lost flip from ours.
  var serial: UInt64
  /// When it was shown: nanoseconds of CLOCK_MONOTONIC.
  var time: Int64
  /// The driver's vblank counter; 0 where it has none.
  var sequence: UInt32
}

extension FlipEvent {
  /// The events in what read(2) gave (drm.h, `struct drm_event_vblank`); others are stepped over, and a
  /// length that cannot be ends the walk.
  static func all(in bytes: borrowing RawSpan, _ body: (FlipEvent) -> Void) {
    let flipComplete: UInt32 = 2
    var start = 0
    while start + 8 <= bytes.byteCount {
      let type = word(bytes, start)
      let length = Int(word(bytes, start + 4))
      guard length >= 8, start + length <= bytes.byteCount else { return }
      if type == flipComplete, length >= 32 {
        let serial = UInt64(word(bytes, start + 8)) | UInt64(word(bytes, start + 12)) << 32
        let time =
          Int64(word(bytes, start + 16)) * 1_000_000_000 + Int64(word(bytes, start + 20)) * 1000
        body(FlipEvent(serial: serial, time: time, sequence: word(bytes, start + 24)))
      }
      start += length
    }
  }

  private static func word(_ bytes: borrowing RawSpan, _ offset: Int) -> UInt32 {
    unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt32.self)
  }
}
