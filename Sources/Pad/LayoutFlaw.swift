internal import Configuration
internal import Ink

/// Why a theme's places cannot be had on a glass.
struct LayoutFlaw {
  /// The key in [theme] that breaks a rule.
  let key: String
  /// What is wrong, on which glass, and what to do.
  let reason: String

  /// One line.
  var text: String { "config: [theme] \(key): \(reason)" }

  /// The first rule that places break on a glass, with all the buttons that there can be, in both
  /// directions; nil: none.
  static func first(of places: LayoutPlaces, on glass: Point, undo: Bool) -> LayoutFlaw? {
    guard let broken = brokenRule(places, glass, undo) else { return nil }
    // Whose default would mend it is the culprit.
    let culprit = keys.first { key in
      var changed = places
      key.reset(&changed)
      return changed != places && brokenRule(changed, glass, undo) == nil
    }
    let size = "a glass of \(whole(glass.x)) × \(whole(glass.y)) mm"
    guard let culprit else {
      return LayoutFlaw(
        key: "positions", reason: "together, on \(size), \(broken): take auto for some of them")
    }
    return LayoutFlaw(key: culprit.name, reason: "on \(size) \(broken): \(culprit.advice)")
  }

  private struct Key: Sendable {
    let name: String
    let advice: String
    let reset: @Sendable (inout LayoutPlaces) -> Void
  }

  private static let keys = [
    Key(name: "line-height", advice: "make it smaller, or auto") { $0.lineHeight = nil },
    Key(name: "words-size", advice: "make it smaller, or auto") { $0.wordsSize = nil },
    Key(name: "button-height", advice: "make it smaller, or auto") { $0.buttonHeight = nil },
    Key(name: "margin", advice: "make it smaller, or auto") { $0.margin = nil },
    Key(name: "buttons", advice: "take another side") { $0.buttons = .bottom },
    Key(name: "logo-size", advice: "make it smaller, or take another logo-place") { $0.logo = nil },
  ]

  private static func brokenRule(
    _ places: LayoutPlaces, _ glass: Point, _ undo: Bool
  ) -> String? {
    for rightToLeft in [false, true] {
      var parts = LayoutParts(
        undo: undo, cancel: true, countdown: true, rightToLeft: rightToLeft)
      for message in [LayoutParts.MessageButton.signature, .understood] {
        parts.message = message
        let layout = Layout(width: glass.x, height: glass.y, parts: parts, places: places)
        if let broken = layout.brokenRule { return broken }
      }
    }
    return nil
  }

  private static func whole(_ length: Float) -> String { "\(Int(length.rounded()))" }
}

extension Layout {
  /// The first rule that the layout breaks, as what is wrong with it.
  fileprivate var brokenRule: String? {
    for button in buttons {
      let area = area(of: button)
      let side = min(area.size.x, area.size.y)
      if side < Layout.smallestButton - 0.001 {
        return "a button is \(Double(side).inTenths) mm small, and a finger needs 9"
      }
      if !glass.holds(area) { return "a button lies outside" }
    }
    if signing.size.x * signing.size.y < 0.5 * glass.size.x * glass.size.y {
      return "less than half is left to sign on"
    }
    if header.size.y < 3.5 * textSize || header.size.x < 8 * textSize {
      return parts.message == .signature
        ? "there is no room for the words above the line" : "there is no room for a message"
    }
    return brokenBounds
  }

  private var brokenBounds: String? {
    let left = min(line.left.x, line.right.x, cross.x - 1.5)
    let right = max(line.left.x, line.right.x, cross.x + 1.5)
    let lineArea = Area(
      x: left, y: cross.y - 1.5, width: right - left, height: line.left.y - cross.y + 1.5)
    if !signing.holds(lineArea) || right - left < 20 {
      return "the line lies outside of where one can sign"
    }
    if !signing.holds(header) && parts.message == .signature || !glass.holds(header) {
      return "the words lie outside"
    }
    if header.overlaps(countdown) { return "words and countdown meet" }
    guard let logo else { return nil }
    if !signing.holds(logo) { return "the logo lies outside of where one can sign" }
    if logo.overlaps(header) || logo.overlaps(countdown) { return "the logo meets the words" }
    if parts.message == .signature, logo.overlaps(lineArea) { return "the logo meets the line" }
    return nil
  }
}
