internal import CLibdrm
internal import CLinux
internal import Linux
internal import Raster

/// Commits through DRM_IOCTL_MODE_ATOMIC.
final class AtomicCommit {
  private let card: Card
  private let survey: CardSurvey
  private let route: PanelRoute
  private let plane: UInt32
  private let properties: PropertyTable
  private let mode: PropertyBlob
  private let framebufferProperty: UInt32?
  private let damageProperty: UInt32?
  private var request = AtomicRequest(capacity: 256)

  /// Reads the properties of all that the first commit touches; nil where the card cannot commit so.
  init?(_ card: Card, survey: CardSurvey, route: PanelRoute) throws(DisplayError) {
    guard card.isAtomic, let plane = route.plane else { return nil }
    var table = PropertyTable()
    for plane in survey.planes { try table.add(plane.id, .plane, of: card) }
    for crtc in survey.crtcs { try table.add(crtc.id, .crtc, of: card) }
    for connector in survey.connectors { try table.add(connector.id, .connector, of: card) }
    mode = try PropertyBlob(route.mode.kernel, on: card)
    framebufferProperty = table.id(.framebuffer, of: plane)
    damageProperty = table.id(.damage, of: plane)
    properties = table
    self.card = card
    self.survey = survey
    self.route = route
    self.plane = plane
  }

  /// Whether the driver can be told what changed.
  var takesDamage: Bool { damageProperty != nil }

  /// Sets the full state. Drivers refuse what they cannot do: first all other outputs go dark, then
  /// they are left alone, then colour and rotation are too. Only a state that passed the test is
  /// committed.
  func light(_ framebuffer: UInt32) throws(DisplayError) {
    do {
      try light(framebuffer, darkensOthers: true, resetsColour: true)
    } catch  where error.isInvalid {
      do {
        try light(framebuffer, darkensOthers: false, resetsColour: true)
      } catch  where error.isInvalid {
        try light(framebuffer, darkensOthers: false, resetsColour: false)
      }
    }
  }

  private func light(
    _ framebuffer: UInt32, darkensOthers: Bool, resetsColour: Bool
  ) throws(DisplayError) {
    request.clear()
    if darkensOthers { darkenOthers() }
    clearOtherPlanes()
    setConnector()
    setCRTC(resetsColour)
    setPlane(framebuffer, resetsColour)
    let modeset = UInt32(DRM_MODE_ATOMIC_ALLOW_MODESET)
    try request.commit(to: card, flags: modeset | UInt32(DRM_MODE_ATOMIC_TEST_ONLY), .testCommit)
    try request.commit(to: card, flags: modeset)
  }

  private func darkenOthers() {
    for connector in survey.connectors where connector.id != route.connector.id {
      set(.crtc, of: connector.id, 0)
    }
    for crtc in survey.crtcs where crtc.id != route.crtc {
      set(.active, of: crtc.id, 0)
      set(.mode, of: crtc.id, 0)
    }
  }

  /// The pointer and the overlays of a former user would lie over the pad for ever.
  private func clearOtherPlanes() {
    for other in survey.planes where other.id != plane {
      let reaches = other.possibleCRTCs & (1 << UInt32(route.pipe)) != 0
      guard reaches || other.feeds != 0 else { continue }
      set(.framebuffer, of: other.id, 0)
      set(.crtc, of: other.id, 0)
    }
  }

  private func setConnector() {
    set(.crtc, of: route.connector.id, UInt64(route.crtc))
    set(.linkStatus, of: route.connector.id, UInt64(DRM_MODE_LINK_STATUS_GOOD))
  }

  private func setCRTC(_ resetsColour: Bool) {
    set(.mode, of: route.crtc, UInt64(mode.id))
    set(.active, of: route.crtc, 1)
    guard resetsColour else { return }
    for property in [Property.gamma, .degamma, .colourMatrix, .variableRefresh] {
      set(property, of: route.crtc, 0)
    }
  }

  private func setPlane(_ framebuffer: UInt32, _ resetsColour: Bool) {
    let (width, height) = (UInt64(route.mode.width), UInt64(route.mode.height))
    set(.framebuffer, of: plane, UInt64(framebuffer))
    set(.crtc, of: plane, UInt64(route.crtc))
    set(.sourceX, of: plane, 0)
    set(.sourceY, of: plane, 0)
    set(.sourceWidth, of: plane, width << 16)  // 16.16 fixed point
    set(.sourceHeight, of: plane, height << 16)
    set(.crtcX, of: plane, 0)
    set(.crtcY, of: plane, 0)
    set(.crtcWidth, of: plane, width)
    set(.crtcHeight, of: plane, height)
    guard resetsColour else { return }
    set(.rotation, of: plane, UInt64(DRM_MODE_ROTATE_0))
    set(.alpha, of: plane, 0xFFFF)
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
    set(.active, of: route.crtc, 0)
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
