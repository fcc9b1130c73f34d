internal import Configuration
internal import Ink

/// The rule that a theme's layout breaks on a glass, and the key to change.
struct LayoutViolation {
  /// Error: the layout cannot be used. Warning: it suits all requests but those with a document,
  /// and not every pad shows documents.
  let severity: ConfigurationProblem.Severity
  /// The section and the key.
  let section: String, key: String
  /// The problem, the glass, and the remedy.
  let reason: String
  /// The options without the key, which satisfy the rules; nil: no key alone is at fault.
  var mended: LayoutOptions?

  /// One line for the log.
  var text: String { "config: [\(section)] \(key): \(reason)" }

  /// The first violation of options on a glass in millimetres; nil: none.
  ///
  /// Checks signatures and messages with all buttons, then requests with a document, in both text
  /// directions.
  ///
  /// - Parameter undo: Whether there is a button *Undo*.
  static func first(of options: LayoutOptions, on glass: Point, undo: Bool) -> LayoutViolation? {
    first(of: options, on: glass, undo: undo, documents: false)
      ?? first(of: options, on: glass, undo: undo, documents: true)
  }

  private static func first(
    of options: LayoutOptions, on glass: Point, undo: Bool, documents: Bool
  ) -> LayoutViolation? {
    guard let broken = brokenRule(options, glass, undo, documents: documents) else { return nil }
    let clause = "on a glass of \(whole(glass.x)) × \(whole(glass.y)) mm \(broken)"
    let severity: ConfigurationProblem.Severity = documents ? .warning : .error
    var isDefault = true
    // Names the first key whose default alone would satisfy the rules.
    for key in keys {
      var changed = options
      key.reset(&changed)
      guard changed != options else { continue }
      isDefault = false
      guard brokenRule(changed, glass, undo, documents: documents) == nil else { continue }
      return LayoutViolation(
        severity: severity, section: key.section, key: key.name,
        reason: "\(clause): \(key.advice)", mended: changed)
    }
    return LayoutViolation(
      severity: severity, section: "theme", key: "positions",
      reason: isDefault ? clause : "together, \(clause): set some of them to auto")
  }

  private struct Key: Sendable {
    var section = "theme"
    let name: String
    let advice: String
    let reset: @Sendable (inout LayoutOptions) -> Void
  }

  private static let keys = [
    Key(name: "line-height", advice: "make it smaller, or auto") { $0.lineHeight = nil },
    Key(name: "words-size", advice: "make it smaller, or auto") { $0.wordsSize = nil },
    Key(name: "button-height", advice: "make it smaller, or auto") { $0.buttonHeight = nil },
    Key(name: "margin", advice: "make it smaller, or auto") { $0.margin = nil },
    Key(name: "buttons", advice: "choose another side") { $0.buttons = .bottom },
    Key(name: "logo-size", advice: "make it smaller, or choose another logo-place") {
      $0.logo = nil
    },
    Key(section: "text", name: "size", advice: "make it normal") { $0.isLarge = false },
  ]

  /// - Parameter documents: Whether requests with a document must keep the rules, too.
  private static func brokenRule(
    _ options: LayoutOptions, _ glass: Point, _ undo: Bool, documents: Bool
  ) -> String? {
    for rightToLeft in [false, true] {
      var parts = LayoutParts(
        undo: undo, cancel: true, countdown: true, rightToLeft: rightToLeft)
      for message in [LayoutParts.MessageButton.signature, .understood] {
        parts.message = message
        let layout = Layout(width: glass.x, height: glass.y, parts: parts, options: options)
        if let broken = layout.brokenRule { return broken }
      }
      guard documents else { continue }
      (parts.message, parts.hasDocument) = (.signature, true)
      let signing = Layout(width: glass.x, height: glass.y, parts: parts, options: options)
      // A document changes the buttons alone: words and line are as without one, and its pages
      // have neither.
      for layout in [Reading.layout(glass, parts, options), signing] {
        if let broken = layout.brokenButton { return "with a document \(broken)" }
      }
    }
    return nil
  }

  private static func whole(_ length: Float) -> String { "\(Int(length.rounded()))" }
}

extension Layout {
  /// The first rule that the layout breaks, as a clause.
  fileprivate var brokenRule: String? {
    if let broken = brokenButton { return broken }
    if signing.size.x * signing.size.y < 0.5 * glass.size.x * glass.size.y {
      return "less than half is left to sign on"
    }
    if header.size.y < 3.5 * textSize || header.size.x < 8 * textSize {
      return parts.message == .signature
        ? "there is no room for the words above the line" : "there is no room for a message"
    }
    return brokenBounds
  }

  /// The first rule that a button breaks, as a clause.
  fileprivate var brokenButton: String? {
    for button in buttons {
      let area = area(of: button)
      let side = min(area.size.x, area.size.y)
      let minimum = options.smallestButton
      if side <= 0 { return "there is no room for a button" }
      if side < minimum - 0.001 {
        return
          "the smaller side of a button is \(Double(side).inTenths) mm; the minimum is \(Int(minimum)) mm"
      }
      if !glass.contains(area) { return "a button extends beyond the glass" }
    }
    return nil
  }

  private var brokenBounds: String? {
    let left = min(line.left.x, line.right.x, cross.x - 1.5)
    let right = max(line.left.x, line.right.x, cross.x + 1.5)
    let lineArea = Area(
      x: left, y: cross.y - 1.5, width: right - left, height: line.left.y - cross.y + 1.5)
    if !signing.contains(lineArea) || right - left < 20 {
      return "the line extends beyond the signing area"
    }
    if !signing.contains(header) && parts.message == .signature || !glass.contains(header) {
      return "the words extend beyond the signing area"
    }
    if header.overlaps(countdown) { return "words and countdown overlap" }
    guard let logo else { return nil }
    if !signing.contains(logo) { return "the logo extends beyond the signing area" }
    if logo.overlaps(header) || logo.overlaps(countdown) {
      return "the logo overlaps the words"
    }
    if parts.message == .signature, logo.overlaps(lineArea) { return "the logo overlaps the line" }
    return nil
  }
}
