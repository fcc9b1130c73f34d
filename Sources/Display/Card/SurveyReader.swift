internal import CLibdrm
internal import CLinux
internal import Linux

/// Why a card cannot show the pad.
public enum UnusedCard: Error, Sendable, Equatable {
  /// Opening or querying its node failed.
  case failed(DisplayError)
  /// It renders but has no display outputs (for example v3d).
  case renderOnly
  /// It has no connector or no CRTC.
  case empty
  /// The driver has no dumb buffers, which the CPU needs to draw.
  case noDumbBuffers
}

/// Reads the survey of an open card from its driver.
struct SurveyReader {
  private let card: Card
  private var fd: Int32 { card.fd }

  /// A reader of one card.
  init(_ card: Card) { self.card = card }

  /// Reads all objects of the card.
  ///
  /// Where a connector lists no modes the driver probes it, which may take seconds (EDID over I²C).
  func read() throws(UnusedCard) -> CardSurvey {
    guard let resources = unsafe drmModeGetResources(fd) else { throw .renderOnly }
    defer { unsafe drmModeFreeResources(resources) }
    let crtcs = unsafe list(resources.pointee.crtcs, resources.pointee.count_crtcs)
    let connectors = unsafe list(
      resources.pointee.connectors, resources.pointee.count_connectors)
    if crtcs.isEmpty || connectors.isEmpty { throw .empty }
    if card.capability(DRM_CAP_DUMB_BUFFER) != 1 { throw .noDumbBuffers }
    do throws(DisplayError) {
      var surveys: [ConnectorSurvey] = []
      for id in connectors {
        if let survey = try connector(id) { surveys.append(survey) }
      }
      return CardSurvey(
        path: card.path, links: Card.links(to: card.path), driver: card.driver,
        preferredDepth: Int(card.capability(DRM_CAP_DUMB_PREFERRED_DEPTH) ?? 24),
        connectors: surveys, crtcs: crtcs.map(crtc), planes: try planes(),
        isAtomic: card.isAtomic, isHeld: !card.isMaster)
    } catch {
      throw .failed(error)
    }
  }

  /// Reads one connector; nil if it vanished since it was listed (DisplayPort hubs).
  ///
  /// - Parameter probing: Whether the driver probes the connector; nil: only if it lists no modes.
  func connector(_ id: UInt32, probing: Bool? = nil) throws(DisplayError) -> ConnectorSurvey? {
    guard let found = unsafe try kernelConnector(id, probing: probing) else { return nil }
    defer { unsafe drmModeFreeConnector(found) }
    var table = PropertyTable()
    guard try table.add(id, .connector, of: card) else { return nil }
    let kernel = unsafe found.pointee
    let orientation = table.entry(.orientation, of: id)?.valueName
    let reported = unsafe PhysicalSize(width: Float(kernel.mmWidth), height: Float(kernel.mmHeight))
    let edid = Array(blob(table.value(.edid, of: id)).prefix(128))
    return ConnectorSurvey(
      id: id, name: unsafe name(kernel), status: unsafe status(kernel),
      isNonDesktop: table.value(.nonDesktop, of: id) == 1,
      hasBadLink: table.value(.linkStatus, of: id) == 1,
      orientation: orientation.flatMap { PanelOrientation(rawValue: $0) } ?? .normal,
      size: EDID(edid)?.size ?? (reported.width > 0 ? reported : nil), modes: unsafe modes(kernel),
      possibleCRTCs: unsafe possibleCRTCs(kernel), litBy: unsafe crtc(of: kernel.encoder_id),
      edid: edid)
  }

  /// The survey with the planes' present CRTCs and without vanished connectors.
  ///
  /// Other programs may have shown something else since it was read.
  func updated(_ survey: CardSurvey) -> CardSurvey {
    var survey = survey
    if let resources = unsafe drmModeGetResources(fd) {
      survey.keep(
        connectors: unsafe list(
          resources.pointee.connectors, resources.pointee.count_connectors))
      unsafe drmModeFreeResources(resources)
    }
    for index in survey.planes.indices {
      guard let plane = unsafe drmModeGetPlane(fd, survey.planes[index].id) else { continue }
      survey.planes[index].feeds = unsafe plane.pointee.crtc_id
      unsafe drmModeFreePlane(plane)
    }
    return survey
  }

  private func kernelConnector(
    _ id: UInt32, probing: Bool?
  ) throws(DisplayError) -> drmModeConnectorPtr? {
    if probing != true {
      guard let known = unsafe drmModeGetConnectorCurrent(fd, id) else {
        return unsafe try missing(Errno.current)
      }
      let isUseful =
        unsafe known.pointee.count_modes > 0 || known.pointee.connection == DRM_MODE_DISCONNECTED
      if isUseful || probing == false { return unsafe known }
      unsafe drmModeFreeConnector(known)
    }
    guard let probed = unsafe drmModeGetConnector(fd, id) else {
      return unsafe try missing(Errno.current)
    }
    return unsafe probed
  }

  /// A missing connector is no error; a missing card is.
  private func missing(_ errno: Errno) throws(DisplayError) -> drmModeConnectorPtr? {
    if errno.rawValue == ENOENT || errno.rawValue == EINVAL { return nil }
    throw DisplayError(.getConnector, errno, card: card.path)
  }

  private func name(_ connector: drmModeConnector) -> String {
    let kind = unsafe drmModeGetConnectorTypeName(connector.connector_type)
    let name = unsafe kind.map { unsafe String(cString: $0) } ?? "Unknown"
    return unsafe "\(name)-\(connector.connector_type_id)"
  }

