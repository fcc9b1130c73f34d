internal import CLibdrm
internal import CLinux
internal import Linux
internal import Raster

/// A card's panel: its buffers, commits and events. Restores the former state at its end.
final class CardOutput {
  /// The card, with this process as its master.
  let card: Card
  /// The card's survey when it was opened.
  let survey: CardSurvey
  /// The pipeline to the panel.
  let pipeline: Pipeline
  private let atomic: AtomicCommit?
  private let legacy: LegacyCommit
  private var attempts: ModesetAttempts
  private let saved: SavedCRTCState
  private let first: DumbBuffer
  private let second: DumbBuffer?
  private var painter: RowPainter
  private var events = [UInt8](repeating: 0, count: 1024)
  /// The serial of the last commit: events of older ones are ignored.
  private var serial: UInt64 = 0
  private var takesDirty = true
  private var hasVblanks = true

  /// Becomes master and allocates the buffers; shows nothing yet.
  init(
    _ opened: OpenedPipeline, _ options: PanelOptions, _ geometry: PanelGeometry
  ) throws(DisplayError) {
    let (card, survey, pipeline) = (opened.card, opened.survey, opened.pipeline)
    try card.becomeMaster()
    let (width, height) = (pipeline.mode.width, pipeline.mode.height)
    let saved = SavedCRTCState(of: card, survey: survey)
    let first = try DumbBuffer(on: card, width: width, height: height, format: pipeline.format)
    let second =
      !options.isFront
      ? try DumbBuffer(on: card, width: width, height: height, format: pipeline.format) : nil
    let atomic = try Self.atomic(card, survey, pipeline, options.commit)
    legacy = try LegacyCommit(card, survey: survey, pipeline: pipeline)
    attempts = ModesetAttempts(ModesetAttempt.all(options.commit, isAtomic: atomic != nil))
    painter = RowPainter(geometry, format: pipeline.format)
    self.atomic = atomic
    self.first = first
    self.second = second
    self.saved = saved
    self.card = card
    self.survey = survey
    self.pipeline = pipeline
  }

  deinit { saved.restore(on: card) }

  private static func atomic(
    _ card: Card, _ survey: CardSurvey, _ pipeline: Pipeline, _ choice: CommitChoice
  ) throws(DisplayError) -> AtomicCommit? {
    if choice == .legacy { return nil }
    do throws(DisplayError) {
      return try AtomicCommit(card, survey: survey, pipeline: pipeline)
    } catch {
      guard choice == .automatic, error.isRepairable else { throw error }
      return nil
    }
  }

  /// The atomic commits, unless the last mode was set by SETCRTC.
  private var currentAtomic: AtomicCommit? { attempts.next == .legacy ? nil : atomic }

  /// Whether commits are atomic.
  var isAtomic: Bool { currentAtomic != nil }

  /// Connector, card, mode, format and interface, for the log.
  var summary: String {
    let mode = pipeline.mode
    let rate = mode.refreshMilliHertz.map { " at \(DisplayMode.hertz($0)) Hz" } ?? ""
    let interface =
      currentAtomic.map { $0.takesDamage ? "atomic with damage" : "atomic" } ?? "legacy"
    return "\(pipeline.connector.name) on \(card.path) (\(survey.driver)), "
      + "\(mode.width)×\(mode.height)\(rate), \(pipeline.format.name), \(interface)"
  }

  /// Copies a region into a buffer.
  ///
  /// - Returns: The bytes written.
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

  /// Sets the mode and shows a buffer; blocks until it is shown.
  func enable(_ buffer: Int) throws(DisplayError) {
    serial += 1
    let framebuffer = framebuffer(buffer)
    try attempts.run { attempt throws(DisplayError) in
      switch attempt {
      case .atomic(let disablesOthers, let resetsColour):
        try atomic?.enable(
          framebuffer, disablesOthers: disablesOthers, resetsColour: resetsColour)
      case .legacy: try legacy.enable(framebuffer)
      }
    }
  }

