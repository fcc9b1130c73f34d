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
  /// The colours of each level of ink on the background.
  private var blends: Blends

  init(width: Int, height: Int, background: Colour = .clear) {
    (self.width, self.height) = (width, height)
    self.background = background
    blends = Blends(background, Pen())
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
  mutating func compose(_ rect: PixelRect, under ink: borrowing InkPlanes, _ pen: Pen) {
    if let colours = unsafe colours {
      return unsafe blend(rect, ink, pen, from: UnsafePointer(colours), to: pixels)
    }
    if !blends.are(of: background, pen) { blends = Blends(background, pen) }
    unsafe blend(rect, ink, by: blends, to: pixels)
  }

  /// Draws ink on the background, which takes a look-up per pixel.
  private func blend(
    _ rect: PixelRect, _ ink: borrowing InkPlanes, by blends: Blends,
    to target: UnsafeMutablePointer<UInt8>
  ) {
    guard !rect.isEmpty else { return }
    let columns = Int(rect.x0)..<Int(rect.x1)
    var row = [UInt8](repeating: 0, count: columns.count)
    for y in Int(rect.y0)..<Int(rect.y1) {
      var coverage = row.mutableSpan
      ink.writeCoverage(ofRow: y, columns: columns, to: &coverage)
      var pixel = unsafe target + 4 * (y * width + columns.lowerBound)
      for level in row {
        unsafe Page.store(blends[level], to: pixel)
        unsafe pixel += 4
      }
    }
  }

  /// Draws ink on the colours `below`.
  private func blend(
    _ rect: PixelRect, _ ink: borrowing InkPlanes, _ pen: Pen, from below: UnsafePointer<UInt8>,
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
        let under = unsafe Page.load(below + offset)
        unsafe Page.store(under.under(row[x - columns.lowerBound], pen), to: target + offset)
      }
    }
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
