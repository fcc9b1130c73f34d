import Configuration
import Ink
import SyntheticHand
import Testing

@testable import Pad

@Suite struct LayoutPlacesTests {
  /// Panels of 3.5", 5", 7" in both ways, and 10".
  static let glasses: [Point] = [
    Point(70.5, 52.9), Point(108, 65), Point(154, 86), Point(86, 154), Point(217, 136),
    Point(136, 217),
  ]

  /// Places for each key, alone and together.
  static func places() -> [LayoutPlaces] {
    var all: [LayoutPlaces] = []
    for side in ThemeConfiguration.Side.allCases {
      for logo in [nil] + ThemeConfiguration.LogoPlace.allCases.map({ Optional($0) }) {
        for words in ThemeConfiguration.WordsPlace.allCases {
          var places = LayoutPlaces()
          places.buttons = side
          places.words = words
          // As large as one becomes that is not told its size, on the smallest glass.
          places.logo = logo.map { LayoutPlaces.Logo($0, size: Point(18, 6.5)) }
          all.append(places)
        }
      }
    }
    return all
  }

  @Test(arguments: glasses)
  func `every side and every corner can be had on every panel`(_ glass: Point) {
    for places in Self.places() {
      let flaw = LayoutFlaw.first(of: places, on: glass, undo: true)
      #expect(flaw == nil, "\(places)")
    }
  }

  @Test(arguments: glasses)
  func `without a theme no rule is broken`(_ glass: Point) {
    #expect(LayoutFlaw.first(of: LayoutPlaces(), on: glass, undo: true) == nil)
  }

  /// Checked here once more, with other words than the product's own.
  @Test(arguments: glasses) func `buttons are big enough and apart, and nothing meets`(
    _ glass: Point
  ) {
    for places in Self.places() {
      for rightToLeft in [false, true] {
        let parts = LayoutParts(
          undo: true, cancel: true, countdown: true, rightToLeft: rightToLeft)
        let layout = Layout(width: glass.x, height: glass.y, parts: parts, places: places)
        let buttons = layout.buttons.map { layout.area(of: $0) }
        #expect(buttons.count == 4)
        var others = buttons + [layout.header, layout.countdown]
        if let logo = layout.logo { others.append(logo) }
        for (index, area) in others.enumerated() {
          #expect(area.origin.x >= 0 && area.origin.y >= 0)
          #expect(area.end.x <= glass.x + 0.01 && area.end.y <= glass.y + 0.01)
          for other in others[..<index] {
            let apart =
              area.end.x <= other.origin.x + 0.01 || other.end.x <= area.origin.x + 0.01
              || area.end.y <= other.origin.y + 0.01 || other.end.y <= area.origin.y + 0.01
            #expect(apart, "\(area) meets \(other), \(places)")
          }
        }
        for area in buttons {
          #expect(min(area.size.x, area.size.y) >= 8.99)
          #expect(!layout.signing.overlaps(area))
        }
        #expect(layout.line.left.x < layout.line.right.x - 20)
        #expect(layout.signing.contains(layout.line.left))
        #expect(layout.signing.contains(layout.cross))
      }
    }
  }

  @Test func `what is configured in millimetres is where it was asked for`() {
    var places = LayoutPlaces()
    places.margin = 4
    places.buttonHeight = 14
    places.lineHeight = 12
    places.wordsSize = 5
    let layout = Layout(width: 154, height: 86, places: places)
    #expect(layout.done.origin.y == 68 && layout.done.size.y == 14)
    #expect(layout.done.end.x == 150)
    #expect(layout.signing.end.y == 64 && layout.line.left.y == 52)
    #expect(layout.textSize == 5 && layout.header.origin == Point(6, 6))
  }

  @Test func `buttons one below the other end with the one that ends the matter`() {
    var places = LayoutPlaces()
    places.buttons = .right
    let parts = LayoutParts(undo: true, cancel: true)
    let layout = Layout(width: 154, height: 86, parts: parts, places: places)
    #expect(layout.buttons == [.cancel, .clear, .undo, .done])
    let tops = layout.buttons.map { layout.area(of: $0).origin.y }
    #expect(tops == tops.sorted())
    #expect(layout.done.end.y == 86 - layout.margin && layout.done.end.x == 154 - layout.margin)
    #expect(layout.done.size.y > layout.clear.size.y)
    #expect(layout.signing.end.x < layout.clear.origin.x)
  }

  func flaw(_ glass: Point, _ change: (inout LayoutPlaces) -> Void) -> String? {
    var places = LayoutPlaces()
    change(&places)
    return LayoutFlaw.first(of: places, on: glass, undo: true)?.text
  }

