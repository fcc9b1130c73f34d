internal import CLinux
internal import Linux
internal import Raster

/// A panel in memory, with a vblank by the clock: what runs where there is no card, in tests, in the
/// bench and in the demonstration.
final class MemoryOutput {
  let geometry: PanelGeometry
  let format: PixelFormat
  private let pitch: Int
  private let first: Mapping
  private let second: Mapping
  private var painter: RowPainter
  /// Nanoseconds from vblank to vblank; nil: a flip is shown at once, as on a virtual card.
  private let period: Int64?
  private var shown: Int?
  private var pending: (buffer: Int, event: FlipEvent)?
  private let flips: MemoryPanelOptions.Flips

  init(
    _ geometry: PanelGeometry, format: PixelFormat, period: Int64?,
    flips: MemoryPanelOptions.Flips
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
  }

  func paint(_ region: PixelRegion, of canvas: borrowing Canvas, into buffer: Int) -> Int {
    if buffer == 1 { return painter.paint(region, from: canvas, to: second, pitch: pitch) }
    return painter.paint(region, from: canvas, to: first, pitch: pitch)
  }

  func light(_ buffer: Int) {
    shown = buffer
    pending = nil
  }

  /// Shown at the next multiple of the period.
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

  /// When the flip in flight is shown.
  var nextEvent: Int64? { pending?.event.time }

  /// The flip in flight, if its time has come.
  func takeFlip(at now: Int64) -> FlipEvent? {
    guard let pending, pending.event.time <= now else { return nil }
    shown = pending.buffer
    self.pending = nil
    return pending.event
  }

  /// When the last vblank was.
  func lastVblank(at now: Int64) -> (time: Int64, sequence: UInt32)? {
    guard let period else { return nil }
    let frame = now / period
    return (frame * period, UInt32(truncatingIfNeeded: frame) | 1 << 31)
  }

  /// One pixel of what is shown, in panel coordinates; black before the first picture.
  func pixel(_ x: Int, _ y: Int) -> UInt32 {
    guard let shown else { return 0xFF00_0000 }
    let at = y * pitch + x * format.bytesPerPixel
    func byte(_ index: Int) -> UInt32 {
      UInt32(shown == 1 ? second.byte(at: at + index) : first.byte(at: at + index))
    }
    var word: UInt32 = 0
    for index in 0..<format.bytesPerPixel { word |= byte(index) << UInt32(8 * index) }
    return format.pixel(word)
  }
}
