import CLinux
import Configuration
import JSON
import Pad
import Touch

/// Which touchscreen draws, and why not the others.
struct TouchExamination {
  private(set) var findings: [Finding] = []
  /// The nodes that the pad opens.
  private(set) var nodes: [String] = []

  /// - Parameter panel: Where the pad shows its picture.
  init(_ wishes: TouchConfiguration, on panel: PanelLocation?) {
    if let recording = wishes.recording {
      findings = [
        Finding(.touchscreen, .note, "\(recording) is played instead, as [touch] recording says")
      ]
      return
    }
    let entries = TouchSurvey(DeviceChoice(wishes.device), on: panel).entries
    let drawing = entries.filter { $0.unused == nil }
    nodes = drawing.map { $0.path }
    if drawing.isEmpty { findings.append(TouchExamination.none(entries, wishes.device)) }
    for entry in drawing { findings += TouchExamination.drawing(entry, wishes) }
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
        .touchscreen, .wrong, "the touchscreen that [touch] device names is not there",
        advice: "choose one of those below, or auto; the pad waits until it comes")
    }
    return Finding(
      .touchscreen, .wrong, "none of the \(entries.count) event devices is a touchscreen",
      advice: "the reasons are below; [touch] device takes one that is not found by itself")
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
          .touchscreen, .fact, "\(entry.path) does not tell its size: the panel's is taken"))
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
        .touchscreen, .wrong, "udev's LIBINPUT_CALIBRATION_MATRIX is no matrix: \(matrix)",
        advice: "six numbers between blanks, the first two rows")
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
        "the kernel smooths \(entry.path) (fuzz \(fuzz)): slow strokes get steps",
        advice: "70-paraph.rules and 60-paraph-touch.hwdb, which the package brings, turn that off",
        details: [("fuzz", .integer(Int64(fuzz)))])
    ]
  }
}
