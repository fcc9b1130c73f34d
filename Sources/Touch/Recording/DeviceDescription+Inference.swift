internal import CLinux

extension DeviceDescription {
  /// Adds what the events of a device show of it, where it says nothing itself: a recording may have no
  /// description, or one that was cut off.
  mutating func complete(from events: [InputEvent]) {
    let isSilent = codes(of: EV_ABS).isEmpty
    var seen = [Extent?](repeating: nil, count: Int(ABS_CNT))
    var hasLists = false
    for event in events {
      let (type, code) = (Int32(event.type), Int32(event.code))
      if type == EV_SYN {
        hasLists = hasLists || code == SYN_MT_REPORT
        continue
      }
      add(type, code)
      guard type == EV_ABS, code < ABS_CNT else { continue }
      seen[Int(code)] = (seen[Int(code)] ?? Extent(event.value)).including(event.value)
    }
    // Without SYN_MT_REPORT it is protocol B, of which only one slot was used and never named.
    if isSilent && hasAxis(ABS_MT_TRACKING_ID) && !hasAxis(ABS_MT_SLOT) && !hasLists {
      describe(ABS_MT_SLOT, as: AxisRange(minimum: 0, maximum: 0))
    }
    for axis in 0..<ABS_CNT where range(of: axis) == nil {
      guard let extent = seen[Int(axis)] else { continue }
      describe(axis, as: AxisRange(minimum: extent.least, maximum: extent.greatest))
    }
  }

  private struct Extent {
    var least: Int32
    var greatest: Int32

    init(_ value: Int32) { (least, greatest) = (value, value) }

    func including(_ value: Int32) -> Extent {
      var extent = self
      extent.least = min(least, value)
      extent.greatest = max(greatest, value)
      return extent
    }
  }
}
