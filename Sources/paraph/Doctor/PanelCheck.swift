import Configuration
import Display
import Ink
import JSON
import Pad
import Raster
import Touch

/// Checks the pad's panel and its driver.
struct PanelCheck {
  private(set) var findings: [Finding] = []
  /// The device nodes that the pad opens.
  private(set) var nodes: [String] = []
  /// The location of the pad's picture; nil without a panel.
  private(set) var location: PanelLocation?
  /// The size of the glass in millimetres, as the pad computes it; nil without a panel.
  var glass: Point? { location.map { Point($0.width, $0.height) } }

  init(_ wishes: DisplayConfiguration) {
    guard wishes.card != .memory else {
      findings = [Finding(.panel, .note, "no panel: [display] card is memory")]
      return
    }
    let survey = DisplaySurvey(OutputSelector(wishes))
    let lit = survey.cards.first { survey.pipeline(on: $0) != nil }
    if let lit, let pipeline = survey.pipeline(on: lit), let card = lit.survey {
      nodes = [lit.path]
      location = PanelLocation(of: pipeline, wishes)
      findings = [
        PanelCheck.panel(pipeline, on: lit), PanelCheck.driver(pipeline, card),
      ]
      findings += PanelCheck.holders(lit, card) + PanelCheck.size(pipeline, wishes)
    } else {
      findings = [PanelCheck.none(survey)]
    }
    findings += PanelCheck.others(survey)
  }

  private static func panel(_ pipeline: Pipeline, on card: DisplaySurvey.Card) -> Finding {
    let (mode, connector) = (pipeline.mode, pipeline.connector)
    var text = "\(connector.name) on \(card.path) (\(card.driver)): \(mode.width)x\(mode.height)"
    if let rate = mode.refreshMilliHertz { text += "@\(DisplayMode.hertz(rate))" }
    text += ", \(pipeline.format.name)"
    if connector.orientation != .normal {
      text += ", mounted \(connector.orientation.rawValue.lowercased())"
    }
    return Finding(
      .panel, .right, text,
      details: [
        ("card", .text(card.path)), ("driver", .text(card.driver)),
        ("connector", .text(connector.name)), ("width", .integer(mode.width)),
        ("height", .integer(mode.height)),
        ("refresh_mhz", .integer(mode.refreshMilliHertz)),
        ("format", .text(pipeline.format.name)),
      ])
  }

  private static func driver(_ pipeline: Pipeline, _ card: CardSurvey) -> Finding {
    let plane = card.planes.first { $0.id == pipeline.plane }
    let damage = card.isAtomic && plane?.takesDamage == true
    let formats = plane?.formats.map { fourcc($0) } ?? []
    var text = card.isAtomic ? "atomic commits" : "no atomic commits: using the legacy interface"
    text += damage ? "; damage is reported to the driver" : "; the driver takes whole frames only"
    if !formats.isEmpty { text += "; formats \(formats.joined(separator: " "))" }
    return Finding(
      .panel, .fact, text,
      details: [
        ("atomic", .flag(card.isAtomic)), ("damage", .flag(damage)),
        ("formats", .array(formats.map { .text($0) })),
      ])
  }

  /// The four characters of a code of `drm_fourcc.h`.
  private static func fourcc(_ code: UInt32) -> String {
    let bytes = [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: code >> $0) }
    return String(decoding: bytes.map { (0x21...0x7e).contains($0) ? $0 : 0x3f }, as: UTF8.self)
  }

  private static func holders(_ card: DisplaySurvey.Card, _ survey: CardSurvey) -> [Finding] {
    let names = card.holders
    let details: [(String, JSONValue)] = [
      ("held", .flag(survey.isHeld)), ("holders", .array(names.map { .text($0) })),
    ]
    if names.contains(where: { $0.hasPrefix("paraphd ") }) {
      return [
        Finding(.panel, .right, "\(card.path) is held by the pad itself", details: details)
      ]
    }
    guard survey.isHeld else {
      return [Finding(.panel, .fact, "\(card.path) not in use", details: details)]
    }
    let who =
      names.isEmpty
      ? "another program (run this as root to see its name)" : names.joined(separator: ", ")
    return [
      Finding(
        .panel, .wrong, "\(card.path) is held by \(who)",
        advice: "stop that program: only one can use a card", details: details)
    ]
  }

  private static func size(_ pipeline: Pipeline, _ wishes: DisplayConfiguration) -> [Finding] {
    if let size = wishes.size {
      return [
        Finding(
          .panel, .fact, "\(millimetres(size.width, size.height)), set by [display] size")
      ]
    }
    let told = pipeline.connector.size
    guard let size = told, PanelOptions(wishes).geometry(of: pipeline).isPlausible(size) else {
      let reason =
        told.map { "the panel reports \(millimetres($0.width, $0.height)), which is implausible" }
        ?? "the panel does not report its size"
      return [
        Finding(
          .panel, .note, "\(reason): using 96 dpi",
          advice: "measure the glass and set [display] size")
      ]
    }
    return [
      Finding(
        .panel, .fact, "\(millimetres(size.width, size.height)), as the panel reports",
        details: [
          ("width_mm", .real(Double(size.width))), ("height_mm", .real(Double(size.height))),
        ])
    ]
  }

  private static func millimetres(_ width: Float, _ height: Float) -> String {
    "\(Int(width.rounded())) × \(Int(height.rounded())) mm"
  }

  private static func none(_ survey: DisplaySurvey) -> Finding {
    if survey.cards.isEmpty { return .noDevice(.panel, "no card in /dev/dri") }
    return Finding(
      .panel, .wrong, "no card has a usable panel",
      advice: "see the reasons below; the pad waits for a panel")
  }

  private static func others(_ survey: DisplaySurvey) -> [Finding] {
    let cards = survey.cards.compactMap { card in
      card.unused.map { Finding(.panel, .fact, "\(card.path) is not used: it \($0.text)") }
    }
    let connectors = survey.choice.unused.map {
      Finding(.panel, .fact, "\($0.connector) on \($0.card) is not used: it \($0.reason.text)")
    }
    let unplugged = survey.cards.filter { $0.survey == nil && $0.unused == nil }.map {
      Finding(.panel, .fact, "\($0.path) (\($0.driver)) is not used: nothing is connected")
    }
    return cards + connectors + unplugged
  }
}
