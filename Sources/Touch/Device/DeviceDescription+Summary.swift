internal import CLinux

extension DeviceDescription {
  /// How the device tells of its contacts, in the kernel documentation's words: for people.
  public var protocolText: String {
    let plan = DeviceProtocol(self)
    switch plan.multitouch {
    case .slots(let count): return "multi-touch protocol B, \(count) slots"
    case .lists: return "multi-touch protocol A"
    case .none: break
    }
    switch plan.point {
    case .none: return "no contacts"
    case .touchButton: return "one contact, BTN_TOUCH"
    case .leftButton: return "one contact, BTN_LEFT"
    case .pressure: return "one contact, told by its pressure"
    }
  }

  /// How many values the axes of the place have.
  public var span: (x: Int64, y: Int64) {
    let plan = DeviceProtocol(self)
    return (range(of: plan.axisX)?.span ?? 0, range(of: plan.axisY)?.span ?? 0)
  }

  /// The axes of places that the kernel smooths (`absinfo.fuzz`), which turns slow strokes into steps.
  public var fuzzyAxes: [(axis: Int32, fuzz: Int32)] {
    [ABS_X, ABS_Y, ABS_MT_POSITION_X, ABS_MT_POSITION_Y].compactMap { axis in
      guard let fuzz = range(of: axis)?.fuzz, fuzz > 0 else { return nil }
      return (axis, fuzz)
    }
  }
}
