import Display
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
    if let route = route(on: card), route.connector == connector {
      let mode = ModeText(route.mode, preferred: false).text
      lines = ["  \(connector.name): the panel, in \(mode), \(route.format.name)"]
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
    let reason = connector.status == .disconnected ? "has nothing connected" : "could not be asked"
    let title = "  \(connector.name): not used: it \(reason)"
    return connector.modes.isEmpty
      ? [title] : [title, "    modes: " + connector.modes.joined(separator: " ")]
  }
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
