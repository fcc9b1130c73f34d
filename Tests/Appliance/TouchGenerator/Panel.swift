/// The touch panel that is made: what its event device will say of itself.
struct Panel {
  /// In millimetres.
  let width: Int, height: Int
  /// Units of the event device per millimetre.
  let resolution: Int
  /// Contacts at once.
  let slots: Int
  let name: String
  /// By how many units a place may differ from the last before the kernel believes it; of uinput only.
  let fuzz: Int32

  /// Coordinates run from 0 to these.
  var maximumX: Int32 { Int32(width * resolution - 1) }
  var maximumY: Int32 { Int32(height * resolution - 1) }

  /// The device's units for a place in millimetres, kept on the glass.
  func units(x: Double, y: Double) -> (x: Int32, y: Int32) {
    (units(x, upTo: maximumX), units(y, upTo: maximumY))
  }

  private func units(_ millimetres: Double, upTo maximum: Int32) -> Int32 {
    let units = millimetres * Double(resolution) + 0.5
    guard units >= 1 else { return 0 }
    return units < Double(maximum) ? Int32(units) : maximum
  }

  /// Reads "WIDTHxHEIGHT RESOLUTION SLOTS NAME [FUZZ]"; nil where one of them makes no panel.
  init?(_ arguments: [String]) {
    guard (4...5).contains(arguments.count) else { return nil }
    let size = arguments[0].split(separator: "x").compactMap { Int($0) }
    guard size.count == 2, let resolution = Int(arguments[1]), let slots = Int(arguments[2]) else {
      return nil
    }
    // A HID report holds coordinates of 15 bits here, and the driver at most 10 contacts' worth.
    guard size.allSatisfy({ $0 > 0 && $0 * resolution <= 32768 }) else { return nil }
    guard resolution > 0, (1...10).contains(slots) else { return nil }
    (width, height, self.resolution, self.slots) = (size[0], size[1], resolution, slots)
    name = arguments[3]
    guard let fuzz = Int32(arguments.count > 4 ? arguments[4] : "0") else { return nil }
    self.fuzz = fuzz
  }
}
