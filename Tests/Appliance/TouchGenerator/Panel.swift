/// The description of the virtual touch panel.
struct Panel {
  /// The size in millimetres.
  let width: Int, height: Int
  /// Units of the event device per millimetre.
  let resolution: Int
  /// The number of simultaneous contacts.
  let slots: Int
  let name: String
  /// `absinfo.fuzz`, for uinput only.
  let fuzz: Int32

  /// The largest coordinates.
  var maximumX: Int32 { Int32(width * resolution - 1) }
  var maximumY: Int32 { Int32(height * resolution - 1) }

  /// A position in millimetres in the device's units, clamped to the glass.
  func units(x: Double, y: Double) -> (x: Int32, y: Int32) {
    (units(x, upTo: maximumX), units(y, upTo: maximumY))
  }

  private func units(_ millimetres: Double, upTo maximum: Int32) -> Int32 {
    let units = millimetres * Double(resolution) + 0.5
    guard units >= 1 else { return 0 }
    return units < Double(maximum) ? Int32(units) : maximum
  }

  /// Parses "WIDTHxHEIGHT RESOLUTION SLOTS NAME [FUZZ]"; nil if one is invalid.
  init?(_ arguments: [String]) {
    guard (4...5).contains(arguments.count) else { return nil }
    let size = arguments[0].split(separator: "x").compactMap { Int($0) }
    guard size.count == 2, let resolution = Int(arguments[1]), let slots = Int(arguments[2]) else {
      return nil
    }
    // A HID report has coordinates of 15 bits here, and the driver reads at most 10 contacts.
    guard size.allSatisfy({ $0 > 0 && $0 * resolution <= 32768 }) else { return nil }
    guard resolution > 0, (1...10).contains(slots) else { return nil }
    (width, height, self.resolution, self.slots) = (size[0], size[1], resolution, slots)
    name = arguments[3]
    guard let fuzz = Int32(arguments.count > 4 ? arguments[4] : "0") else { return nil }
    self.fuzz = fuzz
  }
}
