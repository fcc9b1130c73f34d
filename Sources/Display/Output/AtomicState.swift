internal import CLibdrm
internal import Raster

/// The full state of a card that shows a framebuffer: property values grouped by object.
struct AtomicState {
  /// The value of one property of an object.
  struct Value: Equatable {
    var object: UInt32
    var property: Property
    var value: UInt64
  }

  /// All values; a commit omits properties that the driver lacks.
  private(set) var values: [Value] = []

  private let pipeline: Pipeline
  private let plane: UInt32

  /// Makes the state.
  ///
  /// - Parameters:
  ///   - mode: The blob of the pipeline's mode.
  ///   - plane: The pipeline's primary plane.
  ///   - survey: The card with its planes' present CRTCs.
  ///   - disablesOthers: Whether all other outputs are switched off; else they and their planes are not touched.
  ///   - resetsColour: Whether colour, rotation and alpha are reset to their defaults.
  init(
    showing framebuffer: UInt32, mode: UInt32, pipeline: Pipeline, plane: UInt32,
    survey: CardSurvey, disablesOthers: Bool, resetsColour: Bool
  ) {
    self.pipeline = pipeline
    self.plane = plane
    if disablesOthers { disableOthers(survey) }
    clearPlanes(survey, includingOthers: disablesOthers)
    set(.crtc, of: pipeline.connector.id, UInt64(pipeline.crtc))
    set(.linkStatus, of: pipeline.connector.id, UInt64(DRM_MODE_LINK_STATUS_GOOD))
    setCRTC(mode, resetsColour)
    setPlane(framebuffer, resetsColour)
  }

  private mutating func disableOthers(_ survey: CardSurvey) {
    for connector in survey.connectors where connector.id != pipeline.connector.id {
      set(.crtc, of: connector.id, 0)
    }
    for crtc in survey.crtcs where crtc.id != pipeline.crtc {
      set(.active, of: crtc.id, 0)
      set(.mode, of: crtc.id, 0)
    }
  }

  /// Disables the planes of former users.
  ///
  /// They would cover the pad, and a CRTC has a limited number of planes (rockchip_drm_vop2.c,
  /// vop2_crtc_atomic_check). An output that stays on keeps its planes: an active CRTC without its primary plane is
  /// refused (ipuv3-crtc.c, ipu_crtc_atomic_check).
  private mutating func clearPlanes(_ survey: CardSurvey, includingOthers: Bool) {
    for other in survey.planes where other.id != plane {
      let reaches = other.possibleCRTCs & (1 << UInt32(pipeline.pipe)) != 0
      let isOurs = other.feeds == pipeline.crtc
      guard isOurs || (includingOthers && (reaches || other.feeds != 0)) else { continue }
      set(.framebuffer, of: other.id, 0)
      set(.crtc, of: other.id, 0)
    }
  }

  private mutating func setCRTC(_ mode: UInt32, _ resetsColour: Bool) {
    set(.mode, of: pipeline.crtc, UInt64(mode))
    set(.active, of: pipeline.crtc, 1)
    guard resetsColour else { return }
    for property in [Property.gamma, .degamma, .colourMatrix, .variableRefresh] {
      set(property, of: pipeline.crtc, 0)
    }
  }

  private mutating func setPlane(_ framebuffer: UInt32, _ resetsColour: Bool) {
    let (width, height) = (UInt64(pipeline.mode.width), UInt64(pipeline.mode.height))
    set(.framebuffer, of: plane, UInt64(framebuffer))
    set(.crtc, of: plane, UInt64(pipeline.crtc))
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

  private mutating func set(_ property: Property, of object: UInt32, _ value: UInt64) {
    values.append(Value(object: object, property: property, value: value))
  }
}
