internal import CLibdrm
internal import CLinux
internal import Linux
internal import Raster

/// The panel of a card: its buffers, its commits, its events. Dropping it puts the former picture back.
final class CardOutput {
  let card: Card
  let survey: CardSurvey
  let pipeline: Pipeline
  private let commit: Commit
  private let former: SavedCRTCState
  private let first: DumbBuffer
  private let second: DumbBuffer?
  private var painter: RowPainter
  private var events = [UInt8](repeating: 0, count: 1024)
  private var serial: UInt64 = 0
  private var takesDirty = true
  private var vblank = VblankQuery()

  /// Becomes master and makes the buffers; nothing is shown yet.
  init(
    _ found: FoundPanel, _ options: PanelOptions, _ geometry: PanelGeometry
  ) throws(DisplayError) {
    let (card, survey, pipeline) = (found.card, found.survey, found.pipeline)
    try card.becomeMaster()
    let (width, height) = (pipeline.mode.width, pipeline.mode.height)
    let former = SavedCRTCState(of: card, survey: survey)
    let first = try DumbBuffer(on: card, width: width, height: height, format: pipeline.format)
    let second =
      !options.isFront
      ? try DumbBuffer(on: card, width: width, height: height, format: pipeline.format) : nil
    commit = try Commit(card, survey: survey, pipeline: pipeline, options.commit)
    painter = RowPainter(geometry, format: pipeline.format)
    self.first = first
    self.second = second
    self.former = former
    self.card = card
    self.survey = survey
    self.pipeline = pipeline
  }

  deinit { former.restore(on: card) }

  /// Whether commits are atomic, for the log.
  var isAtomic: Bool { commit.isAtomic }

  /// Whether flips carry damage.
  var takesDamage: Bool { commit.takesDamage }

  /// For the log.
  var summary: String {
    let mode = pipeline.mode
    let rate = mode.refreshMilliHertz.map { " at \(DisplayMode.hertz($0)) Hz" } ?? ""
    let way = isAtomic ? (takesDamage ? "atomic with damage" : "atomic") : "legacy"
    return "\(pipeline.connector.name) on \(card.path) (\(survey.driver)), "
      + "\(mode.width)×\(mode.height)\(rate), \(pipeline.format.name), \(way)"
  }

  /// Copies a region into a buffer. Returns the bytes written.
  func paint(_ region: PixelRegion, of canvas: borrowing Canvas, into buffer: Int) -> Int {
    if buffer == 0 {
      return painter.paint(region, from: canvas, to: first.mapping, pitch: first.pitch)
    }
    switch second {
    case .some(let second):
      return painter.paint(region, from: canvas, to: second.mapping, pitch: second.pitch)
    case .none: return 0
    }
  }

  private func framebuffer(_ buffer: Int) -> UInt32 {
    if buffer == 0 { return first.framebufferID }
    switch second {
    case .some(let second): return second.framebufferID
    case .none: return first.framebufferID
    }
  }

  /// Sets the mode and shows a buffer.
  func light(_ buffer: Int) throws(DisplayError) {
    serial += 1  // An event of before is nobody's.
    try commit.light(framebuffer(buffer))
  }

  /// Shows a buffer from the next vblank on.
  func flip(to buffer: Int, damage: PixelRegion) throws(DisplayError) -> FlipOutcome {
    serial += 1
    return try commit.flip(to: framebuffer(buffer), damage: damage, serial: serial)
  }

  /// Tells the driver that the shown buffer was drawn into. A driver that scans memory out needs no
  /// telling, and says so with ENOSYS, once.
  func tell(_ damage: PixelRegion, in buffer: Int) throws(DisplayError) {
    guard takesDirty, !damage.isEmpty else { return }
    var clips = InlineArray<8, drm_clip_rect>(repeating: drm_clip_rect())
    for index in 0..<damage.count { clips[index] = drm_clip_rect(damage[index]) }
    var command = drm_mode_fb_dirty_cmd()
    command.fb_id = framebuffer(buffer)
    command.num_clips = UInt32(damage.count)
    let span = clips.span
    let result = unsafe span.withUnsafeBufferPointer { clips in
      command.clips_ptr = UInt64(UInt(bitPattern: clips.baseAddress))
      return unsafe drmIoctl(card.fd, CLibdrm_DIRTYFB, &command)
    }
    let errno = Errno.current
    if result == 0 { return }
    if errno.rawValue == ENOSYS || errno.rawValue == EOPNOTSUPP {
      takesDirty = false
      return
    }
    throw DisplayError(.dirtyFramebuffer, errno, card: card.path)
  }

  /// Reads what has happened: the flip in flight, if it is done.
  func takeFlip() throws(DisplayError) -> FlipEvent? {
    var last: FlipEvent?
    while true {
      let count = unsafe events.withUnsafeMutableBytes { bytes in
        unsafe read(card.fd, bytes.baseAddress, bytes.count)
      }
      let errno = Errno.current
      if count <= 0 {
        if count == 0 || errno.rawValue == EAGAIN { return last }
        if errno.rawValue == EINTR { continue }
        throw DisplayError(.readEvents, errno, card: card.path)
      }
      let bytes = unsafe events.span.extracting(first: count).bytes
      FlipEvent.all(in: bytes) { if $0.serial == serial { last = $0 } }
    }
  }

  /// When the driver's last vblank was; nil where it does not tell.
  func lastVblank() -> (time: Int64, sequence: UInt32)? {
    guard vblank.isSupported else { return nil }
    var command = drm_crtc_get_sequence()
    command.crtc_id = pipeline.crtc
    let result = unsafe drmIoctl(card.fd, CLibdrm_CRTC_GET_SEQUENCE, &command)
    let errno = Errno.current
    guard result == 0 else {
      vblank.failed(errno)
      return nil
    }
    return (command.sequence_ns, UInt32(truncatingIfNeeded: command.sequence))
  }

  /// Switches the panel off, until `light`.
  func darken() throws(DisplayError) { try commit.darken() }
}

extension drm_clip_rect {
  /// Panels are narrower than 65536 pixels; the region lies within one.
  init(_ rect: PixelRect) {
    self.init(
      x1: UInt16(clamping: rect.x0), y1: UInt16(clamping: rect.y0), x2: UInt16(clamping: rect.x1),
      y2: UInt16(clamping: rect.y1))
  }
}
