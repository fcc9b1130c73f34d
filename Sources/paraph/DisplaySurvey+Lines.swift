import Display
import JSON
import Raster

extension DisplaySurvey {
  /// The cards of `paraph devices`: what each has, which panel the pad would light, and why not the
  /// others.
  var lines: [String] {
    if cards.isEmpty { return ["no card: is the panel's driver loaded?"] }
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

  /// All that can be said without asking the driver: sysfs knows no rates.
  private func lines(of connector: SysfsConnector) -> [String] {
    let title = "  \(connector.name): not used: it \(reason(connector))"
    return connector.modes.isEmpty
      ? [title] : [title, "    modes: " + connector.modes.joined(separator: " ")]
  }
}

extension DisplaySurvey {
  /// The same for programs.
  var json: JSONValue {
    .array(
      cards.map { card in
        let connectors =
          card.survey.map { $0.connectors.map { json(of: $0, on: card) } }
          ?? card.sysfs.connectors.map { json(of: $0) }
        return .object([
          ("path", .text(card.path)), ("driver", .text(card.driver)),
          ("links", .texts(card.survey?.links ?? [])), ("holders", .texts(card.holders)),
          ("unused", card.unused.map { .text($0.text) } ?? .null),
          ("connectors", .array(connectors)),
        ])
      })
  }

  private func json(of connector: ConnectorSurvey, on card: Card) -> JSONValue {
    let chosen = pipeline(on: card).flatMap { $0.connector == connector ? $0 : nil }
    let reason = choice.unused.first { $0.card == card.path && $0.connector == connector.name }
    return .object([
      ("name", .text(connector.name)), ("used", .flag(chosen != nil)),
      ("reason", chosen == nil ? reason.map { .text($0.reason.text) } ?? .null : .null),
      ("mode", chosen.map { .text(ModeText($0.mode, preferred: false).text) } ?? .null),
      ("format", chosen.map { .text($0.format.name) } ?? .null),
      ("width_mm", connector.size.map { .real(Double($0.width)) } ?? .null),
      ("height_mm", connector.size.map { .real(Double($0.height)) } ?? .null),
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

/// A mode as the configuration's `mode` takes it; the panel's own has a star.
private struct ModeText {
  let text: String

  init(_ mode: DisplayMode, preferred: Bool) {
    var text = "\(mode.width)x\(mode.height)"
    if let rate = mode.refreshMilliHertz { text += "@" + DisplayMode.hertz(rate) }
    if mode.isInterlaced { text += "i" }
    self.text = text + (preferred ? "*" : "")
  }
}
