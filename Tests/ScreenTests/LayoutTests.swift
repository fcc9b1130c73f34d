import Configuration
import Ink
import SyntheticHand
import Testing

@testable import Screen

@Suite struct LayoutTests {
  /// A 3.5" panel, a 7" one in both ways, a 10" one.
  static let glasses: [Point] = [
    Point(71, 53), Point(154, 86), Point(86, 154), Point(217, 136),
  ]

  /// Everything that a layout can have.
  static let parts: [LayoutParts] = [
    LayoutParts(), LayoutParts(undo: true, cancel: true, countdown: true),
    LayoutParts(undo: true, cancel: true, countdown: true, rightToLeft: true),
    LayoutParts(message: .understood), LayoutParts(message: .none, rightToLeft: true),
  ]

  @Test(arguments: glasses, parts)
  func `buttons are big enough for a finger and apart`(_ glass: Point, _ parts: LayoutParts) {
    let layout = Layout(width: glass.x, height: glass.y, parts: parts)
    for button in layout.buttons {
      let area = layout.area(of: button)
      #expect(min(area.size.x, area.size.y) >= Layout.smallestButton)
      #expect(area.origin.x >= 0 && area.end.x <= glass.x && area.end.y <= glass.y)
      #expect(layout.button(at: area.centre) == button)
      #expect(layout.signing.end.y <= area.origin.y)
      for other in layout.buttons where other != button {
        let next = layout.area(of: other)
        #expect(area.end.x + 1 < next.origin.x || next.end.x + 1 < area.origin.x)
      }
    }
  }

  @Test(arguments: glasses, parts)
  func `most of the glass is for signing, and the words lie apart`(
    _ glass: Point, _ parts: LayoutParts
  ) {
    let layout = Layout(width: glass.x, height: glass.y, parts: parts)
    #expect(layout.signing.size.x * layout.signing.size.y > 0.6 * glass.x * glass.y)
    #expect(layout.signing.contains(layout.line.left))
    #expect(layout.line.left.x < layout.line.right.x)
    #expect(layout.header.origin.x >= 0 && layout.header.end.x <= glass.x)
    if parts.countdown {
      let (a, b) = (layout.header, layout.countdown)
      #expect(a.end.x <= b.origin.x + 0.01 || b.end.x <= a.origin.x + 0.01)
      #expect(b.origin.x >= 0 && b.end.x <= glass.x)
    }
  }

  @Test(arguments: glasses) func `the layout from right to left is the mirror image`(_ glass: Point)
  {
    let parts = LayoutParts(undo: true, cancel: true, countdown: true)
    var mirrored = parts
    mirrored.rightToLeft = true
    let a = Layout(width: glass.x, height: glass.y, parts: parts)
    let b = Layout(width: glass.x, height: glass.y, parts: mirrored)
    for button in a.buttons {
      #expect(abs(a.area(of: button).origin.x - (glass.x - b.area(of: button).end.x)) < 0.001)
    }
    #expect(abs(a.cross.x - (glass.x - b.cross.x)) < 0.001)
    #expect(abs(a.line.left.x - (glass.x - b.line.right.x)) < 0.001)
    #expect(abs(a.header.origin.x - (glass.x - b.header.end.x)) < 0.001)
  }

  @Test func `a missing button cannot be pressed`() {
    let layout = Layout(width: 150, height: 90)
    #expect(layout.buttons == [.clear, .done])
    #expect(!layout.area(of: .cancel).contains(layout.area(of: .cancel).centre))
  }
}

@Suite struct LayoutOptionsTests {
  @Test func `large words stay large where the theme wants small ones`() {
    var options = LayoutOptions()
    options.wordsSize = 2.5
    #expect(Layout(width: 154, height: 86, options: options).textSize == 2.5)
    options.isLarge = true
    #expect(Layout(width: 154, height: 86, options: options).textSize == 3.2)
  }

  /// Panels of 3.5", 5", 7" in both ways, and 10".
  static let glasses: [Point] = [
    Point(70.5, 52.9), Point(108, 65), Point(154, 86), Point(86, 154), Point(217, 136),
    Point(136, 217),
  ]

  /// Options for each key, alone and together.
  static func options() -> [LayoutOptions] {
    var all: [LayoutOptions] = []
    for side in ThemeConfiguration.Side.allCases {
      for logo in [nil] + ThemeConfiguration.LogoPlace.allCases.map({ Optional($0) }) {
        for words in ThemeConfiguration.WordsPlace.allCases {
          var options = LayoutOptions()
          options.buttons = side
          options.words = words
          // As large as one becomes that is not told its size, on the smallest glass.
          options.logo = logo.map { LayoutOptions.Logo($0, size: Point(18, 6.5)) }
          all.append(options)
        }
      }
    }
    return all
  }

  @Test(arguments: glasses, [false, true])
  func `every side and every corner works on every panel`(_ glass: Point, _ undo: Bool) {
    for options in Self.options() {
      let violation = LayoutViolation.first(of: options, on: glass, undo: undo)
      #expect(violation == nil, "\(options)")
    }
  }

  @Test(arguments: glasses, [false, true])
  func `without a theme no rule is broken`(_ glass: Point, _ undo: Bool) {
    #expect(LayoutViolation.first(of: LayoutOptions(), on: glass, undo: undo) == nil)
  }

