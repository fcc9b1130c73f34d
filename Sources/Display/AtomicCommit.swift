internal import CLibdrm
internal import CLinux
internal import Linux
internal import Raster

/// Commits through DRM_IOCTL_MODE_ATOMIC.
final class AtomicCommit {
  private let card: Card
  private let survey: CardSurvey
  private let pipeline: Pipeline
  private let plane: UInt32
  private let properties: PropertyTable
  private let mode: PropertyBlob
  private let framebufferProperty: UInt32?
  private let damageProperty: UInt32?
  private var request = AtomicRequest(capacity: 256)

  /// Reads the properties of all that the first commit touches; nil where the card cannot commit so.
  init?(_ card: Card, survey: CardSurvey, pipeline: Pipeline) throws(DisplayError) {
    guard card.isAtomic, let plane = pipeline.plane else { return nil }
    var table = PropertyTable()
    for plane in survey.planes { try table.add(plane.id, .plane, of: card) }
    for crtc in survey.crtcs { try table.add(crtc.id, .crtc, of: card) }
    for connector in survey.connectors { try table.add(connector.id, .connector, of: card) }
    mode = try PropertyBlob(pipeline.mode.kernel, on: card)
    framebufferProperty = table.id(.framebuffer, of: plane)
    damageProperty = table.id(.damage, of: plane)
    properties = table
    self.card = card
    self.survey = survey
    self.pipeline = pipeline
    self.plane = plane
  }

  /// Whether the driver can be told what changed.
  var takesDamage: Bool { damageProperty != nil }

  /// Sets the full state. Only a state that passed the test is committed.
  func light(
    _ framebuffer: UInt32, darkensOthers: Bool, resetsColour: Bool
  ) throws(DisplayError) {
    let state = AtomicState(
      showing: framebuffer, mode: mode.id, pipeline: pipeline, plane: plane,
      survey: card.updated(survey), darkensOthers: darkensOthers, resetsColour: resetsColour)
    request.clear()
    for entry in state.values { set(entry.property, of: entry.object, entry.value) }
    let modeset = UInt32(DRM_MODE_ATOMIC_ALLOW_MODESET)
    try request.commit(to: card, flags: modeset | UInt32(DRM_MODE_ATOMIC_TEST_ONLY), .testCommit)
    try request.commit(to: card, flags: modeset)
  }

  private func set(_ property: Property, of object: UInt32, _ value: UInt64) {
    request.set(properties.id(property, of: object), of: object, to: value)
  }

  /// Shows a framebuffer from the next vblank on.
  func flip(to framebuffer: UInt32, damage: PixelRegion, serial: UInt64) throws(DisplayError) {
    request.clear()
    request.set(framebufferProperty, of: plane, to: UInt64(framebuffer))
    let flags = UInt32(DRM_MODE_ATOMIC_NONBLOCK) | UInt32(DRM_MODE_PAGE_FLIP_EVENT)
    guard let damageProperty, !damage.isEmpty else {
      try request.commit(to: card, flags: flags, serial: serial)
      return
    }
    // The property is cleared by each commit, and holds its own reference to the blob.
    let clips = try PropertyBlob(clips: damage, on: card)
    request.set(damageProperty, of: plane, to: UInt64(clips.id))
    try request.commit(to: card, flags: flags, serial: serial)
  }

  /// Switches the CRTC off; it keeps mode and planes.
  func darken() throws(DisplayError) {
    request.clear()
    set(.active, of: pipeline.crtc, 0)
    try request.commit(to: card, flags: UInt32(DRM_MODE_ATOMIC_ALLOW_MODESET))
  }
}

extension DisplayError {
  var isBusy: Bool {
    if case .refused(_, let errno) = self { return errno.rawValue == EBUSY }
    return false
  }

  /// The driver cannot do what was asked, whatever it was.
  var isInvalid: Bool {
    guard case .refused(_, let errno) = self else { return false }
    return [EINVAL, ERANGE, ENOSPC, EOPNOTSUPP, ENOENT].contains(errno.rawValue)
  }
}

extension Errno {
  /// EACCES or EPERM: we are not master any more.
  var isForbidden: Bool { rawValue == EACCES || rawValue == EPERM }
}
