internal import CLibdrm
internal import CLinux
internal import Linux
internal import Raster

/// Sets modes and flips by atomic commits (DRM_IOCTL_MODE_ATOMIC).
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

  /// Reads the properties of all objects; nil if the card has no atomic commits.
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

  /// Whether the driver takes damage.
  var takesDamage: Bool { damageProperty != nil }

  /// Sets the full state after a test commit of it.
  func enable(
    _ framebuffer: UInt32, disablesOthers: Bool, resetsColour: Bool
  ) throws(DisplayError) {
    let state = AtomicState(
      showing: framebuffer, mode: mode.id, pipeline: pipeline, plane: plane,
      survey: SurveyReader(card).updated(survey), disablesOthers: disablesOthers,
      resetsColour: resetsColour)
    request.clear()
    for entry in state.values { set(entry.property, of: entry.object, entry.value) }
    let modeset = UInt32(DRM_MODE_ATOMIC_ALLOW_MODESET)
    try request.commit(to: card, flags: modeset | UInt32(DRM_MODE_ATOMIC_TEST_ONLY), .testCommit)
    try request.commit(to: card, flags: modeset)
  }

  private func set(_ property: Property, of object: UInt32, _ value: UInt64) {
    request.set(properties.id(property, of: object), of: object, to: value)
  }

  /// Shows a framebuffer from the next vblank on; its event carries `serial`.
  func flip(to framebuffer: UInt32, damage: PixelRegion, serial: UInt64) throws(DisplayError) {
    request.clear()
    request.set(framebufferProperty, of: plane, to: UInt64(framebuffer))
    let flags = UInt32(DRM_MODE_ATOMIC_NONBLOCK) | UInt32(DRM_MODE_PAGE_FLIP_EVENT)
    guard let damageProperty, !damage.isEmpty else {
      try request.commit(to: card, flags: flags, serial: serial)
      return
    }
    // Each commit clears the property; it holds its own reference to the blob.
    let clips = try PropertyBlob(clips: damage, on: card)
    request.set(damageProperty, of: plane, to: UInt64(clips.id))
    try request.commit(to: card, flags: flags, serial: serial)
  }

  /// Switches the CRTC off; it keeps its mode and planes.
  func disable() throws(DisplayError) {
    request.clear()
    set(.active, of: pipeline.crtc, 0)
    try request.commit(to: card, flags: UInt32(DRM_MODE_ATOMIC_ALLOW_MODESET))
  }
}

/// The reusable argument of DRM_IOCTL_MODE_ATOMIC, with properties grouped by object.
///
/// libdrm's own request allocates and sorts for each frame.
struct AtomicRequest {
  private var objects: [UInt32] = []
  private var counts: [UInt32] = []
  private var properties: [UInt32] = []
  private var values: [UInt64] = []

  /// An empty request that does not allocate up to `capacity` properties.
  init(capacity: Int) {
    objects.reserveCapacity(capacity)
    counts.reserveCapacity(capacity)
    properties.reserveCapacity(capacity)
    values.reserveCapacity(capacity)
  }

  /// Removes all properties.
  mutating func clear() {
    objects.removeAll(keepingCapacity: true)
    counts.removeAll(keepingCapacity: true)
    properties.removeAll(keepingCapacity: true)
    values.removeAll(keepingCapacity: true)
  }

  /// Adds a value; does nothing for a property that the driver lacks (nil).
  mutating func set(_ property: UInt32?, of object: UInt32, to value: UInt64) {
    guard let property else { return }
    if !objects.isEmpty, objects[objects.count - 1] == object {
      counts[counts.count - 1] += 1
    } else {
      objects.append(object)
      counts.append(1)
    }
    properties.append(property)
    values.append(value)
  }

  /// Commits the request; the flip's event carries `serial`.
  mutating func commit(
    to card: Card, flags: UInt32, serial: UInt64 = 0, _ call: DisplayCall = .commit
  ) throws(DisplayError) {
    var command = drm_mode_atomic()
    command.flags = flags
    command.count_objs = UInt32(objects.count)
    command.user_data = serial
    var result: Int32 = 0
    unsafe objects.withUnsafeBufferPointer { objects in
      unsafe counts.withUnsafeBufferPointer { counts in
        unsafe properties.withUnsafeBufferPointer { properties in
          unsafe values.withUnsafeBufferPointer { values in
            command.objs_ptr = UInt64(UInt(bitPattern: objects.baseAddress))
            command.count_props_ptr = UInt64(UInt(bitPattern: counts.baseAddress))
            command.props_ptr = UInt64(UInt(bitPattern: properties.baseAddress))
            command.prop_values_ptr = UInt64(UInt(bitPattern: values.baseAddress))
            result = unsafe drmIoctl(card.fd, CLibdrm_ATOMIC, &command)
          }
        }
      }
    }
    let errno = Errno.current
    if result != 0 { throw DisplayError(call, errno, card: card.path) }
  }
}

/// Data in the kernel that a property refers to.
struct PropertyBlob: ~Copyable {
  private let card: Card
  let id: UInt32

  /// A mode for MODE_ID.
  init(_ mode: drm_mode_modeinfo, on card: Card) throws(DisplayError) {
    var mode = mode
    var id: UInt32 = 0
    let result = unsafe withUnsafeMutableBytes(of: &mode) { bytes in
      unsafe drmModeCreatePropertyBlob(card.fd, bytes.baseAddress, bytes.count, &id)
    }
    guard result == 0 else { throw DisplayError(.createBlob, Errno(-result), card: card.path) }
    self.card = card
    self.id = id
  }

  /// Rectangles for FB_DAMAGE_CLIPS; `PixelRect` has the memory layout of `drm_mode_rect`.
  init(clips: PixelRegion, on card: Card) throws(DisplayError) {
    var id: UInt32 = 0
    let result = unsafe clips.rects.withUnsafeBytes { bytes in
      unsafe drmModeCreatePropertyBlob(card.fd, bytes.baseAddress, bytes.count, &id)
    }
    guard result == 0 else { throw DisplayError(.createBlob, Errno(-result), card: card.path) }
    self.card = card
    self.id = id
  }

  deinit {
    _ = drmModeDestroyPropertyBlob(card.fd, id)
  }
}