  /// Shows a buffer from the next vblank on, which differs from the last one by `damage`. Never blocks.
  func flip(to buffer: Int, damage: PixelRegion) throws(DisplayError) -> FlipOutcome {
    serial += 1
    let framebuffer = framebuffer(buffer)
    do throws(DisplayError) {
      if let currentAtomic {
        try currentAtomic.flip(to: framebuffer, damage: damage, serial: serial)
      } else {
        try legacy.flip(to: framebuffer, serial: serial)
      }
      return .accepted
    } catch {
      if error.isBusy { return .busy }
      throw error
    }
  }

  /// Reports damage in the buffer on screen (DIRTYFB).
  ///
  /// A driver that scans memory out answers ENOSYS and is not called again.
  func markDirty(_ damage: PixelRegion, in buffer: Int) throws(DisplayError) {
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

  /// Reads the card's events; returns that of the last flip, if it was shown.
  func readFlip() throws(DisplayError) -> FlipEvent? {
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

  /// The driver's last vblank; nil if it cannot be queried.
  func lastVblank() -> (time: Int64, sequence: UInt32)? {
    guard hasVblanks else { return nil }
    var command = drm_crtc_get_sequence()
    command.crtc_id = pipeline.crtc
    let result = unsafe drmIoctl(card.fd, CLibdrm_CRTC_GET_SEQUENCE, &command)
    let errno = Errno.current
    guard result == 0 else {
      hasVblanks = Self.mayHaveVblanks(after: errno)
      return nil
    }
    return (command.sequence_ns, UInt32(truncatingIfNeeded: command.sequence))
  }

  /// Whether a failed vblank query (DRM_IOCTL_CRTC_GET_SEQUENCE) may succeed later.
  ///
  /// EINVAL: the CRTC is off (drm_vblank.c), or the kernel is older than 4.15, where another query costs a
  /// microsecond. EOPNOTSUPP: the driver has no vblanks.
  static func mayHaveVblanks(after errno: Errno) -> Bool {
    ![EOPNOTSUPP, ENOTTY, ENOSYS].contains(errno.rawValue)
  }

  /// Switches the panel off until `enable`.
  func disable() throws(DisplayError) {
    if let currentAtomic { try currentAtomic.disable() } else { try legacy.disable() }
  }
}

/// The result of a flip request.
enum FlipOutcome {
  /// An event will follow.
  case accepted
  /// A previous commit is still pending (EBUSY).
  case busy
}

/// A flip that was shown (DRM_EVENT_FLIP_COMPLETE).
struct FlipEvent: Equatable {
  /// The commit's serial, which identifies late events of lost flips.
  var serial: UInt64
  /// The time at which it was shown, in nanoseconds of CLOCK_MONOTONIC.
  var time: Int64
  /// The driver's vblank counter; 0 if it has none.
  var sequence: UInt32

  /// Passes on the flips in the bytes that read(2) returned (drm.h, `struct drm_event_vblank`).
  ///
  /// Skips other events; stops at an invalid length.
  static func all(in bytes: borrowing RawSpan, _ body: (FlipEvent) -> Void) {
    let flipComplete: UInt32 = 2
    var start = 0
    while start + 8 <= bytes.byteCount {
      let type = word(bytes, start)
      let length = Int(word(bytes, start + 4))
      guard length >= 8, start + length <= bytes.byteCount else { return }
      if type == flipComplete, length >= 32 {
        let serial = UInt64(word(bytes, start + 8)) | UInt64(word(bytes, start + 12)) << 32
        let time =
          Int64(word(bytes, start + 16)) * 1_000_000_000 + Int64(word(bytes, start + 20)) * 1000
        body(FlipEvent(serial: serial, time: time, sequence: word(bytes, start + 24)))
      }
      start += length
    }
  }

  private static func word(_ bytes: borrowing RawSpan, _ offset: Int) -> UInt32 {
    unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt32.self)
  }
}

extension drm_clip_rect {
  /// Panels are narrower than 65536 pixels; the region lies within one.
  fileprivate init(_ rect: PixelRect) {
    self.init(
      x1: UInt16(clamping: rect.x0), y1: UInt16(clamping: rect.y0), x2: UInt16(clamping: rect.x1),
      y2: UInt16(clamping: rect.y1))
  }
}
