import CLinux
import Commands
import Configuration
import Display
import JSON
import Linux
import Pad
import Raster
import Touch

struct Devices: Runnable {
  static var command: Command {
    Command(
      "devices", "List cards, panels and touchscreens, and why one is not used.",
      discussion: [
        "Which devices are used depends on the pad's configuration. Modes are printed as the configuration "
          + "takes them; a star marks the panel's preferred one. A card that no program holds is held for a few "
          + "milliseconds."
      ],
      options: [Option(flag: "json", "Print JSON, for programs."), PadSettings.option],
      examples: [
        Command.Example("paraph devices", "Find out which panel and touchscreen the pad uses.")
      ])
  }

  private let pad: PadSettings
  private let isJSON: Bool

  init(_ arguments: Arguments) throws(UsageError) {
    pad = PadSettings(arguments)
    isJSON = arguments.has("json")
  }

  func run() throws(ToolError) {
    let settings = try pad.readIfUsable()
    let display = DisplaySurvey(OutputSelector(settings.display))
    let panel = PanelLocation(in: display, settings.display)
    let touch = TouchSurvey(DeviceChoice(settings.touch.device), on: panel)
    var output = StandardOutput()
    if isJSON {
      let devices = JSONValue.object([("cards", display.json), ("touchscreens", touch.json)])
      try output.line { $0 += devices.bytes(.lines) }
    } else {
      for line in display.lines + touch.lines { try output.line(line.printable) }
    }
    try output.flush()
  }
}

extension DisplaySurvey {
  /// The cards of `paraph devices`, with the panel that the pad would use and why it uses no other.
  var lines: [String] {
    if cards.isEmpty { return ["no card; check that the panel's driver is loaded"] }
    return cards.flatMap { lines(of: $0) }
  }

  private func lines(of card: Card) -> [String] {
    var title = "\(card.path) (\(card.driver))"
    if let unused = card.unused { title += ": not used: it \(unused.text)" }
    var lines = [title]
    if let links = card.survey?.links, !links.isEmpty {
      lines.append("  also \(links.joined(separator: ", "))")
    }
    if !card.holders.isEmpty {
      lines.append("  in use by \(card.holders.joined(separator: ", "))")
    }
    guard let survey = card.survey else {
      return lines + card.sysfs.connectors.flatMap { self.lines(of: $0) }
    }
    return lines + survey.connectors.flatMap { self.lines(of: $0, on: card) }
  }

  private func lines(of connector: ConnectorSurvey, on card: Card) -> [String] {
    var lines: [String]
    if let pipeline = pipeline(on: card), pipeline.connector == connector {
      let mode = ModeText(pipeline.mode, preferred: false).text
      lines = ["  \(connector.name): the panel, in \(mode), \(pipeline.format.name)"]
    } else {
      let reason = choice.unused.first {
        $0.card == card.path && $0.connector == connector.name
      }
      lines = ["  \(connector.name): not used: it \(reason?.reason.text ?? "was not looked at")"]
    }
    if let size = connector.size {
      lines.append("    \(Int(size.width.rounded())) × \(Int(size.height.rounded())) mm")
    }
    if connector.orientation != .normal {
      lines.append("    mounted: \(connector.orientation.rawValue.lowercased())")
    }
    if !connector.modes.isEmpty {
      let modes = connector.modes.map { ModeText($0, preferred: $0.isPreferred).text }
      lines.append("    modes: " + modes.joined(separator: " "))
    }
    return lines
  }

  /// The information in sysfs, which has no refresh rates.
  private func lines(of connector: SysfsConnector) -> [String] {
    let title = "  \(connector.name): not used: it \(reason(connector))"
    return connector.modes.isEmpty
      ? [title] : [title, "    modes: " + connector.modes.joined(separator: " ")]
  }
}

