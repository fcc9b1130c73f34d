/// How much of each pixel is inked, 0…255, row by row.
@safe public struct Coverage: ~Copyable {
  /// Columns.
  public let width: Int
  /// Rows.
  public let height: Int
  /// Bytes from row to row: a multiple of the sixteen pixels that are written together.
  public let stride: Int
  let pixels: UnsafeMutablePointer<UInt8>

  /// A mask without ink.
  public init(width: Int, height: Int) {
    precondition(width > 0 && height > 0)
    self.width = width
    self.height = height
    stride = (width + 15) & ~15
    unsafe pixels = .allocate(capacity: stride * height)
    unsafe pixels.initialize(repeating: 0, count: stride * height)
  }

  deinit { unsafe pixels.deallocate() }

  /// Takes all ink away.
  public mutating func clear() { unsafe pixels.update(repeating: 0, count: stride * height) }

  /// One pixel.
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
}

extension Coverage {
  /// The mask for the duration of one fill.
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
        let place = unsafe UnsafeMutableRawPointer(pixels + x)
        let before = unsafe place.loadUnaligned(as: SIMD16<UInt8>.self)
        unsafe place.storeBytes(of: before.addingSaturated(coverage), as: SIMD16<UInt8>.self)
      }
    }
  }
}

/// The memory is owned alone.
extension Coverage: @unchecked Sendable {}
