import CLinux
import Linux
import Raster

@testable import Display

/// The part of a driver that checks states: a card of two outputs, both lit by a former user. Output 1 is the
/// pad's: connector 10, CRTC 40, planes 30 (primary) and 31 (overlay, still shown); output 2: connector 11,
/// CRTC 41, planes 32 (primary) and 33 (overlay).
struct FakeCard {
  /// What a CRTC is once a state is applied.
  struct Output {
    var isActive = true
    var hasMode = true
    var planes: Set<UInt32>
  }

  var outputs: [UInt32: Output] = [
    40: Output(planes: [30, 31]), 41: Output(planes: [32]),
  ]
  var connectors: [UInt32: UInt32] = [10: 40, 11: 41]
  /// Of which properties were set at all.
  private(set) var properties: Set<Property> = []

  static let mode = DisplayMode(width: 800, height: 480, refreshMilliHertz: 60_000)

  static var survey: CardSurvey {
    let formats = [PixelFormat.xrgb8888.fourcc]
    return CardSurvey(
      path: "/dev/dri/card0", driver: "fake",
      connectors: [10, 11].map {
        ConnectorSurvey(
          id: $0, name: "LVDS-\($0)", status: .connected, modes: [mode], possibleCRTCs: 0b11,
          litBy: $0 + 30)
      },
      crtcs: [CRTCSurvey(id: 40, mode: mode), CRTCSurvey(id: 41, mode: mode)],
      planes: [
        PlaneSurvey(id: 30, kind: .primary, possibleCRTCs: 0b01, feeds: 40, formats: formats),
        PlaneSurvey(id: 31, kind: .overlay, possibleCRTCs: 0b11, feeds: 40, formats: formats),
        PlaneSurvey(id: 32, kind: .primary, possibleCRTCs: 0b10, feeds: 41, formats: formats),
        PlaneSurvey(id: 33, kind: .overlay, possibleCRTCs: 0b11, formats: formats),
      ], isAtomic: true)
  }

  static var pipeline: Pipeline {
    Pipeline(
      card: 0, connector: survey.connectors[0], crtc: 40, pipe: 0, plane: 30, mode: mode,
      format: .xrgb8888)
  }

  /// The connectors that are still there.
  var listed: [UInt32] = [10, 11]

  /// A connector of a hub vanishes: its output is off, and a state that names it is refused (ENOENT).
  mutating func removeConnector(_ id: UInt32) {
    listed.removeAll { $0 == id }
    guard let crtc = connectors.removeValue(forKey: id) else { return }
    outputs[crtc] = Output(isActive: false, hasMode: false, planes: [])
  }

  /// Makes attempts to enable the pad's output until one is accepted.
  ///
  /// - Parameter lookingFirst: Whether the connectors are listed anew before each attempt.
  mutating func enable(
    by attempts: inout ModesetAttempts, refusing refusals: [Refusal], lookingFirst: Bool = true
  ) throws(DisplayError) -> [ModesetAttempt] {
    var made: [ModesetAttempt] = []
    var card = self
    try attempts.run { attempt throws(DisplayError) in
      made.append(attempt)
      guard case .atomic(let disablesOthers, let resetsColour) = attempt else { return }
      var survey = Self.survey
      if lookingFirst { survey.keep(connectors: card.listed) }
      let state = AtomicState(
        showing: 7, mode: 9, pipeline: Self.pipeline, plane: 30, survey: survey,
        disablesOthers: disablesOthers, resetsColour: resetsColour)
      guard card.hasObjects(of: state) else { throw .refused(.testCommit, Errno(ENOENT)) }
      guard let after = card.applying(state), !refusals.contains(where: { $0(after) }) else {
        throw .refused(.testCommit, Errno(EINVAL))
      }
      card = after
    }
    self = card
    return made
  }

  private func hasObjects(of state: AtomicState) -> Bool {
    state.values.allSatisfy { !(10...11).contains($0.object) || listed.contains($0.object) }
  }

  /// The card after a state, or nil where the kernel's own checks refuse it (drm_atomic.c,
  /// drm_atomic_helper.c): a plane with a CRTC and no framebuffer, a CRTC that is active without a mode, or has a
  /// mode and no connector.
  func applying(_ state: AtomicState) -> FakeCard? {
    var card = self
    var framebuffers: [UInt32: UInt64] = [:]
    for entry in state.values {
      card.properties.insert(entry.property)
      switch (entry.object, entry.property) {
      case (30...33, .framebuffer): framebuffers[entry.object] = entry.value
      case (30...33, .crtc):
        if (framebuffers[entry.object] ?? 0 == 0) != (entry.value == 0) { return nil }
        for crtc in card.outputs.keys { card.outputs[crtc]?.planes.remove(entry.object) }
        card.outputs[UInt32(entry.value)]?.planes.insert(entry.object)
      case (10...11, .crtc): card.connectors[entry.object] = UInt32(entry.value)
      case (40...41, .active): card.outputs[entry.object]?.isActive = entry.value == 1
      case (40...41, .mode): card.outputs[entry.object]?.hasMode = entry.value != 0
      default: break
      }
    }
    for (crtc, output) in card.outputs {
      if output.isActive, !output.hasMode { return nil }
      if output.hasMode != card.connectors.values.contains(crtc) { return nil }
    }
    return card
  }
}

/// What a driver refuses beyond the kernel's own checks; true: refused.
typealias Refusal = @Sendable (FakeCard) -> Bool

enum Refusals {
  /// i.MX6: an active CRTC without its primary plane (ipuv3-crtc.c, ipu_crtc_atomic_check).
  static let imx6: Refusal = { card in
    card.outputs.contains { crtc, output in
      output.isActive && !output.planes.contains(crtc == 40 ? 30 : 32)
    }
  }
  /// Rockchip: more planes on a CRTC than it has layers (rockchip_drm_vop2.c, vop2_crtc_atomic_check), here one.
  static let rockchip: Refusal = { card in card.outputs.values.contains { $0.planes.count > 1 } }
  /// An output that may not be switched off.
  static let disabledOthers: Refusal = { card in card.outputs[41]?.isActive == false }
  /// Colour that may not be set in the same state as a mode.
  static let colour: Refusal = { card in card.properties.contains(.gamma) }
  /// Every atomic state.
  static let all: Refusal = { _ in true }
}