  private func status(_ connector: drmModeConnector) -> ConnectorSurvey.Status {
    switch unsafe connector.connection {
    case DRM_MODE_CONNECTED: .connected
    case DRM_MODE_DISCONNECTED: .disconnected
    default: .unknown
    }
  }

  private func modes(_ connector: drmModeConnector) -> [DisplayMode] {
    (0..<Int(unsafe connector.count_modes)).map { index in
      unsafe DisplayMode(connector.modes[index])
    }
  }

  private func possibleCRTCs(_ connector: drmModeConnector) -> UInt32 {
    var mask: UInt32 = 0
    for id in unsafe list(connector.encoders, connector.count_encoders) {
      guard let encoder = unsafe drmModeGetEncoder(fd, id) else { continue }
      mask |= unsafe encoder.pointee.possible_crtcs
      unsafe drmModeFreeEncoder(encoder)
    }
    return mask
  }

  private func crtc(of encoder: UInt32) -> UInt32 {
    guard encoder != 0, let encoder = unsafe drmModeGetEncoder(fd, encoder) else { return 0 }
    defer { unsafe drmModeFreeEncoder(encoder) }
    return unsafe encoder.pointee.crtc_id
  }

  private func crtc(_ id: UInt32) -> CRTCSurvey {
    guard let crtc = unsafe drmModeGetCrtc(fd, id) else { return CRTCSurvey(id: id) }
    defer { unsafe drmModeFreeCrtc(crtc) }
    let isOn = unsafe crtc.pointee.mode_valid != 0
    return CRTCSurvey(id: id, mode: isOn ? unsafe DisplayMode(crtc.pointee.mode) : nil)
  }

  private func planes() throws(DisplayError) -> [PlaneSurvey] {
    guard card.hasUniversalPlanes, let planes = unsafe drmModeGetPlaneResources(fd) else {
      return []
    }
    defer { unsafe drmModeFreePlaneResources(planes) }
    var surveys: [PlaneSurvey] = []
    for id in unsafe list(planes.pointee.planes, Int32(planes.pointee.count_planes)) {
      guard let plane = unsafe drmModeGetPlane(fd, id) else { continue }
      defer { unsafe drmModeFreePlane(plane) }
      var table = PropertyTable()
      guard try table.add(id, .plane, of: card) else { continue }
      let all = unsafe list(plane.pointee.formats, Int32(plane.pointee.count_formats))
      let linear = FormatModifiers.linearFormats(blob(table.value(.inFormats, of: id)))
      surveys.append(
        PlaneSurvey(
          id: id, kind: table.value(.type, of: id).flatMap { .init(rawValue: $0) } ?? .overlay,
          possibleCRTCs: unsafe plane.pointee.possible_crtcs, feeds: unsafe plane.pointee.crtc_id,
          formats: all.filter { linear?.contains($0) ?? true },
          takesDamage: table.id(.damage, of: id) != nil))
    }
    return surveys
  }

  /// The bytes of a blob; empty if there is none.
  private func blob(_ id: UInt64?) -> [UInt8] {
    guard let id, id != 0,
      let data = unsafe drmModeGetPropertyBlob(fd, UInt32(truncatingIfNeeded: id))
    else { return [] }
    defer { unsafe drmModeFreePropertyBlob(data) }
    let bytes = unsafe UnsafeRawBufferPointer(
      start: data.pointee.data, count: Int(data.pointee.length))
    return unsafe Array(bytes)
  }

  private func list(_ start: UnsafeMutablePointer<UInt32>?, _ count: Int32) -> [UInt32] {
    unsafe Array(UnsafeBufferPointer(start: start, count: Int(max(0, count))))
  }
}

/// The plane property IN_FORMATS: pixel formats with their memory layouts (drm_mode.h, `drm_format_modifier_blob`).
///
/// Planes that take only compressed layouts list those formats all the same (the clusters of Rockchip's VOP2).
enum FormatModifiers {
  /// DRM_FORMAT_MOD_LINEAR, the layout of dumb buffers.
  private static let linear: UInt64 = 0

  /// The fourccs that a plane takes in dumb buffers; nil if the blob is malformed.
  static func linearFormats(_ blob: [UInt8]) -> [UInt32]? {
    guard let formatCount = word(blob, 8), let formatStart = word(blob, 12),
      let modifierCount = word(blob, 16), let modifierStart = word(blob, 20)
    else { return nil }
    var formats: [UInt32] = []
    for index in 0..<UInt64(formatCount) {
      guard let format = word(blob, UInt64(formatStart) + 4 * index) else { return nil }
      formats.append(format)
    }
    var found: [UInt32] = []
    for index in 0..<UInt64(modifierCount) {
      let start = UInt64(modifierStart) + 24 * index
      guard let mask = doubleWord(blob, start), let first = word(blob, start + 8),
        let modifier = doubleWord(blob, start + 16)
      else { return nil }
      guard modifier == linear else { continue }
      for bit in 0..<64 where mask >> UInt64(bit) & 1 == 1 {
        let place = UInt64(first) + UInt64(bit)
        guard place < UInt64(formats.count) else { return nil }
        found.append(formats[Int(place)])
      }
    }
    return found
  }

  private static func word(_ blob: [UInt8], _ offset: UInt64) -> UInt32? {
    guard offset + 4 <= UInt64(blob.count) else { return nil }
    let start = Int(offset)
    return UInt32(blob[start]) | UInt32(blob[start + 1]) << 8 | UInt32(blob[start + 2]) << 16
      | UInt32(blob[start + 3]) << 24
  }

  private static func doubleWord(_ blob: [UInt8], _ offset: UInt64) -> UInt64? {
    guard let low = word(blob, offset), let high = word(blob, offset + 4) else { return nil }
    return UInt64(low) | UInt64(high) << 32
  }
}