  /// Checked here once more, with other words than the product's own.
  @Test(arguments: glasses) func `buttons are large enough and apart, and nothing overlaps`(
    _ glass: Point
  ) {
    for options in Self.options() {
      for rightToLeft in [false, true] {
        let parts = LayoutParts(
          undo: true, cancel: true, countdown: true, rightToLeft: rightToLeft)
        let layout = Layout(width: glass.x, height: glass.y, parts: parts, options: options)
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
            #expect(apart, "\(area) meets \(other), \(options)")
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

  /// Checked here once more, without the product's own check.
  @Test(arguments: glasses, [false, true])
  func `buttons of a document are large enough, on every side`(_ glass: Point, _ undo: Bool) {
    for side in ThemeConfiguration.Side.allCases {
      var options = LayoutOptions()
      options.buttons = side
      for rightToLeft in [false, true] {
        var parts = LayoutParts(undo: undo, cancel: true, rightToLeft: rightToLeft)
        parts.hasDocument = true
        let signing = Layout(width: glass.x, height: glass.y, parts: parts, options: options)
        let reading = Reading.layout(glass, parts, options)
        #expect(signing.buttons.contains(.document) && reading.buttons.contains(.sign))
        for layout in [signing, reading] {
          for area in layout.buttons.map({ layout.area(of: $0) }) {
            #expect(min(area.size.x, area.size.y) >= 8.99, "\(options)")
            #expect(layout.glass.contains(area) && !layout.signing.overlaps(area))
          }
        }
      }
    }
  }

  @Test func `positions in millimetres are exact`() {
    var options = LayoutOptions()
    options.margin = 4
    options.buttonHeight = 14
    options.lineHeight = 12
    options.wordsSize = 5
    let layout = Layout(width: 154, height: 86, options: options)
    #expect(layout.done.origin.y == 68 && layout.done.size.y == 14)
    #expect(layout.done.end.x == 150)
    #expect(layout.signing.end.y == 64 && layout.line.left.y == 52)
    #expect(layout.textSize == 5 && layout.header.origin == Point(6, 6))
  }

  @Test func `the last of stacked buttons is the one that completes the request`() {
    var options = LayoutOptions()
    options.buttons = .right
    let parts = LayoutParts(undo: true, cancel: true)
    let layout = Layout(width: 154, height: 86, parts: parts, options: options)
    #expect(layout.buttons == [.cancel, .clear, .undo, .done])
    let tops = layout.buttons.map { layout.area(of: $0).origin.y }
    #expect(tops == tops.sorted())
    #expect(layout.done.end.y == 86 - layout.margin && layout.done.end.x == 154 - layout.margin)
    #expect(layout.done.size.y > layout.clear.size.y)
    #expect(layout.signing.end.x < layout.clear.origin.x)
  }

  @Test(arguments: [false, true])
  func `buttons one below the other are as wide as their words, or as their height allows`(
    _ isLeft: Bool
  ) {
    var options = LayoutOptions()
    options.buttons = isLeft ? .left : .right
    options.buttonHeight = 12
    func width(of glass: Float, words: [Float] = []) -> Float {
      var parts = LayoutParts()
      parts.buttonWidths = words
      return Layout(width: glass, height: 90, parts: parts, options: options).done.size.x
    }
    // 2.2 times the height, but at most a quarter of the glass.
    #expect(abs(width(of: 154) - 26.4) < 0.001)
    #expect(abs(width(of: 80) - 20) < 0.001)
    #expect(width(of: 154, words: [18, 31]) == 31)
  }

  /// A glass and options at random.
  private func random(_ seed: UInt64) throws -> (glass: Point, options: LayoutOptions) {
    var random = SeededRandom(seed: seed)
    let glass = try #require(Self.glasses.randomElement(using: &random))
    func some(_ range: ClosedRange<Float>) -> Float? {
      Bool.random(using: &random) ? Float.random(in: range, using: &random) : nil
    }
    var options = LayoutOptions()
    options.buttons = try #require(
      ThemeConfiguration.Side.allCases.randomElement(using: &random))
    (options.buttonHeight, options.margin) = (some(9...25), some(1.5...15))
    (options.wordsSize, options.lineHeight) = (some(2.5...9), some(2...60))
    if let width = some(1...120) {
      let place = try #require(
        ThemeConfiguration.LogoPlace.allCases.randomElement(using: &random))
      options.logo = .init(place, size: Point(width, Float.random(in: 1...40, using: &random)))
    }
    return (glass, options)
  }

  @Test func `random options are refused or keep the rules`() throws {
    var accepted = 0
    let seeds = 0..<400 as Range<UInt64>
    for seed in seeds {
      let (glass, options) = try random(seed)
      guard LayoutViolation.first(of: options, on: glass, undo: true) == nil else { continue }
      accepted += 1
      let parts = LayoutParts(undo: true, cancel: true, countdown: true)
      let layout = Layout(width: glass.x, height: glass.y, parts: parts, options: options)
      for button in layout.buttons {
        let area = layout.area(of: button)
        #expect(min(area.size.x, area.size.y) >= 8.99, "seed \(seed)")
        #expect(layout.glass.contains(area) && !layout.signing.overlaps(area), "seed \(seed)")
      }
      #expect(layout.header.size.y > 0 && layout.header.end.y < layout.cross.y, "seed \(seed)")
      if let logo = layout.logo {
        #expect(!logo.overlaps(layout.header) && layout.signing.contains(logo), "seed \(seed)")
      }
    }
    // Neither everything nor nothing is refused: without a wish of its own a glass keeps the rules.
    #expect(accepted > seeds.count / 20 && accepted < seeds.count, "\(accepted)")
  }
}