  @Test func `a place that breaks a rule is refused with its key, the glass and what to do`() {
    let (small, large) = (Point(70.5, 52.9), Point(217, 136))
    #expect(
      flaw(small) { $0.lineHeight = 38 }
        == "config: [theme] line-height: on a glass of 71 × 53 mm there is no room for the words above"
        + " the line: make it smaller, or auto")
    #expect(
      flaw(small) { $0.lineHeight = 60 }
        == "config: [theme] line-height: on a glass of 71 × 53 mm there is no room for the words above"
        + " the line: make it smaller, or auto")
    #expect(
      flaw(small) { $0.buttonHeight = 30 }
        == "config: [theme] button-height: on a glass of 71 × 53 mm less than half is left to sign on:"
        + " make it smaller, or auto")
    #expect(
      flaw(small) { $0.buttonHeight = 60 }
        == "config: [theme] button-height: on a glass of 71 × 53 mm a button lies outside: make it smaller,"
        + " or auto")
    #expect(
      flaw(small) { $0.margin = 12 }?.hasPrefix(
        "config: [theme] margin: on a glass of 71 × 53 mm a button is ") == true)
    #expect(
      flaw(small) { $0.wordsSize = 9 }
        == "config: [theme] words-size: on a glass of 71 × 53 mm there is no room for the words above"
        + " the line: make it smaller, or auto")
    #expect(
      flaw(Point(70, 40)) { $0.buttons = .left }?.hasPrefix(
        "config: [theme] buttons: on a glass of 70 × 40 mm a button is ") == true)
    #expect(
      flaw(large) { $0.logo = .init(.topLeft, size: Point(300, 20)) }
        == "config: [theme] logo-size: on a glass of 217 × 136 mm the logo lies outside of where one can"
        + " sign: make it smaller, or take another logo-place")
  }

  @Test(arguments: [false, true])
  func `buttons one below the other are as wide as their words, or as their height allows`(
    _ isLeft: Bool
  ) {
    var places = LayoutPlaces()
    places.buttons = isLeft ? .left : .right
    places.buttonHeight = 12
    func width(of glass: Float, words: [Float] = []) -> Float {
      var parts = LayoutParts()
      parts.buttonWidths = words
      return Layout(width: glass, height: 90, parts: parts, places: places).done.size.x
    }
    // 2.2 times the height, but at most a quarter of the glass.
    #expect(abs(width(of: 154) - 26.4) < 0.001)
    #expect(abs(width(of: 80) - 20) < 0.001)
    #expect(width(of: 154, words: [18, 31]) == 31)
  }

  /// Glass and places, one of each kind of wish at random.
  private func random(_ seed: UInt64) throws -> (glass: Point, places: LayoutPlaces) {
    var random = SeededRandom(seed: seed)
    let glass = try #require(Self.glasses.randomElement(using: &random))
    func some(_ range: ClosedRange<Float>) -> Float? {
      Bool.random(using: &random) ? Float.random(in: range, using: &random) : nil
    }
    var places = LayoutPlaces()
    places.buttons = try #require(
      ThemeConfiguration.Side.allCases.randomElement(using: &random))
    (places.buttonHeight, places.margin) = (some(9...25), some(1.5...15))
    (places.wordsSize, places.lineHeight) = (some(2.5...9), some(2...60))
    if let width = some(1...120) {
      let place = try #require(
        ThemeConfiguration.LogoPlace.allCases.randomElement(using: &random))
      places.logo = .init(place, size: Point(width, Float.random(in: 1...40, using: &random)))
    }
    return (glass, places)
  }

  @Test func `places at random are refused, or keep the rules`() throws {
    var accepted = 0
    let seeds = 0..<400 as Range<UInt64>
    for seed in seeds {
      let (glass, places) = try random(seed)
      guard LayoutFlaw.first(of: places, on: glass, undo: true) == nil else { continue }
      accepted += 1
      let parts = LayoutParts(undo: true, cancel: true, countdown: true)
      let layout = Layout(width: glass.x, height: glass.y, parts: parts, places: places)
      for button in layout.buttons {
        let area = layout.area(of: button)
        #expect(min(area.size.x, area.size.y) >= 8.99, "seed \(seed)")
        #expect(layout.glass.holds(area) && !layout.signing.overlaps(area), "seed \(seed)")
      }
      #expect(layout.header.size.y > 0 && layout.header.end.y < layout.cross.y, "seed \(seed)")
      if let logo = layout.logo {
        #expect(!logo.overlaps(layout.header) && layout.signing.holds(logo), "seed \(seed)")
      }
    }
    // Neither everything nor nothing is refused: without a wish of its own a glass keeps the rules.
    #expect(accepted > seeds.count / 20 && accepted < seeds.count, "\(accepted)")
  }
}
