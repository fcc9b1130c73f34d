import CLinux
import Configuration
import JSON
import Pad
import Touch

/// Checks which touchscreen draws, and why others do not.
struct TouchCheck {
  private(set) var findings: [Finding] = []
  /// The device nodes that the pad opens.
  private(set) var nodes: [String] = []

  /// - Parameter panel: The location of the pad's picture.
  init(_ wishes: TouchConfiguration, on panel: PanelLocation?) {
    if let recording = wishes.recording {
      findings = [
        Finding(.touchscreen, .note, "no device: [touch] recording plays \(recording)")
      ]
      return
    }
    let entries = TouchSurvey(DeviceChoice(wishes.device), on: panel).entries
    let drawing = entries.filter { $0.unused == nil }
    nodes = drawing.map { $0.path }
    if drawing.isEmpty { findings.append(TouchCheck.none(entries, wishes.device)) }
    for entry in drawing { findings += TouchCheck.drawing(entry, wishes) }
    for entry in entries {
      guard let reason = entry.unused else { continue }
      findings.append(
        Finding(
          .touchscreen, .fact, "\(entry.path) (\(entry.name)) is not used: \(reason)",
          details: [("node", .text(entry.path)), ("reason", .text(reason))]))
    }
  }

  private static func none(
    _ entries: [TouchSurvey.Entry], _ wish: TouchConfiguration.Device
  ) -> Finding {
    if entries.isEmpty { return .noDevice(.touchscreen, "no event device in /dev/input") }
    guard wish == .automatic else {
      return Finding(
        .touchscreen, .wrong, "the device in [touch] device does not exist",
        advice: "choose a device listed below, or auto; the pad waits for the device")
    }
    return Finding(
      .touchscreen, .wrong, "none of the \(entries.count) event devices is a touchscreen",
      advice: "see the reasons below; [touch] device selects one that is not found automatically")
  }

  private static func drawing(
    _ entry: TouchSurvey.Entry, _ wishes: TouchConfiguration
  ) -> [Finding] {
    guard let device = entry.device else { return [] }
    let description = device.description
    var text = "\(entry.path) (\(entry.name)) draws: \(description.protocolText)"
    if let size = description.physicalSize {
      text += ", \(Int(size.x.rounded())) × \(Int(size.y.rounded())) mm"
    }
    var findings = [
      Finding(
        .touchscreen, .right, text,
        details: [
          ("node", .text(entry.path)), ("name", .text(entry.name)),
          ("links", .array(entry.links.map { .text($0) })),
        ])
    ]
    if description.physicalSize == nil && wishes.size == nil {
      findings.append(
        Finding(
          .touchscreen, .fact, "\(entry.path) does not report its size: using the panel's"))
    }
    return findings + calibration(entry, device, wishes) + fuzz(entry, description)
  }

  private static func calibration(
    _ entry: TouchSurvey.Entry, _ device: FoundDevice, _ wishes: TouchConfiguration
  ) -> [Finding] {
    if wishes.calibrationMatrix != nil {
      return [
        Finding(.touchscreen, .fact, "\(entry.path) is calibrated by [touch] calibration-matrix")
      ]
    }
    guard let matrix = device.properties["LIBINPUT_CALIBRATION_MATRIX"] else { return [] }
    if CalibrationMatrix(matrix) != nil {
      return [Finding(.touchscreen, .fact, "\(entry.path) is calibrated by udev: \(matrix)")]
    }
    return [
      Finding(
        .touchscreen, .wrong, "invalid LIBINPUT_CALIBRATION_MATRIX in udev: \(matrix)",
        advice: "set six numbers separated by blanks: the first two rows of the matrix")
    ]
  }

  private static func fuzz(
    _ entry: TouchSurvey.Entry, _ description: DeviceDescription
  ) -> [Finding] {
    let fuzz = description.fuzzyAxes.map { $0.fuzz }.max() ?? 0
    if fuzz == 0 { return [] }
    return [
      Finding(
        .touchscreen, .note,
        "the kernel smooths \(entry.path) (fuzz \(fuzz)): slow strokes become jagged",
        advice:
          "install the package's 70-paraph.rules and 60-paraph-touch.hwdb, which turn that off",
        details: [("fuzz", .integer(Int64(fuzz)))])
    ]
  }
}
