import CLinux
import JSON
import Touch

extension TouchSurvey {
  /// The touchscreens of `paraph devices`: which would draw, and why not the others.
  var lines: [String] {
    if entries.isEmpty { return ["no input device: is /dev/input there?"] }
    return entries.flatMap { $0.lines }
  }

  /// The same for programs.
  var json: JSONValue { .array(entries.map { $0.json }) }
}

extension TouchSurvey.Entry {
  fileprivate var lines: [String] {
    let title = "\(path) (\(name))"
    if let unused {
      return [title + ": not used: \(unused)"] + (kind == nil ? [] : details)
    }
    return [title + ": draws"] + details
  }

  fileprivate var json: JSONValue {
    let size = device?.description.physicalSize
    return .object([
      ("node", .text(path)), ("name", .text(name)), ("used", .flag(unused == nil)),
      ("reason", unused.map { .text($0) } ?? .null), ("links", .texts(links)),
      ("protocol", device.map { .text($0.description.protocolText) } ?? .null),
      ("width_mm", size.map { .real(Double($0.x)) } ?? .null),
      ("height_mm", size.map { .real(Double($0.y)) } ?? .null),
      (
        "calibration_matrix",
        device?.properties["LIBINPUT_CALIBRATION_MATRIX"].map { .text($0) } ?? .null
      ),
    ])
  }

  private var details: [String] {
    var lines = links.isEmpty ? [] : ["  also \(links.joined(separator: ", "))"]
    guard let device else { return lines }
    let description = device.description
    lines.append("  \(description.protocolText)")
    lines.append("  " + size(of: description))
    if let matrix = device.properties["LIBINPUT_CALIBRATION_MATRIX"] {
      lines.append("  calibration matrix \(matrix)" + (isMatrix(matrix) ? "" : ", which is none"))
    }
    if !description.fuzzyAxes.isEmpty { lines.append("  " + fuzz(of: description)) }
    return lines
  }

  private func size(of description: DeviceDescription) -> String {
    let span = "\(description.span.x) × \(description.span.y) units"
    guard let size = description.physicalSize else {
      return span + ", of unknown size: the display's is taken, or size in [touch]"
    }
    return span + ", \(Int(size.x.rounded())) × \(Int(size.y.rounded())) mm"
  }

  private func isMatrix(_ text: String) -> Bool { CalibrationMatrix(text) != nil }

  private func fuzz(of description: DeviceDescription) -> String {
    let axes = description.fuzzyAxes.map { axis, fuzz in
      "EVDEV_ABS_\(axis < 16 ? "0" : "")\(String(axis, radix: 16)) has \(fuzz)"
    }
    return "the kernel smooths it (\(axes.joined(separator: ", "))): "
      + "slow strokes get steps; 70-paraph.rules and 60-paraph-touch.hwdb turn that off"
  }
}