extension DisplaySurvey {
  /// The output as JSON.
  var json: JSONValue {
    .array(
      cards.map { card in
        let connectors =
          card.survey.map { $0.connectors.map { json(of: $0, on: card) } }
          ?? card.sysfs.connectors.map { json(of: $0) }
        return .object([
          ("path", .text(card.path)), ("driver", .text(card.driver)),
          ("links", .texts(card.survey?.links ?? [])), ("holders", .texts(card.holders)),
          ("unused", .text(card.unused?.text)),
          ("connectors", .array(connectors)),
        ])
      })
  }

  private func json(of connector: ConnectorSurvey, on card: Card) -> JSONValue {
    let chosen = pipeline(on: card).flatMap { $0.connector == connector ? $0 : nil }
    let reason = choice.unused.first { $0.card == card.path && $0.connector == connector.name }
    return .object([
      ("name", .text(connector.name)), ("used", .flag(chosen != nil)),
      ("reason", .text(chosen == nil ? reason?.reason.text : nil)),
      ("mode", .text(chosen.map { ModeText($0.mode, preferred: false).text })),
      ("format", .text(chosen?.format.name)),
      ("width_mm", .real(connector.size.map { Double($0.width) })),
      ("height_mm", .real(connector.size.map { Double($0.height) })),
      ("orientation", .text(connector.orientation.rawValue.lowercased())),
      ("modes", .texts(connector.modes.map { ModeText($0, preferred: false).text })),
    ])
  }

  private func json(of connector: SysfsConnector) -> JSONValue {
    .object([
      ("name", .text(connector.name)), ("used", .flag(false)),
      ("reason", .text(reason(connector))), ("modes", .texts(connector.modes)),
    ])
  }

  private func reason(_ connector: SysfsConnector) -> String {
    connector.status == .disconnected ? "has nothing connected" : "could not be asked"
  }
}

extension JSONValue {
  /// An array of texts.
  static func texts(_ texts: [String]) -> JSONValue { .array(texts.map { .text($0) }) }
}

/// A mode in the configuration's format; the preferred one has a star.
private struct ModeText {
  let text: String

  init(_ mode: Display.DisplayMode, preferred: Bool) {
    var text = "\(mode.width)x\(mode.height)"
    if let rate = mode.refreshMilliHertz { text += "@" + Display.DisplayMode.hertz(rate) }
    if mode.isInterlaced { text += "i" }
    self.text = text + (preferred ? "*" : "")
  }
}

extension TouchSurvey {
  /// The touchscreens of `paraph devices`, with those that draw and why others do not.
  var lines: [String] {
    if entries.isEmpty { return ["no input device; check /dev/input"] }
    return entries.flatMap { $0.lines }
  }

  /// The output as JSON.
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
      ("reason", .text(unused)), ("links", .texts(links)),
      ("protocol", .text(device?.description.protocolText)),
      ("width_mm", .real(size.map { Double($0.x) })),
      ("height_mm", .real(size.map { Double($0.y) })),
      (
        "calibration_matrix",
        .text(device?.properties["LIBINPUT_CALIBRATION_MATRIX"])
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
      lines.append("  calibration matrix \(matrix)" + (isMatrix(matrix) ? "" : " (invalid)"))
    }
    if !description.fuzzyAxes.isEmpty { lines.append("  " + fuzz(of: description)) }
    return lines
  }

  private func size(of description: DeviceDescription) -> String {
    let span = "\(description.span.x) × \(description.span.y) units"
    guard let size = description.physicalSize else {
      return span + ", unknown size: using [touch] size, else the display's"
    }
    return span + ", \(Int(size.x.rounded())) × \(Int(size.y.rounded())) mm"
  }

  private func isMatrix(_ text: String) -> Bool { CalibrationMatrix(text) != nil }

  private func fuzz(of description: DeviceDescription) -> String {
    let axes = description.fuzzyAxes.map { axis, fuzz in
      "EVDEV_ABS_\(axis < 16 ? "0" : "")\(String(axis, radix: 16)) has \(fuzz)"
    }
    return "the kernel smooths it (\(axes.joined(separator: ", "))): "
      + "slow strokes become jagged; 70-paraph.rules and 60-paraph-touch.hwdb turn that off"
  }
}
