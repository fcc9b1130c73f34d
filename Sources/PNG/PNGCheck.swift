internal import CPNG

/// Checks a PNG whose bytes arrive in parts, and keeps none of them.
///
/// Decodes each part as it arrives. The memory that this takes does not depend on the height of the picture. Chunks
/// that do not change pixels are skipped, and their checksums ignored.
@safe public struct PNGCheck: ~Copyable {
  /// The largest picture that passes.
  public struct Limits: Sendable {
    /// The number of pixels.
    public let pixels: Int
    /// The number of pixels of an interlaced picture.
    public let interlaced: Int
    /// The pixels of a side.
    public let side: Int

    /// Limits of at least one pixel.
    public init(pixels: Int, interlaced: Int, side: Int) {
      precondition(pixels > 0 && interlaced > 0 && side > 0 && side <= Int32.max)
      (self.pixels, self.interlaced, self.side) = (pixels, interlaced, side)
    }
  }

  private let checker: OpaquePointer

  /// Checks a file from its first byte.
  public init(_ limits: Limits) throws(PNGError) {
    var limits = CPNG_limits(
      pixels: UInt64(limits.pixels), interlaced: UInt64(limits.interlaced),
      side: UInt32(limits.side))
    var opened: OpaquePointer?
    let code = unsafe CPNG_openChecker(&opened, &limits)
    guard let checker = unsafe opened, code == CPNG_done else {
      unsafe CPNG_closeChecker(opened)
      throw .outOfMemory
    }
    unsafe self.checker = checker
  }

  deinit { unsafe CPNG_closeChecker(checker) }

  /// Checks the next part. Once it has thrown, it throws again.
  public mutating func add(_ part: Span<UInt8>) throws(PNGError) {
    let code = unsafe part.withUnsafeBufferPointer { part in
      unsafe CPNG_check(checker, part.baseAddress, part.count)
    }
    if code != CPNG_done { throw error(code) }
  }

  /// Whether the whole file has arrived and is sound.
  public var isComplete: Bool { unsafe CPNG_isChecked(checker) != 0 }

  /// Width and height in pixels; 0 before the header has arrived.
  public var size: (width: Int, height: Int) {
    unsafe (Int(CPNG_checkedWidth(checker)), Int(CPNG_checkedHeight(checker)))
  }

  private borrowing func error(_ code: Int32) -> PNGError {
    switch Int(code) {
    case CPNG_tooLarge: .tooLarge(width: size.width, height: size.height)
    case CPNG_noMemory: .outOfMemory
    case CPNG_notPNG: .notPNG
    default: .damaged(unsafe String(cString: CPNG_checkerMessage(checker)))
    }
  }
}
