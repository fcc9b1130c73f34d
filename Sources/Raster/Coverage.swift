/// A mask of coverage, 0…255 per pixel: the target of `Rasteriser.add`.
///
/// Use it to fill outlines without a pad: the mask of a glyph, for example, or a figure for a test.
///
///     var rasteriser = Rasteriser()
///     var mask = Coverage(width: 64, height: 64)
///     let changed = rasteriser.add(outline, scale: Scale(dpi: 163), to: &mask)
@safe public struct Coverage: ~Copyable {
  /// The number of columns.
  public let width: Int
  /// The number of rows.
  public let height: Int
  /// The bytes from row to row, a multiple of sixteen.
  public let stride: Int
  let pixels: UnsafeMutablePointer<UInt8>

  /// Creates an empty mask; both sizes must be positive.
  public init(width: Int, height: Int) {
    precondition(width > 0 && height > 0)
    self.width = width
    self.height = height
    stride = (width + 15) & ~15
    unsafe pixels = .allocate(capacity: stride * height)
    unsafe pixels.initialize(repeating: 0, count: stride * height)
  }

  deinit { unsafe pixels.deallocate() }

  /// Removes all coverage.
  public mutating func clear() { unsafe pixels.update(repeating: 0, count: stride * height) }

  /// The coverage of one pixel.
  public subscript(x: Int, y: Int) -> UInt8 {
    precondition(x >= 0 && x < width && y >= 0 && y < height)
    return unsafe pixels[y * stride + x]
  }

  /// The pixels of one row.
  @_lifetime(borrow self)
  public borrowing func row(_ y: Int) -> Span<UInt8> {
    precondition(y >= 0 && y < height)
    let span = unsafe Span(_unsafeStart: pixels + y * stride, count: width)
    return unsafe _overrideLifetime(span, borrowing: self)
  }

  /// Receives coverage into the mask for the duration of one fill.
  @safe struct Sink: CoverageSink {
    let pixels: UnsafeMutablePointer<UInt8>
    let stride: Int

    func prepare(for rect: PixelRect) {}

    @inline(__always)
    func row(_ y: Int) -> Row { unsafe Row(pixels: pixels + y &* stride, stride: stride) }

    @safe struct Row: CoverageRow {
      private(set) var pixels: UnsafeMutablePointer<UInt8>
      let stride: Int

      @inline(__always)
      mutating func next() { unsafe pixels += stride }

      @inline(__always)
      func add(_ coverage: SIMD16<UInt8>, _ x: Int) {
        let target = unsafe UnsafeMutableRawPointer(pixels + x)
        let before = unsafe target.loadUnaligned(as: SIMD16<UInt8>.self)
        unsafe target.storeBytes(of: before.addingSaturated(coverage), as: SIMD16<UInt8>.self)
      }
    }
  }
}

/// The mask is the only owner of its memory.
extension Coverage: @unchecked Sendable {}
