import Raster

/// The colours below the ink, and the pixels that are shown: red, green, blue and alpha, as a browser's `ImageData`.
///
/// A page of one colour uses no memory.
@safe struct Page: ~Copyable {
  private let width, height: Int
  private(set) var background: Colour
  /// Undefined until they are composed.
  let pixels: UnsafeMutablePointer<UInt8>
  private var colours: UnsafeMutablePointer<UInt8>?

  init(width: Int, height: Int, background: Colour = .clear) {
    (self.width, self.height) = (width, height)
    self.background = background
    unsafe pixels = .allocate(capacity: 4 * width * height)
  }

  deinit {
    unsafe pixels.deallocate()
    unsafe colours?.deallocate()
  }

  /// Whether it has more than one colour.
  var isPainted: Bool { unsafe colours != nil }

  /// Makes the page one colour.
  mutating func clear(to background: Colour) {
    self.background = background
    unsafe colours?.deallocate()
    unsafe colours = nil
  }

  /// The colours of all pixels, to be changed.
  mutating func paint() -> UnsafeMutablePointer<UInt8> {
    if let colours = unsafe colours { return unsafe colours }
    let new = UnsafeMutablePointer<UInt8>.allocate(capacity: 4 * width * height)
    for pixel in 0..<width * height { unsafe Page.store(background, to: new + 4 * pixel) }
    unsafe colours = new
    return unsafe new
  }

  /// Draws ink on the page for good.
  mutating func merge(_ ink: borrowing InkPlanes, _ pen: Pen) {
    let all = PixelRect(width: width, height: height)
    let target = unsafe paint()
    unsafe blend(ink.bounds.intersection(all), ink, pen, from: UnsafePointer(target), to: target)
  }

  /// Draws page and ink into the pixels of a rectangle within the page.
  func compose(_ rect: PixelRect, under ink: borrowing InkPlanes, _ pen: Pen) {
    unsafe blend(rect, ink, pen, from: colours.map { unsafe UnsafePointer($0) }, to: pixels)
  }

  /// - Parameter below: The colours; nil: the background.
  private func blend(
    _ rect: PixelRect, _ ink: borrowing InkPlanes, _ pen: Pen, from below: UnsafePointer<UInt8>?,
    to target: UnsafeMutablePointer<UInt8>
  ) {
    guard !rect.isEmpty else { return }
    let columns = Int(rect.x0)..<Int(rect.x1)
    var row = [UInt8](repeating: 0, count: columns.count)
    for y in Int(rect.y0)..<Int(rect.y1) {
      var coverage = row.mutableSpan
      ink.writeCoverage(ofRow: y, columns: columns, to: &coverage)
      for x in columns {
        let offset = 4 * (y * width + x)
        let under = unsafe below.map { unsafe Page.load($0 + offset) } ?? background
        let level = Page.product(row[x - columns.lowerBound], pen.colour.alpha)
        unsafe Page.store(Page.blended(under, level, pen), to: target + offset)
      }
    }
  }

  @inline(__always)
  private static func blended(_ under: Colour, _ level: UInt8, _ pen: Pen) -> Colour {
    if level == 0 { return under }
    if pen.isEraser {
      return Colour(
        red: under.red, green: under.green, blue: under.blue,
        alpha: under.alpha &- product(under.alpha, level))
    }
    if under.alpha == 0 {
      return Colour(
        red: pen.colour.red, green: pen.colour.green, blue: pen.colour.blue, alpha: level)
    }
    // What is seen of the page through the ink, times 255.
    let rest = UInt32(under.alpha) &* (255 &- UInt32(level))
    let total = UInt32(level) &* 255 &+ rest
    @inline(__always)
    func mix(_ above: UInt8, _ below: UInt8) -> UInt8 {
      let sum = UInt32(above) &* UInt32(level) &* 255 &+ UInt32(below) &* rest
      return UInt8(truncatingIfNeeded: (sum &+ total / 2) / total)
    }
    return Colour(
      red: mix(pen.colour.red, under.red), green: mix(pen.colour.green, under.green),
      blue: mix(pen.colour.blue, under.blue),
      alpha: UInt8(truncatingIfNeeded: (total &+ 127) / 255))
  }

  /// a·b/255, rounded.
  @inline(__always)
  private static func product(_ a: UInt8, _ b: UInt8) -> UInt8 {
    UInt8(truncatingIfNeeded: (UInt32(a) &* UInt32(b) &+ 127) / 255)
  }

  @inline(__always)
  private static func load(_ address: UnsafePointer<UInt8>) -> Colour {
    unsafe Colour(red: address[0], green: address[1], blue: address[2], alpha: address[3])
  }

  @inline(__always)
  private static func store(_ colour: Colour, to address: UnsafeMutablePointer<UInt8>) {
    unsafe address[0] = colour.red
    unsafe address[1] = colour.green
    unsafe address[2] = colour.blue
    unsafe address[3] = colour.alpha
  }
}
