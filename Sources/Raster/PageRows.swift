/// The visible rows of a page that scrolls, above ground and ink.
///
/// They form a ring: scrolling copies nothing, and only the rows that appear are painted. A pixel takes one byte if the
/// page is grey, otherwise three: as painted ground it would take four.
@safe struct PageRows {
  /// Where the page is on the canvas; empty: there is none.
  let area: PixelRect
  /// A row is a plane of grey, or planes of red, green and blue, each as wide as the area.
  private var bytes: [UInt8]
  private let planes: Int
  /// The place of the area's first row in the ring.
  private var first = 0

  /// No page.
  init() { (area, bytes, planes) = (.empty, [], 1) }

  /// A black page.
  init(_ area: PixelRect, isGrey: Bool) {
    self.area = area
    planes = isGrey ? 1 : 3
    bytes = [UInt8](repeating: 0, count: area.area * planes)
  }

  /// Moves the rows up, or down by a negative number. The rows that nothing moves to are undefined until painted.
  mutating func scroll(by rows: Int) {
    guard !area.isEmpty else { return }
    let step = rows % area.height
    first = (first + step + area.height) % area.height
  }

  /// Paints a row of the canvas: a byte of grey for each pixel, or red, green and blue, which a grey page ignores.
  mutating func paint(_ pixels: Span<UInt8>, y: Int) {
    let width = area.width
    let isGrey = pixels.count == width
    guard y >= Int(area.y0), y < Int(area.y1), isGrey || planes == 3 && pixels.count == 3 * width
    else { return }
    let (start, planes) = (place(y) * planes * width, planes)
    unsafe bytes.withUnsafeMutableBufferPointer { bytes in
      for plane in 0..<planes {
        let target = start + plane * width
        for x in 0..<width { unsafe bytes[target + x] = isGrey ? pixels[x] : pixels[3 * x + plane] }
      }
    }
  }

  /// The place in the ring of a row of the canvas.
  private func place(_ y: Int) -> Int {
    let row = first + y - Int(area.y0)
    return row < area.height ? row : row - area.height
  }

  /// A pixel of the area, 0xFFRRGGBB.
  subscript(x: Int, y: Int) -> UInt32 {
    let start = place(y) * planes * area.width + x - Int(area.x0)
    let red = UInt32(bytes[start])
    if planes == 1 { return 0xFF00_0000 | red << 16 | red << 8 | red }
    let (green, blue) = (UInt32(bytes[start + area.width]), UInt32(bytes[start + 2 * area.width]))
    return 0xFF00_0000 | red << 16 | green << 8 | blue
  }

  /// Copies a rectangle of the area as 0xFFRRGGBB.
  ///
  /// - Parameters:
  ///   - output: The place of the first pixel.
  ///   - stride: The pixels from row to row of the output.
  func copy(_ rect: PixelRect, to output: UnsafeMutableRawPointer, stride: Int) {
    let (width, count) = (area.width, rect.width)
    unsafe bytes.withUnsafeBufferPointer { bytes in
      guard let bytes = bytes.baseAddress else { return }
      var target = unsafe output
      for y in Int(rect.y0)..<Int(rect.y1) {
        let red = unsafe bytes + (place(y) * planes * width + Int(rect.x0 - area.x0))
        let pixels = unsafe target.assumingMemoryBound(to: UInt32.self)
        if planes == 1 {
          unsafe PageRows.expand(red, red, red, count, to: pixels)
        } else {
          unsafe PageRows.expand(red, red + width, red + 2 * width, count, to: pixels)
        }
        unsafe target += 4 * stride
      }
    }
  }

  /// Joins planes to pixels. A loop that the compiler turns into vectors.
  @inline(__always)
  private static func expand(
    _ red: UnsafePointer<UInt8>, _ green: UnsafePointer<UInt8>, _ blue: UnsafePointer<UInt8>,
    _ count: Int, to output: UnsafeMutablePointer<UInt32>
  ) {
    var x = 0
    while x < count {
      unsafe output[x] =
        0xFF00_0000 | UInt32(red[x]) &<< 16 | UInt32(green[x]) &<< 8 | UInt32(blue[x])
      x &+= 1
    }
  }
}
