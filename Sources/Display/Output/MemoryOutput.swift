internal import CLinux
internal import Linux
internal import Raster

/// A panel in memory with a simulated vblank, for tests, the bench and the demonstration.
final class MemoryOutput {
  private let geometry: PanelGeometry
  private let format: PixelFormat
  private let pitch: Int
  private let first: Mapping
  private let second: Mapping
  private var painter: RowPainter
  /// Nanoseconds per frame; nil: flips are shown at once, as on a virtual card.
  private let period: Int64?
  private var shown: Int?
  private var pending: (buffer: Int, event: FlipEvent)?
  private let flips: MemoryPanelOptions.Flips
  /// The number of checks until another panel is connected; nil: the panel stays.
  private var checks: Int?

  init(
    _ geometry: PanelGeometry, format: PixelFormat, period: Int64?,
    flips: MemoryPanelOptions.Flips, checks: Int? = nil
  ) throws(DisplayError) {
    let pitch = geometry.panelWidth * format.bytesPerPixel
    let first = try Mapping(anonymous: pitch * geometry.panelHeight)
    let second = try Mapping(anonymous: pitch * geometry.panelHeight)
    painter = RowPainter(geometry, format: format)
    self.geometry = geometry
    self.format = format
    self.pitch = pitch
    self.first = first
    self.second = second
    self.period = period
    self.flips = flips
    self.checks = checks
  }

  /// Copies a region into a buffer.
  ///
  /// - Returns: The bytes written.
  func paint(_ region: PixelRegion, of canvas: borrowing Canvas, into buffer: Int) -> Int {
    if buffer == 1 { return painter.paint(region, from: canvas, to: second, pitch: pitch) }
    return painter.paint(region, from: canvas, to: first, pitch: pitch)
  }

  /// Shows a buffer at once.
  func enable(_ buffer: Int) {
    shown = buffer
    pending = nil
  }

  /// Shows a buffer at the next multiple of the period.
  func flip(to buffer: Int, at now: Int64) throws(DisplayError) -> FlipOutcome {
    if flips == .refused { throw .refused(.pageFlip, Errno(EINVAL)) }
    if pending != nil { return .busy }
    if flips == .lost { return .accepted }
    if let period {
      let frame = now / period + 1
      let event = FlipEvent(
        serial: 0, time: frame * period, sequence: UInt32(truncatingIfNeeded: frame) | 1 << 31)
      pending = (buffer, event)
    } else {
      pending = (buffer, FlipEvent(serial: 0, time: now, sequence: 0))
    }
    return .accepted
  }

  /// Checks whether the panel is still connected.
  func check() throws(DisplayError) {
    guard let left = checks else { return }
    guard left > 1 else { throw .changed }
    checks = left - 1
  }

  /// The time at which the flip in flight is shown.
  var nextEvent: Int64? { pending?.event.time }

  /// The flip in flight, once its time has come.
  func readFlip(at now: Int64) -> FlipEvent? {
    guard let pending, pending.event.time <= now else { return nil }
    shown = pending.buffer
    self.pending = nil
    return pending.event
  }

  /// The last vblank.
  func lastVblank(at now: Int64) -> (time: Int64, sequence: UInt32)? {
    guard let period else { return nil }
    let frame = now / period
    return (frame * period, UInt32(truncatingIfNeeded: frame) | 1 << 31)
  }

  /// The pixels of the buffer on screen; black before the first frame.
  var picture: PanelPicture {
    let (width, height) = (geometry.panelWidth, geometry.panelHeight)
    var pixels: [UInt32] = []
    pixels.reserveCapacity(width * height)
    for y in 0..<height {
      for x in 0..<width { pixels.append(pixel(x, y)) }
    }
    return PanelPicture(width: width, height: height, pixels: pixels)
  }

  private func pixel(_ x: Int, _ y: Int) -> UInt32 {
    guard let shown else { return 0xFF00_0000 }
    let offset = y * pitch + x * format.bytesPerPixel
    func byte(_ index: Int) -> UInt32 {
      UInt32(shown == 1 ? second.byte(at: offset + index) : first.byte(at: offset + index))
    }
    var word: UInt32 = 0
    for index in 0..<format.bytesPerPixel { word |= byte(index) << UInt32(8 * index) }
    return format.pixel(word)
  }
}

/// The pixels that a panel shows.
public struct PanelPicture: Sendable, Equatable {
  /// The size in pixels.
  public let width: Int, height: Int
  /// The pixels row by row, as 0xFFRRGGBB.
  public let pixels: [UInt32]

  /// Creates a picture of `width` × `height` pixels.
  public init(width: Int, height: Int, pixels: [UInt32]) {
    precondition(pixels.count == width * height)
    (self.width, self.height, self.pixels) = (width, height, pixels)
  }
}
