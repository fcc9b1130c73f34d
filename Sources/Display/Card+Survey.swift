internal import CLibdrm
internal import CLinux
internal import Linux

/// Why a card has no part in the choice.
public enum UnusedCard: Error, Sendable, Equatable {
  /// Its node could not be opened or asked.
  case failed(DisplayError)
  /// It draws but shows nothing (a render node's card, for example v3d).
  case renderOnly
  /// It has no connector or no CRTC.
  case empty
  /// The driver has no dumb buffers, so that the CPU cannot draw for it.
  case noDumbBuffers
}

extension Card {
  /// Everything that the choice of a panel looks at. Where a connector lists no modes, the driver is
  /// made to look, which takes up to seconds for a monitor (EDID over I²C).
  func survey() throws(UnusedCard) -> CardSurvey {
    guard let resources = unsafe drmModeGetResources(fd) else { throw .renderOnly }
    defer { unsafe drmModeFreeResources(resources) }
    let crtcs = unsafe list(resources.pointee.crtcs, resources.pointee.count_crtcs)
    let connectors = unsafe list(
      resources.pointee.connectors, resources.pointee.count_connectors)
    if crtcs.isEmpty || connectors.isEmpty { throw .empty }
    if capability(DRM_CAP_DUMB_BUFFER) != 1 { throw .noDumbBuffers }
    do throws(DisplayError) {
      var surveys: [ConnectorSurvey] = []
      for connector in connectors {
        if let survey = try surveyConnector(connector) { surveys.append(survey) }
      }
      return CardSurvey(
        path: path, links: CardNodes.links(to: path), driver: driver,
        preferredDepth: Int(capability(DRM_CAP_DUMB_PREFERRED_DEPTH) ?? 24),
        connectors: surveys,
        crtcs: crtcs.map(surveyCRTC), planes: try surveyPlanes(), isAtomic: isAtomic,
        isHeld: !isMaster)
    } catch {
      throw .failed(error)
    }
  }

  /// Nil if the connector went away since it was listed (DisplayPort hubs). `probing`: the driver looks
  /// anew; nil: only if it knows no modes.
  func surveyConnector(
    _ id: UInt32, probing: Bool? = nil
  ) throws(DisplayError) -> ConnectorSurvey? {
    guard let found = unsafe try connector(id, probing: probing) else { return nil }
    defer { unsafe drmModeFreeConnector(found) }
    var table = PropertyTable()
    guard try table.add(id, .connector, of: self) else { return nil }
    let kernel = unsafe found.pointee
    let orientation = table.entry(.orientation, of: id)?.valueName
    let told = unsafe PhysicalSize(width: Float(kernel.mmWidth), height: Float(kernel.mmHeight))
    let edid = Array(blob(table.value(.edid, of: id)).prefix(128))
    let size = EDID(edid)?.size ?? (told.width > 0 ? told : nil)
    return ConnectorSurvey(
      id: id, name: unsafe connectorName(kernel), status: unsafe status(kernel),
      isNonDesktop: table.value(.nonDesktop, of: id) == 1,
      hasBadLink: table.value(.linkStatus, of: id) == 1,
      orientation: orientation.flatMap { PanelOrientation(rawValue: $0) } ?? .normal,
      size: size, modes: unsafe modes(kernel), possibleCRTCs: unsafe possibleCRTCs(kernel),
      litBy: unsafe crtc(of: kernel.encoder_id), edid: edid)
  }

  private func connector(
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

  /// A connector that is not there is no failure; a card is.
  private func missing(_ errno: Errno) throws(DisplayError) -> drmModeConnectorPtr? {
    if errno.rawValue == ENOENT || errno.rawValue == EINVAL { return nil }
    throw DisplayError(.getConnector, errno, card: path)
  }

  private func connectorName(_ connector: drmModeConnector) -> String {
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

  private func surveyCRTC(_ id: UInt32) -> CRTCSurvey {
    guard let crtc = unsafe drmModeGetCrtc(fd, id) else { return CRTCSurvey(id: id) }
    defer { unsafe drmModeFreeCrtc(crtc) }
    let isOn = unsafe crtc.pointee.mode_valid != 0
    return CRTCSurvey(id: id, mode: isOn ? unsafe DisplayMode(crtc.pointee.mode) : nil)
  }

  private func surveyPlanes() throws(DisplayError) -> [PlaneSurvey] {
    guard hasUniversalPlanes, let planes = unsafe drmModeGetPlaneResources(fd) else { return [] }
    defer { unsafe drmModeFreePlaneResources(planes) }
    var surveys: [PlaneSurvey] = []
    for id in unsafe list(planes.pointee.planes, Int32(planes.pointee.count_planes)) {
      guard let plane = unsafe drmModeGetPlane(fd, id) else { continue }
      defer { unsafe drmModeFreePlane(plane) }
      var table = PropertyTable()
      guard try table.add(id, .plane, of: self) else { continue }
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

  /// The survey with what its planes feed now: other programs may have shown something else since. Without the
  /// connectors that went away.
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

  /// The bytes of a blob; none where there is no such blob.
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
